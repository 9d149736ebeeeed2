package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// RingDrag turns a thing about an axis, as a wheel is turned. Turns add up: twice around is 4π. The
// zero RingDrag turns nothing.
//
// It follows the point of the ring's plane under the pointer. A ring that is seen nearly from its
// edge, at less than 12°, is rolled instead: by the way that the pointer makes along its front, as
// if that were a string wound around it.
type RingDrag struct {
	Snap Snap // radians; Grid has no meaning; may be changed at any time

	plane  PlaneDrag
	roller AxisDrag
	radius float64
	rolls  bool
	start  float64 // where the ring was grabbed, −π to π
	last   float64 // where it was last, −π to π
	turns  float64 // whole ones since the start, radians
	angle  float64 // the last that was returned
	ok     bool
}

// seenFromEdge is the sine of the angle between a ray and a ring's plane, below which the ring is
// rolled.
const seenFromEdge = 0.2

// Begin starts a drag of a ring: its center, its axis of any length, and its radius in metres,
// which counts only where the ring is rolled. It reports false, and nothing turns until the next
// Begin, if the ray does not lead to the ring, or leads to its very center.
func (d *RingDrag) Begin(r geom.Ray, center, axis geom.Vec3, radius float32) bool {
	*d = RingDrag{Snap: d.Snap, radius: float64(radius)}
	ray, ok := dragRayOf(r)
	n := axis.Wide().Normalize()
	if !ok || n == (geom.DVec3{}) || !(radius > 0) {
		return false
	}
	if d.rolls = math.Abs(n.Dot(ray.dir)) < seenFromEdge; d.rolls {
		d.ok = d.roller.Begin(r, center, ray.dir.Cross(n).Narrow())
		return d.ok
	}
	u := geom.DVec3{X: 1}
	if math.Abs(n.X) > 0.7 {
		u = geom.DVec3{Y: 1}
	}
	u = u.Cross(n).Normalize()
	if !d.plane.Begin(r, center, u.Narrow(), n.Cross(u).Narrow()) {
		return false
	}
	d.start, d.ok = d.at(d.plane.grab)
	d.last = d.start
	return d.ok
}

// at returns the angle at which a point of the plane is seen from the center.
func (d *RingDrag) at(p geom.DVec3) (angle float64, ok bool) {
	p = p.Sub(d.plane.origin)
	x, y := p.Dot(d.plane.u), p.Dot(d.plane.v)
	return math.Atan2(y, x), x != 0 || y != 0
}

// Drag returns by how much the thing is to be turned from where it was, in radians,
// counter-clockwise seen against the axis.
func (d *RingDrag) Drag(r geom.Ray) float64 {
	ray, ok := dragRayOf(r)
	if !d.ok || !ok {
		return d.angle
	}
	if d.rolls {
		d.angle = d.Snap.to(0, d.roller.Distance(r)/d.radius)
		return d.angle
	}
	p, _, ok := d.plane.meet(ray)
	if !ok {
		return d.angle
	}
	at, ok := d.at(p)
	if !ok {
		return d.angle
	}
	switch change := at - d.last; {
	case change > math.Pi:
		d.turns -= 2 * math.Pi
	case change < -math.Pi:
		d.turns += 2 * math.Pi
	}
	d.last = at
	d.angle = d.Snap.to(0, d.turns+(at-d.start))
	return d.angle
}

// SurfaceDrag moves a thing over the surface of whatever is under the pointer, such as furniture
// over floor and tables. The zero SurfaceDrag moves nothing. It has no Snap, since what lies on a
// grid seldom lies on a surface: a snapped place needs a cast of its own from above. In a world of
// entities use physecs.SurfaceDrag, which leaves out what is dragged.
type SurfaceDrag struct {
	grab   geom.Vec3
	move   geom.Vec3
	normal geom.Vec3
	ok     bool
}

// Begin starts a drag. The filter, for which [PickFilter] is a good start, has to leave out what is
// dragged: the surface behind it is where it is taken to stand. It reports false, and nothing moves
// until the next Begin, if there is none.
func (d *SurfaceDrag) Begin(s *physics.Space, r geom.Ray, f physics.Filter) bool {
	hit, ok := s.CastRay(r, f)
	*d = SurfaceDrag{grab: hit.Point, normal: hit.Normal, ok: ok}
	return ok
}

// Drag returns how far the thing is to be moved from where it was, in metres, and the normal of the
// surface under the pointer, facing it. ok is false if there is none; move and normal are the last
// then.
func (d *SurfaceDrag) Drag(s *physics.Space, r geom.Ray, f physics.Filter) (move, normal geom.Vec3, ok bool) {
	if d.ok {
		var hit physics.Hit
		if hit, ok = s.CastRay(r, f); ok {
			d.move, d.normal = hit.Point.Sub(d.grab), hit.Normal
		}
	}
	return d.move, d.normal, ok
}

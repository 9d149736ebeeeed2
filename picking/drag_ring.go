package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// RingDrag turns an object about an axis, as a wheel is turned. Angles add up: two turns are 4π.
// The zero RingDrag turns nothing.
//
// It follows the point of the ring's plane under the pointer. A ring seen nearly edge-on, at less
// than 12°, is rolled instead: by the pointer's movement along its front, as if a string were wound
// around it.
type RingDrag struct {
	Snap Snap // radians; Grid has no effect; may be changed at any time

	plane  PlaneDrag
	roller AxisDrag
	radius float64
	rolls  bool
	start  float64 // angle at which the ring was grabbed, −π to π
	last   float64 // last angle, −π to π
	turns  float64 // whole turns since the start, radians
	angle  float64 // the last result
	ok     bool
}

// seenFromEdge is the sine of the angle between ray and ring plane below which the ring is rolled:
// 12°. Below it the point in the plane moves too far for small movements of the pointer.
const seenFromEdge = 0.2

// Begin starts a drag of a ring: its center (world, metres), its axis of any length, and its radius
// in metres, which matters only where the ring is rolled. It returns false, and nothing turns until
// the next Begin, if the ray does not meet the ring's plane, or meets it exactly at the center.
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

// at returns the angle of a point of the plane around the center, in radians; ok is false at the
// center.
func (d *RingDrag) at(p geom.DVec3) (angle float64, ok bool) {
	p = p.Sub(d.plane.origin)
	x, y := p.Dot(d.plane.u), p.Dot(d.plane.v)
	return math.Atan2(y, x), x != 0 || y != 0
}

// Drag returns the rotation of the object since Begin in radians, counter-clockwise as seen with
// the axis pointing to the viewer.
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

// SurfaceDrag moves an object over the surface under the pointer, such as furniture over floor and
// tables. The zero SurfaceDrag moves nothing. It has no Snap, since a point of a grid seldom lies
// on the surface: a snapped position needs a cast from above. In a world of entities use
// physecs.SurfaceDrag, which excludes the dragged entity.
type SurfaceDrag struct {
	grab   geom.Vec3
	move   geom.Vec3
	normal geom.Vec3
	ok     bool
}

// Begin starts a drag at the surface that the ray hits. The filter must exclude the dragged object;
// start from [PickFilter]. It returns false, and nothing moves until the next Begin, if the ray
// hits nothing.
func (d *SurfaceDrag) Begin(s *physics.Space, r geom.Ray, f physics.Filter) bool {
	hit, ok := s.CastRay(r, f)
	*d = SurfaceDrag{grab: hit.Point, normal: hit.Normal, ok: ok}
	return ok
}

// Drag returns the movement of the object since Begin (world, metres) and the normal of the surface
// under the pointer, unit and facing the ray. If ok is false the ray hits nothing, and move and
// normal are the last results.
func (d *SurfaceDrag) Drag(s *physics.Space, r geom.Ray, f physics.Filter) (move, normal geom.Vec3, ok bool) {
	if d.ok {
		var hit physics.Hit
		if hit, ok = s.CastRay(r, f); ok {
			d.move, d.normal = hit.Point.Sub(d.grab), hit.Normal
		}
	}
	return d.move, d.normal, ok
}

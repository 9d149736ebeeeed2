package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The drags turn the rays of a pointer, one each frame, into how far a thing has been moved or
// turned since the drag began. Each keeps where the thing was grabbed, so that nothing jumps at the
// start, and the ray with which a drag began gives exactly no move at any time. A ray that is zero,
// NaN or infinite leaves all as it is. Take the rays from [View.RayBeyond], since a drag goes on
// outside of its view; where they end does not matter.
//
// All they say is of the world. Of an entity that follows a parent, physecs.SetTransform makes its
// place beside the parent from that.

// Snap makes moves go in steps. The zero Snap doesn't.
type Snap struct {
	Step float64 // metres, or radians for what turns, or a factor for what scales; 0, or less: smoothly
	// Grid, of moves, counts the steps from the zero of the axis, so that a thing comes to lie on a
	// grid as soon as it has been moved by half a step; else they are counted from where it was.
	Grid bool
}

// to returns the nearest of the steps to a move from a place.
func (s Snap) to(from, move float64) float64 {
	if !(s.Step > 0) || math.IsInf(s.Step, 1) {
		return move
	}
	if s.Grid && math.Abs(move) < s.Step/2 {
		return 0 // what is off the grid does not jump when it is grabbed
	}
	if s.Grid {
		return float64(s.Step*math.Round((from+move)/s.Step)) - from
	}
	return s.Step * math.Round(move/s.Step)
}

// dragReach is how far a drag goes at most, as a multiple of how far away it was grabbed. A ray
// that is nearly parallel to a plane or an axis leads any distance away, and one that points away
// from it leads nowhere; both are taken to lead that far, in the direction in which the ray goes.
// So a thing that is dragged to the horizon and beyond it stops there and waits.
const dragReach = 100

// dragRay is the line of a ray, its direction unit.
type dragRay struct{ from, dir geom.DVec3 }

func dragRayOf(r geom.Ray) (d dragRay, ok bool) {
	d = dragRay{r.Origin.Wide(), r.Dir.Wide().Normalize()}
	return d, r.Origin.IsFinite() && r.Dir.IsFinite() && d.dir != geom.DVec3{}
}

// PlaneDrag moves a thing on a plane, such as a chair on a floor. The zero PlaneDrag moves nothing.
type PlaneDrag struct {
	Snap Snap // along each of the plane's two axes; may be changed at any time

	u, v, normal geom.DVec3
	origin       geom.DVec3 // of the thing
	grab         geom.DVec3
	reach        float64
	move         geom.Vec3 // the last
	ok           bool
}

// Begin starts a drag of a thing at a place, in the plane through there along two axes, which are
// to be at right angles; only their directions count. It reports false, and nothing moves until the
// next Begin, if the ray does not lead to the plane before it has gone 100 times as far as
// the place is away: the plane is seen from its edge, or lies behind.
func (d *PlaneDrag) Begin(r geom.Ray, at, u, v geom.Vec3) bool {
	snap := d.Snap
	*d = PlaneDrag{Snap: snap, origin: at.Wide(), u: u.Wide().Normalize(), v: v.Wide().Normalize()}
	d.normal = d.u.Cross(d.v).Normalize()
	ray, ok := dragRayOf(r)
	d.reach = float64(dragReach * d.origin.Sub(ray.from).Len())
	if !ok || d.normal == (geom.DVec3{}) || !at.IsFinite() || !isFinite(d.reach) {
		return false
	}
	var clamped bool
	d.grab, clamped, ok = d.meet(ray)
	d.ok = ok && !clamped
	return d.ok
}

// meet returns where a ray meets the plane, and whether that had to be brought nearer. With the
// foot of the ray's origin on the plane, it is in the direction in which the ray goes along the
// plane; the further the more nearly parallel they are, up to reach, and there it stays when the
// ray points away.
func (d *PlaneDrag) meet(r dragRay) (p geom.DVec3, clamped, ok bool) {
	height := d.normal.Dot(r.from.Sub(d.origin))
	foot := r.from.AddMul(-height, d.normal)
	toward := -d.normal.Dot(r.dir)
	if height < 0 {
		toward = -toward
	}
	along := r.dir.AddMul(-d.normal.Dot(r.dir), d.normal)
	l := along.Len()
	if toward > 0 {
		if t := math.Abs(height) / toward; float64(t*l) <= d.reach {
			return foot.AddMul(t, along), false, true
		}
	}
	if !(l > 1e-9) {
		return p, true, false // straight away from it
	}
	return foot.AddMul(d.reach/l, along), true, true
}

// Drag returns how far the thing is to be moved from where it was, in metres.
func (d *PlaneDrag) Drag(r geom.Ray) geom.Vec3 {
	ray, ok := dragRayOf(r)
	if !d.ok || !ok {
		return d.move
	}
	p, _, ok := d.meet(ray)
	if !ok {
		return d.move
	}
	p = p.Sub(d.grab)
	a, b := d.Snap.to(d.origin.Dot(d.u), p.Dot(d.u)), d.Snap.to(d.origin.Dot(d.v), p.Dot(d.v))
	d.move = d.u.Mul(a).AddMul(b, d.v).Narrow()
	return d.move
}

// AxisDrag moves a thing along an axis, such as a drawer. The zero AxisDrag moves nothing.
type AxisDrag struct {
	Snap Snap // may be changed at any time

	axis   geom.DVec3
	origin geom.DVec3 // of the thing
	grab   float64    // along the axis, from origin
	reach  float64
	last   float64
	ok     bool
}

// Begin starts a drag of a thing at a place, along an axis of any length. It reports false, and
// nothing moves until the next Begin, if the ray is parallel to the axis within a thousandth, so
// that the pointer can't say how far along it is, or the axis passes behind it.
func (d *AxisDrag) Begin(r geom.Ray, at, axis geom.Vec3) bool {
	snap := d.Snap
	*d = AxisDrag{Snap: snap, origin: at.Wide(), axis: axis.Wide().Normalize()}
	ray, ok := dragRayOf(r)
	d.reach = float64(dragReach * d.origin.Sub(ray.from).Len())
	if !ok || d.axis == (geom.DVec3{}) || !at.IsFinite() || !isFinite(d.reach) {
		return false
	}
	var clamped bool
	d.grab, clamped, ok = d.meet(ray)
	d.ok = ok && !clamped
	return d.ok
}

// meet returns how far from origin along the axis the point lies at which it passes the ray most
// closely (as of two lines in space, Ericson 2004, 5.1.8), and whether that had to be brought
// nearer.
func (d *AxisDrag) meet(r dragRay) (s float64, clamped, ok bool) {
	w := d.origin.Sub(r.from)
	b, c, e := d.axis.Dot(r.dir), d.axis.Dot(w), r.dir.Dot(w)
	across := r.dir.AddMul(-b, d.axis)
	sq := across.Dot(across) // 1 − b², without losing its digits
	foot := -c
	if sq > 1e-6 {
		s = (float64(b*e) - c) / sq
		if t := e + float64(s*b); t >= 0 && math.Abs(s-foot) <= d.reach {
			return s, false, true
		}
	}
	switch {
	case b > 0:
		return foot + d.reach, true, true
	case b < 0:
		return foot - d.reach, true, true
	}
	return 0, true, false
}

// Drag returns how far the thing is to be moved from where it was, in metres. It is exactly along
// the axis.
func (d *AxisDrag) Drag(r geom.Ray) geom.Vec3 { return d.axis.Mul(d.Distance(r)).Narrow() }

// Distance returns how far the thing is to be moved along the axis, in metres.
func (d *AxisDrag) Distance(r geom.Ray) float64 {
	ray, ok := dragRayOf(r)
	if !d.ok || !ok {
		return d.last
	}
	if s, _, ok := d.meet(ray); ok {
		d.last = d.Snap.to(d.origin.Dot(d.axis), s-d.grab)
	}
	return d.last
}

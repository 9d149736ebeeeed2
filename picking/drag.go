package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A drag turns the rays of a pointer, one each frame, into the movement or rotation of an object
// since the drag began. It stores where the object was grabbed, so that the object does not jump at
// the start, and the ray with which the drag began gives exactly no movement at any time. With a
// zero, NaN or infinite ray the last result stays. Take the rays from [View.RayBeyond], since a
// drag continues outside its view. Only origin and direction of a ray count, not its MinT and MaxT.
//
// All results are in world space. For an entity with a parent, physecs.SetTransform converts them.

// Snap rounds movements to steps. The zero Snap does not.
type Snap struct {
	Step float64 // metres, radians for rotations, or a factor for scales; 0 or less: no steps
	// Grid, for movements, counts the steps from the origin of the axis, so that an object lies on
	// a grid after it has been moved by half a step. Otherwise they are counted from the object's
	// start.
	Grid bool
}

// to returns the step nearest to a movement from a coordinate.
func (s Snap) to(from, move float64) float64 {
	if !(s.Step > 0) || math.IsInf(s.Step, 1) {
		return move
	}
	if s.Grid && math.Abs(move) < s.Step/2 {
		return 0 // an object off the grid does not jump when it is grabbed
	}
	if s.Grid {
		return float64(s.Step*math.Round((from+move)/s.Step)) - from
	}
	return s.Step * math.Round(move/s.Step)
}

// dragReach limits a drag, as a multiple of the distance at which the object was grabbed. Where a
// ray is nearly parallel to a plane or an axis, the intersection may be at any distance, and where
// it points away from it there is none: the drag then stays at this limit, in the ray's direction.
// An object dragged to the horizon and beyond stops there.
const dragReach = 100

// dragRay is the line of a ray, with a unit direction.
type dragRay struct{ from, dir geom.DVec3 }

func dragRayOf(r geom.Ray) (d dragRay, ok bool) {
	d = dragRay{r.Origin.Wide(), r.Dir.Wide().Normalize()}
	return d, r.Origin.IsFinite() && r.Dir.IsFinite() && d.dir != geom.DVec3{}
}

// PlaneDrag moves an object on a plane, such as a chair on a floor. The zero PlaneDrag moves
// nothing.
type PlaneDrag struct {
	Snap Snap // along both axes of the plane; may be changed at any time

	u, v, normal geom.DVec3
	origin       geom.DVec3 // of the object
	grab         geom.DVec3
	reach        float64
	move         geom.Vec3 // the last result
	ok           bool
}

// Begin starts a drag of an object at a position (world, metres) in the plane through it along the
// axes u and v, which must be perpendicular; their lengths do not matter. It returns false, and
// nothing moves until the next Begin, if the ray does not meet the plane within 100 times the
// distance to the object: the plane is seen edge-on or lies behind.
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

// meet returns where a ray meets the plane, and whether the point was clamped to reach. Measured
// from the foot of the perpendicular from the ray's origin, the point lies in the direction of the
// ray along the plane; its distance grows to reach as the ray becomes parallel, and stays there
// when the ray points away. ok is false if the ray points straight away from the plane.
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
		return p, true, false // straight away from the plane
	}
	return foot.AddMul(d.reach/l, along), true, true
}

// Drag returns the movement of the object since Begin, world, metres.
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

// AxisDrag moves an object along an axis, such as a drawer. The zero AxisDrag moves nothing.
type AxisDrag struct {
	Snap Snap // may be changed at any time

	axis   geom.DVec3
	origin geom.DVec3 // of the object
	grab   float64    // along the axis, from origin
	reach  float64
	last   float64
	ok     bool
}

// Begin starts a drag of an object at a position (world, metres) along an axis of any length. It
// returns false, and nothing moves until the next Begin, if the ray is parallel to the axis within
// 0.001 rad, so that it determines no place on the axis, or if the axis passes behind the ray.
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

// meet returns the parameter of the point of the axis closest to the ray, in metres from origin
// (closest points of two lines: Ericson 2004, 5.1.8), and whether it was clamped to reach.
func (d *AxisDrag) meet(r dragRay) (s float64, clamped, ok bool) {
	w := d.origin.Sub(r.from)
	b, c, e := d.axis.Dot(r.dir), d.axis.Dot(w), r.dir.Dot(w)
	across := r.dir.AddMul(-b, d.axis)
	sq := across.Dot(across) // 1 − b², without cancellation
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

// Drag returns the movement of the object since Begin, world, metres, exactly along the axis.
func (d *AxisDrag) Drag(r geom.Ray) geom.Vec3 { return d.axis.Mul(d.Distance(r)).Narrow() }

// Distance returns the movement of the object along the axis since Begin, in metres.
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

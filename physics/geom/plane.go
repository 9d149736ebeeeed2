package geom

import "math"

// Plane is a flat surface without end: the points p with Normal·p = D. It has a front, to which
// Normal points, and a back, and no inside. Normal need not be unit. Where it is zero, or a number
// is NaN or infinite, there is no plane.
type Plane struct {
	Normal Vec3
	D      float32 // the distance from the origin along Normal, times the length of Normal
}

// PlaneThrough returns the plane through a point with a given normal, which need not be unit.
func PlaneThrough(p, normal Vec3) Plane {
	return Plane{Normal: normal, D: float32(normal.wide().Dot(p.wide()))}
}

// IsEmpty reports whether there is no plane: Normal is zero, or a number is NaN or infinite.
func (p Plane) IsEmpty() bool { return p.Normal == Vec3{} || !p.Normal.IsFinite() || p.D-p.D != 0 }

// Bounds returns the box without end, even for a plane that is parallel to two axes; it is empty if
// the plane is.
func (p Plane) Bounds() AABB {
	if p.IsEmpty() {
		return EmptyAABB()
	}
	return everywhere()
}

func everywhere() AABB {
	inf := float32(math.Inf(1))
	return AABB{Vec3{-inf, -inf, -inf}, Vec3{inf, inf, inf}}
}

// XPlane returns the plane x = offset, which faces +X.
func XPlane(offset float32) Plane { return Plane{Vec3{X: 1}, offset} }

// YPlane returns the plane y = offset, which faces up: the ground.
func YPlane(offset float32) Plane { return Plane{Vec3{Y: 1}, offset} }

// ZPlane returns the plane z = offset, which faces +Z: the plane of a 2D game.
func ZPlane(offset float32) Plane { return Plane{Vec3{Z: 1}, offset} }

// CastRay returns where the ray hits the plane. A ray that lies in the plane hits its front, at the
// start of the range.
func (p Plane) CastRay(r Ray, cull Cull) (Hit, bool) {
	if !r.IsValid() || p.IsEmpty() {
		return Hit{}, false
	}
	n := p.Normal.wide()
	return r.hitPlane(float64(p.D)-n.Dot(r.Origin.wide()), n.Dot(r.Dir.wide()), n, cull)
}

// hitPlane builds the hit with a plane that is the given gap away along its normal, which the ray
// closes at the given rate.
func (r Ray) hitPlane(gap, rate float64, normal DVec3, cull Cull) (Hit, bool) {
	tMin, tMax := r.Range()
	t := float64(tMin)
	if rate != 0 {
		t = gap / rate
	} else if gap != 0 {
		return Hit{}, false
	}
	at := entering
	if rate > 0 {
		at = leaving
	}
	if cull.Culls(at == leaving) || !(t >= float64(tMin) && t <= float64(tMax)) {
		return Hit{}, false
	}
	return r.hit(t, at, normal)
}

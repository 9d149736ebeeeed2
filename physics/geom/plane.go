package geom

import "math"

// Plane is an infinite flat surface: the points p with Normal·p = D. Its front is the side to which
// Normal points; it has no inside. Normal need not be unit. If Normal is zero, or a number is NaN
// or infinite, the plane is empty.
type Plane struct {
	Normal Vec3    // any length except 0
	D      float32 // distance from the origin along Normal in metres, times the length of Normal
}

// PlaneThrough returns the plane through the point p with the given normal, which need not be unit.
func PlaneThrough(p, normal Vec3) Plane {
	return Plane{Normal: normal, D: float32(normal.wide().Dot(p.wide()))}
}

// IsEmpty reports whether the plane contains no point: Normal is zero, or a number is NaN or
// infinite.
func (p Plane) IsEmpty() bool { return p.Normal == Vec3{} || !p.Normal.IsFinite() || p.D-p.D != 0 }

// Bounds returns the unbounded box, even for a plane parallel to two axes; [EmptyAABB] if the plane
// is empty.
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

// CastRay returns where the ray hits the plane. A ray that lies in the plane hits its front at the
// start of the range. Cull leaves out hits from one side.
func (p Plane) CastRay(r Ray, cull Cull) (Hit, bool) {
	if !r.IsValid() || p.IsEmpty() {
		return Hit{}, false
	}
	n := p.Normal.wide()
	return r.hitPlane(float64(p.D)-n.Dot(r.Origin.wide()), n.Dot(r.Dir.wide()), n, cull)
}

// hitPlane returns the hit with a plane at a distance of gap along its normal, which the ray
// approaches by rate per unit of T.
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
	if cull.Culls(at == leaving) || !(t >= float64(tMin) && float32(t) <= tMax) {
		return Hit{}, false
	}
	return r.hit(t, at, normal)
}

package geom

import "math"

// This file holds the sphere cast: where a sphere that moves along a ray first touches a triangle.
// That is where the ray, the path of the sphere's centre, enters the triangle grown by the radius:
// the set of points no further than the radius from the triangle.
//
// That set is convex. Its surface consists of two faces, which are the triangle moved by the radius
// along its normal to both sides, of parts of three cylinders around the edges and of parts of
// three spheres around the corners. All eight are in the set, so the span of a line in the set is
// the join of its spans in the eight, and there are no regions to distinguish. Two triangles that
// share an edge share its cylinder: no sphere passes between them.

// SphereCaster casts one moving sphere at many triangles. [NewSphereCaster] returns one. Cast does
// not change it, so goroutines may share it. [Triangle.CastSphere] documents the result.
type SphereCaster struct {
	ray         Ray
	origin, dir DVec3
	radius      float64
	dd          float64 // dir·dir
	// For the slabs of boxes grown by the radius: on each axis, T at the near side of a box is
	// (side − near)·inverse, and T at the far side is (side − far)·inverse. inverse is 1/dir,
	// finite and not zero.
	near, far, inverse DVec3
	empty              bool
}

const (
	// widening is the growth of bounding boxes, as a fraction of the coordinates: 32 times the
	// rounding error of a double-precision number, so that a box test leaves out no triangle that
	// the sphere touches, and far below the resolution of single precision.
	widening = 0x1p-48
	// grazing is the sine of the angle between ray and face below which the ray counts as parallel:
	// until it reaches an edge, which stops it, it sinks in by at most this fraction of the length
	// of the face. Above it, rounding does not change the sign of the slope.
	grazing = 0x1p-32
	// thin is the width of a triangle, as a fraction of the radius, below which its faces are left
	// out: the cylinders around the edges cover them up to thin²/8 radii, and rounding may destroy
	// the normal of such a triangle.
	thin = 0x1p-16
)

// NewSphereCaster returns a caster for a sphere with the given radius, in metres, whose centre
// moves along a ray. It hits nothing if the ray is not valid, or the radius is negative, NaN or
// infinite.
func NewSphereCaster(r Ray, radius float32) SphereCaster {
	var k SphereCaster
	k.Reset(r, radius)
	return k
}

// Reset makes k a caster for another ray and radius, as [NewSphereCaster] does.
func (k *SphereCaster) Reset(r Ray, radius float32) {
	k.ray, k.empty = r, !r.IsValid() || Sphere{r.Origin, radius}.IsEmpty()
	k.origin, k.dir, k.radius = r.Origin.wide(), r.Dir.wide(), float64(radius)
	k.dd = k.dir.Dot(k.dir)
	k.near.X, k.far.X, k.inverse.X = grownSlab(k.origin.X, k.dir.X, k.radius)
	k.near.Y, k.far.Y, k.inverse.Y = grownSlab(k.origin.Y, k.dir.Y, k.radius)
	k.near.Z, k.far.Z, k.inverse.Z = grownSlab(k.origin.Z, k.dir.Z, k.radius)
}

// grownSlab returns the near, far and inverse of one axis. A direction of 0 is replaced by 1e-300,
// far below every other: a ray between the two sides then stays there for every T.
func grownSlab(o, d, radius float64) (near, far, inverse float64) {
	const least = 1e-60 // metres: keeps pad from being zero, which would lose the sign
	pad := radius + float64((math.Abs(o)+radius)*widening) + least
	if d == 0 {
		d = 1e-300
	}
	pad = math.Copysign(pad, d)
	return o + pad, o - pad, 1 / d
}

// interval returns bounds for the T at which the ray is in the triangle grown by the radius: the
// interval of the triangle's grown bounding box, intersected with that of the grown bounding
// sphere, which is tighter if the sphere is large compared to the triangle.
func (k *SphereCaster) interval(t *Triangle) (from, to float64) {
	near, far := t.A.Min(t.B).Min(t.C), t.A.Max(t.B).Max(t.C)
	if k.inverse.X < 0 {
		near.X, far.X = far.X, near.X
	}
	if k.inverse.Y < 0 {
		near.Y, far.Y = far.Y, near.Y
	}
	if k.inverse.Z < 0 {
		near.Z, far.Z = far.Z, near.Z
	}
	p, q := near.wide(), far.wide()
	from = max((p.X-k.near.X)*k.inverse.X, (p.Y-k.near.Y)*k.inverse.Y, (p.Z-k.near.Z)*k.inverse.Z)
	to = min((q.X-k.far.X)*k.inverse.X, (q.Y-k.far.Y)*k.inverse.Y, (q.Z-k.far.Z)*k.inverse.Z)
	from, to = float64(from*(1-widening)), float64(to*(1+widening))
	if !(from <= to) {
		return from, to
	}
	d, m := k.dir, p.Add(q).Mul(0.5).Sub(k.origin)
	radius := float64((k.radius + float64(q.Sub(p).Len()*0.5)) * (1 + 0x1p-20))
	x := m.Cross(d)
	disc := float64(radius*radius*k.dd) - x.Dot(x)
	if !(disc >= 0) {
		return math.Inf(1), math.Inf(-1)
	}
	root, middle := math.Sqrt(disc), m.Dot(d)
	return max(from, float64((middle-root)/k.dd)), min(to, float64((middle+root)/k.dd))
}

// Cast is [Triangle.CastSphere] for a T of at most tMax, which a search for the closest hit lowers
// as it goes (+Inf: no limit). T is never before the sphere's centre enters the triangle's bounds,
// grown by the radius, except by rounding in the fourteenth digit: a tree whose boxes are widened
// by more loses no hit.
func (k *SphereCaster) Cast(t Triangle, tMax float32, cull Cull) (Hit, bool) {
	if k.empty {
		return Hit{}, false
	}
	tMin, _ := k.ray.Range()
	from, to := k.interval(&t)
	if !(from <= to && to >= float64(tMin) && float32(from) <= tMax) || t.IsEmpty() {
		return Hit{}, false
	}
	n := t.cross()
	back := k.backFace(&t, n)
	if cull.Culls(back) {
		return Hit{}, false
	}
	s := k.span(&t, n)
	// Rounding must not move a hit out of the bounding box by which a tree finds it.
	s.enter = max(s.enter, from)
	at, kind, ok := s.resolve(k.ray, Solid)
	if !ok || !(float32(at) <= min(tMax, math.MaxFloat32)) {
		return Hit{}, false
	}
	return k.hit(&t, n, at, kind == starting, back), true
}

// backFace reports whether the sphere hits the triangle from behind: by the direction or, if it is
// parallel to the triangle, by the side on which the ray's origin is.
func (k *SphereCaster) backFace(t *Triangle, n DVec3) bool {
	along := n.Dot(k.dir)
	return along > 0 || along == 0 && n.Dot(t.A.wide().Sub(k.origin)) > 0
}

// span returns where the ray's line is in the triangle grown by the radius. If enter is in a face
// and in the range, exit is not needed and is +Inf. n is the triangle's normal.
func (k *SphereCaster) span(t *Triangle, n DVec3) span {
	d := k.dir
	a, b, c := t.A.wide(), t.B.wide(), t.C.wide()
	corner := [3]DVec3{a.Sub(k.origin), b.Sub(k.origin), c.Sub(k.origin)}
	edge := [3]DVec3{b.Sub(a), c.Sub(b), a.Sub(c)}

	s := nowhere
	tMin, _ := k.ray.Range()
	rr, nn, along := float64(k.radius*k.radius), n.Dot(n), n.Dot(d)
	longest := max(edge[0].Dot(edge[0]), edge[1].Dot(edge[1]), edge[2].Dot(edge[2]))
	if float64(along*along) > float64(grazing*grazing*nn)*k.dd && nn >= float64(thin*thin*rr)*longest {
		l := math.Copysign(math.Sqrt(nn), along)
		height, up := n.Dot(corner[0]), n.Mul(k.radius/l)
		if pierces(d, &corner, &edge, up.Neg()) {
			enter := (height - float64(k.radius*l)) / along
			if enter >= float64(tMin) {
				return span{enter, math.Inf(1)}
			}
			s = span{enter, enter}
		}
		if pierces(d, &corner, &edge, up) {
			exit := (height + float64(k.radius*l)) / along
			s = s.join(span{exit, exit})
		}
	}
	for i := range corner {
		m := corner[i].Neg()
		s = s.join(sphereSpan(m, d, k.radius)).join(cylinderSpan(m, d, edge[i], k.radius))
	}
	return s
}

// pierces reports whether the line from the origin along d goes through a triangle moved by shift:
// it passes all edges on the same side. The neighbour at an edge has the same edge reversed and
// computes the same number with the opposite sign, so no line passes between two triangles with the
// same shift.
func pierces(d DVec3, corner, edge *[3]DVec3, shift DVec3) bool {
	var sides [3]float64
	for i := range sides {
		middle := corner[i].Add(corner[(i+1)%3])
		sides[i] = d.Cross(edge[i]).Dot(middle.AddMul(2, shift))
	}
	return min(sides[0], sides[1], sides[2]) >= 0 || max(sides[0], sides[1], sides[2]) <= 0
}

// hit returns the hit at a T. n is the triangle's normal.
func (k *SphereCaster) hit(t *Triangle, n DVec3, at float64, inside, back bool) Hit {
	at += 0 // turns −0 into 0
	center := k.origin.AddMul(at, k.dir)
	p, u, v := t.contact(center)
	out := center.Sub(p)
	l := out.Len()
	if l <= slack*(t.size()+sum(k.origin.abs())+sum(center.abs())) || !inside && l > 2*k.radius {
		// The centre is on the triangle within rounding, or rounding exceeds the radius: the vector
		// from p to the centre has no reliable direction.
		out = n
		if back {
			out = n.Neg()
		}
	}
	normal := out.Normalize()
	h := Hit{T: float32(at), Point: p.positiveZero().Narrow(), U: float32(u), V: float32(v), BackFace: back, Inside: inside}
	if inside && normal != (DVec3{}) {
		h.Normal = normal.positiveZero().Narrow()
	} else {
		h.Normal = k.ray.facing(normal)
	}
	return h
}

// contact returns the point of the triangle closest to p, and its weights of B and C. It compares
// the foot of the perpendicular with the closest points of the edges, because the foot is
// inaccurate in a triangle that is nearly degenerate.
func (t *Triangle) contact(p DVec3) (q DVec3, u, v float64) {
	a, b, c := t.A.wide(), t.B.wide(), t.C.wide()
	least := math.Inf(1)
	try := func(point DVec3, x, y float64) {
		if d := point.Sub(p); d.Dot(d) < least {
			q, u, v, least = point, x, y, d.Dot(d)
		}
	}
	if x, y, ok := t.weights(p); ok && x >= 0 && y >= 0 && x+y <= 1 {
		try(a.AddMul(x, b.Sub(a)).AddMul(y, c.Sub(a)), x, y)
	}
	x := project(a, b.Sub(a), 0, 1, p)
	try(a.AddMul(x, b.Sub(a)), x, 0)
	x = project(b, c.Sub(b), 0, 1, p)
	try(b.AddMul(x, c.Sub(b)), 1-x, x)
	x = project(c, a.Sub(c), 0, 1, p)
	try(c.AddMul(x, a.Sub(c)), 0, 1-x)
	return q, u + 0, v + 0
}

// CastSphere returns where a sphere first touches the triangle, edges and corners included, if its
// centre moves along the ray. radius is in metres. The computation is in double precision, and T is
// rounded once.
//
// The sphere's centre is at [Ray.At] of T. Point is the point of the triangle that is touched, and
// U and V are its weights of B and C. Normal is the unit vector from Point to the centre; it faces
// the ray. At an edge or a corner it is not the triangle's own normal, which [Triangle.Normal]
// returns.
//
// Inside is set if the sphere overlaps the triangle at the start of the range, unless it just
// begins to touch it. Then T is the start of the range, Point the point of the triangle closest to
// the centre, and Normal points from it to the centre, whatever the direction of the ray. If the
// centre is on the triangle, Normal is the triangle's normal, turned to face the ray; for a
// degenerate triangle it is −Dir made unit.
//
// BackFace, by which cull decides, is set if the ray goes along the triangle's normal, so that
// under [CullBack] a surface does not stop a sphere that leaves it by its front. For a ray parallel
// to the triangle, BackFace is set if the origin is behind it. A triangle degenerated to a segment
// or a point is hit as such and has no back.
//
// A sphere of radius 0 is a point: it hits where [Triangle.CastRay] does, except for rounding, and
// it also hits a triangle that is edge-on or degenerate if it meets it exactly. A ray that is not
// valid and a radius that is negative, NaN or infinite hit nothing.
func (t Triangle) CastSphere(r Ray, radius float32, cull Cull) (Hit, bool) {
	k := NewSphereCaster(r, radius)
	return k.Cast(t, float32(math.Inf(1)), cull)
}

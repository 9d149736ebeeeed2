package geom

import "math"

// The cast of a sphere: where a ball that moves along a ray first touches a triangle. That is where
// the ray, which is the way of its centre, enters the triangle grown by the radius; a point is in
// that solid if it is no further than the radius from the triangle.
//
// The solid is convex. Its surface is made of two faces, which are the triangle moved out by the
// radius along its normal and against it, of parts of three cylinders around the edges and of parts
// of three balls around the corners. None of these reaches beyond the solid, so that the stretch of
// a line in the solid is joined from its stretches in the eight, and no region needs to be told
// from another. Where two triangles share an edge, they share a cylinder: nothing falls through.

// SphereCaster casts one moving sphere at many triangles. [NewSphereCaster] makes one; it is never
// changed by its use, so that goroutines may share it. [Triangle.CastSphere] says what is hit and
// where.
type SphereCaster struct {
	ray         Ray
	origin, dir DVec3
	radius      float64
	dd          float64 // dir·dir
	// Boxes grown by the radius: along each axis the near side of a box is taken from one origin
	// and the far side from another, and the differences are multiplied by 1/direction, which is
	// finite and not zero.
	near, far, inverse DVec3
	empty              bool
}

const (
	// widening is how much boxes are widened, in parts of the numbers: many times the rounding of
	// their test in double precision, so that they never leave out what touches, and far less than
	// single precision can tell.
	widening = 0x1p-48
	// grazing is the slope against a face below which a ray is taken to be parallel to it: it sinks
	// in by no more than this part of the face's length before it comes to an edge, which stops it.
	// Above it, rounding does not turn the slope.
	grazing = 0x1p-32
	// thin is the width of a triangle, in parts of the radius, below which its faces are left out.
	// The cylinders reach to within thin²/8 radii of them, and the normal of such a triangle may be
	// lost to rounding.
	thin = 0x1p-16
)

// NewSphereCaster prepares the cast of a sphere of a radius, in metres, whose centre moves along a
// ray. It hits nothing if the ray is not valid, or the radius is negative, NaN or infinite.
func NewSphereCaster(r Ray, radius float32) SphereCaster {
	var k SphereCaster
	k.Reset(r, radius)
	return k
}

// Reset prepares k for another cast, as [NewSphereCaster] does.
func (k *SphereCaster) Reset(r Ray, radius float32) {
	k.ray, k.empty = r, !r.IsValid() || Sphere{r.Origin, radius}.IsEmpty()
	k.origin, k.dir, k.radius = r.Origin.wide(), r.Dir.wide(), float64(radius)
	k.dd = k.dir.Dot(k.dir)
	k.near.X, k.far.X, k.inverse.X = grownSlab(k.origin.X, k.dir.X, k.radius)
	k.near.Y, k.far.Y, k.inverse.Y = grownSlab(k.origin.Y, k.dir.Y, k.radius)
	k.near.Z, k.far.Z, k.inverse.Z = grownSlab(k.origin.Z, k.dir.Z, k.radius)
}

// grownSlab prepares the two sides of boxes that are perpendicular to an axis. A direction that is
// parallel to them gets an inverse beyond those of all others, for which no T is large enough that
// a ray between the sides could leave.
func grownSlab(o, d, radius float64) (near, far, inverse float64) {
	const least = 1e-60 // metres: no sum here is ever zero, whose sign would be lost
	pad := radius + float64((math.Abs(o)+radius)*widening) + least
	if d == 0 {
		d = 1e-300
	}
	pad = math.Copysign(pad, d)
	return o + pad, o - pad, 1 / d
}

// interval returns from which T to which the ray is at most in the triangle grown by the radius: in
// its grown bounds, and in the ball around these, grown too, which is the tighter one where the
// sphere is large beside the triangle.
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

// Cast is [Triangle.CastSphere] for a T not further than tMax, which a search for the closest hit
// shrinks as it goes (+Inf: no limit beside the ray's own). T is never before that at which the
// sphere's centre enters the triangle's bounds, grown by the radius, but by rounding in the
// fourteenth digit; so a tree of boxes that are widened by more loses no hit.
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
	// Rounding must not carry a hit out of the box that a tree finds it by.
	s.enter = max(s.enter, from)
	at, kind, ok := s.resolve(k.ray, Solid)
	if !ok || !(float32(at) <= min(tMax, math.MaxFloat32)) {
		return Hit{}, false
	}
	return k.hit(&t, n, at, kind == starting, back), true
}

// backFace tells from which side the triangle is met: by the direction or, where this is parallel
// to the triangle, by where the centre is.
func (k *SphereCaster) backFace(t *Triangle, n DVec3) bool {
	along := n.Dot(k.dir)
	return along > 0 || along == 0 && n.Dot(t.A.wide().Sub(k.origin)) > 0
}

// span returns where the ray's line is in the triangle grown by the radius. exit is +Inf where
// enter is in a face and in the range, for then nobody asks. n is the triangle's normal.
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
		s = s.join(ballSpan(m, d, k.radius)).join(cylinderSpan(m, d, edge[i], k.radius))
	}
	return s
}

// pierces reports whether the line from the origin along d goes through a triangle, moved by a
// shift. It does if it passes all edges on the same side. A triangle that has the edge the other
// way round gets the same number for it, but for its sign, so that nothing slips between the two
// where they are not shifted apart.
func pierces(d DVec3, corner, edge *[3]DVec3, shift DVec3) bool {
	var sides [3]float64
	for i := range sides {
		middle := corner[i].Add(corner[(i+1)%3])
		sides[i] = d.Cross(edge[i]).Dot(middle.AddMul(2, shift))
	}
	return min(sides[0], sides[1], sides[2]) >= 0 || max(sides[0], sides[1], sides[2]) <= 0
}

// hit builds the hit at a T. n is the triangle's normal.
func (k *SphereCaster) hit(t *Triangle, n DVec3, at float64, inside, back bool) Hit {
	at += 0 // turns −0 into 0
	center := k.origin.AddMul(at, k.dir)
	p, u, v := t.contact(center)
	out := center.Sub(p)
	l := out.Len()
	if l <= slack*(t.size()+sum(k.origin.abs())+sum(center.abs())) || !inside && l > 2*k.radius {
		// The centre is on the triangle as far as can be told, or the way to it is more rounding
		// than radius.
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

// contact returns the point of the triangle nearest to p, and its weights of B and C. The foot of
// the perpendicular must prove itself against the edges, since it is off where the triangle is
// hardly more than a line.
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

// CastSphere returns where a sphere first touches the triangle, if its centre moves along the ray:
// edges and corners too, and touching counts. radius is in metres. Everything is computed in double
// precision, and T rounded once.
//
// T is that of the ray: the centre is then at [Ray.At] of T. Point is the point of the triangle
// that is touched, U and V are its weights of B and C, and Normal is the unit vector from there to
// the centre, which faces the ray but is not the triangle's own where an edge or a corner is
// touched. For that, see [Triangle.Normal].
//
// If the sphere touches the triangle already where the range starts, and does not just come to it,
// Inside is set: T is the start of the range, Point is the point of the triangle closest to the
// centre, and Normal points from it to the centre, whichever way the ray goes. If the centre is on
// the triangle it is the triangle's normal, turned to face the ray; if there is none, −Dir, made
// unit.
//
// BackFace tells, and cull asks, whether the ray goes with the triangle's normal, so that a sphere
// which leaves a surface by its front is not held by it under [CullBack]; of a ray that is parallel
// to the triangle, whether the centre is behind it. A triangle that is flattened to a line or a
// point is hit as such, with no back.
//
// A sphere with the radius 0 is a point that hits where [Triangle.CastRay] does but for rounding,
// and triangles that are seen edge-on or are flattened too, if it meets them exactly. A ray that is
// not valid and a radius that is negative, NaN or infinite hit nothing.
func (t Triangle) CastSphere(r Ray, radius float32, cull Cull) (Hit, bool) {
	k := NewSphereCaster(r, radius)
	return k.Cast(t, float32(math.Inf(1)), cull)
}

package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// piece is one shape placed in the world, made ready for queries when it is added or moved so that
// queries only read.
//
// As long as the world shape is still one that geom knows, that shape is kept and asked directly:
// it is fast, and exact far from the origin. That is every box that is not sheared and every evenly
// scaled sphere and capsule. For all others the query is taken into the shape's own space.
type piece struct {
	kind   kind
	child  int32 // number in the compound, −1 alone
	bounds geom.AABB
	local  *local // of those that are asked in their own space
	shape  solid
}

// solid holds a box, a sphere or a capsule in one place, as a piece is one of them at most.
type solid struct {
	a, b geom.Vec3 // centre and half extents of a box, centre of a sphere, ends of a capsule
	q    geom.Quat // rotation of a box; X: radius of the others
}

func (s *solid) box() geom.Box         { return geom.Box{Center: s.a, HalfExtents: s.b, Rotation: s.q} }
func (s *solid) sphere() geom.Sphere   { return geom.Sphere{Center: s.a, Radius: s.q.X} }
func (s *solid) capsule() geom.Capsule { return geom.Capsule{A: s.a, B: s.b, Radius: s.q.X} }

func (s *solid) setBox(b geom.Box)         { s.a, s.b, s.q = b.Center, b.HalfExtents, b.Rotation }
func (s *solid) setSphere(b geom.Sphere)   { s.a, s.q.X = b.Center, b.Radius }
func (s *solid) setCapsule(c geom.Capsule) { s.a, s.b, s.q.X = c.A, c.B, c.Radius }

type kind uint8

const (
	kindNowhere      kind = iota
	kindAABB              // bounds is the shape
	kindBox               // shape is a box in the world
	kindSphere            // a sphere in the world
	kindCapsule           // a capsule in the world
	kindLocalBox          // a sheared box; shape is in its own space here and below
	kindEllipsoid         // an unevenly scaled sphere
	kindLocalCapsule      // an unevenly scaled capsule
	kindHull
	kindPlane
	kindMesh
	kindCompound // of a record, not of a piece: see group
)

// local is what a piece needs that is asked in its own space.
type local struct {
	back    geom.InverseAffine // world to own space
	mesh    *mesh.Mesh
	*planar             // of a plane alone
	strays  bool        // a ray taken back may hit what it passes: see record.counts
	slack   float32     // what single precision may get wrong on the way back, as a fraction of the distances
	to      geom.Affine // own space to world
	hull    *hull.Hull
	_       [16]byte // makes it three whole lines of the cache, of which a ray that misses reads two
}

// planar is a plane, in its own space and in the world.
type planar struct {
	plane  geom.Plane
	normal geom.DVec3 // in the world, unit, on the side of the front
	point  geom.DVec3 // in the world
}

// place puts a shape that is no compound into the world. It reports false, and the piece is
// nowhere, if the shape is empty or flattened beyond use or any number in it or made of it is NaN
// or infinite. What p.local pointed to is overwritten.
func (p *piece) place(s Shape, f *frame) bool {
	p.kind = kindNowhere
	if !f.affine.IsFinite() || !f.scale.IsFinite() || !f.rotation.IsFinite() {
		return false
	}
	switch s := s.(type) {
	case geom.AABB:
		p.placeAABB(s, f)
	case geom.Box:
		p.placeBox(s, f)
	case geom.Sphere:
		p.placeSphere(s, f)
	case geom.Capsule:
		p.placeCapsule(s, f)
	case geom.Plane:
		p.placePlane(s, f)
	case *hull.Hull:
		p.placeHull(s, f)
	case *mesh.Mesh:
		if p.enter(kindMesh, f) {
			p.local.mesh = s
			p.bounds = f.affine.Bounds(s.Bounds())
		}
	}
	if p.kind == kindNowhere || p.kind == kindPlane {
		return p.kind == kindPlane
	}
	if p.bounds.IsEmpty() || !p.bounds.Min.IsFinite() || !p.bounds.Max.IsFinite() {
		p.kind = kindNowhere
		return false
	}
	return true
}

// flattest is the least part of its volume that a cube may be left with by a shear. Less is mostly
// rounding: where a thing is flattened across its axes the determinant is not quite 0.
const flattest = 1e-4

// enter makes the piece one that is asked in its own space, if there is a way back to it.
func (p *piece) enter(k kind, f *frame) bool {
	back, ok := f.affine.Inverse()
	if !ok {
		return false
	}
	volume := 1.0
	if f.sheared {
		x, y, z := f.affine.X.Wide().Len(), f.affine.Y.Wide().Len(), f.affine.Z.Wide().Len()
		if volume = math.Abs(f.affine.Det()) / (x * y * z); !(volume >= flattest) {
			return false
		}
	}
	l := p.local
	if l == nil {
		l = new(local)
		p.local = l
	}
	if k == kindPlane && l.planar == nil {
		l.planar = new(planar)
	}
	l.to, l.back, l.slack = f.affine, back, float32(relativeSlack/volume)
	l.strays = f.sheared || k == kindHull && !f.even()
	p.kind = k
	return true
}

// placeUnturned does what place does, in a third of the time, for what most worlds are full of:
// boxes that never turn, and spheres that do not. It reports false, and has done nothing, for
// anything else, also if the piece would be nowhere.
func (p *piece) placeUnturned(s Shape, t *geom.Transform) bool {
	if q := t.Rotation; !turnsNothing(q) || !finite(q.W) {
		return false
	}
	o, f := t.Position.Wide(), t.Factors()
	switch s := s.(type) {
	case geom.AABB:
		x0, x1 := stretch(o.X, f.X, s.Min.X, s.Max.X)
		y0, y1 := stretch(o.Y, f.Y, s.Min.Y, s.Max.Y)
		z0, z1 := stretch(o.Z, f.Z, s.Min.Z, s.Max.Z)
		// All comparisons are false of a NaN, and the differences of infinity.
		if !(s.Min.X <= s.Max.X && s.Min.Y <= s.Max.Y && s.Min.Z <= s.Max.Z) ||
			!finite(x0) || !finite(x1) || !finite(y0) || !finite(y1) || !finite(z0) || !finite(z1) {
			return false
		}
		p.kind, p.bounds = kindAABB, geom.AABB{Min: geom.Vec3{X: x0, Y: y0, Z: z0}, Max: geom.Vec3{X: x1, Y: y1, Z: z1}}
	case geom.Sphere:
		scale := f.Abs()
		b := geom.Sphere{
			Center: geom.Vec3{
				X: float32(float64(float64(f.X)*float64(s.Center.X)) + o.X),
				Y: float32(float64(float64(f.Y)*float64(s.Center.Y)) + o.Y),
				Z: float32(float64(float64(f.Z)*float64(s.Center.Z)) + o.Z),
			},
			Radius: s.Radius * scale.X,
		}
		if scale.X != scale.Y || scale.Y != scale.Z || b.IsEmpty() || s.IsEmpty() {
			return false
		}
		bounds := b.Bounds()
		if !bounds.Min.IsFinite() || !bounds.Max.IsFinite() {
			return false
		}
		p.kind, p.bounds = kindSphere, bounds
		p.shape.setSphere(b)
	default:
		return false
	}
	return true
}

// stretch returns the ends of what reaches from lo to hi before it is scaled by f and moved by o.
func stretch(o float64, f, lo, hi float32) (float32, float32) {
	a := float32(o + float64(float64(f)*float64(lo)))
	b := float32(o + float64(float64(f)*float64(hi)))
	if f < 0 {
		return b, a
	}
	return a, b
}

func (p *piece) placeAABB(b geom.AABB, f *frame) {
	if b.IsEmpty() || !b.Min.IsFinite() || !b.Max.IsFinite() {
		return
	}
	o, s := f.affine.Origin.Wide(), f.scale
	corner := func(v geom.Vec3) geom.Vec3 {
		return o.Add(geom.DVec3{
			X: float64(float64(s.X) * float64(v.X)), Y: float64(float64(s.Y) * float64(v.Y)), Z: float64(float64(s.Z) * float64(v.Z))}).Narrow()
	}
	a, c := corner(b.Min), corner(b.Max)
	p.kind, p.bounds = kindAABB, geom.AABB{Min: a.Min(c), Max: a.Max(c)}
}

func (p *piece) placeBox(b geom.Box, f *frame) {
	if b.IsEmpty() {
		return
	}
	if f.keepsAngles(b.Rotation) {
		p.kind = kindBox
		b = geom.Box{
			Center:      f.affine.Point(b.Center),
			HalfExtents: b.HalfExtents.MulVec(f.scale.Abs()),
			Rotation:    f.turn(b.Rotation),
		}
		p.shape.setBox(b)
		p.bounds = b.Bounds()
		return
	}
	if p.enter(kindLocalBox, f) {
		own := f.affine.Mul(geom.Transform{Position: b.Center, Rotation: b.Rotation}.Affine())
		p.shape.setBox(b)
		p.bounds = own.Bounds(geom.AABB{Min: b.HalfExtents.Neg(), Max: b.HalfExtents})
	}
}

func (p *piece) placeSphere(s geom.Sphere, f *frame) {
	if s.IsEmpty() {
		return
	}
	if f.even() {
		p.kind = kindSphere
		s = geom.Sphere{Center: f.affine.Point(s.Center), Radius: s.Radius * f.scale.Abs().X}
		p.shape.setSphere(s)
		p.bounds = s.Bounds()
		return
	}
	if p.enter(kindEllipsoid, f) {
		p.shape.setSphere(s)
		c := f.affine.Point(s.Center)
		p.bounds = ellipsoidBounds(c, c, s.Radius, f.affine)
	}
}

func (p *piece) placeCapsule(c geom.Capsule, f *frame) {
	if c.IsEmpty() {
		return
	}
	if f.even() {
		p.kind = kindCapsule
		c = geom.Capsule{A: f.affine.Point(c.A), B: f.affine.Point(c.B), Radius: c.Radius * f.scale.Abs().X}
		p.shape.setCapsule(c)
		p.bounds = c.Bounds()
		return
	}
	if p.enter(kindLocalCapsule, f) {
		p.shape.setCapsule(c)
		p.bounds = ellipsoidBounds(f.affine.Point(c.A), f.affine.Point(c.B), c.Radius, f.affine)
	}
}

// ellipsoidBounds returns a box around the ellipsoids that m makes of a ball, at the world centres
// a and b. Along a world axis an ellipsoid reaches as far as the row of m is long.
func ellipsoidBounds(a, b geom.Vec3, radius float32, m geom.Affine) geom.AABB {
	r := float64(radius)
	reach := geom.Vec3{
		X: float32(r * geom.DVec3{X: float64(m.X.X), Y: float64(m.Y.X), Z: float64(m.Z.X)}.Len()),
		Y: float32(r * geom.DVec3{X: float64(m.X.Y), Y: float64(m.Y.Y), Z: float64(m.Z.Y)}.Len()),
		Z: float32(r * geom.DVec3{X: float64(m.X.Z), Y: float64(m.Y.Z), Z: float64(m.Z.Z)}.Len()),
	}
	return geom.AABB{Min: a.Min(b).Sub(reach), Max: a.Max(b).Add(reach)}
}

func (p *piece) placeHull(h *hull.Hull, f *frame) {
	if h.IsEmpty() || !p.enter(kindHull, f) {
		return
	}
	p.local.hull = h
	var s narrow.Shape
	if s.SetHull(h, f.affine); s.IsEmpty() {
		p.kind = kindNowhere
		return
	}
	p.bounds = boundsOf(&s)
}

// boundsOf returns the smallest box around a convex shape.
func boundsOf(s *narrow.Shape) geom.AABB {
	reach := func(x, y, z float64) float32 { return float32(s.Reach(geom.DVec3{X: x, Y: y, Z: z})) }
	return geom.AABB{
		Min: geom.Vec3{X: -reach(-1, 0, 0), Y: -reach(0, -1, 0), Z: -reach(0, 0, -1)},
		Max: geom.Vec3{X: reach(1, 0, 0), Y: reach(0, 1, 0), Z: reach(0, 0, 1)},
	}
}

func (p *piece) placePlane(pl geom.Plane, f *frame) {
	if pl.IsEmpty() || !p.enter(kindPlane, f) {
		return
	}
	n := pl.Normal.Wide()
	l := p.local
	l.plane = pl
	x, y, z := f.affine.X.Wide(), f.affine.Y.Wide(), f.affine.Z.Wide()
	// The inverse transpose times the determinant has the crossed columns; dividing only by its
	// sign keeps the front in front.
	w := y.Cross(z).Mul(n.X).AddMul(n.Y, z.Cross(x)).AddMul(n.Z, x.Cross(y))
	l.normal = w.Mul(math.Copysign(1, f.affine.Det())).Normalize()
	o := n.Mul(float64(pl.D) / n.Dot(n))
	l.point = f.affine.Origin.Wide().AddMul(o.X, x).AddMul(o.Y, y).AddMul(o.Z, z)
	p.bounds = pl.Bounds()
	if l.normal == (geom.DVec3{}) || !l.point.Narrow().IsFinite() {
		p.kind = kindNowhere
	}
}

func finite(x float32) bool { return x-x == 0 }

package placed

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Place places a shape in the world: one of those that a collider may have, except a compound. It
// reports false, and the subshape is nowhere, if the shape is empty, too flat, an ellipse in a
// planar space, or if a number in it or computed from it is NaN or infinite. The memory that Local
// points to is used again.
func (p *Subshape) Place(s any, f *Frame) bool {
	p.Kind = KindNowhere
	if !f.isFinite() {
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
	case geom.Cone:
		p.placeTaper(KindCone, s, f)
	case geom.TaperedCapsule:
		p.placeTaper(KindTaperedCapsule, geom.Cone(s), f)
	case geom.Plane:
		p.placePlane(s, f)
	case *hull.Hull:
		p.placeHull(s, f)
	case *mesh.Mesh:
		if p.enter(KindMesh, f) {
			p.Local.Mesh = s
			p.Bounds = s.BoundsUnder(f.affine)
		}
	}
	if p.Kind == KindNowhere || p.Kind == KindPlane {
		return p.Kind == KindPlane
	}
	isEllipse := p.Planar && (p.Kind == KindEllipsoid || p.Kind == KindLocalCapsule)
	if isEllipse || p.Bounds.IsEmpty() || !p.Bounds.Min.IsFinite() || !p.Bounds.Max.IsFinite() {
		p.Kind = KindNowhere
		return false
	}
	return true
}

// PlaceAt is Place at a transform.
func (p *Subshape) PlaceAt(s any, t *geom.Transform) bool {
	var f Frame
	f.Set(t)
	return p.Place(s, &f)
}

// Flattest is the least fraction of its volume that a shear may leave of a cube. Less is mostly
// rounding: the determinant of a map that flattens across its axes is not exactly 0.
const Flattest = 1e-4

// enter makes p a subshape that is queried in its own space, if its map has an inverse.
func (p *Subshape) enter(k Kind, f *Frame) bool {
	back, ok := f.affine.Inverse()
	if !ok {
		return false
	}
	volume := 1.0
	if f.sheared {
		x, y, z := f.affine.X.Wide().Len(), f.affine.Y.Wide().Len(), f.affine.Z.Wide().Len()
		if volume = math.Abs(f.affine.Det()) / (x * y * z); !(volume >= Flattest) {
			return false
		}
	}
	l := p.Local
	if l == nil {
		l = new(Local)
		p.Local = l
	}
	if k == KindPlane && l.Planar == nil {
		l.Planar = new(Planar)
	}
	l.To, l.back, l.slack = f.affine, back, float32(RelativeSlack/volume)
	l.same = l.To == geom.AffineIdentity()
	l.strays = f.sheared || k != KindMesh && k != KindPlane && !f.isUniform()
	p.Kind = k
	return true
}

// PlaceSimple does what Place does, in a third of the time, for the most frequent shapes: boxes
// around the position, AABBs, and spheres and capsules that are not rotated. For any other shape,
// and where the subshape would be nowhere, it reports false and does nothing.
func (p *Subshape) PlaceSimple(s any, t *geom.Transform) bool {
	if b, ok := s.(geom.Box); ok {
		return p.placeCentered(&b, t)
	}
	if q := t.Rotation; !IsIdentity(q) || !Finite(q.W) {
		return false
	}
	o, f := t.Position.Wide(), t.Factors()
	scale := f.Abs()
	uniform := scale.X == scale.Y && scale.Y == scale.Z && Finite(scale.X)
	switch s := s.(type) {
	case geom.AABB:
		x0, x1 := stretch(o.X, f.X, s.Min.X, s.Max.X)
		y0, y1 := stretch(o.Y, f.Y, s.Min.Y, s.Max.Y)
		z0, z1 := stretch(o.Z, f.Z, s.Min.Z, s.Max.Z)
		// Every comparison with NaN is false.
		if !(s.Min.X <= s.Max.X && s.Min.Y <= s.Max.Y && s.Min.Z <= s.Max.Z) ||
			!Finite(x0) || !Finite(x1) || !Finite(y0) || !Finite(y1) || !Finite(z0) || !Finite(z1) {
			return false
		}
		p.Kind, p.Bounds = KindAABB, geom.AABB{Min: geom.Vec3{X: x0, Y: y0, Z: z0}, Max: geom.Vec3{X: x1, Y: y1, Z: z1}}
	case geom.Sphere:
		b := geom.Sphere{Center: unturned(o, f, s.Center), Radius: s.Radius * scale.X}
		if !uniform || s.IsEmpty() || b.IsEmpty() {
			return false
		}
		bounds := b.Bounds()
		if !bounds.Min.IsFinite() || !bounds.Max.IsFinite() {
			return false
		}
		p.Kind, p.Bounds = KindSphere, bounds
		p.setSphere(b)
	case geom.Capsule:
		c := geom.Capsule{A: unturned(o, f, s.A), B: unturned(o, f, s.B), Radius: s.Radius * scale.X}
		if !uniform || s.IsEmpty() || c.IsEmpty() {
			return false
		}
		bounds := c.Bounds()
		if !bounds.Min.IsFinite() || !bounds.Max.IsFinite() {
			return false
		}
		p.Kind, p.Bounds = KindCapsule, bounds
		p.setCapsule(c)
	default:
		return false
	}
	return true
}

// placeCentered is PlaceSimple of a box.
func (p *Subshape) placeCentered(b *geom.Box, t *geom.Transform) bool {
	f := t.Factors()
	// With a greater scale the map might overflow, and the box would be nowhere.
	if b.Center != (geom.Vec3{}) || !IsIdentity(b.Rotation) || !Finite(b.Rotation.W) || !(Largest(f) < 1e30) {
		return false
	}
	world := geom.Box{Center: t.Position, HalfExtents: b.HalfExtents.MulVec(f.Abs()), Rotation: t.Rotation}
	bounds := world.Bounds()
	if !bounds.Min.IsFinite() || !bounds.Max.IsFinite() { // as those of an empty box are
		return false
	}
	p.Kind, p.Bounds = KindBox, bounds
	p.setBox(world)
	return true
}

// unturned returns a point that is scaled by f and moved by o, as geom.Affine.Point does.
func unturned(o geom.DVec3, f, p geom.Vec3) geom.Vec3 {
	return geom.Vec3{
		X: float32(float64(float64(f.X)*float64(p.X)) + 0 + o.X),
		Y: float32(float64(float64(f.Y)*float64(p.Y)) + 0 + o.Y),
		Z: float32(float64(float64(f.Z)*float64(p.Z)) + 0 + o.Z),
	}
}

// stretch returns the ends of an interval from lo to hi, scaled by f and moved by o.
func stretch(o float64, f, lo, hi float32) (float32, float32) {
	a := float32(o + float64(float64(f)*float64(lo)))
	b := float32(o + float64(float64(f)*float64(hi)))
	if f < 0 {
		return b, a
	}
	return a, b
}

func (p *Subshape) placeAABB(b geom.AABB, f *Frame) {
	if b.IsEmpty() || !b.Min.IsFinite() || !b.Max.IsFinite() {
		return
	}
	o, s := f.affine.Origin.Wide(), f.scale
	corner := func(v geom.Vec3) geom.Vec3 {
		return o.Add(geom.DVec3{
			X: float64(float64(s.X) * float64(v.X)), Y: float64(float64(s.Y) * float64(v.Y)), Z: float64(float64(s.Z) * float64(v.Z))}).Narrow()
	}
	a, c := corner(b.Min), corner(b.Max)
	p.Kind, p.Bounds = KindAABB, geom.AABB{Min: a.Min(c), Max: a.Max(c)}
}

func (p *Subshape) placeBox(b geom.Box, f *Frame) {
	if b.IsEmpty() {
		return
	}
	if f.keepsAngles(b.Rotation) {
		p.Kind = KindBox
		b = geom.Box{
			Center:      f.affine.Point(b.Center),
			HalfExtents: b.HalfExtents.MulVec(f.scale.Abs()),
			Rotation:    f.turn(b.Rotation),
		}
		p.setBox(b)
		p.Bounds = b.Bounds()
		return
	}
	if p.enter(KindLocalBox, f) {
		own := f.affine.Mul(geom.Transform{Position: b.Center, Rotation: b.Rotation}.Affine())
		p.setBox(b)
		p.Bounds = own.Bounds(geom.AABB{Min: b.HalfExtents.Neg(), Max: b.HalfExtents})
	}
}

func (p *Subshape) placeSphere(s geom.Sphere, f *Frame) {
	if s.IsEmpty() {
		return
	}
	if f.isUniform() {
		p.Kind = KindSphere
		s = geom.Sphere{Center: f.affine.Point(s.Center), Radius: s.Radius * f.scale.Abs().X}
		p.setSphere(s)
		p.Bounds = s.Bounds()
		return
	}
	if p.enter(KindEllipsoid, f) {
		p.setSphere(s)
		c := f.affine.Point(s.Center)
		p.Bounds = ellipsoidBounds(c, c, s.Radius, f.affine)
	}
}

func (p *Subshape) placeCapsule(c geom.Capsule, f *Frame) {
	if c.IsEmpty() {
		return
	}
	if f.isUniform() {
		p.Kind = KindCapsule
		c = geom.Capsule{A: f.affine.Point(c.A), B: f.affine.Point(c.B), Radius: c.Radius * f.scale.Abs().X}
		p.setCapsule(c)
		p.Bounds = c.Bounds()
		return
	}
	if p.enter(KindLocalCapsule, f) {
		p.setCapsule(c)
		p.Bounds = ellipsoidBounds(f.affine.Point(c.A), f.affine.Point(c.B), c.Radius, f.affine)
	}
}

// placeTaper places a cone, or a tapered capsule with the same numbers. As a hull, it is queried in
// its own space, so that its caps stay across its axis far from the origin.
func (p *Subshape) placeTaper(k Kind, c geom.Cone, f *Frame) {
	if !p.enter(k, f) {
		return
	}
	p.setTaper(c.A, c.B, c.RadiusA, c.RadiusB)
	var s narrow.Shape
	if p.SetPart(&s, Whole); s.IsEmpty() {
		p.Kind = KindNowhere
		return
	}
	p.Bounds = boundsOf(&s)
}

// ellipsoidBounds returns a box around the images of a sphere under m, with the world centres a and
// b. The extent of an ellipsoid along a world axis is the length of that row of m.
func ellipsoidBounds(a, b geom.Vec3, radius float32, m geom.Affine) geom.AABB {
	r := float64(radius)
	reach := geom.Vec3{
		X: float32(r * geom.DVec3{X: float64(m.X.X), Y: float64(m.Y.X), Z: float64(m.Z.X)}.Len()),
		Y: float32(r * geom.DVec3{X: float64(m.X.Y), Y: float64(m.Y.Y), Z: float64(m.Z.Y)}.Len()),
		Z: float32(r * geom.DVec3{X: float64(m.X.Z), Y: float64(m.Y.Z), Z: float64(m.Z.Z)}.Len()),
	}
	return geom.AABB{Min: a.Min(b).Sub(reach), Max: a.Max(b).Add(reach)}
}

func (p *Subshape) placeHull(h *hull.Hull, f *Frame) {
	if h.IsEmpty() || !p.enter(KindHull, f) {
		return
	}
	p.Local.Hull = h
	var s narrow.Shape
	if s.SetHull(h, f.affine); s.IsEmpty() {
		p.Kind = KindNowhere
		return
	}
	p.Bounds = boundsOf(&s)
}

// boundsOf returns the smallest box around a convex shape.
func boundsOf(s *narrow.Shape) geom.AABB {
	lo, hi := s.Extent()
	return geom.AABB{Min: lo.Narrow(), Max: hi.Narrow()}
}

func (p *Subshape) placePlane(pl geom.Plane, f *Frame) {
	if pl.IsEmpty() || !p.enter(KindPlane, f) {
		return
	}
	n := pl.Normal.Wide()
	l := p.Local
	l.plane = pl
	x, y, z := f.affine.X.Wide(), f.affine.Y.Wide(), f.affine.Z.Wide()
	// The inverse transpose times the determinant has the cross products of the columns; dividing
	// by the determinant's sign alone keeps the front in front.
	w := y.Cross(z).Mul(n.X).AddMul(n.Y, z.Cross(x)).AddMul(n.Z, x.Cross(y))
	l.Normal = w.Mul(math.Copysign(1, f.affine.Det())).Normalize()
	o := n.Mul(float64(pl.D) / n.Dot(n))
	l.Point = f.affine.Origin.Wide().AddMul(o.X, x).AddMul(o.Y, y).AddMul(o.Z, z)
	p.Bounds = pl.Bounds()
	if l.Normal == (geom.DVec3{}) || !l.Point.Narrow().IsFinite() {
		p.Kind = KindNowhere
	}
}

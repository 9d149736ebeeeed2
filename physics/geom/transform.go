package geom

import (
	"cmp"
	"math"
)

// Transform is the placement of an object in its parent's space: scale about the object's origin,
// then rotation, then translation.
//
// The zero Transform is the identity: a zero Rotation is no rotation, and a factor of 0 in Scale is
// a factor of 1. So Scale.X = 2 on a Transform without a scale is (2, 1, 1), and no scale flattens
// an object: give a box half extents of 0 instead. The scale may be non-uniform, and negative,
// which mirrors. [Transform.Factors] returns it without zeros.
//
// Two Transforms can be the same placement with different fields: a scale of 0 and of 1, and a
// rotation q and −q.
type Transform struct {
	Position Vec3 // metres, in the parent's space
	Rotation Quat // zero: none
	Scale    Vec3 // factors along the object's own axes; 0: 1
}

// At returns the transform that translates by (x, y, z) metres.
func At(x, y, z float32) Transform { return Transform{Position: Vec3{x, y, z}} }

// At2D returns the transform of a 2D game: rotation by an angle in the XY plane, in radians,
// counter-clockwise from the X axis as in [RayAtAngle], then translation to (x, y) in the plane
// Z = 0.
func At2D(x, y float32, radians float64) Transform {
	return Transform{Position: Vec3{X: x, Y: y}, Rotation: QuatAxisAngle(Vec3{Z: 1}, radians)}
}

// Angle2D returns the angle of a rotation in the XY plane, in radians from −π to π: of the
// transform of [At2D] the angle given there, less whole turns. Of another rotation it is what
// [Transform.Flat] leaves of it. It is NaN if the rotation is.
func (t Transform) Angle2D() float64 {
	z, w := float64(t.Rotation.Z), float64(t.Rotation.W)
	// The angle is 2·atan2(z, w), plus whole turns. Written by the sine and cosine of the doubled
	// angle, it is the same for q and −q.
	return math.Atan2(2*z*w, float64(w*w)-float64(z*z))
}

// Flat returns the transform laid into the plane Z = 0: of the rotation what turns about Z, and of
// the scale X and Y; that along Z is the one along X. A rotation by half a turn about another axis
// is none. Numbers that are NaN or infinite make the result NaN.
func (t Transform) Flat() Transform {
	if t.Position.Z *= 0; t.Position.Z == 0 {
		t.Position.Z = 0 // and not −0
	}
	if q := &t.Rotation; q.X != 0 || q.Y != 0 {
		if q.X, q.Y = float32(q.X*0), float32(q.Y*0); q.IsFinite() {
			*q = q.Normalize()
		}
	}
	if f := t.Factors(); f.Z != f.X {
		t.Scale.Z = f.X
	}
	return t
}

// Factors returns the scale with 1 for each component that is 0.
func (t Transform) Factors() Vec3 {
	s := t.Scale
	if s.X == 0 {
		s.X = 1
	}
	if s.Y == 0 {
		s.Y = 1
	}
	if s.Z == 0 {
		s.Z = 1
	}
	return s
}

// IsFinite reports whether no number in t is NaN or infinite.
func (t Transform) IsFinite() bool {
	return t.Position.IsFinite() && t.Rotation.IsFinite() && t.Scale.IsFinite()
}

// Affine returns the transform as a matrix.
func (t Transform) Affine() Affine {
	s := t.Factors().wide()
	x, y, z := t.Rotation.columns()
	return Affine{
		X: x.Mul(s.X).Narrow(), Y: y.Mul(s.Y).Narrow(), Z: z.Mul(s.Z).Narrow(),
		Origin: t.Position,
	}
}

// Point maps the point p from the object's own space to its parent's space. For many points, use
// [Transform.Affine] once.
func (t Transform) Point(p Vec3) Vec3 { return t.Affine().Point(p) }

// Mul returns the placement of a child in t's parent's space, where n places the child in t: n,
// then t.
//
// It is the product of their matrices up to rounding, except where t has a non-uniform scale and n
// a rotation. Such a child is sheared, which a Transform cannot hold: the result has the position
// of the product, and keeps its right angles; rotations are composed and scales multiplied.
// [Affine.Mul] has the shear.
func (t Transform) Mul(n Transform) Transform {
	m := Transform{Position: t.Point(n.Position), Rotation: t.Rotation, Scale: scaled(t.Scale, n.Scale)}
	if n.Rotation.turns() { // one rotation alone is not rounded
		if m.Rotation = n.Rotation.Mirrored(t.Scale); t.Rotation.turns() {
			m.Rotation = t.Rotation.Mul(m.Rotation)
		}
	}
	return m
}

// Scaled returns t with its scale multiplied by a factor for each of the object's own axes. A
// factor of 0 is a factor of 1, as in Scale.
func (t Transform) Scaled(by Vec3) Transform {
	t.Scale = scaled(t.Scale, by)
	return t
}

// scaled returns the product of two scales; zero if both are.
func scaled(a, b Vec3) Vec3 {
	if a == (Vec3{}) || b == (Vec3{}) {
		return a.Add(b)
	}
	return factors(Transform{Scale: a}.Factors().MulVec(Transform{Scale: b}.Factors()))
}

// factors returns a scale without zeros, which would mean 1.
func factors(s Vec3) Vec3 {
	const least = math.SmallestNonzeroFloat32
	return Vec3{cmp.Or(s.X, least), cmp.Or(s.Y, least), cmp.Or(s.Z, least)}
}

// Inverse returns the transform that maps back: the placement of t's parent in the space of t. It
// is the inverse of the matrix up to rounding.
//
// ok is false, and the result the identity, if a number in t or in the inverse is not finite, or if
// no Transform is the inverse: where t turns axes of different scale into each other, the way back
// rotates first and scales then, which shears. Rotations about Y of an object with the scale
// (2, 1, 2), and by right angles, do not. The inverse of t.Affine() has no such limit, and
// physecs.LocalOf places an object relative to any parent.
func (t Transform) Inverse() (inverse Transform, ok bool) {
	s, k := t.Factors(), t.Factors().Abs()
	x, y, z := t.Rotation.columns()
	ok = t.IsFinite()
	// The inverse of the matrix is S⁻¹·R⁻¹, which scales an axis of the parent by the inverse scale
	// of t's axes that have a part along it.
	along := func(x, y, z float64, sign float32) float32 {
		least, greatest := float32(math.Inf(1)), float32(0)
		for _, of := range [...]struct {
			part  float64
			scale float32
		}{{x, k.X}, {y, k.Y}, {z, k.Z}} {
			if of.part != 0 {
				least, greatest = min(least, of.scale), max(greatest, of.scale)
			}
		}
		ok = ok && least == greatest
		return float32(math.Copysign(1/float64(least), float64(sign)))
	}
	inverse.Scale = Vec3{along(x.X, y.X, z.X, s.X), along(x.Y, y.Y, z.Y, s.Y), along(x.Z, y.Z, z.Z, s.Z)}
	inverse.Rotation = t.Rotation.Inverse().Mirrored(s)
	p, f := t.Position.wide().Neg(), s.wide()
	inverse.Position = DVec3{x.Dot(p) / f.X, y.Dot(p) / f.Y, z.Dot(p) / f.Z}.Narrow()
	if !ok || !inverse.IsFinite() {
		return Transform{}, false
	}
	return inverse, true
}

// Lerp returns the transform at a share of the way to another: exactly t at 0 and below, and
// exactly to at 1 and above. Position and scale change linearly. The rotation takes the shorter
// way, along the chord of the arc (Shoemake 1985, and Blow 2004, "Understanding slerp, then not
// using it"): of a turn by 90° it is nowhere more than 0.92° from where it would be at constant
// speed, of one by 30° 0.034°.
func (t Transform) Lerp(to Transform, share float32) Transform {
	switch {
	case !(share > 0):
		return t
	case share >= 1:
		return to
	}
	h := float64(share)
	mix := func(a, b Vec3) Vec3 { return a.wide().AddMul(h, b.wide().Sub(a.wide())).Narrow() }
	m := t
	m.Position = mix(t.Position, to.Position)
	if t.Scale != to.Scale {
		m.Scale = factors(mix(t.Factors(), to.Factors()))
	}
	if t.Rotation != to.Rotation {
		p, q := t.Rotation.unit(), to.Rotation.unit()
		if float64(p.x*q.x)+float64(p.y*q.y)+float64(p.z*q.z)+float64(p.w*q.w) < 0 {
			p = dquat{-p.x, -p.y, -p.z, -p.w}
		}
		m.Rotation = dquat{
			p.x + float64(h*(q.x-p.x)), p.y + float64(h*(q.y-p.y)), p.z + float64(h*(q.z-p.z)), p.w + float64(h*(q.w-p.w)),
		}.narrow().Normalize()
	}
	return m
}

// Affine is an affine map: it maps the point p to X·p.X + Y·p.Y + Z·p.Z + Origin. Unlike a
// [Transform] it can hold a shear, which arises where a rotated object has a parent with a
// non-uniform scale.
type Affine struct {
	X, Y, Z Vec3 // the images of the three axes
	Origin  Vec3 // the image of the origin
}

// AffineIdentity returns the map that maps every point to itself.
func AffineIdentity() Affine {
	return Affine{X: Vec3{X: 1}, Y: Vec3{Y: 1}, Z: Vec3{Z: 1}}
}

// Point returns the image of a point.
func (m Affine) Point(p Vec3) Vec3 { return m.vector(p.wide()).Add(m.Origin.wide()).Narrow() }

// Vector returns the image of a difference of points, such as a direction: the translation does not
// apply, the scale does.
func (m Affine) Vector(v Vec3) Vec3 { return m.vector(v.wide()).Narrow() }

func (m Affine) vector(v DVec3) DVec3 {
	return m.X.wide().Mul(v.X).AddMul(v.Y, m.Y.wide()).AddMul(v.Z, m.Z.wide())
}

// Mul returns the map that applies n, then m: the map of a child n of the parent m.
func (m Affine) Mul(n Affine) Affine {
	return Affine{X: m.Vector(n.X), Y: m.Vector(n.Y), Z: m.Vector(n.Z), Origin: m.Point(n.Origin)}
}

// IsFinite reports whether no number in m is NaN or infinite.
func (m Affine) IsFinite() bool {
	return m.X.IsFinite() && m.Y.IsFinite() && m.Z.IsFinite() && m.Origin.IsFinite()
}

// Det returns the factor by which m scales volumes; negative if m mirrors.
func (m Affine) Det() float64 { return m.X.wide().Dot(m.Y.wide().Cross(m.Z.wide())) }

// Inverse returns the inverse of m, and false if there is none: m flattens space to a plane, a line
// or a point, or holds a NaN or an infinity.
func (m Affine) Inverse() (InverseAffine, bool) {
	if !m.IsFinite() {
		return InverseAffine{}, false
	}
	x, y, z := m.X.wide(), m.Y.wide(), m.Z.wide()
	yz, zx, xy := y.Cross(z), z.Cross(x), x.Cross(y)
	det := x.Dot(yz)
	d := 1 / det
	if det == 0 || math.IsInf(d, 0) || math.IsNaN(d) {
		return InverseAffine{}, false
	}
	return InverseAffine{x: yz.Mul(d), y: zx.Mul(d), z: xy.Mul(d), origin: m.Origin.wide()}, true
}

// Bounds returns the smallest axis-aligned box around the image of a box (Arvo 1990, "Transforming
// axis-aligned bounding boxes", Graphics Gems), rounded outward. It contains the image by
// [Affine.Point] of every point of the box. The image of an empty box is empty, and that of a box
// with any infinite side is the unbounded box.
func (m Affine) Bounds(b AABB) AABB {
	if b.IsEmpty() {
		return b
	}
	if !b.Min.IsFinite() || !b.Max.IsFinite() {
		return everywhere()
	}
	// The sums are in the order of Point: rounding is monotonic, so no image of a point of the box
	// is outside.
	xLo, xHi := stretch(m.X, b.Min.X, b.Max.X)
	yLo, yHi := stretch(m.Y, b.Min.Y, b.Max.Y)
	zLo, zHi := stretch(m.Z, b.Min.Z, b.Max.Z)
	o := m.Origin.wide()
	return AABB{Min: xLo.Add(yLo).Add(zLo).Add(o).down(), Max: xHi.Add(yHi).Add(zHi).Add(o).up()}
}

// stretch returns the least and the greatest components of axis·s for lo ≤ s ≤ hi.
func stretch(axis Vec3, lo, hi float32) (least, greatest DVec3) {
	a, b := axis.wide().Mul(float64(lo)), axis.wide().Mul(float64(hi))
	return DVec3{min(a.X, b.X), min(a.Y, b.Y), min(a.Z, b.Z)}, DVec3{max(a.X, b.X), max(a.Y, b.Y), max(a.Z, b.Z)}
}

// InverseAffine maps points, vectors and rays back through an [Affine]; [Affine.Inverse] returns
// one. It subtracts the origin and then multiplies, in double precision: the other order has errors
// of millimetres a few kilometres from the origin.
type InverseAffine struct {
	x, y, z DVec3 // the rows of the inverse matrix, which are the columns of the inverse transpose
	origin  DVec3
}

// Point maps a point back.
func (m InverseAffine) Point(p Vec3) Vec3 { return m.rows(p.wide().Sub(m.origin)).Narrow() }

// Vector maps a difference of points back.
func (m InverseAffine) Vector(v Vec3) Vec3 { return m.rows(v.wide()).Narrow() }

func (m InverseAffine) rows(v DVec3) DVec3 { return DVec3{m.x.Dot(v), m.y.Dot(v), m.z.Dot(v)} }

// Ray maps a ray back. T is unchanged: the same T is the same point in both spaces.
func (m *InverseAffine) Ray(r Ray) Ray {
	// The same as Point and Vector, which would copy m.
	o, d := r.Origin.wide().Sub(m.origin), r.Dir.wide()
	r.Origin = DVec3{m.x.Dot(o), m.y.Dot(o), m.z.Dot(o)}.Narrow()
	r.Dir = DVec3{m.x.Dot(d), m.y.Dot(d), m.z.Dot(d)}.Narrow()
	return r
}

// Normal maps a normal forward, in the direction of the [Affine], by the inverse transpose, and
// returns it as a unit vector. The outside of a surface stays its outside under a map that mirrors.
func (m InverseAffine) Normal(n Vec3) Vec3 {
	w := n.wide()
	return m.x.Mul(w.X).AddMul(w.Y, m.y).AddMul(w.Z, m.z).Normalize().Narrow()
}

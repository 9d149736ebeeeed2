package geom

import "math"

// Transform places a thing in its parent's space: it is scaled about its own origin, then turned,
// then moved.
//
// The zero Transform changes nothing: a zero Rotation turns nothing, and a Scale of (0, 0, 0) means
// (1, 1, 1). A scale may differ from axis to axis and may be negative, which mirrors. A scale that
// is zero along one or two axes flattens: see [Affine.Inverse] for what can still be asked of it.
type Transform struct {
	Position Vec3 // metres, in the parent's space
	Rotation Quat // zero: none
	Scale    Vec3 // factors along the thing's own axes; (0, 0, 0): none
}

// At returns the transform that only moves.
func At(x, y, z float32) Transform { return Transform{Position: Vec3{x, y, z}} }

// At2D returns the transform of 2D games: it turns by an angle in the XY plane, in radians,
// counter-clockwise from the X axis as [RayAtAngle] counts it, and then moves to (x, y) in the
// plane Z = 0.
func At2D(x, y float32, radians float64) Transform {
	return Transform{Position: Vec3{X: x, Y: y}, Rotation: QuatAxisAngle(Vec3{Z: 1}, radians)}
}

// Factors returns the scale with the zero value resolved to (1, 1, 1).
func (t Transform) Factors() Vec3 {
	if t.Scale == (Vec3{}) {
		return Vec3{1, 1, 1}
	}
	return t.Scale
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

// Point returns the point p, given in the thing's own space, in its parent's space.
func (t Transform) Point(p Vec3) Vec3 { return t.Affine().Point(p) }

// Affine is an affine map: the point p goes to X·p.X + Y·p.Y + Z·p.Z + Origin. Unlike a [Transform]
// it can hold a shear, which arises where a turned thing sits in a parent that is scaled unevenly.
type Affine struct {
	X, Y, Z Vec3 // the images of the three axes
	Origin  Vec3 // the image of the origin
}

// AffineIdentity returns the map that changes nothing.
func AffineIdentity() Affine {
	return Affine{X: Vec3{X: 1}, Y: Vec3{Y: 1}, Z: Vec3{Z: 1}}
}

// Point returns the image of a point.
func (m Affine) Point(p Vec3) Vec3 { return m.vector(p.wide()).Add(m.Origin.wide()).Narrow() }

// Vector returns the image of a difference of points, such as a direction; its length is scaled
// along.
func (m Affine) Vector(v Vec3) Vec3 { return m.vector(v.wide()).Narrow() }

func (m Affine) vector(v DVec3) DVec3 {
	return m.X.wide().Mul(v.X).AddMul(v.Y, m.Y.wide()).AddMul(v.Z, m.Z.wide())
}

// Mul returns the map that applies n first and m then: a child's map n in its parent m.
func (m Affine) Mul(n Affine) Affine {
	return Affine{X: m.Vector(n.X), Y: m.Vector(n.Y), Z: m.Vector(n.Z), Origin: m.Point(n.Origin)}
}

// IsFinite reports whether no number in m is NaN or infinite.
func (m Affine) IsFinite() bool {
	return m.X.IsFinite() && m.Y.IsFinite() && m.Z.IsFinite() && m.Origin.IsFinite()
}

// Det returns the factor by which m scales volumes; negative if m mirrors.
func (m Affine) Det() float64 { return m.X.wide().Dot(m.Y.wide().Cross(m.Z.wide())) }

// Inverse returns the map prepared for going back, and false if there is no way back: m flattens
// space to a plane, a line or a point, or holds a NaN or an infinity.
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
// [Affine.Point] of every point of the box. An empty box stays empty; one that has no end somewhere
// is taken to have none anywhere.
func (m Affine) Bounds(b AABB) AABB {
	if b.IsEmpty() {
		return b
	}
	if !b.Min.IsFinite() || !b.Max.IsFinite() {
		return everywhere()
	}
	// Added up in the order of Point, so that rounding, which never changes an order, cannot put a
	// point outside.
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

// InverseAffine takes points, vectors and rays back through an [Affine]. It subtracts the origin
// first and multiplies then, in double precision: the other order loses millimetres a few
// kilometres from the origin.
type InverseAffine struct {
	x, y, z DVec3 // the rows of the inverse matrix, which are the columns of the inverse transpose
	origin  DVec3
}

// Point takes a point back.
func (m InverseAffine) Point(p Vec3) Vec3 { return m.rows(p.wide().Sub(m.origin)).Narrow() }

// Vector takes a difference of points back.
func (m InverseAffine) Vector(v Vec3) Vec3 { return m.rows(v.wide()).Narrow() }

func (m InverseAffine) rows(v DVec3) DVec3 { return DVec3{m.x.Dot(v), m.y.Dot(v), m.z.Dot(v)} }

// Ray takes a ray back. T stays what it is: the same T names the same point in both spaces.
func (m *InverseAffine) Ray(r Ray) Ray {
	// As by Point and Vector, which would copy m.
	o, d := r.Origin.wide().Sub(m.origin), r.Dir.wide()
	r.Origin = DVec3{m.x.Dot(o), m.y.Dot(o), m.z.Dot(o)}.Narrow()
	r.Dir = DVec3{m.x.Dot(d), m.y.Dot(d), m.z.Dot(d)}.Narrow()
	return r
}

// Normal takes a normal forth, from the space before the map to the one behind it, by the inverse
// transpose, and makes it unit. A surface's outside stays its outside under a map that mirrors.
func (m InverseAffine) Normal(n Vec3) Vec3 {
	w := n.wide()
	return m.x.Mul(w.X).AddMul(w.Y, m.y).AddMul(w.Z, m.z).Normalize().Narrow()
}

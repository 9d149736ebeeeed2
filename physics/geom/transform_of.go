package geom

import "math"

// maxShear is the greatest cosine between two axes that [TransformOf] takes for a right angle.
// Matrices that engines compute in single precision are off by a few times 1e-7 for each product.
// A larger one would lose shears that are seen: at 1 m an axis is 0.01 mm off.
const maxShear = 1e-5

// TransformOf returns the transform whose matrix is m, up to rounding: of the matrix of an object
// in an engine, which [Mat4Of] and [Mat4.Affine] read. A map that mirrors has one negative scale,
// on the axis with which the rotation is smallest. A transform with two negative scales has the
// same matrix as one that is turned by half a turn, which is returned.
//
// ok is false, and the result the identity, if no Transform has this matrix: its axes are not at
// right angles, within 1e-5 of a radian; it flattens space to a plane, a line or a point; or it
// holds a NaN or an infinity.
func TransformOf(m Affine) (t Transform, ok bool) {
	axes := [3]DVec3{m.X.wide(), m.Y.wide(), m.Z.wide()}
	var scale [3]float64
	for i, a := range axes {
		scale[i] = a.Len()
		axes[i] = a.Mul(1 / scale[i])
	}
	x, y, z := axes[0], axes[1], axes[2]
	// Written so that NaN fails: of a NaN, an infinity, and an axis of length 0.
	if !(math.Abs(x.Dot(y)) <= maxShear && math.Abs(y.Dot(z)) <= maxShear && math.Abs(z.Dot(x)) <= maxShear) {
		return Transform{}, false
	}
	if x.Dot(y.Cross(z)) < 0 {
		// The cosine of the angle of the rotation is half its trace less a half, and to negate an
		// axis changes the trace by twice the axis's element on the diagonal.
		diagonal, least := [3]float64{x.X, y.Y, z.Z}, 0
		for i, d := range diagonal {
			if d < diagonal[least] {
				least = i
			}
		}
		scale[least], axes[least] = -scale[least], axes[least].Neg()
	}
	t = Transform{
		Position: m.Origin,
		Rotation: quatOfColumns(axes[0], axes[1], axes[2]).Normalize(),
		Scale:    DVec3{scale[0], scale[1], scale[2]}.Narrow(),
	}
	if s := t.Scale; s.X == 0 || s.Y == 0 || s.Z == 0 || !t.IsFinite() {
		return Transform{}, false
	}
	return t, true
}

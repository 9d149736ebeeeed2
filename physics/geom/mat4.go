package geom

import "math"

// Mat4 is a 4×4 matrix in double precision, in column-major order as in OpenGL: element (row,
// column) is at 4·column + row, and vectors are columns.
//
// It is in double precision because the product of a view and a projection in single precision
// picks the wrong object a few kilometres from the origin. [Mat4.Float32] rounds it for a shader.
type Mat4 [16]float64

// Mat4Identity returns the identity matrix.
func Mat4Identity() Mat4 { return Mat4{0: 1, 5: 1, 10: 1, 15: 1} }

// Mat4Of returns the matrix with the elements of a, in column-major order: of an mgl32.Mat4 or
// mgl64.Mat4, a math32.Matrix4 of g3n, or rl.MatrixToFloatV of raylib. Of a row-major matrix it is
// the transpose.
func Mat4Of[A ~[16]E, E ~float32 | ~float64](a A) Mat4 {
	var m Mat4
	for i, x := range a {
		m[i] = float64(x)
	}
	return m
}

// Affine returns the affine map with the elements of m, rounded to single precision. ok is false,
// and the result zero, if m has a perspective part, which is a last row other than (0, 0, 0, 1), or
// holds a number that is NaN or infinite in single precision.
func (m Mat4) Affine() (a Affine, ok bool) {
	column := func(i int) Vec3 { return DVec3{m[i], m[i+1], m[i+2]}.Narrow() }
	a = Affine{X: column(0), Y: column(4), Z: column(8), Origin: column(12)}
	if m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1 || !a.IsFinite() {
		return Affine{}, false
	}
	return a, true
}

// Mat4 returns the affine map as a matrix.
func (m Affine) Mat4() Mat4 {
	x, y, z, o := m.X.wide(), m.Y.wide(), m.Z.wide(), m.Origin.wide()
	return Mat4{x.X, x.Y, x.Z, 0, y.X, y.Y, y.Z, 0, z.X, z.Y, z.Z, 0, o.X, o.Y, o.Z, 1}
}

// Mul returns the matrix that applies n, then m.
func (m Mat4) Mul(n Mat4) Mat4 {
	var p Mat4
	for col := 0; col < 4; col++ {
		for row := 0; row < 4; row++ {
			p[4*col+row] = float64(m[row]*n[4*col]) + float64(m[4+row]*n[4*col+1]) +
				float64(m[8+row]*n[4*col+2]) + float64(m[12+row]*n[4*col+3])
		}
	}
	return p
}

// Apply returns m times the column (v, w), as a vector and its w. It does not divide by w.
func (m Mat4) Apply(v DVec3, w float64) (DVec3, float64) {
	row := func(i int) float64 {
		return float64(m[i]*v.X) + float64(m[4+i]*v.Y) + float64(m[8+i]*v.Z) + float64(m[12+i]*w)
	}
	return DVec3{row(0), row(1), row(2)}, row(3)
}

// Float32 returns m rounded to single precision, for glUniformMatrix4fv.
func (m Mat4) Float32() [16]float32 {
	var f [16]float32
	for i, x := range m {
		f[i] = float32(x)
	}
	return f
}

// Inverse returns the inverse of m, and false if m has none or holds a NaN or an infinity.
// Gauss–Jordan elimination with partial pivoting.
func (m Mat4) Inverse() (Mat4, bool) {
	if !m.isFinite() {
		return Mat4{}, false
	}
	a, inv := m, Mat4Identity()
	for col := 0; col < 4; col++ {
		pivot := col
		for row := col + 1; row < 4; row++ {
			if math.Abs(a[4*col+row]) > math.Abs(a[4*col+pivot]) {
				pivot = row
			}
		}
		for k := 0; k < 4; k++ {
			a[4*k+col], a[4*k+pivot] = a[4*k+pivot], a[4*k+col]
			inv[4*k+col], inv[4*k+pivot] = inv[4*k+pivot], inv[4*k+col]
		}
		d := a[4*col+col]
		if d == 0 {
			return Mat4{}, false
		}
		for k := 0; k < 4; k++ {
			a[4*k+col] /= d
			inv[4*k+col] /= d
		}
		for row := 0; row < 4; row++ {
			f := a[4*col+row]
			if row == col || f == 0 {
				continue
			}
			for k := 0; k < 4; k++ {
				a[4*k+row] -= float64(f * a[4*k+col])
				inv[4*k+row] -= float64(f * inv[4*k+col])
			}
		}
	}
	if !inv.isFinite() {
		return Mat4{}, false
	}
	return inv, true
}

func (m *Mat4) isFinite() bool {
	for _, x := range m {
		if x-x != 0 { // NaN for NaN and for infinities
			return false
		}
	}
	return true
}

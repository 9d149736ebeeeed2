package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMat4(t *testing.T) {
	m := Transform{V(1, 2, 3), QuatAxisAngle(V(0, 0, 1), math.Pi/2), V(2, 2, 2)}.Affine().Mat4()
	p, w := m.Apply(DVec3{1, 0, 0}, 1)
	assert.Equal(t, DVec3{1, 4, 3}, p)
	assert.Equal(t, 1., w)
	p, w = m.Apply(DVec3{1, 0, 0}, 0)
	assert.Equal(t, DVec3{0, 2, 0}, p, "a direction is not moved")
	assert.Equal(t, 0., w)
	assert.Equal(t, m, m.Mul(Mat4Identity()))
	assert.Equal(t, m, Mat4Identity().Mul(m))
	assert.Equal(t, [16]float32{0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1}, m.Float32(), "column-major: the last column moves")
}

func TestMat4InverseOfSingular(t *testing.T) {
	flat := Mat4Identity()
	flat[5] = 0
	for name, m := range map[string]Mat4{"zero": {}, "flat": flat, "out of reach": {0: 5e-324, 5: 1, 10: 1, 15: 1}, "NaN": {0: math.NaN(), 5: 1, 10: 1, 15: 1}, "infinite": {0: math.Inf(1), 5: 1, 10: 1, 15: 1}} {
		_, ok := m.Inverse()
		assert.False(t, ok, name)
	}
}

func TestMat4Properties(t *testing.T) {
	entry := rapid.Float64Range(-4, 4)
	rapid.Check(t, func(t *rapid.T) {
		var a, b Mat4
		for i := range a {
			a[i], b[i] = entry.Draw(t, "a"), entry.Draw(t, "b")
		}
		v, w := point(8).Draw(t, "v").Wide(), entry.Draw(t, "w")
		p, pw := a.Apply(b.Apply(v, w))
		q, qw := a.Mul(b).Apply(v, w)
		// Eight roundings on each side (a sum of four products in a sum of four) of sums of
		// absolute values up to 4·4·(4·(3·8+4)).
		const rounding = 16 * 0x1p-53 * 4 * 4 * 4 * (3*8 + 4)
		require.InDelta(t, 0, p.Sub(q).Len(), math.Sqrt(3)*rounding)
		require.InDelta(t, pw, qw, rounding)

		// Entries on the diagonal of 16 or more against 12 beside them: the inverse has a norm of
		// 1/4 at most, the matrix of 36, and elimination lets no entry grow by more than 2. Four
		// steps of two roundings, of entries up to 2·36, are enlarged by the inverse on both sides;
		// then four products are added.
		for i := range 4 {
			a[5*i] += 20
		}
		const residual = 0x1p-53 * (4*2*2*36*36/16*4 + 4*2*36/4)
		inv, ok := a.Inverse()
		require.True(t, ok)
		for i, x := range a.Mul(inv) {
			require.InDelta(t, Mat4Identity()[i], x, residual)
		}
		for i, x := range inv.Mul(a) {
			require.InDelta(t, Mat4Identity()[i], x, residual)
		}
	})
}

// Zeros on the diagonal need pivoting.
func TestMat4InversePivots(t *testing.T) {
	m := Mat4{1: 2, 4: 4, 11: 8, 14: 16}
	inv, ok := m.Inverse()
	require.True(t, ok)
	assert.Equal(t, Mat4Identity(), m.Mul(inv))
}

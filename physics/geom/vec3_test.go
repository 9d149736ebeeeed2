package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestVec3Arithmetic(t *testing.T) {
	a, b := V(1, -2, 3), V(4, 5, -6)
	assert.Equal(t, V(5, 3, -3), a.Add(b))
	assert.Equal(t, V(-3, -7, 9), a.Sub(b))
	assert.Equal(t, V(2, -4, 6), a.Mul(2))
	assert.Equal(t, V(4, -10, -18), a.MulVec(b))
	assert.Equal(t, V(-1, 2, -3), a.Neg())
	assert.Equal(t, V(1, 2, 3), a.Abs())
	assert.Equal(t, V(1, -2, -6), a.Min(b))
	assert.Equal(t, V(4, 5, 3), a.Max(b))
	assert.Equal(t, float32(-24), a.Dot(b))
	assert.Equal(t, V(-3, 18, 13), a.Cross(b))
	assert.Equal(t, float32(14), a.LenSq())
	assert.Equal(t, float32(5), V(0, 3, 4).Len())
	assert.Equal(t, float32(13), V(1, 2, 3).Distance(V(1, 7, 15)))
	assert.Equal(t, V(2.5, 1.5, -1.5), a.Lerp(b, 0.5))
	assert.Equal(t, "(1, -2, 3)", a.String())
}

func TestVec3Normalize(t *testing.T) {
	assert.Equal(t, V(0.6, 0, 0.8), V(3, 0, 4).Normalize())
	for _, v := range []Vec3{{}, {nan, 1, 1}, {inf, 1, 1}, {0, -inf, 0}} {
		assert.Zero(t, v.Normalize(), "%v", v)
	}
	// In float32 the squares would underflow or overflow.
	assert.Equal(t, V(0, 1, 0), V(0, 1e-44, 0).Normalize())
	assert.Equal(t, V(-1, 0, 0), V(-3e38, 0, 0).Normalize())
	assert.InEpsilon(t, 5e-30, V(3e-30, 4e-30, 0).Len(), 1e-6)
	assert.InEpsilon(t, 5e30, V(3e30, 4e30, 0).Len(), 1e-6)
	rapid.Check(t, func(t *rapid.T) {
		// Three components below 1, rounded by half a unit, and the length; three roundings of a
		// dot product.
		v := direction().Draw(t, "v")
		require.InDelta(t, 1, v.Normalize().Len(), ulps(math.Sqrt(3)/2+1, 1))
		require.InDelta(t, v.Len(), v.Normalize().Dot(v), ulps(1+math.Sqrt(3)/2+3, v.Wide().Len()))
	})
}

func TestVec3Cross(t *testing.T) {
	assert.Equal(t, Z.Unit(), X.Unit().Cross(Y.Unit()), "right-handed")
	rapid.Check(t, func(t *rapid.T) {
		a, b := point(8).Draw(t, "a"), point(8).Draw(t, "b")
		c := a.Cross(b)
		require.Equal(t, c.Add(Vec3{}), b.Cross(a).Neg().Add(Vec3{}))
		// Each component of c has 2 roundings, of numbers up to |a|·|b|, a dot product has 3.
		la, lb := a.Wide().Len(), b.Wide().Len()
		require.InDelta(t, 0, c.Dot(a), ulps(2*math.Sqrt(3)+3, la*lb*la))
		require.InDelta(t, 0, c.Dot(b), ulps(2*math.Sqrt(3)+3, la*lb*lb))
		d := a.Wide().Cross(b.Wide())
		near3(t, c, d.Narrow(), ulps(2+1, la*lb))
	})
}

// near3 asserts that no component differs by more than eps.
func near3(t require.TestingT, want, got Vec3, eps float64) {
	require.InDelta(t, want.X, got.X, eps)
	require.InDelta(t, want.Y, got.Y, eps)
	require.InDelta(t, want.Z, got.Z, eps)
}

func TestVec3LerpIsExactAtItsEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := point(1e6).Draw(t, "a"), point(1e-4).Draw(t, "b")
		require.Equal(t, a, a.Lerp(b, 0))
		require.Equal(t, b, a.Lerp(b, 1))
	})
}

type mglVec [3]float32 // as in mgl32

func TestVec3Array(t *testing.T) {
	assert.Equal(t, V(1, 2, 3), VecOf(mglVec{1, 2, 3}))
	assert.Equal(t, mglVec{1, 2, 3}, mglVec(V(1, 2, 3).Array()))
}

func TestVec3IsFinite(t *testing.T) {
	assert.True(t, V(1, math.MaxFloat32, -math.MaxFloat32).IsFinite())
	for _, x := range []float32{nan, inf, -inf} {
		for _, a := range []Axis{X, Y, Z} {
			assert.False(t, V(1, 2, 3).WithAxis(a, x).IsFinite())
		}
	}
}

func TestAxis(t *testing.T) {
	v := V(1, 2, 3)
	for i, a := range []Axis{X, Y, Z} {
		assert.Equal(t, float32(i+1), v.Axis(a))
		assert.Equal(t, float32(9), v.WithAxis(a, 9).Axis(a))
		assert.Equal(t, float32(1), a.Unit().Axis(a))
		assert.Equal(t, float32(1), a.Unit().Len())
		assert.Equal(t, "xyz"[i:i+1], a.String())
	}
	assert.Equal(t, "axis 3", Axis(3).String())
	assert.PanicsWithValue(t, "geom: Vec3.Axis: axis 3", func() { v.Axis(3) })
	assert.PanicsWithValue(t, "geom: Vec3.WithAxis: axis 3", func() { v.WithAxis(3, 0) })
}

func TestDVec3(t *testing.T) {
	a, b := DVec3{1, -2, 3}, DVec3{4, 5, -6}
	assert.Equal(t, DVec3{5, 3, -3}, a.Add(b))
	assert.Equal(t, DVec3{-3, -7, 9}, a.Sub(b))
	assert.Equal(t, DVec3{2, -4, 6}, a.Mul(2))
	assert.Equal(t, DVec3{9, 8, -9}, a.AddMul(2, b))
	assert.Equal(t, DVec3{-1, 2, -3}, a.Neg())
	assert.Equal(t, -24., a.Dot(b))
	assert.Equal(t, DVec3{-3, 18, 13}, a.Cross(b))
	assert.Equal(t, 5., DVec3{0, 3, 4}.Len())
	assert.Equal(t, DVec3{0, 0.6000000000000001, 0.8}, DVec3{0, 3, 4}.Normalize())
	assert.Zero(t, DVec3{math.NaN(), 0, 0}.Normalize())
	assert.Zero(t, DVec3{math.Inf(1), 0, 0}.Normalize())
	assert.Equal(t, V(1, -2, 3), a.Narrow())
	assert.Equal(t, a, V(1, -2, 3).Wide())
}

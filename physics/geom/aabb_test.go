package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAABBMade(t *testing.T) {
	assert.Equal(t, brick, AABBAround(Vec3{}, V(1, 2, 4)))
	assert.Equal(t, AABB{V(3, 2, 0), V(10, 6, 0)}, Rect(3, 2, 7, 4))
	assert.Equal(t, V(6.5, 4, 0), Rect(3, 2, 7, 4).Center())
	assert.Equal(t, V(3.5, 2, 0), Rect(3, 2, 7, 4).HalfExtents())
	assert.Equal(t, brick, brick.Bounds())
	huge := AABB{V(-3e38, -3e38, 3e38), V(3e38, 0, 3e38)}
	assert.Equal(t, V(0, -1.5e38, 3e38), huge.Center(), "no intermediate overflow")
	assert.Equal(t, V(3e38, 1.5e38, 0), huge.HalfExtents())
}

func TestAABBIsEmpty(t *testing.T) {
	for _, b := range []AABB{{}, brick, Rect(0, 0, 1, 0), everywhere()} {
		assert.False(t, b.IsEmpty(), "%v", b)
	}
	for _, b := range []AABB{
		EmptyAABB(), {Min: V(1, 0, 0)}, {Min: V(0, 1, 0)}, {Max: V(0, 0, -1)}, {Min: V(nan, 0, 0)}, {Max: V(0, 0, nan)}, brick.Grow(-1.5),
	} {
		assert.True(t, b.IsEmpty(), "%v", b)
	}
}

func TestAABBGrow(t *testing.T) {
	assert.Equal(t, AABB{V(-2, -3, -5), V(2, 3, 5)}, brick.Grow(1))
	assert.Equal(t, AABB{V(0, -1, -3), V(0, 1, 3)}, brick.Grow(-1))
	assert.True(t, EmptyAABB().Grow(5).IsEmpty())
}

func TestAABBUnion(t *testing.T) {
	anyBox := rapid.Custom(func(t *rapid.T) AABB {
		return AABB{point(8).Draw(t, "min"), point(8).Draw(t, "max")} // often empty
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyBox.Draw(t, "a"), anyBox.Draw(t, "b"), anyBox.Draw(t, "c")
		u := a.Union(b)
		require.Equal(t, u.IsEmpty(), a.IsEmpty() && b.IsEmpty())
		if !u.IsEmpty() {
			require.Equal(t, u, b.Union(a))
			require.Equal(t, u, u.Union(a))
			require.Equal(t, u.Union(c), a.Union(b.Union(c)))
		}
		p := point(8).Draw(t, "p")
		require.Equal(t, u.Union(AABB{p, p}), u.Extend(p))
		require.Equal(t, AABB{p, p}, EmptyAABB().Extend(p))
	})
}

func TestRoundOutward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-1e6, 1e6).Draw(t, "x")
		v := DVec3{x, x, x}
		lo, hi := float64(v.down().X), float64(v.up().X)
		require.True(t, lo <= x && x <= hi, "%g ≤ %g ≤ %g", lo, x, hi)
		require.LessOrEqual(t, hi, float64(math.Nextafter32(float32(lo), inf)), "no further than to the neighbours")
		require.Equal(t, lo == hi, float64(float32(x)) == x)
	})
	assert.Equal(t, inf, DVec3{X: 1e39}.up().X)
	assert.Equal(t, float32(3.4028235e38), DVec3{X: 1e39}.down().X)
}

func TestRoundDown(t *testing.T) {
	check := func(x float64) {
		want := float32(x)
		if float64(want) > x {
			want = math.Nextafter32(want, -inf)
		}
		assert.Equal(t, math.Float32bits(want), math.Float32bits(roundDown(x)), x)
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 1e-300, -1e-300, 1e-46, -1e-46, 1, -1, 0.1, -0.1, 1e300, -1e300,
		math.MaxFloat32, -math.MaxFloat32, math.Inf(1), math.Inf(-1), 1.5e-45, -1.5e-45, math.Nextafter(1, 0), math.Nextafter(-1, -2)} {
		check(x)
	}
	assert.True(t, math.IsNaN(float64(roundDown(math.NaN()))))
	rapid.Check(t, func(t *rapid.T) { check(rapid.Float64().Draw(t, "x")) })
}

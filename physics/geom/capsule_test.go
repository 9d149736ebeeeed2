package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//	 ,---.
//	/     \     y = 3
//
// |   B   |    y = 2     upright, radius 1
// |   |   |
// |   A   |    y = −2
//
//	\     /     y = −3
//	 `---´
var upright = Capsule{V(0, -2, 0), V(0, 2, 0), 1}

func TestCapsuleCastRay(t *testing.T) {
	thin := Capsule{A: V(0, -2, 0), B: V(0, 2, 0)}
	ball := Capsule{V(1, 2, 3), V(1, 2, 3), 5}
	slanted := Capsule{V(-3, 0, -4), V(3, 0, 4), 5}
	runLines(t, []lineCase{
		{"across the middle", upright, V(-3, 0, 0), V(1, 0, 0), 2, 4, V(-1, 0, 0), V(1, 0, 0)},
		{"across, off the axis, 3-4-5", Capsule{V(0, -8, 0), V(0, 8, 0), 5}, V(-12, 1, 3), V(1, 0, 0), 8, 16, V(-0.8, 0, 0.6), V(0.8, 0, 0.6)},
		{"across where side and cap meet", upright, V(-3, 2, 0), V(1, 0, 0), 2, 4, V(-1, 0, 0), V(1, 0, 0)},
		{"along the axis", upright, V(0, 6, 0), V(0, -1, 0), 3, 9, V(0, 1, 0), V(0, -1, 0)},
		{"beside the axis, 3-4-5", Capsule{V(0, -8, 0), V(0, 8, 0), 5}, V(3, 20, 0), V(0, -1, 0), 8, 32, V(0.6, 0.8, 0), V(0.6, -0.8, 0)},
		{"through a cap", Capsule{V(0, -8, 0), V(0, 8, 0), 5}, V(-8, 11, 0), V(1, 0, 0), 4, 12, V(-0.8, 0.6, 0), V(0.8, 0.6, 0)},
		{"tangent to the side, across", upright, V(-4, 1, 1), V(1, 0, 0), 4, 4, V(0, 0, 1), V(0, 0, 1)},
		{"tangent to the side, along it", upright, V(1, -4, 0), V(0, 1, 0), 2, 6, V(1, 0, 0), V(1, 0, 0)},
		{"tangent to a cap", upright, V(-4, 3, 0), V(1, 0, 0), 4, 4, V(0, 1, 0), V(0, 1, 0)},
		{"in by a cap, out by the side", Capsule{V(0, -16, 0), V(0, 0, 0), 5}, V(-4, 12, 3), V(0.5, -1, 0), 8, 16, V(0, 0.8, 0.6), V(0.8, 0, 0.6)},
		{"slanted, along the axis", slanted, V(-12, 0, -16), V(3, 0, 4), 2, 6, V(-0.6, 0, -0.8), V(0.6, 0, 0.8)},
		{"slanted, from above", slanted, V(0, 10, 0), V(0, -1, 0), 5, 15, V(0, 1, 0), V(0, -1, 0)},
		{"slanted, from the side", slanted, V(8, 0, -6), V(-4, 0, 3), 1, 3, V(0.8, 0, -0.6), V(-0.8, 0, 0.6)},
		{"a ball, off the centre", ball, V(-9, 5, 3), V(1, 0, 0), 6, 14, V(-0.8, 0.6, 0), V(0.8, 0.6, 0)},
		{"a ball, tangent", ball, V(-9, 7, 3), V(1, 0, 0), 10, 10, V(0, 1, 0), V(0, 1, 0)},
		{"zero radius, across", thin, V(-4, 1, 0), V(1, 0, 0), 4, 4, V(-1, 0, 0), V(1, 0, 0)},
		{"zero radius, slanted", thin, V(-4, -3, -2), V(2, 2, 1), 2, 2, Vec3{}, Vec3{}},
		{"zero radius, along", thin, V(0, -4, 0), V(0, 1, 0), 2, 6, V(0, -1, 0), V(0, 1, 0)},
		{"zero radius, at its end", thin, V(-2, 0, -2), V(1, 1, 1), 2, 2, Vec3{}, Vec3{}},
		{"a point", Capsule{A: V(1, 1, 1), B: V(1, 1, 1)}, V(-1, -1, -1), V(1, 1, 1), 2, 2, Vec3{}, Vec3{}},
	})
}

func TestCapsuleMisses(t *testing.T) {
	runMisses(t, []missCase{
		{"beside, across", upright, V(-4, 0, 1.125), V(1, 0, 0)},
		{"beside, along", upright, V(1.125, -4, 0), V(0, 1, 0)},
		{"over a cap", upright, V(-4, 3.125, 0), V(1, 0, 0)},
		{"through the corner its box has", upright, V(-4, 2.875, 0.875), V(1, 0, 0)},
		{"zero radius, beside", Capsule{A: V(0, -2, 0), B: V(0, 2, 0)}, V(-4, 0, 0.125), V(1, 0, 0)},
		{"zero radius, over the end", Capsule{A: V(0, -2, 0), B: V(0, 2, 0)}, V(-4, 2.125, 0), V(1, 0, 0)},
		{"negative radius", Capsule{V(0, -2, 0), V(0, 2, 0), -1}, V(-4, 0, 0), V(1, 0, 0)},
		{"NaN radius", Capsule{V(0, -2, 0), V(0, 2, 0), nan}, V(-4, 0, 0), V(1, 0, 0)},
		{"infinite radius", Capsule{V(0, -2, 0), V(0, 2, 0), inf}, V(-4, 0, 0), V(1, 0, 0)},
		{"NaN end", Capsule{V(0, -2, nan), V(0, 2, 0), 1}, V(-4, 0, 0), V(1, 0, 0)},
		{"infinite end", Capsule{V(0, -2, 0), V(0, inf, 0), 1}, V(-4, 0, 0), V(1, 0, 0)},
	})
}

// For a ray almost along the axis the coefficients of the cylinder's equation are almost zero. The
// span must continue in the caps without a gap.
func TestCapsuleAlmostAlong(t *testing.T) {
	for exp := -1; exp >= -40; exp-- {
		tilt := float32(math.Pow(10, float64(exp)))
		enter, exit, ok := upright.Crossings(NewRay(V(0, -5, 0), V(tilt*0.1, 1, 0)))
		require.True(t, ok)
		assert.InDelta(t, 2, enter.T, 2e-3, "tilt 1e%d", exp)
		assert.InDelta(t, 8, exit.T, 5e-3, "tilt 1e%d", exp)
		h, ok := upright.CastRay(NewRay(V(0.5, 0, 0), V(tilt, 1, 0)), Exit)
		require.True(t, ok)
		p := h.Point.Sub(V(0, min(h.Point.Y, 2), 0))
		assert.InDelta(t, 1, p.Len(), 1e-6, "on the surface, tilt 1e%d", exp)
	}
}

func TestCapsuleBounds(t *testing.T) {
	assert.Equal(t, AABB{V(-1, -3, -1), V(1, 3, 1)}, upright.Bounds())
	assert.Equal(t, AABB{V(-1, -3, -1), V(1, 3, 1)}, Capsule{upright.B, upright.A, 1}.Bounds())
	for _, c := range []Capsule{{Radius: -1}, {Radius: nan}, {Radius: inf}, {A: V(nan, 0, 0)}, {B: V(0, 0, inf)}} {
		assert.True(t, c.IsEmpty())
		assert.True(t, c.Bounds().IsEmpty())
	}
}

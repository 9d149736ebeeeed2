package geom

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// C (0, 4)
// | \
// |   \        in the plane z = 0, front towards +z
// |     \
// A------B (4, 0)
var corner = Triangle{V(0, 0, 0), V(4, 0, 0), V(0, 4, 0)}

func TestTriangleCastRay(t *testing.T) {
	up := V(0, 0, 1)
	// The same triangle in the other two coordinate planes, so that the ray's main axis is each of
	// the three.
	inYZ := Triangle{V(0, 0, 0), V(0, 4, 0), V(0, 0, 4)}
	inZX := Triangle{V(0, 0, 0), V(0, 0, 4), V(4, 0, 0)}
	runPoints(t, 0, []pointCase{
		{"inside", corner, V(1, 2, 3), V(0, 0, -1), 3, up, 0.25, 0.5},
		{"inside, slanted", corner, V(0, 3, 4), V(1, -1, -2), 2, up, 0.5, 0.25},
		{"inside, against x", inYZ, V(3, 1, 2), V(-1, 0, 0), 3, V(1, 0, 0), 0.25, 0.5},
		{"inside, against y", inZX, V(2, 3, 1), V(0, -1, 0), 3, V(0, 1, 0), 0.25, 0.5},
		{"on the edge AB", corner, V(1, 0, 3), V(0, 0, -1), 3, up, 0.25, 0},
		{"on the edge AC", corner, V(0, 1, 3), V(0, 0, -1), 3, up, 0, 0.25},
		{"on the edge BC", corner, V(3, 1, 3), V(0, 0, -1), 3, up, 0.75, 0.25},
		{"on the edge BC, slanted", corner, V(3, 3, 2), V(0, -1, -1), 2, up, 0.75, 0.25},
		{"at A", corner, V(0, 0, 3), V(0, 0, -1), 3, up, 0, 0},
		{"at B", corner, V(4, 0, 3), V(0, 0, -1), 3, up, 1, 0},
		{"at C", corner, V(0, 4, 3), V(0, 0, -1), 3, up, 0, 1},
		{"at A, slanted", corner, V(-2, -4, 2), V(1, 2, -1), 2, up, 0, 0},
	})
}

func TestTriangleMisses(t *testing.T) {
	down := V(0, 0, -1)
	for _, c := range []struct {
		name        string
		tri         Triangle
		origin, dir Vec3
	}{
		{"past AB", corner, V(1, -0.125, 3), down},
		{"past AC", corner, V(-0.125, 1, 3), down},
		{"past BC", corner, V(2, 2.125, 3), down},
		{"past A, along AB", corner, V(-0.125, 0, 3), down},
		{"past B, along AB", corner, V(4.125, 0, 3), down},
		{"parallel above", corner, V(-1, 1, 1), V(1, 0, 0)},
		{"edge-on, through it", corner, V(-1, 1, 0), V(1, 0, 0)},
		{"edge-on, from within", corner, V(1, 1, 0), V(1, 0, 0)},
		{"edge-on, along AB", corner, V(-1, 0, 0), V(1, 0, 0)},
		{"edge-on, slanted", corner, V(-1, -1, 0), V(1, 1, 0)},
		{"all corners one", Triangle{V(1, 1, 1), V(1, 1, 1), V(1, 1, 1)}, V(1, 1, 3), down},
		{"two corners one", Triangle{V(0, 0, 0), V(0, 0, 0), V(4, 0, 0)}, V(1, 0, 3), down},
		{"corners on a line", Triangle{V(0, 0, 0), V(2, 0, 0), V(4, 0, 0)}, V(1, 0, 3), down},
		{"corners on a slanted line", Triangle{V(0, 0, 0), V(2, 2, 2), V(4, 4, 4)}, V(1, 1, 3), down},
		{"NaN corner", Triangle{V(0, 0, 0), V(4, nan, 0), V(0, 4, 0)}, V(1, 1, 3), down},
		{"infinite corner", Triangle{V(0, 0, 0), V(inf, 0, 0), V(0, 4, 0)}, V(1, 1, 3), down},
	} {
		t.Run(c.name, func(t *testing.T) {
			everyPlace(t, c.tri, c.origin, func(t *testing.T, shape any, origin Vec3, _ float32) {
				for _, cull := range []Cull{CullNone, CullBack, CullFront} {
					_, ok := shape.(Triangle).CastRay(NewRay(origin, c.dir), cull)
					assert.False(t, ok)
					_, ok = shape.(Triangle).CastRay(NewRay(origin, c.dir.Neg()), cull)
					assert.False(t, ok)
				}
			})
		})
	}
}

// A degenerate triangle whose corners rounding keeps off a line may be hit. Then the hit is between
// the nearest and the furthest corner, except for the roundings of a corner's T and of T itself.
func TestTriangleSlivers(t *testing.T) {
	origin := V(3, -5, 11)
	for i := range 2000 {
		a := V(0.1, 0.2, 0.3)
		e := V(float32(i)*0.37, 1.7, float32(i%7)*0.91)
		tri := Triangle{a, a.Add(e.Mul(0.3)), a.Add(e.Mul(0.7))}
		r := NewRay(origin, a.Add(e.Mul(0.5)).Sub(origin))
		h, ok := tri.CastRay(r, CullNone)
		if !ok {
			continue
		}
		checkHit(t, r, h)
		main := X
		if d := r.Dir.Abs(); d.Y > d.X && d.Y >= d.Z {
			main = Y
		} else if d.Z > d.X {
			main = Z
		}
		var depths []float32
		for _, p := range []Vec3{tri.A, tri.B, tri.C} {
			depths = append(depths, (p.Axis(main)-origin.Axis(main))/r.Dir.Axis(main))
		}
		assert.LessOrEqual(t, float64(h.T), float64(slices.Max(depths))*(1+ulps(8, 1)))
		assert.GreaterOrEqual(t, float64(h.T), float64(slices.Min(depths))*(1-ulps(8, 1)))
	}
}

func TestTriangleNormalAndBounds(t *testing.T) {
	assert.Equal(t, V(0, 0, 1), corner.Normal())
	assert.Equal(t, V(0, 0, -1), Triangle{corner.A, corner.C, corner.B}.Normal())
	assert.Zero(t, Triangle{V(1, 1, 1), V(2, 2, 2), V(3, 3, 3)}.Normal())
	tiny := Triangle{corner.A, corner.B.Mul(1e-25), corner.C.Mul(1e-25)}
	assert.Equal(t, V(0, 0, 1), tiny.Normal(), "in double precision")
	assert.Equal(t, AABB{V(0, 0, 0), V(4, 4, 0)}, corner.Bounds())
	assert.True(t, Triangle{A: V(nan, 0, 0)}.Bounds().IsEmpty())
	assert.True(t, Triangle{A: V(nan, 0, 0)}.IsEmpty())
	assert.False(t, Triangle{}.IsEmpty())
}

// The limits in the documentation of TriangleCaster.
func TestTriangleLimits(t *testing.T) {
	for _, k := range []float32{1e-12, 1e-6, 1e-4, 1, 1e4, 1e6, 1e12} {
		tri := Triangle{corner.A.Mul(k), corner.B.Mul(k), corner.C.Mul(k)}
		for _, dir := range []float32{1e-38, 1e-20, 1, 1e20} {
			r := NewRay(V(1, 2, 3).Mul(k), V(0, 0, -dir))
			want := float64(3*k) / float64(dir)
			h, ok := tri.CastRay(r, CullBack)
			if want > 1e38 {
				continue
			}
			require.True(t, ok, "size %g, Dir %g", k, dir)
			assert.InEpsilon(t, want, h.T, 1e-6)
			assert.InDelta(t, 0.25, h.U, 1e-6)
			assert.InDelta(t, 0.5, h.V, 1e-6)
		}
	}
}

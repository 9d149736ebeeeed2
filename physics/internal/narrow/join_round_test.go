package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// dome returns a rough hill of n × n squares of a metre, which turns down at most of its edges.
func dome(n int, height func(x, z int) float32) *surface {
	return newSurface(squares(n, func(x, z int) geom.Vec3 {
		u, v := float32(x)-float32(n)/2, float32(z)-float32(n)/2
		return geom.V(u, height(x, z)-0.05*(u*u+v*v), v)
	}))
}

// The ways out of round shapes that support points show are no longer than those found by comparing
// each triangle, except for a hundredth: local ones may be as good. Along them a shape of some four
// metres leaves all triangles that it touches, except for a ten-thousandth of that, and it touches
// them still.
func TestShallowRound(t *testing.T) {
	testenv.NoRace(t)
	shapes := map[string]func(m geom.Affine) Shape{
		"cylinder": func(m geom.Affine) Shape { return Cone(geom.Cylinder(geom.V(0, -2, 0), geom.V(0, 2, 0), 1.5), m) },
		"cone": func(m geom.Affine) Shape {
			return Cone(geom.Cone{A: geom.V(0, -1, 0), B: geom.V(0, 2, 0), RadiusA: 2}, m)
		},
		"frustum": func(m geom.Affine) Shape {
			return Cone(geom.Cone{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), RadiusA: 1.5, RadiusB: 2.5}, m)
		},
		"tapered capsule": func(m geom.Affine) Shape {
			return TaperedCapsule(geom.TaperedCapsule{A: geom.V(0, -2, 0), B: geom.V(0, 2, 0), RadiusA: 1.5, RadiusB: 0.75}, m)
		},
		"ellipsoid": func(m geom.Affine) Shape { return Ellipsoid(geom.Sphere{Radius: 2}, m) },
	}
	for name, make := range shapes {
		t.Run(name, func(t *testing.T) {
			r := testenv.Rand(5, 16)
			decided := 0
			for try := range 120 {
				hill := dome(8, func(x, z int) float32 { return 0.1 * float32(try%2) * r.Float32() })
				at := geom.Transform{Position: geom.V(r.Float32()-0.5, 3, r.Float32()-0.5), Scale: geom.V(1, 1.25, 0.75),
					Rotation: geom.QuatEuler(6*r.Float64(), 6*r.Float64(), 6*r.Float64())}
				if try%4 < 2 { // upright: a flat end is over the top, a corner
					at.Rotation = geom.QuatEuler(0.05*r.Float64(), 0.05*r.Float64(), 0.05*r.Float64())
				}
				place := func(y float32) Shape {
					at.Position.Y = y
					return make(at.Affine())
				}
				depth := float32(0.02 - 0.05*float64(try%3)) // or a gap
				lo, hi := float32(-4), float32(8)
				for range 30 {
					mid := (lo + hi) / 2
					s, touches := place(mid), false
					for i := range hill.shapes {
						touches = touches || Overlaps(&hill.shapes[i], &s)
					}
					if touches {
						lo = mid
					} else {
						hi = mid
					}
				}
				const margin = 0.1
				s := place(hi + depth)
				var j, twin Joiner
				require.True(t, j.BeginShallow(&s, hill.triangles, margin))
				all := true
				for i := range hill.triangles {
					near, ok := j.Approaches(i)
					if all = all && ok; near && all {
						j.AddShallow(int32(i), &hill.edges[i])
					}
				}
				if !all {
					continue
				}
				got, ok := j.JoinShallow(nil)
				if !ok {
					continue
				}
				want := hill.join(&twin, &s, margin, nil)
				require.Equal(t, len(want) > 0, len(got) > 0, "%d: %v", try, at)
				if len(got) == 0 {
					continue
				}
				decided++
				best, least := got[0].deepest(), want[0].deepest()
				require.LessOrEqual(t, best, least+0.01*math.Abs(least)+1e-6, "%d: %v", try, at)
				moved := s.Moved(got[0].Normal.Mul(best + 4e-4))
				for i := range hill.shapes {
					if len(got) == 1 && best > 0 {
						require.False(t, Overlaps(&hill.shapes[i], &moved), "%d: %v", try, at)
					}
				}
			}
			testenv.Drawn(t, decided, 30)
		})
	}
}

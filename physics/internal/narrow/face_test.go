package narrow

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The gap of a face is the distance that GJK and the formulas of the package find, as long as the
// segment does not meet the face.
func TestFaceGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float32Range(-2, 2)
		if rapid.Bool().Draw(t, "on a grid") { // edges, corners and things in line
			g := rapid.IntRange(-2, 2)
			f = rapid.Custom(func(t *rapid.T) float32 { return float32(g.Draw(t, "i")) })
		}
		v := func(name string) geom.Vec3 { return geom.V(f.Draw(t, name), f.Draw(t, name), f.Draw(t, name)) }
		triangle := geom.Triangle{A: v("A"), B: v("B"), C: v("C")}
		p, q := v("P"), v("Q")
		if rapid.Bool().Draw(t, "sphere") {
			q = p
		}
		face := NewFace(triangle)
		a, b := Triangle(triangle), Capsule(geom.Capsule{A: p, B: q, Radius: 0})
		if face.Normal == (geom.DVec3{}) { // a line or a point
			long := geom.Capsule{A: triangle.A, B: triangle.B}
			for _, e := range [][2]geom.Vec3{{triangle.B, triangle.C}, {triangle.C, triangle.A}} {
				if e[0].Distance(e[1]) > long.A.Distance(long.B) {
					long.A, long.B = e[0], e[1]
				}
			}
			a = Capsule(long)
		}
		want := Distance(&a, &b, math.Inf(1))

		const radius = 0.3
		var g Gap
		require.True(t, face.Gap(&g, p.Wide(), q.Wide(), radius, math.Inf(1)))
		limit := rapid.Float64Range(0.01, 3).Draw(t, "limit")
		var near Gap
		if face.Gap(&near, p.Wide(), q.Wide(), radius, limit) {
			require.Equal(t, g, near)
		} else {
			require.Greater(t, g.Distance, limit-1e-9)
		}
		require.InDelta(t, 1, g.Normal.Len(), 1e-9)
		if want.Distance > 1e-6 {
			require.InDelta(t, want.Distance, g.Distance+radius, 1e-7)
			// Both witnesses are as far apart, and the normal says which way.
			on := g.Point.Narrow()
			require.InDelta(t, 0, triangle.ClosestPoint(on).Distance(on), 1e-6)
			least := min(g.Normal.Dot(p.Wide()), g.Normal.Dot(q.Wide()))
			require.InDelta(t, want.Distance, least-g.Normal.Dot(g.Point), 1e-6)
			return
		}
		// Moved out by the depth, the capsule only touches.
		require.LessOrEqual(t, g.Distance, -radius+1e-6)
		out := Capsule(geom.Capsule{A: p, B: q, Radius: radius}).Moved(g.Normal.Mul(-g.Distance))
		require.GreaterOrEqual(t, Distance(&a, &out, math.Inf(1)).Distance, -1e-6)
		p0, ok := Penetrate(&a, &out)
		require.True(t, !ok || p0.Depth < 1e-5)
	})
}

func TestFaceGapSides(t *testing.T) {
	face := NewFace(geom.Triangle{A: geom.V(-1, 0, 1), B: geom.V(1, 0, 1), C: geom.V(0, 0, -2)})
	require.InDelta(t, 1, face.Normal.Y, 1e-12)
	for _, c := range []struct {
		name     string
		p, q     geom.DVec3
		distance float64
		normal   geom.DVec3
	}{
		{"above", geom.DVec3{Y: 1}, geom.DVec3{Y: 2}, 0.5, geom.DVec3{Y: 1}},
		{"below", geom.DVec3{Y: -3}, geom.DVec3{Y: -1}, 0.5, geom.DVec3{Y: -1}},
		{"through, mostly above", geom.DVec3{Y: -0.25}, geom.DVec3{Y: 2}, -0.75, geom.DVec3{Y: 1}},
		{"through, mostly below", geom.DVec3{Y: -2}, geom.DVec3{Y: 0.25}, -0.75, geom.DVec3{Y: -1}},
		{"in the plane", geom.DVec3{X: -0.1}, geom.DVec3{X: 0.1}, -0.5, geom.DVec3{Y: 1}},
		{"beside", geom.DVec3{X: -1, Y: 1, Z: 2}, geom.DVec3{X: 1, Y: -1, Z: 2}, 0.5, geom.DVec3{Z: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var g Gap
			face.Gap(&g, c.p, c.q, 0.5, 1)
			assert.InDelta(t, c.distance, g.Distance, 1e-12)
			assert.InDelta(t, 0, g.Normal.Sub(c.normal).Len(), 1e-12)
		})
	}
}

func BenchmarkFaceGap(b *testing.B) {
	face := NewFace(geom.Triangle{A: geom.V(-1, 0, 1), B: geom.V(1, 0, 1), C: geom.V(0, 0, -2)})
	for name, p := range map[string]geom.DVec3{"face": {Y: 1}, "edge": {X: 0.9, Y: 1}} {
		b.Run(name, func(b *testing.B) {
			var g Gap
			for b.Loop() {
				face.Gap(&g, p, p.Add(geom.DVec3{Y: 1.2}), 0.3, 1)
			}
		})
	}
}

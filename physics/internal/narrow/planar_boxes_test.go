package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Where CollideFlat answers, its answer is that of Collide: also of boxes that lie on each other,
// side by side, at right angles or apart by no more than rounding. Coordinates are off by a few
// roundings of their size, 1e-16 of it; depths of exactly the margin may be on either side.
func TestCollideFlat(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 3))
	pick := func(n ...float32) float32 { return n[r.IntN(len(n))] }
	answers, touching, apart := 0, 0, 0
	const runs = 40_000
	for range runs {
		box := func(near geom.Vec3) geom.Box {
			b := geom.Box{HalfExtents: geom.V(pick(0.5, 0.5, 1, r.Float32()), pick(0.5, 1, r.Float32()), pick(0, 0, 1))}
			switch r.IntN(4) {
			case 0: // on a grid
				b.Center = near.Add(geom.V(pick(-1, -0.5, 0, 0.5, 1), pick(-1, -0.5, 0, 0.5, 1), 0))
				b.Rotation = geom.At2D(0, 0, float64(r.IntN(4))*math.Pi/2).Rotation
			case 1: // nearly
				b.Center = near.Add(geom.V(pick(-1, 0, 1)+pick(0, 1e-7, -1e-4)*r.Float32(), pick(-1, 1)+pick(1e-7, 1e-3)*r.Float32(), 0))
				b.Rotation = geom.At2D(0, 0, float64(pick(0, 1e-7, 1e-3)*r.Float32())).Rotation
			default:
				b.Center = near.Add(geom.V(3*r.Float32()-1.5, 3*r.Float32()-1.5, 0))
				b.Rotation = geom.At2D(0, 0, r.Float64()*7).Rotation
			}
			return b
		}
		p := box(geom.V(pick(0, 1, 1e4), pick(0, -7), 0))
		q := box(p.Center)
		margin := float64(pick(0, 0.02, 0.2))
		var m Manifold
		var x, y FlatBox
		x.Set(p.Center, p.HalfExtents, p.Rotation)
		y.Set(q.Center, q.HalfExtents, q.Rotation)
		gap, ok := m.CollideFlat(&x, &y, margin)
		if !ok {
			continue
		}
		answers++
		var a, b Shape
		a.SetBox(p)
		b.SetBox(q)
		a.SetPlanar(true)
		b.SetPlanar(true)
		var f Finder
		f.Collide(&a, &b, margin)
		near := 1e-14 * max(a.size, b.size)
		if i := f.Deepest(); i >= 0 && (math.Abs(f.Points[0].Depth+margin) < near || math.Abs(f.Points[f.N-1].Depth+margin) < near) ||
			m.N > 0 && (math.Abs(m.Points[0].Depth+margin) < near || math.Abs(m.Points[m.N-1].Depth+margin) < near) {
			continue
		}
		require.Equal(t, f.N, m.N, "%v %v", p, q)
		if f.N == 0 {
			apart++
			require.Greater(t, gap, margin)
			require.LessOrEqual(t, gap, Distance(&a, &b, math.Inf(1)).Distance+planarBias(&a, &b))
			continue
		}
		touching++
		require.True(t, f.Normal == m.Normal, "%v %v", p, q)
		for i := range f.N {
			x, y := f.Points[i], m.Points[i]
			require.InDelta(t, x.Depth, y.Depth, near, "%v %v", p, q)
			require.InDelta(t, 0, x.PointA.Sub(y.PointA).Len(), near, "%v %v", p, q)
			require.InDelta(t, 0, x.PointB.Sub(y.PointB).Len(), near, "%v %v", p, q)
			require.Equal(t, x.FeatureA, y.FeatureA, "%v %v", p, q)
			require.Equal(t, x.FeatureB, y.FeatureB, "%v %v", p, q)
		}
	}
	require.Greater(t, answers, runs*8/10)
	require.Greater(t, min(touching, apart), runs/10)
}

package mesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// closestTwin is ClosestPoint without the tree.
func closestTwin(m *Mesh, p geom.Vec3) Closest {
	best := Closest{Distance: inf32, Triangle: -1}
	for i := range m.NumTriangles() {
		t := m.Triangle(i)
		point := clamp(t.ClosestPoint(p), t.Bounds())
		if d := p.Distance(point); d < best.Distance || best.Triangle < 0 {
			best = Closest{point, d, int32(i)}
		}
	}
	return best
}

func TestClosestPointAgainstTwin(t *testing.T) {
	testenv.NoRace(t)
	eachScene(t, func(t *testing.T, s scene, m *Mesh, rng *rand.Rand) {
		for range 150 {
			p, size := place(rng, m)
			p = p.Add(around(rng, 3*size))
			if !p.IsFinite() {
				continue // in the vast scene
			}
			want := closestTwin(m, p)
			got, ok := m.ClosestPoint(p, inf32)
			require.True(t, ok)
			require.Equalf(t, want, got, "from %v", p)
			got, ok = m.ClosestPoint(p, want.Distance)
			require.True(t, ok, "the limit counts")
			require.Equal(t, want, got)
			if want.Distance > 0 {
				_, ok = m.ClosestPoint(p, math.Nextafter32(want.Distance, 0))
				require.False(t, ok)
			}
		}
	})
}

// The reference clamps as the mesh does; geom alone does not.
func TestClosestPointAgainstGeom(t *testing.T) {
	rng := testenv.Rand(9, 10)
	s := soup(rng, "", 500, 3, 0.5)
	m := mustNew(t, s.vertices, s.indices)
	for range 300 {
		p := around(rng, 5)
		got, ok := m.ClosestPoint(p, inf32)
		require.True(t, ok)
		require.Equal(t, m.Triangle(int(got.Triangle)).ClosestPoint(p), got.Point)
		least := inf32
		for i := range m.NumTriangles() {
			least = min(least, p.Distance(m.Triangle(i).ClosestPoint(p)))
		}
		require.LessOrEqual(t, got.Distance, least)
	}
}

func TestClosestPointEdgeCases(t *testing.T) {
	nan := float32(math.NaN())
	m := mustNew(t, first(Box(geom.V(1, 1, 1))), second(Box(geom.V(1, 1, 1))))
	for _, c := range []struct {
		name  string
		p     geom.Vec3
		limit float32
		want  Closest
		ok    bool
	}{
		{"face", geom.V(3, 0.5, 0.25), inf32, Closest{geom.V(1, 0.5, 0.25), 2, 2}, true},
		{"on the surface", geom.V(1, 0.5, 0.25), 0, Closest{geom.V(1, 0.5, 0.25), 0, 2}, true},
		{"inside", geom.V(0.5, 0, 0), 1, Closest{geom.V(1, 0, 0), 0.5, 2}, true},
		{"too far", geom.V(3, 0, 0), 1.999, Closest{}, false},
		{"negative limit", geom.V(1, 0, 0), -1, Closest{}, false},
		{"NaN limit", geom.V(1, 0, 0), nan, Closest{}, false},
		{"NaN", geom.V(nan, 0, 0), inf32, Closest{}, false},
		{"infinite", geom.V(inf32, 0, 0), inf32, Closest{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := m.ClosestPoint(c.p, c.limit)
			assert.Equal(t, c.ok, ok)
			assert.Equal(t, c.want, got)
		})
	}
	_, ok := (&Mesh{}).ClosestPoint(geom.Vec3{}, inf32)
	assert.False(t, ok)
}

// A non-uniform scale: the nearest by another distance than the mesh's own.
func TestVisitNearest(t *testing.T) {
	m := mustNew(t, first(Icosphere(1, 3)), second(Icosphere(1, 3)))
	rng := testenv.Rand(11, 12)
	scale := geom.V(5, 0.2, 1)
	for range 100 {
		p := around(rng, 3)
		scaled := func(i int) float64 {
			tri := m.Triangle(i)
			tri.A, tri.B, tri.C = tri.A.MulVec(scale), tri.B.MulVec(scale), tri.C.MulVec(scale)
			return float64(tri.Distance(p))
		}
		want := math.Inf(1)
		for i := range m.NumTriangles() {
			want = min(want, scaled(i))
		}
		got, visits := math.Inf(1), 0
		m.VisitNearest(math.Inf(1), func(b geom.AABB) float64 {
			b.Min, b.Max = b.Min.MulVec(scale), b.Max.MulVec(scale)
			return float64(p.Distance(clamp(p, b))) * (1 - 1e-6)
		}, func(i int) float64 {
			visits++
			got = min(got, scaled(i))
			return got
		})
		require.Equal(t, want, got)
		require.Less(t, visits, m.NumTriangles()/2)
	}
	m.VisitNearest(math.Inf(1), func(geom.AABB) float64 { return math.NaN() }, func(int) float64 {
		t.Fatal("NaN leaves out")
		return 0
	})
}

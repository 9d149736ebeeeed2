package mesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// moved returns vertices that are each moved by a small part of the size of the mesh.
func moved(rng *rand.Rand, m *Mesh, part float32) []geom.Vec3 {
	size := m.Bounds().HalfExtents().Mul(part)
	list := slices.Clone(m.Vertices())
	for i := range list {
		list[i] = list[i].Add(around(rng, 1).MulVec(size))
	}
	return list
}

// For any mesh, after a refit all answers are those of a new mesh.
func TestRefitAgainstNew(t *testing.T) {
	testenv.NoRace(t)
	eachScene(t, func(t *testing.T, s scene, m *Mesh, rng *rand.Rand) {
		var two [2]Mesh
		now := m
		for step := range 3 {
			vertices := moved(rng, m, 0.2)
			if slices.ContainsFunc(vertices, func(v geom.Vec3) bool { return !v.IsFinite() }) {
				return // a mesh at the end of the numbers has no room to move in
			}
			next := &two[step%2]
			require.NoError(t, now.Refit(next, vertices))
			require.NoError(t, next.Validate())
			fresh := mustNew(t, vertices, s.indices)
			require.Equal(t, fresh.Bounds(), next.Bounds())
			require.Equal(t, vertices, next.Vertices())
			require.Equal(t, m.BuiltCost(), next.BuiltCost())
			require.Equal(t, m.Cost(), m.BuiltCost())
			var buffer []geom.Hit
			for i, r := range rays(rng, next, 50) {
				cull := culls[i%3]
				buffer = requireCasts(t, next, r, cull, fresh.CastRayAll(nil, r, cull), buffer)
			}
			for range 20 {
				p, size := place(rng, next)
				want, _ := fresh.ClosestPoint(p, inf32)
				got, ok := next.ClosestPoint(p, inf32)
				require.True(t, ok)
				require.Equal(t, want, got)
				ball := geom.Sphere{Center: p, Radius: size}
				require.Equal(t, fresh.OverlapSphere(nil, ball), next.OverlapSphere(nil, ball))
			}
			now = next
		}
	})
}

// Readers of the old mesh are not affected by a refit; the race detector would report it.
func TestRefitLeavesReadersAlone(t *testing.T) {
	m := mustNew(t, first(Icosphere(2, 3)), second(Icosphere(2, 3)))
	rng := testenv.Rand(3, 4)
	list := rays(rng, m, 200)
	want := m.CastRays(nil, list, geom.CullNone)
	vertices := moved(rng, m, 0.3)
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			for range 5 {
				assert.Equal(t, want, m.CastRays(nil, list, geom.CullNone))
			}
		})
	}
	var dst Mesh
	for range 20 {
		assert.NoError(t, m.Refit(&dst, vertices))
	}
	group.Wait()
}

func TestRefitRefuses(t *testing.T) {
	m := mustNew(t, first(Box(geom.V(1, 1, 1))), second(Box(geom.V(1, 1, 1))))
	var dst Mesh
	vertices := slices.Clone(m.Vertices())
	vertices[0].X = 3
	require.NoError(t, m.Refit(&dst, vertices))
	before := dst.Bounds()
	assert.EqualError(t, m.Refit(&dst, vertices[1:]), "mesh: Mesh.Refit: 7 vertices, should be 8")
	vertices[5].Y = float32(math.NaN())
	assert.EqualError(t, m.Refit(&dst, vertices), "mesh: Mesh.Refit: vertex 5: (1, NaN, 1) is not finite")
	assert.Equal(t, before, dst.Bounds())
	require.NoError(t, dst.Validate())
	assert.PanicsWithValue(t, "mesh: Mesh.Refit: into a nil mesh", func() { _ = m.Refit(nil, vertices) })
	assert.PanicsWithValue(t, "mesh: Mesh.Refit: into the mesh itself", func() { _ = m.Refit(m, vertices) })
}

func TestRefitOfTheZeroMesh(t *testing.T) {
	dst := mustNew(t, first(Box(geom.V(1, 1, 1))), second(Box(geom.V(1, 1, 1))))
	require.NoError(t, (&Mesh{}).Refit(dst, nil))
	assert.Zero(t, dst.NumTriangles())
	assert.True(t, dst.Bounds().IsEmpty())
	assert.Zero(t, dst.Cost())
	assert.NoError(t, dst.Validate())
}

func TestRefitAllocatesNothing(t *testing.T) {
	m := mustNew(t, first(Torus(3, 1, 40, 12)), second(Torus(3, 1, 40, 12)))
	vertices := moved(testenv.Rand(3, 4), m, 0.1)
	var two [2]Mesh
	require.NoError(t, m.Refit(&two[0], vertices))
	require.NoError(t, two[0].Refit(&two[1], vertices))
	testenv.AllocatesNothing(t, 5, func() {
		_ = two[1].Refit(&two[0], vertices)
		_ = two[0].Refit(&two[1], vertices)
	})
}

// Vertices at few positions merge and separate in every way.
func TestRefitOnAGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "triangles")
		coordinate := rapid.Map(rapid.IntRange(0, 3), func(i int) float32 { return float32(i) })
		vertex := rapid.Custom(func(t *rapid.T) geom.Vec3 {
			return geom.V(coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), coordinate.Draw(t, "z"))
		})
		vertices := rapid.SliceOfN(vertex, 2*n, 2*n)
		indices := rapid.SliceOfN(rapid.Uint32Range(0, uint32(2*n-1)), 3*n, 3*n).Draw(t, "indices")
		q := rapid.SampledFrom(qualities).Draw(t, "quality")
		now := mustBuild(t, vertices.Draw(t, "vertices"), indices, BuildOptions{Quality: q})
		var two [2]Mesh
		for step := range 3 {
			places := vertices.Draw(t, "moved")
			require.NoError(t, now.Refit(&two[step%2], places))
			now = &two[step%2]
			require.NoError(t, now.Validate())
			r := geom.NewRay(vertex.Draw(t, "origin"), vertex.Draw(t, "target").Sub(geom.V(1.5, 1.25, 1)))
			requireCasts(t, now, r, geom.CullNone, castAllTwin(now, r, geom.CullNone), nil)
		}
	})
}

package main

import (
	"encoding/binary"
	"hash/fnv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

func mustMesh(t testing.TB, vertices []geom.Vec3, indices []uint32) *mesh.Mesh {
	m, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	return m
}

// moved is an icosphere of radius 2 around a place that is not the origin.
func moved(t testing.TB) (*mesh.Mesh, geom.Vec3) {
	vertices, indices := mesh.Icosphere(2, 3)
	center := geom.V(10, -20, 5)
	for i := range vertices {
		vertices[i] = vertices[i].Add(center)
	}
	return mustMesh(t, vertices, indices), center
}

func TestSets(t *testing.T) {
	testenv.Long(t)
	m, center := moved(t)
	sets, err := makeSets(m)
	require.NoError(t, err)
	require.Len(t, sets, 3)
	hits := map[string]int{}
	for _, s := range sets {
		require.Len(t, s.rays, 131072, s.name)
		for i, r := range s.rays {
			require.True(t, r.IsValid(), "%s %d", s.name, i)
			require.InDelta(t, 1, r.Dir.Len(), 1e-6, "%s %d", s.name, i)
			if m.CastRayAny(r, geom.CullNone) {
				hits[s.name]++
			}
		}
	}
	primary, random, ao := sets[0].rays, sets[1].rays, sets[2].rays

	// A camera's: one origin; the way from pixel to pixel is short, and the first pixel is up and
	// left of the last.
	for i, r := range primary {
		require.Equal(t, primary[0].Origin, r.Origin)
		if i%columns > 0 {
			require.Greater(t, r.Dir.Dot(primary[i-1].Dir), float32(0.99999))
		}
	}
	first, last := primary[0].Dir, primary[len(primary)-1].Dir
	assert.Greater(t, first.Y, last.Y, "the first row is the upper one")
	right := center.Sub(primary[0].Origin).Cross(geom.V(0, 1, 0))
	assert.Less(t, first.Dot(right), float32(0), "the first column is the left one")
	assert.Greater(t, last.Dot(right), float32(0))
	assert.Less(t, center.Sub(primary[0].Origin).Normalize().Sub(first.Add(primary[len(primary)-1].Dir).Normalize()).Len(), float32(1e-3),
		"the middle of the picture is the middle of the mesh")

	// Incoherent: from everywhere and to everywhere within the bounds.
	var mean geom.Vec3
	for i, r := range random {
		require.Greater(t, r.Origin.Distance(center), float32(4), "outside")
		_, ok := m.Bounds().CastRay(r, geom.Solid)
		require.True(t, ok, "random %d goes past the bounds", i)
		mean = mean.Add(r.Origin.Sub(center).Normalize().Mul(1.0 / columns / rows))
	}
	assert.Less(t, mean.Len(), float32(0.02), "no side is preferred")

	// Short, from just off the surface and away from it; of a cosine, the mean is two thirds.
	cosine := 0.0
	for i, r := range ao {
		out := r.Origin.Sub(center).Normalize()
		require.InDelta(t, 2, r.Origin.Distance(center), 0.03, "ao %d starts on the sphere", i)
		require.Equal(t, ao[0].MaxT, r.MaxT)
		cosine += float64(out.Dot(r.Dir)) / columns / rows
	}
	assert.InDelta(t, 2.0/3, cosine, 0.01)
	assert.Less(t, ao[0].MaxT, float32(1))

	assert.Greater(t, hits["primary"], columns*rows/4)
	assert.Less(t, hits["primary"], columns*rows*9/10)
	assert.Greater(t, hits["random"], columns*rows/4)
	assert.Less(t, hits["ao"], columns*rows/1000, "a ball hides nothing from itself")
}

// The same rays always and everywhere: the hash is of all their bytes, on any machine.
func TestSetsAreTheSame(t *testing.T) {
	m, _ := moved(t)
	sets, err := makeSets(m)
	require.NoError(t, err)
	h := fnv.New64a()
	for _, s := range sets {
		require.NoError(t, binary.Write(h, binary.LittleEndian, s.rays))
	}
	assert.Equal(t, uint64(0xf020863b01c239de), h.Sum64())
}

func TestNoSets(t *testing.T) {
	point := geom.V(1, 1, 1)
	_, err := makeSets(mustMesh(t, []geom.Vec3{point, point, point}, []uint32{0, 1, 2}))
	require.ErrorContains(t, err, "extent of zero")
	_, err = makeSets(mustMesh(t, []geom.Vec3{{X: 1}, {X: 2}, {X: 3}}, []uint32{0, 1, 2}))
	require.ErrorContains(t, err, "no ray from the camera hits")
}

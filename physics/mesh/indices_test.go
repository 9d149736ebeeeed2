package mesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

func TestPackedIndicesAreThoseGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Runs of near and of distant indices, so that all kinds of blocks occur next to each
		// other.
		var list []uint32
		for range rapid.IntRange(1, 8).Draw(t, "runs") {
			reach := rapid.SampledFrom([]uint32{0, 1, 255, 256, 65535, 65536, math.MaxUint32}).Draw(t, "reach")
			low := rapid.Uint32Range(0, math.MaxUint32-reach).Draw(t, "low")
			rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
			for range 3 * rapid.IntRange(1, 2*blockSize).Draw(t, "triangles") {
				list = append(list, low+uint32(rng.Uint64N(uint64(reach)+1)))
			}
			list[len(list)-1] = low + reach
		}
		x := pack(list)
		require.Equal(t, list, x.list())
		for i := range x.triangles {
			a, b, c := x.Corners(i)
			require.Equal(t, list[3*i:3*i+3], []uint32{a, b, c})
		}
		require.Equal(t, cap(x.data), len(x.data), "it is as long as foreseen")
	})
}

func TestIndicesTakeFewBytes(t *testing.T) {
	near := func(i int) uint32 { return uint32(i/3 + i%3) }
	rng := testenv.Rand(6, 6)
	for _, c := range []struct {
		name string
		of   func(i int) uint32
		most float64 // bytes a triangle
	}{
		{"one vertex", func(int) uint32 { return 7 }, 3.3},
		{"strip", near, 3.3},
		{"rows of a grid", func(i int) uint32 { return near(i) + uint32(i%2)*1000 }, 6.3},
		{"anywhere", func(int) uint32 { return rng.Uint32() }, 12.3},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := make([]uint32, 3*1000)
			for i := range list {
				list[i] = c.of(i)
			}
			x := pack(list)
			got := float64(len(x.data)+8*len(x.blocks)) / float64(x.triangles)
			assert.LessOrEqual(t, got, c.most)
			assert.Greater(t, got, c.most-0.4)
		})
	}
}

func TestPackNothing(t *testing.T) {
	x := pack(nil)
	assert.Nil(t, x.list())
	assert.Zero(t, x.triangles)
}

// A closed mesh takes at most 50 bytes per triangle, with its vertices, its indices and its tree.
func TestMeshTakesFewBytes(t *testing.T) {
	vertices, indices := Icosphere(1, 6)
	m, err := New(vertices, indices)
	require.NoError(t, err)
	bytes := 12*len(m.vertices) + len(m.indices.data) + 8*len(m.indices.blocks) + m.tree.Bytes()
	got := float64(bytes) / float64(m.NumTriangles())
	t.Logf("%.1f bytes", got)
	assert.LessOrEqual(t, got, 50.0)
	assert.Greater(t, got, 25.0)
}

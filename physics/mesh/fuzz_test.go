package mesh

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// FuzzMesh reads a ray, a number of vertices, the vertices and the indices from its bytes. A mesh
// that New accepts gives what the brute-force reference gives.
func FuzzMesh(f *testing.F) {
	numbers := func(list ...float32) (b []byte) {
		for _, x := range list {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		return b
	}
	nan := float32(math.NaN())
	f.Add([]byte{})
	f.Add(append(append(numbers(0.2, 0.2, 1, 0, 0, -1, 0, 0), 3), append(numbers(0, 0, 0, 1, 0, 0, 0, 1, 0), 0, 1, 2, 2, 1, 0)...))
	f.Add(append(append(numbers(0, 0, 1e20, 0, 1e-40, -1, 0, 0), 3), append(numbers(0, 0, 0, 1e38, 0, -1e38, 0, 1e-38, 0), 0, 1, 2, 2, 2, 0)...))
	f.Add(append(append(numbers(0, 0, 0, 1, nan, 0, 0, 0), 2), append(numbers(0, 0, 0, 1, nan, 0), 0, 1, 1)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		next := func() float32 {
			if len(data) < 4 {
				data = nil
				return 0
			}
			x := math.Float32frombits(binary.LittleEndian.Uint32(data))
			data = data[4:]
			return x
		}
		vector := func() geom.Vec3 { return geom.V(next(), next(), next()) }
		r := geom.Ray{Origin: vector(), Dir: vector(), MinT: next(), MaxT: next()}
		var vertices []geom.Vec3
		if len(data) > 0 {
			n := data[0]
			data = data[1:]
			for range n {
				vertices = append(vertices, vector())
			}
		}
		var indices []uint32
		for _, b := range data[:min(len(data), 300)] {
			indices = append(indices, uint32(b))
		}
		m, err := New(vertices, indices)
		if err != nil {
			return
		}
		require.NoError(t, m.Validate())
		for _, cull := range culls {
			requireCasts(t, m, r, cull, castAllTwin(m, r, cull), nil)
		}
		if r.Origin.IsFinite() {
			near, ok := m.ClosestPoint(r.Origin, inf32)
			require.True(t, ok)
			require.Equal(t, closestTwin(m, r.Origin), near)
		}
	})
}

// Small integer coordinates make what random numbers rarely do: corners, edges and faces that
// coincide with each other and with the ray.
func TestCastOnLattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Float32Range(-2, 2)
		if rapid.Bool().Draw(t, "integer") {
			coordinate = rapid.Map(rapid.IntRange(-2, 2), func(i int) float32 { return float32(i) })
		}
		vector := rapid.Custom(func(t *rapid.T) geom.Vec3 {
			return geom.V(coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), coordinate.Draw(t, "z"))
		})
		vertices := rapid.SliceOfN(vector, 3, 12).Draw(t, "vertices")
		index := rapid.Uint32Range(0, uint32(len(vertices)-1))
		indices := rapid.SliceOfN(index, 3, 60).Draw(t, "indices")
		indices = indices[:len(indices)/3*3]
		m := mustNew(t, vertices, indices)
		r := geom.Ray{Origin: vector.Draw(t, "origin"), Dir: vector.Draw(t, "direction")}
		r.MinT = rapid.SampledFrom([]float32{0, 0, 0.5, 1}).Draw(t, "MinT")
		r.MaxT = rapid.SampledFrom([]float32{0, 0, 1, 2}).Draw(t, "MaxT")
		cull := rapid.SampledFrom(culls).Draw(t, "cull")
		requireCasts(t, m, r, cull, castAllTwin(m, r, cull), nil)
	})
}

package mesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// strips returns two strips of quads along a line, the second turned down by an angle. Each ends at
// given shares of the line.
func strips(turn geom.Affine, angle float64, left, right []float64) (vertices []geom.Vec3, indices []uint32) {
	for side, cuts := range [][]float64{left, right} {
		out := geom.V(-1, 0, 0)
		if side == 1 {
			out = geom.V(float32(math.Cos(angle)), float32(-math.Sin(angle)), 0)
		}
		base := uint32(len(vertices))
		for i, cut := range cuts {
			at := geom.V(0, 0, float32(cut))
			vertices = append(vertices, turn.Point(at), turn.Point(at.Add(out)))
			switch k := base + uint32(2*i); {
			case i > 0 && side == 0:
				indices = append(indices, k-2, k-1, k+1, k-2, k+1, k)
			case i > 0:
				indices = append(indices, k-2, k+1, k-1, k, k+1, k-2)
			}
		}
	}
	return vertices, indices
}

// seam returns the bends at the edges on the line.
func seam(m *Mesh) (bends []float64) {
	for i := range m.NumTriangles() {
		// The second triangle of each quad has its last edge on the line.
		if i%2 == 1 {
			bends = append(bends, float64(m.EdgeConvexity(i)[2]))
		}
	}
	return bends
}

// cuts returns up to n random places between 0 and 1. A triangle between two that are less than a
// thousandth apart may be too thin, by the rounding of its corners, to have a plane.
func cuts(r *rand.Rand, n int) []float64 {
	at := []float64{0, 1}
	for range n {
		c := r.Float64()
		if !slices.ContainsFunc(at, func(x float64) bool { return math.Abs(x-c) < 1e-3 }) {
			at = append(at, c)
		}
	}
	slices.Sort(at)
	return at
}

// Edges that lie along each other bend as the planes do, whatever their number, and however they
// are turned and placed.
func TestBendsAtJunctions(t *testing.T) {
	r := testenv.Rand(71, 72)
	for range 200 {
		angle := (r.Float64() - 0.5) * 5
		turn := geom.Transform{
			Rotation: geom.QuatEuler(r.Float64()*6, r.Float64()*6, r.Float64()*6),
			Position: geom.V(r.Float32(), r.Float32(), r.Float32()).Mul(float32(math.Pow(10, r.Float64()*2))),
		}.Affine()
		m := mustSew(t, turn, angle, cuts(r, r.IntN(5)), cuts(r, r.IntN(5)))
		for _, b := range seam(m) {
			assert.InDelta(t, even(math.Tan(angle/2)), even(b), 1e-3)
		}
	}
}

func mustSew(t *testing.T, turn geom.Affine, angle float64, left, right []float64) *Mesh {
	v, i := strips(turn, angle, left, right)
	return mustNew(t, v, i)
}

// An edge stays open where the other side ends at another place, and where the surface bends along
// a part of it only.
func TestOpenBesideJunctions(t *testing.T) {
	id := geom.Transform{}.Affine()
	for _, b := range seam(mustSew(t, id, 1, []float64{0, 0.5, 1}, []float64{0, 0.3, 0.9})) {
		assert.Equal(t, float64(open), b)
	}
	// A third strip is flat beyond one half of the first.
	v, i := strips(id, 1, []float64{0, 1}, []float64{0, 0.5})
	w, k := strips(id, 0, nil, []float64{0.5, 1})
	for _, x := range k {
		i = append(i, x+uint32(len(v)))
	}
	bends := seam(mustNew(t, append(v, w...), i))
	assert.Equal(t, float64(open), bends[0])
	assert.InDelta(t, math.Tan(0.5), bends[1], 1e-3)
	assert.Zero(t, bends[2])
}

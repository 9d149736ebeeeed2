package mesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// randomMap returns a map that turns, scales, mirrors and shears.
func randomMap(rng *rand.Rand, scale float32) geom.Affine {
	return geom.Affine{X: around(rng, scale), Y: around(rng, scale), Z: around(rng, scale), Origin: around(rng, 100)}
}

// The box contains the image of every vertex, also of thin and huge meshes, and is never larger
// than the box around the turned bounds.
func TestBoundsUnder(t *testing.T) {
	eachScene(t, func(t *testing.T, s scene, m *Mesh, rng *rand.Rand) {
		for i := range 20 {
			a := randomMap(rng, []float32{1e-20, 1e-3, 1, 1e3}[i%4])
			if i%5 == 0 {
				a.Origin = geom.Vec3{}
			}
			box, loose := m.BoundsUnder(a), a.Bounds(m.Bounds())
			for _, k := range s.indices {
				p := a.Point(s.vertices[k])
				if p.IsFinite() && !box.Contains(p) {
					t.Fatalf("%v is not in %v under %v", p, box, a)
				}
			}
			if loose.Min.IsFinite() && loose.Max.IsFinite() {
				far := loose.Max.Abs().Max(loose.Min.Abs())
				grown := loose.Grow(max(1e-6*far.X, 1e-6*far.Y, 1e-6*far.Z, math.SmallestNonzeroFloat32))
				require.Truef(t, grown.Contains(box.Min) && grown.Contains(box.Max), "%v beyond %v", box, loose)
			}
		}
	})
}

func TestBoundsUnderIsTight(t *testing.T) {
	vertices, indices := Icosphere(1, 3)
	m := mustNew(t, vertices, indices)
	a := geom.Transform{Rotation: geom.QuatAxisAngle(geom.V(1, 2, 3), 1), Scale: geom.V(2, 2, 2)}.Affine()
	ball := 2 * geom.V(1, 1, 1).Len() // around a ball of that radius
	assert.Less(t, m.BoundsUnder(a).HalfExtents().Len(), 1.1*ball)
	assert.Greater(t, a.Bounds(m.Bounds()).HalfExtents().Len(), 1.3*ball)

	still := geom.Transform{Position: geom.V(0.1, 0.2, 0.3), Scale: geom.V(3, -2, 0.1)}.Affine()
	assert.Equal(t, still.Bounds(m.Bounds()), m.BoundsUnder(still), "bit by bit where nothing turns")
	assert.True(t, new(Mesh).BoundsUnder(a).IsEmpty())
}

// A refit has an outline of its own and allocates nothing for it.
func TestBoundsUnderAfterRefit(t *testing.T) {
	vertices, indices := Icosphere(1, 2)
	m := mustNew(t, vertices, indices)
	a := geom.Transform{Rotation: geom.QuatAxisAngle(geom.V(1, 2, 3), 1)}.Affine()
	larger := make([]geom.Vec3, len(m.Vertices()))
	for i, v := range m.Vertices() {
		larger[i] = v.Mul(2)
	}
	var moved Mesh
	require.NoError(t, m.Refit(&moved, m.Vertices()))
	require.Equal(t, m.BoundsUnder(a), moved.BoundsUnder(a))
	require.NoError(t, m.Refit(&moved, larger))
	assert.InDelta(t, 2*m.BoundsUnder(a).Max.X, moved.BoundsUnder(a).Max.X, 1e-6)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		_ = m.Refit(&moved, larger)
		moved.BoundsUnder(a)
	}))
}

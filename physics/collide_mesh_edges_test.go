package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// The bends at the edges of a mesh are those between its triangles in the world, even where it is
// stretched or sheared along one axis alone.
func TestEdgesOfStretchedMeshes(t *testing.T) {
	hills := terrain(6)
	id := geom.Transform{}.Affine()
	maps := map[string]geom.Affine{"as it is": id, "turned and larger": geom.Transform{
		Rotation: geom.QuatEuler(0.3, 0.7, 0.2), Scale: geom.V(2, 2, 2),
	}.Affine()}
	for name, change := range map[string]func(m *geom.Affine){
		"along X": func(m *geom.Affine) { m.X.X = 3 }, "along Y": func(m *geom.Affine) { m.Y.Y = 3 }, "along Z": func(m *geom.Affine) { m.Z.Z = 3 },
		// Of equal lengths, so that only their angle differs.
		"X to Y": func(m *geom.Affine) { m.X = geom.V(0.6, 0.8, 0) }, "Y to Z": func(m *geom.Affine) { m.Y = geom.V(0, 0.6, 0.8) }, "Z to X": func(m *geom.Affine) { m.Z = geom.V(0.8, 0, 0.6) },
	} {
		m := id
		change(&m)
		maps[name] = m
	}
	for name, m := range maps {
		l := placed.Local{Mesh: hills, To: m}
		s := surfaceOf(&l)
		for i := range hills.NumTriangles() {
			var e narrow.Edges
			s.edges(&e, 0, int32(i))
			at := hills.Triangle(i)
			at = geom.Triangle{A: m.Point(at.A), B: m.Point(at.B), C: m.Point(at.C)}
			for k, v := range hills.AdjacentVertices(i) {
				want := narrow.Open
				if v >= 0 {
					want = narrow.BendAt(at, k, m.Point(hills.Vertex(int(v))))
				}
				// A bend of the mesh is kept in 16 bits.
				require.InDelta(t, math.Atan(float64(want)), math.Atan(float64(e[k])), 1e-3, "%s, triangle %d, edge %d", name, i, k)
			}
		}
	}
}

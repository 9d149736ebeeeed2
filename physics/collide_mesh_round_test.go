package physics

import (
	"testing"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Cones, tapered capsules and scaled capsules at the corners, edges and faces of a closed mesh have
// the contacts that they have with the solid.
func TestRoundContactsWithSolidMeshes(t *testing.T) {
	testenv.NoRace(t)
	fine, faces := mesh.Icosphere(1, 3)
	solids := append(solidMeshes()[:4], solidMesh{"ball of 1280 triangles", mustMesh(fine, faces), judge(mustHull(fine), geom.Transform{})})
	for _, m := range solids {
		for kind := range judgedRounds {
			for _, feature := range []string{"corner", "edge", "face"} {
				for _, depth := range []float64{0.001, -0.01, 0.005} {
					m.try(t, kind, feature, depth, 9)
				}
			}
		}
	}
}

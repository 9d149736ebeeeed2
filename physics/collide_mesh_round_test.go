package physics

import (
	"fmt"
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
					t.Run(fmt.Sprintf("%s/%s/%s/%g", m.name, kind, feature, depth), func(t *testing.T) {
						r := testenv.Rand(uint64(len(kind))+uint64(len(feature)), 9)
						wrong, first, done := 0, "", 0
						for i := range tries(12) {
							s, ok := poseAt(r, kind, m.same, feature, depth)
							if !ok {
								continue
							}
							done++
							margin := float32(0.02)
							if depth > 0 && i%2 == 0 {
								margin = 0
							}
							if f := m.fault(s, depth, margin); f != "" {
								if wrong++; first == "" {
									first = fmt.Sprintf("%s: %T %v", f, s.placed.Shape, s.placed.Transform)
								}
							}
						}
						testenv.Drawn(t, done, tries(12)/2, "poses")
						if wrong > 0 {
							t.Errorf("%d of %d wrong; the first: %s", wrong, done, first)
						}
					})
				}
			}
		}
	}
}

package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// At corners and edges of a mesh the Separator pushes bodies as it does at those of the same solid.
func TestSeparatorAtMeshCorners(t *testing.T) {
	solid := solidMeshes()[0]
	r := testenv.Rand(4, 4)
	for range tries(100) {
		at, ok := poseAt(r, "box", solid.same, "corner", 0.025)
		if !ok {
			continue
		}
		var pushes [2]Movable
		for i, shape := range []Shape{solid.mesh, solid.same.placed.Shape} {
			s := NewSpace()
			s.Add(Collider{Shape: shape, Static: true})
			m := []Movable{{Collider: s.Add(Collider{Shape: at.placed.Shape, Transform: at.placed.Transform})}}
			var sep Separator
			sep.Separate(s, m)
			pushes[i] = m[0]
		}
		assert.InDelta(t, 0, pushes[0].Push.Sub(pushes[1].Push).Len(), 1e-3, "%v: %v, %v of the solid", at.placed.Transform, pushes[0].Push, pushes[1].Push)
	}
}

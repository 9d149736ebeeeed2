package rigid

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Manifolds come in any order, and one of them may be new or gone. Each finds what was kept of it;
// the colors and the list stay as they are.
func TestManifoldsFindTheirMemory(t *testing.T) {
	normals := [...]geom.Vec3{geom.V(0, 1, 0), geom.V(0.03, 1, 0).Normalize(), geom.V(0, 1, 0.04).Normalize(), geom.V(1, 0, 0)}
	for _, order := range [][]int{{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0}, {1}, {2, 3, 0}, {2, 1, 0, 3}} {
		d := New(physics.NewSpace())
		c := &contact{}
		for k := range int32(3) {
			m := d.grow(c)
			m.color, m.normal, m.n = 10+k, normals[k], 1
			m.points[0].impulse = float32(k)
		}
		c.held = 3
		var now []physics.Manifold
		for _, k := range order {
			now = append(now, physics.Manifold{Normal: normals[k].Add(geom.V(0, 0, 0.001))})
		}
		d.sort(c, now)
		all := map[float32]bool{}
		for k := range int32(3) {
			m := d.memory(c, k)
			assert.Equal(t, 10+k, m.color, "%v", order)
			all[m.points[0].impulse] = true
			if int(k) < len(order) && order[k] < 3 {
				assert.Equal(t, normals[order[k]], m.normal, "%v", order)
				assert.Equal(t, float32(order[k]), m.points[0].impulse, "%v", order)
			}
		}
		assert.Len(t, all, 3, "%v", order)
	}
}

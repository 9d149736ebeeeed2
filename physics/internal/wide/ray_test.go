package wide

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A ray may start where the widening of boxes ends exactly at zero.
func TestOriginAtTheWidening(t *testing.T) {
	tree := Build([]geom.Vec3{{X: -1, Y: -1, Z: -1}, {X: 1, Y: -1, Z: 1}, {Y: 1}}, []uint32{0, 1, 2}, 0)
	const pad = 6 * slack // the distance to the corners is at most 6
	withSIMD(t, func(t *testing.T) {
		for _, o := range []geom.Vec3{{X: pad}, {X: -pad}, {Y: pad}, {Y: -pad}, {X: pad, Y: -pad}} {
			r := geom.NewRay(geom.V(o.X, o.Y, 5), geom.V(0, 0, -1))
			var q Ray
			assert.True(t, q.prepare(&tree, &r, geom.CullNone))
			for axis := range 3 {
				far, near := max(q.near[axis], q.far[axis]), min(q.near[axis], q.far[axis])
				assert.Less(t, near, r.Origin.Array()[axis])
				assert.Greater(t, far, r.Origin.Array()[axis])
			}
			var h geom.Hit
			assert.True(t, tree.CastRay(&h, &r, geom.CullNone), "%v", r)
			assert.True(t, tree.CastRayAny(&r, geom.CullNone), "%v", r)
			rays, hits := make([]geom.Ray, 24), make([]geom.Hit, 24)
			for i := range rays {
				rays[i] = r
			}
			tree.CastRays(hits, rays, geom.CullNone)
			for _, g := range hits {
				assert.Equal(t, h, g, "%v", r)
			}
		}
	})
}

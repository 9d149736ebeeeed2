package mesh

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestCastConvexAllocatesNothing(t *testing.T) {
	m := mustNew(t, first(Icosphere(1, 3)), second(Icosphere(1, 3)))
	rng := testenv.Rand(1, 1)
	buffer := make([]Impact, 0, m.NumTriangles())
	path, to := Path{Motion: geom.DVec3{X: -1}, Max: 9}, maps(rng)[2]
	points := []geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}}
	found := 0
	testenv.AllocatesNothing(t, 20, func() {
		for _, shape := range [3]Convex{
			ConvexSphere(geom.Sphere{Center: geom.V(6, 0.1, 0.2), Radius: 0.3}),
			ConvexBox(geom.Box{Center: geom.V(6, 0.1, 0.2), HalfExtents: geom.V(0.2, 0.3, 0.1)}),
			ConvexHull(points, geom.At(6, 0.1, 0.2).Affine(), 0.1),
		} {
			if _, ok := m.CastConvex(&shape, &path, to, geom.CullNone); ok && m.CastConvexAny(&shape, &path, to, geom.CullNone) {
				found += len(m.CastConvexAll(buffer, &shape, &path, to, geom.CullNone))
			}
		}
	})
	assert.Positive(t, found)
}

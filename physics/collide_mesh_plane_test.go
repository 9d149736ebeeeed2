package physics

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// A mesh that lies on a plane, or hangs below it, has one manifold with it, along the normal on its
// own side and as deep as its furthest vertex, even where most of a triangle is on the other side.
func TestMeshOnPlane(t *testing.T) {
	r := testenv.Rand(21, 22)
	f := func() float32 { return r.Float32()*2 - 1 }
	plane := Placed{Shape: geom.Plane{Normal: geom.V(0, 1, 0), D: 3}}
	for _, m := range []*mesh.Mesh{meshOfBox, meshOfBall, meshOfTip, gridBox(3), mustMesh(mesh.Box(geom.V(-1, 1, 1)))} {
		for i := range tries(300) {
			turn := geom.Quat{X: f() * 0.02, Y: f(), Z: f() * 0.02, W: f()}.Normalize()
			if i%4 == 0 {
				turn = geom.Quat{X: f(), Y: f(), Z: f(), W: f()}.Normalize()
			}
			side := float32(i%2*2 - 1)
			far := float32(-1)
			for _, v := range m.Vertices() {
				far = max(far, -side*turn.Rotate(v).Y)
			}
			depth := 0.01 * f()
			at := geom.Transform{Position: geom.V(f(), 3+side*(far-depth), f()), Rotation: turn}
			all := Collide(nil, plane, Placed{m, at}, 0.02)
			require.Len(t, all, 1, "%v", at)
			require.Equal(t, geom.V(0, side, 0), all[0].Normal, "%v", at)
			require.InDelta(t, depth, all[0].Depth(), 1e-3)
			back := Collide(nil, Placed{m, at}, plane, 0.02)
			require.Len(t, back, 1)
			require.Equal(t, all[0], back[0].Flipped())
		}
	}
}

package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// A box that leans a little on a floor of triangles stands on its four corners, and a capsule that
// lies on one on both its ends, as on a solid floor.
func TestLeaningOnMeshFloor(t *testing.T) {
	const margin = 0.02
	vertices, indices := mesh.Plane(4, 4, 4, 4)
	coarse := mustMesh(vertices, indices)
	vertices, indices = mesh.Plane(4, 4, 37, 41)
	fine := mustMesh(vertices, indices)
	r := testenv.Rand(1, 7)
	lost, n := 0, tries(500)
	for range n {
		angle := math.Pow(10, -2+1.5*r.Float64()) * math.Pi / 180 // 0.01° to 0.3°
		lean := 2 * math.Pi * r.Float64()
		axis := geom.V(float32(math.Cos(lean)), 0, float32(math.Sin(lean)))
		turn := geom.QuatAxisAngle(axis, angle).Mul(geom.QuatAxisAngle(geom.V(0, 1, 0), 2*math.Pi*r.Float64()))
		at := geom.V(4*r.Float32()-2, 0, 4*r.Float32()-2)
		for _, s := range []Shape{
			geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5), Rotation: geom.QuatIdentity()},
			geom.Box{HalfExtents: geom.V(1, 0.1, 0.3), Rotation: geom.QuatIdentity()},
			geom.Capsule{A: geom.V(-0.8, 0, 0), B: geom.V(0.8, 0, 0), Radius: 0.3},
		} {
			tr := geom.Transform{Position: at, Rotation: turn, Scale: geom.V(1, 1, 1)}
			j := judge(s, tr)
			tr.Position.Y += float32(j.reach(geom.DVec3{Y: -1})) - 0.001
			j = judge(s, tr)
			// The lowest points: the corners of the lower face, or the ends.
			var want []geom.DVec3
			for _, p := range j.points {
				if p.Y-j.radius < margin/2 {
					want = append(want, p.AddMul(-j.radius, geom.DVec3{Y: 1}))
				}
			}
			for _, floor := range []*mesh.Mesh{coarse, fine} {
				all := Collide(nil, Placed{Shape: floor}, j.placed, margin)
				require.Len(t, all, 1)
				require.InDelta(t, 1, all[0].Normal.Y, 1e-6)
				missing := len(want)
				for _, p := range want {
					for _, c := range all[0].ContactPoints() {
						if c.PointB.Wide().Sub(p).Len() < 1e-3 {
							missing--
							assert.InDelta(t, -p.Y, c.Depth, 1e-4)
							break
						}
					}
				}
				if missing > 0 {
					lost++
					if lost == 1 {
						t.Logf("%T %v: %v, want %v", s, tr, all[0], want)
					}
				}
			}
		}
	}
	assert.Zero(t, lost, "of %d", 6*n)
}

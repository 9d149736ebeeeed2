package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// sheet returns an open mesh of columns × rows quads over x and z from −1 to 1.
func sheet(columns, rows int, at func(x, z float64) (px, py, pz float64)) *mesh.Mesh {
	vertices, indices := mesh.Plane(1, 1, columns, rows)
	for i, v := range vertices {
		x, y, z := at(float64(v.X), float64(v.Z))
		vertices[i] = geom.V(float32(x), float32(y), float32(z))
	}
	return mustMesh(vertices, indices)
}

// Contacts at rims and in bends of surfaces are no deeper than the shape is, and on both surfaces.
// Of 10,000 random poses 1 to 100 were like one of these.
func TestContactsAtRims(t *testing.T) {
	dome := sheet(3, 3, func(x, z float64) (float64, float64, float64) { return x, -0.2 * (x*x + z*z), z })
	ridge := sheet(2, 2, func(x, z float64) (float64, float64, float64) { return x, -0.5 * math.Abs(x), z })
	valley := sheet(2, 2, func(x, z float64) (float64, float64, float64) { return x, 0.5 * math.Abs(x), z })
	arch := sheet(5, 1, func(x, z float64) (float64, float64, float64) {
		return math.Sin(1.5 * x), math.Cos(1.5 * x), z
	})
	corner := mustMesh([]geom.Vec3{{X: -1}, {X: 1}, {X: 1, Z: 1}, {X: -1, Z: 1}, {X: -1, Y: 1}, {X: 1, Y: 1}}, []uint32{0, 3, 2, 0, 2, 1, 0, 1, 5, 0, 5, 4})
	crate := geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}
	plank := geom.Box{HalfExtents: geom.V(0.5, 0.1, 0.25)}
	for name, tt := range map[string]struct {
		mesh  *mesh.Mesh
		shape Shape
		at    geom.Vec3
		turn  geom.Quat
		depth float64
		walls []geom.Vec3 // if any, at right angles: the only normals, and what is between them
	}{
		"edge of a plank in a bend of a rim": {
			dome, plank, geom.V(0.1808128, -0.30449927, 1.1985396), geom.Quat{X: -0.4719869, Y: 0.71641, Z: -0.13801166, W: 0.494912}, 0.0099, nil,
		},
		"plank under a roof from beyond its rim": {
			ridge, plank, geom.V(-0.21930383, -0.064261764, -1.3292625), geom.Quat{X: 0.9618282, Y: -0.18666096, Z: 0.17886886, W: 0.089722656}, 0.01, nil,
		},
		"corner of a crate in a valley's rim": {
			valley, crate, geom.V(0.20329446, 0.7526997, -1.0102414), geom.Quat{X: -0.18977612, Y: 0.14316656, Z: 0.25840256, W: 0.9363314}, 0.01, nil,
		},
		"tip of a mesh in a corner": {
			corner, meshOfTip, geom.V(0.53210354, 0.4925616, 0.48116943), geom.Quat{X: -0.46413702, Y: 0.72857815, Z: -0.037326526, W: 0.5023519}, 0.01, []geom.Vec3{{Y: 1}, {Z: 1}},
		},
		"mesh across a ridge": {
			ridge, meshOfTip, geom.V(-0.4171279, -0.5477421, 0.042450875), geom.Quat{X: 0.72907096, Y: 0.41463053, Z: 0.17366053, W: 0.5161192}, 0.001, nil,
		},
		"mesh under an arch": {
			arch, meshOfBox, geom.V(0.21763784, 0.23399153, -0.62164533), geom.Quat{X: 0.036011245, Y: -0.7281411, Z: -0.3567731, W: 0.5841461}, 0.001, nil,
		},
		"mesh at a rim": {
			ridge, meshOfBox, geom.V(0.098664485, -0.40910673, 1.4132954), geom.Quat{X: -0.5590635, Y: 0.42881575, Z: -0.07149557, W: -0.70601237}, 0.001, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			body := judge(tt.shape, geom.Transform{Position: tt.at, Rotation: tt.turn, Scale: geom.V(1, 1, 1)})
			all := Collide(nil, Placed{Shape: tt.mesh}, body.placed, 0.02)
			require.NotEmpty(t, all)
			deepest := 0.0
			for i := range all {
				x := &all[i]
				deepest = max(deepest, float64(x.Depth()))
				rest := x.Normal
				for _, n := range tt.walls {
					rest = rest.Sub(n.Mul(max(0, x.Normal.Dot(n))))
				}
				assert.True(t, tt.walls == nil || rest.Len() < 1e-3, "normal %v", x.Normal)
				for _, c := range x.ContactPoints() {
					assert.Less(t, offTriangle(c.PointA.Wide(), tt.mesh.Triangle(int(c.TriangleA))), 1e-4)
					assert.Less(t, body.off(&c), 1e-4, "%v", c)
				}
			}
			assert.Less(t, deepest, 1.02*tt.depth+1e-4)
			assert.Greater(t, deepest, 0.95*tt.depth)
		})
	}
}

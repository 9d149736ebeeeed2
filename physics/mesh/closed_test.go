package mesh_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// The meshes of the tests of guarantees. They are the same to the bit on every architecture: none
// is made with a sine.

// surface is the vertices and indices of a mesh.
type surface struct {
	name     string
	vertices []geom.Vec3
	indices  []uint32
}

func (s surface) mesh(t testing.TB) *mesh.Mesh {
	m, err := mesh.New(s.vertices, s.indices)
	require.NoError(t, err)
	require.NoError(t, m.Validate())
	return m
}

// add appends triangles.
func (s *surface) add(vertices []geom.Vec3, indices []uint32) {
	for _, i := range indices {
		s.indices = append(s.indices, uint32(len(s.vertices))+i)
	}
	s.vertices = append(s.vertices, vertices...)
}

// closedSurfaces have no holes and no self-intersections, and their fronts are outside.
func closedSurfaces(t testing.TB) []surface {
	sphere := surface{name: "sphere"}
	sphere.add(mesh.Icosphere(1, 4))
	return []surface{sphere, bunny(t), ring(48, 24), city()}
}

// bunny is the mesh that the project ships.
func bunny(t testing.TB) surface {
	model, err := meshio.ReadFile(testenv.Path(t, "examples/sandbox/assets/bunny.glb"))
	require.NoError(t, err)
	m, err := model.Mesh()
	require.NoError(t, err)
	return surface{"bunny", m.Vertices(), m.Indices()}
}

// onCircle returns one of n points on the unit circle, by its rational parametrisation: all are
// different, but not evenly spaced.
func onCircle(i, n int) (x, y float64) {
	quarter, rest := 4*i/n, float64(4*i%n)/float64(n)
	s := float64(rest * rest)
	x, y = (1-s)/(1+s), 2*rest/(1+s)
	for range quarter {
		x, y = -y, x
	}
	return x, y
}

// ring is a torus around the Y axis, with a hole through which rays pass.
func ring(segments, sides int) surface {
	s := surface{name: "torus"}
	for i := range segments {
		cos, sin := onCircle(i, segments)
		for j := range sides {
			out, up := onCircle(j, sides)
			r := 3 + out
			s.vertices = append(s.vertices, geom.DVec3{X: float64(r * cos), Y: up, Z: float64(r * sin)}.Narrow())
			at := func(i, j int) uint32 { return uint32(i%segments*sides + j%sides) }
			a, b, c, d := at(i, j), at(i, j+1), at(i+1, j+1), at(i+1, j)
			s.indices = append(s.indices, a, b, c, a, c, d)
		}
	}
	return s
}

// city is 400 houses, each rotated, 10 km from the origin, where the spacing of float32 is a
// millimetre.
func city() surface {
	s := surface{name: "city"}
	n := golden.Numbers(5)
	for i := range 400 {
		half := geom.V(4+n.Float(2), 18+n.Float(15), 4+n.Float(2))
		turn := geom.Quat{Y: n.Float(1), W: n.Float(1)}.Normalize()
		at := geom.V(float32(10_000+20*(i%20)), half.Y, float32(-10_000+20*(i/20)))
		vertices, indices := mesh.Box(half)
		for j, v := range vertices {
			vertices[j] = at.Add(turn.Rotate(v))
		}
		s.add(vertices, indices)
	}
	return s
}

// slivers are long triangles, many of them thinner than float32 resolves.
func slivers() surface {
	s := surface{name: "slivers"}
	n := golden.Numbers(6)
	for i := range 500 {
		a, b := n.Vec(1), n.Vec(1)
		width := float32(1) / float32(uint64(1)<<(4+i%24))
		s.add([]geom.Vec3{a, b, a.Add(b).Mul(0.5).Add(n.Vec(width))}, []uint32{0, 1, 2})
	}
	return s
}

// crossing is triangles of all sizes that intersect each other, some of them duplicated and some
// degenerate.
func crossing() surface {
	s := surface{name: "crossing"}
	n := golden.Numbers(7)
	for i := range 500 {
		c, size := n.Vec(1), float32(1)/float32(int(1)<<(i%8))
		corners := []geom.Vec3{c.Add(n.Vec(size)), c.Add(n.Vec(size)), c.Add(n.Vec(size))}
		switch i % 20 {
		case 0:
			corners[2] = corners[0]
		case 1:
			corners = []geom.Vec3{c, c, c}
		case 2, 3:
			s.add(corners, []uint32{0, 1, 2})
		}
		s.add(corners, []uint32{0, 1, 2})
	}
	return s
}

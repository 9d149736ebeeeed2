package physics

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// A crowd is pushed in the same way, to the last bit, by each of the ways in which it is computed:
// the walk through the tree or a search for each body, closed forms or contacts of any shapes, a
// look at the triangles around many bodies or around each.
func TestSeparateTwins(t *testing.T) {
	pushes := func(change func(g *crowd)) (*crowd, []geom.Vec3) {
		g := goldenCrowd(t, 400, 3, true)
		vertices, indices := mesh.Plane(40, 40, 40, 40)
		for i := 0; i < len(vertices); i += 17 {
			vertices[i].Y = 2
		}
		spikes, err := mesh.New(vertices, indices)
		require.NoError(t, err)
		g.Space.Add(Collider{Shape: spikes, Static: true})
		g.Up = geom.V(0, 1, 0)
		change(g)
		var all []geom.Vec3
		for range 3 {
			g.step()
			for _, m := range g.movables[:400] {
				all = append(all, m.Push)
			}
		}
		return g, all
	}
	g, want := pushes(func(*crowd) {})
	assert.True(t, g.joined && g.bodies.simple)
	ofCells := func(ground bool) bool {
		return slices.ContainsFunc(g.grounds.cells, func(c cell) bool { return c.bodies > 1 && c.ground == ground })
	}
	assert.True(t, ofCells(true) && ofCells(false), "some have spikes")
	for name, c := range map[string]struct {
		joined, simple bool
		change         func(g *crowd)
	}{
		"many others far away": {false, true, func(g *crowd) {
			for i := range 1000 {
				g.Space.Add(ballAt(float32(4*i), 500, 0))
			}
		}},
		"many that are pushed little": {false, true, func(g *crowd) {
			for i := range 2000 {
				g.add(ballAt(float32(4*i), 500, 0))
				g.movables[len(g.movables)-1].MaxPush = 1e-4
			}
		}},
		"one that may be pushed far": {false, true, func(g *crowd) {
			g.add(Collider{Shape: geom.Sphere{Radius: 50}, Transform: geom.At(0, 900, 0)})
		}},
		"one of another shape": {true, false, func(g *crowd) {
			g.add(Collider{Shape: geom.Box{HalfExtents: geom.V(0.3, 0.3, 0.3)}, Transform: geom.At(0, 900, 0)})
		}},
	} {
		g, got := pushes(c.change)
		assert.Equal(t, c.joined, g.joined, name)
		assert.Equal(t, c.simple, g.bodies.simple, name)
		assert.Equal(t, want, got, name)
	}
}

//go:build !race

package physecs

import (
	"math/rand/v2"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
	"github.com/hitscan-go/hitscan/picking"
)

// city is a world of 100,000 colliders, ten of them meshes of 70,000 triangles with memory of their
// own, and a camera that looks down at it as in a strategy game.
type city struct {
	*game
	raycast RaycastSystem
	view    *View
	pointer *Pointer
	hover   *Hover
	space   *Space
	meshes  map[ecs.Entity]bool
	// Positions of the cursor: anywhere in the window, and over a mesh.
	anywhere, overMesh [][2]float64
}

func newCity(t testing.TB) *city {
	// Benchmarks use the bunny of the measuring data; tests, which are to have the same cases on
	// every machine, a torus of as many triangles.
	vertices, indices := mesh.Torus(1, 0.4, 350, 100)
	if _, measured := t.(*testing.B); measured {
		model, err := meshio.ReadFile(testenv.Data(t, "meshes/bunny.obj"))
		require.NoError(t, err)
		vertices, indices = model.Parts[0].Vertices, model.Parts[0].Indices
	}
	c := &city{game: newGame(), meshes: map[ecs.Entity]bool{}}
	c.raycast.Initialize(c.World)
	c.view, c.pointer, c.hover = ecs.GetResource[View](c.World), ecs.GetResource[Pointer](c.World), ecs.GetResource[Hover](c.World)
	c.view.Projection = picking.Perspective(0.8, 0.5, 2000)
	size := picking.Size{Width: 1280, Height: 720}
	c.view.Viewport = picking.FullViewport(size, size)
	c.view.LookAt(geom.V(0, 60, 90), geom.V(0, 0, 0), geom.V(0, 1, 0))

	rng := rand.New(rand.NewPCG(1, 2))
	anywhere := func() geom.Vec3 { return geom.V(1000*rng.Float32()-500, 3*rng.Float32(), 1000*rng.Float32()-500) }
	meshes := ecs.GetResource[Meshes](c.World)
	for i := range 10 {
		m, err := mesh.New(vertices, indices)
		require.NoError(t, err)
		b := m.Bounds()
		scale := 14 / b.HalfExtents().Y / 2
		at := geom.V(float32(i%5-2)*25, -b.Min.Y*scale, float32(i/5)*30-15)
		e := c.add(geom.Transform{Position: at, Scale: geom.V(scale, scale, scale), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), float64(i))}, Mesh(meshes.Add(m)))
		c.meshes[e] = true
	}
	c.add(geom.Transform{}, Plane(geom.V(0, 1, 0), 0))
	for i := 11; i < 100_000; i++ {
		turn := geom.Transform{Position: anywhere(), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 6*rng.Float64())}
		switch i % 4 {
		case 0:
			c.add(turn, Box(geom.V(0.5, 1, 0.7)))
		case 1:
			c.add(turn, AABB(geom.V(0.5, 1, 0.5)))
		case 2:
			c.add(turn, Sphere(0.6))
		case 3:
			c.add(turn, Capsule(0.6, 0.4))
		}
	}
	c.space = Sync(c.World)
	c.pointer.Inside = true
	for len(c.anywhere) < 4096 || len(c.overMesh) < 4096 {
		at := [2]float64{1280 * rng.Float64(), 720 * rng.Float64()}
		if c.pick(at); c.meshes[c.hover.Entity] {
			c.overMesh = append(c.overMesh, at)
		}
		if len(c.anywhere) < 4096 {
			c.anywhere = append(c.anywhere, at)
		}
	}
	return c
}

// pick finds what is under the cursor.
func (c *city) pick(at [2]float64) {
	c.pointer.X, c.pointer.Y = at[0], at[1]
	c.raycast.Update(c.World)
}

// From the cursor to the hit, without the sync; and its parts.
func BenchmarkPickInACity(b *testing.B) {
	c := newCity(b)
	ray := func(at [2]float64) geom.Ray {
		r, _ := c.view.Ray(at[0], at[1])
		return r
	}
	see := picking.PickFilter()
	for _, places := range []struct {
		name string
		list [][2]float64
	}{{"anywhere", c.anywhere}, {"over a mesh", c.overMesh}} {
		rays := make([]geom.Ray, len(places.list))
		for i, at := range places.list {
			rays[i] = ray(at)
		}
		run := func(name string, f func(i int)) {
			b.Run(places.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					f(i & 4095)
				}
			})
		}
		run("pick", func(i int) { c.pick(places.list[i]) })
		run("ray alone", func(i int) { ray(places.list[i]) })
		run("cast alone", func(i int) { c.space.CastRay(rays[i], Filter{Start: see.Start, Cull: see.Cull}) })
		run("cast in the space beneath", func(i int) {
			c.space.Physics().CastRay(rays[i], physics.Filter{Start: see.Start, Cull: see.Cull})
		})
		run("pick in the same place again", func(i int) { c.pick(places.list[0]) })
	}
}

// A pick allocates nothing, and finds the first of all hits.
func TestPickInACity(t *testing.T) {
	c := newCity(t)
	require.Equal(t, 100_000, c.space.Len())
	i := 0
	assertNoAllocs(t, func() {
		c.pick(c.overMesh[i])
		c.pick(c.anywhere[i])
		i++
	})
	see := picking.PickFilter()
	for _, at := range append(c.overMesh[:50:50], c.anywhere[:50]...) {
		c.pick(at)
		all := c.space.CastRayAll(nil, c.hover.Ray, Filter{Start: see.Start, Cull: see.Cull})
		require.Equal(t, c.hover.OK, len(all) > 0)
		if c.hover.OK {
			require.Equal(t, all[0], c.hover.Hit)
		}
	}
}

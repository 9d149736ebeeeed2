package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// In a 2D game the origin of the pointer's ray is where the pointer is, whether anything is there
// or not, and the point of a hit is on the sphere of a circle.
func TestPointerInThePlane(t *testing.T) {
	g := newGame()
	ecs.AddResource(g.World, NewPlanarSpace())
	ball := g.add(geom.At2D(2, 1, 0), Sphere(1))
	sim := Simulation{}
	sim.Initialize(g.World)
	size := picking.Size{Width: 800, Height: 600}
	*Resource[View](g.World) = View{Camera: picking.Camera{Projection: picking.Orthographic(6, -10, 10)}, Viewport: picking.FullViewport(size, size)}
	pointer, hover := Resource[Pointer](g.World), Resource[Hover](g.World)
	for _, at := range []geom.Vec3{geom.V(2.25, 1.5, 0), geom.V(-3, -2, 0)} {
		pointer.Input = picking.Input{X: 400 + 100*float64(at.X), Y: 300 - 100*float64(at.Y), Inside: true}
		sim.Update(g.World)
		const pixel = 0.01
		assert.InDelta(t, at.X, hover.Ray.Origin.X, pixel)
		assert.InDelta(t, at.Y, hover.Ray.Origin.Y, pixel)
		assert.Equal(t, at.X > 0, hover.OK)
		if hover.OK {
			assert.Equal(t, ball, hover.Entity)
			assert.Greater(t, hover.Point.Z, float32(0.5))
		}
	}
}

// A character drops through a one-way platform while its Mask leaves the layer out, for a fifth of
// a second, and lands on the next one.
func TestMoverDropsThrough(t *testing.T) {
	const platforms physics.Layers = 4
	for _, planar := range []bool{false, true} {
		g := newGame()
		if planar {
			ecs.AddResource(g.World, NewPlanarSpace())
		}
		sim := Simulation{Headless: true}
		sim.Initialize(g.World)
		for _, y := range []float32{0, 2, 4} {
			c := Box(geom.V(3, 0.1, 3))
			if y > 0 {
				c.Layer = platforms
			}
			g.add(geom.At(0, y-0.1, 0), c)
		}
		heroes := generic.NewMap4[Transform, Collider, Mover, MoverState](g.World)
		body := Capsule(0.6, 0.3)
		body.Center.Y = 0.9
		hero := heroes.NewWith(new(geom.At(0, 4.1, 0)), &body, &Mover{OneWay: platforms}, &MoverState{})
		for _, want := range []float32{4, 2, 0} {
			for range 60 {
				sim.Update(g.World)
			}
			at, _, m, st := heroes.Get(hero)
			assert.Equal(t, physics.OnGround, st.Ground)
			assert.InDelta(t, want+physics.DefaultOffset, at.Position.Y, 0.01)
			m.Mask = ^platforms
			for range 12 {
				sim.Update(g.World)
			}
			_, _, m, _ = heroes.Get(hero)
			m.Mask = 0
		}
	}
}

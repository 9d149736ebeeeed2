package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// What moves or casts is on the layers of its own collider, so that a wall whose Mask leaves them
// out lets it through, unless it names other layers.
func TestOwnLayerIsThatOfTheCollider(t *testing.T) {
	const players physics.Layers = 2
	for _, c := range []struct {
		name   string
		layer  physics.Layers // of the collider
		own    physics.Layers // of the component
		passes bool
	}{
		{"its collider's", players, 0, true},
		{"the default layer", 0, 0, false},
		{"its own", 0, players, true},
		{"its own, not its collider's", players, physics.DefaultLayer, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame()
			wall := Box(geom.V(0.5, 5, 5))
			wall.Mask = physics.AllLayers &^ players
			g.add(geom.At(3, 0, 0), wall)
			ball := Sphere(0.5)
			ball.Layer = c.layer
			mover := put(g, Mover{Velocity: geom.V(60, 0, 0), Flies: true, OwnLayer: c.own}, g.transform, g.collider, ecs.ComponentID[MoverState](g.World))
			*g.colliders.Get(mover) = ball
			shot := put(g, Projectile{Velocity: geom.V(600, 0, 0), OwnLayer: c.own}, g.transform, g.collider)
			*g.colliders.Get(shot), *g.transforms.Get(shot) = ball, geom.At(0, 3, 0)
			ray := put(g, RayCaster{Ray: geom.NewRay(geom.Vec3{}, geom.V(1, 0, 0)), OwnLayer: c.own}, g.transform, g.collider)
			*g.colliders.Get(ray), *g.transforms.Get(ray) = ball, geom.At(0, -3, 0)
			shape := put(g, ShapeCaster{Shape: Sphere(0.1), Motion: geom.V(9, 0, 0), OwnLayer: c.own}, g.transform, g.collider)
			*g.colliders.Get(shape), *g.transforms.Get(shape) = ball, geom.At(0, 0, 3)
			movers, projectiles, casters := MoverSystem{}, ProjectileSystem{}, CasterSystem{}
			for range 10 {
				Sync(g.World)
				movers.Update(g.World)
				projectiles.Update(g.World)
			}
			Sync(g.World)
			casters.Update(g.World)
			assert.Equal(t, c.passes, g.transforms.Get(mover).Position.X > 3, "mover")
			assert.Equal(t, c.passes, g.transforms.Get(shot).Position.X > 3, "projectile")
			hits := ecs.GetResource[CasterHits](g.World)
			_, found := hits.Ray(ray)
			assert.Equal(t, c.passes, !found, "ray")
			_, found = hits.Shape(shape)
			assert.Equal(t, c.passes, !found, "shape")
		})
	}
	g := newGame()
	wall := Box(geom.V(0.5, 5, 5))
	wall.Mask = players
	g.add(geom.At(3, 0, 0), wall)
	ray := put(g, RayCaster{Ray: geom.NewRay(geom.Vec3{}, geom.V(1, 0, 0))}, g.transform)
	Sync(g.World)
	new(CasterSystem).Update(g.World)
	_, found := ecs.GetResource[CasterHits](g.World).Ray(ray)
	assert.True(t, found, "without a collider it is on all layers")
}

package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestBodyFallsAndSleeps(t *testing.T) {
	w := ecs.NewWorld()
	system, sync := DynamicsSystem{}, SyncSystem{}
	system.Initialize(&w)
	things := generic.NewMap2[Transform, Collider](&w)
	bodies := generic.NewMap4[Transform, Collider, Body, Velocity](&w)
	things.NewWith(new(geom.At(0, -1, 0)), new(Box(geom.V(10, 1, 10))))
	crate := bodies.NewWith(new(geom.At(0, 3, 0)), new(Box(geom.V(0.5, 0.5, 0.5))), &Body{}, &Velocity{})
	d := ecs.GetResource[Dynamics](&w)
	for range 200 {
		system.Update(&w)
		sync.Update(&w)
		require.Zero(t, ecs.GetResource[Space](&w).Stats().Moved, "the next Sync sees no teleport")
	}
	tr, _, _, v := bodies.Get(crate)
	assert.InDelta(t, 0.5, tr.Position.Y, 0.005)
	assert.False(t, d.IsAwake(crate))
	assert.Zero(t, *v)
	assert.True(t, d.ApplyImpulse(crate, geom.V(0, 5000, 0)))
	system.Update(&w)
	assert.InDelta(t, 5-9.81/60, v.Linear.Y, 0.1)
}

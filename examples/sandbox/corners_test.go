package main

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// TestCorners compares the contacts of the scene with where its shapes were put.
func TestCorners(t *testing.T) {
	w := ecs.NewWorld()
	new(physecs.Simulation).Initialize(&w)
	s, err := newCorners(&w)
	require.NoError(t, err)
	space := physecs.Sync(&w)
	assert.Zero(t, space.Stats().Nowhere)
	out := geom.V(1, 1, 1).Normalize()
	for name, normal := range map[string]geom.Vec3{
		"crate": out, "ball": out, "plank": geom.V(0, 1, 0), "brick": geom.V(0, 1, 0), "gem": geom.V(0, 1, 0), "capsule": geom.V(1, 0, 0),
	} {
		e, ok := s.named(name)
		require.True(t, ok, name)
		id, ok := space.Collider(e)
		require.True(t, ok, name)
		var touched []physics.Manifold
		for _, block := range s.all[:cornerBlocks] {
			with, _ := space.Collider(block)
			touched = space.Physics().Collide(touched, with, id, 0)
		}
		require.Len(t, touched, 1, name)
		assert.InDelta(t, 1, touched[0].Normal.Dot(normal), 1e-6, name)
		assert.InDelta(t, 0.04, touched[0].Depth(), 0.004, name) // the brick is tilted a little
	}
}

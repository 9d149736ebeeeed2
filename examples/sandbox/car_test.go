package main

import (
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// TestCar drives the car up the slope, over the bridge, and down, and back in time.
func TestCar(t *testing.T) {
	s := simulate(t, func(w *ecs.World) (*scene, error) { return newCar(w, geom.V(0, 0.8, -36)) })
	for e, err := range ecs.GetResource[physecs.Dynamics](s.world).Faults() {
		require.NoError(t, err, s.scene.names[e])
	}
	s.run(60)
	at := s.place("car")
	require.InDelta(t, 0, at.Distance(geom.V(0, 0.75, -36)), 0.2, "it stands")
	c := s.scene.car
	dynamics := ecs.GetResource[physecs.Dynamics](s.world)
	c.keys = func(k glfw.Key) bool { // not so fast over the edges of the piers
		id, _ := dynamics.Body(c.hull)
		v, _, _ := dynamics.Rigid().Velocity(id)
		return k == glfw.KeyW && v.Len() < 5
	}
	deck := float32(0)
	for range 1200 {
		s.stepOnce()
		if p := s.place("car"); p.Z > -5 && p.Z < 5 {
			deck = max(deck, p.Y)
		}
	}
	assert.InDelta(t, 3.9, deck, 1, "on the bridge")
	assert.Greater(t, s.place("car").Z, float32(30))
	up := s.places.Get(s.entity("car")).Rotation.Rotate(geom.V(0, 1, 0))
	assert.Greater(t, up.Y, float32(0.9))
	after := s.place("car")
	s.seek(s.step - 200)
	s.seek(s.step + 200)
	assert.Equal(t, after, s.place("car"))
}

package main

import (
	"testing"

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
	require.InDelta(t, 0, at.Distance(geom.V(0, 0.42, -36)), 0.2, "it stands")
	c := s.scene.car
	dynamics := ecs.GetResource[physecs.Dynamics](s.world)
	c.keys = func(k string) bool { // not so fast over the edges of the piers
		id, _ := dynamics.Body(c.hull)
		v, _, _ := dynamics.Rigid().Velocity(id)
		return k == "W" && v.Len() < 5
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

// TestCarAtFullSpeed holds W: the car climbs 30 degrees, jumps off the edge onto the bridge, and
// off its end, and lands on its wheels each time. A turn at full speed does not tip it over either.
func TestCarAtFullSpeed(t *testing.T) {
	for name, c := range map[string]struct {
		start geom.Vec3
		turns bool
	}{"straight": {geom.V(0, 0.8, -60), false}, "a turn": {geom.V(20, 0.8, -60), true}} {
		t.Run(name, func(t *testing.T) {
			s := simulate(t, func(w *ecs.World) (*scene, error) { return newCar(w, c.start) })
			dynamics := ecs.GetResource[physecs.Dynamics](s.world)
			least, top, fastest := float32(1), float32(0), float32(0)
			for i := range 700 {
				s.scene.car.keys = func(k string) bool { return k == "W" || c.turns && i > 240 && k == "A" }
				s.stepOnce()
				id, _ := dynamics.Body(s.scene.car.hull)
				v, _, _ := dynamics.Rigid().Velocity(id)
				fastest, top = max(fastest, v.Len()), max(top, s.place("car").Y)
				least = min(least, s.places.Get(s.entity("car")).Rotation.Rotate(geom.V(0, 1, 0)).Y)
			}
			assert.Greater(t, fastest, float32(13))
			if c.turns {
				assert.Greater(t, least, float32(0.99))
				ahead := s.places.Get(s.entity("car")).Rotation.Rotate(geom.V(0, 0, 1))
				assert.Less(t, ahead.Z, float32(0.3), "it has turned to the side")
				return
			}
			// On the deck the car is at 4.4 m. On the slope, up has a cosine of 0.87 to the
			// vertical.
			assert.Greater(t, top, float32(5.4), "it jumps")
			assert.Greater(t, least, float32(0.8))
			assert.Greater(t, s.place("car").Z, float32(40))
			assert.InDelta(t, 0, s.place("car").X, 1.5, "it drives straight")
		})
	}
}

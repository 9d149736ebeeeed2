package main

import (
	"fmt"
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// simulated is a scene of rigid bodies without a window.
type simulated struct {
	*simulation
	t      *testing.T
	places generic.Map[physecs.Transform]
}

func simulate(t *testing.T, fill func(w *ecs.World) (*scene, error)) *simulated {
	w := ecs.NewWorld()
	new(physecs.Systems).Initialize(&w)
	s, err := fill(&w)
	require.NoError(t, err)
	physecs.Sync(&w)
	return &simulated{s.simulation, t, generic.NewMap[physecs.Transform](&w)}
}

func (s *simulated) run(steps int) {
	for range steps {
		s.stepOnce()
	}
}

func (s *simulated) entity(name string) ecs.Entity {
	e, ok := s.scene.named(name)
	require.True(s.t, ok, name)
	return e
}

func (s *simulated) place(name string) geom.Vec3 { return s.places.Get(s.entity(name)).Position }

// throwAt throws a ball from a point at an entity's centre.
func (s *simulated) throwAt(name string, from geom.Vec3) {
	hit := physecs.Hit{Entity: s.entity(name)}
	hit.Point = s.place(name)
	s.throw(geom.Ray{Origin: from, Dir: hit.Point.Sub(from)}, hit, true)
}

// TestStack lets the stacks stand, which none leaves, and topples some.
func TestStack(t *testing.T) {
	s := simulate(t, newStack)
	before := map[ecs.Entity]geom.Vec3{}
	for _, e := range s.scene.all {
		before[e] = s.places.Get(e).Position
	}
	s.run(240)
	dynamics := ecs.GetResource[physecs.Dynamics](s.world)
	for e, err := range dynamics.Faults() {
		require.NoError(t, err, s.scene.names[e])
	}
	for e, at := range before {
		// The height of a course of the pyramid: a brick that has fallen has moved by more.
		assert.Less(t, at.Distance(s.places.Get(e).Position), float32(0.3), s.scene.names[e])
	}
	s.throwAt("cube-4", geom.V(4, 4, 18))
	first := s.entity("domino-0")
	require.True(t, dynamics.ApplyImpulseAt(first, geom.V(25, 0, 0), s.place("domino-0").Add(geom.V(0, 0.4, 0))))
	s.run(400)
	assert.Less(t, s.place("cube-8").Y, float32(2), "the column has fallen")
	for i := range 25 {
		name := fmt.Sprintf("domino-%d", i)
		up := s.places.Get(s.entity(name)).Rotation.Rotate(geom.V(0, 1, 0))
		assert.Less(t, up.Y, float32(0.7), name)
	}
	for _, e := range s.scene.all {
		assert.Greater(t, s.places.Get(e).Position.Y, float32(0), s.scene.names[e])
	}
}

// TestPile pours a small pile: what is poured ends in the crater, and the rest hangs above it.
func TestPile(t *testing.T) {
	const n = 240
	s := simulate(t, func(w *ecs.World) (*scene, error) { return newPile(w, n) })
	dynamics := ecs.GetResource[physecs.Dynamics](s.world)
	for e, err := range dynamics.Faults() {
		require.NoError(t, err, s.scene.names[e])
	}
	assert.Zero(t, dynamics.Rigid().Awake())
	cloud := s.scene.all[1 : 1+n] // after the crater
	s.run(10)
	for i, e := range cloud {
		assert.Equal(t, i < 10*pouredAStep, dynamics.IsAwake(e), i)
	}
	s.run(230)
	for _, e := range cloud {
		p := s.places.Get(e).Position
		assert.Less(t, p.Y, float32(cloudHeight))
		assert.Greater(t, float64(p.Y), craterHeight(float64(p.X), float64(p.Z)), s.scene.names[e])
		assert.Less(t, math.Hypot(float64(p.X), float64(p.Z)), 11.5, s.scene.names[e])
	}
	assert.Equal(t, len(s.scene.all)-1-n-len(s.balls), 4, "the rest is the kerb of the tray")
}

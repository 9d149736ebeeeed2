package main

import (
	"fmt"
	"math"
	"testing"
	"time"

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
	new(physecs.Simulation).Initialize(&w)
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
		// One that leans on the next leans by at least the gap, 0.24 m, to its height of 0.9 m.
		assert.Less(t, up.Y, float32(0.97), name)
	}
	for _, e := range s.scene.all {
		assert.Greater(t, s.places.Get(e).Position.Y, float32(0), s.scene.names[e])
	}
}

// TestHistory goes back and forth in time: at each step all is where it was.
func TestHistory(t *testing.T) {
	s := simulate(t, newStack)
	poses := func() (all []physecs.Transform) {
		for _, e := range s.scene.all {
			all = append(all, *s.places.Get(e))
		}
		return all
	}
	known := [][]physecs.Transform{poses()}
	steps := func(n int) {
		for range n {
			s.run(1)
			known = append(known, poses())
		}
	}
	steps(40)
	s.throwAt("cube-6", geom.V(3, 3, 12))
	steps(45)
	s.throwAt("plank-9-1", geom.V(-3, 3, 12))
	steps(35)
	require.NotEqual(t, known[80], known[120])
	for _, step := range []int{60, 0, 119, 41, 40, 39, 120, 83} {
		s.seek(step)
		require.Equal(t, step, s.step)
		require.Equal(t, known[step], poses(), step)
	}
	s.run(10) // as it was, with the second throw
	require.Equal(t, known[93], poses())
	s.seek(-5)
	require.Equal(t, known[0], poses())

	// Another throw makes another future.
	s.seek(50)
	s.throwAt("stone-5-0", geom.V(3, 3, 12))
	assert.Equal(t, 50, s.history.newest)
	assert.Len(t, s.throws, 2)
	s.run(70)
	assert.NotEqual(t, known[120], poses())
	s.seek(50)
	require.Equal(t, known[50], poses())

	// The ring is full, and its oldest state is as far as one can go back.
	s.history = newHistory(4, 5)
	s.history.save(s.world, 52)
	s.step = 52
	s.run(30)
	s.seek(0)
	assert.Equal(t, 64, s.step)
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

// TestPull pulls a brick out of the pyramid, and goes back and forth in time.
func TestPull(t *testing.T) {
	s := simulate(t, newStack)
	drags := ecs.GetResource[physecs.Drags](s.world)
	s.run(20)
	brick := s.entity("brick-28-0")
	at := s.places.Get(brick).Position
	for i := range 60 {
		target := at.Add(geom.V(0, 0.05*float32(i), 0.05*float32(i)))
		drags.List = append(drags.List[:0], physecs.Drag{Entity: brick, Point: geom.V(0.1, 0.1, 0.1), Target: target})
		s.run(1)
	}
	drags.List = nil
	lifted := *s.places.Get(brick)
	assert.Greater(t, lifted.Position.Y, at.Y+2)
	s.run(30)
	end := *s.places.Get(brick)
	for _, step := range []int{50, 0, 80, 110} {
		s.seek(step)
	}
	require.Equal(t, end, *s.places.Get(brick))
	s.seek(80)
	require.Equal(t, lifted, *s.places.Get(brick))
	s.run(30) // as it was
	require.Equal(t, end, *s.places.Get(brick))

	// Another pull makes another future.
	s.seek(40)
	drags.List = append(drags.List, physecs.Drag{Entity: brick, Target: at.Add(geom.V(-3, 1, 0))})
	s.run(1)
	assert.Equal(t, 41, s.history.newest)
	assert.Len(t, s.pulls, 21)
}

// The other scenes of bodies have none that is at fault or lost, and all stay above the ground.
func TestScenesOfBodies(t *testing.T) {
	for name, c := range map[string]struct {
		fill  func(w *ecs.World) (*scene, error)
		steps int
	}{"ragdolls": {newRagdolls, 240}, "washer": {newWasher, 120}, "pyramid": {newPyramid, 2}} {
		t.Run(name, func(t *testing.T) {
			s := simulate(t, c.fill)
			s.run(c.steps)
			for e, err := range ecs.GetResource[physecs.Dynamics](s.world).Faults() {
				require.NoError(t, err, s.scene.names[e])
			}
			for _, e := range s.scene.all {
				require.Greater(t, s.places.Get(e).Position.Y, float32(-0.05), s.scene.names[e])
			}
		})
	}
}

// A slow frame makes all its steps, at most half a second of them, unless they take too long.
func TestAdvance(t *testing.T) {
	s := simulate(t, func(w *ecs.World) (*scene, error) { return newPile(w, 1) })
	for _, c := range []struct {
		dt     float64
		budget time.Duration
		steps  int
	}{{0.28, time.Hour, 16}, {0.028, time.Hour, 2}, {9, time.Hour, 30}, {9, 0, 1}} {
		before := s.step
		s.advance(c.dt, c.budget)
		assert.Equal(t, c.steps, s.step-before, c)
	}
}

package main

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// arenaPlayer is the arena without a window, driven by key presses.
type arenaPlayer struct {
	*arena
	t    *testing.T
	app  *app
	held map[string]bool
}

func newArenaPlayer(t *testing.T) *arenaPlayer {
	a := &app{world: ecs.NewWorld(), config: config{steady: true}}
	require.NoError(t, a.fill(arenaScene))
	size := picking.Size{Width: 1280, Height: 720}
	*a.view() = physecs.View{Camera: a.scene.home.Camera(), Viewport: picking.FullViewport(size, size)}
	s := &arenaPlayer{arena: a.scene.arena, t: t, app: a, held: map[string]bool{}}
	s.arena.keys = func(k string) bool { return s.held[k] }
	s.chase.orbit.Yaw = 0
	s.walk(2)
	return s
}

// walk runs ticks while keys are held.
func (s *arenaPlayer) walk(ticks int, keys ...string) {
	clear(s.held)
	for _, k := range keys {
		s.held[k] = true
	}
	for range ticks {
		s.app.walk(steadyTick)
		require.Zero(s.t, s.walker.state().Depth, "in something at %v", s.place())
	}
}

// walkUntil walks until a condition holds.
func (s *arenaPlayer) walkUntil(what string, done func() bool, keys ...string) {
	s.t.Helper()
	for range 900 {
		if done() {
			return
		}
		s.walk(1, keys...)
	}
	require.Fail(s.t, what, "not so, at %v", s.place())
}

// put puts the character somewhere, with the camera looking along a yaw.
func (s *arenaPlayer) put(x, y, z float32, yaw float64) {
	s.restart()
	s.transforms.Get(s.walker.entity).Position = geom.V(x, y, z)
	s.chase.orbit.Yaw = yaw
	s.walk(3)
}

// click presses and releases a button of the pointer at the projection of a point.
func (s *arenaPlayer) click(p geom.Vec3) {
	x, y, _, ok := s.app.view().Project(p)
	require.True(s.t, ok)
	pointer := ecs.GetResource[physecs.Pointer](s.world)
	pointer.Input = picking.Input{X: x, Y: y, Inside: true, Down: 1 << picking.Left}
	s.walk(1)
	pointer.Down = 0
	s.walk(1)
}

func (s *arenaPlayer) place() geom.Vec3 { return s.transforms.Get(s.walker.entity).Position }

func (s *arenaPlayer) entity(name string) ecs.Entity {
	e, ok := s.scene.named(name)
	require.True(s.t, ok, name)
	return e
}

func (s *arenaPlayer) zone(name string) *zone {
	for i := range s.zones {
		if s.zones[i].entity == s.entity(name) {
			return &s.zones[i]
		}
	}
	require.Fail(s.t, name)
	return nil
}

func TestArenaAtRest(t *testing.T) {
	s := newArenaPlayer(t)
	stats := physecs.Sync(s.world).Stats()
	assert.Zero(t, stats.Nowhere)
	s.walk(120)
	places := map[ecs.Entity]geom.Transform{}
	for _, c := range s.crates {
		places[c.entity] = *s.transforms.Get(c.entity)
		assert.False(t, c.ground.IsZero(), "%s lies on something", s.scene.names[c.entity])
	}
	began, ended := s.counts.began, s.counts.ended
	s.walk(120)
	for e, at := range places {
		assert.Equal(t, at, *s.transforms.Get(e), s.scene.names[e])
	}
	assert.Equal(t, began, s.counts.began, "nothing comes and goes where all is at rest")
	assert.Equal(t, ended, s.counts.ended)
	contacts := ecs.GetResource[physecs.Contacts](s.world)
	assert.Equal(t, began-ended, len(contacts.All))
	assert.Equal(t, physics.OnGround, s.walker.state().Ground)
	top, below := s.entity("box-3"), s.entity("box-1")
	var on bool
	for e, c := range contacts.Of(top) {
		if e == below {
			on = true
			for i := range c.Manifolds {
				assert.InDelta(t, 1, math.Abs(float64(c.Manifolds[i].Normal.Y)), 1e-5)
			}
		}
	}
	assert.True(t, on, "one box lies on another")
	assert.True(t, s.zone("zone-floor").lit)
	assert.False(t, s.zone("zone-west").lit)
	assert.Equal(t, litZone, *s.materials.Get(s.zone("zone-floor").entity))
}

func TestArenaStairs(t *testing.T) {
	s := newArenaPlayer(t)
	s.put(-8, 0.02, 0.5, 0)
	last := s.place().Y
	s.walkUntil("up the stairs, into the zone there", func() bool {
		y := s.place().Y
		assert.GreaterOrEqual(t, y, last-1e-3, "always up")
		last = y
		return s.zone("zone-west").lit
	}, "W")
	assert.InDelta(t, terraceHeight+0.02, s.place().Y, 0.01)
	assert.Equal(t, s.entity("terraces"), s.walker.state().GroundEntity)
	s.walkUntil("down again, with the ground under its feet", func() bool {
		require.Equal(t, physics.OnGround, s.walker.state().Ground)
		return s.place().Y < 0.03
	}, "S")
	assert.False(t, s.zone("zone-west").lit)
}

func TestArenaSlopes(t *testing.T) {
	s := newArenaPlayer(t)
	s.put(8.3, 0.02, 1.5, 0)
	s.walkUntil("up the slope", func() bool { return s.walker.state().GroundEntity == s.entity("slope") }, "W")
	s.walk(20, "W")
	_, lines := s.report()
	assert.Equal(t, "slope", lines[0].text)
	assert.Equal(t, []string{"29.7"}, lines[2].numbers)
	s.walkUntil("at the top", func() bool { return s.place().Z < -4.3 }, "W")
	assert.InDelta(t, terraceHeight+0.02, s.place().Y, 0.01)

	s.put(5.5, 0.02, -1.2, 0)
	s.walk(120, "W")
	assert.Less(t, s.place().Y, float32(0.3), "the steep slope stops it")
	assert.Greater(t, s.place().Z, steepSlope.Max.Z-0.1)
	// From above it slides down.
	s.put(5.5, 1.6, -3.2, 0)
	s.walkUntil("on steep ground", func() bool { return s.walker.state().Ground == physics.OnSteepGround })
	s.walkUntil("at its foot", func() bool { return s.place().Y < 0.03 && s.walker.state().Ground == physics.OnGround })
}

func TestArenaLift(t *testing.T) {
	s := newArenaPlayer(t)
	s.put(-5, 0.02, -1.2, 0)
	s.walkUntil("on the lift", func() bool {
		return s.walker.state().GroundEntity == s.entity("lift") && s.place().Z < -2.9
	}, "W")
	s.walkUntil("it has gone up", func() bool {
		require.Equal(t, physics.OnGround, s.walker.state().Ground)
		assert.InDelta(t, s.transforms.Get(s.entity("lift")).Position.Y+terraceHeight/2+0.02, s.place().Y, 0.01)
		return s.place().Y > terraceHeight
	})
	s.walkUntil("from it onto the terrace", func() bool { return s.walker.state().GroundEntity == s.entity("terraces") }, "W")
	assert.InDelta(t, terraceHeight+0.02, s.place().Y, 0.01)
}

func TestArenaSlider(t *testing.T) {
	s := newArenaPlayer(t)
	s.put(-3.6, terraceHeight+0.02, bridgeZ, -math.Pi/2) // looks east
	s.walkUntil("the platform is near", func() bool {
		return s.transforms.Get(s.entity("slider")).Position.X < -1.58
	})
	s.walkUntil("on it", func() bool { return s.place().X > -1.7 }, "W")
	require.Equal(t, s.entity("slider"), s.walker.state().GroundEntity)
	s.walk(30)
	facing := s.walker.place.Rotation.Rotate(geom.V(0, 0, -1))
	require.Greater(t, facing.X, float32(0.9))
	s.walkUntil("in the east", func() bool {
		require.Equal(t, s.entity("slider"), s.walker.state().GroundEntity)
		return s.transforms.Get(s.entity("slider")).Position.X > 2.59
	})
	assert.Less(t, s.walker.place.Rotation.Rotate(geom.V(0, 0, -1)).X, float32(-0.9), "it has turned with the platform")
	s.walkUntil("across", func() bool { return s.zone("zone-east").lit }, "W")
	assert.Equal(t, s.entity("terraces"), s.walker.state().GroundEntity)
}

func TestArenaJump(t *testing.T) {
	s := newArenaPlayer(t)
	s.put(-3.9, 0.02, 6, 0)
	s.walkUntil("up the low ledge", func() bool { return s.place().Y > 0.36 }, "W")
	s.walk(60, "W")
	assert.InDelta(t, 0.37, s.place().Y, 0.01, "the next is too high to walk up")
	require.True(t, s.typed("Space"))
	s.walk(14, "W")
	s.walk(60)
	assert.InDelta(t, 0.92, s.place().Y, 0.01, "it has jumped onto it")
	top := float32(0)
	s.typed("Space")
	s.walkUntil("landed", func() bool {
		top = max(top, s.place().Y)
		return top > 1.5 && s.walker.state().Ground == physics.OnGround
	})
	assert.InDelta(t, 0.92+jumpSpeed*jumpSpeed/(2*gravity), top, 0.06)
}

func TestArenaCeiling(t *testing.T) {
	s := newArenaPlayer(t)
	s.put(7.4, 0.02, 7, 0)
	s.walk(180, "W")
	// The roof comes down from 2.5 m by 1.2 m in 4.2 m: 1.8 m is left at 1.95, and the head is
	// round.
	assert.InDelta(t, tunnel.Max.Z-4.2*(2.5-1.84)/1.2, s.place().Z, 0.25)
	before := s.place()
	s.walk(60, "W")
	assert.InDelta(t, 0, before.Distance(s.place()), 1e-4, "no jitter")
	s.typed("Space")
	s.walk(60)
	assert.InDelta(t, 0.02, s.place().Y, 0.01)
}

func TestArenaCorner(t *testing.T) {
	s := newArenaPlayer(t)
	s.put(-8, 0.02, 3.1, -math.Pi/2) // looks east, into the sharp corner
	s.walk(120, "W")
	before := s.place()
	s.walk(60, "W")
	assert.InDelta(t, 0, before.Distance(s.place()), 1e-4, "no jitter")
	assert.Less(t, s.place().X, float32(-6))
}

func TestArenaCrates(t *testing.T) {
	s := newArenaPlayer(t)
	box, ball := s.entity("box-4"), s.entity("ball-2")
	s.transforms.Get(box).Rotation = geom.Quat{} // or one slips off to its side
	start := s.transforms.Get(box).Position
	s.put(start.X, 0.02, start.Z+1.5, 0)
	s.walk(50, "W")
	at := s.transforms.Get(box).Position
	assert.Less(t, at.Z, start.Z-0.5, "it is pushed")
	touch, pushed := (*physecs.Contact)(nil), ecs.GetResource[physecs.Contacts](s.world)
	for e, c := range pushed.Of(box) {
		if e == s.walker.entity {
			touch = c
		}
	}
	require.NotNil(t, touch, "they touch while it is pushed")
	assert.Greater(t, touch.Age, 10)
	assert.InDelta(t, start.Y, at.Y, 0.01)
	assert.Greater(t, s.place().Z-0.3, at.Z, "and not walked through")

	// It comes to a ball, which rolls away: no pushed object stays inside another.
	rolled := s.transforms.Get(ball).Position
	s.walk(120, "W")
	assert.Greater(t, s.transforms.Get(ball).Position.Distance(rolled), float32(0.3))
	s.walk(120)
	contacts := ecs.GetResource[physecs.Contacts](s.world).All
	for i := range contacts {
		assert.Less(t, contacts[i].Depth(), float32(0.005), "%s and %s",
			s.scene.names[contacts[i].A], s.scene.names[contacts[i].B])
	}

	// Into the back wall, and no further.
	*s.transforms.Get(box) = geom.At(0, 0.305, -7)
	s.put(0, 0.02, -5, 0)
	s.walk(120, "W")
	assert.Greater(t, s.transforms.Get(box).Position.Z, float32(-8+0.35))
	assert.Less(t, s.transforms.Get(box).Position.Z, float32(-7.4))
}

func TestArenaCratesRide(t *testing.T) {
	s := newArenaPlayer(t)
	box := s.entity("box-5")
	*s.transforms.Get(box) = geom.At(-5, 0.4, -3)
	s.walkUntil("it is up", func() bool { return s.transforms.Get(box).Position.Y > terraceHeight+0.3 })
	s.walkUntil("and down", func() bool { return s.transforms.Get(box).Position.Y < 0.32 })
	*s.transforms.Get(box) = geom.Transform{Position: slider(s.time).Position.Add(geom.V(0.5, 0.5, 0))}
	s.walk(30)
	require.Equal(t, s.entity("slider"), s.crateOf(box).ground)
	from := s.transforms.Get(s.entity("slider")).Position.Sub(s.transforms.Get(box).Position)
	s.walk(400)
	to := s.transforms.Get(s.entity("slider")).Position.Sub(s.transforms.Get(box).Position)
	assert.InDelta(t, from.Len(), to.Len(), 0.02)
	assert.Equal(t, s.entity("slider"), s.crateOf(box).ground)
}

func TestArenaBullets(t *testing.T) {
	s := newArenaPlayer(t)
	s.put(-1, 0.02, -2.5, 0)
	aim := geom.V(1, 1.5, backWall.Max.Z)
	s.click(aim)
	var hits []physecs.ProjectileHit
	fly := func(ticks int) {
		for range ticks {
			s.walk(1)
			hits = append(hits, ecs.GetResource[physecs.ProjectileHits](s.world).List...)
		}
	}
	fly(30)
	require.Equal(t, 1, s.guns.shot)
	require.NotEmpty(t, hits)
	assert.Equal(t, s.entity("walls"), hits[0].Entity)
	assert.Equal(t, physics.ProjectileBounced, hits[0].Event)
	assert.InDelta(t, 0, hits[0].Point.Distance(aim), 0.12, "where the pointer was, except for its fall")
	assert.Less(t, hits[0].VelocityIn.Z, float32(-10))
	assert.Greater(t, hits[0].VelocityOut.Z, float32(10), "it ricochets")
	require.Len(t, s.guns.trails, 1)
	assert.Contains(t, s.guns.trails[0].places, hits[0].Position, "the trail has a corner there")
	require.NotEmpty(t, s.guns.marks)
	assert.Equal(t, hits[0].Entity, s.guns.marks[0].on)
	facing := s.walker.place.Rotation.Rotate(geom.V(0, 0, -1))
	assert.Greater(t, facing.Dot(aim.Sub(s.place()).Normalize()), float32(0.8), "it looks where it shoots")
	fly(300)
	assert.Empty(t, s.guns.trails)
	for _, h := range hits {
		assert.NotEqual(t, s.walker.entity, h.Entity)
	}
	s.walk(int(markSeconds * 60))
	assert.Empty(t, s.guns.marks)

	// A plate of a centimetre lets nothing through.
	s.put(1.6, 0.02, -1, 0)
	*ecs.GetResource[physecs.Pointer](s.world) = physecs.Pointer{}
	s.walk(3, "W")
	hits = hits[:0]
	s.typed("F")
	fly(20)
	require.NotEmpty(t, hits)
	assert.Equal(t, s.entity("sheet"), hits[0].Entity)
	assert.Greater(t, hits[0].VelocityOut.Z, float32(0))

	// A bullet pushes a crate.
	box := s.entity("box-3")
	before := s.transforms.Get(box).Position
	s.put(before.X, 0.02, before.Z+3, 0)
	s.click(s.transforms.Get(box).Position)
	s.walk(60)
	assert.Less(t, s.transforms.Get(box).Position.Z, before.Z-0.05)

	// A held key keeps firing; P pauses the arena.
	shot := s.guns.shot
	s.walk(60, "F")
	assert.InDelta(t, 60/(reload*60), s.guns.shot-shot, 2)
	s.app.still = true
	time := s.time
	s.walk(5)
	assert.Equal(t, time, s.time)
}

func TestArenaCamera(t *testing.T) {
	s := newArenaPlayer(t)
	s.walk(60)
	assert.InDelta(t, s.chase.wanted, s.chase.orbit.Distance, 0.05)
	eye := func() geom.Vec3 { return s.app.view().Position }
	// With the wall at its back, the camera comes nearer and stays on this side of it.
	s.put(0, 0.02, -7, math.Pi)
	s.walk(30)
	assert.Less(t, s.chase.orbit.Distance, 2.0)
	assert.Greater(t, eye().Z, backWall.Max.Z+0.1)
	assert.Less(t, s.materials.Get(s.walker.entity).Color.A, uint8(255), "and looks through the character")
	s.put(0, 0.02, 5, math.Pi)
	s.walk(120)
	assert.InDelta(t, s.chase.wanted, s.chase.orbit.Distance, 0.05)
	assert.Equal(t, uint8(255), s.materials.Get(s.walker.entity).Color.A)

	// The camera is never inside a collider, for any walk and any view direction.
	s.put(-8, 0.02, 0.5, 0)
	for i := range 400 {
		s.chase.orbit.Turn(0.03, 0.02*math.Sin(float64(i)*0.05))
		s.walk(1, []string{"W", "D", "S", "A"}[i/100])
		hits := ecs.GetResource[physecs.Space](s.world).OverlapSphere(nil, geom.Sphere{Center: eye(), Radius: lensRadius * 0.9},
			physecs.Filter{OwnLayer: onLenses, Mask: onGround})
		require.Empty(t, hits, "tick %d, at %v", i, eye())
	}

	c := &chase{wanted: 5}
	assert.False(t, c.turn(gesture{x: 10, y: 10, down: 1}))
	assert.True(t, c.turn(gesture{x: 20, y: 10, down: 1}))
	assert.InDelta(t, -10*turnPerPixel, c.orbit.Yaw, 1e-9)
	assert.False(t, c.turn(gesture{x: 30, y: 10}))
	c.turn(gesture{scroll: 2})
	assert.InDelta(t, 5*zoomPerNotch*zoomPerNotch, c.wanted, 1e-9)
	c.turn(gesture{scroll: 100, captured: true})
	assert.InDelta(t, 5*zoomPerNotch*zoomPerNotch, c.wanted, 1e-9)
}

// For any keys, nothing enters the level or leaves the world, and the counts of contacts that began
// and ended match.
func TestArenaAtRandom(t *testing.T) {
	s := newArenaPlayer(t)
	rng := testenv.Rand(5, 6)
	keys := []string{"W", "A", "S", "D", "LeftShift", "F"}
	met := map[ecs.Entity]bool{}
	for range 150 {
		for _, k := range keys {
			s.held[k] = rng.IntN(5) < 2
		}
		s.held["W"] = s.held["W"] || rng.IntN(2) == 0
		if rng.IntN(3) == 0 {
			s.typed("Space")
		}
		s.chase.orbit.Turn(rng.NormFloat64(), 0)
		for range 20 {
			s.app.walk(steadyTick)
			contacts := ecs.GetResource[physecs.Contacts](s.world)
			require.Equal(t, s.counts.began-s.counts.ended, len(contacts.All))
			for i := range contacts.All {
				c := &contacts.All[i]
				met[c.A], met[c.B] = true, true
				if s.layerOf(c.A) == onGround || s.layerOf(c.B) == onGround {
					require.Less(t, c.Depth(), float32(0.02), "%s in %s", s.scene.names[c.A], s.scene.names[c.B])
				}
			}
		}
		require.Less(t, s.walker.state().Depth, float32(0.01), "at %v", s.place())
		if at := s.place(); !floorBounds.Grow(2).Contains(geom.V(at.X, 0, at.Z)) {
			s.typed("R")
		}
	}
	for _, c := range s.crates {
		at := s.transforms.Get(c.entity).Position
		assert.Greater(t, at.Y, floorBounds.Min.Y, s.scene.names[c.entity])
		assert.True(t, at.IsFinite())
	}
	assert.Greater(t, len(met), 12)
}

// One falls off the floor onto the ground, walks up the steps again, and restarts with a key.
func TestArenaLedgeAndSteps(t *testing.T) {
	s := newArenaPlayer(t)
	s.put(3, 0.02, 7, math.Pi)
	s.walk(60, "W")
	assert.InDelta(t, floorBounds.Min.Y+0.02, s.place().Y, 0.01)
	s.put(0, floorBounds.Min.Y+0.02, 10, 0)
	s.walkUntil("up", func() bool { return s.place().Z < 7 }, "W")
	assert.InDelta(t, 0.02, s.place().Y, 0.01)
	require.True(t, s.typed("R"))
	assert.Equal(t, startPlace.Position, s.place())
}

// A long frame runs several ticks.
func TestArenaSlowly(t *testing.T) {
	s := newArenaPlayer(t)
	for range 40 {
		s.app.walk(longestTick)
	}
	assert.InDelta(t, 40*longestTick+2*steadyTick, s.time, 1e-9)
	assert.InDelta(t, 0.02, s.place().Y, 0.001)
	clear(s.held)
	s.held["W"] = true
	for range 3 {
		s.app.walk(longestTick)
	}
	assert.InDelta(t, 5.2-walkSpeed*(0.3-1/quickness), s.place().Z, 0.12)
}

func TestShuttle(t *testing.T) {
	for _, tt := range []struct{ time, want float64 }{
		{0, 0}, {2, 0}, {3, 0.5}, {4, 1}, {6, 1}, {7, 0.5}, {8, 0}, {10, 0}, {11, 0.5},
	} {
		assert.InDelta(t, tt.want, shuttle(tt.time, 2, 2), 1e-12, "at %g s", tt.time)
	}
}

// BenchmarkArena is a tick of the arena while the character walks.
func BenchmarkArena(b *testing.B) {
	a := &app{world: ecs.NewWorld(), config: config{steady: true}}
	if err := a.fill(arenaScene); err != nil {
		b.Fatal(err)
	}
	s := a.scene.arena
	s.keys = func(k string) bool { return k == "W" || k == "D" || k == "F" }
	for b.Loop() {
		s.tick(steadyTick)
		s.follow(steadyTick)
	}
}

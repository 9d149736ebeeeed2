package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A jump that is requested in the air waits for the ground as long as JumpBuffer.
func TestJumpBuffer(t *testing.T) {
	for _, c := range []struct {
		name   string
		buffer float32 // seconds
		early  int     // updates by which the jump is requested before the first on the ground
		jumps  bool
	}{
		{"in time", 0, 6, true},
		{"too early", 0, 7, false},
		{"longer", 0.5, 30, true},
		{"too early for that", 0.5, 31, false},
		{"none", -1, 1, false},
		{"none, on the ground", -1, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			land := 0 // the first update at whose start the mover stands
			for asked := -1; asked < 2; asked += 2 {
				y := newWalkedWorld()
				e := y.walker(0, 0, Mover{JumpBuffer: c.buffer, CoyoteTime: -1})
				y.transforms.Get(e).Position.Y = 4
				jumped := false
				for tick := range 120 {
					if asked > 0 && tick == land-c.early {
						y.movers.Get(e).Jump = 5
					}
					if y.states.Get(e).Ground == physics.OnGround && land == 0 {
						land = tick
					}
					y.run(1)
					assert.Zero(t, y.movers.Get(e).Jump)
					jumped = jumped || y.states.Get(e).Jumped
				}
				require.Greater(t, land, 40)
				assert.Equal(t, asked > 0 && c.jumps, jumped)
				st := y.states.Get(e)
				assert.Equal(t, [4]any{physics.OnGround, float32(0), float32(0), float32(0)}, [4]any{st.Ground, st.AirTime, st.JumpSpeed, st.JumpTime})
			}
		})
	}
}

// A mover that has walked off an edge can jump for CoyoteTime, once.
func TestCoyoteTime(t *testing.T) {
	for _, c := range []struct {
		name  string
		time  float32 // seconds
		late  int     // updates after the last on the ground
		jumps bool
	}{
		{"in time", 0, 6, true},
		{"too late", 0, 7, false},
		{"longer", 0.3, 18, true},
		{"too late for that", 0.3, 19, false},
		{"none", -1, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			y := newWalkedWorld()
			y.Add(y.add(geom.At(0, 9, 0), AABB(geom.V(1, 1, 1))), y.static)
			e := y.walker(0, 0, Mover{Velocity: geom.V(6, 0, 0), JumpBuffer: -1, CoyoteTime: c.time})
			y.transforms.Get(e).Position.Y = 10.02
			y.run(1)
			st := y.states.Get(e)
			for st.Ground == physics.OnGround {
				y.run(1)
			}
			y.run(c.late - 1)
			// Some 20 roundings of a number below 1.
			require.InDelta(t, float64(c.late)/60, st.AirTime, 1e-6)
			y.movers.Get(e).Jump = 5
			y.run(1)
			assert.Equal(t, c.jumps, st.Velocity.Y == 5)
			assert.Equal(t, c.jumps, st.Jumped)
			assert.InDelta(t, 6, st.Velocity.X, 1e-5)
			y.movers.Get(e).Jump = 5
			y.run(1)
			assert.Less(t, st.Velocity.Y, float32(5), "not twice")
		})
	}
}

// A mover meets each sensor on its way once an update, however thin that is, on both sides of a
// corner, and not those behind a wall.
func TestMoverPassesSensors(t *testing.T) {
	y := newWalkedWorld()
	trigger := func(at geom.Vec3, half geom.Vec3) ecs.Entity {
		c := Box(half)
		c.Sensor, c.User = true, 7
		return y.add(Transform{Position: at}, c)
	}
	thin := trigger(geom.V(0.9, 1, 0), geom.V(0.1, 1, 1))
	behind := trigger(geom.V(2.5, 1, 0), geom.V(0.1, 1, 1))
	y.add(geom.At(2, 1, 0), Box(geom.V(0.2, 1, 9)))
	aside := trigger(geom.V(1.4, 1, 0.9), geom.V(0.6, 1, 0.1)) // while it slides along the wall
	room := trigger(geom.V(0, 1, 0), geom.V(0.4, 1, 0.4))
	e := y.walker(0, 0, Mover{Flies: true, Velocity: geom.V(180, 0, 90)})
	y.run(1)
	hits := ecs.GetResource[MoverHits](y.World)
	require.NotEmpty(t, hits.List, "the wall")
	assert.Empty(t, hits.Passed, "none without Filter.Sensors")
	want := *y.transforms.Get(e)

	*y.transforms.Get(e), *y.states.Get(e) = geom.At(0, 0.02, 0), MoverState{}
	y.system.Filter.Sensors = true
	y.run(1)
	assert.Equal(t, want, *y.transforms.Get(e), "sensors change nothing")
	var found []ecs.Entity
	for _, p := range hits.Passed {
		assert.Equal(t, e, p.Mover)
		assert.Equal(t, uint64(7), p.User)
		assert.Equal(t, p.Entity == room, p.Overlaps)
		found = append(found, p.Entity)
	}
	assert.Equal(t, []ecs.Entity{room, thin, aside}, found)
	assert.NotContains(t, found, behind)
	// It is flush with the trigger's face at x = 0.8 with its radius of 0.3 m.
	assert.InDelta(t, 0.5, hits.Passed[1].Position.X, 1e-5)
	*y.transforms.Get(e), *y.states.Get(e) = geom.At(0, 0.02, 0), MoverState{}
	y.movers.Get(e).Velocity = geom.Vec3{}
	y.run(1)
	require.Len(t, hits.Passed, 1, "it stands in one")
	assert.True(t, hits.Passed[0].Overlaps)
}

// Movers of which not all move at each update.
func TestMoversTakeTurns(t *testing.T) {
	y := newWalkedWorld()
	always := y.walker(0, 0, Mover{Velocity: geom.V(3, 0, 0)})
	never := y.walker(0, 3, Mover{Velocity: geom.V(3, 0, 0), Disabled: true})
	nan := y.walker(0, 6, Mover{Velocity: geom.V(float32(math.NaN()), 0, 0), Flies: true})
	var rare []ecs.Entity
	for i := range 8 {
		rare = append(rare, y.walker(0, float32(9+3*i), Mover{Velocity: geom.V(3, 0, 0), Every: 4}))
	}
	hits := ecs.GetResource[MoverHits](y.World)
	for range 60 {
		y.run(1)
		assert.Equal(t, 1+8/4, hits.Movers)
	}
	far := y.transforms.Get(always).Position
	assert.InDelta(t, 3, far.X, 0.1)
	assert.Equal(t, geom.At(0, 0.02, 3), *y.transforms.Get(never))
	assert.Equal(t, geom.At(0, 0.02, 6), *y.transforms.Get(nan))
	for _, e := range rare {
		// Four updates in one, of which the first is in the air.
		assert.InDelta(t, 3, y.transforms.Get(e).Position.X, 4*3./60+1e-3)
		assert.Equal(t, physics.OnGround, y.states.Get(e).Ground)
	}
}

// A mover that comes near, and goes away again, is where one is that always moved, and sees the
// ground move as fast.
func TestMoversChangeTurns(t *testing.T) {
	y := newWalkedWorld()
	belt := y.add(geom.At(0, 0.5, 50), Box(geom.V(60, 0.5, 10)))
	always := y.walker(0, 48, Mover{Velocity: geom.V(1, 0, 0)})
	changes := y.walker(0, 52, Mover{Velocity: geom.V(1, 0, 0)})
	y.transforms.Get(always).Position.Y, y.transforms.Get(changes).Position.Y = 1.02, 1.02
	for tick := range 240 {
		every := []uint8{1, 4, 1, 7, 0, 3}[tick/13%6]
		y.movers.Get(changes).Every = every
		y.transforms.Get(belt).Position.X += 2. / 60
		y.run(1)
		a, b := y.states.Get(always), y.states.Get(changes)
		if tick < 20 {
			continue
		}
		require.InDelta(t, 2, a.GroundVelocity.X, 1e-3)
		require.InDelta(t, 2, b.GroundVelocity.X, 1e-3, "tick %d", tick)
		lag := y.transforms.Get(always).Position.X - y.transforms.Get(changes).Position.X
		require.InDelta(t, 3*float32(b.waited)/60, lag, 1e-3, "tick %d", tick)
	}
}

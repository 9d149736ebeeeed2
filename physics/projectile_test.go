package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

var flatFloor = geom.Plane{Normal: geom.V(0, 1, 0)}

const flightTick = float32(1) / 60

// fly moves a projectile for some ticks and returns all its events, with T counted in ticks.
func fly(p *Projectile, s *Space, ticks int, f Filter) (events []ProjectileHit) {
	for i := range ticks {
		n := len(events)
		events = p.Move(events, s, flightTick, f)
		for j := n; j < len(events); j++ {
			events[j].T += float32(i)
		}
	}
	return events
}

func TestProjectileStops(t *testing.T) {
	wall := geom.Box{HalfExtents: geom.V(0.005, 5, 5)}
	s := NewSpace()
	id := s.Add(Collider{Shape: wall, Transform: geom.At(10, 0, 0), User: 7})
	for _, radius := range []float32{0, 0.1} {
		p := Projectile{Velocity: geom.V(1000, 0, 0), Radius: radius}
		events := p.Move(nil, s, flightTick, Filter{})
		require.Len(t, events, 1)
		e := events[0]
		assert.Equal(t, ProjectileStopped, e.Event)
		assert.Equal(t, id, e.Collider)
		assert.EqualValues(t, 7, e.User)
		assert.Equal(t, geom.V(-1, 0, 0), e.Normal)
		assert.InDelta(t, (10-0.005-radius)/1000/flightTick, e.T, 1e-4)
		assert.Equal(t, geom.V(1000, 0, 0), e.VelocityIn)
		assert.Zero(t, e.VelocityOut)
		assert.Equal(t, p.Position, e.Position)
		assert.InDelta(t, 9.995-float64(radius)-0x1p-13, p.Position.X, 1e-5)
		assert.True(t, p.Done)
		before := p
		assert.Empty(t, p.Move(nil, s, flightTick, Filter{}), "done")
		assert.Equal(t, before, p)
	}
}

// The chord of each tick ends on the parabola.
func TestProjectileFollowsTheParabola(t *testing.T) {
	for _, dt := range []float32{1.0 / 240, flightTick, 0.1, 0.5} {
		p := Projectile{Position: geom.V(1, 2, 3), Velocity: geom.V(10, 20, -5), Acceleration: geom.V(0, -9.81, 0)}
		n := int(2 / dt)
		for range n {
			require.Empty(t, p.Move(nil, NewSpace(), dt, Filter{}))
		}
		s := float64(n) * float64(dt)
		assert.InDelta(t, 1+10*s, p.Position.X, 1e-3)
		assert.InDelta(t, 2+20*s-9.81*s*s/2, p.Position.Y, 1e-3)
		assert.InDelta(t, 3-5*s, p.Position.Z, 1e-3)
		assert.InDelta(t, 20-9.81*s, p.Velocity.Y, 1e-3)
	}
}

// The first hit of a long tick is on the parabola, within the sagitta of the chord.
func TestProjectileChordsAreNearTheParabola(t *testing.T) {
	s := spaceOf(flatFloor)
	for _, dt := range []float32{0.01, 0.1, 1, 1.5} {
		p := Projectile{Position: geom.V(0, 1, 0), Velocity: geom.V(20, 3, 0), Acceleration: geom.V(0, -9.81, 0)}
		var events []ProjectileHit
		at := 0.0
		for len(events) == 0 {
			at, events = at+float64(dt), p.Move(nil, s, dt, Filter{})
		}
		at += float64(events[0].T-1) * float64(dt)
		fall := (3 + math.Sqrt(9+2*9.81*(1-0x1p-13))) / 9.81
		assert.InDelta(t, fall, at, 1.5*maxSag/5) // it falls at more than 5 m/s
		assert.InDelta(t, 20*fall, p.Position.X, 20*1.5*maxSag/5)
	}
}

func TestProjectileBounces(t *testing.T) {
	for _, tt := range []struct {
		name                  string
		in, out               geom.Vec3
		restitution, friction float32
	}{
		{"head on", geom.V(0, -8, 0), geom.V(0, 8, 0), 1, 0},
		{"oblique", geom.V(3, -8, -2), geom.V(3, 8, -2), 1, 0},
		{"half", geom.V(3, -8, -2), geom.V(3, 4, -2), 0.5, 0},
		{"friction", geom.V(6, -8, 8), geom.V(4.8, 4, 6.4), 0.5, 1.0 / 6},
		{"friction stops it", geom.V(1, -8, 0), geom.V(0, 4, 0), 0.5, 1},
		{"negative restitution and friction are 0", geom.V(3, -8, 0), geom.V(3, 0, 0), -1, -1},
		{"restitution above 1", geom.V(0, -8, 0), geom.V(0, 16, 0), 2, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := spaceOf(flatFloor)
			p := Projectile{Position: geom.V(0, 1, 0), Velocity: tt.in, Radius: 0.25, Bounces: 2,
				Restitution: tt.restitution, Friction: tt.friction, RestSpeed: -1}
			events := p.Move(nil, s, 0.125, Filter{})
			require.NotEmpty(t, events)
			e := events[0]
			assert.Equal(t, ProjectileBounced, e.Event)
			assert.Equal(t, tt.in, e.VelocityIn)
			assert.InDelta(t, 0.75/8/0.125, e.T, 1e-3)
			assert.InDelta(t, 0, tt.out.Distance(e.VelocityOut), 2e-6)
			if tt.friction == 0 && tt.restitution == 1 {
				assert.Equal(t, tt.out, p.Velocity, "exactly")
			}
		})
	}
}

func TestProjectileCountsBounces(t *testing.T) {
	s := spaceOf(flatFloor)
	for bounces := range int32(4) {
		p := Projectile{Position: geom.V(0, 1, 0), Velocity: geom.V(1, -3, 0), Acceleration: geom.V(0, -10, 0), Bounces: bounces, Restitution: 0.9}
		events := fly(&p, s, 600, Filter{})
		require.Len(t, events, int(bounces)+1)
		for i, e := range events {
			want := ProjectileBounced
			if i == int(bounces) {
				want = ProjectileStopped
			}
			assert.Equal(t, want, e.Event)
		}
		assert.Zero(t, p.Bounces)
		assert.True(t, p.Done)
	}
}

func TestProjectileThatStartsInSomething(t *testing.T) {
	s := NewSpace()
	shooter := s.Add(Collider{Shape: unitSphere})
	in := Projectile{Position: geom.V(0.5, 0, 0), Radius: 0.1, Velocity: geom.V(-60, 0, 0)}
	t.Run("deeper", func(t *testing.T) {
		p := in
		events := p.Move(nil, s, flightTick, Filter{})
		require.Len(t, events, 1)
		assert.Equal(t, ProjectileStopped, events[0].Event)
		assert.True(t, events[0].Overlaps)
		assert.InDelta(t, 0.6, events[0].Depth, 1e-3)
		assert.Zero(t, events[0].T)
		assert.Equal(t, in.Position, p.Position)
	})
	t.Run("deeper and bounces", func(t *testing.T) {
		p := in
		p.Bounces, p.Restitution = 1, 1
		events := p.Move(nil, s, flightTick, Filter{})
		require.Len(t, events, 1)
		assert.Equal(t, ProjectileBounced, events[0].Event)
		assert.InDelta(t, 1.1, events[0].Position.X, 1e-3, "moved out")
		assert.InDelta(t, 2.1, p.Position.X, 1e-3)
	})
	t.Run("out", func(t *testing.T) {
		p := in
		p.Velocity = p.Velocity.Neg()
		assert.Empty(t, p.Move(nil, s, flightTick, Filter{}))
		assert.Equal(t, float32(1.5), p.Position.X)
	})
	t.Run("own", func(t *testing.T) {
		p := in
		assert.Empty(t, p.Move(nil, s, flightTick, Filter{Exclude: []ColliderID{shooter}}))
		assert.Equal(t, float32(-0.5), p.Position.X)
	})
}

// T of a sensor is greater than 0 in the Move in which the projectile comes to it, and 0 later on.
func TestProjectileComesToASensorOnce(t *testing.T) {
	r := testenv.Rand(17, 4)
	for range 200 {
		s := NewSpace()
		half := 0.05 + 2*r.Float32()
		s.Add(Collider{Shape: geom.Box{HalfExtents: geom.V(half, 2, 2)}, Transform: geom.At(5, 0, 0), Sensor: true})
		p := Projectile{Position: geom.V(r.Float32(), 0, 0), Velocity: geom.V(10+20*r.Float32(), 0, 0), Radius: 0.15 * r.Float32()}
		if r.IntN(2) == 0 { // a tick ends in the skin
			p.Velocity.X = (5 - half - p.Radius - 0.00006 - p.Position.X) / (8 * flightTick)
		}
		came, stays := 0, 0
		for p.Position.X < 9 {
			for _, e := range p.Move(nil, s, flightTick, Filter{Sensors: true}) {
				if e.T > 0 {
					came++
					assert.Zero(t, stays, "comes before it stays")
				} else {
					stays++
				}
			}
		}
		assert.Equal(t, 1, came)
	}
}

func TestProjectilePassesSensors(t *testing.T) {
	s := NewSpace()
	gate := geom.Box{HalfExtents: geom.V(0.1, 2, 2)}
	far := s.Add(Collider{Shape: gate, Transform: geom.At(6, 0, 0), Sensor: true})
	near := s.Add(Collider{Shape: gate, Transform: geom.At(2, 0, 0), Sensor: true})
	room := s.Add(Collider{Shape: geom.Sphere{Radius: 1}, Sensor: true})
	under := s.Add(Collider{Shape: geom.Plane{Normal: geom.V(1, 0, 0), D: 7}, Sensor: true})
	wall := s.Add(Collider{Shape: gate, Transform: geom.At(8, 0, 0)})
	s.Add(Collider{Shape: gate, Transform: geom.At(9, 0, 0), Sensor: true})
	p := Projectile{Velocity: geom.V(600, 0, 0), Radius: 0.1, Bounces: 1, Restitution: 1}
	q := p
	events := p.Move(nil, s, flightTick, Filter{Sensors: true})
	var ids []ColliderID
	for i, e := range events {
		ids = append(ids, e.Collider)
		assert.Equal(t, e.Collider != wall, e.Event == ProjectilePassed)
		assert.Equal(t, e.Collider == room, e.Overlaps)
		if i > 0 {
			assert.GreaterOrEqual(t, e.T, events[i-1].T)
			assert.InDelta(t, e.T*10, e.Position.X, 1e-3)
		}
	}
	assert.Equal(t, []ColliderID{room, near, far, under, wall}, ids, "each sensor is reported once, though the projectile passes two of them twice")
	assert.Len(t, q.Move(nil, s, flightTick, Filter{}), 1)
	assert.Equal(t, p, q, "sensors change nothing")

	t.Run("at rest", func(t *testing.T) {
		p := Projectile{}
		events := p.Move(nil, s, flightTick, Filter{Sensors: true})
		require.Len(t, events, 1)
		assert.Equal(t, room, events[0].Collider)
		assert.True(t, events[0].Overlaps)
	})
}

func TestProjectileExpires(t *testing.T) {
	s := NewSpace()
	p := Projectile{Velocity: geom.V(60, 0, 0), Life: 2.5 * flightTick}
	events := fly(&p, s, 5, Filter{})
	require.Len(t, events, 1)
	e := events[0]
	assert.Equal(t, ProjectileExpired, e.Event)
	assert.InDelta(t, 2.5, e.T, 1e-4)
	assert.InDelta(t, 2.5, e.Position.X, 1e-4)
	assert.Zero(t, e.Collider)
	assert.EqualValues(t, -1, e.Child)
	assert.True(t, p.Done)

	s.Add(Collider{Shape: flatFloor})
	p = Projectile{Position: geom.V(0, 1, 0), Velocity: geom.V(0, -60, 0), Life: flightTick}
	events = p.Move(nil, s, flightTick, Filter{})
	require.Len(t, events, 1, "it ends once")
	assert.Equal(t, ProjectileStopped, events[0].Event)
}

func TestProjectileDoesNothing(t *testing.T) {
	s := spaceOf(flatFloor)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	sound := Projectile{Position: geom.V(0, 1, 0), Velocity: geom.V(0, -90, 0), Bounces: 3}
	for name, spoil := range map[string]func(p *Projectile, bad float32){
		"position":     func(p *Projectile, bad float32) { p.Position.X = bad },
		"velocity":     func(p *Projectile, bad float32) { p.Velocity.Y = bad },
		"acceleration": func(p *Projectile, bad float32) { p.Acceleration.Z = bad },
		"radius":       func(p *Projectile, bad float32) { p.Radius = bad },
		"restitution":  func(p *Projectile, bad float32) { p.Restitution = bad },
		"friction":     func(p *Projectile, bad float32) { p.Friction = bad },
		"rest speed":   func(p *Projectile, bad float32) { p.RestSpeed = bad },
		"life":         func(p *Projectile, bad float32) { p.Life = bad },
	} {
		for _, bad := range []float32{nan, inf, -inf} {
			p := sound
			spoil(&p, bad)
			assert.Empty(t, p.Move(nil, s, flightTick, Filter{}), name)
			assert.Equal(t, sound.Bounces, p.Bounces)
			assert.False(t, p.Done)
		}
	}
	for _, dt := range []float32{0, -1, nan, inf} {
		p := sound
		assert.Empty(t, p.Move(nil, s, dt, Filter{}))
		assert.Equal(t, sound, p)
	}
	p := sound
	p.Radius = -1
	assert.Empty(t, p.Move(nil, s, flightTick, Filter{}))
	p = sound
	p.Velocity.Y = -math.MaxFloat32
	assert.Empty(t, p.Move(nil, s, 1000, Filter{}))
	assert.Equal(t, sound.Position, p.Position)
}

func TestProjectileAllocatesNothing(t *testing.T) {
	testenv.NoRace(t)
	s := spaceOf(flatFloor, geom.Box{Center: geom.V(0, 3, 0), HalfExtents: geom.V(9, 1, 9)}, boxMesh)
	s.Add(Collider{Shape: unitSphere, Sensor: true})
	f := Filter{Sensors: true, Predicate: func(ColliderID) bool { return true }}
	var events []ProjectileHit
	most := 0
	move := func() {
		p := Projectile{Position: geom.V(0, 1.5, 0), Velocity: geom.V(100, 30, 20), Acceleration: geom.V(0, -10, 0), Bounces: -1, Restitution: 1}
		events = p.Move(events[:0], s, 0.1, f)
		most = max(most, len(events))
	}
	move()
	testenv.AllocatesNothing(t, 100, move)
	assert.Greater(t, most, 1)
}

func TestProjectileEventString(t *testing.T) {
	for e, want := range []string{"stopped", "bounced", "rested", "passed", "expired", "unknown"} {
		assert.Equal(t, want, ProjectileEvent(e).String())
	}
}

package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// asleep steps until all bodies sleep, and checks that they do within 10 seconds.
func (s *scene) asleep() {
	for range 600 {
		if s.Step(); s.Awake() == 0 {
			return
		}
	}
	require.Zero(s.t, s.Awake(), "awake after 10 s")
}

// A ball that rolls more slowly than SleepSpeed sleeps after SleepTime, where it is then, however
// steadily it rolls. One that is faster, or must not sleep, rolls on at its speed. What spins is
// measured at the corners of a box around it, which is why 0.03 m/s are the limit of a ball.
func TestCrawlingBall(t *testing.T) {
	const radius, seconds = 0.5, 10
	for _, c := range []struct {
		speed   float32
		noSleep bool
		rolls   float32 // seconds
	}{{0.005, false, 0.5}, {0.025, false, 0.5}, {0.055, false, seconds}, {0.005, true, seconds}} {
		s := newScene(t)
		ball := s.add(rigid.Body{NoSleep: c.noSleep, Velocity: geom.V(c.speed, 0, 0), AngularVelocity: geom.V(0, 0, -c.speed/radius)},
			geom.Sphere{Radius: radius}, geom.At(0, radius, 0))
		s.steps(60 * seconds)
		require.Equal(t, c.rolls == seconds, s.IsAwake(ball), "%g m/s", c.speed)
		require.InEpsilon(t, c.speed*c.rolls, s.position(ball).X, 0.05, "%g m/s", c.speed)
	}
}

// A heap of boxes, balls, capsules and cones in a pit comes to rest and sleeps, and nothing in it
// is deep in another.
func TestHeapSleeps(t *testing.T) {
	testenv.NoRace(t)
	s := newScene(t)
	for _, at := range []geom.Vec3{geom.V(-3, 5, 0), geom.V(3, 5, 0), geom.V(0, 5, -3), geom.V(0, 5, 3)} {
		half := geom.V(1, 5, 4)
		if at.Z != 0 {
			half = geom.V(4, 5, 1)
		}
		s.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: half}, Transform: geom.Transform{Position: at}, Static: true})
	}
	r := testenv.Rand(14, 2)
	s.material(func(m *rigid.Material) { m.RollingResistance, m.SpinningResistance = 0.02, 0.01 })
	for i := range 90 {
		shape := []physics.Shape{box(0.3), geom.Sphere{Radius: 0.3}, geom.Capsule{A: geom.V(0, -0.2, 0), B: geom.V(0, 0.2, 0), Radius: 0.2},
			geom.Cylinder(geom.V(0, -0.2, 0), geom.V(0, 0.2, 0), 0.3), geom.Cone{A: geom.V(0, -0.2, 0), B: geom.V(0, 0.4, 0), RadiusA: 0.3},
			geom.TaperedCapsule{A: geom.V(0, -0.15, 0), B: geom.V(0, 0.2, 0), RadiusA: 0.25, RadiusB: 0.1}}[i%6]
		at := geom.At(r.Float32()*2-1, 1+float32(i)*0.3, r.Float32()*2-1)
		at.Rotation = geom.Quat{X: r.Float32() - 0.5, Y: r.Float32() - 0.5, Z: r.Float32() - 0.5, W: r.Float32() - 0.5}.Normalize()
		id := s.add(rigid.Body{}, shape, at)
		require.NoError(t, s.SetMaterial(s.Colliders(id)[0], rigid.Material{Friction: 0.6, RollingResistance: 0.02, SpinningResistance: 0.01}))
	}
	s.steps(180)
	s.asleep()
	for _, c := range s.Contacts() {
		require.Less(t, c.Depth(), float32(0.02))
	}
	s.steps(60)
	require.Zero(t, s.Awake())
}

// Whatever disturbs what a sleeping body rests on wakes it, and the whole island at once.
func TestWaking(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(s *scene, tower []rigid.BodyID, table physics.ColliderID)
	}{
		{"impulse", func(s *scene, tower []rigid.BodyID, _ physics.ColliderID) {
			s.ApplyImpulse(tower[1], geom.V(1, 0, 0))
		}},
		{"force", func(s *scene, tower []rigid.BodyID, _ physics.ColliderID) { s.ApplyForce(tower[1], geom.V(1, 0, 0)) }},
		{"velocity", func(s *scene, tower []rigid.BodyID, _ physics.ColliderID) {
			s.SetVelocity(tower[1], geom.V(0, 1, 0), geom.Vec3{})
		}},
		{"teleport", func(s *scene, tower []rigid.BodyID, _ physics.ColliderID) {
			s.SetTransform(tower[0], geom.At(9, 9, 9))
		}},
		{"new properties", func(s *scene, tower []rigid.BodyID, _ physics.ColliderID) {
			require.NoError(s.t, s.Set(tower[0], rigid.Body{Weightless: true}))
		}},
		{"support removed", func(s *scene, tower []rigid.BodyID, _ physics.ColliderID) {
			s.Remove(tower[0])
			s.Space().Remove(s.Colliders(tower[1])[0] - 1)
		}},
		{"ground removed", func(s *scene, _ []rigid.BodyID, table physics.ColliderID) { s.Space().Remove(table) }},
		{"ground moved", func(s *scene, _ []rigid.BodyID, table physics.ColliderID) {
			s.Space().SetTransform(table, geom.At(0, 0.9, 0))
		}},
		{"touch", func(s *scene, _ []rigid.BodyID, _ physics.ColliderID) {
			s.add(rigid.Body{Velocity: geom.V(0, -5, 0)}, geom.Sphere{Radius: 0.2}, geom.At(0, 4.4, 0))
		}},
		{"call", func(s *scene, tower []rigid.BodyID, _ physics.ColliderID) { s.Wake(tower[2]) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			table := s.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(2, 0.1, 2)}, Transform: geom.At(0, 1, 0)})
			var tower []rigid.BodyID
			for i := range 3 {
				tower = append(tower, s.add(rigid.Body{}, box(0.5), geom.At(0, 1.6+float32(i), 0)))
			}
			alone := s.add(rigid.Body{}, box(0.5), geom.At(20, 0.5, 0))
			s.asleep()
			c.do(s, tower, table)
			s.steps(4)
			require.True(t, s.IsAwake(tower[1]) && s.IsAwake(tower[2]))
			require.False(t, s.IsAwake(alone))
		})
	}
}

// Bodies sleep as an island after SleepTime, in one step, in the order of bodies, and not if one of
// them must not.
func TestSleepEvents(t *testing.T) {
	s := newScene(t)
	var ids []rigid.BodyID
	for i := range 3 {
		ids = append(ids, s.add(rigid.Body{}, box(0.5), geom.At(0, 0.5+float32(i), 0)))
	}
	restless := s.add(rigid.Body{NoSleep: true}, box(0.5), geom.At(5, 0.5, 0))
	above := s.add(rigid.Body{}, box(0.5), geom.At(5, 1.5, 0))
	step := 0
	for ; len(s.Slept) == 0 && step < 600; step++ {
		require.Empty(t, s.Slept)
		s.Step()
	}
	require.Equal(t, ids, s.Slept)
	require.GreaterOrEqual(t, step, int(math.Floor(float64(s.Settings.SleepTime/s.Settings.Step))))
	s.Step()
	require.Empty(t, s.Slept)
	require.True(t, s.IsAwake(restless) && s.IsAwake(above))

	s.ApplyImpulse(ids[2], geom.V(0, 0, 1))
	s.Step()
	require.ElementsMatch(t, ids, s.Woken)
	s.Step()
	require.Empty(t, s.Woken)

	// A body without SleepSpeed never sleeps.
	s.Settings.SleepSpeed = 0
	s.steps(120)
	require.Equal(t, 5, s.Awake())
}

// An impact is reported once, in the step that finds it, with its speed, point, normal and impulse;
// what rests and what is slow is not.
func TestHits(t *testing.T) {
	s := newScene(t)
	c := s.Space().Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(3, 2.5, -1)})
	id, err := s.Add(rigid.Body{Mass: rigid.Mass{Mass: 2}}, c)
	require.NoError(t, err)
	s.add(rigid.Body{}, box(0.5), geom.At(-3, 0.5, 0))
	s.add(rigid.Body{}, box(0.5), geom.At(-6, 0.53, 0)) // lands at 0.8 m/s
	var hits []rigid.Hit
	for range 120 {
		s.Step()
		hits = append(hits, s.Hits...)
	}
	require.Len(t, hits, 1)
	h := hits[0]
	require.Equal(t, [2]physics.ColliderID{s.ground, c}, [2]physics.ColliderID{h.A, h.B})
	require.Equal(t, geom.V(0, 1, 0), h.Normal)
	// The speed is that at the start of the step that finds the contact, up to two steps before.
	v := math.Sqrt(2 * 9.81 * 2)
	require.InDelta(t, v, h.Speed, 2*9.81/60)
	require.InDelta(t, 3, h.Point.X, 1e-5)
	require.InDelta(t, -1, h.Point.Z, 1e-5)
	require.InDelta(t, 0, h.Point.Y, v/60)
	require.InEpsilon(t, 2*h.Speed, h.Impulse, 10*0x1p-24)
	require.False(t, s.IsAwake(id))
}

// One impact is one event with the whole speed and impulse, at whatever time within a step it
// happens: also where a step slows a body down and leaves the rest to the next one.
func TestAnImpactIsOneHit(t *testing.T) {
	for _, restitution := range []float32{0, 0.5} {
		for _, shape := range []physics.Shape{geom.Sphere{Radius: 0.25}, box(0.25)} {
			for i := range 240 {
				s := newScene(t)
				s.Settings.Gravity = geom.Vec3{}
				speed := 2 + float32(i)/20
				id := s.add(rigid.Body{Mass: rigid.Mass{Mass: 3}, Velocity: geom.V(0, -speed, 0)}, shape, geom.At(0, 0.5+float32(i%60)/60*speed/30, 0))
				c := s.Colliders(id)[0]
				require.NoError(t, s.SetMaterial(c, rigid.Material{Restitution: restitution, CombineRestitution: rigid.Maximum}))
				var hits []rigid.Hit
				for range 12 {
					s.Step()
					hits = append(hits, s.Hits...)
				}
				require.Len(t, hits, 1, "%T at %v m/s", shape, speed)
				require.Equal(t, speed, hits[0].Speed)
				// Some ten operations in single precision make the impulse and the velocity of a
				// ball. A box may leave turning, and each corner with a speed of its own.
				if _, ok := shape.(geom.Sphere); ok {
					require.InEpsilon(t, 3*speed*(1+restitution), hits[0].Impulse, 10*0x1p-24, "%v m/s", speed)
				}
			}
		}
	}
}

// What falls slowly does not sleep in the air, and sleeps on the ground; what can't fall sleeps.
func TestSlowFall(t *testing.T) {
	s := newScene(t)
	feather := s.add(rigid.Body{GravityScale: 0.01}, box(0.1), geom.At(0, 1, 0))
	parachute := s.add(rigid.Body{LinearDamping: 250}, box(0.1), geom.At(2, 0.3, 0)) // at 4 cm/s
	puck := s.add(rigid.Body{Locked: rigid.MoveY, LinearDamping: 5, Velocity: geom.V(1, 0, 0)}, box(0.1), geom.At(0, 1, 9))
	floats := s.add(rigid.Body{Weightless: true}, box(0.1), geom.At(4, 1, 0))
	s.steps(60)
	for _, id := range []rigid.BodyID{feather, parachute} {
		require.True(t, s.IsAwake(id))
		e, _ := s.Explain(id)
		require.Contains(t, e.String(), "it falls")
	}
	require.False(t, s.IsAwake(floats))
	s.steps(600)
	for _, id := range []rigid.BodyID{feather, parachute} {
		require.False(t, s.IsAwake(id))
		require.InDelta(t, 0.1, s.position(id).Y, 0.03)
	}
	require.False(t, s.IsAwake(puck))
}

// What trembles in place falls asleep at the same step whether the space is rebased or not.
func TestRebaseKeepsTheTimeOfRest(t *testing.T) {
	steps := func(rebases bool) (n int) {
		s := newScene(t)
		s.Settings.Gravity = geom.Vec3{}
		id := s.add(rigid.Body{Velocity: geom.V(0.2, 0, 0)}, box(0.1), geom.At(0, 1, 0))
		j := s.JointAt(rigid.SliderJoint, 0, id, geom.V(0, 1, 0), geom.V(1, 0, 0))
		j.SpringHertz = 6
		s.joint(j)
		for ; s.IsAwake(id); n++ {
			require.Less(t, n, 300)
			if rebases && n == 20 {
				s.Space().Rebase(geom.DVec3{X: 64})
			}
			s.Step()
		}
		return n
	}
	require.Equal(t, steps(false), steps(true))
}

package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// room adds a closed room, 1 m wide inside: six boxes 1 cm thick, or a mesh.
func room(t *testing.T, space *physics.Space, asMesh bool) {
	if asMesh {
		m, err := mesh.New(mesh.Box(geom.V(0.5, 0.5, 0.5)))
		require.NoError(t, err)
		space.Add(physics.Collider{Shape: m, Static: true})
		return
	}
	for axis := range geom.Axis(3) {
		for _, side := range []float32{-1, 1} {
			half := geom.V(0.51, 0.51, 0.51).WithAxis(axis, 0.005)
			at := geom.Vec3{}.WithAxis(axis, side*0.505)
			space.Add(physics.Collider{Shape: geom.Box{HalfExtents: half}, Transform: geom.Transform{Position: at}, Static: true})
		}
	}
}

// Nothing leaves a closed room, whatever its speed: balls of 1 cm at 500 m/s, rods that spin, thin
// plates. HITSCAN_BULLETS is the number of throws.
func TestNothingLeavesARoom(t *testing.T) {
	testenv.NoRace(t)
	shapes := map[string]physics.Shape{
		"ball":  geom.Sphere{Radius: 0.01},
		"box":   geom.Box{HalfExtents: geom.V(0.02, 0.03, 0.01)},
		"rod":   geom.Capsule{A: geom.V(-0.2, 0, 0), B: geom.V(0.2, 0, 0), Radius: 0.005},
		"plate": geom.Box{HalfExtents: geom.V(0.1, 0.1, 0.002)},
	}
	throws := testenv.Count(t, "HITSCAN_BULLETS", 400)
	for name, shape := range shapes {
		for _, asMesh := range []bool{false, true} {
			kind := map[bool]string{false: "boxes", true: "mesh"}[asMesh]
			t.Run(name+" in "+kind, func(t *testing.T) {
				r := testenv.Rand(1, uint64(len(name)))
				space := physics.NewSpace()
				room(t, space, asMesh)
				d := rigid.New(space)
				id, err := d.Add(rigid.Body{NoSleep: true}, space.Add(physics.Collider{Shape: shape}))
				require.NoError(t, err)
				vec := func(most float64) geom.Vec3 {
					v := geom.V(float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64()))
					return v.Normalize().Mul(float32(most * r.Float64()))
				}
				lost, first := 0, ""
				for k := range throws {
					fastest := []float64{500, 5}[k%2] // contacts of what is slower come ahead
					from := geom.Transform{Position: vec(0.25)}
					d.SetTransform(id, from)
					d.SetVelocity(id, vec(fastest), vec(200))
					start, _ := d.Body(id)
					for step := range 12 {
						d.Step()
						at, _ := d.Transform(id)
						if p := at.Position.Abs(); !(max(p.X, p.Y, p.Z) < 0.5) {
							if lost++; first == "" {
								first = fmt.Sprintf("throw %d, step %d: from %v at %v, %v to %v", k, step, from.Position, start.Velocity, start.AngularVelocity, at)
							}
							break
						}
					}
				}
				require.Zero(t, lost, "of %d throws; the first: %s", throws, first)
			})
		}
	}
}

// Faces that approach each other by less than MaxMargin in a step meet without an overlap, except
// by how far they turn in the step after.
func TestImpactsDoNotOverlap(t *testing.T) {
	r := testenv.Rand(5, 5)
	for _, ahead := range []bool{true, false} {
		deepest := float32(0)
		for range 100 {
			s := newScene(t)
			if s.Settings.Gravity = (geom.Vec3{}); !ahead {
				s.Settings.MaxMargin = 0
			}
			turn := geom.Transform{Rotation: geom.QuatAxisAngle(geom.V(1, 0, 0), 6*r.Float64())}
			turn.Position = geom.V(0, 5, 0)
			s.add(rigid.Body{Velocity: geom.V(0.6+0.5*r.Float32(), 0, 0)}, box(0.3), turn)
			turn.Position = geom.V(1.2+0.1*r.Float32(), 5.2, 0)
			s.add(rigid.Body{Velocity: geom.V(-0.6-0.5*r.Float32(), 0, 0)}, box(0.3), turn)
			for range 60 {
				s.Step()
				for _, c := range s.Contacts() {
					deepest = max(deepest, c.Depth())
				}
			}
		}
		if ahead {
			require.Less(t, deepest, float32(0.005))
		} else {
			require.Greater(t, deepest, float32(0.005), "one throw of seven does")
		}
	}
}

// A bullet hits a thin plate that flies towards it or away from it. Without Bullet it would pass.
func TestBulletsHitWhatMoves(t *testing.T) {
	testenv.NoRace(t)
	r := testenv.Rand(1, 2)
	missed := 0
	for range testenv.Count(t, "HITSCAN_BULLETS", 400) {
		for _, bullet := range []bool{true, false} {
			space := physics.NewSpace()
			d := rigid.New(space)
			d.Settings.Gravity = geom.Vec3{}
			add := func(b rigid.Body, shape physics.Shape, at geom.Vec3) rigid.BodyID {
				id, err := d.Add(b, space.Add(physics.Collider{Shape: shape, Transform: geom.Transform{Position: at}}))
				require.NoError(t, err)
				return id
			}
			speed := 100 + 400*r.Float32()
			plate := add(rigid.Body{Velocity: geom.V(0, 0, 50*r.Float32()-25)}, geom.Box{HalfExtents: geom.V(1, 1, 0.005)}, geom.V(0, 0, 10))
			add(rigid.Body{Velocity: geom.V(0, 0, speed), Bullet: bullet}, geom.Sphere{Radius: 0.01},
				geom.V(0.5*r.Float32(), 0.5*r.Float32(), 8*r.Float32()))
			hit := false
			for range 30 {
				d.Step()
				hit = hit || len(d.Hits) > 0
			}
			if bullet {
				at, _ := d.Transform(plate)
				require.True(t, hit, "bullet at %v m/s, plate at %v", speed, at)
			} else if !hit {
				missed++
			}
		}
	}
	require.Positive(t, missed)
}

// A bat hits whatever its speed if MaxMargin is its way in a step, as the comment of that says.
func TestBatsHitWithAMargin(t *testing.T) {
	missed := map[float32]int{}
	for _, margin := range []float32{rigid.DefaultSettings().MaxMargin, 0.7, float32(math.Inf(1))} {
		for k := range 20 {
			s := newScene(t)
			s.Settings.MaxMargin = margin
			ball := s.add(rigid.Body{Weightless: true}, geom.Sphere{Radius: 0.1}, geom.At(0, 5, 0))
			bat := s.add(rigid.Body{Kind: rigid.Kinematic, Velocity: geom.V(40, 0, 0)}, geom.Box{HalfExtents: geom.V(0.02, 1, 1)}, geom.At(-3-0.05*float32(k), 5, 0))
			s.steps(9)
			if s.position(ball).X < s.position(bat).X {
				missed[margin]++
			}
		}
	}
	require.Zero(t, missed[0.7])
	require.Zero(t, missed[float32(math.Inf(1))])
	require.Len(t, missed, 1, "without, some are missed")
}

// The core of a body that is fast stops at what its solid colliders collide with, and at nothing
// else: it passes what it is joined with, and a body of sensors passes everything, each contact
// beginning and ending once (erincatto/box2d#867, dimforge/rapier#330). A sensor as the first
// collider does not count.
func TestCoresStopAtWhatCollides(t *testing.T) {
	const steps, speed = 30, 200
	for _, planar := range []bool{false, true} {
		for _, c := range []struct {
			name               string
			wall               rigid.Kind
			sensor, leads      bool // the ball is a sensor; one on another layer leads it
			joined, collide    bool
			disabled, isBullet bool
			stops              bool
		}{
			{name: "solid", wall: rigid.Kinematic, stops: true},
			{name: "sensor", wall: rigid.Kinematic, sensor: true},
			{name: "bullet that is a sensor", sensor: true, isBullet: true},
			{name: "sensor first", wall: rigid.Kinematic, leads: true, stops: true},
			{name: "bullet with a sensor first", leads: true, isBullet: true, stops: true},
			{name: "joined", wall: rigid.Kinematic, joined: true},
			{name: "bullet that is joined", joined: true, isBullet: true},
			{name: "joined, colliding", wall: rigid.Kinematic, joined: true, collide: true, stops: true},
			{name: "joined, disabled", joined: true, disabled: true, isBullet: true, stops: true},
		} {
			t.Run(fmt.Sprintf("%s/planar=%t", c.name, planar), func(t *testing.T) {
				space, thick := physics.NewSpace(), geom.V(0.01, 2, 2)
				if planar {
					space, thick.Z = physics.NewPlanarSpace(), 0
				}
				s := &scene{rigid.New(space), t, 0}
				s.Settings.Gravity = geom.Vec3{}
				wall := s.add(rigid.Body{Kind: c.wall, Mass: rigid.Mass{Mass: 1e6}}, geom.Box{HalfExtents: thick}, geom.Transform{})
				start := geom.At(-5.5, 0, 0)
				var ids []physics.ColliderID
				if c.leads {
					ids = append(ids, space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: start, Sensor: true, Layer: 4, Mask: 4}))
				}
				ids = append(ids, space.Add(physics.Collider{Shape: geom.Sphere{Radius: 0.2}, Transform: start, Sensor: c.sensor}))
				ball, err := s.Add(rigid.Body{
					Velocity: geom.V(speed, 0, 0), Bullet: c.isBullet, Mass: rigid.Mass{Mass: 1, Inertia: geom.V(0.016, 0.016, 0.016)},
				}, ids...)
				require.NoError(t, err)
				if c.joined {
					j := s.JointAt(rigid.DistanceJoint, wall, ball, geom.Vec3{}, geom.V(0, 0, 1))
					j.FrameB.Position = geom.Vec3{}
					j.Limited, j.Upper, j.Collide, j.Disabled = true, 1000, c.collide, c.disabled
					s.joint(j)
				}
				began, ended := 0, 0
				for range steps {
					s.Step()
					began, ended = began+len(s.Began()), ended+len(s.Ended())
				}
				if x := s.position(ball).X; c.stops {
					require.Less(t, x, float32(0))
				} else {
					require.InDelta(t, -5.5+speed*steps/60.0, x, 1e-3)
					require.Equal(t, began, ended)
				}
			})
		}
	}
}

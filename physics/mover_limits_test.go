package physics_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Places that are too small for the mover, states that the game changes, and unusual scales and
// tick rates.

// A platform that the game puts farther away than its size leaves the mover where it is; what is as
// fast as that in more time, or slower, carries it.
func TestMoverStaysWhenItsPlatformIsTeleported(t *testing.T) {
	for kind, shape := range moverShapes {
		for _, c := range []struct {
			to      geom.Transform
			seconds float32
			carries bool
		}{
			{geom.At(100, 5, 0), 1.0 / 60, false}, {geom.At(0, 40, 0), 1.0 / 60, false}, {geom.At(-12, 5, 0), 1.0 / 60, false},
			{geom.Transform{Position: geom.V(0, 5, 30), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 1)}, 1.0 / 60, false},
			{geom.At(-12, 5, 0), 1.0 / 30, true}, {geom.At(100, 5, 0), 1, true}, {geom.At(0, 9, 7), 1.0 / 60, true},
			{geom.Transform{Position: geom.V(0, 5, 0), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 3)}, 1.0 / 60, true},
		} {
			s := newStage(slab(-500, -1, -500, 500, 0, 500))
			s.mover.Shape = shape
			disc := s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(3, 0.5, 3)}, Transform: geom.At(0, 5, 0)})
			s.at(1, 5.52, 1)
			s.tick(geom.Vec3{})
			require.Equal(t, disc, s.state.GroundCollider)
			was := s.position()
			local := was.Sub(geom.V(0, 5, 0))
			s.SetTransform(disc, c.to)
			s.cache.Move(&s.mover, s.Space, &s.state, s.velocity(geom.Vec3{}), c.seconds, physics.Filter{}, nil)
			if c.carries {
				require.InDelta(t, 0, c.to.Point(local).Distance(s.position()), 1e-2, "%s to %v", kind, c.to)
				require.Equal(t, disc, s.state.GroundCollider)
				continue
			}
			require.InDelta(t, 0, was.Distance(s.position()), 0.02, "%s to %v", kind, c.to)
			require.Zero(t, s.state.GroundVelocity)
			for range 90 {
				s.tick(geom.Vec3{})
			}
			require.InDelta(t, 0, s.position().Y, 0.05)
		}
	}
}

// A mover that flies along a wall of triangles stands on none of their edges.
func TestMoverInTheAirAlongAWallOfTriangles(t *testing.T) {
	for kind, shape := range moverShapes {
		s := newStage()
		s.Add(physics.Collider{Shape: sheet(t, 40, func(x, z float32) float32 { return 0 }), Transform: geom.Transform{
			Position: geom.V(2, 0, 0), Rotation: geom.QuatAxisAngle(geom.V(0, 0, 1), math.Pi/2),
		}})
		s.mover.Shape = shape
		s.at(0.5, 3, -8)
		s.state.Velocity = geom.V(5, 5, 4)
		for tick := range 80 {
			s.tick(geom.Vec3{})
			require.Equal(t, physics.InAir, s.state.Ground, "%s, tick %d: normal %v", kind, tick, s.state.GroundNormal)
		}
		require.InDelta(t, -8+80*4*moverTick, s.position().Z, 1e-3, kind)
		require.Less(t, s.position().X, float32(2), kind)
	}
}

// A mover that the game puts elsewhere is not carried by its former platform. A mover that the game
// pushes a little still is.
func TestMoverLeavesItsPlatform(t *testing.T) {
	paths := map[string]func(tick int) geom.Transform{
		"turning": func(i int) geom.Transform {
			return geom.Transform{Position: geom.V(0, 5, 0), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), float64(i)*0.02)}
		},
		"moving": func(i int) geom.Transform { return geom.At(float32(i)*0.1, 5, 0) },
		"rising": func(i int) geom.Transform { return geom.At(0, 5+float32(i)*0.1, 0) },
	}
	for kind, shape := range moverShapes {
		for name, path := range paths {
			t.Run(kind+"/"+name, func(t *testing.T) {
				s := newStage(slab(-500, -1, -500, 500, 0, 500))
				s.mover.Shape = shape
				disc := s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(3, 0.5, 3)}, Transform: path(0)})
				s.at(1, 5.52, 1)
				tick := 0
				next := func() {
					tick++
					s.SetTransform(disc, path(tick))
					s.tick(geom.Vec3{})
				}
				s.tick(geom.Vec3{})
				for range 10 {
					next()
				}
				require.Equal(t, disc, s.state.GroundCollider)

				// The platform carries the mover after a short push along the platform.
				at := path(tick)
				s.state.Transform.Position = s.position().Add(geom.V(0.1, 0, -0.15))
				local := at.Rotation.Inverse().Rotate(s.position().Sub(at.Position))
				next()
				at = path(tick)
				require.InDelta(t, 0, at.Point(local).Distance(s.position()), 1e-3)
				require.Equal(t, disc, s.state.GroundCollider)

				for _, to := range []geom.Vec3{geom.V(100, 0.02, 100), geom.V(-4, 0.02, 0), s.position().Add(geom.V(0, 30, 0))} {
					was := s.state
					s.state.Transform.Position = to
					state := s.state
					next()
					require.InDelta(t, 0, s.position().Distance(to), settled)
					require.Zero(t, s.state.GroundVelocity)
					require.NotEqual(t, disc, s.state.GroundCollider)

					// A jump there does not add the velocity of the platform.
					s.mover.Move(s.Space, &state, geom.V(0, 6, 0), moverTick, physics.Filter{}, nil)
					require.InDelta(t, 0, state.Velocity.Distance(geom.V(0, 6, 0)), 1e-3)
					s.state = was
				}
			})
		}
	}
}

// scaled is a stage on which all lengths are multiplied by scale.
type scaled struct {
	*stage
	scale float32
}

func (s scaled) tick(wish geom.Vec3) {
	v := wish.Mul(s.scale)
	if s.state.Ground != physics.OnGround {
		v = s.state.Velocity.Add(geom.V(0, -9.81*moverTick*s.scale, 0))
	}
	s.hits = s.cache.Move(&s.mover, s.Space, &s.state, v, moverTick, physics.Filter{}, s.hits[:0])
}

func TestMoverScales(t *testing.T) {
	testenv.NoRace(t)
	var slabs []physics.Shape
	for i := range 8 {
		x, y := float32(i)*0.3, 0.3*float32(i+1)
		slabs = append(slabs, slab(x, y-0.1, -2, x+0.35, y, 2))
	}
	ending := append(slices.Clone(slabs), ground)
	slabs = append(slabs, slab(2.4, 2.3, -2, 9, 2.4, 2), ground)
	scenes := map[string][]physics.Shape{
		"slabs to an end": ending,
		"stairs":          stairs(0.3, 0.3, 8),
		"stairs of mesh":  {meshOf(t, stairs(0.3, 0.3, 8))},
		"slabs":           slabs,
		"slope":           {ground, ramp(0.7, 1)},
		"steep slope":     {ground, ramp(1.3, 1)},
		"kerb, 60°":       {ground, kerb(0.3, 9, 60).hull()},
		"kerb, 110°":      {ground, kerb(0.3, 9, 110).hull()},
		"wall":            {ground, wall(30, 1, 0)},
		"slanted kerb":    {ground, geom.Box{Center: geom.V(2, 0, 0), HalfExtents: geom.V(1.5, 0.2, 5), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.4)}},
	}
	for name, shapes := range scenes {
		for _, kind := range []string{"capsule", "box", "hull"} {
			var want []geom.Vec3 // the positions at scale 1
			for _, scale := range []float32{1, 0.01, 0.1, 100} {
				t.Run(fmt.Sprint(name, "/", kind, "/", scale), func(t *testing.T) {
					size := geom.Transform{Scale: geom.V(scale, scale, scale)}
					s := scaled{&stage{Space: physics.NewSpace()}, scale}
					for _, shape := range shapes {
						s.Add(physics.Collider{Shape: physics.NewCompound(physics.Child{Shape: shape}), Transform: size, Static: true})
					}
					s.mover = physics.Mover{
						Shape: moverShapes[kind], Offset: physics.DefaultOffset * scale, StepHeight: physics.DefaultStepHeight * scale,
						StepDepth: physics.DefaultStepDepth * scale, SnapDistance: physics.DefaultSnapDistance * scale,
					}
					s.at(-1*scale, 0.02*scale, 0.1*scale)
					s.state.Transform.Scale = size.Scale
					for i := range 200 {
						wish := geom.V(2, 0, 0.3)
						if i >= 120 {
							wish = wish.Neg()
						}
						s.tick(wish)
						p := s.position().Mul(1 / scale)
						if scale == 1 {
							want = append(want, p)
						}
						// Positions are below 4 m, and each tick rounds them by 2⁻²³ m on each axis
						// in both worlds.
						require.InDelta(t, 0, want[i].Distance(p), float64(i+4)*0x1p-21, "tick %d at %v, want %v", i, p, want[i])
					}
				})
			}
		}
	}
}

// The rate of ticks does not change how fast stairs are climbed.
func TestMoverClimbsAtAnyRate(t *testing.T) {
	testenv.NoRace(t)
	for kind, shape := range moverShapes {
		for _, rate := range []int{15, 30, 60, 240, 1000} {
			t.Run(fmt.Sprint(kind, "/", rate), func(t *testing.T) {
				s := newStage(stairs(0.3, 0.3, 10)...).at(-2, 0.02, 0)
				s.mover.Shape = shape
				dt := 1 / float32(rate)
				s.move(geom.Vec3{}, dt)
				for range rate * 5 / 2 {
					s.move(geom.V(2, 0, 0), dt)
				}
				moved := float32(rate*5/2) * 2 * dt
				assert.InDelta(t, -2+moved, s.position().X, 0.03)
				assert.InDelta(t, 3.02, s.position().Y, 5e-3)
			})
		}
	}
}

// Neither a ceiling nor a crusher presses a mover into ground that keeps still, static or not.
func TestMoverStaysOnTheGroundUnderACeiling(t *testing.T) {
	testenv.NoRace(t)
	grounds := map[string]physics.Shape{
		"slab": ground, "thin slab": slab(-50, -0.1, -50, 50, 0, 50), "plane": geom.Plane{Normal: geom.V(0, 1, 0)},
		"mesh": sheet(t, 10, func(x, z float32) float32 { return 0 }),
	}
	tall := map[string]float32{"default": 1.8, "capsule": 1.8, "sphere": 1, "box": 1.8, "AABB": 1.8, "hull": 1.8}
	for i, name := range []string{"slab", "thin slab", "plane", "mesh", "slab", "thin slab", "plane", "mesh"} {
		floor, static := grounds[name], i < 4
		newStage := func(shapes ...physics.Shape) *stage {
			s := &stage{Space: physics.NewSpace()}
			for _, shape := range shapes {
				s.Add(physics.Collider{Shape: shape, Static: static})
			}
			return s
		}
		name = fmt.Sprint(name, ", static ", static)
		t.Run(name+"/standing up", func(t *testing.T) {
			s := newStage(floor, slab(-1, 1.2, -1, 1, 3, 1)).at(0, 0.02, 0)
			s.mover.Shape = geom.Capsule{A: geom.V(0, 0.3, 0), B: geom.V(0, 0.7, 0), Radius: 0.3}
			s.walk(geom.Vec3{}, 5)
			require.Zero(t, s.state.Depth)
			s.mover.Shape = nil
			for range 30 {
				s.tick(geom.V(1, 0, 0))
				require.InDelta(t, 0.02, s.position().Y, settled)
				require.InDelta(t, 0.62, s.state.Depth, settled)
				require.Equal(t, physics.OnGround, s.state.Ground)
			}
			s.walk(geom.V(1, 0, 0), 90)
			assert.Zero(t, s.state.Depth, "it can walk out")
			assert.InDelta(t, 0.02, s.position().Y, settled)
		})
		for kind, shape := range moverShapes {
			for _, thick := range []float32{0.1, 1, 5} {
				for _, speed := range []float32{0.01, 0.2} {
					if thick < 0.2 && speed > 0.1 {
						continue // it passes the gap above the ground within one tick
					}
					t.Run(fmt.Sprint(name, "/", kind, "/a crusher ", thick, " m thick, ", speed, " m a tick"), func(t *testing.T) {
						s := newStage(floor).at(0.2, 0.02, 0)
						s.mover.Shape = shape
						crusher := s.Add(physics.Collider{Shape: slab(-4, 0, -4, 4, thick, 4), Transform: geom.At(0, 2.5, 0)})
						down := func(y float32) {
							s.SetTransform(crusher, geom.At(0, y, 0))
							s.tick(geom.Vec3{})
							require.InDelta(t, 0.02, s.position().Y, settled, "under a crusher at %v", y)
							require.InDelta(t, 0, s.position().Distance(geom.V(0.2, 0.02, 0)), settled)
							require.Equal(t, physics.OnGround, s.state.Ground)
							require.NotEqual(t, crusher, s.state.GroundCollider)
							require.InDelta(t, max(0, tall[kind]+0.02-y), s.state.Depth, settled)
						}
						// Until the upper side of the crusher is below the centre of the mover.
						low := max(0.1, (tall[kind]+0.1)/2-thick+speed)
						for y := float32(2.5); y > low; y -= speed {
							down(y)
						}
						for y := low; y < 2.5; y += speed {
							down(y)
						}
					})
				}
			}
		}
	}
	t.Run("a moving mesh", func(t *testing.T) { // until the mesh is below the centre of the mover
		s := newStage(ground).at(0.2, 0.02, 0)
		crusher := s.Add(physics.Collider{Shape: meshOf(t, []physics.Shape{slab(-4, 0, -4, 4, 1, 4)})})
		for y := float32(2.5); y > 1; y -= 0.01 {
			s.SetTransform(crusher, geom.At(0, y, 0))
			s.tick(geom.Vec3{})
			require.InDelta(t, 0.02, s.position().Y, settled)
			require.InDelta(t, max(0, 1.82-y), s.state.Depth, settled)
		}
	})
	t.Run("a slope", func(t *testing.T) {
		s := newStage(ground, ramp(0.5, 1)).at(3, 2, 0)
		s.walk(geom.Vec3{}, 60)
		at := s.position()
		crusher := s.Add(physics.Collider{Shape: slab(-4, 0, -4, 14, 1, 4)})
		for y := at.Y + 2; y > at.Y+0.5; y -= 0.01 {
			s.SetTransform(crusher, geom.At(0, y, 0))
			s.tick(geom.Vec3{})
			require.Equal(t, physics.OnGround, s.state.Ground)
			p := s.position() // the mover may slide out from under it, but stays on the slope
			require.InDelta(t, at.Y+(p.X-at.X)/2, p.Y, settled)
		}
	})
	t.Run("a slab that rises through the ground", func(t *testing.T) { // lifts the mover
		s := newStage(ground).at(0, 0.02, 0)
		lift := s.Add(physics.Collider{Shape: slab(-2, -1, -2, 2, 0, 2), Transform: geom.At(0, -0.5, 0)})
		for y := float32(-0.5); y < 2; y += 0.3 {
			s.SetTransform(lift, geom.At(0, y, 0))
			s.tick(geom.Vec3{})
			require.InDelta(t, max(0, y)+0.02, s.position().Y, settled)
			require.Zero(t, s.state.Depth)
		}
	})
}

// A pooled walker moves a body after a large ball as it does first.
func TestMoverForgetsOtherShapes(t *testing.T) {
	scene := []physics.Shape{ground, kerb(0.3, 0.3, 60).hull(), kerb(0.3, 0.3, 60).moved(0.6, 0.2).hull()}
	walk := func() geom.Vec3 {
		s := newStage(scene...).at(-1, 0.02, 0)
		s.mover.Shape = moverShapes["box"]
		for range 40 {
			s.state.Transform.Position.Z = 0
			large := physics.MoverState{Transform: geom.At(0, 500, 0)}
			(&physics.Mover{Shape: geom.Sphere{Radius: 40}}).Move(s.Space, &large, geom.V(1, 0, 0), moverTick, physics.Filter{}, nil)
			s.tick(geom.V(2, 0, 0))
		}
		return s.position()
	}
	alone := newStage(scene...).at(-1, 0.02, 0)
	alone.mover.Shape = moverShapes["box"]
	alone.walk(geom.V(2, 0, 0), 40)
	assert.Equal(t, alone.position(), walk())
}

// Negative options count as 0.
func TestMoverNegativeNumbers(t *testing.T) {
	s := newStage(ground, slab(1, 0, -5, 3, 5, 5)).at(0, 0.02, 0)
	s.mover = physics.Mover{Offset: -1, StepDepth: -1, MaxSlope: -1}
	s.walk(geom.V(3, 0, 0), 100)
	p := s.position()
	assert.InDelta(t, 0, p.Y, 1e-3, "on level ground, with a tiny gap")
	assert.InDelta(t, 0.7, p.X, 1e-3)
	assert.Equal(t, physics.OnGround, s.state.Ground)
	s = newStage(ground, ramp(0.1, 1)).at(-1, 0.02, 0)
	s.mover = physics.Mover{MaxSlope: -1, StepHeight: -1}
	s.walk(geom.V(3, 0, 0), 100)
	assert.Less(t, math.Abs(float64(s.position().Y)), 0.05)
}

// Far from the origin a mover keeps the gap that the comment of Offset names.
func TestMoverOffsetFarOut(t *testing.T) {
	for far, gap := range map[float32]float32{1000: 0.015, 10_000: 0.15, 100_000: 1.5} {
		s := physics.NewSpace()
		s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(50, 1, 50)}, Transform: geom.At(far, -1, 0)})
		m := physics.Mover{Offset: -1}
		st := physics.MoverState{Transform: geom.At(far, gap+0.1, 0)}
		for range 120 {
			m.Move(s, &st, geom.V(0, -0.5, 0), moverTick, physics.Filter{}, nil)
		}
		assert.Equal(t, physics.OnGround, st.Ground)
		assert.InEpsilon(t, gap, st.Transform.Position.Y, 0.08, "%g m from the origin", far)
	}
}

package physics_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// options are all structs of this package whose numbers a game chooses, beside those of colliders
// and rays, which conventions_test.go has.
type options struct {
	Mover      physics.Mover
	Projectile physics.Projectile
	Movable    physics.Movable
	Separator  physics.Separator
	Cast       physics.ShapeCast
	Swing      physics.Swing
	Contacts   physics.ContactTracker
}

// A number that is NaN, infinite or negative stops what has it, is no limit, or finds nothing, as
// the package's documentation says under Zero and +Inf; it neither panics nor makes another number
// NaN. Finite numbers do not stop anything, so that the test sees motion, hits and contacts.
func TestOptionsThatAreNotFinite(t *testing.T) {
	var paths []string
	testenv.VisitNumbers(reflect.ValueOf(options{}), func(path string, _ reflect.Value) { paths = append(paths, path) })
	testenv.Drawn(t, len(paths), 50)
	inf := math.Inf(1)
	for _, path := range append(paths, "none") {
		for _, bad := range []float64{inf, -inf, math.NaN(), -1} {
			o := options{
				Projectile: physics.Projectile{Position: geom.V(0, 2, 5), Velocity: geom.V(9, 1, 1), Radius: 0.1, Bounces: 3, Restitution: 0.5},
				Cast:       physics.ShapeCast{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(0, 3, 0), Motion: geom.V(0, -4, 0)},
				Swing:      physics.Swing{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(0, 3, 0), Pivot: geom.V(3, 3, 0), Turn: geom.V(0, 0, 2)},
				Contacts:   physics.ContactTracker{Margin: 0.01},
			}
			testenv.VisitNumbers(reflect.ValueOf(&o).Elem(), func(at string, x reflect.Value) {
				if at == path {
					x.SetFloat(bad)
				}
			})
			s := physics.NewSpace()
			s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(50, 1, 50)}, Transform: geom.At(0, -1, 0), Static: true})
			pushed := []geom.Transform{geom.At(20, 0.5, 0), geom.At(20.5, 0.5, 0)}
			var movables []physics.Movable
			for i := range pushed {
				movables = append(movables, physics.Movable{Collider: s.Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: pushed[i]})})
			}
			o.Movable.Collider = movables[0].Collider
			movables[0] = o.Movable
			state := physics.MoverState{Transform: geom.At(0, 0.02, 0)}
			var f physics.Filter
			var casts, swings, contacts int
			assert.NotPanics(t, func() {
				for range 10 {
					o.Mover.Move(s, &state, geom.V(3, -1, 0), 1./60, f, nil)
					o.Projectile.Move(nil, s, 1./60, f)
					o.Separator.Separate(s, movables)
					o.Contacts.Update(s)
				}
				if h, ok := s.CastShape(o.Cast, f); ok {
					casts++
					assert.True(t, h.T >= 0 && h.Point.IsFinite(), "%s = %v: %+v", path, bad, h)
				}
				if h, ok := s.CastSwing(o.Swing, f); ok {
					swings++
					assert.True(t, h.T >= 0 && h.T <= 1 && h.Point.IsFinite(), "%s = %v: %+v", path, bad, h)
				}
				for _, c := range o.Contacts.All {
					contacts++
					for i := range c.Manifolds {
						for _, p := range c.Manifolds[i].ContactPoints() {
							assert.True(t, p.PointA.IsFinite() && p.PointB.IsFinite(), "%s = %v", path, bad)
						}
					}
				}
			}, "%s = %v", path, bad)
			assert.True(t, state.Transform.IsFinite() && state.Velocity.IsFinite(), "%s = %v: %+v", path, bad, state)
			for i, m := range movables {
				assert.True(t, m.Push.IsFinite(), "%s = %v: movable %d", path, bad, i)
			}
			if path[:4] != ".Pro" {
				assert.True(t, o.Projectile.Position.IsFinite(), "%s = %v", path, bad)
			}
			if path == "none" {
				assert.NotEqual(t, geom.V(0, 0.02, 0), state.Transform.Position)
				assert.NotEqual(t, geom.V(0, 2, 5), o.Projectile.Position)
				assert.NotZero(t, movables[0].Push)
				assert.NotZero(t, casts)
				assert.NotZero(t, swings)
				assert.NotZero(t, contacts)
			}
		}
	}
}

// Where a comment gives a default for 0, that default has the results of 0, to the bit.
func TestZeroIsTheDefault(t *testing.T) {
	walk := func(m physics.Mover) (st physics.MoverState) {
		s := physics.NewSpace()
		s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(50, 1, 50)}, Transform: geom.At(0, -1, 0)})
		s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1, 0.35, 5)}, Transform: geom.At(2, 0, 0)})
		st.Transform = geom.At(0, 0.02, 0)
		for range 40 {
			m.Move(s, &st, geom.V(3, -1, 0), 1./60, physics.Filter{}, nil)
		}
		return st
	}
	zero := walk(physics.Mover{})
	assert.Greater(t, zero.Transform.Position.Y, float32(0.35), "it has walked up a step")
	for name, m := range map[string]physics.Mover{
		"Shape":        {Shape: geom.Capsule{A: geom.V(0, 0.3, 0), B: geom.V(0, 1.5, 0), Radius: 0.3}},
		"Up":           {Up: geom.V(0, 1, 0)},
		"Offset":       {Offset: physics.DefaultOffset},
		"StepHeight":   {StepHeight: physics.DefaultStepHeight},
		"StepDepth":    {StepDepth: physics.DefaultStepDepth},
		"SnapDistance": {SnapDistance: physics.DefaultSnapDistance},
		"MaxSlope":     {MaxSlope: physics.DefaultMaxSlope},
	} {
		assert.Equal(t, zero, walk(m), name)
	}
	assert.NotEqual(t, zero, walk(physics.Mover{StepHeight: -1}))

	fly := func(p physics.Projectile) physics.Projectile {
		s := physics.NewSpace()
		s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(50, 1, 50)}, Transform: geom.At(0, -1, 0)})
		p.Position, p.Velocity, p.Acceleration, p.Bounces, p.Restitution = geom.V(0, 1, 0), geom.V(1, 0, 0), geom.V(0, -10, 0), -1, 0.5
		for range 240 {
			p.Move(nil, s, 1./60, physics.Filter{})
		}
		p.RestSpeed, p.Life = 0, 0
		return p
	}
	assert.True(t, fly(physics.Projectile{}).Resting)
	assert.Equal(t, fly(physics.Projectile{}), fly(physics.Projectile{RestSpeed: physics.DefaultRestSpeed}))
	assert.Equal(t, fly(physics.Projectile{}), fly(physics.Projectile{Life: -1}), "no limit")
	assert.False(t, fly(physics.Projectile{RestSpeed: -1}).Resting)

	push := func(p physics.Separator, m physics.Movable) geom.Vec3 {
		s := physics.NewSpace()
		m.Collider = s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}})
		other := physics.Movable{Collider: s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(1, 0, 0)})}
		list := []physics.Movable{m, other}
		p.Separate(s, list)
		return list[0].Push
	}
	still := push(physics.Separator{}, physics.Movable{})
	assert.NotZero(t, still)
	assert.Equal(t, still, push(physics.Separator{Iterations: physics.DefaultIterations}, physics.Movable{}))
	assert.Equal(t, still, push(physics.Separator{Slop: physics.DefaultSlop}, physics.Movable{}))
	assert.Equal(t, still, push(physics.Separator{}, physics.Movable{Weight: 1}))
	assert.Equal(t, still, push(physics.Separator{}, physics.Movable{MaxPush: 1e9}))
}

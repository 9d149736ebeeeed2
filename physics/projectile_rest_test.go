package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func slopeFacing(radians, heading float64) geom.Plane {
	sin, cos := math.Sincos(radians)
	z, x := math.Sincos(heading)
	return geom.Plane{Normal: geom.V(float32(sin*x), float32(cos), float32(sin*z))}
}

// A projectile that is thrown into a hollow comes to rest there. No bit of its state changes after
// that.
func TestProjectileComesToRest(t *testing.T) {
	testenv.NoRace(t)
	flat := mustMesh([]geom.Vec3{{X: -50, Z: -50}, {X: -50, Z: 50}, {X: 50, Z: 50}, {X: 50, Z: -50}}, []uint32{0, 1, 2, 0, 2, 3})
	for _, tt := range []struct {
		name     string
		shapes   []Shape
		friction float32
		velocity geom.Vec3
	}{
		{"floor", []Shape{flatFloor}, 0.5, geom.V(3, 1, 2)},
		{"mesh floor", []Shape{flat}, 0.5, geom.V(3, 1, 2)},
		{"floor, no friction, straight down", []Shape{flatFloor}, 0, geom.V(0, -5, 0)},
		{"slope of 20° with friction", []Shape{slopeFacing(0.35, 0.4)}, 0.5, geom.V(1, 0, 1)},
		{"groove", []Shape{slopeFacing(0.8, 0), slopeFacing(0.8, math.Pi)}, 0.3, geom.V(2, 0, 1)},
		{"groove, no friction, straight down", []Shape{slopeFacing(0.8, 0.3), slopeFacing(0.8, 0.3+math.Pi)}, 0, geom.V(0, -5, 0)},
		{"sharp groove", []Shape{slopeFacing(1.4, 0.3), slopeFacing(1.4, 0.3+math.Pi)}, 0.1, geom.V(0.5, 0, 0.25)},
		{"corner", []Shape{slopeFacing(0.9, 0), slopeFacing(0.9, 2), slopeFacing(0.9, 4)}, 0.2, geom.V(1, -3, 1)},
		{"corner, no friction", []Shape{slopeFacing(0.9, 0), slopeFacing(0.9, 2), slopeFacing(0.9, 4)}, 0, geom.V(0.5, -3, 0.7)},
		{"box", []Shape{geom.Box{HalfExtents: geom.V(30, 1, 30), Center: geom.V(0, -1, 0)}}, 0.5, geom.V(1, 2, 3)},
	} {
		for _, origin := range []geom.Vec3{{}, {X: 10_000, Y: -3000, Z: 7000}} {
			for _, radius := range []float32{0, 0.2} {
				t.Run(tt.name, func(t *testing.T) {
					s := NewSpace()
					for _, shape := range tt.shapes {
						s.Add(Collider{Shape: shape, Transform: geom.Transform{Position: origin}})
					}
					p := Projectile{Position: origin.Add(geom.V(0, 2, 0)), Velocity: tt.velocity, Acceleration: geom.V(0, -9.81, 0),
						Radius: radius, Bounces: -1, Restitution: 0.4, Friction: tt.friction}
					events := fly(&p, s, 3000, Filter{})
					require.NotEmpty(t, events)
					assert.Less(t, len(events), 120, "events")
					assert.True(t, p.Resting)
					still := p
					for range 100 {
						require.Empty(t, p.Move(nil, s, flightTick, Filter{}))
						require.Equal(t, still, p)
					}
				})
			}
		}
	}
}

// On a frictionless slope a projectile slides with the component of gravity along the slope.
func TestProjectileSlides(t *testing.T) {
	const angle = 0.5
	for _, friction := range []float32{0, 0.25} {
		s := spaceOf(slopeFacing(angle, 0))
		p := Projectile{Position: geom.V(0, 0.3, 0), Acceleration: geom.V(0, -10, 0), Radius: 0.2, Bounces: -1, Friction: friction}
		fly(&p, s, 60, Filter{}) // lands
		require.True(t, p.Resting)
		before := p.Velocity.Len()
		assert.Empty(t, fly(&p, s, 120, Filter{}))
		gain := 2 * 10 * (math.Sin(angle) - float64(friction)*math.Cos(angle))
		assert.InDelta(t, gain, p.Velocity.Len()-before, 0.01)
		n := slopeFacing(angle, 0).Normal.Wide()
		assert.InDelta(t, 0, n.Dot(p.Velocity.Wide()), 0.2, "along the slope")
		assert.InDelta(t, 0.2, n.Dot(p.Position.Wide()), 1e-3)
	}
}

// A projectile at rest on a floor that rises is lifted with it, without another event.
func TestProjectileIsLifted(t *testing.T) {
	s := NewSpace()
	lift := s.Add(Collider{Shape: geom.Box{HalfExtents: geom.V(2, 0.5, 2)}, Transform: geom.At(0, -0.5, 0)})
	p := Projectile{Position: geom.V(0, 1, 0), Acceleration: geom.V(0, -10, 0), Radius: 0.2, Bounces: -1, Friction: 0.5}
	events := fly(&p, s, 120, Filter{})
	require.NotEmpty(t, events)
	assert.Equal(t, ProjectileRested, events[len(events)-1].Event)
	for i := range 100 {
		top := float32(i+1) * 0.05
		s.SetTransform(lift, geom.At(0, top-0.5, 0))
		require.Empty(t, p.Move(nil, s, flightTick, Filter{}))
		require.InDelta(t, top+0.2, p.Position.Y, 1e-3)
	}
	s.Remove(lift)
	p.Move(nil, s, flightTick, Filter{})
	assert.False(t, p.Resting)
}

// Between two walls whose distance is less than the projectile's motion in a tick, the number of
// impacts in a tick is bounded, even at the narrow end of a wedge.
func TestProjectileStopsAreBounded(t *testing.T) {
	s := NewSpace()
	for _, y := range []float32{-0.01, 0.01} {
		s.Add(Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0), D: y}})
	}
	p := Projectile{Velocity: geom.V(1, 1000, 0), Bounces: -1, Restitution: 1}
	for range 10 {
		require.Len(t, p.Move(nil, s, flightTick, Filter{}), maxStops)
		require.Less(t, math.Abs(float64(p.Position.Y)), 0.01)
		require.EqualValues(t, 1000, math.Abs(float64(p.Velocity.Y)))
	}
	s = spaceOf(slopeFacing(1.55, 0), slopeFacing(1.55, math.Pi))
	p = Projectile{Position: geom.V(0, 5, 0), Velocity: geom.V(0.1, -1000, 0), Bounces: -1, Restitution: 1}
	for range 100 {
		require.LessOrEqual(t, len(p.Move(nil, s, flightTick, Filter{})), maxStops)
	}
	assert.InDelta(t, 1000, p.Velocity.Len(), 1)
}

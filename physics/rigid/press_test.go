package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// A ball on a ball gives way in proportion to what it carries, as a spring of 40 Hz, and as one of
// 80 Hz if that is more than some 25 times gravity: a point sinks in by load/(2π·f)².
func TestLoadedPointsAreStiff(t *testing.T) {
	const gravity = 9.81
	for _, c := range []struct{ mass, hertz float64 }{{1, 40}, {20, 40}, {30, 80}, {60, 80}} {
		s := newScene(t)
		s.Settings.SleepSpeed = 0
		ball := func(y float32, mass float64) rigid.BodyID {
			return s.add(rigid.Body{Mass: rigid.Mass{Mass: float32(mass)}, Locked: ^rigid.MoveY}, geom.Sphere{Radius: 0.5}, geom.At(0, y, 0))
		}
		low, high := ball(0.5, 1), ball(1.5, c.mass)
		s.steps(600)
		a, _ := s.Transform(low)
		b, _ := s.Transform(high)
		load := c.mass * gravity * (1 + 1/c.mass)
		omega := 2 * math.Pi * c.hertz
		assert.InEpsilon(t, load/(omega*omega), 1-float64(b.Position.Y-a.Position.Y), 0.05, "mass %g", c.mass)
	}
}

// The stiffness of a contact goes by its load. Whatever carries what, it comes to rest: a load near
// a limit does not swing between both sides of it.
func TestLoadsComeToRest(t *testing.T) {
	testenv.NoRace(t)
	for _, mass := range []float32{5, 20, 24, 25, 26, 28, 31, 40, 50, 60, 65, 70, 100, 120, 126, 128, 130, 200} {
		s := newScene(t)
		s.Settings.SleepSpeed = 0
		ball := func(y, mass float32) rigid.BodyID {
			return s.add(rigid.Body{Mass: rigid.Mass{Mass: mass}, Locked: ^rigid.MoveY}, geom.Sphere{Radius: 0.5}, geom.At(0, y, 0))
		}
		low, high := ball(0.5, 1), ball(1.5, mass)
		s.steps(600)
		a, _ := s.Transform(low)
		b, _ := s.Transform(high)
		for range 60 {
			s.Step()
			low, _ := s.Transform(low)
			high, _ := s.Transform(high)
			assert.InDelta(t, a.Position.Y, low.Position.Y, 2e-6, "mass %g", mass)
			assert.InDelta(t, b.Position.Y, high.Position.Y, 2e-6, "mass %g", mass)
		}
	}
}

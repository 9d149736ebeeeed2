package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// TestImpulse drops a box: in each step its momentum changes by gravity and by the impulses.
func TestImpulse(t *testing.T) {
	s := newScene(t)
	s.Settings.Substeps, s.Settings.SleepSpeed = 1, 0
	id := s.add(rigid.Body{Mass: rigid.Mass{Mass: 3}}, geom.Box{HalfExtents: geom.V(0.5, 0.4, 0.3)}, geom.At(0, 0.6, 0))
	touched := 0
	for range 60 {
		before, _, _ := s.Velocity(id)
		s.Step()
		after, _, _ := s.Velocity(id)
		sum, greatest := 0.0, 0.0
		for _, c := range s.Contacts() {
			for i := range c.Manifolds {
				m := &c.Manifolds[i]
				for k := range m.ContactPoints() {
					impulse := float64(s.Impulse(c, m, &m.Points[k]))
					require.GreaterOrEqual(t, impulse, 0.0)
					sum += impulse
					greatest = max(greatest, impulse)
				}
			}
		}
		if sum > 0 {
			touched++
		}
		gravity := 3 * float64(s.Settings.Gravity.Y) * float64(s.Settings.Step)
		change := 3 * (float64(after.Y) - float64(before.Y))
		// Single precision rounds the velocity once for gravity, and once for each of at most four
		// points in the warm start and in each sweep of solve and relax: here in four sweeps each.
		speed := max(math.Abs(float64(before.Y)), math.Abs(float64(after.Y)), 4*greatest/3)
		assert.InDelta(t, change, sum+gravity, 3*speed*(1+4*(1+4+4))*0x1p-24)
	}
	assert.Greater(t, touched, 20)
	assert.Positive(t, s.Times.Contacts)
	assert.Positive(t, s.Times.Solve)
	assert.Positive(t, s.Times.Rest)
}

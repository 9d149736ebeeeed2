package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// load returns the number of boxes that the contact below each box of a tower carries, as a
// multiple of the effective mass of the two that touch there. A contact is a spring, of which the
// frequency f does not depend on the mass: it sinks in by load·g/(2π·f)².
func load(masses []float64) []float64 {
	loads := make([]float64, len(masses))
	above := 0.0
	for i := len(masses) - 1; i >= 0; i-- {
		above += masses[i]
		effective := masses[i]
		if i > 0 {
			effective = 1 / (1/masses[i] + 1/masses[i-1])
		}
		loads[i] = above / effective
	}
	return loads
}

// Towers stand at the default settings, also if their boxes are beside each other's middles, and
// with a mass that grows upward a hundredfold: they sink in by what their springs give way, and
// lean by less than a fifth of a box.
func TestTowersStand(t *testing.T) {
	testenv.NoRace(t)
	uniform := func(int) float64 { return 1000 }
	for _, c := range []struct {
		name   string
		n      int
		offset float32
		mass   func(i int) float64
	}{
		{"of 10", 10, 0, uniform},
		{"of 30", 30, 0, uniform},
		{"of 30, uneven", 30, 0.02, uniform},
		{"of 20, geometric", 20, 0, func(i int) float64 { return 10 * math.Pow(100, float64(i)/19) }},
		{"of 20, arithmetic", 20, 0, func(i int) float64 { return 10 + 990*float64(i)/19 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			s.Settings.SleepSpeed = 0
			var ids []rigid.BodyID
			var masses []float64
			for i := range c.n {
				at := geom.At(c.offset*float32(i*7%5-2), 0.5+float32(i), c.offset*float32(i*5%3-1))
				ids = append(ids, s.add(rigid.Body{Density: float32(c.mass(i))}, box(0.5), at))
				masses = append(masses, c.mass(i))
			}
			s.steps(1200)
			// Heavy contacts are stiffer, not softer, than this.
			const hertz = 40
			sag := 0.0
			for i, l := range load(masses) {
				sag += l * 9.81 / math.Pow(2*math.Pi*hertz, 2)
				p := s.position(ids[i])
				require.InDelta(t, 0.5+float64(i)-sag/2, p.Y, sag/2+0.01, "box %d", i)
				require.Less(t, math.Hypot(float64(p.X), float64(p.Z)), 0.2, "box %d", i)
			}
		})
	}
}

// A wall as a pyramid stands. The one of base 100 is as large as Box3D's, which sinks in by 0.70 m
// and drifts by 0.40 m in 200 steps. With contacts solved in the order of the boxes, this one leans
// by 0.2 m, and that of base 20 by 8 mm.
func TestPyramidStands(t *testing.T) {
	testenv.NoRace(t)
	base, steps := 20, 300
	most, far := 0.03, 0.004
	if testenv.Minutes() {
		base, steps = 100, 1000
		most, far = 0.5, 0.1
	}
	s := newScene(t)
	s.Settings.SleepSpeed = 0
	start := map[rigid.BodyID]geom.Vec3{}
	for i := range base {
		for k := range base - i {
			at := geom.V(float32(k)+0.5*float32(i-base), 0.5+float32(i), 0)
			start[s.add(rigid.Body{}, box(0.5), geom.Transform{Position: at})] = at
		}
	}
	s.steps(steps)
	sunk, drift := 0.0, 0.0
	for id, at := range start {
		p := s.position(id)
		sunk = max(sunk, float64(at.Y-p.Y))
		drift = max(drift, math.Hypot(float64(p.X-at.X), float64(p.Z-at.Z)))
	}
	t.Logf("sunk %.3f m, drift %.3f m", sunk, drift)
	require.Less(t, sunk, most)
	require.Less(t, drift, far)
}

package rigid_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// momentum returns the momentum of all bodies, their energy of translation, and the sum of the
// lengths of their momenta, which bounds the rounding. All are balls of a radius and density.
func momentum(d *rigid.Dynamics, masses map[rigid.BodyID]float64) (p geom.DVec3, energy, sum float64) {
	for id, b := range d.All() {
		v := b.Velocity.Wide()
		p = p.Add(v.Mul(masses[id]))
		energy += masses[id] * v.Dot(v) / 2
		sum += masses[id] * v.Len()
	}
	return p, energy, sum
}

// A cloud of balls that collide without friction in weightlessness keeps its momentum for 10,000
// steps, whatever they do. They bounce with restitution 0.8, and their energy never grows.
func TestMomentumAndEnergy(t *testing.T) {
	testenv.NoRace(t)
	d := rigid.New(physics.NewSpace())
	r := testenv.Rand(14, 1)
	masses := map[rigid.BodyID]float64{}
	const n = 8
	for i := range n {
		c := d.Space().Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(float32(3*(i%2)), float32(3*(i/2%2)), float32(3*(i/4)))})
		require.NoError(t, d.SetMaterial(c, rigid.Material{Restitution: 0.8}))
		// Toward the middle, so that most of them meet.
		v := geom.V(1.5-float32(3*(i%2)), 1.5-float32(3*(i/2%2)), 1.5-float32(3*(i/4))).Mul(1 + r.Float32())
		kg := float32(1 + 9*r.Float32())
		id, err := d.Add(rigid.Body{Weightless: true, NoSleep: true, Velocity: v, Mass: rigid.Mass{Mass: kg}}, c)
		require.NoError(t, err)
		masses[id] = float64(kg)
	}
	p, energy, sum := momentum(d, masses)
	hits := 0
	for k := range 10000 {
		d.Step()
		hits += len(d.Hits)
		if k%100 == 99 {
			now, e, _ := momentum(d, masses)
			// Each change of a velocity rounds it: at an impact, in each of 9 sweeps.
			rounded := float64(hits+1) * 2 * 9 * 10 * 0x1p-24
			require.Less(t, now.Sub(p).Len(), sum*rounded)
			require.Less(t, e, energy*(1+2*rounded))
			energy = e
		}
	}
	require.GreaterOrEqual(t, hits, 4)
}

// Two bodies of masses up to 1:10,000 that meet centrally part as the laws of impact say.
func TestImpacts(t *testing.T) {
	for _, ratio := range []float64{1, 10, 100, 10000} {
		for _, e := range []float64{0, 0.5, 1} {
			d := rigid.New(physics.NewSpace())
			add := func(x, v float32, kg float64) rigid.BodyID {
				c := d.Space().Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(x, 0, 0)})
				require.NoError(t, d.SetMaterial(c, rigid.Material{Restitution: float32(e), CombineRestitution: rigid.Maximum}))
				id, err := d.Add(rigid.Body{Weightless: true, NoSleep: true, Velocity: geom.V(v, 0, 0), Mass: rigid.Mass{Mass: float32(kg)}}, c)
				require.NoError(t, err)
				return id
			}
			a, b := add(-2, 4, 1), add(0, 0, ratio)
			// Until they have parted: at 4 m/s they meet after 0.25 s, 7 cm deep at most, which are
			// pushed apart at up to 3 m/s, and that speed is taken back.
			for range 60 {
				d.Step()
			}
			va, _ := d.Body(a)
			vb, _ := d.Body(b)
			wantA, wantB := 4*(1-e*ratio)/(1+ratio), 4*(1+e)/(1+ratio)
			rounded := 240 * 10 * 4 * 0x1p-24
			require.InDelta(t, wantA, va.Velocity.X, rounded, "1:%g, restitution %g", ratio, e)
			require.InDelta(t, wantB, vb.Velocity.X, rounded, "1:%g, restitution %g", ratio, e)
		}
	}
}

// Newton's cradle: the momentum is that of the ball that came, no energy is gained, and the last
// ball is the fastest.
func TestCradle(t *testing.T) {
	d := rigid.New(physics.NewSpace())
	masses := map[rigid.BodyID]float64{}
	var ids []rigid.BodyID
	for i := range 5 {
		at := geom.At(float32(i), 0, 0)
		b := rigid.Body{Weightless: true, Mass: rigid.Mass{Mass: 2}}
		if i == 0 {
			at, b.Velocity = geom.At(-1, 0, 0), geom.V(3, 0, 0)
		}
		c := d.Space().Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: at})
		require.NoError(t, d.SetMaterial(c, rigid.Material{Restitution: 1}))
		id, err := d.Add(b, c)
		require.NoError(t, err)
		masses[id] = 2
		ids = append(ids, id)
	}
	for range 60 {
		d.Step()
		p, e, _ := momentum(d, masses)
		rounded := 240 * 10 * 0x1p-24
		require.InDelta(t, 6, p.X, 6*rounded)
		require.Less(t, e, 9*(1+2*rounded))
	}
	var fastest float32
	for _, id := range ids {
		b, _ := d.Body(id)
		fastest = max(fastest, b.Velocity.X)
	}
	last, _ := d.Body(ids[4])
	require.Equal(t, fastest, last.Velocity.X)
}

// A row of dominoes falls at a steady speed, of the order of √(g·height): the fall of one by the
// gap, a third of its height, takes about as long as a free fall by a tenth of the height.
func TestDominoes(t *testing.T) {
	s := newScene(t)
	const n, height, thick, spacing = 40, 0.48, 0.08, 0.24
	var ids []rigid.BodyID
	for i := range n {
		ids = append(ids, s.add(rigid.Body{}, geom.Box{HalfExtents: geom.V(thick/2, height/2, 0.12)}, geom.At(spacing*float32(i), height/2, 0)))
	}
	s.steps(60)
	b, _ := s.Body(ids[0])
	b.AngularVelocity = geom.V(0, 0, -6)
	require.NoError(t, s.Set(ids[0], b))
	fell := make([]int, n)
	for k := 1; k < 600 && fell[n-1] == 0; k++ {
		s.Step()
		for i, id := range ids {
			at, _ := s.Transform(id)
			if fell[i] == 0 && at.Rotation.Rotate(geom.V(0, 1, 0)).X > 0.1 {
				fell[i] = k
			}
		}
	}
	require.NotZero(t, fell[n-1])
	speed := func(from, to int) float64 { return float64(to-from) * spacing * 60 / float64(fell[to]-fell[from]) }
	unit := 2.17 // √(9.81·0.48) m/s
	require.InDelta(t, unit, speed(10, n-1), 0.4*unit)
	// A step counts 1/60 s: 5 % of the time of 15 dominoes.
	require.InEpsilon(t, speed(10, 25), speed(24, 39), 0.1)
	for i := 1; i < n; i++ {
		require.GreaterOrEqual(t, fell[i], fell[i-1])
	}
}

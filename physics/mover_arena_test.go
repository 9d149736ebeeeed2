package physics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// moverArena returns a space that holds the arena, scaled so that 32 units of its file are 1 m.
func moverArena(t testing.TB) *physics.Space {
	model, err := meshio.ReadFile(testenv.Data(t, "meshes/arena1.obj"))
	require.NoError(t, err)
	m, err := model.Mesh()
	require.NoError(t, err)
	s := physics.NewSpace()
	const scale = 1. / 32
	s.Add(physics.Collider{Shape: m, Transform: geom.Transform{Scale: geom.V(scale, scale, scale)}, Static: true})
	s.Update()
	return s
}

// crowd is a set of characters that walk in an arena at 5 m/s. A character turns where it is
// blocked, and at random times.
type crowd struct {
	space    *physics.Space
	mover    physics.Mover
	states   []physics.MoverState
	starts   []geom.Transform
	headings []geom.Vec3
	caches   []physics.MoverCache
	random   *rand.Rand
	hits     []physics.MoverHit
}

func newCrowd(s *physics.Space, n int) *crowd {
	c := &crowd{space: s, random: testenv.Rand(1, 2)}
	b := geom.EmptyAABB()
	for id := range s.All() {
		around, _ := s.Bounds(id)
		b = b.Union(around)
	}
	capsule := geom.Capsule{A: geom.V(0, 0.33, 0), B: geom.V(0, 1.5, 0), Radius: 0.32}
	size := b.Max.Sub(b.Min)
	for len(c.states) < n {
		p := b.Min.Add(size.MulVec(geom.V(c.random.Float32(), c.random.Float32(), c.random.Float32())))
		floor, ok := s.CastRay(geom.NewRay(p, geom.V(0, -1, 0)), physics.Filter{})
		if !ok || floor.BackFace || floor.Normal.Y < 0.8 {
			continue
		}
		if roof, ok := s.CastRay(geom.NewRay(p, geom.V(0, 1, 0)), physics.Filter{}); !ok || roof.BackFace {
			continue
		}
		at := geom.Transform{Position: floor.Point.Add(geom.V(0, 0.05, 0))}
		if len(s.OverlapShape(nil, physics.Placed{Shape: capsule, Transform: at}, physics.Filter{})) > 0 {
			continue
		}
		c.starts = append(c.starts, at)
		c.states = append(c.states, physics.MoverState{Transform: at})
		c.headings = append(c.headings, c.heading())
	}
	c.caches = make([]physics.MoverCache, n)
	return c
}

func (c *crowd) heading() geom.Vec3 {
	a := c.random.Float64() * 2 * math.Pi
	return geom.V(float32(5*math.Cos(a)), 0, float32(5*math.Sin(a)))
}

// move moves character i by one tick, with gravity.
func (c *crowd) move(i int) {
	st := &c.states[i]
	v := c.headings[i]
	if st.Ground != physics.OnGround {
		v = st.Velocity.Add(geom.V(0, -9.81*moverTick, 0))
	}
	c.hits = c.caches[i].Move(&c.mover, c.space, st, v, moverTick, physics.Filter{}, c.hits[:0])
}

// turn changes the heading of character i when it is due, and puts the character back if it has
// fallen out of the arena, which is open in places.
func (c *crowd) turn(i int) {
	if c.states[i].Transform.Position.Y < -30 {
		c.states[i] = physics.MoverState{Transform: c.starts[i]}
	}
	if len(c.hits) > 0 || c.random.IntN(120) == 0 {
		c.headings[i] = c.heading()
	}
}

// TestMoversInTheArena moves a few characters, or 1,000 characters for 1,000 ticks if
// HITSCAN_LONG=1 is set in the environment.
func TestMoversInTheArena(t *testing.T) {
	testenv.NoRace(t)
	n, ticks := 60, 250
	if testenv.Minutes() {
		n, ticks = 1000, 1000
	}
	c := newCrowd(moverArena(t), n)
	walked, steps, fell, deepest := 0, 0, 0, float32(1)
	idle := make([]int, n)
	for range ticks {
		for i := range c.states {
			st := &c.states[i]
			before := *st
			c.move(i)
			require.Zero(t, st.Depth)
			way := st.Transform.Position.Sub(before.Transform.Position)
			// The centre passes through no obstacle. A step up leads over an obstacle.
			for _, height := range []float32{0.3, 0.9, 1.5} {
				a, up := before.Transform.Position.Add(geom.V(0, height, 0)), max(0, way.Y)
				b := st.Transform.Position.Add(geom.V(0, height, 0))
				corner := a.Add(geom.V(0, up, 0))
				over := geom.V(b.X, corner.Y, b.Z)
				for _, leg := range []geom.Ray{geom.Segment(a, corner), geom.Segment(corner, over), geom.Segment(over, b)} {
					require.False(t, leg.Dir != (geom.Vec3{}) && c.space.CastRayAny(leg, physics.Filter{}), "character %d passes through an obstacle at %v", i, a)
				}
			}
			level := way.WithAxis(geom.Y, 0)
			switch {
			case before.Ground != physics.OnGround:
			case len(c.hits) == 0:
				walked++
				if way.Y > 0.1 {
					steps++
				}
				// Both positions are below 64 m and rounded by 2⁻¹⁹ m on each of two axes, and the
				// way asked for by less.
				require.InDelta(t, 0, level.Distance(c.headings[i].Mul(moverTick)), 2*0x1p-18, "slower than its velocity, without a hit")
			}
			if way.Len() < 0.005 {
				idle[i]++
			} else {
				idle[i] = 0
			}
			require.Less(t, idle[i], 60, "stuck at %v", st.Transform.Position)
			if st.Transform.Position.Y < -30 {
				fell++
			}
			c.turn(i)
		}
	}
	capsule := geom.Capsule{A: geom.V(0, 0.3, 0), B: geom.V(0, 1.5, 0), Radius: 0.3}
	for i := range c.states {
		if near, ok := c.space.NearestToShape(physics.Placed{Shape: capsule, Transform: c.states[i].Transform}, 1, physics.Filter{}); ok {
			deepest = min(deepest, near.Distance)
		}
	}
	t.Logf("%d ticks on the ground without a hit, %d steps, %d fell out, least gap at the end %.4f m", walked, steps, fell, deepest)
	assert.GreaterOrEqual(t, deepest, float32(leastGap))
	assert.Greater(t, walked, n*ticks/4)
}

// BenchmarkMovers moves 10,000 capsules through the arena.
func BenchmarkMovers(b *testing.B) {
	const n = 10_000
	c := newCrowd(moverArena(b), n)
	tick := func() {
		for i := range c.states {
			c.move(i)
			c.turn(i)
		}
	}
	for range 60 {
		tick()
	}
	b.ReportAllocs()
	for b.Loop() {
		tick()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/mover")
}

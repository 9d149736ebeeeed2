package physics_test

import (
	"math"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/measuring"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// arena returns a space that holds the arena, of 32 units a metre, in metres.
func arena(t testing.TB) (*physics.Space, *mesh.Mesh) {
	m := sharedArena(t)
	s := physics.NewSpace()
	const scale = 1. / 32
	s.Add(physics.Collider{Shape: m, Transform: geom.Transform{Scale: geom.V(scale, scale, scale)}, Static: true})
	s.Update()
	return s, m
}

func sharedArena(t testing.TB) *mesh.Mesh {
	model, err := meshio.ReadFile(measuring.File(t, "meshes", "arena1.obj"))
	require.NoError(t, err)
	m, err := model.Mesh()
	require.NoError(t, err)
	return m
}

// crowd is characters that walk about.
type crowd struct {
	states   []physics.MoverState
	starts   []geom.Transform
	headings []geom.Vec3
	caches   []physics.MoverCache
	random   *rand.Rand
	hits     []physics.MoverHit
}

func newCrowd(s *physics.Space, n int) *crowd {
	c := &crowd{random: rand.New(rand.NewPCG(1, 2))}
	b, _ := s.Bounds(1 << 32)
	for len(c.states) < n {
		p := geom.V(b.Min.X+c.random.Float32()*(b.Max.X-b.Min.X), b.Min.Y+c.random.Float32()*(b.Max.Y-b.Min.Y), b.Min.Z+c.random.Float32()*(b.Max.Z-b.Min.Z))
		h, ok := s.CastRay(geom.Ray{Origin: p, Dir: geom.V(0, -1, 0), MaxT: 30}, physics.Filter{})
		if !ok || h.BackFace || h.Normal.Y < 0.8 {
			continue
		}
		if u, ok := s.CastRay(geom.Ray{Origin: p, Dir: geom.V(0, 1, 0)}, physics.Filter{}); !ok || u.BackFace {
			continue
		}
		at := h.Point.Add(geom.V(0, 0.05, 0))
		if len(s.OverlapShape(nil, physics.Placed{Shape: geom.Capsule{A: geom.V(0, 0.33, 0), B: geom.V(0, 1.5, 0), Radius: 0.32}, Transform: geom.Transform{Position: at}}, physics.Filter{})) > 0 {
			continue
		}
		c.states = append(c.states, physics.MoverState{Transform: geom.Transform{Position: at}})
		c.starts = append(c.starts, geom.Transform{Position: at})
		c.headings = append(c.headings, c.heading())
	}
	c.caches = make([]physics.MoverCache, n)
	return c
}

func (c *crowd) heading() geom.Vec3 {
	a := c.random.Float64() * 2 * math.Pi
	return geom.V(float32(5*math.Cos(a)), 0, float32(5*math.Sin(a)))
}

func (c *crowd) tick(s *physics.Space, m *physics.Mover) {
	for i := range c.states {
		st := &c.states[i]
		v := c.headings[i]
		if st.Ground != physics.OnGround {
			v = st.Velocity.Add(geom.V(0, -9.81/60, 0))
		}
		c.hits = c.caches[i].Move(m, s, st, v, 1./60, physics.Filter{}, c.hits[:0])
		if st.Transform.Position.Y < -30 { // out by one of the arena's openings
			*st = physics.MoverState{Transform: c.starts[i]}
		}
		if len(c.hits) > 0 || c.random.IntN(120) == 0 {
			c.headings[i] = c.heading()
		}
	}
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return float64(u.Utime.Nano()) / 1e9
}

func BenchmarkMovers(b *testing.B) {
	s, _ := arena(b)
	const n = 10_000
	c := newCrowd(s, n)
	m := physics.Mover{}
	for range 30 {
		c.tick(s, &m)
	}
	b.ReportAllocs()
	cpu := cpuSeconds()
	b.ResetTimer()
	for b.Loop() {
		c.tick(s, &m)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/mover")
	b.ReportMetric((cpuSeconds()-cpu)*1e9/float64(b.N)/n, "cpu-ns/mover")
	on := [3]int{}
	for i := range c.states {
		on[c.states[i].Ground]++
	}
	b.Logf("air %d ground %d steep %d", on[0], on[1], on[2])
}

package physics_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// heap returns a space with boxes and balls on a floor of triangles, which are small on one side
// and large on the other. More obstacles are around a mover than its cache holds.
func heap(t testing.TB) *physics.Space {
	s := physics.NewSpace()
	floor := func(n int, x float32) {
		s.Add(physics.Collider{Shape: sheet(t, n, func(x, z float32) float32 { return 0 }), Transform: geom.At(x, 0, 0), Static: true})
	}
	floor(200, 20)
	floor(8, -20)
	for i := range 400 {
		x, z := float32(i%20)*0.25-2.5, float32(i/20)*0.25-8
		shape := physics.Shape(geom.AABBAround(geom.Vec3{}, geom.V(0.12, 0.1+0.01*float32(i%7), 0.12)))
		if i%3 == 0 {
			shape = geom.Sphere{Radius: 0.15}
		}
		s.Add(physics.Collider{Shape: shape, Transform: geom.At(x, 0, z), Static: true})
	}
	s.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}, Transform: geom.At(0, -0.5, 0), Static: true})
	return s
}

// walkers are movers that walk back and forth across a heap.
type walkers struct {
	space  *physics.Space
	states []physics.MoverState
	caches []physics.MoverCache
}

func newWalkers(s *physics.Space, n int) *walkers {
	c := &walkers{s, make([]physics.MoverState, n), make([]physics.MoverCache, n)}
	for i := range c.states {
		c.states[i].Transform = geom.At(-8+float32(i)*0.37, 0.5, -7+float32(i%5)*1.1)
	}
	return c
}

// velocity returns the velocity of one mover in a tick, in m/s.
func (c *walkers) velocity(i, tick int) geom.Vec3 {
	v := geom.V(4, 0, 1)
	if (tick/60+i)%2 == 1 {
		v = geom.V(-4, 0, -1)
	}
	if st := &c.states[i]; st.Ground != physics.OnGround {
		v = st.Velocity.Add(geom.V(0, -9.81*moverTick, 0))
	}
	return v
}

// Caches that share buffers give the same results as a cache that is cleared before each move, on
// any goroutines.
func TestMoverCachesShareRoom(t *testing.T) {
	const n, ticks, goroutines = 24, 240, 4
	s := heap(t)
	bare := newWalkers(s, n)
	for tick := range ticks {
		for i := range bare.states {
			(&physics.Mover{}).Move(s, &bare.states[i], bare.velocity(i, tick), moverTick, physics.Filter{}, nil)
		}
	}
	cached := newWalkers(s, n)
	var wait sync.WaitGroup
	for g := range goroutines {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for tick := range ticks {
				for i := g; i < n; i += goroutines {
					cached.caches[i].Move(&physics.Mover{}, s, &cached.states[i], cached.velocity(i, tick), moverTick, physics.Filter{}, nil)
				}
			}
		}()
	}
	wait.Wait()
	require.Equal(t, bare.states, cached.states)
	borrowed := physics.Borrowed(cached.caches)
	assert.Positive(t, borrowed, "some movers have many obstacles around them")
	assert.Less(t, borrowed, n, "some movers have few obstacles around them")
}

// Once as many lists are allocated as are in use at a time, a crowd that walks to further places
// allocates no more.
func TestMoversWhoWalkOnAllocateNothing(t *testing.T) {
	testenv.NoRace(t)
	t.Run("heap", func(t *testing.T) {
		c := newWalkers(heap(t), 60)
		tick := 0
		walk := func() {
			for i := range c.states {
				c.caches[i].Move(&physics.Mover{}, c.space, &c.states[i], c.velocity(i, tick), moverTick, physics.Filter{}, nil)
			}
			tick++
		}
		for range 240 {
			walk()
		}
		testenv.AllocatesNothing(t, 240, walk)
	})
	t.Run("arena", func(t *testing.T) {
		c := newCrowd(moverArena(t), 300)
		walk := func() {
			for i := range c.states {
				c.move(i)
				c.turn(i)
			}
		}
		for range 60 {
			walk()
		}
		testenv.AllocatesNothing(t, 240, walk)
		for i := range c.caches {
			c.caches[i].Clear()
		}
		assert.Zero(t, physics.Borrowed(c.caches))
	})
}

package physics

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// raysOf returns n rays, of which most hit something in the scene and some are invalid.
func raysOf(s *scene, n int) []geom.Ray {
	rays := make([]geom.Ray, n)
	for i := range rays {
		switch {
		case i%10 == 7:
			rays[i] = geom.NewRay(s.vec(9), geom.V(0, nan, 0))
		case i%10 == 9:
			rays[i] = geom.Ray{}
		default:
			rays[i] = s.ray(30)
		}
	}
	return rays
}

// TestCastRays casts few and many, on one processor and on several, and requires the answers of
// CastRay and CastRayAny for each.
func TestCastRays(t *testing.T) {
	s := newScene(200, geom.Vec3{}, 1)
	s.space.Add(Collider{Shape: ground, Sensor: true})
	all := raysOf(s, 10_000)
	for name, f := range map[string]Filter{
		"zero":      {},
		"picking":   {Start: geom.Ignore, Cull: geom.CullBack},
		"sensors":   {Sensors: true, Start: geom.Exit, Exclude: s.ids[:2]},
		"predicate": {Predicate: func(id ColliderID) bool { return id%2 == 0 }},
		"nothing":   {Mask: 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			want, wantAny, hits := []Hit{}, []bool{}, 0
			for _, r := range all {
				h, ok := s.space.CastRay(r, f)
				if !ok {
					h = Hit{Hit: geom.Hit{T: infinity, Triangle: -1}, Child: -1}
				} else {
					hits++
				}
				want, wantAny = append(want, h), append(wantAny, s.space.CastRayAny(r, f))
				require.Equal(t, ok, wantAny[len(wantAny)-1])
			}
			if name != "nothing" {
				testenv.Drawn(t, hits, 1000)
			}
			for _, processors := range []int{1, 4} {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
				for _, n := range []int{0, 1, 2, 63, 64, 65, 1000, len(all)} {
					got := s.space.CastRays([]Hit{}, all[:n], f)
					require.Len(t, got, n)
					for i := range got {
						if got[i] != want[i] {
							require.Equal(t, want[i], got[i], "ray %d of %d", i, n)
						}
					}
					require.Equal(t, wantAny[:n], s.space.CastRaysAny([]bool{}, all[:n], f), "any of %d", n)
				}
			}
		})
	}
}

func TestCastRaysAppends(t *testing.T) {
	s := spaceOf(unitBox)
	rays := []geom.Ray{down(0, 0), down(9, 9), {}}
	held, heldAny := make([]Hit, 1, 100), make([]bool, 1, 100)
	held[0].User, heldAny[0] = 42, true
	room := held[:2]
	got := s.CastRays(held, rays, Filter{})
	require.Len(t, got, 4)
	assert.Equal(t, uint64(42), got[0].User)
	assert.Equal(t, float32(9), got[1].T)
	assert.Equal(t, ColliderID(0), got[2].Collider)
	assert.Equal(t, got[1], room[1], "in the capacity of the slice")
	assert.Equal(t, []bool{true, true, false, false}, s.CastRaysAny(heldAny, rays, Filter{}))
	assert.Nil(t, s.CastRays(nil, nil, Filter{}))
	assert.Nil(t, s.CastRaysAny(nil, nil, Filter{}))
	empty := NewSpace()
	assert.Equal(t, []bool{false, false, false}, empty.CastRaysAny(nil, rays, Filter{}))
	for _, h := range empty.CastRays(nil, rays, Filter{}) {
		assert.Equal(t, Hit{Hit: geom.Hit{T: infinity, Triangle: -1}, Child: -1}, h)
	}
}

// TestCastRaysAtOnce is for the race detector: batches from several goroutines, with a predicate
// that queries the space.
func TestCastRaysAtOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	s := newScene(100, geom.Vec3{}, 1)
	rays := raysOf(s, 2000)
	var asked atomic.Int64
	f := Filter{Predicate: func(id ColliderID) bool {
		asked.Add(1)
		_, ok := s.space.Bounds(id)
		return ok
	}}
	want, wantAny := s.space.CastRays(nil, rays, Filter{}), s.space.CastRaysAny(nil, rays, Filter{})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			assert.Equal(t, want, s.space.CastRays(nil, rays, f))
			assert.Equal(t, wantAny, s.space.CastRaysAny(nil, rays, f))
		})
	}
	wait.Wait()
	assert.Greater(t, asked.Load(), int64(1000))
}

// TestSmallBatchesAllocateNothing casts as many rays as a tick of a small game has.
func TestSmallBatchesAllocateNothing(t *testing.T) {
	testenv.NoRace(t)
	s := newScene(200, geom.Vec3{}, 1)
	rays := raysOf(s, 32)
	hits, anys := make([]Hit, 0, len(rays)), make([]bool, 0, len(rays))
	f := Filter{Predicate: func(id ColliderID) bool { return id%2 == 0 }}
	testenv.AllocatesNothing(t, 20, func() {
		hits, anys = s.space.CastRays(hits[:0], rays, f), s.space.CastRaysAny(anys[:0], rays, f)
	})
}

package broad

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// endAfter returns the T to which a ray is shortened after so many boxes, if it is.
func endAfter(ray, boxes int) (t float32, ok bool) {
	rng := testenv.Rand(uint64(ray), uint64(boxes))
	return 3 * rng.Float32(), rng.IntN(4) == 0
}

// Interleaved rays return the same boxes as each alone that opens leaves one at a time, in any
// mixture.
func TestInterleavedWalksAreWalks(t *testing.T) {
	testenv.NoRace(t)
	for i, s := range walkScenes() {
		t.Run(s.name, func(t *testing.T) {
			rng := testenv.Rand(uint64(i), 11)
			rays := walkRays(rng, &s, 800)
			records := make([][128]byte, len(s.boxes))
			walkWithSIMD(t, func(t *testing.T) {
				for _, every := range []int{0, 1, 3} {
					p := walkPhase(s.boxes, every)
					want := make([][]uint32, len(rays))
					alone := Walk{apart: true}
					for k, r := range rays {
						for ok := alone.Start(p, r); ok; {
							alone.simd = false // the assembly opens all leaves of a node at once
							var n uint32
							if n, ok = alone.Next(); ok {
								want[k] = append(want[k], n)
								if end, ok := endAfter(k, len(want[k])); ok {
									alone.SetEnd(end)
								}
							}
						}
					}
					var w Walks
					if every > 0 {
						w.Records(unsafe.Pointer(&records[0]), unsafe.Sizeof(records[0]))
					}
					got := make([][]uint32, len(rays))
					var mine [Lanes]int
					var busy [Lanes]bool
					free := []int{}
					for lane := range Lanes {
						free = append(free, lane)
					}
					for k := 0; k < len(rays) || len(free) < Lanes; {
						if k < len(rays) && len(free) > 0 && rng.IntN(3) > 0 {
							lane := free[len(free)-1]
							mine[lane] = k
							if w.Start(lane, p, rays[k]) {
								free = free[:len(free)-1]
								busy[lane] = true
							}
							k++
							continue
						}
						if len(free) == Lanes {
							continue
						}
						lane, n, ok := w.Next()
						if !busy[lane] {
							t.Fatalf("lane %d is not under way", lane)
						}
						if !ok {
							busy[lane] = false
							free = append(free, lane)
							continue
						}
						ray := mine[lane]
						got[ray] = append(got[ray], n)
						if end, ok := endAfter(ray, len(got[ray])); ok {
							w.SetEnd(lane, end)
						}
					}
					require.Equal(t, want, got)
				}
			})
		})
	}
}

func TestInterleavedWalksStop(t *testing.T) {
	p := walkPhase(walkScenes()[1].boxes, 2)
	walkWithSIMD(t, func(t *testing.T) {
		w := new(Walks)
		for range 3 {
			for lane := range Lanes {
				require.True(t, w.Start(lane, p, geom.NewRay(geom.V(-1, float32(lane%6)+0.5, 0.5), geom.V(1, 0, 0))))
			}
			found := 0
			for range 20 {
				if _, _, ok := w.Next(); ok {
					found++
				}
			}
			assert.Positive(t, found)
			w.Stop()
		}
		require.True(t, w.Start(3, p, geom.NewRay(geom.V(-1, 0.5, 0.5), geom.V(1, 0, 0))))
		seen := []uint32{}
		for lane, n, ok := w.Next(); ok; lane, n, ok = w.Next() {
			require.Equal(t, 3, lane)
			seen = append(seen, n)
		}
		assert.ElementsMatch(t, []uint32{0, 1, 2, 3, 4, 5}, seen)
	})
}

func TestInterleavedWalksAllocateNothing(t *testing.T) {
	s := walkScenes()[0]
	p := walkPhase(s.boxes, 3)
	rays := walkRays(testenv.Rand(5, 6), &s, 100)
	walkWithSIMD(t, func(t *testing.T) {
		w := new(Walks)
		testenv.AllocatesNothing(t, 5, func() { walkInterleaved(w, p, rays, func(int, uint32) (float32, bool) { return 0, false }) })
	})
}

// walkInterleaved traverses all rays, and calls met with each box; met may set an end.
func walkInterleaved(w *Walks, p *Phase, rays []geom.Ray, met func(ray int, number uint32) (end float32, ok bool)) {
	var mine [Lanes]int
	next, busy := 0, 0
	start := func(lane int) {
		for next < len(rays) {
			mine[lane] = next
			next++
			if w.Start(lane, p, rays[mine[lane]]) {
				busy++
				return
			}
		}
	}
	for lane := range Lanes {
		start(lane)
	}
	for busy > 0 {
		lane, n, ok := w.Next()
		if !ok {
			busy--
			start(lane)
		} else if end, ok := met(mine[lane], n); ok {
			w.SetEnd(lane, end)
		}
	}
}

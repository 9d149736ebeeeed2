package broad

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// sweepOf makes a sweep of a ray: of a box of random size, or a point, around its origin.
func sweepOf(rng *rand.Rand, r geom.Ray, reach float32) Sweep {
	half := geom.V(rng.Float32(), rng.Float32(), rng.Float32()).Mul(reach * [4]float32{0, 0.01, 0.1, 1}[rng.IntN(4)])
	low, high := r.Range()
	return Sweep{Low: r.Origin.Sub(half), High: r.Origin.Add(half), Dir: r.Dir, MinT: low, MaxT: high}
}

// sweepTouches reports in double precision whether a sweep touches a box that is grown to all
// sides: a ray from the origin at the Minkowski difference of that box and the moving one. It is
// the brute-force reference of Walk.
func sweepTouches(b *geom.AABB, s *Sweep, grow float64) bool {
	from, to := float64(s.MinT), min(float64(s.MaxT), math.MaxFloat32)
	lo, hi, below, above, d := b.Min.Array(), b.Max.Array(), s.Low.Array(), s.High.Array(), s.Dir.Array()
	for axis := range 3 {
		a, b := float64(lo[axis])-float64(above[axis])-grow, float64(hi[axis])-float64(below[axis])+grow
		switch v := float64(d[axis]); {
		case v > 0:
			from, to = max(from, a/v), min(to, b/v)
		case v < 0:
			from, to = max(from, b/v), min(to, a/v)
		case a > 0 || b < 0:
			return false
		}
	}
	return from <= to
}

// A sweep returns every box that it touches or passes within sureRoundings, each once, and none
// farther away than widest and the part of sweepTouch; Go and assembly return them in the same
// order, with any calls of SetEnd between.
func TestSweepFindsWhatIsTouched(t *testing.T) {
	testenv.NoRace(t)
	can := useSIMD
	t.Cleanup(func() { useSIMD = can })
	for i, scene := range walkScenes() {
		t.Run(scene.name, func(t *testing.T) {
			rng := testenv.Rand(uint64(i), 5)
			all := geom.EmptyAABB()
			for _, b := range scene.boxes {
				all = all.Union(b)
			}
			h := all.HalfExtents()
			phases := []*Phase{walkPhase(scene.boxes, 0), walkPhase(scene.boxes, 1), walkPhase(scene.boxes, 3)}
			found, more := 0, 0
			for k, r := range walkRays(rng, &scene, 700) {
				s := sweepOf(rng, r, max(h.X, h.Y, h.Z))
				ends := k%5 == 4
				var w Walk
				var twins [2][]uint32
				for simd := range twins {
					useSIMD = can && simd == 1
					for ok := w.StartSweep(phases[k%3], &s, k%2 == 1); ok; {
						var n uint32
						if n, ok = w.Next(); ok {
							if ends {
								w.SetEnd(s.MaxT * 0.9 / float32(1+len(twins[simd])))
							}
							twins[simd] = append(twins[simd], n)
						}
					}
				}
				require.Equal(t, twins[0], twins[1], "%+v", s)
				if ends {
					continue
				}
				got := make([]int, len(scene.boxes))
				for _, n := range twins[0] {
					got[n]++
				}
				if !r.IsValid() || !s.Low.IsFinite() || !s.High.IsFinite() {
					require.Empty(t, twins[0])
					continue
				}
				whole := geom.Ray{Origin: s.Low, Dir: r.Dir, MinT: r.MinT, MaxT: r.MaxT}
				other := whole
				other.Origin = s.High
				reach := max(walkReach(scene.boxes, &whole), walkReach(scene.boxes, &other))
				size := s.High.Sub(s.Low).Abs()
				o := s.Low.Abs().Max(s.High.Abs())
				extent := float64(max(size.X, size.Y, size.Z))
				far := widest(max(reach, extent), float64(max(o.X, o.Y, o.Z)), r.Dir)
				// sweepTouch counts the distance to the farthest box, however short the path.
				far += sweepTouch * (1 + 4*rounding) * max(walkDistance(scene.boxes, s.Low), walkDistance(scene.boxes, s.High), extent)
				for n := range scene.boxes {
					b := &scene.boxes[n]
					if got[n] != 0 {
						found++
						require.Equal(t, 1, got[n])
						if !w.all && !sweepTouches(b, &s, far) {
							more++
						}
					} else if sweepTouches(b, &s, sureRoundings*rounding*reach) {
						t.Fatalf("lost: %v\n%+v", b, s)
					}
				}
			}
			assert.Positive(t, found)
			assert.Zero(t, more, "of %d found are far from the path", found)
		})
	}
}

func TestSweepThatIsNone(t *testing.T) {
	p := walkPhase([]geom.AABB{geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1))}, 0)
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	x := geom.V(1, 0, 0)
	for name, s := range map[string]Sweep{
		"no way":         {MaxT: 1},
		"NaN way":        {Dir: geom.V(nan, 0, 0), MaxT: 1},
		"infinite way":   {Dir: geom.V(inf, 0, 0), MaxT: 1},
		"NaN place":      {Low: geom.V(0, nan, 0), Dir: x, MaxT: 1},
		"infinite place": {High: geom.V(0, 0, inf), Dir: x, MaxT: 1},
		"empty range":    {Dir: x, MinT: 2, MaxT: 1},
		"NaN range":      {Dir: x, MaxT: nan},
		"NaN start":      {Dir: x, MinT: nan, MaxT: 1},
		"starts at ∞":    {Dir: x, MinT: inf, MaxT: inf},
	} {
		var w Walk
		require.False(t, w.StartSweep(p, &s, false), name)
		_, ok := w.Next()
		require.False(t, ok, name)
	}
	var w Walk
	assert.True(t, w.StartSweep(p, &Sweep{Dir: x, MaxT: 0}, false), "a range of a single T is valid")
	_, ok := w.Next()
	assert.True(t, ok)
	assert.False(t, w.StartSweep(new(Phase), &Sweep{Dir: x, MaxT: 1}, false), "there is no box")
}

package broad

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/measuring"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// walkWithSIMD runs a test with the Go code and, where there is one, with the assembly.
func walkWithSIMD(t *testing.T, f func(t *testing.T)) {
	can := useSIMD
	t.Cleanup(func() { useSIMD = can })
	for _, simd := range []bool{false, true} {
		t.Run(fmt.Sprintf("simd=%v", simd), func(t *testing.T) {
			testenv.SIMD(t, can || !simd)
			useSIMD = simd
			f(t)
		})
	}
}

// walkScene is a set of boxes.
type walkScene struct {
	name  string
	boxes []geom.AABB
}

func (s walkScene) moved(name string, f func(geom.Vec3) geom.Vec3) walkScene {
	m := walkScene{name: name}
	for _, b := range s.boxes {
		p, q := f(b.Min), f(b.Max)
		m.boxes = append(m.boxes, geom.AABB{Min: p.Min(q), Max: p.Max(q)})
	}
	return m
}

func walkScenes() []walkScene {
	rng := testenv.Rand(1, 2)
	random := func() geom.Vec3 { return geom.V(2*rng.Float32()-1, 2*rng.Float32()-1, 2*rng.Float32()-1) }
	loose, packed := walkScene{name: "loose"}, walkScene{name: "packed"}
	for range 700 {
		h := random().Abs()
		switch rng.IntN(8) {
		case 0:
			h = geom.Vec3{}
		case 1:
			h = h.WithAxis(geom.Axis(rng.IntN(3)), 0)
		}
		loose.boxes = append(loose.boxes, geom.AABBAround(random().Mul(10), h))
	}
	for i := range 6 * 6 * 6 { // adjacent unit cubes
		c := geom.V(float32(i%6), float32(i/6%6), float32(i/36))
		packed.boxes = append(packed.boxes, geom.AABB{Min: c, Max: c.Add(geom.V(1, 1, 1))})
	}
	return []walkScene{
		loose, packed,
		{"one", loose.boxes[:1]},
		{"eight", loose.boxes[:8]},
		{"nine", loose.boxes[:9]},
		{"all in one place", slices.Repeat(loose.boxes[1:2], 100)},
		loose.moved("far away", func(v geom.Vec3) geom.Vec3 { return v.Add(geom.V(1e6, -3e5, 7e4)) }),
		loose.moved("flat", func(v geom.Vec3) geom.Vec3 { v.Y = 0; return v }),
		loose.moved("below zero", func(v geom.Vec3) geom.Vec3 { v.Y = float32(math.Copysign(0, -1)); return v }),
		loose.moved("vast", func(v geom.Vec3) geom.Vec3 { return v.Mul(3e36) }),
		loose.moved("beyond all", func(v geom.Vec3) geom.Vec3 { return v.Mul(2e37) }),
		loose.moved("denormal", func(v geom.Vec3) geom.Vec3 { return v.Mul(1e-41) }),
		loose.moved("tiny", func(v geom.Vec3) geom.Vec3 { return v.Mul(1e-20) }),
		loose.moved("points", func(v geom.Vec3) geom.Vec3 { return geom.V(float32(int(v.X)), float32(int(v.Y)), float32(int(v.Z))) }),
	}
}

// walkRays returns random rays at a walkScene.
func walkRays(rng *rand.Rand, s *walkScene, n int) []geom.Ray {
	all := geom.EmptyAABB()
	for _, b := range s.boxes {
		all = all.Union(b)
	}
	return measuring.Aim(rng, all, func() geom.Vec3 {
		b := s.boxes[rng.IntN(len(s.boxes))]
		p := b.Min
		for axis := range geom.Axis(3) {
			if rng.IntN(2) == 0 {
				p = p.WithAxis(axis, b.Max.Axis(axis))
			}
		}
		return p
	}, n)
}

// walkTouches is sweepTouches for a ray.
func walkTouches(b *geom.AABB, r *geom.Ray, grow float64) bool {
	low, high := r.Range()
	return sweepTouches(b, &Sweep{Low: r.Origin, High: r.Origin, Dir: r.Dir, MinT: low, MaxT: high}, grow)
}

// sureRoundings is how far from the path of a ray, in roundings of its reach, an exact test may
// report a hit: slack less the three roundings of the slab test, a difference, an inverse and a
// product.
const sureRoundings = 24 - 3

// widest returns how far from the path of a ray with the given reach, greatest coordinate of the
// origin and direction a box may be and still be returned:
//
//   - twice slack, since the length of the path is estimated as up to twice what it is, and the
//     three roundings of the slab test, of the reach;
//   - originRounding and half an ulp, in which the pad is added, of the coordinate;
//   - the floors of the pad, doubled for rounding.
//
// The deviation by leastSlope, a sixtieth of a rounding, is less than what the estimates leave.
func widest(reach, away float64, dir geom.Vec3) float64 {
	return (2*24+3)*rounding*reach + (2+1)*rounding*away + 0x1p-109*dir.Wide().Len() + 0x1p-125
}

// walkReach is the length of the path of a ray among boxes: to the farthest of them along any axis,
// or to its end.
func walkReach(boxes []geom.AABB, r *geom.Ray) float64 {
	_, high := r.Range()
	return min(walkDistance(boxes, r.Origin), float64(high)*r.Dir.Wide().Len())
}

// walkDistance is the greatest distance along any axis from a point to a box.
func walkDistance(boxes []geom.AABB, from geom.Vec3) (reach float64) {
	o := from.Array()
	for i := range boxes {
		lo, hi := boxes[i].Min.Array(), boxes[i].Max.Array()
		for axis := range 3 {
			reach = max(reach, math.Abs(float64(lo[axis])-float64(o[axis])), math.Abs(float64(hi[axis])-float64(o[axis])))
		}
	}
	return reach
}

// A Walk returns every box that a ray touches or passes within sureRoundings, each once, and none
// that is farther away than widest.
func TestWalkFindsWhatIsTouched(t *testing.T) {
	testenv.Long(t)
	for i, s := range walkScenes() {
		t.Run(s.name, func(t *testing.T) {
			rays := walkRays(testenv.Rand(uint64(i), 3), &s, 700)
			phases := []*Phase{walkPhase(s.boxes, 0), walkPhase(s.boxes, 1), walkPhase(s.boxes, 3)}
			walkWithSIMD(t, func(t *testing.T) {
				var w Walk
				found, more := 0, 0
				got := make([]int, len(s.boxes))
				for k, r := range rays {
					clear(got)
					start := w.Start
					if k%2 == 1 {
						start = func(p *Phase, r geom.Ray) bool { return w.StartRay(p, &r, true) }
					}
					for ok := start(phases[k/2%3], r); ok; {
						var n uint32
						if n, ok = w.Next(); ok {
							got[n]++
						}
					}
					if !r.IsValid() {
						require.NotContains(t, got, 1)
						continue
					}
					reach := walkReach(s.boxes, &r)
					o := r.Origin.Abs()
					far := widest(reach, float64(max(o.X, o.Y, o.Z)), r.Dir)
					for n := range s.boxes {
						b := &s.boxes[n]
						if got[n] != 0 {
							found++
							if got[n] > 1 {
								t.Fatalf("%d times: %v %v", got[n], b, r)
							}
							if !w.all && !walkTouches(b, &r, far) {
								more++
							}
							continue
						}
						if walkTouches(b, &r, sureRoundings*rounding*reach) {
							t.Fatalf("lost: %v\n%v", b, r)
						}
						if _, hit := b.CastRay(r, geom.Solid); hit {
							t.Fatalf("lost: %v\n%v", b, r)
						}
					}
				}
				assert.Positive(t, found)
				assert.Zero(t, more, "of %d found are far from the ray", found)
			})
		})
	}
}

// The Go code and the assembly return the same boxes in the same order, with any calls of SetEnd
// between.
func TestWalksAreTwins(t *testing.T) {
	testenv.NoRace(t)
	testenv.SIMD(t, useSIMD)
	t.Cleanup(func() { useSIMD = true })
	for i, s := range walkScenes() {
		t.Run(s.name, func(t *testing.T) {
			rng := testenv.Rand(uint64(i), 4)
			for _, every := range []int{0, 1, 4} {
				p := walkPhase(s.boxes, every)
				for k, r := range walkRays(rng, &s, 1500) {
					anyOrder := k%2 == 1
					var twins [2]Walk
					var ok [2]bool
					for k := range twins {
						useSIMD = k == 1
						if anyOrder {
							ok[k] = twins[k].StartRay(p, &r, true)
						} else {
							ok[k] = twins[k].Start(p, r)
						}
					}
					require.Equal(t, ok[0], ok[1])
					for ok[0] {
						var number [2]uint32
						for k := range twins {
							number[k], ok[k] = twins[k].Next()
						}
						if ok[0] != ok[1] || number[0] != number[1] ||
							!slices.Equal(twins[0].stack[:twins[0].count], twins[1].stack[:twins[1].count]) {
							t.Fatalf("%v: %v %v", r, ok, number)
						}
						if rng.IntN(3) == 0 {
							_, high := r.Range()
							end := min(rng.Float32()*3, high)
							if top := twins[0].stack[twins[0].count-1]; top != bottom {
								// At the next T ± 1 ulp.
								end = asFloat(top.from() + int32(rng.IntN(3)-1))
							}
							twins[0].SetEnd(end)
							twins[1].SetEnd(end)
						}
					}
				}
			}
		})
	}
}

func TestWalkSetEnd(t *testing.T) {
	boxes := []geom.AABB{}
	for i := range 100 {
		boxes = append(boxes, geom.AABBAround(geom.V(float32(10*i), 0, 0), geom.V(1, 1, 1)))
	}
	p := walkPhase(boxes, 2)
	along := geom.NewRay(geom.V(-9, 0.5, 0.5), geom.V(1, 0, 0))
	walkWithSIMD(t, func(t *testing.T) {
		for _, c := range []struct {
			name string
			ends []float32
			want int
		}{
			{"none", nil, 100},
			{"at a box", []float32{28}, 3},
			{"before it", []float32{27.9}, 2},
			{"a later one changes nothing", []float32{28, 900}, 3},
			{"the nearer of two", []float32{900, 28}, 3},
			{"at once", []float32{0}, 0},
			{"at once, below zero", []float32{float32(math.Copysign(0, -1))}, 0},
			{"before the beginning", []float32{-5}, 0},
			{"NaN changes nothing", []float32{float32(math.NaN())}, 100},
			{"infinite", []float32{float32(math.Inf(1))}, 100},
			{"infinite, below zero", []float32{float32(math.Inf(-1))}, 0},
		} {
			t.Run(c.name, func(t *testing.T) {
				var w Walk
				require.True(t, w.Start(p, along))
				for _, e := range c.ends {
					w.SetEnd(e)
				}
				n := 0
				for _, ok := w.Next(); ok; _, ok = w.Next() {
					n++
				}
				assert.Equal(t, c.want, n)
			})
		}
		var w Walk
		require.True(t, w.Start(p, along))
		seen := []uint32{}
		for n, ok := w.Next(); ok; n, ok = w.Next() {
			seen = append(seen, n)
			w.SetEnd(10*float32(n) + 8)
		}
		// One tree comes after the other, each front to back.
		assert.Equal(t, []uint32{0}, seen)

		r := along
		r.Origin.X = 10
		require.True(t, w.Start(p, r))
		w.SetEnd(0)
		n, ok := w.Next()
		assert.True(t, ok, "the ray begins within")
		assert.EqualValues(t, 1, n)
	})
}

func TestWalkOfInvalidRaysAndNothing(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	one := walkPhase([]geom.AABB{geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1))}, 0)
	good := geom.NewRay(geom.V(0, 0, 5), geom.V(0, 0, -1))
	walkWithSIMD(t, func(t *testing.T) {
		for _, c := range []struct {
			name string
			p    *Phase
			r    geom.Ray
			want bool
		}{
			{"good", one, good, true},
			{"empty phase", walkPhase(nil, 0), good, false},
			{"no direction", one, geom.Ray{Origin: good.Origin}, false},
			{"NaN in the direction", one, geom.NewRay(good.Origin, geom.V(nan, 0, 1)), false},
			{"infinite direction", one, geom.NewRay(good.Origin, geom.V(0, -inf, 0)), false},
			{"NaN in the origin", one, geom.NewRay(geom.V(0, nan, 0), good.Dir), false},
			{"infinite origin", one, geom.NewRay(geom.V(0, 0, inf), good.Dir), false},
			{"empty range", one, geom.Ray{Origin: good.Origin, Dir: good.Dir, MinT: 2, MaxT: 1}, false},
			{"NaN as the end", one, geom.Ray{Origin: good.Origin, Dir: good.Dir, MaxT: nan}, false},
			{"NaN as the beginning", one, geom.Ray{Origin: good.Origin, Dir: good.Dir, MinT: nan}, false},
			{"infinite beginning", one, geom.Ray{Origin: good.Origin, Dir: good.Dir, MinT: inf}, false},
			{"infinite end", one, geom.Ray{Origin: good.Origin, Dir: good.Dir, MaxT: inf}, true},
			{"an end below zero", one, geom.Ray{Origin: good.Origin, Dir: good.Dir, MaxT: -1}, false},
			{"a beginning below zero", one, geom.Ray{Origin: good.Origin, Dir: good.Dir, MinT: -inf}, true},
		} {
			t.Run(c.name, func(t *testing.T) {
				var w Walk
				assert.Equal(t, c.want, w.Start(c.p, c.r))
				_, ok := w.Next()
				assert.Equal(t, c.want, ok)
				_, ok = w.Next()
				assert.False(t, ok)
			})
		}
	})
}

func TestWalkAllocatesNothing(t *testing.T) {
	s := walkScenes()[0]
	p := walkPhase(s.boxes, 3)
	rays := walkRays(testenv.Rand(5, 6), &s, 100)
	walkWithSIMD(t, func(t *testing.T) {
		var w Walk
		testenv.AllocatesNothing(t, 5, func() {
			for _, r := range rays {
				for ok := w.Start(p, r); ok; {
					_, ok = w.Next()
				}
			}
		})
	})
}

// walkPhase makes a phase of boxes, of which every so-manieth is static; none if every is 0.
func walkPhase(boxes []geom.AABB, every int) *Phase {
	var p Phase
	for i, b := range boxes {
		p.Set(uint32(i), b, every > 0 && i%every == 0)
	}
	p.Settle(1)
	return &p
}

// The assembly prepares a ray as the Go code does, to the bit.
func TestPrepareIsTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	rng := testenv.Rand(5, 5)
	odd := []float32{0, float32(math.Copysign(0, -1)), 1e-45, -1e-39, 4e-30, 1e-20, -3, 1e19, 1e38, -3e38, float32(math.Inf(1)), float32(math.NaN())}
	number := func(rare int) float32 {
		if rng.IntN(rare) == 0 {
			return odd[rng.IntN(len(odd))]
		}
		return 20*rng.Float32() - 10
	}
	vector := func(rare int) geom.Vec3 { return geom.V(number(rare), number(rare), number(rare)) }
	valid, all := 0, 0
	for k := range 100_000 {
		rare := 2 + 5*(k%4)
		a, b := vector(100), vector(100)
		bounds := geom.AABB{Min: a.Min(b), Max: a.Max(b)}
		r := geom.Ray{Origin: vector(rare), Dir: vector(rare)}
		if !bounds.Min.IsFinite() || !bounds.Max.IsFinite() {
			continue
		}
		if k%3 == 0 {
			r.MinT, r.MaxT = number(rare), number(rare)
		}
		var got, want ray
		ok := got.prepare(&bounds, &r)
		if low, high := r.Range(); !(low <= high) || !(low <= math.MaxFloat32) {
			require.False(t, ok, "%v", r)
			continue
		}
		want.low, want.high = got.low, got.high
		require.Equal(t, want.prepareGo(&bounds, &r), ok, "%v in %v", r, bounds)
		if !ok {
			continue
		}
		valid++
		if want.all {
			all++
		}
		require.Equal(t, want, got, "%v in %v", r, bounds)
	}
	testenv.Drawn(t, valid, 10_000)
	testenv.Drawn(t, all, 100)
}

// TestWalkAhead compares the predictions of Ahead with what Next returns while the range does not
// change, and all boxes with those of a walk that does not look ahead.
func TestWalkAhead(t *testing.T) {
	walkWithSIMD(t, func(t *testing.T) {
		scene := walkScenes()[0]
		p := walkPhase(scene.boxes, 3)
		rng := testenv.Rand(3, 4)
		var w, plain Walk
		predicted, unknown := 0, 0
		for i, r := range walkRays(rng, &scene, 500) {
			unordered := i%2 == 1
			if !w.StartRay(p, &r, unordered) {
				continue
			}
			plain.StartRay(p, &r, unordered)
			ahead, known := w.Ahead(rng.IntN(5))
			for {
				want, more := plain.Next()
				number, ok := w.Next()
				require.Equal(t, more, ok)
				if !ok {
					break
				}
				require.Equal(t, want, number)
				if known {
					require.Equal(t, ahead, number)
					predicted++
				} else {
					unknown++
				}
				for range 1 + rng.IntN(2) {
					ahead, known = w.Ahead(rng.IntN(5))
				}
			}
			assert.False(t, known, "after the last box")
			_, ok := w.Ahead(100)
			assert.False(t, ok, "after the last box")
		}
		testenv.Drawn(t, predicted, 100)
		testenv.Drawn(t, unknown, 100)
	})
}

// A box that SetEnd excludes is neither predicted nor returned.
func TestWalkAheadOfTheEnd(t *testing.T) {
	walkWithSIMD(t, func(t *testing.T) {
		p := walkPhase([]geom.AABB{geom.AABBAround(geom.V(2, 0, 0), geom.V(1, 1, 1)), geom.AABBAround(geom.V(9, 0, 0), geom.V(1, 1, 1))}, 0)
		var w Walk
		require.True(t, w.Start(p, geom.Ray{Dir: geom.V(1, 0, 0)}))
		number, ok := w.Next()
		require.True(t, ok)
		require.Zero(t, number)
		number, ok = w.Ahead(1)
		require.True(t, ok)
		require.Equal(t, uint32(1), number)
		w.SetEnd(5)
		_, ok = w.Ahead(1)
		assert.False(t, ok)
		_, ok = w.Next()
		assert.False(t, ok)
	})
}

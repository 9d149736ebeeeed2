package broad

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// joinTwin tests every pair of boxes. Every so-manieth box is static.
func joinTwin(boxes []geom.AABB, every int) []Pair {
	list := []Pair{}
	for i := range boxes {
		for j := i + 1; j < len(boxes); j++ {
			a, b := &boxes[i], &boxes[j]
			stand := every > 0 && i%every == 0 && j%every == 0
			if !stand && a.Min.X <= b.Max.X && b.Min.X <= a.Max.X && a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y && a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z {
				list = append(list, Pair{uint32(i), uint32(j)})
			}
		}
	}
	return list
}

func sortPairs(list []Pair) {
	slices.SortFunc(list, func(a, b Pair) int { return cmp.Compare(uint64(a.A)<<32|uint64(a.B), uint64(b.A)<<32|uint64(b.B)) })
}

func TestPairsAreThoseOfALoopOverAll(t *testing.T) {
	scenes := walkScenes()
	scenes = append(scenes,
		scenes[0].moved("sparse", func(v geom.Vec3) geom.Vec3 {
			return v.Add(geom.V(float32(int(v.X))*9, float32(int(v.Y))*9, float32(int(v.Z))*9))
		}),
		walkScene{name: "none"},
	)
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			// All move, none, a half, and few among many static ones or the reverse, so that the
			// heights of the trees differ.
			for _, every := range []int{0, 1, 2, 3, 50, 400} {
				want := joinTwin(s.boxes, every)
				p := walkPhase(s.boxes, every)
				if every == 400 {
					p.trees[moving], p.trees[still] = p.trees[still], p.trees[moving]
					want = slices.DeleteFunc(joinTwin(s.boxes, 0), func(c Pair) bool { return c.A%400 != 0 && c.B%400 != 0 })
				}
				order := []Pair{}
				walkWithSIMD(t, func(t *testing.T) {
					for _, workers := range []int{-1, 1, 2, 3, 70} {
						got := p.Pairs([]Pair{{9, 9}}, workers)
						require.Equal(t, Pair{9, 9}, got[0], "appended")
						got = got[1:]
						if len(order) == 0 {
							order = slices.Clone(got)
						}
						require.True(t, slices.Equal(order, got), "%d workers: another order", workers)
						sortPairs(got)
						require.True(t, slices.Equal(want, got), "every %d, %d workers: %d pairs, want %d", every, workers, len(got), len(want))
					}
				})
			}
		})
	}
}

// A margin gives the same pairs as boxes of which one of each two is grown by it.
func TestPairsWithinAMargin(t *testing.T) {
	testenv.Long(t)
	for _, s := range walkScenes() {
		t.Run(s.name, func(t *testing.T) {
			for _, margin := range []float32{0, 0.25, 3} {
				for _, every := range []int{0, 3} {
					want := []Pair{}
					for i := range s.boxes {
						for j := i + 1; j < len(s.boxes); j++ {
							stand := every > 0 && i%every == 0 && j%every == 0
							if grown := s.boxes[i].Grow(margin); !stand && grown.OverlapsAABB(s.boxes[j]) {
								want = append(want, Pair{uint32(i), uint32(j)})
							}
						}
					}
					p := walkPhase(s.boxes, every)
					order := []Pair{}
					walkWithSIMD(t, func(t *testing.T) {
						for _, workers := range []int{1, 3} {
							got := p.PairsWithin(nil, margin, workers)
							if len(order) == 0 {
								order = slices.Clone(got)
							}
							require.True(t, slices.Equal(order, got), "%d workers: another order", workers)
							sortPairs(got)
							require.True(t, slices.Equal(want, got), "margin %v, every %d: %d pairs, want %d", margin, every, len(got), len(want))
						}
					})
				}
			}
		})
	}
}

// The Go code and the assembly give the same matrix as sixty-four comparisons.
func TestTouchingIsTheTwin(t *testing.T) {
	rng := testenv.Rand(7, 8)
	coordinate := func() float32 {
		switch rng.IntN(8) {
		case 0:
			return float32(math.Copysign(0, -1))
		case 1:
			return 1e-45 * float32(rng.IntN(5)-2)
		case 2:
			return float32(math.MaxFloat32) * float32(rng.IntN(3)-1)
		case 3:
			return rng.Float32()
		default:
			return float32(rng.IntN(5) - 2)
		}
	}
	random := func() node {
		n := emptyNode
		for slot := range width {
			if rng.IntN(5) > 0 {
				p, q := geom.V(coordinate(), coordinate(), coordinate()), geom.V(coordinate(), coordinate(), coordinate())
				n.setBounds(slot, geom.AABB{Min: p.Min(q), Max: p.Max(q)})
			}
		}
		return n
	}
	nodes := alignedNodes(3)
	f := treePair{a: &tree{nodes: nodes}, b: &tree{nodes: nodes}}
	seen := 0
	for range 20_000 {
		nodes[1], nodes[2] = random(), random()
		for _, x := range []*node{&nodes[1], &nodes[2]} {
			y := &nodes[2]
			want := uint64(0)
			for i := range width {
				for j := range width {
					a, b := x.bounds(i), y.bounds(j)
					if (x != y || i <= j) && a.Min.X <= b.Max.X && b.Min.X <= a.Max.X && a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y && a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z {
						want |= 1 << (8*i + j)
						seen++
					}
				}
			}
			here, there := x.union(), y.union()
			require.Equal(t, want, x.touching(y, &here, &there), "%v\n%v", x, y)
			require.Equal(t, want, f.touching(x, y), "%v\n%v", x, y)
			b := y.bounds(rng.IntN(width))
			p := probeOf(&b)
			require.Equal(t, x.touchedGo(&p), x.touched(&p), "%v\n%v", x, b)
			var got, same [width]float64
			q := nearest{p: geom.V(coordinate(), coordinate(), coordinate()).Wide()}
			q.to(x, &got)
			q.toGo(x, &same)
			require.Equal(t, same, got, "%v\n%v", x, q.p)
		}
	}
	testenv.Drawn(t, seen, 10_000)
}

func TestFirstInRowAndColumn(t *testing.T) {
	rng := testenv.Rand(1, 1)
	for k := range 10_000 {
		m := rng.Uint64() & rng.Uint64() & rng.Uint64() & rng.Uint64()
		if k == 0 {
			m = 0
		}
		rows, columns := uint64(0), uint64(0)
		for i := range 64 {
			if m>>i&1 != 0 {
				rows |= 1 << (i &^ 7)
				columns |= 1 << (i & 7)
			}
		}
		require.Equal(t, rows, firstInRow(m), "%x", m)
		require.Equal(t, columns, firstInColumn(m), "%x", m)
	}
}

func TestPairsOfTheMeasuringWorld(t *testing.T) {
	boxes, _ := walkWorld(t, 60)
	p := walkPhase(boxes, 0)
	walkWithSIMD(t, func(t *testing.T) {
		for _, workers := range []int{1, 2} {
			list := p.Pairs(nil, workers)
			assert.Len(t, list, 10_168) // counted by Embree
			sortPairs(list)
			assert.Len(t, slices.Compact(list), 10_168)
		}
	})
}

func TestPairsAllocateNothing(t *testing.T) {
	testenv.NoRace(t)
	p := walkPhase(walkScenes()[0].boxes, 3)
	var list []Pair
	for _, workers := range []int{1, 2} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			walkWithSIMD(t, func(t *testing.T) {
				testenv.AllocatesNothing(t, 20, func() { list = p.Pairs(list[:0], workers) })
			})
		})
	}
	assert.NotEmpty(t, list)
}

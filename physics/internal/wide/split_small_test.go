package wide

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// someOf calls f with small sets of triangles of each shape, several times.
func someOf(t *testing.T, f func(t *testing.T, s *surface, prims []prim)) {
	rng := testenv.Rand(4, 4)
	for _, s := range shapes() {
		t.Run(s.name, func(t *testing.T) {
			all := primsOf(&s)
			for range 20 {
				n := min(1+rng.IntN(smallSize), len(all))
				at := rng.IntN(len(all) - n + 1)
				f(t, &s, slices.Clone(all[at:at+n]))
			}
		})
	}
}

func TestAssemblySortsLikeThePortableLoops(t *testing.T) {
	someOf(t, func(t *testing.T, s *surface, prims []prim) {
		n := len(prims)
		inBoth(t, s.name, func() any {
			w := &smallSet{}
			copy(w.prims[:], prims)
			w.sort(n)
			for axis := range 3 {
				in := slices.Sorted(slices.Values(w.order[axis][:n]))
				require.Equal(t, n, len(slices.Compact(in)), "each once")
				require.Less(t, int(in[n-1]), n)
				for i := 1; i < n; i++ {
					a, b := prims[w.order[axis][i-1]].center(axis), prims[w.order[axis][i]].center(axis)
					// Centres that differ by less than 32 steps of float32 may be in either order.
					require.LessOrEqual(t, keyOf(a), keyOf(b)|31)
				}
			}
			return w.order
		})
	})
}

func TestAssemblyScansFewLikeThePortableLoops(t *testing.T) {
	someOf(t, func(t *testing.T, s *surface, prims []prim) {
		n := len(prims)
		for first := range min(n, 3) {
			inBoth(t, s.name, func() any {
				w := splitterFor(prims, fewBins)
				copy(w.small.prims[:], prims)
				w.small.sort(n)
				for axis := range 3 {
					for i := range places {
						w.costLeft[axis][i], w.costRight[axis][i] = float32(i+axis), float32(i+1)
					}
				}
				w.scanSmall(first, n-first)
				for axis := range 3 {
					for i := range n - first {
						left, right := emptyBox, emptyBox
						for k, slot := range w.small.order[axis][first:n] {
							if k <= i {
								left.grow(&prims[slot].box)
							}
							if k >= i {
								right.grow(&prims[slot].box)
							}
						}
						require.Equal(t, left, w.left[axis][i].box)
						require.Equal(t, right, w.right[axis][i].box)
						require.Equal(t, float32(i+axis)*w.measure.area(&left), w.costLeft[axis][i])
						require.Equal(t, float32(i+1)*w.measure.area(&right), w.costRight[axis][i])
					}
				}
				return []any{w.costLeft, w.costRight}
			})
		}
	})
}

func TestMark(t *testing.T) {
	someOf(t, func(t *testing.T, s *surface, prims []prim) {
		b := &builder{vertices: s.vertices, indices: s.indices, weld: weld(s.vertices, nil)}
		f := &smallSet{}
		copy(f.prims[:], prims)
		all := b.mark(f, len(prims))
		seen := map[[3]uint32]bool{}
		for i := range prims {
			own := map[[3]uint32]bool{}
			tri := s.triangle(int(prims[i].index))
			for _, c := range []geom.Vec3{tri.A, tri.B, tri.C} {
				seen[bitsOfVec(c)], own[bitsOfVec(c)] = true, true
			}
			require.Equal(t, len(own), bits.OnesCount64(f.corners[i]))
		}
		require.Equal(t, len(seen), bits.OnesCount64(all))
	})
}

func TestLeaves(t *testing.T) {
	for _, c := range []struct {
		name        string
		n, corners  int
		least, most float32
	}{
		{"one triangle", 1, 3, 1, 1},
		{"a full leaf", 8, 8, 1, 1},
		{"a corner too many", 8, 9, 2, 2},
		{"a triangle too many", 9, 8, 2, 2},
		{"a soup for a loose leaf", 8, 24, 1.1, 1.9},
		{"most", smallSize, 3 * smallSize, 3, 13},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := leaves(c.n, 1<<c.corners-1)
			assert.GreaterOrEqual(t, got, c.least)
			assert.LessOrEqual(t, got, c.most)
		})
	}
}

// The trees of both builders are the same to the last bit.
func TestAssemblyBuildsTheSameTree(t *testing.T) {
	testenv.NoRace(t)
	for _, s := range append(shapes(), grid(150), soup(30_000)) {
		inBoth(t, s.name, func() Tree { return Build(s.vertices, s.indices, 0) })
	}
}

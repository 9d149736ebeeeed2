package bvh

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// twin is what the tree must find: the bounds in a slice.
type twin struct {
	bounds map[uint32]geom.AABB
	leaves map[uint32]int32
}

func drawVec(t *rapid.T, span float32) geom.Vec3 {
	f := rapid.Float32Range(-span, span)
	whole := rapid.Map(rapid.IntRange(-4, 4), func(i int) float32 { return float32(i) })
	c := rapid.OneOf(f, whole) // whole numbers make boxes touch
	return geom.V(c.Draw(t, "x"), c.Draw(t, "y"), c.Draw(t, "z"))
}

func drawBox(t *rapid.T) geom.AABB {
	return geom.AABBAround(drawVec(t, 10), drawVec(t, 2).Abs())
}

func (w *twin) sorted(keep func(geom.AABB) bool) []uint32 {
	values := []uint32{}
	for v, b := range w.bounds {
		if keep(b) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

// requireSubset asserts that all of want was found, each once; the tree may find more, as its boxes are larger.
func requireSubset(t require.TestingT, found, want []uint32) {
	slices.Sort(found)
	require.Equal(t, len(found), len(slices.Compact(slices.Clone(found))), "found twice: %v", found)
	for _, v := range want {
		require.Contains(t, found, v)
	}
}

func TestTreeAgainstSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tree Tree
		w := twin{map[uint32]geom.AABB{}, map[uint32]int32{}}
		next := uint32(0)
		pick := func(t *rapid.T) (uint32, bool) {
			all := w.sorted(func(geom.AABB) bool { return true })
			if len(all) == 0 {
				return 0, false
			}
			return rapid.SampledFrom(all).Draw(t, "leaf"), true
		}
		t.Repeat(map[string]func(*rapid.T){
			"insert": func(t *rapid.T) {
				b := drawBox(t)
				w.bounds[next] = b
				w.leaves[next] = tree.Insert(b, next, rapid.Bool().Draw(t, "still"))
				next++
			},
			"remove": func(t *rapid.T) {
				if v, ok := pick(t); ok {
					tree.Remove(w.leaves[v])
					delete(w.bounds, v)
					delete(w.leaves, v)
				}
			},
			"move": func(t *rapid.T) {
				if v, ok := pick(t); ok {
					b := drawBox(t)
					if rapid.Bool().Draw(t, "small") {
						old := w.bounds[v]
						d := drawVec(t, 0.1)
						b = geom.AABB{Min: old.Min.Add(d), Max: old.Max.Add(d)}
					}
					if b.IsEmpty() {
						t.Skip("rounded away")
					}
					w.bounds[v] = b
					tree.Move(w.leaves[v], b, rapid.Bool().Draw(t, "still"))
				}
			},
			"": func(t *rapid.T) {
				require.NoError(t, tree.Validate())
				require.Equal(t, len(w.bounds), tree.Len())
				for v, b := range w.bounds {
					box, value := tree.Leaf(w.leaves[v])
					require.Equal(t, v, value)
					require.True(t, contains(&box, &b))
				}

				box := drawBox(t)
				found := []uint32{}
				tree.VisitAABB(box, func(v uint32) bool { found = append(found, v); return true })
				requireSubset(t, found, w.sorted(func(b geom.AABB) bool { return touch(&b, &box) }))

				r := geom.NewRay(drawVec(t, 12), drawVec(t, 1))
				r.MaxT = rapid.Float32Range(0, 20).Draw(t, "maxT")
				want := w.sorted(func(b geom.AABB) bool { _, hit := b.CastRay(r, geom.Solid); return hit })
				found = found[:0]
				tree.VisitRay(r, func(v uint32) float64 {
					found = append(found, v)
					_, tMax := r.Range()
					return float64(tMax)
				})
				requireSubset(t, found, want)

				var front Front
				front.Start(&tree, r)
				found = found[:0]
				for v, ok := front.Next(math.Inf(1)); ok; v, ok = front.Next(math.Inf(1)) {
					found = append(found, v)
				}
				requireSubset(t, found, want)

				p, near := drawVec(t, 12), rapid.Float64Range(0, 10).Draw(t, "near")
				found = found[:0]
				tree.VisitNearest(p, near, func(v uint32) float64 { found = append(found, v); return near })
				requireSubset(t, found, w.sorted(func(b geom.AABB) bool { return float64(b.Distance(p)) <= near }))
			},
		})
	})
}

// towering builds a tree that is as high as it has leaves, whatever the rotations do: it is put together by hand.
func towering(n int) *Tree {
	var tree Tree
	box := geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1))
	below := tree.Insert(box, 0, true)
	for v := 1; v < n; v++ {
		leaf, branch := tree.take(), tree.take()
		tree.nodes[leaf] = node{box: box, right: int32(v), parent: branch}
		tree.nodes[branch] = node{left: below, right: leaf}
		tree.nodes[below].parent = branch
		tree.refit(branch)
		tree.root, below = branch, branch
		tree.count++
	}
	return &tree
}

func TestVisitsOfTreeHigherThanTheStack(t *testing.T) {
	const n = 3 * stackSize
	tree := towering(n)
	require.NoError(t, tree.Validate())
	require.Equal(t, n-1, tree.Height())
	want := make([]uint32, n)
	for i := range want {
		want[i] = uint32(i)
	}

	found := []uint32{}
	check := func(name string) {
		slices.Sort(found)
		assert.Equal(t, want, found, name)
		found = found[:0]
	}
	tree.VisitAABB(geom.AABB{}, func(v uint32) bool { found = append(found, v); return true })
	check("box")
	tree.VisitRay(geom.NewRay(geom.V(0, 0, 5), geom.V(0, 0, -1)), func(v uint32) float64 {
		found = append(found, v)
		return 100
	})
	check("ray")
	tree.VisitNearest(geom.V(9, 9, 9), 100, func(v uint32) float64 { found = append(found, v); return 100 })
	check("nearest")

	// Each of them ends at once when told to, from the deepest place too.
	for stop := range n {
		count := 0
		tree.VisitAABB(geom.AABB{}, func(uint32) bool { count++; return count <= stop })
		assert.Equal(t, stop+1, count)
		count = 0
		tree.VisitRay(geom.NewRay(geom.V(0, 0, 5), geom.V(0, 0, -1)), func(uint32) float64 {
			if count++; count > stop {
				return -1
			}
			return 100
		})
		assert.Equal(t, stop+1, count)
		count = 0
		tree.VisitNearest(geom.V(9, 9, 9), 100, func(uint32) float64 {
			if count++; count > stop {
				return -1
			}
			return 100
		})
		assert.Equal(t, stop+1, count)
	}
}

func TestRayInFacesAndAlongEdges(t *testing.T) {
	var tree Tree
	tree.Insert(geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1)), 7, true)
	hits := func(r geom.Ray) bool {
		found := false
		tree.VisitRay(r, func(v uint32) float64 { found = v == 7; return -1 })
		return found
	}
	for _, axis := range []geom.Axis{geom.X, geom.Y, geom.Z} {
		for _, u := range []float32{-1, 0, 1} {
			for _, v := range []float32{-1, 0, 1} {
				for _, from := range []float32{-1, 0, 1, -3, 3} {
					a, b := (axis+1)%3, (axis+2)%3
					o := geom.Vec3{}.WithAxis(axis, from).WithAxis(a, u).WithAxis(b, v)
					for _, d := range []float32{-1, 1} {
						r := geom.NewRay(o, axis.Unit().Mul(d))
						want := from*d <= 1
						assert.Equal(t, want, hits(r), "%v", r)
						negativeZero := float32(math.Copysign(0, -1))
						r.Dir = r.Dir.WithAxis(a, negativeZero).WithAxis(b, negativeZero)
						assert.Equal(t, want, hits(r), "%v", r)
					}
					beside := geom.NewRay(o.WithAxis(a, 1.5), axis.Unit())
					assert.False(t, hits(beside), "%v", beside)
				}
			}
		}
	}
}

func TestFrontGoesFrontToBackAndOpensLittle(t *testing.T) {
	var tree Tree
	for i := range 1000 {
		tree.Insert(geom.AABBAround(geom.V(0, 0, float32((i*7919)%1000)*3), geom.V(1, 1, 1)), uint32(i), true)
	}
	var f Front
	f.Start(&tree, geom.NewRay(geom.V(0, 0, -10), geom.V(0, 0, 1)))
	_, ok := f.Next(8)
	require.False(t, ok, "nothing begins before T 9")
	last := float32(-2)
	for n := range 1000 {
		v, ok := f.Next(math.Inf(1))
		require.True(t, ok)
		if n == 0 {
			assert.Less(t, len(f.heap), 40, "the first leaf takes one way down")
		}
		box, _ := tree.Leaf(leafOf(&tree, v))
		require.Greater(t, box.Min.Z, last)
		last = box.Min.Z
	}
	_, ok = f.Next(math.Inf(1))
	require.False(t, ok)
}

func leafOf(t *Tree, value uint32) int32 {
	for i := range t.nodes {
		if n := &t.nodes[i]; i > 0 && n.height == 0 && uint32(n.right) == value {
			return int32(i)
		}
	}
	return 0
}

func TestSmallMovesAreFreeAndStillLeavesAreTight(t *testing.T) {
	var tree Tree
	unit := geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1))
	moving, still := tree.Insert(unit, 0, false), tree.Insert(unit, 1, true)
	before, _ := tree.Leaf(moving)
	tree.Move(moving, geom.AABBAround(geom.V(0.1, 0, 0), geom.V(1, 1, 1)), false)
	after, _ := tree.Leaf(moving)
	assert.Equal(t, before, after)
	tree.Move(moving, geom.AABBAround(geom.Vec3{}, geom.V(0.1, 0.1, 0.1)), false)
	shrunk, _ := tree.Leaf(moving)
	assert.Less(t, shrunk.Max.X, float32(0.2))
	box, _ := tree.Leaf(still)
	assert.Equal(t, unit, box)
	require.NoError(t, tree.Validate())
}

func TestTreeOfManyIsLow(t *testing.T) {
	for name, at := range map[string]func(i int) geom.Vec3{
		"in a row":   func(i int) geom.Vec3 { return geom.V(float32(i), 0, 0) },
		"in a plane": func(i int) geom.Vec3 { return geom.V(float32(i%100), 0, float32(i/100)) },
	} {
		t.Run(name, func(t *testing.T) {
			var tree Tree
			for i := range 10_000 {
				tree.Insert(geom.AABBAround(at(i), geom.V(0.4, 0.4, 0.4)), uint32(i), true)
			}
			require.NoError(t, tree.Validate())
			assert.Less(t, tree.Height(), 48) // 14 at best
		})
	}
}

func TestValidateFindsDamage(t *testing.T) {
	for name, damage := range map[string]func(*Tree){
		"box":        func(t *Tree) { t.nodes[t.root].box.Max.X += 1 },
		"height":     func(t *Tree) { t.nodes[t.root].height++ },
		"parent":     func(t *Tree) { t.nodes[t.nodes[t.root].left].parent = 0 },
		"root":       func(t *Tree) { t.nodes[t.root].parent = 1 },
		"count":      func(t *Tree) { t.count++ },
		"free":       func(t *Tree) { t.free = t.root },
		"lost":       func(t *Tree) { t.take() },
		"leaf":       func(t *Tree) { t.nodes[leafOf(t, 1)].height = 1 },
		"not finite": func(t *Tree) { t.nodes[leafOf(t, 1)].box.Max.X = float32(math.Inf(1)) },
	} {
		t.Run(name, func(t *testing.T) {
			var tree Tree
			for i := range 4 {
				tree.Insert(geom.AABBAround(geom.V(float32(i), 0, 0), geom.V(1, 1, 1)), uint32(i), true)
			}
			require.NoError(t, tree.Validate())
			damage(&tree)
			assert.Error(t, tree.Validate())
		})
	}
}

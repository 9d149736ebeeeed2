package broad

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestVisitsEndWhenTold(t *testing.T) {
	const n = 300
	var p Phase
	box := geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1))
	for i := range n {
		p.Set(uint32(i), box, i%2 == 0)
	}
	p.Settle(1)
	for stop := 0; stop <= n; stop += 7 {
		count := 0
		p.VisitAABB(box, func(uint32) bool { count++; return count <= stop })
		assert.Equal(t, min(stop+1, n), count)
		count = 0
		p.VisitWhere(func(*geom.AABB) bool { return true }, func(uint32) bool { count++; return count <= stop })
		assert.Equal(t, min(stop+1, n), count)
		count = 0
		p.VisitNearest(geom.V(9, 9, 9), 100, nil, func(uint32) float64 {
			if count++; count > stop {
				return -1
			}
			return 100
		})
		assert.Equal(t, min(stop+1, n), count)
		count = 0
		p.VisitNodes(func(geom.AABB, int, bool) bool { count++; return count <= stop })
		assert.Equal(t, stop+1, count)
	}
}

func TestVisitNodesHasParentsBeforeChildren(t *testing.T) {
	list := moversIn(1000)
	var p Phase
	for i := range list {
		p.Set(uint32(i), list[i].box(), i%4 == 0)
	}
	p.Settle(1)
	leaves := 0
	var path []geom.AABB
	p.VisitNodes(func(bounds geom.AABB, level int, leaf bool) bool {
		require.LessOrEqual(t, level, len(path))
		path = append(path[:level], bounds)
		if level > 0 {
			require.True(t, contains(&path[level-1], &bounds))
		}
		if leaf {
			leaves++
		}
		return true
	})
	assert.Equal(t, len(list), leaves)
}

func TestFrontGoesFrontToBackAndOpensLittle(t *testing.T) {
	var p Phase
	for i := range 1000 {
		p.Set(uint32(i), geom.AABBAround(geom.V(0, 0, float32((i*7919)%1000)*3), geom.V(1, 1, 1)), i%2 == 0)
	}
	p.Settle(1)
	var f Front
	f.Start(&p, geom.NewRay(geom.V(0, 0, -10), geom.V(0, 0, 1)))
	_, ok := f.Next(8)
	require.False(t, ok, "nothing begins before T 9")
	last := float32(-2)
	for n := range 1000 {
		v, ok := f.Next(math.Inf(1))
		require.True(t, ok)
		if n == 0 {
			assert.Less(t, len(f.heap.Items), 64, "the first box takes one way down")
		}
		box, _ := p.Box(v)
		require.Greater(t, box.Min.Z, last)
		last = box.Min.Z
	}
	_, ok = f.Next(math.Inf(1))
	require.False(t, ok)
	f.Stop()
	_, ok = f.Next(math.Inf(1))
	require.False(t, ok)
}

func TestRayInFacesAndAlongEdges(t *testing.T) {
	var p Phase
	p.Set(7, geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1)), true)
	p.Settle(1)
	var f Front
	hits := func(r geom.Ray) bool {
		f.Start(&p, r)
		_, ok := f.Next(math.Inf(1))
		return ok
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
	assert.False(t, hits(geom.Ray{}))
	f.Start(&Phase{}, geom.NewRay(geom.Vec3{}, geom.V(1, 0, 0)))
	_, ok := f.Next(math.Inf(1))
	assert.False(t, ok)
}

func TestNearestPrunes(t *testing.T) {
	list := moversIn(5000)
	var p Phase
	setAll(&p, list)
	p.Settle(1)
	visited, best := 0, math.Inf(1)
	at := geom.V(20, 20, 20)
	p.VisitNearest(at, best, nil, func(n uint32) float64 {
		visited++
		best = min(best, float64(list[n].box().Distance(at)))
		return best
	})
	for i := range list {
		assert.GreaterOrEqual(t, float64(list[i].box().Distance(at)), best)
	}
	assert.Less(t, visited, 50)
}

func TestVisitOfABoxWithoutEnd(t *testing.T) {
	inf := float32(math.Inf(1))
	var p Phase
	p.Set(3, geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1)), true)
	p.Set(5, geom.AABBAround(geom.Vec3{}, geom.V(math.MaxFloat32, 1, 1)), false)
	p.Settle(1)
	for _, end := range []float32{math.MaxFloat32, inf} {
		var found []uint32
		p.VisitAABB(geom.AABB{Min: geom.V(-end, -end, -end), Max: geom.V(end, end, end)}, func(n uint32) bool {
			found = append(found, n)
			return true
		})
		assert.ElementsMatch(t, []uint32{3, 5}, found)
	}
}

// VisitHalf finds the static boxes that touch a box, or those that move.
func TestVisitHalf(t *testing.T) {
	r := testenv.Rand(7, 8)
	v := func(size float32) geom.Vec3 {
		return geom.V(r.Float32()*size, r.Float32()*size, r.Float32()*size)
	}
	var p Phase
	standing := map[uint32]bool{}
	boxes := map[uint32]geom.AABB{}
	for i := range uint32(3000) {
		at := v(50)
		boxes[i], standing[i] = geom.AABB{Min: at, Max: at.Add(v(2))}, r.IntN(2) == 0
		p.Set(i, boxes[i], standing[i])
	}
	p.Settle(2)
	for range 50 {
		at := v(50)
		probe := geom.AABB{Min: at, Max: at.Add(v(9))}
		for _, half := range []bool{false, true} {
			var want, found []uint32
			for i, b := range boxes {
				if standing[i] == half && b.OverlapsAABB(probe) {
					want = append(want, i)
				}
			}
			p.VisitHalf(probe, half, func(i uint32) bool {
				found = append(found, i)
				return true
			})
			require.ElementsMatch(t, want, found)
		}
	}
	n := 0
	p.VisitHalf(geom.AABB{Max: geom.V(50, 50, 50)}, true, func(uint32) bool {
		n++
		return n < 3
	})
	assert.Equal(t, 3, n, "stops when visit returns false")
	p.VisitHalf(geom.EmptyAABB(), true, func(uint32) bool {
		assert.Fail(t, "an empty box touches nothing")
		return false
	})
}

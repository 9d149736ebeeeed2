package wide

import (
	"math"
	"math/bits"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Fast trees are for meshes that change. The triangles are sorted along a Morton curve through the middles of their boxes, and a
// node is split where the highest bit of the codes changes, which is in the middle of the space it takes (Lauterbach et al.
// 2009). Where a few are left, every place along the curve is tried by the surface-area heuristic. Leaves and wide nodes are
// made as for other trees.

// mortonBits is how many bits of a code an axis has.
const mortonBits = 10

// curveSize is the most triangles for which every place along the curve is tried.
const curveSize = 12

// along is a triangle on the curve: above its code, below its number.
type along uint64

func (a along) code() uint32 { return uint32(a >> 32) }

func (b *builder) fastTree() Tree {
	n := len(b.indices) / 3
	b.reset(n)
	all := b.extents()
	b.measure(&all)
	curve := b.curve(&all)
	b.watch.did(n, readShare)
	if b.watch.stop() {
		return Tree{}
	}
	sortCurve(curve)
	b.share(n, func(first, end int) {
		for i := first; i < end && !b.watch.tick(i); i++ {
			b.prims[i].index = int32(uint32(curve[i]))
			box := boxOf(b.triangleBox(b.prims[i].index))
			b.prims[i].box = box
		}
	})
	b.fastSubtree(curve, 0, 0)
	return b.emit(all.aabb())
}

func (b *builder) triangleBox(i int32) geom.AABB {
	c := b.indices[3*int(i) : 3*int(i)+3]
	return boundsOf(geom.Triangle{A: b.vertices[c[0]], B: b.vertices[c[1]], C: b.vertices[c[2]]})
}

// share calls work with stretches of n triangles, one for each goroutine that is to be had.
func (b *builder) share(n int, work func(first, end int)) {
	workers := min(cap(b.spare)+1, n/parallelSize+1)
	var group sync.WaitGroup
	for i := 1; i < workers; i++ {
		group.Go(func() { work(n*i/workers, n*(i+1)/workers) })
	}
	work(0, n/workers)
	group.Wait()
}

// extents returns the box around all triangles.
func (b *builder) extents() box {
	all := emptyBox
	var mutex sync.Mutex
	b.share(len(b.indices), func(first, end int) {
		mine := geom.EmptyAABB()
		for i := first; i < end && !b.watch.tick(i); i++ {
			v := b.vertices[b.indices[i]]
			mine.Min, mine.Max = mine.Min.Min(v), mine.Max.Max(v)
		}
		box := boxOf(mine)
		mutex.Lock()
		defer mutex.Unlock()
		all.grow(&box)
	})
	return all
}

// curve returns all triangles with their codes.
func (b *builder) curve(all *box) []along {
	n := len(b.indices) / 3
	list := make([]along, n)
	bounds := all.aabb()
	// From twice the middle to a place on a grid whose cells are cubes. In float64 nothing overflows.
	x, y, z := 2*float64(bounds.Min.X), 2*float64(bounds.Min.Y), 2*float64(bounds.Min.Z)
	scale := (1<<mortonBits - 1) / (2 * b.extent)
	b.share(n, func(first, end int) {
		for i := first; i < end && !b.watch.tick(i); i++ {
			t := b.triangleBox(int32(i))
			code := spread(uint32((float64(t.Min.X)+float64(t.Max.X)-x)*scale))<<2 |
				spread(uint32((float64(t.Min.Y)+float64(t.Max.Y)-y)*scale))<<1 |
				spread(uint32((float64(t.Min.Z)+float64(t.Max.Z)-z)*scale))
			list[i] = along(code)<<32 | along(i)
		}
	})
	return list
}

// spread puts two zeros before each of the lowest ten bits.
func spread(x uint32) uint32 {
	x = (x | x<<16) & 0x030000ff
	x = (x | x<<8) & 0x0300f00f
	x = (x | x<<4) & 0x030c30c3
	return (x | x<<2) & 0x09249249
}

// sortCurve sorts by the codes and, where these are equal, leaves the triangles in order.
func sortCurve(list []along) {
	const digit = 10
	var counts [3 * mortonBits / digit][1 << digit]int32
	for _, a := range list {
		c := a.code()
		counts[0][c%(1<<digit)]++
		counts[1][c>>digit%(1<<digit)]++
		counts[2][c>>(2*digit)%(1<<digit)]++
	}
	from, to := list, make([]along, len(list))
	for pass := range counts {
		at := &counts[pass]
		sum := int32(0)
		for i, n := range at {
			at[i] = sum
			sum += n
		}
		shift := 32 + pass*digit
		for _, a := range from {
			place := &at[a>>shift%(1<<digit)]
			to[*place] = a
			*place++
		}
		from, to = to, from
	}
	copy(list, from) // after an odd number of passes they lie in the other
}

// fastSubtree builds what is below a stretch of the curve, as node i.
func (b *builder) fastSubtree(curve []along, i, first int) {
	n, count := &b.nodes[i], len(curve)
	*n = binary{first: int32(first), count: int32(count)}
	prims := b.prims[first : first+count]
	fit := b.fit(prims)
	if fit == fitsPacked {
		n.box = unionOf(prims)
		b.planLeaf(n)
		return
	}
	at := count / 2
	if count <= curveSize {
		at, _ = b.bestAlong(prims)
	} else if low, high := curve[0].code(), curve[count-1].code(); low != high {
		at = firstWith(curve, bits.Len32(low^high)-1)
	}
	if b.watch.below(at, count-at) {
		return
	}
	l, r := i+1, i+2*at
	n.second = int32(r)
	b.both(count,
		func() { b.fastSubtree(curve[:at], l, first) },
		func() { b.fastSubtree(curve[at:], r, first+at) })
	n.box = b.nodes[l].box
	n.box.grow(&b.nodes[r].box)
	b.planNode(n, &b.nodes[l], &b.nodes[r], fit)
}

// both does two things for so many triangles, at the same time if that pays and a goroutine is to be had.
func (b *builder) both(count int, one, other func()) {
	if count >= parallelSize {
		select {
		case b.spare <- struct{}{}:
			var done sync.WaitGroup
			done.Go(func() {
				one()
				<-b.spare
			})
			other()
			done.Wait()
			return
		default:
		}
	}
	one()
	other()
}

// firstWith returns the first place on the curve whose code has a bit that the first one has not and the last one has.
func firstWith(curve []along, bit int) int {
	low, high := 0, len(curve)-1
	for low+1 < high {
		if mid := (low + high) / 2; curve[mid].code()>>bit&1 == 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// bestAlong returns the best place to split a few triangles without changing their order, and what it costs.
func (b *builder) bestAlong(prims []prim) (at int, cost float64) {
	var rights [curveSize]float64
	all, n := emptyBox, len(prims)
	for i := n - 1; i > 0; i-- {
		all.grow(&prims[i].box)
		rights[i] = float64(n-i) * b.weight(&all)
	}
	all = emptyBox
	cost = math.Inf(1)
	for i := 1; i < n; i++ {
		all.grow(&prims[i-1].box)
		if c := float64(float64(i)*b.weight(&all)) + rights[i]; c < cost {
			cost, at = c, i
		}
	}
	return at, cost
}

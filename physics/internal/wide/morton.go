package wide

import (
	"math/bits"

	"github.com/hitscan-go/hitscan/internal/par"
)

// Trees of fast quality, for meshes that change. Triangles are sorted along a Morton curve through
// the centres of their boxes, and a node is split where the highest bit of the codes changes, which
// is the middle of its cell (Lauterbach et al. 2009). Small sets fill one leaf after the other, in
// the order of the curve. Wide nodes are made as for other trees.

// mortonBits is the number of bits of a code per axis. 10 make three passes of a radix sort.
const mortonBits = 10

// ranked is a triangle on the curve: its code in the upper half, its index in the lower half.
type ranked uint64

func (a ranked) code() uint32 { return uint32(a >> 32) }

func (b *builder) fastTree() Tree {
	n := len(b.indices) / 3
	b.reset(n)
	all := b.lay(n)
	b.setMeasure(&all.box, n)
	curve := b.curve(&all.centers)
	b.watch.did(n, readShare)
	if b.watch.stop() {
		return Tree{}
	}
	sortCurve(curve)
	list := b.prims
	b.prims = make([]prim, n)
	b.stretches(n, func(first, end int) {
		for i := first; i < end && !b.watch.tick(i); i++ {
			b.prims[i] = list[uint32(curve[i])]
		}
	})
	b.fastSubtree(&smallSet{}, 0, curve, 0)
	return b.emit(all.box.aabb())
}

// stretches calls work for all ranges of n triangles, on all goroutines of the build.
func (b *builder) stretches(n int, work func(first, end int)) {
	var l par.Loop[func(first, end int)]
	l.Run(work, b.fork.Workers(), n, parallelSize, func(work func(first, end int), _, first, end int) { work(first, end) })
}

// curve returns all triangles with their Morton codes on a grid of cubes.
func (b *builder) curve(centers *span) []ranked {
	list := make([]ranked, len(b.prims))
	cells := float32(0)
	if longest := max(centers.length(0), centers.length(1), centers.length(2)); longest >= 0x1p-120 {
		cells = 1 << mortonBits / longest
	}
	const last = 1<<mortonBits - 1
	x, y, z := line{centers[0], cells, last}, line{centers[1], cells, last}, line{centers[2], cells, last}
	b.stretches(len(list), func(first, end int) {
		for i := first; i < end && !b.watch.tick(i); i++ {
			p := &b.prims[i]
			code := spread(uint32(x.bin(p.center(0))))<<2 | spread(uint32(y.bin(p.center(1))))<<1 | spread(uint32(z.bin(p.center(2))))
			list[i] = ranked(code)<<32 | ranked(i)
		}
	})
	return list
}

// spread inserts two zero bits before each of the lowest ten bits.
func spread(x uint32) uint32 {
	x = (x | x<<16) & 0x030000ff
	x = (x | x<<8) & 0x0300f00f
	x = (x | x<<4) & 0x030c30c3
	return (x | x<<2) & 0x09249249
}

// sortCurve is a stable radix sort by the codes.
func sortCurve(list []ranked) {
	const digit = 10
	var counts [3 * mortonBits / digit][1 << digit]int32
	for _, a := range list {
		c := a.code()
		counts[0][c%(1<<digit)]++
		counts[1][c>>digit%(1<<digit)]++
		counts[2][c>>(2*digit)%(1<<digit)]++
	}
	from, to := list, make([]ranked, len(list))
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
	copy(list, from) // after an odd number of passes the result is in the other slice
}

// fastSubtree builds the subtree of a range of the curve as the nodes from i on, and returns their
// end and their cost.
func (b *builder) fastSubtree(f *smallSet, i int, curve []ranked, first int) (end int, cost costs) {
	count := len(curve)
	if count <= smallSize {
		return b.pack(f, i, first, count)
	}
	n := &b.nodes[i]
	*n = binary{first: int32(first), count: int32(count)}
	at := count / 2
	if low, high := curve[0].code(), curve[count-1].code(); low != high {
		at = firstWith(curve, bits.Len32(low^high)-1)
	}
	if b.watch.below(at, count-at) {
		return i + 1, cost
	}
	var l, r costs
	ok := false
	if count >= parallelSize {
		l, r, end, ok = b.bothFast(f, n, i, curve, first, at)
	}
	if !ok {
		end, l = b.fastSubtree(f, i+1, curve[:at], first)
		n.second = int32(end)
		end, r = b.fastSubtree(f, end, curve[at:], first+at)
	}
	n.box = b.nodes[i+1].box
	n.box.grow(&b.nodes[n.second].box)
	return end, b.planNode(n, &l, &r, fitsNone)
}

// bothFast is both for fastSubtree.
func (b *builder) bothFast(f *smallSet, n *binary, i int, curve []ranked, first, at int) (l, r costs, end int, ok bool) {
	second := i + 2*at
	ok = b.fork.TryBoth(
		func() { _, l = b.fastSubtree(&smallSet{}, i+1, curve[:at], first) },
		func() { end, r = b.fastSubtree(f, second, curve[at:], first+at) })
	if ok {
		n.second = int32(second)
	}
	return l, r, end, ok
}

// firstWith returns the first index on the curve whose code has a bit that the first code has not
// and the last one has.
func firstWith(curve []ranked, bit int) int {
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

// packer builds the binary tree over the leaves that a small set fills.
type packer struct {
	b      *builder
	leaves [smallSize]binary
	end    int // of the nodes so far
}

// pack fills one leaf after the other with a small set, in its order, and returns as fastSubtree
// does.
func (b *builder) pack(f *smallSet, i, first, count int) (end int, cost costs) {
	copy(f.prims[:], b.prims[first:first+count])
	b.mark(f, count)
	p := packer{b: b, end: i}
	n := 0
	for at := 0; at < count; n++ {
		leaf, corners := &p.leaves[n], uint64(0)
		*leaf = binary{box: emptyBox, first: int32(first + at)}
		for ; at < count && leaf.count < width; at++ {
			if corners |= f.corners[at]; bits.OnesCount64(corners) > width {
				break
			}
			leaf.box.grow(&f.prims[at].box)
			leaf.count++
		}
	}
	cost = p.subtree(0, n)
	return p.end, cost
}

func (p *packer) subtree(from, to int) costs {
	n := &p.b.nodes[p.end]
	p.end++
	if to-from == 1 {
		*n = p.leaves[from]
		return p.b.planLeaf(n)
	}
	i, middle := p.end, (from+to)/2
	l := p.subtree(from, middle)
	second := p.end
	r := p.subtree(middle, to)
	left, right := &p.b.nodes[i], &p.b.nodes[second]
	*n = binary{box: left.box, first: left.first, count: left.count + right.count, second: int32(second)}
	n.box.grow(&right.box)
	if n.count <= width {
		return p.b.planNode(n, &l, &r, fitsLoose)
	}
	return p.b.planNode(n, &l, &r, fitsNone)
}

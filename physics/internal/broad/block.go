package broad

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// blockSize is how many boxes a node of level 2 has room for.
const blockSize = width * width * width

// bench is what one goroutine needs to arrange the boxes of a block.
type bench struct {
	keys  [3][blockSize]uint32 // the centres, as whole numbers of one scale, above the bits of a box's index
	order [blockSize]uint32    // keys of the boxes in the order that is made
	count int
	leafs int // nodes of level 0 to make of it
	forks int // nodes of level 1
}

const (
	indexBits = 9 // of blockSize
	keyScale  = 1<<(32-indexBits) - 1
)

// leafsOf returns how many nodes of level 0 hold n boxes.
func leafsOf(n int) int { return (n + width - 1) / width }

// arrange puts up to a block of boxes, of which it is given the centres, into an order such that those that follow each other
// belong together: cut in two along the longest side of where they are, so that full nodes come out, and again.
func (b *bench) arrange(points []point) {
	lo, hi := spanOf(points)
	size := max(hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2])
	scale := float32(keyScale) / size
	if !(scale <= math.MaxFloat32) {
		scale = 0 // all at one place, as good as
	}
	for i := range points {
		c := &points[i].center
		for axis := range 3 {
			b.keys[axis][i] = uint32(min((c[axis]-lo[axis])*scale, keyScale))<<indexBits | uint32(i)
		}
		b.order[i] = uint32(i)
	}
	b.count = len(points)
	b.leafs = leafsOf(b.count)
	b.forks = leafsOf(b.leafs)
	b.cutForks(0, b.forks)
}

// box returns the place in the order at which the boxes of a node of level 0 begin, and leaf that at which the nodes of one of
// level 1 do. All are filled alike.
func (b *bench) box(leaf int) int  { return leaf * b.count / b.leafs }
func (b *bench) leaf(fork int) int { return fork * b.leafs / b.forks }

// index returns which box is at a place of the order.
func (b *bench) index(at int) uint32 { return b.order[at] & (blockSize - 1) }

func (b *bench) cutForks(from, to int) {
	if to-from == 1 {
		b.cutLeafs(b.leaf(from), b.leaf(to))
		return
	}
	mid := (from + to) / 2
	b.cut(b.box(b.leaf(from)), b.box(b.leaf(to)), b.box(b.leaf(mid)))
	b.cutForks(from, mid)
	b.cutForks(mid, to)
}

func (b *bench) cutLeafs(from, to int) {
	if to-from <= 1 {
		return
	}
	mid := (from + to) / 2
	b.cut(b.box(from), b.box(to), b.box(mid))
	b.cutLeafs(from, mid)
	b.cutLeafs(mid, to)
}

// cut puts those that are lowest along the longest side before mid.
func (b *bench) cut(from, to, mid int) {
	order := b.order[from:to]
	var lo, hi [3]uint32
	axis, longest := 0, uint32(0)
	for a := range lo {
		keys := &b.keys[a]
		lo, hi := uint32(math.MaxUint32), uint32(0)
		for _, o := range order {
			k := keys[o&(blockSize-1)]
			lo, hi = min(lo, k), max(hi, k)
		}
		if d := hi - lo; d > longest {
			axis, longest = a, d
		}
	}
	_, _ = lo, hi
	keys := &b.keys[axis]
	for i, o := range order {
		order[i] = keys[o&(blockSize-1)]
	}
	lowest32(order, mid-from)
}

// lowest32 puts the k lowest numbers first. No two are equal.
func lowest32(a []uint32, k int) {
	for len(a) > 12 {
		x, y, z := a[len(a)/4], a[len(a)/2], a[len(a)*3/4]
		pivot := max(min(x, y), min(max(x, y), z))
		n := 0
		for i, v := range a {
			a[i] = a[n]
			a[n] = v
			if v < pivot {
				n++
			}
		}
		switch {
		case n == k:
			return
		case n > k:
			a = a[:n]
		default:
			a, k = a[n:], k-n
		}
	}
	for i := 1; i < len(a); i++ {
		v := a[i]
		at := i
		for ; at > 0 && a[at-1] > v; at-- {
			a[at] = a[at-1]
		}
		a[at] = v
	}
}

// point is a box as the builder arranges it: a quarter of the sum of its corners, so that nothing overflows, and where the
// box is found.
type point struct {
	center [3]float32
	source uint32
}

func pointOf(b *geom.AABB, source uint32) point {
	return point{[3]float32{
		float32(b.Min.X*0.25) + float32(b.Max.X*0.25),
		float32(b.Min.Y*0.25) + float32(b.Max.Y*0.25),
		float32(b.Min.Z*0.25) + float32(b.Max.Z*0.25),
	}, source}
}

// spanOf returns the least and the greatest of the coordinates on each axis.
func spanOf(points []point) (lo, hi [3]float32) {
	x0, y0, z0 := inf32, inf32, inf32
	x1, y1, z1 := -inf32, -inf32, -inf32
	for i := range points {
		c := &points[i].center
		x0, x1 = min(x0, c[0]), max(x1, c[0])
		y0, y1 = min(y0, c[1]), max(y1, c[1])
		z0, z1 = min(z0, c[2]), max(z1, c[2])
	}
	return [3]float32{x0, y0, z0}, [3]float32{x1, y1, z1}
}

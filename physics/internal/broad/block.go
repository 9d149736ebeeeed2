package broad

import "math"

// blockSize is the most boxes below a node of level 2: 512.
const blockSize = width * width * width

// blockSorter is the scratch memory of one worker that sorts the boxes of a block.
type blockSorter struct {
	// By axis, integers: the centre in one scale, above the index of the box.
	keys   [3][blockSize]uint32
	order  [blockSize]uint32 // keys of the boxes in their final order
	count  int
	leaves int                     // nodes of level 0 that the block becomes
	forks  int                     // nodes of level 1
	starts [width*width + 1]uint16 // of each leaf in order
}

const (
	indexBits = 9 // of blockSize
	keyScale  = 1<<(32-indexBits) - 1
)

// leavesFor returns the number of leaves that n boxes fill.
func leavesFor(n int) int { return (n + width - 1) / width }

// arrange sorts up to blockSize boxes, given by their centres, such that each leaf is a range of
// the order. It cuts the boxes in two along the longest side of their extent, at a multiple of full
// leaves, and again.
func (b *blockSorter) arrange(points []point) {
	lo, hi := spanOf(points)
	size := max(hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2])
	scale := float32(keyScale) / size
	if !(scale <= math.MaxFloat32) {
		scale = 0 // all centres are nearly the same point
	}
	for i := range points {
		c := &points[i].center
		b.keys[0][i] = keyOf((c[0]-lo[0])*scale) | uint32(i)
		b.keys[1][i] = keyOf((c[1]-lo[1])*scale) | uint32(i)
		b.keys[2][i] = keyOf((c[2]-lo[2])*scale) | uint32(i)
		b.order[i] = uint32(i)
	}
	b.count = len(points)
	b.leaves = leavesFor(b.count)
	b.forks = leavesFor(b.leaves)
	for l := range b.leaves + 1 {
		b.starts[l] = uint16(l * b.count / b.leaves)
	}
	var c cell
	for axis := range 3 {
		c.hi[axis] = keyOf((hi[axis] - lo[axis]) * scale)
	}
	b.cutForks(0, b.forks, c)
}

// box returns where the boxes of a leaf begin in the order, and leaf the first leaf of a node of
// level
// 1. All nodes of a level are filled to within one.
func (b *blockSorter) box(leaf int) int  { return int(b.starts[leaf]) }
func (b *blockSorter) leaf(fork int) int { return fork * b.leaves / b.forks }

// keyOf makes a key of a number from 0 to keyScale, with the index left 0.
func keyOf(v float32) uint32 { return min(uint32(int32(v)), keyScale) << indexBits }

// index returns the index of the box at a place of the order.
func (b *blockSorter) index(at int) uint32 { return b.order[at] & (blockSize - 1) }

func (b *blockSorter) cutForks(from, to int, c cell) {
	if to-from == 1 {
		b.cutLeaves(b.leaf(from), b.leaf(to), c)
		return
	}
	mid := (from + to) / 2
	low, high := b.cut(b.box(b.leaf(from)), b.box(b.leaf(to)), b.box(b.leaf(mid)), c)
	b.cutForks(from, mid, low)
	b.cutForks(mid, to, high)
}

func (b *blockSorter) cutLeaves(from, to int, c cell) {
	if to-from <= 1 {
		return
	}
	mid := (from + to) / 2
	low, high := b.cut(b.box(from), b.box(to), b.box(mid), c)
	b.cutLeaves(from, mid, low)
	b.cutLeaves(mid, to, high)
}

// cell is the extent of the centres of some boxes, as keys.
type cell struct{ lo, hi [3]uint32 }

// cut moves the boxes with the lowest centres along the longest side of c before mid.
func (b *blockSorter) cut(from, to, mid int, c cell) (low, high cell) {
	axis := 0
	x, y, z := c.hi[0]-c.lo[0], c.hi[1]-c.lo[1], c.hi[2]-c.lo[2]
	if y > x {
		axis, x = 1, y
	}
	if z > x {
		axis = 2
	}
	at := lowest32(b.order[from:to], mid-from, &b.keys[axis], c.lo[axis], c.hi[axis])
	low, high = c, c
	low.hi[axis], high.lo[axis] = at, at
	return low, high
}

// lowest32 replaces each number by the key of its index, and moves the k lowest keys to the front.
// All keys are from lo to hi, and no two are equal. It returns a key near the cut.
//
// It is quickselect (Hoare 1961) with pivots by interpolation: k/count of the way from lo to hi.
// The second pivot is a little beyond, so that the k-th key is most likely between the two.
func lowest32(a []uint32, k int, keys *[blockSize]uint32, lo, hi uint32) uint32 {
	pivot := between(lo, hi, k, len(a))
	n := 0
	for i, v := range a {
		v = keys[v%blockSize]
		a[i] = a[n]
		a[n] = v
		n += below(v, pivot)
	}
	for tries := 0; n != k; tries++ {
		if n > k {
			a, hi = a[:n], pivot
		} else {
			a, k, lo = a[n:], k-n, pivot
		}
		m := len(a)
		if m <= 8 {
			for i := 1; i < len(a); i++ {
				v := a[i]
				at := i
				for ; at > 0 && a[at-1] > v; at-- {
					a[at] = a[at-1]
				}
				a[at] = v
			}
			return a[k]
		}
		if tries < 3 {
			r := k
			if 2*k < m {
				r += 2 + k/4
			} else {
				r -= 2 + (m-k)/4
			}
			pivot = between(lo, hi, r, m)
		} else {
			x, y, z := a[m/4], a[m/2], a[m*3/4]
			pivot = max(min(x, y), min(max(x, y), z))
		}
		n = 0
		for i, v := range a {
			a[i] = a[n]
			a[n] = v
			n += below(v, pivot)
		}
	}
	return pivot
}

// between returns the number that is k/n of the way from lo to hi.
func between(lo, hi uint32, k, n int) uint32 {
	return lo + uint32(float64(hi-lo)*float64(k)/float64(n))
}

// below returns 1 if v is below pivot, else 0, without a branch: it would be mispredicted every
// other time.
func below(v, pivot uint32) int { return int((uint64(v) - uint64(pivot)) >> 63) }

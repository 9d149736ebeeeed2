package broad

import "math"

// blockSize is how many boxes a node of level 2 has room for.
const blockSize = width * width * width

// bench is what one goroutine needs to arrange the boxes of a block.
type bench struct {
	keys   [3][blockSize]uint32 // the centres, as whole numbers of one scale, above the bits of a box's index
	order  [blockSize]uint32    // keys of the boxes in the order that is made
	count  int
	leafs  int                     // nodes of level 0 to make of it
	forks  int                     // nodes of level 1
	starts [width*width + 1]uint16 // see box
}

const (
	indexBits = 9 // of blockSize
	keyScale  = 1<<(32-indexBits) - 1
)

// leafsOf returns how many nodes of level 0 hold n boxes.
func leafsOf(n int) int { return (n + width - 1) / width }

// arrange puts up to a block of boxes, of which it is given the centres, into an order such that
// those that follow each other belong together: cut in two along the longest side of where they
// are, so that full nodes come out, and again.
func (b *bench) arrange(points []point) {
	lo, hi := spanOf(points)
	size := max(hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2])
	scale := float32(keyScale) / size
	if !(scale <= math.MaxFloat32) {
		scale = 0 // all at one place, as good as
	}
	for i := range points {
		c := &points[i].center
		b.keys[0][i] = keyOf((c[0]-lo[0])*scale) | uint32(i)
		b.keys[1][i] = keyOf((c[1]-lo[1])*scale) | uint32(i)
		b.keys[2][i] = keyOf((c[2]-lo[2])*scale) | uint32(i)
		b.order[i] = uint32(i)
	}
	b.count = len(points)
	b.leafs = leafsOf(b.count)
	b.forks = leafsOf(b.leafs)
	for l := range b.leafs + 1 {
		b.starts[l] = uint16(l * b.count / b.leafs)
	}
	var c cell
	for axis := range 3 {
		c.hi[axis] = keyOf((hi[axis] - lo[axis]) * scale)
	}
	b.cutForks(0, b.forks, c)
}

// box returns the place in the order at which the boxes of a node of level 0 begin, and leaf that
// at which the nodes of one of level 1 do. All are filled alike.
func (b *bench) box(leaf int) int  { return int(b.starts[leaf]) }
func (b *bench) leaf(fork int) int { return fork * b.leafs / b.forks }

// keyOf makes a key of a number from 0 to keyScale.
func keyOf(v float32) uint32 { return min(uint32(int32(v)), keyScale) << indexBits }

// index returns which box is at a place of the order.
func (b *bench) index(at int) uint32 { return b.order[at] & (blockSize - 1) }

func (b *bench) cutForks(from, to int, c cell) {
	if to-from == 1 {
		b.cutLeafs(b.leaf(from), b.leaf(to), c)
		return
	}
	mid := (from + to) / 2
	low, high := b.cut(b.box(b.leaf(from)), b.box(b.leaf(to)), b.box(b.leaf(mid)), c)
	b.cutForks(from, mid, low)
	b.cutForks(mid, to, high)
}

func (b *bench) cutLeafs(from, to int, c cell) {
	if to-from <= 1 {
		return
	}
	mid := (from + to) / 2
	low, high := b.cut(b.box(from), b.box(to), b.box(mid), c)
	b.cutLeafs(from, mid, low)
	b.cutLeafs(mid, to, high)
}

// cell is where the centres of some boxes are, as keys.
type cell struct{ lo, hi [3]uint32 }

// cut puts those that are lowest along the longest side before mid.
func (b *bench) cut(from, to, mid int, c cell) (low, high cell) {
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

// lowest32 replaces each number by the key of its index, and puts the k lowest keys first. All keys
// are from lo to hi, and no two are equal. It returns about where the keys were parted.
//
// It is quickselect (Hoare 1961), with pivots found as in a telephone book: as far from lo to hi as
// k is from 0 to the count. The second is a little further, so that most are left out then.
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

// between returns the number as far from lo to hi as k is from 0 to n.
func between(lo, hi uint32, k, n int) uint32 {
	return lo + uint32(float64(hi-lo)*float64(k)/float64(n))
}

// below returns 1 if v is below pivot, else 0, without a branch, which would be guessed wrong every
// other time.
func below(v, pivot uint32) int { return int((uint64(v) - uint64(pivot)) >> 63) }

package broad

import (
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The join of two trees, or of one with itself, goes down in both at once: where nodes touch, each
// child of the one meets each child of the other. All sixty-four are looked at together.

// meeting is the refs of two nodes below which boxes may touch.
type meeting uint64

func newMeeting(a, b ref) meeting { return meeting(a)<<32 | meeting(b) }

// forest is two trees whose nodes meet, which may be the same. Those of a are grown by margin to
// all sides.
type forest struct {
	a, b   *tree
	margin float32
}

func (f *forest) at(m meeting) (x, y *node) {
	return &f.a.nodes[ref(m>>32).node()], &f.b.nodes[ref(uint32(m)).node()]
}

// Bits in a matrix of eight times eight, whose rows are bytes from the lowest on. On the diagonal,
// a node meets itself.
const (
	above    = 0x80c0e0f0f8fcfeff // and on it
	diagonal = 0x8040201008040201
)

// couples appends those of two nodes of level 0.
func (f *forest) couples(dst []Couple, x, y *node) []Couple {
	matrix := f.touching(x, y)
	if x == y {
		matrix &^= diagonal
	}
	for ; matrix != 0; matrix &= matrix - 1 {
		i := bits.TrailingZeros64(matrix)
		a, b := x.child[i>>3].number(), y.child[i&7].number()
		dst = append(dst, Couple{min(a, b), max(a, b)})
	}
	return dst
}

// open appends the meetings of the children of two nodes that meet. If one node is higher than the
// other, its children meet that.
func (f *forest) open(dst []meeting, m meeting) []meeting {
	x, y := f.at(m)
	a, b := ref(m>>32), ref(uint32(m))
	matrix := f.touching(x, y)
	switch {
	case x.level > y.level:
		matrix = firstInRow(matrix)
	case x.level < y.level:
		matrix = firstInColumn(matrix)
	}
	for ; matrix != 0; matrix &= matrix - 1 {
		i := bits.TrailingZeros64(matrix)
		if x.level >= y.level {
			a = x.child[i>>3]
		}
		if x.level <= y.level {
			b = y.child[i&7]
		}
		dst = append(dst, newMeeting(a, b))
	}
	return dst
}

// firstInRow keeps of each row no more than whether there is anything in it, in the first column.
func firstInRow(matrix uint64) uint64 {
	matrix |= matrix >> 4 & 0x0f0f0f0f0f0f0f0f
	matrix |= matrix >> 2 & 0x0303030303030303
	return (matrix | matrix>>1) & 0x0101010101010101
}

// firstInColumn keeps of each column no more than whether there is anything in it, in the first
// row.
func firstInColumn(matrix uint64) uint64 {
	matrix |= matrix >> 32
	matrix |= matrix >> 16
	return (matrix | matrix>>8) & 0xff
}

// touching returns which children of one node touch which of another: child i of x and child j of
// y, bit 8i + j. Of a node and itself, each pair is told once: only those with i ≤ j are.
func (f *forest) touching(x, y *node) uint64 {
	if f.margin > 0 {
		return f.near(x, y)
	}
	if useAVX2 {
		matrix := touchingAVX2(x, y)
		if x == y {
			matrix &= above
		}
		return matrix
	}
	here, there := f.a.boxOf(x), f.b.boxOf(y)
	return x.touching(y, &here, &there)
}

// near is touching where there is a margin.
func (f *forest) near(x, y *node) (matrix uint64) {
	grown := node{box: x.box}
	for axis := range 3 {
		lo, hi := &grown.box[2*axis], &grown.box[2*axis+1]
		for i := range width {
			lo[i] -= f.margin
			hi[i] += f.margin
		}
	}
	if useAVX2 {
		matrix = touchingAVX2(&grown, y)
	} else {
		here, there := f.a.boxOf(x).Grow(f.margin), f.b.boxOf(y)
		matrix = grown.touching(y, &here, &there)
	}
	if x == y {
		matrix &= above
	}
	return matrix
}

// boxOf returns the box of a node, as its parent has it.
func (t *tree) boxOf(n *node) geom.AABB {
	if n.parent == 0 {
		return n.union()
	}
	return t.nodes[n.parent].bounds(int(n.slot))
}

// touching is that for nodes in given boxes. Few children of the one are near any of the other's,
// and few of these near those.
func (n *node) touching(m *node, here, there *geom.AABB) uint64 {
	rows, columns := uint32(1<<width-1), uint32(1<<width-1)
	if n != m {
		p := probeOf(here)
		if columns = m.touchedGo(&p); columns == 0 {
			return 0
		}
		p = probeOf(there)
		rows = n.touchedGo(&p)
	}
	matrix := uint64(0)
	for ; rows != 0; rows &= rows - 1 {
		i := bits.TrailingZeros32(rows)
		if n == m {
			columns = (1<<width - 1) &^ (1<<i - 1)
		}
		b := n.bounds(i)
		matrix |= uint64(m.touchedAmong(&b, columns)) << (8 * i)
	}
	return matrix
}

// touchedAmong is node.touchedGo for some children alone, one bit each.
func (n *node) touchedAmong(b *geom.AABB, children uint32) uint32 {
	p := probeOf(b)
	x0, y0, z0, x1, y1, z1 := p.lo.X, p.lo.Y, p.lo.Z, p.hi.X, p.hi.Y, p.hi.Z
	c := &n.box
	apart := uint32(0)
	for rest := children; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & (width - 1)
		apart |= uint32(asInt(x1-c[0][i])|asInt(c[1][i]-x0)|
			asInt(y1-c[2][i])|asInt(c[3][i]-y0)|
			asInt(z1-c[4][i])|asInt(c[5][i]-z0)) >> 31 << i
	}
	return children &^ apart
}

package broad

import (
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The join of two trees, or of a tree with itself, traverses both at once (Brinkhoff, Kriegel and
// Seeger 1993): where two nodes touch, each child of one is tested with each child of the other,
// all sixty-four pairs together.

// nodePair is the refs of two nodes below which boxes may touch.
type nodePair uint64

func newNodePair(a, b ref) nodePair { return nodePair(a)<<32 | nodePair(b) }

// treePair is the two trees of a join, which may be the same. The boxes of a are grown by margin to
// all sides.
type treePair struct {
	a, b   *tree
	margin float32
}

func (f *treePair) at(m nodePair) (x, y *node) {
	return &f.a.nodes[ref(m>>32).node()], &f.b.nodes[ref(uint32(m)).node()]
}

// Masks of a matrix of 8×8 bits, whose rows are bytes from the lowest on.
const (
	above    = 0x80c0e0f0f8fcfeff // and on it
	diagonal = 0x8040201008040201
)

// pairs appends the pairs of boxes in two leaves.
func (f *treePair) pairs(dst []Pair, x, y *node) []Pair {
	matrix := f.touching(x, y)
	if x == y {
		matrix &^= diagonal
	}
	for ; matrix != 0; matrix &= matrix - 1 {
		i := bits.TrailingZeros64(matrix)
		a, b := x.child[i>>3].number(), y.child[i&7].number()
		dst = append(dst, Pair{min(a, b), max(a, b)})
	}
	return dst
}

// open appends the pairs of children of two nodes that touch. Of nodes at different levels only the
// higher is opened.
func (f *treePair) open(dst []nodePair, m nodePair) []nodePair {
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
		dst = append(dst, newNodePair(a, b))
	}
	return dst
}

// firstInRow sets the first column to whether the row has any bit, and clears the rest.
func firstInRow(matrix uint64) uint64 {
	matrix |= matrix >> 4 & 0x0f0f0f0f0f0f0f0f
	matrix |= matrix >> 2 & 0x0303030303030303
	return (matrix | matrix>>1) & 0x0101010101010101
}

// firstInColumn sets the first row to whether the column has any bit, and clears the rest.
func firstInColumn(matrix uint64) uint64 {
	matrix |= matrix >> 32
	matrix |= matrix >> 16
	return (matrix | matrix>>8) & 0xff
}

// touching returns bit 8i + j if child i of x touches child j of y; for a node and itself, only of
// i ≤ j.
func (f *treePair) touching(x, y *node) uint64 {
	if f.margin > 0 {
		return f.near(x, y)
	}
	if useSIMD {
		matrix := touchingSIMD(x, y)
		if x == y {
			matrix &= above
		}
		return matrix
	}
	here, there := f.a.boxOf(x), f.b.boxOf(y)
	return x.touching(y, &here, &there)
}

// near is touching with a margin.
func (f *treePair) near(x, y *node) (matrix uint64) {
	grown := node{box: x.box}
	for axis := range 3 {
		lo, hi := &grown.box[2*axis], &grown.box[2*axis+1]
		for i := range width {
			lo[i] -= f.margin
			hi[i] += f.margin
		}
	}
	if useSIMD {
		matrix = touchingSIMD(&grown, y)
	} else {
		here, there := f.a.boxOf(x).Grow(f.margin), f.b.boxOf(y)
		matrix = grown.touching(y, &here, &there)
	}
	if x == y {
		matrix &= above
	}
	return matrix
}

// boxOf returns the box of a node, from its parent if it has one.
func (t *tree) boxOf(n *node) geom.AABB {
	if n.parent == 0 {
		return n.union()
	}
	return t.nodes[n.parent].bounds(int(n.slot))
}

// touching is treePair.touching in Go, for nodes with the given boxes: the specification of
// touchingSIMD. Only children that touch the box of the other node are compared, which are few.
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

// touchedAmong is node.touchedGo for the given children.
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

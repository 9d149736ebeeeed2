package broad

import (
	"math"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// node is a node of a tree: the boxes of its eight children as rows of low x, high x, low y, high
// y, low z and high z, each of which is one AVX2 register, and the refs of the children. It is 256
// bytes, four cache lines, and aligned to them. The assembly depends on the layout.
type node struct {
	box    [6][width]float32 // of an empty slot: low +Inf, high −Inf
	child  [width]ref        // of an empty slot: 0
	parent int32             // 0 of the root
	slot   uint8             // its place in the parent
	// 0: a leaf, with boxes as children; otherwise above that of the children.
	level uint8
	worn  uint8     // see repair.go; at most 254
	count uint8     // children, in any slots
	fat   geom.AABB // fat AABB: a box that leaves that of its leaf is inserted again
}

// unused is the level of a free node. Its parent is the next in the free list.
const unused = 255

// ref is a child: a node, or the number of a box. 0 is an empty slot; node 0 is never used.
//
// The ref of a node is its index times 32, which is its offset in bytes divided by 8. The ref of a
// box is its number times 8, plus 1. The trees of meshes use the same format.
type ref uint32

const leafBit = 1

// maxNumbers bounds the numbers of boxes, and maxNodes the nodes of a tree, to what a ref can hold.
const maxNumbers = 1 << 29

const maxNodes = 1 << 27

func nodeRef(i int32) ref      { return ref(i) << 5 }
func boxRef(number uint32) ref { return ref(number)<<3 | leafBit }
func (r ref) isBox() bool      { return r&leafBit != 0 }
func (r ref) node() int32      { return int32(r >> 5) }
func (r ref) number() uint32   { return uint32(r >> 3) }

// union returns the box around all children, empty as that of a free slot if there is none. −0
// counts as less than 0.
func (n *node) union() (box geom.AABB) {
	if useSIMD {
		unionSIMD(n, &box)
		return box
	}
	return n.unionGo()
}

// unionGo is the specification of unionSIMD.
func (n *node) unionGo() geom.AABB {
	return geom.AABB{
		Min: geom.Vec3{X: lowest(&n.box[0]), Y: lowest(&n.box[2]), Z: lowest(&n.box[4])},
		Max: geom.Vec3{X: highest(&n.box[1]), Y: highest(&n.box[3]), Z: highest(&n.box[5])},
	}
}

func lowest(r *[width]float32) float32 {
	return min(min(min(r[0], r[1]), min(r[2], r[3])), min(min(r[4], r[5]), min(r[6], r[7])))
}

func highest(r *[width]float32) float32 {
	return max(max(max(r[0], r[1]), max(r[2], r[3])), max(max(r[4], r[5]), max(r[6], r[7])))
}

// freeSlot returns an empty slot. Panics if there is none.
func (n *node) freeSlot() int {
	for s, c := range n.child {
		if c == 0 {
			return s
		}
	}
	panic("broad: node.freeSlot: the node is full")
}

func (n *node) bounds(slot int) geom.AABB {
	slot &= width - 1
	return geom.AABB{
		Min: geom.Vec3{X: n.box[0][slot], Y: n.box[2][slot], Z: n.box[4][slot]},
		Max: geom.Vec3{X: n.box[1][slot], Y: n.box[3][slot], Z: n.box[5][slot]},
	}
}

func (n *node) setBounds(slot int, b geom.AABB) {
	slot &= width - 1
	n.box[0][slot], n.box[2][slot], n.box[4][slot] = b.Min.X, b.Min.Y, b.Min.Z
	n.box[1][slot], n.box[3][slot], n.box[5][slot] = b.Max.X, b.Max.Y, b.Max.Z
}

var inf32 = float32(math.Inf(1))

// emptyNode is a free node.
var emptyNode = func() (n node) {
	for i := range width {
		n.box[0][i], n.box[2][i], n.box[4][i] = inf32, inf32, inf32
		n.box[1][i], n.box[3][i], n.box[5][i] = -inf32, -inf32, -inf32
	}
	n.level = unused
	return n
}()

// nowhere is the box of an empty slot.
var nowhere = emptyNode.bounds(0)

// alignedNodes returns n nodes that start at a cache line.
func alignedNodes(n int) []node {
	const line = 64
	raw := make([]node, n+1)
	shift := -uintptr(unsafe.Pointer(&raw[0])) % line
	return unsafe.Slice((*node)(unsafe.Add(unsafe.Pointer(&raw[0]), shift)), n)
}

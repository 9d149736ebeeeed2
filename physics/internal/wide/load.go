package wide

import (
	order "encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The parts of a tree that a file stores, and the check of loaded parts. Traversals follow refs
// through unsafe pointers and in assembly, so a foreign tree is checked before use: whatever its
// words are, a query then ends and accesses no memory outside. [Tree.Validate] checks that boxes
// are tight and the triangles those of the mesh.

// Unit is the block in which a file stores nodes and leaves.
type Unit = unit

// NewUnits returns n units that start at a cache line, as [Load] requires.
func NewUnits(n int) []Unit { return aligned(n) }

// Parts is what a file stores of a tree; the rest is derived. Units are 32-bit words in the
// machine's byte order; the bytes that name the corners of a packed leaf are in words too, the
// first of them the lowest.
type Parts struct {
	Bounds geom.AABB
	Root   uint32 // a ref
	IDs    []int32
	Units  []Unit
}

var bigEndian = order.NativeEndian.Uint16([]byte{0, 1}) == 1

// Parts returns the parts of a tree, which must not be changed.
func (t *Tree) Parts() Parts {
	units := t.units
	if bigEndian && len(units) > 0 {
		units = slices.Clone(units)
		turned := Tree{units: units}
		turned.turnCorners(t.root)
	}
	return Parts{t.bounds, uint32(t.root), t.ids, units}
}

func (t *Tree) turnCorners(r ref) {
	switch r.kind() {
	case kindPacked:
		t.packed(r).turnCorners()
	case kindNode:
		for _, child := range &t.node(r).child {
			if child != 0 {
				t.turnCorners(child)
			}
		}
	}
}

// turnCorners converts the corners between the byte order in memory and that in words, where these
// differ.
func (p *packed) turnCorners() {
	words := (*[3 * width / 4]uint32)(unsafe.Pointer(&p.corner))
	for i, w := range words {
		words[i] = bits.ReverseBytes32(w)
	}
}

// Load returns the tree of the given parts, over so many triangles of a mesh. It keeps the slices,
// which the caller must not use any more. The error says why the parts are no tree that can be
// traversed. An empty tree has no parts.
func Load(p Parts, triangles int) (Tree, error) {
	if len(p.Units) == 0 || len(p.IDs) == 0 {
		return Tree{}, fmt.Errorf("%d units and %d places of triangles", len(p.Units), len(p.IDs))
	}
	if !isFinite(p.Bounds) {
		return Tree{}, fmt.Errorf("bounds %v", p.Bounds)
	}
	for i, id := range p.IDs {
		if uint32(id) >= uint32(triangles) {
			return Tree{}, fmt.Errorf("triangle %d of %d at place %d", uint32(id), triangles, i)
		}
	}
	t := Tree{units: p.Units, ids: p.IDs, root: ref(p.Root)}
	if t.root.isLeaf() && len(p.IDs) > triangles {
		return Tree{}, fmt.Errorf("%d places for %d triangles in one leaf", len(p.IDs), triangles)
	}
	t.setBounds(p.Bounds)
	c := checker{t: &t, marks: make([]uint16, len(t.units))}
	if err := c.all(); err != nil {
		return Tree{}, err
	}
	t.need = c.need
	if t.findDuplicates(triangles); t.duplicates.tooMany() {
		return Tree{}, fmt.Errorf("triangles in too many leaves: %d pairs of them at %d places", t.duplicates.pairs, len(p.IDs))
	}
	return t, nil
}

// isFinite reports whether a box is not empty and no side is infinite or NaN.
func isFinite(b geom.AABB) bool {
	return b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y && b.Min.Z <= b.Max.Z && b.Min.IsFinite() && b.Max.IsFinite()
}

// checker checks the units once from first to last. Nodes and leaves follow the nodes that name
// them, so each is known when it is reached, and there is no cycle.
type checker struct {
	t *Tree
	// For each unit: 0 if no known node or leaf starts there; else its kind, and above that the
	// largest number of stack entries of a traversal with it on top.
	marks []uint16
	need  int
}

func (c *checker) all() error {
	root := c.t.root
	if root.unit() != 0 || sizeOf(root) == 0 {
		return fmt.Errorf("root %#x", uint32(root))
	}
	c.mark(root, 1)
	for at := 0; at < len(c.marks); {
		m := c.marks[at]
		if m == 0 {
			return fmt.Errorf("unit %d is not reached", at)
		}
		r := newRef(at, ref(m&3))
		end := at + sizeOf(r)
		if end > len(c.marks) {
			return fmt.Errorf("unit %d out of range", end)
		}
		for i, m := range c.marks[at+1 : end] {
			if m != 0 {
				return fmt.Errorf("unit %d is reached twice", at+1+i)
			}
		}
		var err error
		if r.isLeaf() {
			c.need = max(c.need, int(m>>2))
			err = c.leaf(r)
		} else {
			err = c.node(r, int(m>>2))
		}
		if err != nil {
			return err
		}
		at = end
	}
	return nil
}

func (c *checker) mark(r ref, entries int) { c.marks[r.unit()] = uint16(entries<<2) | uint16(r.kind()) }

// sizeOf returns the number of units of the node or leaf of a ref; 0 if it has no valid kind.
func sizeOf(r ref) int {
	return [8]int{kindNode: nodeUnits, kindPacked: packedUnits, kindLoose: looseUnits}[r.kind()]
}

func (c *checker) node(r ref, entries int) error {
	n := c.t.node(r)
	children := 0
	for i, child := range &n.child {
		b := n.bounds(i)
		if child == 0 {
			// No ray crosses such a box. If one did, it would follow ref 0, the root.
			if b != nowhere {
				return fmt.Errorf("empty slot %d of node %#x has bounds", i, uint32(r))
			}
			continue
		}
		children++
		switch at := child.unit(); {
		case children <= i:
			return fmt.Errorf("child %d of node %#x after an empty slot", i, uint32(r))
		case !isFinite(b):
			return fmt.Errorf("bounds %v of child %d of node %#x", b, i, uint32(r))
		case sizeOf(child) == 0:
			return fmt.Errorf("reference %#x is of no kind", uint32(child))
		case at >= len(c.marks):
			return fmt.Errorf("unit %d out of range", at)
		case at <= r.unit():
			return fmt.Errorf("child %#x stands before node %#x", uint32(child), uint32(r))
		case c.marks[at] != 0:
			return fmt.Errorf("unit %d is reached twice", at)
		}
		c.mark(child, 1)
	}
	if children < 2 {
		return fmt.Errorf("node %#x has %d children", uint32(r), children)
	}
	if entries += children - 1; entries >= stackSize {
		return fmt.Errorf("%d entries on the stack of a walk, at most %d are possible", entries, stackSize-1)
	}
	for _, child := range n.child[:children] {
		c.mark(child, entries)
	}
	return nil
}

var nowhere = geom.AABB{Min: geom.V(inf32, inf32, inf32), Max: geom.V(-inf32, -inf32, -inf32)}

func (c *checker) leaf(r ref) error {
	info := c.t.info(r)
	count, vertices := info.count(), info.vertices()
	finite := false
	if r.kind() == kindPacked {
		p := c.t.packed(r)
		if bigEndian {
			p.turnCorners()
		}
		if vertices < 1 || vertices > width {
			return fmt.Errorf("leaf %#x: lanes %#x", uint32(r), info.lanes)
		}
		for _, corner := range &p.corner {
			if !below(corner, vertices) {
				return fmt.Errorf("leaf %#x: corners %v of %d", uint32(r), corner, vertices)
			}
		}
		finite = areFinite(p.vertex[0][:]) && areFinite(p.vertex[1][:]) && areFinite(p.vertex[2][:])
	} else {
		l := c.t.loose(r)
		finite = true
		for i := range l.corner {
			for axis := range l.corner[i] {
				finite = finite && areFinite(l.corner[i][axis][:])
			}
		}
		vertices = 0
	}
	switch {
	case count < 1 || count > width || info.lanes != newLeafInfo(0, count, vertices).lanes:
		return fmt.Errorf("leaf %#x: lanes %#x", uint32(r), info.lanes)
	case uint64(info.first)+uint64(count) > uint64(len(c.t.ids)):
		return fmt.Errorf("leaf %#x up to place %d of %d", uint32(r), uint64(info.first)+uint64(count), len(c.t.ids))
	case !finite:
		return fmt.Errorf("leaf %#x has a vertex that is not finite", uint32(r))
	}
	return nil
}

// below reports whether eight bytes are all less than a limit of at most 128.
func below(b [width]uint8, limit int) bool {
	const ones = 0x0101010101010101
	x := order.LittleEndian.Uint64(b[:])
	return (x|(x+uint64(128-limit)*ones))&(128*ones) == 0
}

// areFinite reports whether no number is infinite or NaN: the exponent of those overflows into the
// sign.
func areFinite(list []float32) bool {
	unsupported := uint32(0)
	for _, x := range list {
		unsupported |= math.Float32bits(x)&math.MaxInt32 + 1<<23
	}
	return unsupported>>31 == 0
}

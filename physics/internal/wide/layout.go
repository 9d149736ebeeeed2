package wide

import (
	"math"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Nodes and leaves lie in one slice of 64-byte units without pointers, which the garbage collector
// does not scan. A node precedes its subtree, and its leaves follow it directly, so that a descent
// mostly reads forward.

// A unit is a cache line; the first unit is aligned to one.
type unit [16]uint32

const (
	width = 8 // children of a node, lanes of a leaf

	nodeUnits   = 4
	packedUnits = 2
	looseUnits  = 5
)

// MaxTriangles is the largest number of triangles a tree can hold: in the worst case, one per leaf,
// a triangle takes two units and its share of a node, and a ref numbers 2²⁹ units.
const MaxTriangles = 1 << 27

// ref is the index of the unit at which a node or leaf starts, times eight, with its kind in the
// lowest bits. The root is no node's child, so 0 stands for an empty slot.
type ref uint32

const (
	kindNode   = 0
	kindPacked = 1
	kindLoose  = 3
	leafBit    = 1
)

func (r ref) isLeaf() bool { return r&leafBit != 0 }
func (r ref) unit() int    { return int(r >> 3) }
func (r ref) kind() ref    { return r & 7 }

func newRef(unit int, kind ref) ref { return ref(unit<<3) | kind }

// node holds the boxes of its children as low x, high x, low y, high y, low z, high z of all eight.
// Empty slots come last and hold an empty box.
type node struct {
	box   [6][width]float32
	child [width]ref
	_     [8]uint32
}

// packed is a leaf of up to eight triangles over up to eight vertices: the coordinates of the
// vertices, and for each of the three corners the lane of its vertex. Lanes beyond the last
// triangle repeat it.
type packed struct {
	vertex [3][width]float32
	corner [3][width]uint8
	leafInfo
}

// loose is a leaf of up to eight triangles that share too few vertices to be packed: all corners,
// each by x, y and z.
type loose struct {
	corner [3][3][width]float32
	leafInfo
}

type leafInfo struct {
	first uint32 // index in Tree.ids of the triangle in lane 0
	// Bits 0–7 are the lanes with triangles, bits 8–11 the number of vertices, if packed, and bits
	// 12–15 the number of triangles.
	lanes uint32
}

func (i *leafInfo) count() int    { return int(i.lanes>>12) & 15 }
func (i *leafInfo) vertices() int { return int(i.lanes>>8) & 15 }

func newLeafInfo(first, count, vertices int) leafInfo {
	return leafInfo{uint32(first), uint32(count<<12 | vertices<<8 | (1<<count - 1))}
}

// Tree is an immutable tree over triangles. [Build] makes one; the zero Tree is empty.
type Tree struct {
	bounds geom.AABB
	units  []unit
	ids    []int32 // the triangle in each place, in the order of the leaves and their lanes
	root   ref

	center, half geom.Vec3 // of the bounds
	need         int       // the largest number of stack entries of a traversal

	duplicates *duplicates // nil if each triangle is in one leaf
}

// IsEmpty reports whether there are no triangles.
func (t *Tree) IsEmpty() bool { return len(t.ids) == 0 }

// Bounds returns the smallest box around all triangles; empty if there are none.
func (t *Tree) Bounds() geom.AABB {
	if t.IsEmpty() {
		return geom.EmptyAABB()
	}
	return t.bounds
}

// setBounds sets the bounds and what is derived from them.
func (t *Tree) setBounds(bounds geom.AABB) {
	t.bounds = bounds
	t.center = bounds.Center()
	t.half = bounds.Max.Sub(t.center).Max(t.center.Sub(bounds.Min))
}

// NumTriangles returns the number of triangles.
func (t *Tree) NumTriangles() int {
	if t.duplicates != nil {
		return len(t.ids) - t.duplicates.extra
	}
	return len(t.ids)
}

// HasDuplicates reports whether some triangle is in several leaves, so that [Tree.CastRayAll] may
// return a hit more than once.
func (t *Tree) HasDuplicates() bool { return t.duplicates != nil }

// Bytes returns the memory of the tree in bytes.
func (t *Tree) Bytes() int {
	sum := len(t.units)*int(unsafe.Sizeof(unit{})) + 4*len(t.ids)
	if d := t.duplicates; d != nil {
		sum += 4*len(d.at) + len(d.list)*int(unsafe.Sizeof(duplicate{}))
	}
	return sum
}

// The conversions below rely on the builder: all units of a node or leaf follow its first one.

func (t *Tree) node(r ref) *node     { return (*node)(unsafe.Pointer(&t.units[r.unit()])) }
func (t *Tree) packed(r ref) *packed { return (*packed)(unsafe.Pointer(&t.units[r.unit()])) }
func (t *Tree) loose(r ref) *loose   { return (*loose)(unsafe.Pointer(&t.units[r.unit()])) }

func (t *Tree) info(r ref) *leafInfo {
	if r.kind() == kindLoose {
		return &t.loose(r).leafInfo
	}
	return &t.packed(r).leafInfo
}

// triangle returns the corners of the triangle in a lane of a leaf.
func (t *Tree) triangle(r ref, lane int) geom.Triangle {
	lane &= width - 1
	if r.kind() == kindLoose {
		c := &t.loose(r).corner
		return geom.Triangle{
			A: geom.Vec3{X: c[0][0][lane], Y: c[0][1][lane], Z: c[0][2][lane]},
			B: geom.Vec3{X: c[1][0][lane], Y: c[1][1][lane], Z: c[1][2][lane]},
			C: geom.Vec3{X: c[2][0][lane], Y: c[2][1][lane], Z: c[2][2][lane]},
		}
	}
	p := t.packed(r)
	return geom.Triangle{A: p.at(p.corner[0][lane]), B: p.at(p.corner[1][lane]), C: p.at(p.corner[2][lane])}
}

func (p *packed) at(i uint8) geom.Vec3 {
	i &= width - 1
	return geom.Vec3{X: p.vertex[0][i], Y: p.vertex[1][i], Z: p.vertex[2][i]}
}

func (n *node) bounds(i int) geom.AABB {
	return geom.AABB{
		Min: geom.Vec3{X: n.box[0][i], Y: n.box[2][i], Z: n.box[4][i]},
		Max: geom.Vec3{X: n.box[1][i], Y: n.box[3][i], Z: n.box[5][i]},
	}
}

func (n *node) setBounds(i int, b geom.AABB) {
	n.box[0][i], n.box[2][i], n.box[4][i] = b.Min.X, b.Min.Y, b.Min.Z
	n.box[1][i], n.box[3][i], n.box[5][i] = b.Max.X, b.Max.Y, b.Max.Z
}

// aligned returns a slice of n units that starts at a cache line.
func aligned(n int) []unit {
	const line = unsafe.Sizeof(unit{})
	raw := make([]unit, n+1)
	// All units are within raw whatever the shift, which is a multiple of four bytes.
	shift := -uintptr(unsafe.Pointer(&raw[0])) % line
	return unsafe.Slice((*unit)(unsafe.Add(unsafe.Pointer(&raw[0]), shift)), n)
}

func boundsOf(t geom.Triangle) geom.AABB {
	return geom.AABB{Min: t.A.Min(t.B).Min(t.C), Max: t.A.Max(t.B).Max(t.C)}
}

var inf32 = float32(math.Inf(1))

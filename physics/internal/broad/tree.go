package broad

import "github.com/hitscan-go/hitscan/physics/geom"

// maxLevels bounds how high a tree may be, and with it what a walk has to remember. A tree that is
// built has ⌈log₈ n⌉ levels and rarely one more; one that would grow beyond the bound by insertion
// is built anew.
const maxLevels = 16

// stackSize is how many children a walk from the root can have put off at most: of each level all
// but one.
const stackSize = (width-1)*maxLevels + 1

// minFill is the least number of children that a node keeps when others are taken out of it; with
// fewer, it is dissolved and they are put elsewhere. Guttman (1984) calls it m.
const minFill = 3

// tree is a tree of boxes, eight wide: one half of a [Phase]. All boxes hang at the same depth,
// below the nodes of level 0. It is an R-tree (Guttman 1984).
type tree struct {
	nodes []node // node 0 is never used
	root  int32  // 0 if the tree is empty
	count int    // boxes
	free  int32  // first of the nodes not in use

	dirty   [maxLevels]marks // by level, nodes of which a child's box has changed
	left    []int32          // nodes of level 0 with a box that is not at home
	loose   []branch         // what nodes that were dissolved held
	thin    []int32          // nodes that have lost children and may have too few
	tired   []int32          // nodes of level 2 that may be worn enough to be built anew
	built   int              // boxes when all was built last
	changes int              // boxes that were inserted one by one since
	fill    float64          // how much of their homes the nodes of level 0 filled on average, of those that changed last
	fresh   float64          // the same when the tree was new; 0: not yet known
	stamps  []uint64         // for each 64 nodes, the version in which one of them changed last
	version uint64           // what is written into stamps now
}

// clear takes everything out, and keeps the memory.
func (t *tree) clear() {
	for l := range t.dirty {
		t.dirty[l].clear()
	}
	t.nodes = t.nodes[:0]
	t.root, t.count, t.free, t.built, t.changes, t.fill, t.fresh = 0, 0, 0, 0, 0, 0, 0
	t.left, t.loose, t.thin, t.tired = t.left[:0], t.loose[:0], t.thin[:0], t.tired[:0]
}

func (t *tree) reserve(n int) {
	for l := range t.dirty {
		t.dirty[l].grow(n)
	}
	if words := (n + 63) / 64; words > len(t.stamps) {
		t.stamps = append(t.stamps, make([]uint64, words-len(t.stamps))...)
	}
}

// take returns an unused node, and makes it empty. It may move t.nodes.
func (t *tree) take(level uint8) int32 {
	i := t.free
	switch {
	case i != 0:
		t.free = t.nodes[i].parent
	case len(t.nodes) < cap(t.nodes):
		i = int32(max(len(t.nodes), 1))
		t.nodes = t.nodes[:i+1]
	default:
		i = int32(max(len(t.nodes), 1))
		if i >= maxNodes {
			panic("broad: Phase.Settle: too many boxes")
		}
		bigger := alignedNodes(max(16, len(t.nodes)+len(t.nodes)/2))
		copy(bigger, t.nodes)
		t.nodes = bigger[:i+1]
	}
	t.reserve(len(t.nodes))
	t.nodes[i] = emptyNode
	t.nodes[i].level = level
	t.touch(i)
	return i
}

// give takes a node out of use.
func (t *tree) give(i int32) {
	n := &t.nodes[i]
	t.dirty[n.level].remove(i)
	*n = emptyNode
	n.parent = t.free
	t.free = i
	t.touch(i)
}

// touch notes that a node changes.
func (t *tree) touch(i int32) { t.stamps[uint32(i)/64] = t.version }

// area is half of the surface of a box, in double precision so that no box of finite numbers
// overflows; 0 if it is empty.
func area(b *geom.AABB) float64 {
	if b.Min.X > b.Max.X {
		return 0
	}
	x, y, z := float64(b.Max.X)-float64(b.Min.X), float64(b.Max.Y)-float64(b.Min.Y), float64(b.Max.Z)-float64(b.Min.Z)
	return float64(x*y) + float64(y*z) + float64(z*x)
}

func union(a, b *geom.AABB) geom.AABB {
	return geom.AABB{
		Min: geom.Vec3{X: min(a.Min.X, b.Min.X), Y: min(a.Min.Y, b.Min.Y), Z: min(a.Min.Z, b.Min.Z)},
		Max: geom.Vec3{X: max(a.Max.X, b.Max.X), Y: max(a.Max.Y, b.Max.Y), Z: max(a.Max.Z, b.Max.Z)},
	}
}

func intersection(a, b *geom.AABB) geom.AABB {
	return geom.AABB{
		Min: geom.Vec3{X: max(a.Min.X, b.Min.X), Y: max(a.Min.Y, b.Min.Y), Z: max(a.Min.Z, b.Min.Z)},
		Max: geom.Vec3{X: min(a.Max.X, b.Max.X), Y: min(a.Max.Y, b.Max.Y), Z: min(a.Max.Z, b.Max.Z)},
	}
}

func contains(a, b *geom.AABB) bool {
	return a.Min.X <= b.Min.X && a.Min.Y <= b.Min.Y && a.Min.Z <= b.Min.Z &&
		a.Max.X >= b.Max.X && a.Max.Y >= b.Max.Y && a.Max.Z >= b.Max.Z
}

func touching(a, b *geom.AABB) bool {
	return a.Min.X <= b.Max.X && a.Min.Y <= b.Max.Y && a.Min.Z <= b.Max.Z &&
		a.Max.X >= b.Min.X && a.Max.Y >= b.Min.Y && a.Max.Z >= b.Min.Z
}

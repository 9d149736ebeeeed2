package broad

import "github.com/hitscan-go/hitscan/physics/geom"

// stackSize is the most children that wait on the stack of a traversal from the root: all but one
// of each level.
const stackSize = (width-1)*maxLevels + 1

// tree is one of the two trees of a [Phase], an R-tree (Guttman 1984) with eight children to a
// node. All boxes are at the same depth, in the nodes of level 0, its leaves.
type tree struct {
	nodes []node // node 0 is never used
	root  int32  // 0 if the tree is empty
	count int    // boxes
	free  int32  // head of the list of free nodes

	dirty   [maxLevels]marks // by level, nodes with a child whose box has changed
	strayed []int32          // leaves with a box outside their fat AABB
	loose   []branch         // children of dissolved nodes, to be inserted again
	thin    []int32          // nodes that have lost children and may have fewer than minFill
	due     []int32          // roots of subtrees that may be worn enough to be rebuilt
	built   int              // boxes at the last build
	changes int              // insertions of single boxes since
	fill    float64          // mean of area of box ÷ area of fat AABB, of the leaves refitted last
	fresh   float64          // fill after the first refit since the build; 0 before
	stamps  []uint64         // for each 64 nodes, the version of the last change of one of them
	version uint64           // of the current change
}

// clear removes everything and keeps the memory.
func (t *tree) clear() {
	for l := range t.dirty {
		t.dirty[l].clear()
	}
	t.nodes = t.nodes[:0]
	t.root, t.count, t.free, t.built, t.changes, t.fill, t.fresh = 0, 0, 0, 0, 0, 0, 0
	t.strayed, t.loose, t.thin, t.due = t.strayed[:0], t.loose[:0], t.thin[:0], t.due[:0]
}

func (t *tree) reserve(n int) {
	for l := range t.dirty {
		t.dirty[l].grow(n)
	}
	if words := (n + 63) / 64; words > len(t.stamps) {
		t.stamps = append(t.stamps, make([]uint64, words-len(t.stamps))...)
	}
}

// alloc returns the index of an empty node. It may move t.nodes.
func (t *tree) alloc(level uint8) int32 {
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

// release puts a node on the free list.
func (t *tree) release(i int32) {
	n := &t.nodes[i]
	t.dirty[n.level].remove(i)
	*n = emptyNode
	n.parent = t.free
	t.free = i
	t.touch(i)
}

// touch stamps a node as changed, for copies.
func (t *tree) touch(i int32) { t.stamps[uint32(i)/64] = t.version }

// stampAll stamps all nodes as changed.
func (t *tree) stampAll() {
	for i := range t.stamps {
		t.stamps[i] = t.version
	}
}

// area returns half of the surface area of a box, 0 if it is empty. It is in double precision, in
// which the area of no finite box overflows.
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

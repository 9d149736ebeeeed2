package mesh

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// Near keeps copies of the triangles of a mesh near a box, 424 bytes for eight triangles, for a
// caller that visits the triangles in the box again and again while the box moves little: until it
// has moved by an eighth of its longest side, no visit walks the tree. A Near keeps the mesh's
// table of [Mesh.EdgeConvexity] in memory. The zero Near is ready for use.
type Near struct {
	bends  *[][3]int16 // of the mesh, and of no other state of it
	box    geom.AABB   // all triangles that touch it are kept, if filled
	bounds geom.AABB   // of these
	filled bool
	many   bool // too many triangles touch it, and none are kept
	blocks []nearBlock
	shared *[]nearBlock // blocks, as unusedBlocks holds them
}

type nearBlock struct {
	wide.Eight
	bends  [8][3]float32
	number [8]int32
	lanes  uint32 // with triangles
}

const (
	// nearShare is how far the box around which triangles are kept exceeds that of the visit, as a
	// fraction of its longest side. Greater: more triangles are kept, and fewer visits walk.
	nearShare = 0.125
	// maxNear is the most triangles that are kept.
	maxNear = 64
)

// Visit appends the places in n of those triangles of a mesh whose bounds touch a box, in the order
// of their numbers: those that [Mesh.VisitAABB] visits. It returns false, and appends nothing, if n
// does not keep them: where the box has moved far since the call before, where there are more than
// 64 around it, where the mesh has no table of edge convexity yet, and in meshes built with
// [High], whose triangles may each lie in several leaves.
func (n *Near) Visit(dst []int32, m *Mesh, box geom.AABB) ([]int32, bool) {
	bends := m.edges.bends.Load()
	if bends == nil || m.tree.HasDuplicates() {
		return dst, false
	}
	if n.bends != bends || !n.box.Contains(box.Min) || !n.box.Contains(box.Max) {
		half := box.HalfExtents()
		n.bends, n.box, n.filled = bends, box.Grow(float32(2*nearShare*max(half.X, half.Y, half.Z))), false
		return dst, false
	}
	if !n.filled {
		n.fill(m)
	}
	if n.many || box.IsEmpty() {
		return dst, false
	}
	if !box.OverlapsAABB(n.bounds) {
		return dst, true
	}
	for i := range n.blocks {
		b := &n.blocks[i]
		for mask := b.Touch(&box) & b.lanes; mask != 0; mask &= mask - 1 {
			dst = append(dst, int32(8*i+bits.TrailingZeros32(mask)))
		}
	}
	return dst, true
}

// Keeps reports whether Visit finds the triangles in a box without walking the tree to fill n with
// those around another one.
func (n *Near) Keeps(m *Mesh, box geom.AABB) bool {
	bends := m.edges.bends.Load()
	return bends != nil && n.bends == bends && n.filled && !n.many && n.box.Contains(box.Min) && n.box.Contains(box.Max)
}

// Clear returns a distance that a box is at least from all triangles of a mesh, by the bounds of
// those that are kept: 0 or less if they do not show any, or none are kept around the box.
func (n *Near) Clear(m *Mesh, box geom.AABB) float32 {
	if !n.Keeps(m, box) {
		return 0
	}
	gap := box.Min.Sub(n.bounds.Max).Max(n.bounds.Min.Sub(box.Max))
	in := box.Min.Sub(n.box.Min).Min(n.box.Max.Sub(box.Max))
	return min(max(gap.X, gap.Y, gap.Z), in.X, in.Y, in.Z)
}

// fill copies the triangles that touch the box, and none if they are too many.
func (n *Near) fill(m *Mesh) {
	var numbers [maxNear + 1]int32
	list := numbers[:0]
	n.many = !m.tree.VisitAABB(n.box, func(i int) bool {
		list = append(list, int32(i))
		return len(list) <= maxNear
	})
	if n.filled = true; n.many {
		return
	}
	slices.Sort(list)
	n.resize((len(list) + 7) / 8)
	for i := range n.blocks {
		n.blocks[i].lanes = 0
	}
	n.bounds = geom.EmptyAABB()
	for i, number := range list {
		b, t := &n.blocks[i/8], m.Triangle(int(number))
		b.Set(i%8, &t)
		n.bounds = n.bounds.Union(t.Bounds())
		b.number[i%8], b.bends[i%8] = number, m.EdgeConvexity(int(number))
		b.lanes |= 1 << (i % 8)
	}
}

// unusedBlocks holds blocks of all, by how many they are: if each Near kept the most that it ever
// needed, memory would grow for as long as boxes move about.
var unusedBlocks [maxNear/8 + 1]sync.Pool

// resize sets the number of blocks. What they hold is of no meaning.
func (n *Near) resize(blocks int) {
	if len(n.blocks) == blocks {
		return
	}
	if n.shared != nil {
		unusedBlocks[len(n.blocks)].Put(n.shared)
	}
	var ok bool
	if n.shared, ok = unusedBlocks[blocks].Get().(*[]nearBlock); !ok {
		n.shared = new(make([]nearBlock, blocks))
	}
	n.blocks = *n.shared
}

// Number returns the number in the mesh of the triangle at a place.
func (n *Near) Number(place int32) int32 { return n.blocks[place>>3].number[place&7] }

// Triangle is [Mesh.Triangle] of the triangle at a place.
func (n *Near) Triangle(place int32) geom.Triangle {
	return n.blocks[place>>3].Eight.Triangle(int(place))
}

// EdgeConvexity is [Mesh.EdgeConvexity] of the triangle at a place.
func (n *Near) EdgeConvexity(place int32) [3]float32 { return n.blocks[place>>3].bends[place&7] }

// Drop removes from places, in order, those whose triangles a bound misses. As
// [Mesh.VisitBound], it is for package physics.
func (n *Near) Drop(places []int32, b *wide.Bound) []int32 {
	kept, block, missed := places[:0], int32(-1), uint32(0)
	for _, i := range places {
		if i>>3 != block {
			block = i >> 3
			missed = b.Misses(&n.blocks[block].Eight)
		}
		if missed>>(i&7)&1 == 0 {
			kept = append(kept, i)
		}
	}
	return kept
}

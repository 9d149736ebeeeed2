package wide

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The builder first makes a binary tree, top down by the surface-area heuristic (Goldsmith and
// Salmon 1987): the cost of a split is, for each side, the cost of its triangles times the
// probability that a ray which hits the parent's box hits the side's, and that is the ratio of the
// areas. Large sets are split between bins of their centres (Wald 2007), by the number of
// triangles; small sets by the number of leaves they may need. collapse.go makes eight-wide nodes
// of the binary tree.
//
// The tree is the same for any number of goroutines: each works on its own range of the triangles
// and of the nodes.

const (
	// parallelSize is the smallest number of triangles for which a goroutine pays off.
	parallelSize = 4096
	// stackSize is the largest number of entries on the stack of a traversal, one of which is the
	// sentinel. The heuristic needs about 60 for a million triangles. Changing it changes the
	// assembly (stackBytes in gen).
	stackSize = 256
	// heuristicDepth is the largest number of binary nodes above a node that the heuristic splits;
	// below that, sets are halved.
	heuristicDepth = 63
)

// builder holds what all goroutines of one build share.
type builder struct {
	vertices []geom.Vec3
	indices  []uint32
	weld     []uint32 // for each vertex the lowest index at the same position
	prims    []prim
	nodes    []binary
	depth    int // the largest number of binary nodes above a leaf

	measure  measure
	total    float32 // the area of the bounds
	unitCost float32

	parter parter
	fork   par.Fork
	watch  *watch
}

// parter splits a set at a depth: the triangles of the left side come first, then there may be
// spare capacity.
type parter interface {
	split(w *splitter, s *set, depth int) (left, right set)
}

// binary is a node of the binary tree with count triangles from prims[first] on. Its first child is
// the next node.
type binary struct {
	box    box
	first  int32
	count  int32
	second int32 // index of the second child; 0: none
	plan
}

// Build returns the tree over the triangles whose corners the indices name, three per triangle. All
// indices must be in range, and all vertices finite. threads is the largest number of goroutines;
// 0: GOMAXPROCS.
func Build(vertices []geom.Vec3, indices []uint32, threads int) Tree {
	t, _ := BuildWith(context.Background(), vertices, indices, Options{Threads: threads})
	return t
}

func (b *builder) tree() Tree {
	n := len(b.indices) / 3
	b.reset(n)
	all := b.lay(n)
	b.watch.did(n, readShare)
	b.setMeasure(&all.box, n)
	b.parter = b
	b.subtree(b.newSplitter(), 0, &all, 0)
	return b.emit(all.box.aabb())
}

// reset allocates memory for n triangles or parts of triangles.
func (b *builder) reset(n int) {
	if len(b.prims) != n {
		b.prims, b.nodes = make([]prim, n), make([]binary, 2*n)
	}
}

// setMeasure sets the inputs of costs: the bounds, and the number of triangles.
func (b *builder) setMeasure(all *box, n int) {
	b.measure = newMeasure(all)
	b.total = b.measure.area(all)
	b.unitCost = memoryCost / float32(n)
}

// newSplitter returns scratch memory for one goroutine.
func (b *builder) newSplitter() *splitter { return &splitter{measure: b.measure, watch: b.watch} }

// lay computes the boxes of all n triangles, in order.
func (b *builder) lay(n int) set {
	all, centers := prim{box: emptyBox}, emptySpan
	if assembly && useSIMD {
		for from := 0; from < n && !b.watch.stop(); from += batch {
			laySIMD(&b.prims[0], &b.vertices[0], &b.indices[0], from, min(from+batch, n), &all, &centers)
		}
		return set{count: n, box: all.box, centers: centers}
	}
	for i := range n {
		if b.watch.tick(i) {
			break
		}
		c := b.indices[3*i : 3*i+3]
		bounds := boundsOf(geom.Triangle{A: b.vertices[c[0]], B: b.vertices[c[1]], C: b.vertices[c[2]]})
		p := prim{box: boxOf(bounds), index: int32(i)}
		all.box.grow(&p.box)
		centers.add(&p)
		b.prims[i] = p
	}
	return set{count: n, box: all.box, centers: centers}
}

// set is a range of the triangles.
type set struct {
	first, count int
	spare        int // spare capacity behind them
	box          box
	centers      span
}

// subtree builds the subtree of a set as the nodes from i on, and returns their end and their cost.
// depth is the number of nodes above.
func (b *builder) subtree(w *splitter, i int, s *set, depth int) (end int, cost costs) {
	if s.count <= smallSize {
		return b.smallSubtree(w, i, s, depth)
	}
	n := &b.nodes[i]
	*n = binary{box: s.box, first: int32(s.first), count: int32(s.count)}
	left, right := b.parter.split(w, s, depth)
	if b.watch.below(left.count, right.count) {
		return i + 1, cost
	}
	var l, r costs
	ok := false
	if s.count >= parallelSize {
		l, r, end, ok = b.both(w, n, i, left, right, depth+1)
	}
	if !ok {
		end, l = b.subtree(w, i+1, &left, depth+1)
		n.second = int32(end)
		end, r = b.subtree(w, end, &right, depth+1)
	}
	return end, b.planNode(n, &l, &r, fitsNone)
}

// both builds both sides of node i in parallel if a goroutine is free.
func (b *builder) both(w *splitter, n *binary, i int, left, right set, depth int) (l, r costs, end int, ok bool) {
	// Two nodes per triangle suffice for the left side, so the right need not wait for its end.
	second := i + 2*(left.count+left.spare)
	ok = b.fork.TryBoth(
		func() { _, l = b.subtree(b.newSplitter(), i+1, &left, depth) },
		func() { end, r = b.subtree(w, second, &right, depth) })
	if ok {
		n.second = int32(second)
	}
	return l, r, end, ok
}

// split reorders the triangles so that those of one side come first.
func (b *builder) split(w *splitter, s *set, depth int) (left, right set) {
	if b.mayChoose(s.count, depth) {
		if axis, at := w.place(b.prims[s.first:s.first+s.count], &s.centers); at > 0 {
			return b.part(w, s, axis, at)
		}
	}
	return b.halves(s)
}

// mayChoose reports whether the heuristic may split so many triangles: a side can be nearly as
// large as the whole, and halving must then still reach the leaves within the depth.
func (b *builder) mayChoose(count, depth int) bool { return depth+1+levelsFor(count) <= b.depth }

// part splits a set at a chosen place.
func (b *builder) part(w *splitter, s *set, axis, at int) (left, right set) {
	left.box, right.box = w.left[axis][at-1].box, w.right[axis][at].box
	left.count, left.centers, right.centers = w.partition(b.prims[s.first:s.first+s.count], axis, at)
	left.first, right.first, right.count = s.first, s.first+left.count, s.count-left.count
	return left, right
}

// halves splits a set in the middle.
func (b *builder) halves(s *set) (left, right set) {
	if !b.watch.stop() {
		halve(b.prims[s.first:s.first+s.count], &s.centers)
	}
	at := s.count / 2
	return b.setOf(s.first, at), b.setOf(s.first+at, s.count-at)
}

func (b *builder) setOf(first, count int) set {
	p := b.prims[first : first+count]
	return set{first: first, count: count, box: unionOf(p), centers: spanOf(p)}
}

// levelsFor returns the number of levels of binary nodes above n triangles if each node halves
// them.
func levelsFor(n int) int { return bits.Len(uint(max(n-1, 0))) }

// halve sorts the triangles along the longest axis of their centres, for a split in the middle. If
// all centres coincide, any order is as good.
func halve(prims []prim, centers *span) {
	axis := 0
	for i := range 3 {
		if centers.length(i) > centers.length(axis) {
			axis = i
		}
	}
	if centers.length(axis) > 0 {
		slices.SortFunc(prims, func(p, q prim) int {
			return cmp.Or(cmp.Compare(p.center(axis), q.center(axis)), cmp.Compare(p.index, q.index))
		})
	}
}

// seeds differ from process to process, so that no file can hold vertices that fall together.
var seeds = [3]uint64{rand.Uint64(), rand.Uint64(), rand.Uint64()}

// HashOf returns a hash of three numbers, of 32 bits. It is another one in each process.
func HashOf(v [3]uint32) uint64 {
	h := (uint64(v[0])^seeds[0])*0x9e3779b97f4a7c15 ^ (uint64(v[1])^seeds[1])*0xc2b2ae3d27d4eb4f ^ (uint64(v[2])^seeds[2])*0x165667b19e3779f9
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return h >> 32
}

// weld returns for each vertex the first one with identical bits.
func weld(vertices []geom.Vec3, w *watch) []uint32 {
	size := 1 << bits.Len(uint(2*len(vertices)))
	table := make([]uint32, size) // of numbers of vertices, plus one
	same := make([]uint32, len(vertices))
	for i := range vertices {
		if w.tick(i) {
			return same
		}
		v := bitsOfVec(vertices[i])
		for at := HashOf(v); ; at++ {
			at &= uint64(size - 1)
			if table[at] == 0 {
				table[at] = uint32(i) + 1
				same[i] = uint32(i)
				break
			}
			if j := table[at] - 1; bitsOfVec(vertices[j]) == v {
				same[i] = j
				break
			}
		}
	}
	return same
}

func bitsOfVec(v geom.Vec3) [3]uint32 {
	return [3]uint32{math.Float32bits(v.X), math.Float32bits(v.Y), math.Float32bits(v.Z)}
}

package wide

import (
	"cmp"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The builder first makes a binary tree, from the top down by the surface-area heuristic (Goldsmith and Salmon 1987): a split
// costs, for each side, what that counts for weighed by the chance that a ray which meets the parent's box meets the side's,
// and that chance is the ratio of the areas. Many triangles are split between bins of their centres (Wald 2007), by their
// number; few by how many leaves they may need. collapse.go makes eight-wide nodes of the tree.
//
// The tree is the same however many goroutines build it: each works on its own stretch of the triangles and of the nodes.

const (
	// parallelSize is the least number of triangles worth a goroutine.
	parallelSize = 4096
	// stackSize is the most entries on the stack of a walk, one of which marks the bottom. The heuristic needs about 60 on a million triangles.
	stackSize = 256
	// heuristicDepth is the most binary nodes on the way to a leaf where the heuristic decides; beyond, triangles are halved.
	heuristicDepth = 63
)

// builder holds what all goroutines of one build share.
type builder struct {
	vertices []geom.Vec3
	indices  []uint32
	weld     []uint32 // for each vertex the lowest at the same place
	prims    []prim
	nodes    []binary
	depth    int // the most binary nodes on the way to a leaf

	measure  measure
	total    float32 // the area of all
	unitCost float32

	spare chan struct{} // a token for each goroutine more
}

// binary is a node of the binary tree. Below it are count triangles from prims[first] on. Its first child is the next node.
type binary struct {
	box    box
	first  int32
	count  int32
	second int32 // child; 0: none, as no second child stands first
	plan
}

// Build returns the tree over the triangles whose corners the indices name, three for each. All must be in range, and all
// vertices finite. It works on up to as many goroutines as the runtime has processors, or on one if threads is 1.
func Build(vertices []geom.Vec3, indices []uint32, threads int) Tree {
	n := len(indices) / 3
	if n == 0 {
		return Tree{}
	}
	b := &builder{vertices: vertices, indices: indices, prims: make([]prim, n), nodes: make([]binary, 2*n), depth: heuristicDepth}
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	b.spare = make(chan struct{}, threads-1)
	b.weld = weld(vertices)
	t := b.tree()
	if t.need >= stackSize {
		// Halving alone goes 28 levels down at most, with no more than seven waiting at each.
		b.depth = 0
		t = b.tree()
	}
	return t
}

func (b *builder) tree() Tree {
	all := b.lay()
	b.measure = newMeasure(&all.box)
	b.total = b.measure.area(&all.box)
	b.unitCost = memoryCost / float32(len(b.prims))
	b.subtree(&bench{measure: b.measure}, 0, &all, 0)
	return b.emit(all.box.aabb())
}

// lay makes the boxes of all triangles, in order.
func (b *builder) lay() set {
	n := len(b.prims)
	all, centers := prim{box: emptyBox}, emptySpan
	if useAVX2 {
		for from := 0; from < n; from += batch {
			layAVX2(&b.prims[0], &b.vertices[0], &b.indices[0], from, min(from+batch, n), &all, &centers)
		}
		return set{0, n, all.box, centers}
	}
	for i := range b.prims {
		c := b.indices[3*i : 3*i+3]
		bounds := boundsOf(geom.Triangle{A: b.vertices[c[0]], B: b.vertices[c[1]], C: b.vertices[c[2]]})
		p := prim{box: boxOf(bounds), index: int32(i)}
		all.box.grow(&p.box)
		centers.add(&p)
		b.prims[i] = p
	}
	return set{0, n, all.box, centers}
}

// set is a stretch of the triangles.
type set struct {
	first, count int
	box          box
	centers      span
}

// subtree builds what is below a set, as the nodes from i on, and returns where those end and what they cost. The number of
// nodes above is depth.
func (b *builder) subtree(w *bench, i int, s *set, depth int) (end int, cost costs) {
	if s.count <= fewSize {
		return b.few(w, i, s, depth)
	}
	n := &b.nodes[i]
	*n = binary{box: s.box, first: int32(s.first), count: int32(s.count)}
	left, right := b.split(w, s, depth)
	var l, r costs
	if b.fork(s.count) {
		// Two nodes a triangle are enough for the left side, so that no one has to wait for its end.
		n.second = int32(i + 2*left.count)
		var done sync.WaitGroup
		done.Go(func() {
			_, l = b.subtree(&bench{measure: b.measure}, i+1, &left, depth+1)
			<-b.spare
		})
		end, r = b.subtree(w, int(n.second), &right, depth+1)
		done.Wait()
	} else {
		end, l = b.subtree(w, i+1, &left, depth+1)
		n.second = int32(end)
		end, r = b.subtree(w, end, &right, depth+1)
	}
	return end, b.planNode(n, &l, &r, fitsNone)
}

// fork takes a token for a goroutine, if there is one and so many triangles are worth it.
func (b *builder) fork(count int) bool {
	if count < parallelSize {
		return false
	}
	select {
	case b.spare <- struct{}{}:
		return true
	default:
		return false
	}
}

// split reorders the triangles so that those of the one side come first.
func (b *builder) split(w *bench, s *set, depth int) (left, right set) {
	prims := b.prims[s.first : s.first+s.count]
	// From here on only halving reaches the leaves in time, if a side may be as large as the whole.
	if depth+1+levelsFor(s.count) <= b.depth {
		bins := fewBins
		if s.count > manySize {
			bins = manyBins
		}
		w.frame(&s.centers, bins)
		w.fill(prims)
		w.weigh()
		w.scan()
		if axis, at := w.choose(); at > 0 {
			left.box, right.box = w.left[axis][at-1].box, w.right[axis][at].box
			left.count, left.centers, right.centers = w.partition(prims, axis, at)
			left.first, right.first, right.count = s.first, s.first+left.count, s.count-left.count
			return left, right
		}
	}
	halve(prims, &s.centers)
	of := func(first, count int) set {
		p := b.prims[first : first+count]
		return set{first, count, unionOf(p), spanOf(p)}
	}
	at := s.count / 2
	return of(s.first, at), of(s.first+at, s.count-at)
}

// levelsFor returns how many levels of binary nodes hold n triangles if each node halves them.
func levelsFor(n int) int { return bits.Len(uint(max(n-1, 0))) }

// halve sorts the triangles along the longest axis of their centres, so that they can be cut in the middle. If all centres
// are in one point any order is as good.
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

// weld returns for each vertex the first one with the very same bits.
func weld(vertices []geom.Vec3) []uint32 {
	size := 1 << bits.Len(uint(2*len(vertices)))
	table := make([]uint32, size) // of numbers of vertices, plus one
	same := make([]uint32, len(vertices))
	for i := range vertices {
		v := bitsOfVec(vertices[i])
		h := uint64(v[0])*0x9e3779b97f4a7c15 ^ uint64(v[1])*0xc2b2ae3d27d4eb4f ^ uint64(v[2])*0x165667b19e3779f9
		h ^= h >> 29
		h *= 0xbf58476d1ce4e5b9
		for at := h >> 32; ; at++ {
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

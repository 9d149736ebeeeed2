package wide

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The builder first makes a binary tree, from the top down by the surface-area heuristic over binned centres (Wald 2007): a
// split costs, for each side, its triangles weighed by the chance that a ray which meets the parent's box meets the side's,
// and that chance is the ratio of the areas. collapse.go makes eight-wide nodes of it.
//
// The tree is the same however many goroutines build it: each works on its own stretch of the triangles and of the nodes.

const (
	// bins is the number of places along an axis at which a split is tried. Twice as many gain about 1 % on rays.
	bins = 16
	// sweepSize is the most triangles for which every place is tried, which is then faster than bins.
	sweepSize = 12
	// parallelSize is the least number of triangles worth a goroutine.
	parallelSize = 4096
	// stackSize is the most entries on the stack of a walk, one of which marks the bottom. The heuristic needs about 60 on a million triangles.
	stackSize = 256
	// heuristicDepth is the most binary nodes on the way to a leaf where the heuristic decides; beyond, triangles are halved.
	heuristicDepth = 63
)

// box is an AABB in the form in which it grows fastest: integers that order like the coordinates, the upper ones turned
// around, so that to grow is six times an integer minimum.
type box [6]int32

// keyOf returns an integer that orders like x.
func keyOf(x float32) int32 {
	b := int32(math.Float32bits(x))
	return b ^ int32(uint32(b>>31)>>1)
}

func unkey(k int32) float32 { return math.Float32frombits(uint32(k ^ int32(uint32(k>>31)>>1))) }

var emptyBox = box{math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32}

func boxOf(b geom.AABB) box {
	return box{keyOf(b.Min.X), keyOf(b.Min.Y), keyOf(b.Min.Z), ^keyOf(b.Max.X), ^keyOf(b.Max.Y), ^keyOf(b.Max.Z)}
}

func (b *box) aabb() geom.AABB {
	return geom.AABB{
		Min: geom.Vec3{X: unkey(b[0]), Y: unkey(b[1]), Z: unkey(b[2])},
		Max: geom.Vec3{X: unkey(^b[3]), Y: unkey(^b[4]), Z: unkey(^b[5])},
	}
}

func (b *box) grow(c *box) {
	b[0], b[1], b[2] = min(b[0], c[0]), min(b[1], c[1]), min(b[2], c[2])
	b[3], b[4], b[5] = min(b[3], c[3]), min(b[4], c[4]), min(b[5], c[5])
}

// prim is what the builder moves about: a triangle's box, the middle of that and the triangle's index.
type prim struct {
	box    box
	center [3]float32
	index  int32
}

// builder holds what all goroutines of one build share.
type builder struct {
	vertices []geom.Vec3
	indices  []uint32
	weld     []uint32 // for each vertex the lowest at the same place
	prims    []prim
	nodes    []binary
	depth    int // the most binary nodes on the way to a leaf

	extent float64 // the longest side of all; 1 if there is none
	total  float64 // the weight of all

	spare chan struct{} // a token for each goroutine more
	watch *watch
}

// binary is a node of the binary tree. Below it are count triangles from prims[first] on. Its first child is the next node
// and its second stands as far behind as the first may need: two nodes a triangle, so that no one has to count.
type binary struct {
	box    box
	first  int32
	count  int32
	second int32 // 0: none, as no second child stands first
	plan
}

// Build returns the tree over the triangles whose corners the indices name, three for each. All must be in range, and all
// vertices finite. It works on up to as many goroutines as the runtime has processors, or on one if threads is 1.
func Build(vertices []geom.Vec3, indices []uint32, threads int) Tree {
	t, _ := BuildWith(context.Background(), vertices, indices, Options{Threads: threads})
	return t
}

func (b *builder) tree() Tree {
	b.reset(len(b.indices) / 3)
	all := emptyBox
	for i := range b.prims {
		if b.watch.tick(i) {
			return Tree{}
		}
		p := &b.prims[i]
		c := b.indices[3*i : 3*i+3]
		bounds := boundsOf(geom.Triangle{A: b.vertices[c[0]], B: b.vertices[c[1]], C: b.vertices[c[2]]})
		p.box, p.index = boxOf(bounds), int32(i)
		// Halved first: the sum of two coordinates may overflow.
		p.center = [3]float32{
			float32(bounds.Min.X/2) + float32(bounds.Max.X/2),
			float32(bounds.Min.Y/2) + float32(bounds.Max.Y/2),
			float32(bounds.Min.Z/2) + float32(bounds.Max.Z/2),
		}
		all.grow(&p.box)
	}
	b.watch.did(len(b.prims), readShare)
	b.measure(&all)
	b.subtree(0, 0, len(b.prims), &all, 0)
	return b.emit(all.aabb())
}

// reset makes room for n triangles.
func (b *builder) reset(n int) {
	if len(b.prims) != n {
		b.prims, b.nodes = make([]prim, n), make([]binary, 2*n)
	}
}

// measure sets what weights depend on.
func (b *builder) measure(all *box) {
	bounds := all.aabb()
	b.extent = max(float64(bounds.Max.X)-float64(bounds.Min.X), float64(bounds.Max.Y)-float64(bounds.Min.Y), float64(bounds.Max.Z)-float64(bounds.Min.Z))
	if b.extent == 0 {
		b.extent = 1
	}
	b.total = b.weight(all)
}

// weight is what the chance that a ray meets a box goes by: half the area of its faces. A little of its edges and of nothing
// is added, so that boxes that are flattened to a line or a point still differ. It is computed in float64, so that a mesh of 1e30
// metres doesn't overflow and one of 1e-30 doesn't vanish.
func (b *builder) weight(c *box) float64 {
	x := float64(unkey(^c[3])) - float64(unkey(c[0]))
	y := float64(unkey(^c[4])) - float64(unkey(c[1]))
	z := float64(unkey(^c[5])) - float64(unkey(c[2]))
	e := float64(b.extent * 1e-9)
	return float64(x*(y+e)) + float64(y*(z+e)) + float64(z*(x+e)) + float64(e*e)
}

// subtree builds what is below a box, as node i. The number of nodes above is depth.
func (b *builder) subtree(i, first, count int, all *box, depth int) {
	n := &b.nodes[i]
	*n = binary{box: *all, first: int32(first), count: int32(count)}
	prims := b.prims[first : first+count]
	fit := b.fit(prims)
	if fit == fitsPacked { // as one triangle always does
		b.planLeaf(n)
		return
	}
	at, left, right := b.split(prims, depth)
	if b.watch.below(at, count-at) {
		return
	}
	l, r := i+1, i+2*at
	n.second = int32(r)
	if count >= parallelSize {
		select {
		case b.spare <- struct{}{}:
			var done sync.WaitGroup
			done.Go(func() {
				b.subtree(l, first, at, &left, depth+1)
				<-b.spare
			})
			b.subtree(r, first+at, count-at, &right, depth+1)
			done.Wait()
			b.planNode(n, &b.nodes[l], &b.nodes[r], fit)
			return
		default:
		}
	}
	b.subtree(l, first, at, &left, depth+1)
	b.subtree(r, first+at, count-at, &right, depth+1)
	b.planNode(n, &b.nodes[l], &b.nodes[r], fit)
}

// fit says in which kind of leaf triangles can be.
type fit uint8

const (
	fitsNone fit = iota
	fitsLoose
	fitsPacked
)

func (b *builder) fit(prims []prim) fit {
	if len(prims) > width {
		return fitsNone
	}
	var seen [width]uint32
	n := 0
	for i := range prims {
		at := 3 * int(prims[i].index)
	corners:
		for _, c := range b.indices[at : at+3] {
			v := b.weld[c]
			for _, s := range seen[:n] {
				if s == v {
					continue corners
				}
			}
			if n == width {
				return fitsLoose
			}
			seen[n] = v
			n++
		}
	}
	return fitsPacked
}

// split reorders the triangles so that those of the one side come first and returns their number and both boxes.
func (b *builder) split(prims []prim, depth int) (at int, left, right box) {
	// From here on only halving reaches the leaves in time, if a side may be as large as the whole.
	if depth+1+levelsFor(len(prims)) <= b.depth {
		if len(prims) <= sweepSize {
			return b.sweep(prims)
		}
		if s := b.bestSplit(prims); s.count > 0 {
			partition(prims, &s, b.watch)
			return s.count, s.left, s.right
		}
	}
	if !b.watch.stop() {
		halve(prims)
	}
	at = len(prims) / 2
	return at, unionOf(prims[:at]), unionOf(prims[at:])
}

// levelsFor returns how many levels of binary nodes hold n triangles if each node halves them.
func levelsFor(n int) int { return bits.Len(uint(max(n-1, 0))) }

// span is the range of the centres along each axis.
type span struct{ lo, hi [3]float32 }

func rangeOf(prims []prim, w *watch) span {
	var lo, hi [3]int32
	for axis, c := range prims[0].center {
		lo[axis], hi[axis] = keyOf(c), keyOf(c)
	}
	for i := range prims {
		if w.tick(i) {
			break
		}
		for axis, c := range prims[i].center {
			k := keyOf(c)
			lo[axis], hi[axis] = min(lo[axis], k), max(hi[axis], k)
		}
	}
	return span{[3]float32{unkey(lo[0]), unkey(lo[1]), unkey(lo[2])}, [3]float32{unkey(hi[0]), unkey(hi[1]), unkey(hi[2])}}
}

// binning tells in which bin along an axis a centre lies. It computes in float64, where no range of float32 overflows and
// no inverse of one.
type binning struct {
	axis      int
	lo, scale float64
}

func (s *span) binning(axis int) (binning, bool) {
	lo, hi := float64(s.lo[axis]), float64(s.hi[axis])
	if lo >= hi {
		return binning{axis: axis, lo: lo}, false
	}
	return binning{axis, lo, bins / (hi - lo)}, true
}

func (n *binning) bin(p *prim) int {
	return min(int((float64(p.center[n.axis])-n.lo)*n.scale), bins-1)
}

// candidate is a split before the bin at an axis: how many triangles go to its left and what each side is bounded by. Its
// count is 0 if there is none, because all centres are in one point.
type candidate struct {
	binning
	bin         int
	count       int
	left, right box
	cost        float64 // in triangle tests, times the weight of the whole
}

func (b *builder) bestSplit(prims []prim) (best candidate) {
	centers := rangeOf(prims, b.watch)
	var boxes [3][bins]box
	var counts [3][bins]int32
	for axis := range boxes {
		for i := range boxes[axis] {
			boxes[axis][i] = emptyBox
		}
	}
	x, okX := centers.binning(0)
	y, okY := centers.binning(1)
	z, okZ := centers.binning(2)
	for i := range prims {
		if b.watch.tick(i) {
			return candidate{}
		}
		p := &prims[i]
		i, j, k := x.bin(p)&(bins-1), y.bin(p)&(bins-1), z.bin(p)&(bins-1)
		counts[0][i]++
		counts[1][j]++
		counts[2][k]++
		boxes[0][i].grow(&p.box)
		boxes[1][j].grow(&p.box)
		boxes[2][k].grow(&p.box)
	}
	best.cost = math.Inf(1)
	at, axis := 0, -1
	for a, ok := range [3]bool{okX, okY, okZ} {
		if !ok {
			continue
		}
		// The cost of what lies in the bins from i on.
		var rights [bins]float64
		right, count := emptyBox, int32(0)
		for i := bins - 1; i > 0; i-- {
			right.grow(&boxes[a][i])
			count += counts[a][i]
			rights[i] = float64(count) * b.weight(&right)
		}
		left, count := emptyBox, int32(0)
		// The first bin holds the lowest centre and the last the highest, so that neither side is ever empty.
		for i := 1; i < bins; i++ {
			left.grow(&boxes[a][i-1])
			count += counts[a][i-1]
			if cost := float64(float64(count)*b.weight(&left)) + rights[i]; cost < best.cost {
				best.cost, at, axis = cost, i, a
			}
		}
	}
	if axis < 0 {
		return candidate{}
	}
	best.binning = [3]binning{x, y, z}[axis]
	best.bin, best.left, best.right = at, emptyBox, emptyBox
	for i := range bins {
		if i < at {
			best.left.grow(&boxes[axis][i])
			best.count += int(counts[axis][i])
		} else {
			best.right.grow(&boxes[axis][i])
		}
	}
	return best
}

// sweep splits a few triangles at the best of all places along the three axes.
func (b *builder) sweep(prims []prim) (at int, left, right box) {
	n := len(prims)
	var order, best [sweepSize]uint8
	cost := math.Inf(1)
	for axis := range 3 {
		for i := range n {
			j := i
			for ; j > 0 && prims[order[j-1]].center[axis] > prims[i].center[axis]; j-- {
				order[j] = order[j-1]
			}
			order[j] = uint8(i)
		}
		var rights [sweepSize]box
		all := emptyBox
		for i := n - 1; i > 0; i-- {
			all.grow(&prims[order[i]].box)
			rights[i] = all
		}
		all = emptyBox
		for i := 1; i < n; i++ {
			all.grow(&prims[order[i-1]].box)
			c := float64(float64(i)*b.weight(&all)) + float64(float64(n-i)*b.weight(&rights[i]))
			if c < cost {
				cost, at, left, right, best = c, i, all, rights[i], order
			}
		}
	}
	var sorted [sweepSize]prim
	for i := range n {
		sorted[i] = prims[best[i]]
	}
	copy(prims, sorted[:n])
	return at, left, right
}

// partition puts the triangles left of the split before the others.
func partition(prims []prim, s *candidate, w *watch) {
	i, j := 0, len(prims)-1
	for i <= j {
		if w.tick(i) {
			return
		}
		if s.binning.bin(&prims[i]) < s.bin {
			i++
		} else {
			prims[i], prims[j] = prims[j], prims[i]
			j--
		}
	}
}

// halve sorts the triangles along the longest axis of their centres, so that they can be cut in the middle. If all centres
// are in one point any order is as good.
func halve(prims []prim) {
	s := rangeOf(prims, nil)
	axis, longest := 0, 0.0
	for i := range 3 {
		if l := float64(s.hi[i]) - float64(s.lo[i]); l > longest {
			axis, longest = i, l
		}
	}
	if longest > 0 {
		slices.SortFunc(prims, func(p, q prim) int {
			return cmp.Or(cmp.Compare(p.center[axis], q.center[axis]), cmp.Compare(p.index, q.index))
		})
	}
}

func unionOf(prims []prim) box {
	all := emptyBox
	for i := range prims {
		all.grow(&prims[i].box)
	}
	return all
}

// weld returns for each vertex the first one with the very same bits.
func weld(vertices []geom.Vec3, w *watch) []uint32 {
	size := 1 << bits.Len(uint(2*len(vertices)))
	table := make([]uint32, size) // of numbers of vertices, plus one
	same := make([]uint32, len(vertices))
	for i := range vertices {
		if w.tick(i) {
			return same
		}
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

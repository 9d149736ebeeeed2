package mesh

import (
	"cmp"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The builder splits from the top down by the surface-area heuristic over binned centres (Wald 2007): a split costs, for
// each side, its triangles weighed by the chance that a ray which meets the parent's box meets the side's, and that chance
// is the ratio of the areas. Areas are summed in float64, so that a mesh of 1e30 metres doesn't overflow and one of 1e-30
// doesn't vanish.

const (
	// bins is the number of places along an axis at which a split is tried. Twice as many gain about 1 % on rays.
	bins = 16
	// nodeCost is what a look at a node costs, in triangle tests. It decides between small leaves and deep trees.
	nodeCost = 1
)

// prim is what the builder moves about: a triangle's box, the middle of that and the triangle's index.
type prim struct {
	box    geom.AABB
	center [3]float32
	index  int32
}

type builder struct {
	tree
	vertices []geom.Vec3
	indices  []uint32
}

func build(vertices []geom.Vec3, indices []uint32) tree {
	n := len(indices) / 3
	b := builder{vertices: vertices, indices: indices}
	b.tris = make([]triangle, 0, n)
	b.nodes = make([]node, 0, n/2)
	prims := make([]prim, n)
	for i := range prims {
		t := b.triangle(i)
		p := prim{box: t.bounds(), index: int32(i)}
		c := p.box.Min.Mul(0.5).Add(p.box.Max.Mul(0.5)) // halved first: the sum of two coordinates may overflow
		p.center = c.Array()
		prims[i] = p
	}
	b.bounds = boundsOf(prims)
	b.root = b.subtree(prims, b.bounds, 0)
	b.nodes = slices.Clip(b.nodes)
	return b.tree
}

func (b *builder) triangle(i int) triangle {
	c := b.indices[3*i : 3*i+3]
	return triangle{b.vertices[c[0]], b.vertices[c[1]], b.vertices[c[2]], int32(i)}
}

// subtree builds what is below a box and returns it. The number of nodes above is depth.
func (b *builder) subtree(prims []prim, box geom.AABB, depth int) ref {
	at, left, right, ok := b.split(prims, box, depth)
	if !ok {
		return b.leaf(prims)
	}
	// A node stands before what is below it, and its first child right behind it.
	i := len(b.nodes)
	b.nodes = append(b.nodes, node{})
	first := b.subtree(prims[:at], left, depth+1)
	second := b.subtree(prims[at:], right, depth+1)
	n := &b.nodes[i]
	n.child = [2]ref{first, second}
	n.setBounds(0, left)
	n.setBounds(1, right)
	return ref(i)
}

func (b *builder) leaf(prims []prim) ref {
	first := len(b.tris)
	for i := range prims {
		b.tris = append(b.tris, b.triangle(int(prims[i].index)))
	}
	return leafRef(first, len(prims))
}

// split reorders the triangles so that those of the one side come first and returns their number and both boxes; ok is
// false if a leaf is better.
func (b *builder) split(prims []prim, box geom.AABB, depth int) (at int, left, right geom.AABB, ok bool) {
	if len(prims) == 1 {
		return 0, left, right, false
	}
	centers := rangeOf(prims)
	// From here on only halving reaches the leaves within maxDepth, if a side may be as large as the whole.
	if depth+1+levelsFor(len(prims)) <= maxDepth {
		s := bestSplit(prims, centers)
		if len(prims) <= leafSize && (s.count == 0 || s.cost >= float64(len(prims)-nodeCost)*area(box)) {
			return 0, left, right, false
		}
		if s.count > 0 {
			partition(prims, &s)
			return s.count, s.left, s.right, true
		}
	} else if len(prims) <= leafSize {
		return 0, left, right, false
	}
	halve(prims, centers)
	at = len(prims) / 2
	return at, boundsOf(prims[:at]), boundsOf(prims[at:]), true
}

// span is the range of the centres along each axis.
type span struct{ lo, hi [3]float32 }

func rangeOf(prims []prim) span {
	s := span{prims[0].center, prims[0].center}
	for i := range prims {
		for axis, c := range prims[i].center {
			s.lo[axis], s.hi[axis] = min(s.lo[axis], c), max(s.hi[axis], c)
		}
	}
	return s
}

// binning tells in which bin along an axis a centre lies. It computes in float64, where no range of float32 overflows and
// no inverse of one.
type binning struct {
	axis      int
	lo, scale float64
}

func (s *span) binning(axis int) (binning, bool) {
	lo, hi := float64(s.lo[axis]), float64(s.hi[axis])
	return binning{axis, lo, bins / (hi - lo)}, lo < hi
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
	left, right geom.AABB
	cost        float64 // in triangle tests, times the area of the whole
}

func bestSplit(prims []prim, centers span) (best candidate) {
	for axis := range 3 {
		g, ok := centers.binning(axis)
		if !ok {
			continue
		}
		var boxes [bins]geom.AABB
		var counts [bins]int
		for i := range boxes {
			boxes[i] = geom.EmptyAABB()
		}
		for i := range prims {
			k := g.bin(&prims[i])
			counts[k]++
			boxes[k] = grow(boxes[k], prims[i].box)
		}
		// rights[i] is what lies in the bins from i on.
		var rights [bins]geom.AABB
		right := geom.EmptyAABB()
		for i := bins - 1; i > 0; i-- {
			right = grow(right, boxes[i])
			rights[i] = right
		}
		left, count := geom.EmptyAABB(), 0
		// The first bin holds the lowest centre and the last the highest, so that neither side is ever empty.
		for i := 1; i < bins; i++ {
			left = grow(left, boxes[i-1])
			count += counts[i-1]
			cost := float64(float64(count)*area(left)) + float64(float64(len(prims)-count)*area(rights[i]))
			if best.count == 0 || cost < best.cost {
				best = candidate{g, i, count, left, rights[i], cost}
			}
		}
	}
	return best
}

// partition puts the triangles left of the split before the others.
func partition(prims []prim, s *candidate) {
	i, j := 0, len(prims)-1
	for i <= j {
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
func halve(prims []prim, s span) {
	axis, longest := 0, 0.0
	for i := range 3 {
		if l := float64(s.hi[i]) - float64(s.lo[i]); l > longest {
			axis, longest = i, l
		}
	}
	if longest > 0 {
		slices.SortFunc(prims, func(p, q prim) int { return cmp.Compare(p.center[axis], q.center[axis]) })
	}
}

func boundsOf(prims []prim) geom.AABB {
	all := geom.EmptyAABB()
	for i := range prims {
		all = grow(all, prims[i].box)
	}
	return all
}

// grow is geom.AABB.Union for boxes that are known to hold no NaN: an empty one needs no question.
func grow(a, b geom.AABB) geom.AABB {
	return geom.AABB{Min: a.Min.Min(b.Min), Max: a.Max.Max(b.Max)}
}

// area returns half the area of a box's faces.
func area(b geom.AABB) float64 {
	x, y, z := float64(b.Max.X)-float64(b.Min.X), float64(b.Max.Y)-float64(b.Min.Y), float64(b.Max.Z)-float64(b.Min.Z)
	return float64(x*y) + float64(y*z) + float64(z*x)
}

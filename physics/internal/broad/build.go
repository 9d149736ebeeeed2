package broad

import "github.com/hitscan-go/hitscan/physics/geom"

// A tree is built from blocks of up to 512 boxes that lie together (grid.go, cut.go). Each block
// becomes a node of level 2 with its subtree (block.go, pack.go); above, blocks that were separated
// by the latest cuts become siblings. Nodes are stored level by level, so that a refit reads memory
// in order.

// builder is the scratch memory of builds.
type builder struct {
	points   []point
	other    []point // a second buffer of the same length
	cellOf   []uint16
	blocks   []block
	cuts     []int32 // see raise
	nodes    []node  // of the next tree; swapped with those of the tree
	used     int32   // of nodes
	grids    []*grid
	sorters  []*blockSorter
	oldNodes []int32   // nodes of a subtree that is rebuilt
	fat      geom.AABB // of the root of that subtree

	// of the current build or refit
	half     int
	workers  int
	pack     packing
	grid     *grid
	from, to int
	parts    int      // of the work, one for each worker
	counts   []int    // of boxes in each part
	marks    []uint32 // bits of their sources, or-ed
	large    float32
	level    int
	strayed  [][]int32 // see tree, of each part
	fills    []fill    // for each word of the summary of the dirty leaves
}

// build rebuilds a tree from its boxes and those that are pending.
func (p *Phase) build(half, workers int) {
	t, b := &p.trees[half], &p.builder
	n := t.count + len(p.pending[half])
	b.half, b.workers = half, workers
	if n == 0 {
		t.stampAll() // what removals have marked as dirty is never refitted
		t.clear()
		return
	}
	b.points = sized(b.points, n)
	p.gather()
	p.construct(nil, p.partitionLarge(), maxLevels)
	root := b.used - 1
	// Few boxes do not need a node of level 2.
	for b.nodes[root].level > 0 && b.nodes[root].count == 1 {
		root = b.nodes[root].child[0].node()
		b.used = root + 1
	}
	b.nodes[root].parent, b.nodes[root].slot = 0, 0

	old := t.nodes
	t.clear()
	t.nodes, b.nodes = b.nodes[:b.used], old[:0]
	t.root, t.count, t.built = root, n, n
	t.reserve(len(t.nodes))
	t.stampAll()
	p.stampPlaces(t)
	p.pending[half] = p.pending[half][:0]
	if cap(p.pending[half]) > max(n/8, 1024) { // so many at once are rare
		p.pending[half] = nil
	}
}

// stampPlaces stamps the places of all boxes of a tree as changed.
func (p *Phase) stampPlaces(t *tree) {
	if t.count*4 > len(p.at) {
		for i := range p.stamps {
			p.stamps[i] = p.version
		}
		return
	}
	for i := range t.nodes {
		if n := &t.nodes[i]; n.level == 0 {
			for _, c := range n.child {
				p.stamps[c.number()/numbersPerStamp] = p.version
			}
		}
	}
}

// sized returns a slice of n values, which are not cleared, in the memory of s if that suffices.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, n+n/8)
	}
	return s[:n]
}

// partOf returns the range of n items that is one of so many nearly equal parts.
func partOf(n, part, parts int) (from, to int) { return n * part / parts, n * (part + 1) / parts }

// gather makes points of all boxes, in an order that does not depend on the workers.
func (p *Phase) gather() {
	b := &p.builder
	workers := b.workers
	if len(b.points) < sharedPoints {
		workers = 1
	}
	b.parts = workers
	b.counts = sized(b.counts, workers)
	b.marks = sized(b.marks, workers)
	if workers > 1 {
		p.loop.Run(p, workers, workers, 1, (*Phase).countBoxes)
	}
	at := 0
	for w, n := range b.counts {
		b.counts[w] = at
		at += n
	}
	b.large = p.large()
	p.loop.Run(p, workers, workers, 1, (*Phase).gatherPart)
	pending := p.pending[b.half]
	points := b.points[len(b.points)-len(pending):]
	for i := range pending {
		points[i] = pointOf(&pending[i].box, pendingSource|uint32(i), b.large)
		b.marks[0] |= points[i].source
	}
}

// large returns the length from which on a box counts as large: largeFactor average leaves.
func (p *Phase) large() float32 {
	t, pending := &p.trees[p.builder.half], p.pending[p.builder.half]
	all := nowhere
	if t.root != 0 {
		all = t.nodes[t.root].union()
	}
	for i := range pending {
		all = union(&all, &pending[i].box)
	}
	side := 1 // of a cube of as many leaves
	for side*side*side*width < t.count+len(pending) {
		side++
	}
	d := all.Max.Sub(all.Min)
	return max(d.X, d.Y, d.Z) / float32(side) * largeFactor
}

// partLarge puts the points of large boxes last, and returns the number of others. Large boxes get
// leaves of their own; otherwise a few of them would make most nodes of the tree as large.
func (p *Phase) partitionLarge() (small int) {
	b := &p.builder
	marks := uint32(0)
	for _, m := range b.marks {
		marks |= m
	}
	if marks&largeSource == 0 {
		return len(b.points)
	}
	b.other = b.other[:0]
	for i := range b.points {
		if pt := b.points[i]; pt.source&largeSource == 0 {
			b.points[small] = pt
			small++
		} else {
			pt.source &^= largeSource
			b.other = append(b.other, pt)
		}
	}
	copy(b.points[small:], b.other)
	return small
}

// countBoxes counts the boxes in one part of the nodes.
func (p *Phase) countBoxes(_, part, _ int) {
	b, nodes := &p.builder, p.trees[p.builder.half].nodes
	from, to := partOf(len(nodes), part, b.parts)
	sum := 0
	for i := from; i < to; i++ {
		if n := &nodes[i]; n.level == 0 {
			sum += int(n.count)
		}
	}
	b.counts[part] = sum
}

// gatherPart makes points of the boxes in one part of the nodes.
func (p *Phase) gatherPart(_, part, _ int) {
	b, nodes := &p.builder, p.trees[p.builder.half].nodes
	from, to := partOf(len(nodes), part, b.parts)
	at := 0
	if part > 0 {
		at = b.counts[part]
	}
	marks := uint32(0)
	for i := from; i < to; i++ {
		if n := &nodes[i]; n.level == 0 {
			count, m := n.points(b.points[at:], int32(i), b.large)
			at += count
			marks |= m
		}
	}
	b.marks[part] = marks
}

// points makes points of the boxes of leaf i, and returns their number and the or of their sources.
func (n *node) points(out []point, i int32, large float32) (count int, marks uint32) {
	for s, c := range n.child {
		if c != 0 {
			box := n.bounds(s)
			out[count] = pointOf(&box, uint32(i)<<3|uint32(s), large)
			marks |= out[count].source
			count++
		}
	}
	return count, marks
}

package wide

// Cost returns the expected cost of a ray through the bounds by the surface-area heuristic, in node
// visits: the sum over all nodes and leaves of the cost of a visit times its probability, which is
// the ratio of the areas (Goldsmith and Salmon 1987). Overlapping boxes each count in full, and the
// early end at a hit is not modelled. It is 0 if there are no triangles.
func (t *Tree) Cost() float64 {
	if t.IsEmpty() {
		return 0
	}
	cost := visitCost(t.root)
	if !t.root.isLeaf() {
		all := boxOf(t.bounds)
		m := newMeasure(&all)
		cost += m.below(t, t.root) / float64(m.area(&all))
	}
	return cost
}

// below returns the sum of area times cost over all descendants of a node.
func (m *measure) below(t *Tree, r ref) (sum float64) {
	n := t.node(r)
	for i, child := range &n.child {
		if child == 0 {
			break
		}
		sum += float64(visitCost(child) * float64(m.areaOf(n.bounds(i))))
		if !child.isLeaf() {
			sum += m.below(t, child)
		}
	}
	return sum
}

func visitCost(r ref) float64 {
	switch r.kind() {
	case kindPacked:
		return packedCost
	case kindLoose:
		return looseCost
	}
	return nodeCost
}

package wide

// Cost returns what a ray through the bounds costs by the surface-area heuristic, in visits of a
// node: the sum over all nodes and leaves of what a visit costs, times the chance of one, which is
// the ratio of the areas (Goldsmith and Salmon 1987). Where boxes overlap each counts in full, and
// that a hit ends the walk does not count. It is 0 if there are no triangles.
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

// below returns the sum of areas times costs of all that is below a node.
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

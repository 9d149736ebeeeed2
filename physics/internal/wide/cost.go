package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// Cost returns what a ray through the bounds costs by the surface-area heuristic, in visits of a node: the sum over all nodes and
// leaves of what a visit costs, times the chance of one, which is the ratio of the areas (Goldsmith and Salmon 1987). Where boxes
// overlap each counts in full, and that a hit ends the walk does not count. It is 0 if there are no triangles.
func (t *Tree) Cost() float64 {
	if t.IsEmpty() {
		return 0
	}
	cost := visitCost(t.root)
	if !t.root.isLeaf() {
		x, y, z := sides(t.bounds)
		m := measure{edge: 1e-9 * max(x, y, z)}
		if m.edge == 0 {
			m.edge = 1
		}
		cost += m.below(t, t.root) / m.weight(t.bounds)
	}
	return cost
}

// measure weighs boxes as the builder does: by half the area, and a little more, so that boxes with none still differ.
type measure struct{ edge float64 }

func sides(b geom.AABB) (x, y, z float64) {
	return float64(b.Max.X) - float64(b.Min.X), float64(b.Max.Y) - float64(b.Min.Y), float64(b.Max.Z) - float64(b.Min.Z)
}

func (m measure) weight(b geom.AABB) float64 {
	x, y, z := sides(b)
	e := m.edge
	return float64(x*(y+e)) + float64(y*(z+e)) + float64(z*(x+e)) + float64(e*e)
}

// below returns the sum of weights times costs of all that is below a node.
func (m measure) below(t *Tree, r ref) (sum float64) {
	n := t.node(r)
	for i, child := range &n.child {
		if child == 0 {
			break
		}
		sum += float64(visitCost(child) * m.weight(n.bounds(i)))
		if !child.isLeaf() {
			sum += m.below(t, child)
		}
	}
	return sum
}

func visitCost(r ref) float64 {
	switch r & 3 {
	case kindPacked:
		return packedCost
	case kindLoose:
		return looseCost
	}
	return nodeCost
}

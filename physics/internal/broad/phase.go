package broad

import "github.com/hitscan-go/hitscan/physics/geom"

const (
	moving = iota
	still
)

// Phase holds boxes in two trees, of those that move and of those that stand still.
type Phase struct {
	trees  [2]tree // moving, still
	bounds geom.AABB
}

func (n *node) union() geom.AABB {
	b := geom.EmptyAABB()
	for slot := range width {
		b = b.Union(n.bounds(slot))
	}
	return b
}

package broad

import "github.com/hitscan-go/hitscan/physics/geom"

// Phase holds boxes in two trees, of those that move and of those that stand still.
type Phase struct {
	trees  [2]tree // moving, still
	bounds geom.AABB
}

package picking

import (
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// PickFilter returns the filter with which a picking ray should be cast: back faces are culled as a
// renderer culls them, and a solid in which the ray starts is left out, since from within nothing
// of it is seen.
func PickFilter() physics.Filter {
	return physics.Filter{Start: geom.Ignore, Cull: geom.CullBack}
}

package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// CastRays casts many rays, on all processors, and appends the closest hit of each to dst in the order of the rays; it
// returns the longer slice. A ray that hits nothing gives a [Hit] without Collider, with T = +Inf, Child −1 and Triangle −1.
// Each hit is that of [Space.CastRay], bit by bit, whatever the number of processors.
//
// A Predicate of the filter is asked from several goroutines at once.
func (s *Space) CastRays(dst []Hit, rays []geom.Ray, f Filter) []Hit {
	dst = slices.Grow(dst, len(rays))
	for i := range rays {
		h, ok := s.CastRay(rays[i], f)
		if !ok {
			h = missed
		}
		dst = append(dst, h)
	}
	return dst
}

// missed is what a batch holds for a ray that hits nothing.
var missed = Hit{Hit: geom.Hit{T: float32(math.Inf(1)), Triangle: -1}, Child: -1}

// CastRaysAny casts many rays, on all processors, and appends to dst for each in the order of the rays whether it hits
// anything, as [Space.CastRayAny] does; it returns the longer slice. It answers which of many lines of sight are blocked:
// see [geom.Segment]. A Predicate of the filter is asked from several goroutines at once.
func (s *Space) CastRaysAny(dst []bool, rays []geom.Ray, f Filter) []bool {
	dst = slices.Grow(dst, len(rays))
	for i := range rays {
		dst = append(dst, s.CastRayAny(rays[i], f))
	}
	return dst
}

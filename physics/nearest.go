package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// NearestK appends the k colliders that are nearest to p, in world space and in metres, each with
// its closest point, nearest first; fewer if there are not as many within maxDistance, or none. Of
// colliders at the same distance the lower ID comes first. See [Space.NearestK] for what counts as
// close, and for what finds nothing.
func (s *Space) NearestK(dst []Nearest, p geom.Vec3, k int, maxDistance float32, f Filter) []Nearest {
	if k <= 0 || !p.IsFinite() || !(maxDistance >= 0) {
		return dst
	}
	s.settle()
	start := len(dst)
	limit := maxDistance
	visit := func(i uint32) float64 {
		if r := &s.records[i]; f.sees(r) {
			n, ok := r.closest(p, limit)
			if ok && (len(dst)-start < k || n.before(&dst[len(dst)-1])) && f.accepts(r.id) {
				if len(dst)-start == k {
					dst = dst[:len(dst)-1]
				}
				dst = insertNearest(dst, start, n)
				if len(dst)-start == k {
					limit = dst[len(dst)-1].Distance
				}
			}
		}
		return float64(justBeyond(limit))
	}
	for _, i := range s.planes {
		visit(uint32(i))
	}
	s.boxes.VisitNearest(p, float64(justBeyond(limit)), visit)
	return dst
}

// insertNearest puts n where it belongs in what is sorted from start on.
func insertNearest(dst []Nearest, start int, n Nearest) []Nearest {
	dst = append(dst, n)
	i := len(dst) - 1
	for ; i > start && n.before(&dst[i-1]); i-- {
		dst[i] = dst[i-1]
	}
	dst[i] = n
	return dst
}

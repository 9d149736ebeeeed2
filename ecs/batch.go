package physecs

import (
	"math"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// CastRays casts many world-space rays, on all processors, and appends the closest hit of each to
// dst in the order of the rays; it returns the longer slice. Each is that of [CastRay]; a ray that
// hits nothing gives a [Hit] with the zero Entity and T = +Inf, and −1 for Child and Triangle.
// Panics if the world has no [Space].
//
// A Predicate of the filter is asked from several goroutines at once.
func CastRays(w *ecs.World, dst []Hit, rays []geom.Ray, f Filter) []Hit {
	return spaceOf(w, "CastRays").castRays(&f, dst, rays)
}

// castRays is no method of sight, nor is castRaysAny: the eye is kept in lists, and would take the
// filter to the heap.
func (v *eye) castRays(f *Filter, dst []Hit, rays []geom.Ray) []Hit {
	l := v.lists.take()
	s, plain, below := sight{v, f}, f.isPlain(), f.physics(nil)
	if !plain {
		below.Predicate = l.ask(v, f)
	}
	l.hits = v.physics.CastRays(l.hits, rays, below)
	start := len(dst)
	dst = slices.Grow(dst, len(rays))[:start+len(rays)]
	for i := range l.hits {
		h, hit := &l.hits[i], &dst[start+i]
		if h.Collider == 0 {
			*hit = missed
			continue
		}
		e := v.owner(h.Collider)
		hit.Hit, hit.Entity, hit.Child, hit.User = h.Hit, e, h.Child, h.User
		if plain && !v.has(e) {
			if again, ok := s.castRay(rays[i]); ok {
				*hit = again
			} else {
				*hit = missed
			}
		}
	}
	v.lists.give(l)
	return dst
}

// missed is what a batch holds for a ray that hits nothing.
var missed = Hit{Hit: geom.Hit{T: float32(math.Inf(1)), Triangle: -1}, Child: -1}

// CastRaysAny casts many world-space rays, on all processors, and appends to dst for each in the
// order of the rays whether it hits anything, as [CastRayAny] does; it returns the longer slice.
// With [geom.Segment] it answers which of many lines of sight are blocked. Panics if the world has
// no [Space].
//
// A Predicate of the filter is asked from several goroutines at once.
func CastRaysAny(w *ecs.World, dst []bool, rays []geom.Ray, f Filter) []bool {
	return spaceOf(w, "CastRaysAny").castRaysAny(&f, dst, rays)
}

func (v *eye) castRaysAny(f *Filter, dst []bool, rays []geom.Ray) []bool {
	l := v.lists.take()
	dst = v.physics.CastRaysAny(dst, rays, f.physics(l.ask(v, f)))
	v.lists.give(l)
	return dst
}

// ClosestPoints appends the k entities that are nearest to p, each with its closest point, nearest
// first; fewer if there are not as many within maxDistance, in metres, or none. See [ClosestPoint].
// Panics if the world has no [Space].
func ClosestPoints(w *ecs.World, dst []Nearest, p geom.Vec3, k int, maxDistance float32, f Filter) []Nearest {
	return sight{spaceOf(w, "ClosestPoints"), &f}.closestPoints(dst, p, k, maxDistance)
}

func (v sight) closestPoints(dst []Nearest, p geom.Vec3, k int, maxDistance float32) []Nearest {
	l := v.lists.take()
	if v.filter.isPlain() {
		l.near = v.physics.NearestK(l.near, p, k, maxDistance, v.filter.physics(nil))
	}
	if !v.filter.isPlain() || slices.ContainsFunc(l.near, func(n physics.Nearest) bool { return !v.has(v.owner(n.Collider)) }) {
		l.near = v.physics.NearestK(l.near[:0], p, k, maxDistance, v.filter.physics(v.sees))
	}
	dst = slices.Grow(dst, len(l.near))
	for i := range l.near {
		dst = append(dst, nearestOf(&l.near[i], v.owner(l.near[i].Collider)))
	}
	v.lists.give(l)
	return dst
}

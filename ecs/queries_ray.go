package physecs

import (
	"iter"
	"math"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Hit is where a ray meets an entity, in world space: the hit of its collider, and the entity.
type Hit struct {
	physics.Hit
	Entity ecs.Entity
}

func (q *Queries) hitOf(h *physics.Hit) Hit { return Hit{*h, q.owner(h.Collider)} }

// CastRay returns the closest hit of a ray. Of hits at the same T the one with the lowest collider
// comes first, which mostly is that of the entity that was added first; of one mesh, the lowest
// triangle. All queries agree on this order. A ray that is zero, NaN or infinite misses.
//
// See also [Queries.CastRayAny], [Queries.CastRayAll], [Queries.Hits] and [Queries.CastRays].
func (q *Queries) CastRay(r geom.Ray, f Filter) (Hit, bool) {
	v := q.query(&f, "CastRay")
	if f.isPlain() {
		h, ok := q.physics.CastRay(r, f.physics(nil))
		if !ok {
			return Hit{}, false
		}
		if e := q.owner(h.Collider); q.has(e) {
			return Hit{h, e}, true
		}
	}
	h, ok := q.physics.CastRay(r, v.onRays())
	if !ok {
		return Hit{}, false
	}
	return q.hitOf(&h), true
}

// CastRayAny reports whether a ray hits anything, as for a line of sight. It stops at the first hit
// that it finds, which makes it the fastest of the ray queries.
func (q *Queries) CastRayAny(r geom.Ray, f Filter) bool {
	return q.physics.CastRayAny(r, q.query(&f, "CastRayAny").onRays())
}

// CastRayAll appends all hits of a ray to dst, in the order of [Queries.CastRay]. A solid counts
// once, a mesh with every triangle.
func (q *Queries) CastRayAll(dst []Hit, r geom.Ray, f Filter) []Hit {
	v, w := q.query(&f, "CastRayAll"), q.scratches.take()
	w.hits = q.physics.CastRayAll(w.hits, r, v.onRays())
	dst = slices.Grow(dst, len(w.hits))
	for i := range w.hits {
		dst = append(dst, q.hitOf(&w.hits[i]))
	}
	q.scratches.give(w)
	return dst
}

// Crossing is a stretch of a ray in the collider of an entity: see [physics.Crossing].
type Crossing struct {
	physics.Crossing
	Entity ecs.Entity
}

// Crossings appends the stretches of a ray in the entities that it crosses to dst, in the order of
// their Enter: where the ray enters a solid and where it leaves it. See [physics.Space.Crossings].
func (q *Queries) Crossings(dst []Crossing, r geom.Ray, f Filter) []Crossing {
	v, w := q.query(&f, "Crossings"), q.scratches.take()
	w.crossings = q.physics.Crossings(w.crossings, r, v.onRays())
	dst = slices.Grow(dst, len(w.crossings))
	for _, c := range w.crossings {
		dst = append(dst, Crossing{c, q.owner(c.Enter.Collider)})
	}
	q.scratches.give(w)
	return dst
}

// Hits returns the hits of a ray front to back, in the order of [Queries.CastRay]. Each is searched
// for when the loop asks for it: leaving the loop early is free. The world and the Space must not
// be changed within the loop. Each range over the sequence casts the ray again.
func (q *Queries) Hits(r geom.Ray, f Filter) iter.Seq[Hit] {
	return func(yield func(Hit) bool) { q.hits(r, f, yield) } // short, to be inlined: no allocation
}

func (q *Queries) hits(r geom.Ray, f Filter, yield func(Hit) bool) {
	for h := range q.physics.Hits(r, q.query(&f, "Hits").onRays()) {
		if !yield(q.hitOf(&h)) {
			return
		}
	}
}

// CastRays casts many rays, on all processors, and appends the closest hit of each to dst, in the
// order of the rays. Each is that of [Queries.CastRay]; a ray that hits nothing gives a [Hit] with
// the zero Entity and Collider, T = +Inf, and −1 for Child and Triangle.
//
// The predicates of the filter are called from several goroutines at once.
func (q *Queries) CastRays(dst []Hit, rays []geom.Ray, f Filter) []Hit {
	q.query(&f, "CastRays")
	w := q.scratches.take()
	plain, below := f.isPlain(), f.physics(nil)
	if !plain {
		below.Predicate = w.predicate(q, &f)
		below = w.onRays(below)
	}
	w.hits = q.physics.CastRays(w.hits, rays, below)
	start := len(dst)
	dst = slices.Grow(dst, len(rays))[:start+len(rays)]
	for i := range w.hits {
		h, to := &w.hits[i], &dst[start+i]
		to.Hit, to.Entity = *h, q.owner(h.Collider)
		if plain && h.Collider != 0 && !q.has(to.Entity) {
			again, ok := q.CastRay(rays[i], f)
			if !ok {
				again = missed
			}
			*to = again
		}
	}
	q.scratches.give(w)
	return dst
}

// CastRaysAny casts many rays, on all processors, and appends to dst for each, in the order of the
// rays, whether it hits anything, as [Queries.CastRayAny] does. With [geom.Segment] it answers
// which of many lines of sight are blocked.
//
// The predicates of the filter are called from several goroutines at once.
func (q *Queries) CastRaysAny(dst []bool, rays []geom.Ray, f Filter) []bool {
	q.query(&f, "CastRaysAny")
	w := q.scratches.take()
	dst = q.physics.CastRaysAny(dst, rays, w.onRays(f.physics(w.predicate(q, &f))))
	q.scratches.give(w)
	return dst
}

// missed is what a batch holds for a ray that hits nothing.
var missed = Hit{Hit: physics.Hit{Hit: geom.Hit{T: float32(math.Inf(1)), Triangle: -1}, Child: -1}}

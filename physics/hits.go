package physics

import (
	"iter"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Hits returns the hits of a ray one at a time from front to back: the same hits in the same order
// as [Space.CastRayAll]. Each is searched for only when the loop comes to it, so stopping early
// saves the rest of the search. It serves to pass through what does not stop a ray: glass, foliage,
// a wall that a bullet penetrates.
//
// The space may be changed in the loop if the loop then ends. Panics if it continues in a changed
// space.
func (s *Space) Hits(r geom.Ray, f Filter) iter.Seq[Hit] {
	return func(yield func(Hit) bool) { s.hits(r, f, yield) }
}

func (s *Space) hits(r geom.Ray, f Filter, yield func(Hit) bool) {
	if !r.IsValid() {
		return
	}
	s.settle()
	w := takeScratch()
	s.visitPlanes(func(i uint32) bool {
		w.meet(&s.records[i], r, &f)
		return true
	})
	w.front.Start(&s.boxes, r)
	version := s.version
	for {
		// The first hit is next once no box in the tree begins before it.
		limit := math.Inf(1)
		if len(w.queue) > 0 {
			limit = float64(w.queue[0].T)
		}
		if i, ok := w.front.Next(limit); ok {
			w.meet(&s.records[i], r, &f)
			continue
		}
		if len(w.queue) == 0 {
			break
		}
		next := w.queue.pop()
		if (f.HitPredicate == nil || f.HitPredicate(next.Hit)) && !yield(next.Hit) {
			break
		}
		if s.version != version {
			panic("physics: Space.Hits: the space was changed and the loop continued")
		}
		if h, ok := next.record.castSubshapeAfter(next.subshape, r, &f, next.Hit.Hit); ok {
			next.Hit.Hit = h
			w.queue.push(next)
		}
	}
	w.give()
}

// meet adds the first hit with each subshape of a collider to the queue.
func (w *scratch) meet(rec *record, r geom.Ray, f *Filter) {
	if !f.sees(rec) {
		return
	}
	accepted := false
	subshapes := rec.subshapes()
	for i := range subshapes {
		p := &subshapes[i]
		var h geom.Hit
		if !rec.castSubshape(&h, p, &r, f) {
			continue
		}
		if !accepted {
			if accepted = f.accepts(rec.id); !accepted {
				return
			}
		}
		w.queue.push(pending{rec.hit(h, p), rec, p})
	}
}

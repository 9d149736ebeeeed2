package physics

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// CastShape returns the first hit of a shape that moves through the world, and false if it hits nothing that the filter sees. Of
// hits at the same T it returns the one that comes first by collider, child and triangle. However fast the shape, it passes
// nothing: T is exact but for rounding. [Filter.Inside] is not heeded; what becomes of
// a shape that starts in something is said by [ShapeCast].
//
// Panics if the shape is nil, or none of those that ShapeCast lists.
func (s *Space) CastShape(c ShapeCast, f Filter) (ShapeHit, bool) {
	var w sweep
	if !w.start(&c) {
		return ShapeHit{}, false
	}
	s.settle()
	var best ShapeHit
	found := false
	for _, i := range s.planes {
		found = w.castBefore(&s.records[i], &f, &best, found) || found
	}
	if found {
		w.limit = float64(justBeyond(best.T))
	}
	found = s.sweepAhead(&w, &f, &best, found)
	s.boxes.VisitWhere(func(b *geom.AABB) bool { return w.meets(b) }, func(i uint32) bool {
		if w.castBefore(&s.records[i], &f, &best, found) {
			found, w.limit = true, float64(justBeyond(best.T))
		}
		return true
	})
	return best, found
}

// sweepAhead asks the colliders that lie before the middle of a shape that goes far, from front to back. What it finds is seldom
// much behind the first hit, and saves the visit of all that is beyond.
func (s *Space) sweepAhead(w *sweep, f *Filter, best *ShapeHit, found bool) bool {
	r, ok := w.ahead()
	if !ok {
		return found
	}
	walk := takeWalk()
	if walk.Start(&s.boxes, r) {
		for i, ok := walk.Next(); ok; i, ok = walk.Next() {
			if w.castBefore(&s.records[i], f, best, found) {
				found, w.limit = true, float64(justBeyond(best.T))
				walk.SetEnd(best.T)
			}
		}
	}
	walk.give()
	return found
}

// CastShapeAny reports whether a shape that moves through the world hits anything that the filter sees. It stops at the first
// hit it comes upon. Panics as [Space.CastShape] does.
func (s *Space) CastShapeAny(c ShapeCast, f Filter) (found bool) {
	var w sweep
	if !w.start(&c) {
		return false
	}
	s.settle()
	visit := func(i uint32) bool {
		r := &s.records[i]
		found = f.sees(r) && w.castAny(r, f.Cull) && f.accepts(r.id)
		return !found
	}
	for _, i := range s.planes {
		if !visit(uint32(i)) {
			return true
		}
	}
	s.boxes.VisitWhere(func(b *geom.AABB) bool { return w.meets(b) }, visit)
	return found
}

// CastShapeAll appends all hits of a shape that moves through the world to dst, in the order of [ShapeHit.Compare], and returns
// the longer slice. A solid counts once, each child of a compound by itself, and a mesh with every triangle that is touched
// on the way. Panics as [Space.CastShape] does.
func (s *Space) CastShapeAll(dst []ShapeHit, c ShapeCast, f Filter) []ShapeHit {
	var w sweep
	if !w.start(&c) {
		return dst
	}
	s.settle()
	start := len(dst)
	scratch := takeScratch()
	visit := func(i uint32) bool {
		r := &s.records[i]
		if !f.sees(r) {
			return true
		}
		n := len(dst)
		pieces := r.pieces()
		for k := range pieces {
			p := &pieces[k]
			if p.kind == kindMesh {
				scratch.impacts = p.local.mesh.CastConvexAll(scratch.impacts[:0], &w.body, &w.path, p.local.to, f.Cull)
				for j := range scratch.impacts {
					dst = append(dst, w.hit(r, p, &scratch.impacts[j]))
				}
			} else if h, ok := w.cast(p, w.path.Max, f.Cull); ok {
				dst = append(dst, w.hit(r, p, &h))
			}
		}
		if len(dst) > n && !f.accepts(r.id) {
			dst = dst[:n]
		}
		return true
	}
	for _, i := range s.planes {
		visit(uint32(i))
	}
	s.boxes.VisitWhere(func(b *geom.AABB) bool { return w.meets(b) }, visit)
	scratch.give()
	slices.SortFunc(dst[start:], ShapeHit.Compare)
	return dst
}

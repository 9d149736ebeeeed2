package physics

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/internal/toi"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// CastShape returns the first hit of a shape that moves through the world, and false if it hits
// nothing that the filter sees. Of hits at the same T it returns the one that comes first by
// collider, child and triangle. However fast the shape, it passes nothing: T is exact but for
// rounding. [Filter.Start] is not heeded; what becomes of a shape that starts in something is said
// by [ShapeCast].
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
		w.way.MaxT = min(w.way.MaxT, best.T)
	}
	walk := takeWalk()
	if walk.StartSweep(&s.boxes, &w.way, false) {
		for i, ok := walk.Next(); ok; i, ok = walk.Next() {
			s.hint(walk)
			if w.castBefore(&s.records[i], &f, &best, found) {
				found, w.limit = true, float64(justBeyond(best.T))
				walk.SetEnd(best.T)
			}
		}
	}
	walk.give()
	return best, found
}

// CastShapeAny reports whether a shape that moves through the world hits anything that the filter
// sees. It stops at the first hit it comes upon. Panics as [Space.CastShape] does.
func (s *Space) CastShapeAny(c ShapeCast, f Filter) (found bool) {
	var w sweep
	if !w.start(&c) {
		return false
	}
	s.settle()
	for _, i := range s.planes {
		if w.castAny(&s.records[i], &f) {
			return true
		}
	}
	walk := takeWalk()
	if walk.StartSweep(&s.boxes, &w.way, true) {
		for i, ok := walk.Next(); ok && !found; i, ok = walk.Next() {
			s.hint(walk)
			found = w.castAny(&s.records[i], &f)
		}
	}
	walk.give()
	return found
}

// CastShapeAll appends all hits of a shape that moves through the world to dst, in the order of
// [ShapeHit.Compare], and returns the longer slice. A solid counts once, each child of a compound
// by itself, and a mesh with every triangle that is touched on the way. Panics as [Space.CastShape]
// does.
func (s *Space) CastShapeAll(dst []ShapeHit, c ShapeCast, f Filter) []ShapeHit {
	var w sweep
	if !w.start(&c) {
		return dst
	}
	s.settle()
	start := len(dst)
	scratch := takeScratch()
	visit := func(i uint32) {
		r := &s.records[i]
		if !f.sees(r) {
			return
		}
		n := len(dst)
		pieces := r.pieces()
		for k := range pieces {
			p := &pieces[k]
			if p.kind == kindMesh {
				path := meshPath(&w.path)
				scratch.impacts = p.local.mesh.CastConvexAll(scratch.impacts[:0], (*mesh.Convex)(&w.body), &path, p.local.to, f.Cull)
				for j := range scratch.impacts {
					dst = append(dst, w.hit(r, p, (*toi.Impact)(&scratch.impacts[j])))
				}
			} else if h, ok := w.cast(p, w.path.Max, f.Cull); ok {
				dst = append(dst, w.hit(r, p, &h))
			}
		}
		if len(dst) > n && !f.accepts(r.id) {
			dst = dst[:n]
		}
	}
	for _, i := range s.planes {
		visit(uint32(i))
	}
	walk := takeWalk()
	if walk.StartSweep(&s.boxes, &w.way, true) {
		for i, ok := walk.Next(); ok; i, ok = walk.Next() {
			s.hint(walk)
			visit(i)
		}
	}
	walk.give()
	scratch.give()
	slices.SortFunc(dst[start:], ShapeHit.Compare)
	return dst
}

package physics

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// CastShape returns the first hit of a shape that moves through the world, and false if it hits
// nothing that the filter lets through. Of hits at the same T it returns the one that comes first
// by collider, child and triangle. A fast shape passes through nothing: T is exact except for
// rounding. [ShapeCast.Start] decides about overlaps at the start; [Filter.Start] has no effect.
//
// Panics if the shape is nil, or not one of those that ShapeCast lists.
func (s *Space) CastShape(cast ShapeCast, f Filter) (ShapeHit, bool) {
	var w sweep
	if !w.start(s, &cast) {
		return ShapeHit{}, false
	}
	var best ShapeHit
	found := false
	c := s.onPath(&w.way, false)
	for r := c.next(s); r != nil; r = c.next(s) {
		if w.castBefore(r, &f, &best, found) {
			found, w.limit = true, float64(placed.JustBeyond(best.T))
			c.end(best.T)
		}
	}
	c.give()
	return best, found
}

// CastShapeAny reports whether a shape that moves through the world hits anything that the filter
// lets through. It stops at the first hit that it finds. Panics as [Space.CastShape] does.
func (s *Space) CastShapeAny(cast ShapeCast, f Filter) bool {
	var w sweep
	if !w.start(s, &cast) {
		return false
	}
	c := s.onPath(&w.way, true)
	r := c.next(s)
	for r != nil && !w.castAny(r, &f) {
		r = c.next(s)
	}
	c.give()
	return r != nil
}

// CastShapeSensors appends the sensors that a shape touches on its path to dst, in the order of
// [ShapeHit.Compare], and returns the longer slice: each collider once, at its first touch, and
// with Overlaps where the shape starts in it. The cast's Start has no effect, and Sensors of the
// filter need not be set. Panics as [Space.CastShape] does.
func (s *Space) CastShapeSensors(dst []ShapeHit, cast ShapeCast, f Filter) []ShapeHit {
	cast.Start, f.Sensors = StartReport, true
	var w sweep
	if !w.start(s, &cast) {
		return dst
	}
	start := len(dst)
	c := s.onPath(&w.way, true)
	for r := c.next(s); r != nil; r = c.next(s) {
		var hit ShapeHit
		if r.sensor && w.castBefore(r, &f, &hit, false) {
			dst = append(dst, hit)
		}
	}
	c.give()
	slices.SortFunc(dst[start:], ShapeHit.Compare)
	return dst
}

// CastShapeAll appends all hits of a shape that moves through the world to dst, in the order of
// [ShapeHit.Compare], and returns the longer slice. A solid counts once, each child of a compound
// by itself, and a mesh with every triangle that the shape touches. Panics as [Space.CastShape]
// does.
func (s *Space) CastShapeAll(dst []ShapeHit, cast ShapeCast, f Filter) []ShapeHit {
	var w sweep
	if !w.start(s, &cast) {
		return dst
	}
	start := len(dst)
	scratch := takeScratch()
	c := s.onPath(&w.way, true)
	for r := c.next(s); r != nil; r = c.next(s) {
		if !f.sees(r) {
			continue
		}
		n := len(dst)
		subshapes := r.subshapes()
		for k := range subshapes {
			p := &subshapes[k]
			scratch.impacts = p.CastBodyAll(scratch.impacts[:0], &w.body, &w.path, f.Cull)
			for j := range scratch.impacts {
				dst = append(dst, w.hit(r, p, (*narrow.Impact)(&scratch.impacts[j])))
			}
		}
		if len(dst) > n && !f.accepts(r.id) {
			dst = dst[:n]
		}
	}
	c.give()
	scratch.give()
	slices.SortFunc(dst[start:], ShapeHit.Compare)
	return dst
}

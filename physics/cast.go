package physics

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// CastRay returns the closest hit of a ray, in world space, and false if it hits nothing that the
// filter lets through. Of hits at the same T it returns the one that comes first by collider, child
// and triangle.
//
// See also [Space.CastRayAny], which is faster where it does not matter what is hit.
func (s *Space) CastRay(r geom.Ray, f Filter) (Hit, bool) {
	var best Hit
	ok := s.castRay(&best, r, &f)
	return best, ok
}

func (s *Space) castRay(best *Hit, r geom.Ray, f *Filter) (found bool) {
	if len(s.planes) > 0 && !r.IsValid() { // the tree has no candidates of a ray that is not
		return false
	}
	_, tMax := r.Range()
	c := s.onRay(&r, false)
	for rec := c.next(s); rec != nil; rec = c.next(s) {
		if rec.castBefore(&r, f, best, found) {
			found = true
			shorten(&r, best.T, tMax)
			c.end(best.T)
		}
	}
	c.give()
	return found
}

// CastRayAny reports whether a ray hits anything that the filter lets through. It stops at the
// first hit that it finds.
func (s *Space) CastRayAny(r geom.Ray, f Filter) bool {
	if len(s.planes) > 0 && !r.IsValid() {
		return false
	}
	return s.castRayAny(r, &f)
}

func (s *Space) castRayAny(r geom.Ray, f *Filter) bool {
	c := s.onRay(&r, true)
	rec := c.next(s)
	for rec != nil && !rec.castAny(&r, f) {
		rec = c.next(s)
	}
	c.give()
	return rec != nil
}

// CastRayAll appends all hits of a ray to dst, in the order of [Hit.Compare], and returns the
// longer slice. A solid counts once, each child of a compound by itself, and a mesh with every
// triangle that the ray crosses.
//
// See also [Space.Hits], which finds them one at a time.
func (s *Space) CastRayAll(dst []Hit, r geom.Ray, f Filter) []Hit {
	if !r.IsValid() {
		return dst
	}
	start := len(dst)
	scratch := takeScratch()
	c := s.onRay(&r, false)
	for rec := c.next(s); rec != nil; rec = c.next(s) {
		if !f.sees(rec) {
			continue
		}
		n := len(dst)
		subshapes := rec.subshapes()
		for k := range subshapes {
			p := &subshapes[k]
			scratch.hits = p.CastRayAll(scratch.hits[:0], r, f.Start, f.Cull)
			for _, h := range scratch.hits {
				if rec.counts(p, &r, &h) {
					dst = append(dst, rec.hit(h, p))
				}
			}
		}
		if len(dst) > n && !f.accepts(rec.id) {
			dst = dst[:n]
		}
		if f.HitPredicate != nil {
			dst = dst[:n+len(slices.DeleteFunc(dst[n:], func(h Hit) bool { return !f.HitPredicate(h) }))]
		}
	}
	c.give()
	scratch.give()
	slices.SortFunc(dst[start:], Hit.Compare)
	return dst
}

// castBefore casts a ray at a collider. It writes its first hit to best and returns true, unless
// best holds a hit, as found says, that comes before.
func (r *record) castBefore(ray *geom.Ray, f *Filter, best *Hit, found bool) bool {
	if !f.sees(r) {
		return false
	}
	if p := &r.single[0]; p.Kind != placed.KindCompound && f.HitPredicate == nil && !p.Strays() {
		return r.castOneBefore(p, ray, f, best, found)
	}
	subshapes := r.subshapes()
	better := false
	for i := range subshapes {
		p := &subshapes[i]
		h := Hit{Collider: r.id, Child: p.Child}
		if !r.castSubshape(&h.Hit, p, ray, f) || found && h.T > best.T {
			continue
		}
		h.User = r.user
		if found && compareHits(&h, best) >= 0 {
			continue
		}
		if !better && !f.accepts(r.id) {
			return false
		}
		if f.HitPredicate != nil && !r.acceptedBefore(&h, p, ray, f, best, found) {
			continue
		}
		*best, found, better = h, true, true
	}
	return better
}

// castOneBefore is castBefore for a collider with one shape, whose first hit counts, and that the
// filter sees.
func (r *record) castOneBefore(p *placed.Subshape, ray *geom.Ray, f *Filter, best *Hit, found bool) bool {
	var h Hit
	if !p.CastRay(&h.Hit, ray, f.Start, f.Cull) || found && h.T > best.T {
		return false
	}
	h.Collider, h.Child, h.User = r.id, p.Child, r.user
	if found && compareHits(&h, best) >= 0 || !f.accepts(r.id) {
		return false
	}
	*best = h
	return true
}

// acceptedBefore sets h, the first hit on a subshape, to the first one that the predicate of hits
// accepts. It returns false if there is none before best.
func (r *record) acceptedBefore(h *Hit, p *placed.Subshape, ray *geom.Ray, f *Filter, best *Hit, found bool) bool {
	for ok := true; ok && (!found || compareHits(h, best) < 0); h.Hit, ok = r.castSubshapeAfter(p, *ray, f, h.Hit) {
		if f.HitPredicate(*h) {
			return true
		}
	}
	return false
}

// castAny reports whether a ray hits a collider that the filter lets through.
func (r *record) castAny(ray *geom.Ray, f *Filter) bool {
	if f.HitPredicate != nil {
		var first Hit
		return r.castBefore(ray, f, &first, false)
	}
	return f.sees(r) && r.castAnySubshape(ray, f) && f.accepts(r.id)
}

func (r *record) castAnySubshape(ray *geom.Ray, f *Filter) bool {
	subshapes := r.subshapes()
	for i := range subshapes {
		p := &subshapes[i]
		if !p.Strays() {
			if p.CastRayAny(ray, f.Start, f.Cull) {
				return true
			}
			continue
		}
		var h geom.Hit
		if r.castSubshape(&h, p, ray, f) {
			return true
		}
	}
	return false
}

func (r *record) castSubshape(h *geom.Hit, p *placed.Subshape, ray *geom.Ray, f *Filter) bool {
	if !p.CastRay(h, ray, f.Start, f.Cull) {
		return false
	}
	if p.Kind >= placed.KindLocalBox && !r.counts(p, ray, h) {
		var ok bool
		*h, ok = r.castSubshapeAfter(p, *ray, f, *h)
		return ok
	}
	return true
}

func (r *record) castSubshapeAfter(p *placed.Subshape, ray geom.Ray, f *Filter, h geom.Hit) (geom.Hit, bool) {
	h, ok := p.CastRayAfter(ray, f.Cull, &h)
	for ok && !r.counts(p, &ray, &h) {
		h, ok = p.CastRayAfter(ray, f.Cull, &h)
	}
	return h, ok
}

// counts reports whether a hit is on the collider, and not of a ray that strays. Whether the tree
// returns the collider as a candidate of such a ray is chance, and must make no difference.
func (r *record) counts(p *placed.Subshape, ray *geom.Ray, h *geom.Hit) bool {
	return !p.Strays() || r.isInBounds(ray, h)
}

func (r *record) isInBounds(ray *geom.Ray, h *geom.Hit) bool {
	at := ray.At(h.T)
	return r.bounds().Grow(r.slack + float32(placed.RelativeSlack/2*at.Distance(ray.Origin))).Contains(at)
}

func (r *record) hit(h geom.Hit, p *placed.Subshape) Hit {
	return Hit{Hit: h, Collider: r.id, Child: p.Child, User: r.user}
}

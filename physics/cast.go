package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// CastRay returns the closest hit of a ray, in world space, and false if it hits nothing that the filter sees. Of hits at the
// same T it returns the one that comes first by collider, child and triangle.
//
// See also [Space.CastRayAny], which is faster where it does not matter what is hit.
func (s *Space) CastRay(r geom.Ray, f Filter) (Hit, bool) {
	if !r.IsValid() {
		return Hit{}, false
	}
	var best Hit
	found := false
	shorter := r
	visit := func(i uint32) float64 {
		rec := &s.records[i]
		if !f.sees(rec) {
			return end(shorter)
		}
		if h, ok := rec.cast(shorter, &f); ok && (!found || compareHits(&h, &best) < 0) && f.accepts(rec.id) {
			best, found = h, true
			shorter.MaxT = justBeyond(h.T)
			if _, tMax := r.Range(); tMax < shorter.MaxT {
				shorter.MaxT = tMax
			}
		}
		return end(shorter)
	}
	for _, i := range s.planes {
		visit(uint32(i))
	}
	s.tree.VisitRay(shorter, visit)
	return best, found
}

// end returns where a ray ends.
func end(r geom.Ray) float64 {
	_, tMax := r.Range()
	return float64(tMax)
}

// justBeyond returns an end for a ray that leaves out all that is further than t, but nothing that is at t once its own
// T is rounded to single precision.
func justBeyond(t float32) float32 { return math.Nextafter32(t, float32(math.Inf(1))) }

// CastRayAny reports whether a ray hits anything that the filter sees. It stops at the first hit it comes upon.
func (s *Space) CastRayAny(r geom.Ray, f Filter) bool {
	if !r.IsValid() {
		return false
	}
	found := false
	visit := func(i uint32) float64 {
		if rec := &s.records[i]; f.sees(rec) && rec.castAny(r, &f) && f.accepts(rec.id) {
			found = true
			return -1
		}
		return end(r)
	}
	for _, i := range s.planes {
		if visit(uint32(i)); found {
			return true
		}
	}
	s.tree.VisitRay(r, visit)
	return found
}

// CastRayAll appends all hits of a ray to dst, in the order of [Hit.Compare], and returns the longer slice. A solid counts
// once, each child of a compound by itself, and a mesh with every triangle that the ray goes through.
//
// See also [Space.Hits], which finds them one at a time.
func (s *Space) CastRayAll(dst []Hit, r geom.Ray, f Filter) []Hit {
	if !r.IsValid() {
		return dst
	}
	start := len(dst)
	scratch := takeScratch()
	visit := func(i uint32) float64 {
		if rec := &s.records[i]; f.sees(rec) {
			n := len(dst)
			for k := range rec.pieces() {
				p := &rec.pieces()[k]
				scratch.hits = p.castAll(scratch.hits[:0], r, &f)
				for _, h := range scratch.hits {
					if rec.counts(p, r, &h) {
						dst = append(dst, rec.hit(h, p))
					}
				}
			}
			if len(dst) > n && !f.accepts(rec.id) {
				dst = dst[:n]
			}
		}
		return end(r)
	}
	for _, i := range s.planes {
		visit(uint32(i))
	}
	s.tree.VisitRay(r, visit)
	scratch.give()
	slices.SortFunc(dst[start:], Hit.Compare)
	return dst
}

// cast returns the first hit of a ray with any piece.
func (r *record) cast(ray geom.Ray, f *Filter) (best Hit, found bool) {
	pieces := r.pieces()
	for i := range pieces {
		p := &pieces[i]
		if g, ok := r.castPiece(p, ray, f); ok {
			if h := r.hit(g, p); !found || compareHits(&h, &best) < 0 {
				best, found = h, true
			}
		}
	}
	return best, found
}

func (r *record) castAny(ray geom.Ray, f *Filter) bool {
	pieces := r.pieces()
	for i := range pieces {
		p := &pieces[i]
		if p.kind == kindMesh && !p.local.sheared {
			if p.local.mesh.CastRayAny(p.local.back.Ray(ray), f.Cull) {
				return true
			}
		} else if _, ok := r.castPiece(p, ray, f); ok {
			return true
		}
	}
	return false
}

func (r *record) castPiece(p *piece, ray geom.Ray, f *Filter) (geom.Hit, bool) {
	h, ok := p.cast(ray, f)
	if ok && !r.counts(p, ray, &h) {
		return r.castPieceAfter(p, ray, f, h)
	}
	return h, ok
}

func (r *record) castPieceAfter(p *piece, ray geom.Ray, f *Filter, h geom.Hit) (geom.Hit, bool) {
	h, ok := p.castAfter(ray, f, &h)
	for ok && !r.counts(p, ray, &h) {
		h, ok = p.castAfter(ray, f, &h)
	}
	return h, ok
}

// counts reports whether a hit is where the collider is. A strong shear magnifies the rounding of a ray that is taken into
// the shape's space, so that it may hit what it passes. Whether the tree lets such a ray through is chance; that it
// makes no difference is seen to here.
func (r *record) counts(p *piece, ray geom.Ray, h *geom.Hit) bool {
	if p.kind < kindLocalBox || !p.local.sheared {
		return true
	}
	at := ray.At(h.T)
	return r.bounds().Grow(r.slack + float32(relativeSlack/2*at.Distance(ray.Origin))).Contains(at)
}

func (r *record) hit(h geom.Hit, p *piece) Hit {
	return Hit{Hit: h, Collider: r.id, Child: p.child, User: r.user}
}

package physics

import (
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
)

// CastRay returns the closest hit of a ray, in world space, and false if it hits nothing that the
// filter sees. Of hits at the same T it returns the one that comes first by collider, child and
// triangle.
//
// See also [Space.CastRayAny], which is faster where it does not matter what is hit.
func (s *Space) CastRay(r geom.Ray, f Filter) (Hit, bool) {
	var best Hit
	ok := s.castRay(&best, r, &f)
	return best, ok
}

func (s *Space) castRay(best *Hit, r geom.Ray, f *Filter) (found bool) {
	if !r.IsValid() {
		return false
	}
	s.settle()
	_, tMax := r.Range()
	for _, i := range s.planes {
		if s.records[i].castBefore(&r, f, best, found) {
			found = true
			shorten(&r, best.T, tMax)
		}
	}
	w := takeWalk()
	if w.Start(&s.boxes, r) {
		for i, ok := w.Next(); ok; i, ok = w.Next() {
			s.hint(w)
			if s.records[i].castBefore(&r, f, best, found) {
				found = true
				shorten(&r, best.T, tMax)
				w.SetEnd(best.T)
			}
		}
	}
	w.give()
	return found
}

// castBefore casts a ray at a collider and puts its first hit into best, unless that holds one, as
// found says, that comes before.
func (r *record) castBefore(ray *geom.Ray, f *Filter, best *Hit, found bool) bool {
	if !f.sees(r) {
		return false
	}
	pieces := r.pieces()
	better := false
	for i := range pieces {
		p := &pieces[i]
		h := Hit{Collider: r.id, Child: p.child}
		if !r.castPiece(&h.Hit, p, ray, f) || found && h.T > best.T {
			continue
		}
		h.User = r.user
		if found && compareHits(&h, best) >= 0 {
			continue
		}
		if !better && !f.accepts(r.id) {
			return false
		}
		*best, found, better = h, true, true
	}
	return better
}

// shorten ends a ray at a hit, or at its own end tMax if that comes first.
func shorten(r *geom.Ray, t, tMax float32) { r.MaxT = min(justBeyond(t), tMax) }

// justBeyond returns an end for a ray that leaves out all that is further than t, but nothing that
// is at t once its own T is rounded to single precision.
func justBeyond(t float32) float32 { return math.Nextafter32(t, float32(math.Inf(1))) }

// CastRayAny reports whether a ray hits anything that the filter sees. It stops at the first hit it
// comes upon.
func (s *Space) CastRayAny(r geom.Ray, f Filter) bool {
	if !r.IsValid() {
		return false
	}
	return s.castRayAny(r, &f)
}

func (s *Space) castRayAny(r geom.Ray, f *Filter) (found bool) {
	s.settle()
	for _, i := range s.planes {
		if s.records[i].castAny(&r, f) {
			return true
		}
	}
	w := takeWalk()
	if w.StartAny(&s.boxes, r) {
		for i, ok := w.Next(); ok; i, ok = w.Next() {
			s.hint(w)
			if found = s.records[i].castAny(&r, f); found {
				break
			}
		}
	}
	w.give()
	return found
}

// CastRayAll appends all hits of a ray to dst, in the order of [Hit.Compare], and returns the
// longer slice. A solid counts once, each child of a compound by itself, and a mesh with every
// triangle that the ray goes through.
//
// See also [Space.Hits], which finds them one at a time.
func (s *Space) CastRayAll(dst []Hit, r geom.Ray, f Filter) []Hit {
	if !r.IsValid() {
		return dst
	}
	s.settle()
	start := len(dst)
	scratch := takeScratch()
	visit := func(i uint32) {
		if rec := &s.records[i]; f.sees(rec) {
			n := len(dst)
			for k := range rec.pieces() {
				p := &rec.pieces()[k]
				scratch.hits = p.castAll(scratch.hits[:0], r, &f)
				for _, h := range scratch.hits {
					if rec.counts(p, &r, &h) {
						dst = append(dst, rec.hit(h, p))
					}
				}
			}
			if len(dst) > n && !f.accepts(rec.id) {
				dst = dst[:n]
			}
		}
	}
	for _, i := range s.planes {
		visit(uint32(i))
	}
	w := takeWalk()
	if w.Start(&s.boxes, r) {
		for i, ok := w.Next(); ok; i, ok = w.Next() {
			visit(i)
		}
	}
	w.give()
	scratch.give()
	slices.SortFunc(dst[start:], Hit.Compare)
	return dst
}

// castAny reports whether a ray hits a collider that the filter lets through.
func (r *record) castAny(ray *geom.Ray, f *Filter) bool {
	return f.sees(r) && r.castAnyPiece(ray, f) && f.accepts(r.id)
}

func (r *record) castAnyPiece(ray *geom.Ray, f *Filter) bool {
	pieces := r.pieces()
	for i := range pieces {
		p := &pieces[i]
		if p.kind == kindMesh && !p.local.strays {
			if p.local.mesh.CastRayAny(p.local.back.Ray(*ray), f.Cull) {
				return true
			}
			continue
		}
		var h geom.Hit
		if r.castPiece(&h, p, ray, f) {
			return true
		}
	}
	return false
}

func (r *record) castPiece(h *geom.Hit, p *piece, ray *geom.Ray, f *Filter) bool {
	if !p.cast(h, ray, f) {
		return false
	}
	if p.kind >= kindLocalBox && !r.counts(p, ray, h) {
		var ok bool
		*h, ok = r.castPieceAfter(p, *ray, f, *h)
		return ok
	}
	return true
}

func (r *record) castPieceAfter(p *piece, ray geom.Ray, f *Filter, h geom.Hit) (geom.Hit, bool) {
	h, ok := p.castAfter(ray, f, &h)
	for ok && !r.counts(p, &ray, &h) {
		h, ok = p.castAfter(ray, f, &h)
	}
	return h, ok
}

// counts reports whether a hit is where the collider is. A strong shear magnifies the rounding of a
// ray that is taken into the shape's space, so that it may hit what it passes; and so does a strong
// uneven scale with the slanting faces of a hull. Whether the tree lets such a ray through is
// chance; that it makes no difference is seen to here.
func (r *record) counts(p *piece, ray *geom.Ray, h *geom.Hit) bool {
	if p.kind < kindLocalBox || !p.local.strays {
		return true
	}
	at := ray.At(h.T)
	return r.bounds().Grow(r.slack + float32(relativeSlack/2*at.Distance(ray.Origin))).Contains(at)
}

// hint asks memory for what the next candidates of a walk are, as a cast at this one takes as long
// as memory to answer.
func (s *Space) hint(w *walk) {
	if n, ok := w.Peek(0); ok {
		next := &s.records[n]
		broad.Hint(unsafe.Pointer(next))
		if n, ok = w.Peek(1); ok {
			broad.Hint(unsafe.Pointer(&s.records[n]))
		}
		if l := next.single[0].local; l != nil {
			broad.Hint(unsafe.Pointer(l))
		}
	}
}

// walk is a broad.Walk that is used again.
type walk struct{ broad.Walk }

var walks = sync.Pool{New: func() any { return new(walk) }}

func takeWalk() *walk { return walks.Get().(*walk) }

func (w *walk) give() {
	w.Stop()
	walks.Put(w)
}

func (r *record) hit(h geom.Hit, p *piece) Hit {
	return Hit{Hit: h, Collider: r.id, Child: p.child, User: r.user}
}

package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/toi"
)

// sweep is a shape on its way through the world.
type sweep struct {
	body      toi.Body
	path      toi.Path
	at        float64    // the T that the hits of a shape have which stands still; the path begins at 0 then
	low, high geom.DVec3 // where the shape reaches along the world's axes while T is 0
	pad       float64
	limit     float64 // nothing counts after this T
}

// sweepSlack is how far a box may be from a sweep and still be asked, in parts of the lengths involved. It is some times what
// toi takes for touching.
const sweepSlack = 0x1p-31

// start makes the sweep ready; false if the cast can hit nothing.
func (w *sweep) start(c *ShapeCast) bool {
	var f frame
	f.set(&c.Transform)
	w.body = bodyOf(c.Shape, &f)
	lo, hi := geom.Ray{MinT: c.MinT, MaxT: c.MaxT}.Range()
	w.path = toi.Path{Motion: c.Motion.Wide(), Min: float64(lo), Max: float64(hi), Start: c.Start}
	if c.Motion == (geom.Vec3{}) {
		if !(lo <= hi && lo <= math.MaxFloat32) || c.Start != StartReport {
			return false
		}
		// Where it stands is where any path begins.
		w.path.Motion, w.path.Min, w.path.Max, w.at = geom.DVec3{Y: -1}, 0, 0, w.path.Min
	}
	placed := f.affine.IsFinite() && f.scale.IsFinite() && f.rotation.IsFinite()
	if !placed || w.body.IsEmpty() || !w.path.IsValid() {
		return false
	}
	o, m := w.body.Origin(), w.path.Motion
	w.low.X, w.high.X = w.body.Reach(geom.DVec3{X: 1})
	w.low.Y, w.high.Y = w.body.Reach(geom.DVec3{Y: 1})
	w.low.Z, w.high.Z = w.body.Reach(geom.DVec3{Z: 1})
	w.pad = sweepSlack * (total(w.high.Sub(w.low)) + total(o) + float64(w.path.Min*total(m)))
	w.low, w.high = w.low.Add(o), w.high.Add(o)
	w.limit = w.path.Max
	return true
}

func total(v geom.DVec3) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }

// bodyOf returns a shape that is cast as a body in the world, which is empty if it is nowhere. It is placed as a collider is.
func bodyOf(s Shape, f *frame) toi.Body {
	var p piece
	switch s := s.(type) {
	case geom.AABB:
		if p.placeAABB(s, f); p.kind == kindNowhere {
			return toi.Body{}
		}
	case geom.Box:
		if !f.keepsAngles(s.Rotation) {
			return shearedBox(s, &f.affine)
		}
		p.placeBox(s, f)
	case geom.Sphere:
		if !f.even() {
			return toi.Stretched(geom.Capsule{A: s.Center, B: s.Center, Radius: s.Radius}, f.affine)
		}
		p.placeSphere(s, f)
	case geom.Capsule:
		if !f.even() {
			return toi.Stretched(s, f.affine)
		}
		p.placeCapsule(s, f)
	case *hull.Hull:
		if s == nil {
			panic("physics: Space.CastShape: a nil *hull.Hull")
		}
		return toi.Hull(s.Vertices(), f.affine, 0)
	default:
		panic("physics: Space.CastShape: the shape is not a geom.Sphere, Capsule, Box or AABB given by value, or a *hull.Hull")
	}
	return p.body()
}

func shearedBox(b geom.Box, to *geom.Affine) toi.Body {
	return toi.Parallelepiped(b.HalfExtents, to.Mul(geom.Transform{Position: b.Center, Rotation: b.Rotation}.Affine()))
}

// body returns what the piece is if it is convex and has an end, and the empty body if not.
func (p *piece) body() toi.Body {
	switch p.kind {
	case kindAABB:
		return toi.AABB(p.bounds)
	case kindBox:
		return toi.Box(p.shape.box())
	case kindSphere:
		return toi.Sphere(p.shape.sphere())
	case kindCapsule:
		return toi.Capsule(p.shape.capsule())
	case kindLocalBox:
		return shearedBox(p.shape.box(), &p.local.to)
	case kindEllipsoid:
		s := p.shape.sphere()
		return toi.Stretched(geom.Capsule{A: s.Center, B: s.Center, Radius: s.Radius}, p.local.to)
	case kindLocalCapsule:
		return toi.Stretched(p.shape.capsule(), p.local.to)
	case kindHull:
		return toi.Hull(p.local.hull.Vertices(), p.local.to, 0)
	}
	return toi.Body{}
}

// meets reports whether the shape may touch a box before the limit: whether its way, seen as that of a point, leads through the
// box grown by the shape. What is NaN may.
func (w *sweep) meets(b *geom.AABB) bool {
	lo, hi := b.Min.Wide().Sub(w.high), b.Max.Wide().Sub(w.low)
	pad := w.pad + float64(sweepSlack*(total(lo)+total(hi)))
	from, to := w.path.Min, w.limit
	slab := func(lo, hi, m float64) bool {
		lo, hi = lo-pad, hi+pad
		if m == 0 {
			return !(lo > 0 || hi < 0)
		}
		u, v := lo/m, hi/m
		if m < 0 {
			u, v = v, u
		}
		from, to = max(from, u), min(to, v)
		return !(from > to)
	}
	return slab(lo.X, hi.X, w.path.Motion.X) && slab(lo.Y, hi.Y, w.path.Motion.Y) && slab(lo.Z, hi.Z, w.path.Motion.Z)
}

// ahead returns a ray along the way of the shape's middle, and false if that way is short beside the shape.
func (w *sweep) ahead() (geom.Ray, bool) {
	m := w.path.Motion
	if !((w.limit-w.path.Min)*total(m) > 4*total(w.high.Sub(w.low))) {
		return geom.Ray{}, false
	}
	r := geom.Ray{Origin: w.low.Add(w.high).Mul(0.5).Narrow(), Dir: m.Narrow(), MinT: float32(w.path.Min), MaxT: float32(w.limit)}
	return r, r.IsValid()
}

// cast returns where the shape first touches a piece, up to a T.
func (w *sweep) cast(p *piece, limit float64, cull geom.Cull) (toi.Impact, bool) {
	path := w.path
	switch p.kind {
	case kindNowhere:
		return toi.Impact{}, false
	case kindMesh:
		path.Max = min(path.Max, limit)
		return p.local.mesh.CastConvex(&w.body, &path, p.local.to, cull)
	case kindPlane:
		return w.castPlane(p.local, cull)
	}
	b := p.body()
	return toi.Cast(&w.body, &b, &path)
}

func (w *sweep) castPlane(l *local, cull geom.Cull) (toi.Impact, bool) {
	h, ok := toi.CastPlane(&w.body, toi.Plane{Normal: l.normal, Point: l.point}, &w.path)
	if !ok {
		return h, false
	}
	along := l.normal.Dot(w.path.Motion)
	h.BackFace = along > 0 || along == 0 && h.Normal.Dot(l.normal) < 0
	return h, !cull.Culls(h.BackFace)
}

// castBefore casts the shape at a collider and puts its first hit into best, unless that holds one, as found says, that comes
// before.
func (w *sweep) castBefore(r *record, f *Filter, best *ShapeHit, found bool) (better bool) {
	if !f.sees(r) {
		return false
	}
	pieces := r.pieces()
	for i := range pieces {
		p := &pieces[i]
		limit := w.limit
		if better {
			limit = float64(justBeyond(best.T))
		}
		g, ok := w.cast(p, limit, f.Cull)
		if !ok {
			continue
		}
		h := w.hit(r, p, &g)
		if found && compareShapeHits(&h, best) >= 0 {
			continue
		}
		if !better && !f.accepts(r.id) {
			return false
		}
		*best, found, better = h, true, true
	}
	return better
}

// castAny reports whether the shape touches any piece of a collider.
func (w *sweep) castAny(r *record, cull geom.Cull) bool {
	pieces := r.pieces()
	for i := range pieces {
		p := &pieces[i]
		if p.kind == kindMesh {
			if p.local.mesh.CastConvexAny(&w.body, &w.path, p.local.to, cull) {
				return true
			}
		} else if _, ok := w.cast(p, w.path.Max, cull); ok {
			return true
		}
	}
	return false
}

func (w *sweep) hit(r *record, p *piece, h *toi.Impact) ShapeHit {
	return ShapeHit{
		T: float32(h.T + w.at), Point: h.PointB.Narrow(), PointOnShape: h.PointA.Narrow(), Normal: h.Normal.Narrow(),
		Depth: float32(h.Depth), Overlaps: h.Overlaps, BackFace: h.BackFace,
		Collider: r.id, Child: p.child, Triangle: h.Triangle, User: r.user,
	}
}

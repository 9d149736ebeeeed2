package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
	"github.com/hitscan-go/hitscan/physics/internal/toi"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// sweep is a shape on its way through the world.
type sweep struct {
	body  toi.Body
	path  toi.Path
	at    float64 // the T that the hits of a shape have which stands still; the path begins at 0 then
	limit float64 // nothing counts after this T
	way   broad.Sweep
}

// lowest is as far as anything in a space may reach.
var lowest = geom.Vec3{X: -math.MaxFloat32, Y: -math.MaxFloat32, Z: -math.MaxFloat32}

// start makes the sweep ready; false if the cast can hit nothing.
func (w *sweep) start(c *ShapeCast) bool {
	placed := w.placeUnturned(c.Shape, &c.Transform)
	if !placed {
		var f frame
		f.set(&c.Transform)
		w.body = bodyOf(c.Shape, &f)
		placed = f.affine.IsFinite() && f.scale.IsFinite() && f.rotation.IsFinite()
	}
	lo, hi := geom.Ray{MinT: c.MinT, MaxT: c.MaxT}.Range()
	w.path = toi.Path{Motion: c.Motion.Wide(), Min: float64(lo), Max: float64(hi), Start: toi.Start(c.Start)}
	if c.Motion == (geom.Vec3{}) {
		if !(lo <= hi && lo <= math.MaxFloat32) || c.Start != StartReport {
			return false
		}
		// Where it stands is where any path begins.
		w.path.Motion, w.path.Min, w.path.Max, w.at = geom.DVec3{Y: -1}, 0, 0, w.path.Min
	}
	if !placed || w.body.IsEmpty() || !w.path.IsValid() {
		return false
	}
	low, high := w.body.Bounds()
	w.way = broad.Sweep{
		Low: low.Narrow().Max(lowest), High: high.Narrow().Min(lowest.Neg()), Dir: w.path.Motion.Narrow(), MinT: float32(w.path.Min), MaxT: float32(w.path.Max),
	}
	w.limit = w.path.Max
	return true
}

// placeUnturned does what bodyOf does for the capsules and spheres of those who stand upright, in a
// fraction of the time. It reports false, and has done nothing, for anything else.
func (w *sweep) placeUnturned(s Shape, t *geom.Transform) bool {
	f, q := t.Factors(), t.Rotation
	scale := f.Abs()
	if !(turnsNothing(q) && finite(q.W) && scale.X == scale.Y && scale.Y == scale.Z && finite(scale.X) && t.Position.IsFinite()) {
		return false
	}
	o := t.Position.Wide()
	place := func(p geom.Vec3) geom.Vec3 { // as geom.Affine.Point does
		return geom.Vec3{
			X: float32(float64(float64(f.X)*float64(p.X)) + 0 + o.X),
			Y: float32(float64(float64(f.Y)*float64(p.Y)) + 0 + o.Y),
			Z: float32(float64(float64(f.Z)*float64(p.Z)) + 0 + o.Z),
		}
	}
	switch s := s.(type) {
	case geom.Sphere:
		if s.IsEmpty() {
			return false
		}
		w.body = toi.Sphere(geom.Sphere{Center: place(s.Center), Radius: s.Radius * scale.X})
		return true
	case geom.Capsule:
		if s.IsEmpty() {
			return false
		}
		w.body = toi.Capsule(geom.Capsule{A: place(s.A), B: place(s.B), Radius: s.Radius * scale.X})
		return true
	}
	return false
}

// bodyOf returns a shape that is cast as a body in the world, which is empty if it is nowhere. It
// is placed as a collider is.
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
		return toi.HullOfPoints(s.Vertices(), f.affine, 0)
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
		return toi.ConvexHull(p.local.hull, p.local.to)
	}
	return toi.Body{}
}

// cast returns where the shape first touches a piece, up to a T.
func (w *sweep) cast(p *piece, limit float64, cull geom.Cull) (toi.Impact, bool) {
	path := w.path
	path.Max = min(path.Max, limit)
	switch p.kind {
	case kindNowhere:
		return toi.Impact{}, false
	case kindMesh:
		path := meshPath(&path)
		h, ok := p.local.mesh.CastConvex((*mesh.Convex)(&w.body), &path, p.local.to, cull)
		return toi.Impact(h), ok
	case kindPlane:
		return w.castPlane(p.local, cull)
	}
	b := p.body()
	return toi.Cast(&w.body, &b, &path)
}

func meshPath(p *toi.Path) mesh.Path {
	return mesh.Path{Motion: p.Motion, Min: p.Min, Max: p.Max, Start: mesh.StartMode(p.Start)}
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

// castBefore casts the shape at a collider and puts its first hit into best, unless that holds one,
// as found says, that comes before.
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

// castAny reports whether the shape touches any piece of a collider that the filter lets through.
func (w *sweep) castAny(r *record, f *Filter) bool {
	return f.sees(r) && w.castAnyPiece(r, f.Cull) && f.accepts(r.id)
}

func (w *sweep) castAnyPiece(r *record, cull geom.Cull) bool {
	pieces := r.pieces()
	for i := range pieces {
		p := &pieces[i]
		if p.kind == kindMesh {
			path := meshPath(&w.path)
			if p.local.mesh.CastConvexAny((*mesh.Convex)(&w.body), &path, p.local.to, cull) {
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

package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// sweep is a shape that moves through the world.
type sweep struct {
	body  narrow.Shape
	path  narrow.Path
	flat  bool    // in a planar space
	at    float64 // of a shape without motion: the T of its hits, as its path begins at 0
	limit float64 // hits after this T do not count
	way   broad.Sweep
}

// lowest is the corner of the box of all finite positions.
var lowest = geom.Vec3{X: -math.MaxFloat32, Y: -math.MaxFloat32, Z: -math.MaxFloat32}

// start prepares the sweep; false if the cast can hit nothing.
func (w *sweep) start(s *Space, c *ShapeCast) bool {
	if s.planar {
		requireShape(c.Shape, "Space.CastShape", true)
	}
	s.layCast(c)
	if !placed.SetBody(&w.body, c.Shape, &c.Transform) {
		requireConvex(c.Shape, "Space.CastShape")
		return false
	}
	w.flat = s.planar
	w.body.SetPlanar(w.flat)
	lo, hi := geom.Ray{MinT: c.MinT, MaxT: c.MaxT}.Range()
	w.path = narrow.Path{Motion: c.Motion.Wide(), Min: float64(lo), Max: lastRounded(hi), Start: narrow.Start(c.Start)}
	if c.Motion == (geom.Vec3{}) {
		if !(lo <= hi && lo <= math.MaxFloat32) || c.Start != StartReport {
			return false
		}
		// Any motion has the same start.
		w.path.Motion, w.path.Min, w.path.Max, w.at = geom.DVec3{Y: -1}, 0, 0, w.path.Min
	}
	if !w.path.IsValid() {
		return false
	}
	b := w.body.Bounds()
	w.way = broad.Sweep{
		Low: b.Min.Max(lowest), High: b.Max.Min(lowest.Neg()), Dir: w.path.Motion.Narrow(), MinT: float32(w.path.Min), MaxT: placed.JustBeyond(float32(w.path.Max)),
	}
	w.limit = w.path.Max
	return true
}

// lastRounded returns the largest number of double precision below all that are rounded to more
// than x in single precision: the limit of a T that is rounded when it is returned.
func lastRounded(x float32) float64 {
	next := float64(placed.JustBeyond(x))
	if math.IsInf(next, 0) {
		return float64(x)
	}
	return math.Nextafter(float64(x)+float64((next-float64(x))/2), 0)
}

// requireConvex panics, with the name of the calling function, if a shape cannot be moved through
// the world.
func requireConvex(s Shape, name string) {
	switch s := s.(type) {
	case geom.AABB, geom.Box, geom.Sphere, geom.Capsule, geom.Cone, geom.TaperedCapsule:
	case *hull.Hull:
		if s == nil {
			panic("physics: " + name + ": a nil *hull.Hull")
		}
	default:
		panic("physics: " + name + ": the shape is not a geom.Sphere, Capsule, TaperedCapsule, Cone, Box or AABB given by value, or a *hull.Hull")
	}
}

// castBefore casts the shape at a collider. It writes its first hit to best and returns true,
// unless best holds a hit, as found says, that comes before.
func (w *sweep) castBefore(r *record, f *Filter, best *ShapeHit, found bool) (better bool) {
	if !f.sees(r) {
		return false
	}
	subshapes := r.subshapes()
	for i := range subshapes {
		p := &subshapes[i]
		path := w.path
		path.Max = min(path.Max, w.limit)
		if better {
			path.Max = min(path.Max, float64(placed.JustBeyond(best.T)))
		}
		g, ok := p.CastBody(&w.body, &path, f.Cull)
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

// castAny reports whether the shape touches a collider that the filter lets through.
func (w *sweep) castAny(r *record, f *Filter) bool {
	return f.sees(r) && w.castAnySubshape(r, f.Cull) && f.accepts(r.id)
}

func (w *sweep) castAnySubshape(r *record, cull geom.Cull) bool {
	subshapes := r.subshapes()
	for i := range subshapes {
		if subshapes[i].CastBodyAny(&w.body, &w.path, cull) {
			return true
		}
	}
	return false
}

func (w *sweep) hit(r *record, p *placed.Subshape, h *narrow.Impact) ShapeHit {
	if w.flat { // rounding, and the thickness of shapes, leave something
		h.PointA.Z, h.PointB.Z, h.Normal.Z = 0, 0, 0
	}
	return ShapeHit{
		T: float32(h.T + w.at), Point: h.PointB.Narrow(), PointOnShape: h.PointA.Narrow(), Normal: h.Normal.Narrow(),
		Depth: float32(h.Depth), Overlaps: h.Overlaps, BackFace: h.BackFace, Inexact: h.Inexact,
		Collider: r.id, Child: p.Child, Triangle: h.Triangle, User: r.user,
	}
}

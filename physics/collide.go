package physics

import (
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Collide appends to dst the contact manifolds of two shapes that touch or are no further apart
// than margin, in metres, and returns the longer slice. Manifolds are in the order of ChildA and
// ChildB. There is none if either shape is nowhere, the margin is negative or NaN, or both are
// planes.
//
// Two convex shapes have at most one manifold. Triangles of a mesh that meet the other shape in the
// same direction share one, and a shape that lies flat on triangles has no contacts with the edges
// between them.
//
// Panics if a shape is nil, or none of those that [Shape] lists.
func Collide(dst []Manifold, a, b Placed, margin float32) []Manifold {
	w := takeScratch()
	defer w.give()
	if !(margin >= 0) || !w.place(&a, &b, "Collide", false) {
		return dst
	}
	return w.collide(dst, w.a.subshapes, w.b.subshapes, margin)
}

// Collide appends to dst the contact manifolds of two colliders, as [Collide] does, whatever their
// layers and whether they are sensors. There is none if either is not in the space, or if they are
// the same.
func (s *Space) Collide(dst []Manifold, a, b ColliderID, margin float32) []Manifold {
	x, y := s.lookup(a), s.lookup(b)
	if x == nil || y == nil || x == y || x.where == nowhere || y.where == nowhere || !(margin >= 0) {
		return dst
	}
	p, q := &x.single[0], &y.single[0]
	if p.IsConvex() && q.IsConvex() {
		return collideConvex(dst, p, q, margin)
	}
	w := takeScratch()
	dst = w.collide(dst, x.subshapes(), y.subshapes(), margin)
	w.give()
	return dst
}

// collide appends the manifolds between two colliders.
func (w *scratch) collide(dst []Manifold, a, b []placed.Subshape, margin float32) []Manifold {
	reach := float32(-1) // of bounds; unknown
	if min(len(a), len(b)) > 1 {
		reach = placed.Pad(a, b, margin)
	}
	from := len(dst)
	w.sunk, w.finder.Sunk = w.sunk[:0], narrow.NotSunk
	for i := range a {
		isSet := false // w.x is a[i]
		for j := range b {
			p, q := &a[i], &b[j]
			switch {
			case p.Planar || q.Planar:
				dst, isSet = w.collidePlanar(dst, p, q, margin), false
				if w.finder.Sunk != narrow.NotSunk {
					w.addSunk(a, b, i, j)
				}
			case !p.IsConvex() || !q.IsConvex():
				dst, isSet = w.collideMesh(dst, p, q, margin), false
			case p.Kind == placed.KindPlane || q.Kind == placed.KindPlane:
				dst, isSet = collidePlane(w, dst, p, q, margin), false
			case reach >= 0 && !p.Bounds.Grow(reach).OverlapsAABB(q.Bounds), reach < 0 && !placed.MayTouch(p, q, margin):
			case p.IsSimple() && q.IsSimple():
				dst = collideSimple(dst, p, q, margin)
			default:
				if !isSet {
					p.SetPart(&w.x, placed.Whole)
					isSet = true
				}
				q.SetPart(&w.y, placed.Whole)
				if w.finder.Collide(&w.x, &w.y, float64(margin)); w.finder.N > 0 {
					dst = appendManifold(dst, &w.finder.Manifold, p, q)
				}
			}
		}
	}
	if len(w.sunk) > 0 {
		dst = w.leadOut(dst, from, a, b, margin)
	}
	return dst
}

// collideConvex appends the manifold, if any, of two subshapes that are no meshes.
func collideConvex(dst []Manifold, a, b *placed.Subshape, margin float32) []Manifold {
	if a.Planar || b.Planar {
		w := takeScratch()
		dst = w.collidePlanar(dst, a, b, margin)
		scratches.Put(w)
		return dst
	}
	if a.Kind == placed.KindPlane || b.Kind == placed.KindPlane {
		return collidePlane(nil, dst, a, b, margin)
	}
	if !placed.MayTouch(a, b, margin) {
		return dst
	}
	if a.IsSimple() && b.IsSimple() {
		return collideSimple(dst, a, b, margin)
	}
	w := takeScratch()
	a.SetPart(&w.x, placed.Whole)
	b.SetPart(&w.y, placed.Whole)
	if w.finder.Collide(&w.x, &w.y, float64(margin)); w.finder.N > 0 {
		dst = appendManifold(dst, &w.finder.Manifold, a, b)
	}
	scratches.Put(w) // give would clear memory that was not used
	return dst
}

// collideSimple is collideConvex for two subshapes that are simple.
func collideSimple(dst []Manifold, a, b *placed.Subshape, margin float32) []Manifold {
	var n narrow.Manifold
	if a.Kind == placed.KindCapsule && b.Kind == placed.KindCapsule {
		x, y := a.Capsule(), b.Capsule()
		if n.CollideCapsules(&x, &y, float64(margin)) {
			if n.N > 0 {
				dst = appendManifold(dst, &n, a, b)
			}
			return dst
		}
	}
	var x, y narrow.Simple
	a.SetSimple(&x)
	b.SetSimple(&y)
	if n.CollideSimple(&x, &y, float64(margin)); n.N > 0 {
		dst = appendManifold(dst, &n, a, b)
	}
	return dst
}

// collidePlane is collideConvex if one subshape is a plane. Two planes have no contacts. It takes
// scratch memory of its own if it needs some and w is nil.
func collidePlane(w *scratch, dst []Manifold, a, b *placed.Subshape, margin float32) []Manifold {
	o, plane := a, b
	if a.Kind == placed.KindPlane {
		o, plane = b, a
	}
	from := len(dst)
	switch {
	case o.Kind == placed.KindPlane:
		return dst
	case o.IsSimple():
		var n narrow.Manifold
		var x narrow.Simple
		o.SetSimple(&x)
		if n.CollidePlane(&x, plane.Behind(x.Center()), float64(margin)); n.N > 0 {
			dst = appendManifold(dst, &n, o, plane)
		}
	case o.Kind != placed.KindBox && o.Kind != placed.KindAABB && !placed.MayTouch(o, plane, margin):
		return dst // a box takes no longer
	default:
		if o.Kind == placed.KindCone {
			var n narrow.Manifold
			if n.CollideConePlane(o.Cone(), &o.Local.To, plane.Plane(), float64(margin)) {
				if n.N > 0 {
					dst = appendManifold(dst, &n, o, plane)
				}
				break
			}
		}
		own := w == nil
		if own {
			w = takeScratch()
		}
		if w.findOnPlane(o, plane, float64(margin)); w.finder.N > 0 {
			dst = appendManifold(dst, &w.finder.Manifold, o, plane)
		}
		if own {
			scratches.Put(w)
		}
	}
	if o != a && len(dst) > from {
		dst[from].flip()
	}
	return dst
}

// findOnPlane finds the contacts of a subshape with a plane.
func (w *scratch) findOnPlane(o, plane *placed.Subshape, margin float64) {
	if o.Kind == placed.KindHull && !o.Strays() {
		w.finder.CollideHullPlane(o.Local.Hull, &o.Local.To, plane.Plane(), margin)
		return
	}
	o.SetPart(&w.x, placed.Whole)
	w.finder.CollidePlane(&w.x, plane.Behind(w.x.Center()), margin)
}

// appendManifold appends the manifold of two convex subshapes that touch.
func appendManifold(dst []Manifold, n *narrow.Manifold, a, b *placed.Subshape) []Manifold {
	dst = append(dst, Manifold{})
	m := &dst[len(dst)-1]
	m.Normal, m.N, m.ChildA, m.ChildB = n.Normal.Narrow(), int32(n.N), a.Child, b.Child
	for i := range n.N {
		m.Points[i].set(&n.Points[i], placed.PartsOf(placed.Whole, placed.Whole))
	}
	return dst
}

package physics

import (
	"errors"
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// A planar space is one of a 2D game. Colliders are those of any space, laid into the plane Z = 0:
// rays, casts and overlaps find in that plane what they find in three dimensions. Depths and
// contacts differ, since the shortest way out of a flat shape leads out of the plane: they are
// those of outlines, in package narrow.

// NewPlanarSpace returns a [Space] without colliders for a 2D game: what is in it lies in the XY
// plane, and penetration, contacts, pushes and casts stay in that plane.
//
// Of a transform, only what [geom.Transform.Flat] returns counts, and of a shape what the plane
// Z = 0 cuts out of it. A collider may be a [geom.Sphere] (a circle), a [geom.Capsule], a
// [geom.AABB] or a [geom.Box] of any thickness, 0 too, a [geom.Plane] (a half-plane), a convex
// polygon of [hull.NewPolygon], or a [Compound] of these, such as [NewTiles] and [NewChain] make. A
// circle or capsule with different scales along X and Y is nowhere.
//
// [Space.Add], [Space.Set], the queries that take a [Placed], casts of shapes and [Mover.Move]
// panic for any other shape, and for one that is not centred on the plane or is turned out of it.
func NewPlanarSpace() *Space { return &Space{planar: true} }

// IsPlanar reports whether the space was made by [NewPlanarSpace].
func (s *Space) IsPlanar() bool { return s.planar }

// PenetratePlanar is [Penetrate] of two shapes in the plane Z = 0, placed as [NewPlanarSpace] says.
// Normal, PointA and PointB are in the plane.
//
// Panics if a shape is nil, or not one of those that NewPlanarSpace lists.
func PenetratePlanar(a, b Placed) (Penetration, bool) {
	w := takeScratch()
	defer w.give()
	if !w.place(&a, &b, "PenetratePlanar", true) {
		return Penetration{}, false
	}
	return w.penetrate(w.a.subshapes, w.b.subshapes)
}

// CollidePlanar is [Collide] of two shapes in the plane Z = 0, placed as [NewPlanarSpace] says.
// Manifolds have at most two points. Vertices and sides of boxes and polygons are counted
// counter-clockwise, from the corner of least X and Y of a box; the [Feature] of a side is a face.
//
// Panics if a shape is nil, or not one of those that NewPlanarSpace lists.
func CollidePlanar(dst []Manifold, a, b Placed, margin float32) []Manifold {
	w := takeScratch()
	defer w.give()
	if !(margin >= 0) || !w.place(&a, &b, "CollidePlanar", true) {
		return dst
	}
	return w.collide(dst, w.a.subshapes, w.b.subshapes, margin)
}

// collidePlanar appends the manifold of two subshapes in the plane, if there is one.
func (w *scratch) collidePlanar(dst []Manifold, a, b *placed.Subshape, margin float32) []Manifold {
	if !placed.MayTouch(a, b, margin) {
		return dst
	}
	if a.IsFlatBox() && b.IsFlatBox() {
		var p, q narrow.FlatBox
		a.SetFlatBox(&p)
		b.SetFlatBox(&q)
		return w.collideFlat(dst, &p, &q, a, b, margin)
	}
	return w.collideOutlines(dst, a, b, margin)
}

// collideFlat is collidePlanar of two boxes.
func (w *scratch) collideFlat(dst []Manifold, p, q *narrow.FlatBox, a, b *placed.Subshape, margin float32) []Manifold {
	gap, ok := w.finder.CollideFlat(p, q, float64(margin))
	if !ok {
		return w.collideOutlines(dst, a, b, margin)
	}
	if w.gap = gap; w.finder.N > 0 {
		dst = appendManifold(dst, &w.finder.Manifold, a, b)
	}
	return dst
}

// collideOutlines is collidePlanar of any two subshapes whose bounds are near each other.
func (w *scratch) collideOutlines(dst []Manifold, a, b *placed.Subshape, margin float32) []Manifold {
	placed.PartsOf(placed.Whole, placed.Whole).Shapes(&w.x, &w.y, a, b)
	if w.finder.Collide(&w.x, &w.y, float64(margin)); w.finder.N > 0 {
		dst = appendManifold(dst, &w.finder.Manifold, a, b)
	}
	return dst
}

// refusedPlanar returns why a shape cannot be added to a planar space, and "" if it can.
func refusedPlanar(s Shape) string {
	off, turned := false, false
	switch s := s.(type) {
	case geom.AABB:
		off = !s.IsEmpty() && (s.Min.Z > 0 || s.Max.Z < 0)
	case geom.Box:
		h := s.HalfExtents.Z
		off, turned = s.Center.Z > h || s.Center.Z < -h, !staysFlat(s.Rotation)
	case geom.Sphere:
		off = isOff(s.Center.Z)
	case geom.Capsule:
		off = isOff(s.A.Z) || isOff(s.B.Z)
	case geom.Plane:
		turned = isOff(s.Normal.Z)
	case *hull.Hull:
		if s != nil && !s.IsEmpty() && len(s.Corners()) == 0 {
			return "a hull of a planar space is made by hull.NewPolygon"
		}
	case *Compound:
		if s == nil {
			break
		}
		for i := range s.children {
			if why := refusedPlanar(s.children[i].Shape); why != "" {
				return fmt.Sprintf("child %d: %s", i, why)
			}
		}
	default:
		if refused(s) == "" {
			return "a " + typeName(s) + " is no shape of a planar space"
		}
	}
	switch {
	case off:
		return "a " + typeName(s) + " that is not centred on the plane"
	case turned:
		return "a " + typeName(s) + " that is turned out of the plane"
	}
	return refused(s)
}

func isOff(z float32) bool { return z > 0 || z < 0 } // NaN is nowhere, and refused nowhere

func staysFlat(q geom.Quat) bool { return !isOff(q.X) && !isOff(q.Y) }

// refusedIn returns why a shape cannot be added to a space, which may be planar, and "" if it can.
func refusedIn(s Shape, planar bool) string {
	if planar {
		return refusedPlanar(s)
	}
	return refused(s)
}

// CheckShape returns why [Space.Add] and [Space.Set] panic for a shape, and nil if they take it. It
// is for shapes that come from files. A planar space takes fewer: see [NewPlanarSpace].
func (s *Space) CheckShape(shape Shape) error {
	if why := refusedIn(shape, s.planar); why != "" {
		return errors.New("physics: " + why)
	}
	return nil
}

// requireShape panics, with the name of the calling function, for a shape that cannot be in a
// space. The answers about a solid without an outline would leave the plane.
func requireShape(s Shape, name string, planar bool) {
	if why := refusedIn(s, planar); why != "" {
		panic("physics: " + name + ": " + why)
	}
}

// lay lays a transform into the plane, if the space is planar.
func (s *Space) lay(t *geom.Transform) {
	if s.planar {
		*t = t.Flat()
	}
}

// layCast lays a cast into the plane, if the space is planar.
func (s *Space) layCast(c *ShapeCast) {
	if s.planar {
		c.Transform = c.Transform.Flat()
		c.Motion.Z *= 0
	}
}

package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// OverlapFrustum appends the colliders that a frustum in world space touches to dst, lowest ID
// first, and returns the longer slice: what a camera may see, a marquee catches, or a cone of view
// takes in. It does not err for large things near an edge, as tests of one plane after the other
// do. Surfaces are closed, planes and meshes are surfaces; see [Space.OverlapAABB]. Near the
// surface of a frustum single precision decides, as a fraction of the coordinates: what is nearer
// than 2·10⁻⁷ of them touches.
//
// Any six half-spaces will do, also such as leave the frustum open to infinity. One with a NaN in
// it touches nothing.
//
// What is within the frustum with its bounds, or outside with them, is told by the planes at once
// (Assarsson and Möller, 2000). Of what is neither, the part of the frustum that is in the bounds
// is cut out, and its corners are held against the shape (Gilbert, Johnson and Keerthi, 1988).
func (s *Space) OverlapFrustum(dst []ColliderID, f *geom.Frustum, filter Filter) []ColliderID {
	return s.inFrustum(dst, f, false, filter)
}

// ContainedInFrustum appends the colliders that lie in a frustum as a whole, with each child if
// they are compounds, to dst, lowest ID first, and returns the longer slice: what a marquee selects
// that has to enclose things. Touching the surface from within is inside. A plane, which has no
// end, is inside of nothing. See [Space.OverlapFrustum].
func (s *Space) ContainedInFrustum(dst []ColliderID, f *geom.Frustum, filter Filter) []ColliderID {
	return s.inFrustum(dst, f, true, filter)
}

func (s *Space) inFrustum(dst []ColliderID, f *geom.Frustum, whole bool, filter Filter) []ColliderID {
	s.settle()
	start := len(dst)
	s.visitFrustum(f, func(i uint32) bool {
		if r := &s.records[i]; filter.sees(r) && inFrustum(r.pieces(), f, whole) && filter.accepts(r.id) {
			dst = append(dst, r.id)
		}
		return true
	})
	slices.Sort(dst[start:])
	return dst
}

// inFrustum reports whether any of the pieces touches a frustum or, if whole, every one is inside.
func inFrustum(pieces []piece, f *geom.Frustum, whole bool) bool {
	for i := range pieces {
		if whole && !pieces[i].insideFrustum(f) {
			return false
		}
		if !whole && pieces[i].overlapsFrustum(f) {
			return true
		}
	}
	return whole
}

// visitFrustum calls visit with every record that a frustum may touch.
func (s *Space) visitFrustum(f *geom.Frustum, visit func(i uint32) bool) {
	for _, i := range s.planes {
		visit(uint32(i))
	}
	s.boxes.VisitWhere(func(box *geom.AABB) bool { return f.OverlapsAABB(*box) }, visit)
}

// overlapsFrustum reports whether a piece and a frustum have a point in common.
func (p *piece) overlapsFrustum(f *geom.Frustum) bool {
	if p.kind == kindPlane {
		return frustumMeetsPlane(f, p.local.normal, p.local.point)
	}
	switch f.ClassifyAABB(grown(p.bounds, touching(p.bounds))) {
	case geom.Outside:
		return false
	case geom.Contained:
		return true
	}
	cut := cutOut(f, p.bounds)
	part := narrow.CornersOf(cut.p[:cut.n], float64(touching(p.bounds)))
	if p.kind == kindMesh {
		return p.meshOverlapsFrustum(f, &part)
	}
	var s narrow.Shape
	p.facet(&s, whole)
	return part.Overlaps(&s)
}

// meshOverlapsFrustum looks for a triangle that touches the part of a frustum that is in the mesh's
// bounds.
func (p *piece) meshOverlapsFrustum(f *geom.Frustum, part *narrow.Corners) (found bool) {
	var s narrow.Shape
	p.visitMesh(func(box geom.AABB) bool {
		class := f.ClassifyAABB(box)
		found = found || class == geom.Contained // no box of the tree is without a triangle
		return class == geom.Intersecting && !found
	}, func(t geom.Triangle) bool {
		if !found {
			s.SetTriangle(t)
			found = part.Overlaps(&s)
		}
		return !found
	})
	return found
}

// insideFrustum reports whether all of a piece is in a frustum.
func (p *piece) insideFrustum(f *geom.Frustum) bool {
	switch {
	case p.kind == kindPlane:
		return false
	case f.ClassifyAABB(grown(p.bounds, touching(p.bounds))) == geom.Contained:
		return true
	case p.kind == kindMesh:
		return p.meshInsideFrustum(f)
	}
	var s narrow.Shape
	p.facet(&s, whole)
	for i := range f {
		h := &f[i]
		if low := -s.Reach(h.Normal.Neg()); !(low-h.D+roundingOf(low, h.D) >= 0) {
			return false
		}
	}
	return !s.IsEmpty()
}

func (p *piece) meshInsideFrustum(f *geom.Frustum) bool {
	inside := true
	p.visitMesh(func(box geom.AABB) bool {
		class := f.ClassifyAABB(box)
		inside = inside && class != geom.Outside
		return class == geom.Intersecting && inside
	}, func(t geom.Triangle) bool {
		inside = inside && f.ContainsPoint(t.A) && f.ContainsPoint(t.B) && f.ContainsPoint(t.C)
		return inside
	})
	return inside
}

// visitMesh calls visit with the triangles, in world space, that are in boxes of the mesh's tree
// which enter lets through, until visit returns false. The boxes are in world space too, and a
// little larger for what is rounded off.
func (p *piece) visitMesh(enter func(box geom.AABB) bool, visit func(t geom.Triangle) bool) {
	l := p.local
	slack := relativeSlack * p.farthest()
	l.mesh.VisitNearest(0, func(box geom.AABB) float64 {
		if enter(grown(l.to.Bounds(box), slack)) {
			return 0
		}
		return math.Inf(1)
	}, func(i int) float64 {
		if visit(l.triangle(i)) {
			return 0
		}
		return -1
	})
}

// grown returns a box grown by a little, as far as single precision reaches.
func grown(b geom.AABB, by float32) geom.AABB {
	b = b.Grow(by)
	most := geom.Vec3{X: math.MaxFloat32, Y: math.MaxFloat32, Z: math.MaxFloat32}
	return geom.AABB{Min: b.Min.Max(most.Neg()), Max: b.Max.Min(most)}
}

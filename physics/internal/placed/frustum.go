package placed

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// OverlapsFrustum reports whether a subshape and a frustum have a point in common.
//
// Bounds that are inside or outside the frustum as a whole are decided by its planes (Assarsson and
// Möller, 2000). Otherwise the part of the frustum within the bounds is cut out, and the distance
// between the hull of its corners and the shape decides (Gilbert, Johnson and Keerthi, 1988).
func (p *Subshape) OverlapsFrustum(f *geom.Frustum) bool {
	if p.Kind == KindPlane {
		return frustumMeetsPlane(f, p.Local.Normal, p.Local.Point)
	}
	switch f.ClassifyAABB(grown(p.Bounds, Touching(p.Bounds))) {
	case geom.Outside:
		return false
	case geom.Contained:
		return true
	}
	cut := cutOut(f, p.Bounds)
	part := narrow.CornersOf(cut.p[:cut.n], float64(Touching(p.Bounds)))
	if p.Kind == KindMesh {
		return p.meshOverlapsFrustum(f, &part)
	}
	var s narrow.Shape
	p.SetPart(&s, Whole)
	return part.Overlaps(&s)
}

// meshOverlapsFrustum searches for a triangle that touches the part of a frustum within the mesh's
// bounds.
func (p *Subshape) meshOverlapsFrustum(f *geom.Frustum, part *narrow.Corners) (found bool) {
	var s narrow.Shape
	p.visitMesh(func(box geom.AABB) bool {
		class := f.ClassifyAABB(box)
		found = found || class == geom.Contained // every box of the tree holds a triangle
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

// IsInFrustum reports whether a frustum contains all of a subshape. It contains no plane.
func (p *Subshape) IsInFrustum(f *geom.Frustum) bool {
	switch {
	case p.Kind == KindPlane:
		return false
	case f.ClassifyAABB(grown(p.Bounds, Touching(p.Bounds))) == geom.Contained:
		return true
	case p.Kind == KindMesh:
		return p.meshIsInFrustum(f)
	}
	var s narrow.Shape
	p.SetPart(&s, Whole)
	for i := range f {
		h := &f[i]
		if low := -s.Reach(h.Normal.Neg()); !(low-h.D+roundingOf(low, h.D) >= 0) {
			return false
		}
	}
	return !s.IsEmpty()
}

func (p *Subshape) meshIsInFrustum(f *geom.Frustum) bool {
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

// visitMesh calls visit with the triangles in those boxes of the mesh's tree for which enter
// returns true, until visit returns false. Triangles and boxes are in world space; the boxes are
// grown to cover rounding.
func (p *Subshape) visitMesh(enter func(box geom.AABB) bool, visit func(t geom.Triangle) bool) {
	l := p.Local
	slack := RelativeSlack * p.farthest()
	l.Mesh.VisitNearest(0, func(box geom.AABB) float64 {
		if enter(grown(l.To.Bounds(box), slack)) {
			return 0
		}
		return math.Inf(1)
	}, func(i int) float64 {
		if visit(l.Triangle(i)) {
			return 0
		}
		return -1
	})
}

// grown returns a box grown by a distance, within the range of single precision.
func grown(b geom.AABB, by float32) geom.AABB {
	b = b.Grow(by)
	most := geom.Vec3{X: math.MaxFloat32, Y: math.MaxFloat32, Z: math.MaxFloat32}
	return geom.AABB{Min: b.Min.Max(most.Neg()), Max: b.Max.Min(most)}
}

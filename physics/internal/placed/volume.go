package placed

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// Volume is the volume of an overlap query, in world space.
type Volume struct {
	Bounds geom.AABB
	kind   Kind // KindAABB, KindBox or KindSphere; a point is a sphere of radius 0
	sphere geom.Sphere
	box    geom.Box
	shape  narrow.Shape
}

// AABBVolume returns an axis-aligned box as a volume.
func AABBVolume(b geom.AABB) Volume {
	return Volume{kind: KindAABB, Bounds: b, shape: narrow.AABB(b)}
}

// BoxVolume returns a rotated box as a volume.
func BoxVolume(b geom.Box) Volume {
	return Volume{kind: KindBox, Bounds: b.Bounds(), box: b, shape: narrow.Box(b)}
}

// SphereVolume returns a sphere, or a point if its radius is 0, as a volume.
func SphereVolume(s geom.Sphere) Volume {
	return Volume{kind: KindSphere, Bounds: s.Bounds(), sphere: s, shape: narrow.Sphere(s)}
}

// IsNowhere reports whether the volume is empty or infinite, and so touches nothing.
func (v *Volume) IsNowhere() bool {
	return v.Bounds.IsEmpty() || !v.Bounds.Min.IsFinite() || !v.Bounds.Max.IsFinite()
}

// Overlaps reports whether a volume and a subshape have a point in common. Touching counts.
//
// Package geom gives the same answers as package narrow, except for the rounding of double
// precision, and in less time where a shape would be prepared for a single test.
func (p *Subshape) Overlaps(v *Volume) bool {
	switch p.Kind {
	case KindAABB:
		switch v.kind {
		case KindAABB:
			return v.Bounds.OverlapsAABB(p.Bounds)
		case KindSphere:
			return p.Bounds.OverlapsSphere(v.sphere)
		}
	case KindBox:
		if v.kind == KindSphere {
			return p.Box().OverlapsSphere(v.sphere)
		}
	case KindSphere:
		switch v.kind {
		case KindAABB:
			return v.Bounds.OverlapsSphere(p.Sphere())
		case KindSphere:
			return p.Sphere().OverlapsSphere(v.sphere)
		}
	case KindCapsule:
		switch v.kind {
		case KindAABB:
			return v.Bounds.OverlapsCapsule(p.Capsule())
		case KindSphere:
			return v.sphere.OverlapsCapsule(p.Capsule())
		}
	case KindMesh:
		return v.overlapsMesh(p)
	}
	var s narrow.Shape
	if p.Kind == KindPlane {
		p.behind(&s, &v.shape)
	} else {
		p.SetPart(&s, Whole)
	}
	return narrow.Overlaps(&v.shape, &s)
}

// overlapsMesh tests the triangles near the volume in world space.
func (v *Volume) overlapsMesh(p *Subshape) bool {
	gap := float64(RelativeSlack * max(p.Extent(), Largest(v.Bounds.Min), Largest(v.Bounds.Max)))
	in, ok := p.around(&v.shape, v.Bounds, gap)
	return ok && !p.visitBody(&v.shape, in, gap, func(i int) bool {
		return !v.overlapsTriangle(p.Local.Triangle(i))
	})
}

// visitBody visits the triangles of a mesh that touch a box in its own space, without most that are
// further than a gap, in metres, from a shape in the world.
func (p *Subshape) visitBody(s *narrow.Shape, in geom.AABB, gap float64, visit func(triangle int) bool) bool {
	return p.Local.Mesh.VisitBody(in, func(b *wide.Body) bool {
		if !s.Body(b) {
			return false
		}
		to := &p.Local.To
		b.X, b.Y, b.Z, b.Origin = to.X.Wide(), to.Y.Wide(), to.Z.Wide(), to.Origin.Wide().Sub(b.Origin)
		b.Radius, b.Size = b.Radius+gap, b.Size+gap
		return true
	}, visit)
}

// IsTouchedBy reports whether a convex subshape that is no plane touches a triangle of a mesh. It
// uses two shapes as scratch memory.
func (p *Subshape) IsTouchedBy(o *Subshape, s, triangle *narrow.Shape) bool {
	if !MayTouch(p, o, 0) {
		return false
	}
	o.SetPart(s, Whole)
	gap := float64(pad(p, o, 0))
	in, ok := p.around(s, o.Bounds.Grow(float32(gap)), gap)
	if !ok {
		return false
	}
	f := p.beyond(s, o, &in, gap)
	return !p.visitBody(s, in, gap, func(i int) bool {
		t := p.Local.Mesh.Triangle(i)
		if f.turns && f.misses(&t) {
			return true
		}
		triangle.SetTriangle(p.Local.Placed(t))
		triangle.SetPlanar(p.Planar)
		return !narrow.Overlaps(triangle, s)
	})
}

func (v *Volume) overlapsTriangle(t geom.Triangle) bool {
	switch v.kind {
	case KindAABB:
		return v.Bounds.OverlapsTriangle(t)
	case KindBox:
		return v.box.OverlapsTriangle(t)
	}
	return v.sphere.OverlapsTriangle(t)
}

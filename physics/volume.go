package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// volume is what an overlap query asks about, in world space.
type volume struct {
	kind   kind // kindAABB, kindBox or kindSphere; a point is a sphere without radius
	bounds geom.AABB
	sphere geom.Sphere
	box    geom.Box
	shape  narrow.Shape
}

// relativeTouch is what single precision can about tell apart, as a fraction of the coordinates. So
// near a frustum touches a shape, and so much further queries look among bounds.
const relativeTouch = 2e-7

func touching(b geom.AABB) float32 { return relativeTouch * max(largest(b.Min), largest(b.Max)) }

func aabbVolume(b geom.AABB) volume {
	return volume{kind: kindAABB, bounds: b, shape: narrow.AABB(b)}
}

func boxVolume(b geom.Box) volume {
	return volume{kind: kindBox, bounds: b.Bounds(), box: b, shape: narrow.Box(b)}
}

func sphereVolume(s geom.Sphere) volume {
	return volume{kind: kindSphere, bounds: s.Bounds(), sphere: s, shape: narrow.Sphere(s)}
}

// isNowhere reports whether the volume is empty, or infinite, and so touches nothing.
func (v *volume) isNowhere() bool {
	return v.bounds.IsEmpty() || !v.bounds.Min.IsFinite() || !v.bounds.Max.IsFinite()
}

// overlaps reports whether a volume and a piece have a point in common, as [Overlaps] has it.
// Package geom, which says the same but for what double precision rounds off, is asked where that
// takes less time: it need not make shapes ready that are asked once.
func (p *piece) overlaps(v *volume) bool {
	switch p.kind {
	case kindAABB:
		switch v.kind {
		case kindAABB:
			return v.bounds.OverlapsAABB(p.bounds)
		case kindSphere:
			return p.bounds.OverlapsSphere(v.sphere)
		}
	case kindBox:
		if v.kind == kindSphere {
			return p.shape.box().OverlapsSphere(v.sphere)
		}
	case kindSphere:
		switch v.kind {
		case kindAABB:
			return v.bounds.OverlapsSphere(p.shape.sphere())
		case kindSphere:
			return p.shape.sphere().OverlapsSphere(v.sphere)
		}
	case kindCapsule:
		switch v.kind {
		case kindAABB:
			return v.bounds.OverlapsCapsule(p.shape.capsule())
		case kindSphere:
			return v.sphere.OverlapsCapsule(p.shape.capsule())
		}
	case kindMesh:
		return v.overlapsMesh(p)
	}
	var s narrow.Shape
	if p.kind == kindPlane {
		p.behind(&s, &v.shape)
	} else {
		p.facet(&s, whole)
	}
	return narrow.Overlaps(&v.shape, &s)
}

// overlapsMesh takes each triangle near the volume to world space and tests it there.
func (v *volume) overlapsMesh(p *piece) bool {
	return !p.local.mesh.VisitAABB(p.boundsIn(v.bounds), func(i int) bool {
		return !v.overlapsTriangle(p.local.triangle(i))
	})
}

func (v *volume) overlapsTriangle(t geom.Triangle) bool {
	switch v.kind {
	case kindAABB:
		return v.bounds.OverlapsTriangle(t)
	case kindBox:
		return v.box.OverlapsTriangle(t)
	}
	return v.sphere.OverlapsTriangle(t)
}

// triangle returns a triangle of the mesh in world space.
func (l *local) triangle(i int) geom.Triangle {
	t := l.mesh.Triangle(i)
	return geom.Triangle{A: l.to.Point(t.A), B: l.to.Point(t.B), C: l.to.Point(t.C)}
}

// turns reports whether axes of the shape's own space are not along those of the world.
func (l *local) turns() bool {
	x, y, z := &l.to.X, &l.to.Y, &l.to.Z
	return x.Y != 0 || x.Z != 0 || y.X != 0 || y.Z != 0 || z.X != 0 || z.Y != 0
}

// boundsIn returns a box in the shape's own space around a box in the world, with slack for the
// rounding of what is taken from one to the other.
func (p *piece) boundsIn(b geom.AABB) geom.AABB {
	l := p.local
	slack := float32(l.slack * max(largest(b.Min), largest(b.Max), p.farthest()))
	h := b.HalfExtents().Add(geom.Vec3{X: slack, Y: slack, Z: slack})
	box := geom.Affine{
		X:      l.back.Vector(geom.Vec3{X: 1}),
		Y:      l.back.Vector(geom.Vec3{Y: 1}),
		Z:      l.back.Vector(geom.Vec3{Z: 1}),
		Origin: l.back.Point(b.Center()),
	}.Bounds(geom.AABB{Min: h.Neg(), Max: h})
	if !box.Min.IsFinite() || !box.Max.IsFinite() {
		// Something so flat that the way back overflows: all of it may be near.
		inf := float32(math.Inf(1))
		return geom.AABB{Min: geom.V(-inf, -inf, -inf), Max: geom.V(inf, inf, inf)}
	}
	return box.Grow(float32(l.slack * max(largest(box.Min), largest(box.Max))))
}

// farthest returns the largest coordinate that has a part in where the piece is; its rounding is
// that of the whole.
func (p *piece) farthest() float32 {
	return max(largest(p.bounds.Min), largest(p.bounds.Max), largest(p.local.to.Origin))
}

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
	box    geom.Box
	sphere geom.Sphere
	shape  narrow.Shape
}

// relativeTouch is how near a volume must come to a shape for which there is no closed formula to touch it, as a fraction
// of its coordinates: about what single precision can tell apart. The iteration ends a little before it touches a
// surface that is round.
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

// overlaps reports whether a volume and a piece have a point in common.
func (p *piece) overlaps(v *volume) bool {
	switch p.kind {
	case kindAABB:
		return v.overlapsAABB(p.bounds)
	case kindBox:
		return v.overlapsBox(p.shape.box())
	case kindSphere:
		return v.overlapsSphere(p.shape.sphere())
	case kindCapsule:
		return v.overlapsCapsule(p.shape.capsule())
	case kindLocalBox, kindEllipsoid, kindLocalCapsule, kindHull:
		var s narrow.Shape
		p.facet(&s, whole)
		return narrow.Overlaps(&v.shape, &s)
	case kindPlane:
		return v.overlapsPlane(p.local.normal, p.local.point)
	case kindMesh:
		return v.overlapsMesh(p)
	}
	return false
}

func (v *volume) overlapsAABB(b geom.AABB) bool {
	switch v.kind {
	case kindAABB:
		return v.bounds.OverlapsAABB(b)
	case kindBox:
		return v.box.OverlapsAABB(b)
	}
	return v.sphere.OverlapsAABB(b)
}

func (v *volume) overlapsBox(b geom.Box) bool {
	switch v.kind {
	case kindAABB:
		return b.OverlapsAABB(v.bounds)
	case kindBox:
		return v.box.OverlapsBox(b)
	}
	return v.sphere.OverlapsBox(b)
}

func (v *volume) overlapsSphere(s geom.Sphere) bool {
	switch v.kind {
	case kindAABB:
		return s.OverlapsAABB(v.bounds)
	case kindBox:
		return s.OverlapsBox(v.box)
	}
	return v.sphere.OverlapsSphere(s)
}

func (v *volume) overlapsCapsule(c geom.Capsule) bool {
	switch v.kind {
	case kindAABB:
		return c.OverlapsAABB(v.bounds)
	case kindBox:
		return c.OverlapsBox(v.box)
	}
	return c.OverlapsSphere(v.sphere)
}

func (v *volume) overlapsTriangle(t geom.Triangle) bool {
	switch v.kind {
	case kindAABB:
		return t.OverlapsAABB(v.bounds)
	case kindBox:
		return t.OverlapsBox(v.box)
	}
	return t.OverlapsSphere(v.sphere)
}

// overlapsPlane tells whether a plane cuts the volume. It does not go through [geom.Plane], whose single D is too
// coarse for a plane that was turned far from the origin.
func (v *volume) overlapsPlane(normal, point geom.DVec3) bool {
	switch v.kind {
	case kindAABB:
		// The two corners that lie furthest against and along the normal: exact where the normal is an axis.
		lo, hi, at := v.bounds.Min.Wide(), v.bounds.Max.Wide(), normal.Dot(point)
		if normal.X < 0 {
			lo.X, hi.X = hi.X, lo.X
		}
		if normal.Y < 0 {
			lo.Y, hi.Y = hi.Y, lo.Y
		}
		if normal.Z < 0 {
			lo.Z, hi.Z = hi.Z, lo.Z
		}
		return normal.Dot(lo) <= at && at <= normal.Dot(hi)
	case kindBox:
		h, q := v.box.HalfExtents.Wide(), v.box.Rotation
		reach := math.Abs(float64(h.X*q.Rotate(geom.Vec3{X: 1}).Wide().Dot(normal))) +
			math.Abs(float64(h.Y*q.Rotate(geom.Vec3{Y: 1}).Wide().Dot(normal))) +
			math.Abs(float64(h.Z*q.Rotate(geom.Vec3{Z: 1}).Wide().Dot(normal)))
		return math.Abs(v.box.Center.Wide().Sub(point).Dot(normal)) <= reach
	}
	return math.Abs(v.sphere.Center.Wide().Sub(point).Dot(normal)) <= float64(v.sphere.Radius)
}

// overlapsMesh takes each triangle near the volume to world space and tests it there.
func (v *volume) overlapsMesh(p *piece) bool {
	return !p.local.mesh.VisitAABB(p.boundsIn(v.bounds), func(i int) bool {
		return !v.overlapsTriangle(p.local.triangle(i))
	})
}

// triangle returns a triangle of the mesh in world space.
func (l *local) triangle(i int) geom.Triangle {
	t := l.mesh.Triangle(i)
	return geom.Triangle{A: l.to.Point(t.A), B: l.to.Point(t.B), C: l.to.Point(t.C)}
}

// boundsIn returns a box in the shape's own space around a box in the world, with slack for the rounding of what is taken
// from one to the other.
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

// farthest returns the largest coordinate that has a part in where the piece is; its rounding is that of the whole.
func (p *piece) farthest() float32 {
	return max(largest(p.bounds.Min), largest(p.bounds.Max), largest(p.local.to.Origin))
}

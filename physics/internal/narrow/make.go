package narrow

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// Sphere returns the shape that [Shape.SetSphere] makes.
func Sphere(b geom.Sphere) (s Shape) { s.SetSphere(b); return }

// Capsule returns the shape that [Shape.SetCapsule] makes.
func Capsule(c geom.Capsule) (s Shape) { s.SetCapsule(c); return }

// AABB returns the shape that [Shape.SetAABB] makes.
func AABB(b geom.AABB) (s Shape) { s.SetAABB(b); return }

// Box returns the shape that [Shape.SetBox] makes.
func Box(b geom.Box) (s Shape) { s.SetBox(b); return }

// ShearedBox returns the shape that [Shape.SetShearedBox] makes.
func ShearedBox(b geom.Box, m geom.Affine) (s Shape) { s.SetShearedBox(b, m); return }

// Hull returns the shape that [Shape.SetHull] makes.
func Hull(h *hull.Hull, m geom.Affine) (s Shape) { s.SetHull(h, m); return }

// Ellipsoid returns the shape that [Shape.SetEllipsoid] makes.
func Ellipsoid(b geom.Sphere, m geom.Affine) (s Shape) { s.SetEllipsoid(b, m); return }

// ScaledCapsule returns the shape that [Shape.SetScaledCapsule] makes.
func ScaledCapsule(c geom.Capsule, m geom.Affine) (s Shape) { s.SetScaledCapsule(c, m); return }

// Cone returns the shape that [Shape.SetCone] makes.
func Cone(c geom.Cone, m geom.Affine) (s Shape) { s.SetCone(c, m); return }

// TaperedCapsule returns the shape that [Shape.SetTaperedCapsule] makes.
func TaperedCapsule(c geom.TaperedCapsule, m geom.Affine) (s Shape) {
	s.SetTaperedCapsule(c, m)
	return
}

// Triangle returns the shape that [Shape.SetTriangle] makes.
func Triangle(t geom.Triangle) (s Shape) { s.SetTriangle(t); return }

// HalfSpace returns the shape that [Shape.SetHalfSpace] makes.
func HalfSpace(normal, point geom.DVec3) (s Shape) { s.SetHalfSpace(normal, point); return }

// Cloud returns the shape that [Shape.SetCloud] makes.
func Cloud(points []geom.Vec3, m geom.Affine, margin float32) (s Shape) {
	s.SetCloud(points, m, margin)
	return
}

package physecs

import (
	"github.com/hitscan-go/hitscan/internal/enum"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Transform is the component that places an entity in the world: scaled, then rotated, then moved.
// The zero Transform is the origin, without rotation and scale.
type Transform = geom.Transform

// Kind says which shape a [Collider] has.
type Kind uint8

// The shapes of a [Collider], with the fields that each uses besides Center.
const (
	KindNone Kind = iota // no shape: the collider is nowhere
	// HalfExtents; takes position and scale of the entity but never rotates.
	KindAABB
	KindBox      // HalfExtents, Rotation
	KindSphere   // Radius
	KindCapsule  // HalfExtents.Y, half its segment, along local Y; Radius, Rotation
	KindPlane    // Normal, D; not Center
	KindMesh     // Mesh; not Center
	KindCompound // Compound; not Center
	KindHull     // Hull; not Center
	KindCylinder // HalfExtents.Y, half its height, along local Y; Radius, Rotation
	// HalfExtents.Y, half its height, along local Y; Radius at its lower end and HalfExtents.X at
	// its upper end; Rotation.
	KindCone
	KindTaperedCapsule // as KindCone; HalfExtents.Y is half its segment
)

// String returns the name of the shape in lower case.
func (k Kind) String() string {
	return enum.Name(k, "none", "AABB", "box", "sphere", "capsule", "plane", "mesh", "compound", "hull", "cylinder", "cone", "tapered capsule")
}

// Collider is the component that gives an entity a shape. Make one with [AABB], [Box], [Sphere],
// [Capsule], [TaperedCapsule], [Cylinder], [Cone], [Plane], [Mesh], [Compound] or [Hull] and set
// other fields as needed. Lengths are metres in the entity's space, which its [Transform] scales,
// rotates and moves.
//
// A collider whose shape is unknown, empty or not finite is nowhere: no query finds it, and
// [Space.Nowhere] reports it.
type Collider struct {
	User     uint64         // the game's own value, which every Hit has
	Layer    physics.Layers // layers the collider is on; 0: the default layer
	Mask     physics.Layers // layers of queries that see it; 0: all
	Mesh     MeshID         // of a mesh
	Compound CompoundID     // of a compound
	Center   geom.Vec3      // middle of an AABB, box, sphere, capsule, cylinder or cone
	// Half the size of an AABB or box; Y: half the length of the axis of a capsule, cylinder or
	// cone; X: the radius at the upper end of a cone or tapered capsule.
	HalfExtents geom.Vec3
	Radius      float32   // of a sphere, capsule or cylinder; at the lower end of a cone
	Rotation    geom.Quat // of a box, capsule, cylinder or cone, about its Center; zero: none
	Normal      geom.Vec3 // of the plane Normal·p = D; any length but zero
	D           float32
	Kind        Kind   // which shape
	Sensor      bool   // seen only by queries with Filter.Sensors
	Hull        HullID // of a hull
}

// AABB returns the collider of an axis-aligned box that reaches halfExtents from the entity's
// origin to both sides. It takes the entity's position and scale and never rotates.
func AABB(halfExtents geom.Vec3) Collider { return Collider{Kind: KindAABB, HalfExtents: halfExtents} }

// Box returns the collider of a box that reaches halfExtents from the entity's origin to both sides
// and rotates with the entity.
func Box(halfExtents geom.Vec3) Collider { return Collider{Kind: KindBox, HalfExtents: halfExtents} }

// Sphere returns the collider of a sphere around the entity's origin. Radius 0 is a point; a
// negative radius is nowhere.
func Sphere(radius float32) Collider { return Collider{Kind: KindSphere, Radius: radius} }

// Capsule returns the collider of a capsule along the entity's Y axis: all points within radius of
// the segment from −halfHeight to +halfHeight. Its whole height is 2·(halfHeight + radius).
func Capsule(halfHeight, radius float32) Collider {
	return Collider{Kind: KindCapsule, HalfExtents: geom.Vec3{Y: halfHeight}, Radius: radius}
}

// TaperedCapsule returns the collider of a tapered capsule along the entity's Y axis: the convex
// hull of a ball at −halfHeight and one at +halfHeight, of the radii bottom and top.
func TaperedCapsule(halfHeight, bottom, top float32) Collider {
	return Collider{Kind: KindTaperedCapsule, HalfExtents: geom.Vec3{X: top, Y: halfHeight}, Radius: bottom}
}

// Cylinder returns the collider of a cylinder along the entity's Y axis, which reaches halfHeight
// from the origin to both sides.
func Cylinder(halfHeight, radius float32) Collider {
	return Collider{Kind: KindCylinder, HalfExtents: geom.Vec3{Y: halfHeight}, Radius: radius}
}

// Cone returns the collider of a cone along the entity's Y axis, or of a frustum of one: it reaches
// from −halfHeight, where it has the radius bottom, to +halfHeight, where it has the radius top. A
// radius of 0 makes that end the apex.
func Cone(halfHeight, bottom, top float32) Collider {
	return Collider{Kind: KindCone, HalfExtents: geom.Vec3{X: top, Y: halfHeight}, Radius: bottom}
}

// Plane returns the collider of the infinite plane normal·p = d, in the entity's space. It is a
// surface with two sides and no inside. A plane with a zero normal is nowhere.
func Plane(normal geom.Vec3, d float32) Collider {
	return Collider{Kind: KindPlane, Normal: normal, D: d}
}

// Mesh returns the collider of a mesh held by the [Meshes] resource. It is nowhere until a mesh has
// that ID.
func Mesh(id MeshID) Collider { return Collider{Kind: KindMesh, Mesh: id} }

// Compound returns the collider of a compound held by the [Meshes] resource. It is nowhere until a
// compound has that ID.
func Compound(id CompoundID) Collider { return Collider{Kind: KindCompound, Compound: id} }

// Hull returns the collider of a convex hull held by the [Meshes] resource: a solid, unlike a mesh.
// It is nowhere until a hull has that ID.
func Hull(id HullID) Collider { return Collider{Kind: KindHull, Hull: id} }

// Static is the tag component of an entity that seldom moves: it costs nothing while others move.
// It may be moved all the same. It changes the answers in one way: two Static entities never pair
// or touch, even if one is a sensor.
type Static struct{}

// Unpickable is the tag component of an entity that the pointer passes: it is never hovered or
// clicked, and hides nothing. Queries of game code see it. It does the same as a [Pickable] with
// [PickIgnore].
type Unpickable struct{}

// shape returns the physics shape of c, or the fault of a collider without one.
func (c *Collider) shape(meshes *Meshes) (physics.Shape, Fault) {
	switch c.Kind {
	case KindAABB:
		return geom.AABBAround(c.Center, c.HalfExtents), FaultNone
	case KindBox:
		return geom.Box{Center: c.Center, HalfExtents: c.HalfExtents, Rotation: c.Rotation}, FaultNone
	case KindSphere:
		return geom.Sphere{Center: c.Center, Radius: c.Radius}, FaultNone
	case KindCapsule, KindCylinder, KindCone, KindTaperedCapsule:
		axis := c.Rotation.Rotate(geom.Vec3{Y: c.HalfExtents.Y})
		a, b := c.Center.Sub(axis), c.Center.Add(axis)
		switch c.Kind {
		case KindCapsule:
			return geom.Capsule{A: a, B: b, Radius: c.Radius}, FaultNone
		case KindCylinder:
			return geom.Cylinder(a, b, c.Radius), FaultNone
		case KindCone:
			return geom.Cone{A: a, B: b, RadiusA: c.Radius, RadiusB: c.HalfExtents.X}, FaultNone
		}
		return geom.TaperedCapsule{A: a, B: b, RadiusA: c.Radius, RadiusB: c.HalfExtents.X}, FaultNone
	case KindPlane:
		return geom.Plane{Normal: c.Normal, D: c.D}, FaultNone
	case KindMesh:
		if m, ok := meshes.Mesh(c.Mesh); ok {
			return m, FaultNone
		}
		return nil, FaultUnknownMesh
	case KindCompound:
		if m, ok := meshes.Compound(c.Compound); ok {
			return m, FaultNone
		}
		return nil, FaultUnknownCompound
	case KindHull:
		if m, ok := meshes.Hull(c.Hull); ok {
			return m, FaultNone
		}
		return nil, FaultUnknownHull
	}
	return nil, FaultNoShape
}

// isNamed reports whether the shape is looked up in the Meshes resource, which may change under it.
func (c *Collider) isNamed() bool {
	return c.Kind == KindMesh || c.Kind == KindCompound || c.Kind == KindHull
}

package physics

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// ColliderID names a collider of one [Space]. The zero ColliderID is none.
//
// An ID is never given out twice: where the place of a removed collider is used again, the new one
// has another ID, and every call that is given the stale one reports ok == false. IDs are ordered;
// of equal hits the lower ID comes first.
type ColliderID uint64

// String returns the place of the collider and how often the place was used, as "collider 12.1", or
// "no collider".
func (id ColliderID) String() string {
	if id == 0 {
		return "no collider"
	}
	return fmt.Sprintf("collider %d.%d", id.index(), id.generation())
}

func newID(index int, generation uint32) ColliderID {
	return ColliderID(generation)<<32 | ColliderID(uint32(index))
}

func (id ColliderID) index() int         { return int(uint32(id)) }
func (id ColliderID) generation() uint32 { return uint32(id >> 32) }

// Layers is a set of up to 32 layers, one a bit. The lowest is [DefaultLayer], so layers of one's
// own begin above it:
//
//	const (
//		walls physics.Layers = physics.DefaultLayer << (iota + 1)
//		actors
//	)
type Layers uint32

const (
	// DefaultLayer is the layer of a collider that names none.
	DefaultLayer Layers = 1
	// AllLayers is every layer.
	AllLayers Layers = 1<<32 - 1
)

// Shape is what a collider is made of: one of [geom.AABB], [geom.Box], [geom.Sphere],
// [geom.Capsule], [geom.Plane] by value, a [*hull.Hull], a [*mesh.Mesh] or a [*Compound]. Bounds is
// in the shape's own space. Nothing else can be added to a space. A hull is a solid, as boxes and
// balls are; a mesh is a surface, though it be closed.
type Shape interface{ Bounds() geom.AABB }

// Collider is a shape in the world and what queries want to know of it. It is a plain value: a
// [Space] holds a copy.
type Collider struct {
	// Shape is what the collider is made of, in its own space.
	Shape Shape
	// Transform places the shape in the world. Any scale will do, an uneven or negative one too: an
	// unevenly scaled sphere is an ellipsoid. An [geom.AABB] follows position and scale but never
	// turns.
	Transform geom.Transform
	// Layer is the set of layers the collider is on; 0 means [DefaultLayer].
	Layer Layers
	// Mask is the set of layers whose queries see the collider, and whose colliders it pairs with;
	// 0 means all. See [Filter.OwnLayer] and [Space.Pairs].
	Mask Layers
	// Sensor makes a collider that only those queries see that ask for sensors.
	Sensor bool
	// Static says that the collider seldom moves, so that it costs nothing while others do. It may
	// be moved all the same. Two static colliders make no [Pair].
	Static bool
	// User is the caller's own; every [Hit] brings it along.
	User uint64
}

package physics

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
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

// Child is one shape of a [Compound], placed in the space of the compound.
type Child struct {
	Shape     Shape
	Transform geom.Transform
}

// Compound is a shape made of several, which move under one [ColliderID]. It is immutable, and many
// colliders may share it.
//
// Children are numbered in the order given; a [Hit] names the child. A child that is turned in a
// compound which is scaled unevenly is sheared.
type Compound struct {
	children []Child
	bounds   geom.AABB
}

// NewCompound returns the compound of the children given, which it copies. One without children can
// be added to a space but is nowhere.
//
// Panics if a child has no shape, or one that is not allowed, or is itself a compound.
func NewCompound(children ...Child) *Compound {
	c := &Compound{children: append([]Child(nil), children...), bounds: geom.EmptyAABB()}
	for i, child := range c.children {
		if why := refused(child.Shape); why != "" {
			panic(fmt.Sprintf("physics: NewCompound: child %d: %s", i, why))
		}
		if _, ok := child.Shape.(*Compound); ok {
			panic(fmt.Sprintf("physics: NewCompound: child %d is a compound", i))
		}
		var p piece
		var f frame
		f.set(&child.Transform)
		if p.place(child.Shape, &f) {
			c.bounds = c.bounds.Union(p.bounds)
		}
	}
	return c
}

// Bounds returns the box around all children, in the space of the compound; it is infinite if one
// is a plane, and empty if there is none.
func (c *Compound) Bounds() geom.AABB { return c.bounds }

// NumChildren returns the number of children.
func (c *Compound) NumChildren() int { return len(c.children) }

// Child returns a child by its number. Panics if there is no such child.
func (c *Compound) Child(i int) Child {
	if i < 0 || i >= len(c.children) {
		panic(fmt.Sprintf("physics: Compound.Child: no child %d of %d", i, len(c.children)))
	}
	return c.children[i]
}

// refused tells why a space will not have a shape, and "" if it will.
func refused(s Shape) string {
	switch s := s.(type) {
	case geom.AABB, geom.Box, geom.Sphere, geom.Capsule, geom.Plane:
		return ""
	case *hull.Hull:
		if s != nil {
			return ""
		}
	case *mesh.Mesh:
		if s != nil {
			return ""
		}
	case *Compound:
		if s != nil {
			return ""
		}
	case nil:
		return "no shape"
	case *geom.AABB, *geom.Box, *geom.Sphere, *geom.Capsule, *geom.Plane:
		return fmt.Sprintf("a %T must be given by value", s)
	default:
		return fmt.Sprintf("a %T is no shape of a collider", s)
	}
	return fmt.Sprintf("a nil %T", s)
}

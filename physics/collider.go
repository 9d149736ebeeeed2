package physics

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// ColliderID names a collider of one [Space]. The zero ColliderID is none.
//
// An ID is never given out twice, except after [Space.Restore]: a collider that takes the index of
// a removed one has another ID, and every call with the stale ID reports ok == false. Each ID is
// greater than those before it; of equal hits the lower ID comes first.
type ColliderID uint64

// String returns the index and the generation of the collider, as "collider 12.1", or "no
// collider".
func (id ColliderID) String() string {
	if id == 0 {
		return "no collider"
	}
	return fmt.Sprintf("collider %d.%d", id.index(), id.generation())
}

func newID(index int, generation uint32) ColliderID {
	return ColliderID(generation)<<32 | ColliderID(uint32(index))
}

// Index returns the number of the collider's place in its space, which is lower than the greatest
// number of colliders that there were at once. Colliders that are removed leave it to later ones.
func (id ColliderID) Index() int { return id.index() }

func (id ColliderID) index() int         { return int(uint32(id)) }
func (id ColliderID) generation() uint32 { return uint32(id >> 32) }

// Layers is a set of up to 32 layers, one bit each. The lowest is [DefaultLayer], so a game's
// layers begin above it:
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

// Shape is the shape of a collider: a [geom.AABB], [geom.Box], [geom.Sphere], [geom.Capsule],
// [geom.Cone], [geom.TaperedCapsule] or [geom.Plane] by value, a [*hull.Hull], a [*mesh.Mesh] or a
// [*Compound]. Nothing else can be added to a space. Bounds is in the shape's own space. A hull is
// solid, as boxes and spheres are; a mesh is a surface, even if it is closed.
type Shape interface{ Bounds() geom.AABB }

// Collider is a shape in the world and the properties that queries test. It is a plain value: a
// [Space] holds a copy.
type Collider struct {
	// Shape is the shape, in its own space.
	Shape Shape
	// Transform places the shape in the world. It may have any scale, also a non-uniform or a
	// negative one: a non-uniformly scaled sphere is an ellipsoid. A [geom.AABB] follows position
	// and scale but never rotates.
	Transform geom.Transform
	// Layer is the set of layers the collider is on; 0 means [DefaultLayer].
	Layer Layers
	// Mask is the set of layers whose queries find the collider, and whose colliders it pairs with;
	// 0 means all. See [Filter.OwnLayer] and [Space.Pairs].
	Mask Layers
	// Sensor makes a collider that only queries with [Filter.Sensors] find. What passes it between
	// two ticks has no contact with it: cast a ray with [Filter.Sensors] along the way of a bullet.
	Sensor bool
	// Static declares that the collider seldom moves: it then costs nothing while others move. It
	// may be moved all the same. Two static colliders make no [Pair].
	Static bool
	// User is the caller's own value; every [Hit] returns it.
	User uint64
}

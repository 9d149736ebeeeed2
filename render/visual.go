package render

import (
	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Visual is the component of an entity that is drawn as another shape than that of its collider:
// a detailed mesh over a simple collider, or an effect, a tracer or a ghost that has no Collider at
// all. The entity needs a physecs.Transform and a [Material], which colours the Visual.
//
// What is picked is the Collider: the pointer passes a Visual without one, and where the two
// differ what is seen is not what is picked.
type Visual struct {
	// Shape is what is drawn, described as a Collider of which only the shape is read. With the
	// zero Shape nothing is drawn.
	Shape physecs.Collider
	// Place is where it is in the entity's space, by [geom.Transform.Mul]. The zero Place is the
	// entity's.
	Place geom.Transform
}

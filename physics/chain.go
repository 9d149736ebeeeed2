package physics

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// NewChain returns the segments from each point to the next, and if loop is set from the last to
// the first, as one shape of a planar space: ground without inner corners. Z of the points is
// ignored. The front is to the right of the way along the chain: ground goes from right to left,
// a loop around solid ground counter-clockwise, and one around a room clockwise. A mirrored chain
// keeps its front.
//
// Contacts are one-sided: a shape with its middle behind a segment does not touch it, and a shape
// that slides over a joint of two does not catch on it (Box2D's chains, Catto 2013). At a convex
// corner there are contacts in the directions between the fronts of its segments, and beyond an end
// of an open chain in those up to a right angle from its front. Rays hit both sides, and
// [Filter].Cull leaves out one, as of a mesh; a ray along a segment misses it. Casts and overlaps
// see both sides of each segment.
//
// The children of the [Compound] are capsules without a radius, in the order of the segments; in a
// space of three dimensions the chain is no more than these. A collision takes time in proportion
// to the children: a large level is several chains. A chain has no mass.
//
// Panics if there are fewer than two points, three of a loop, or one is NaN, infinite, or the same
// as the one before.
func NewChain(points []geom.Vec3, loop bool) *Compound {
	n := len(points)
	if n < 2 || loop && n < 3 {
		panic(fmt.Sprintf("physics: NewChain: %d points", n))
	}
	flat := make([]geom.Vec3, n)
	for i, p := range points {
		flat[i] = geom.Vec3{X: p.X, Y: p.Y}
		if !flat[i].IsFinite() || i > 0 && flat[i] == flat[i-1] {
			panic(fmt.Sprintf("physics: NewChain: point %d is %v", i, p))
		}
	}
	segments := n - 1
	if loop {
		if segments = n; flat[0] == flat[n-1] {
			panic(fmt.Sprintf("physics: NewChain: the last point is the first, %v", points[0]))
		}
	}
	children := make([]Child, segments)
	hidden := make([]uint8, segments)
	for i := range children {
		children[i].Shape = geom.Capsule{A: flat[i], B: flat[(i+1)%n]}
		hidden[i] = placed.Follows | placed.IsFollowed
	}
	if !loop {
		hidden[0] &^= placed.Follows
		hidden[segments-1] &^= placed.IsFollowed
	}
	c := NewCompound(children...)
	c.hidden, c.chain = hidden, true
	return c
}

// segment returns a segment of a chain with those before and after, as far as there are any.
func (c *Compound) segment(i int) (s placed.Segment) {
	at := func(i int) geom.Capsule { return c.children[(i+len(c.children))%len(c.children)].Shape.(geom.Capsule) }
	s.A, s.B, s.Joints = at(i).A, at(i).B, c.hidden[i]
	s.Before, s.After = at(i-1).A, at(i+1).B
	return s
}

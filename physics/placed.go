package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Placed is a shape at a place in the world, for questions about shapes that need not be colliders:
// [Overlaps], [ClosestPoints], [Penetrate], [Collide], [Space.OverlapShape], [Space.NearestToShape]
// and [Space.CollideShape].
//
// One whose shape is empty, or whose transform holds a NaN or an infinity, is nowhere, as a
// collider would be: it touches nothing and has no distance from anything.
type Placed struct {
	// Shape is any shape that a [Collider] may have.
	Shape Shape
	// Transform places it, as it places a collider.
	Transform geom.Transform
}

// figure is a Placed made ready, in memory that is used again.
type figure struct {
	pieces []piece
	group  group
	bounds geom.AABB
}

// place makes the pieces of a shape; false if it is nowhere. Panics in the name of a function if
// the shape is none.
func (g *figure) place(p *Placed, name string) bool {
	if why := refused(p.Shape); why != "" {
		panic("physics: " + name + ": " + why)
	}
	var f frame
	f.set(&p.Transform)
	if c, ok := p.Shape.(*Compound); ok {
		g.grow(len(c.children))
		g.group.place(c, &f, &g.bounds)
		g.pieces = g.group.pieces
		return len(g.pieces) > 0
	}
	g.grow(1)
	g.pieces = g.group.pieces[:1]
	one := &g.pieces[0]
	one.child = -1
	if !one.place(p.Shape, &f) {
		return false
	}
	g.bounds = one.bounds
	return true
}

// grow makes room for pieces, and keeps what those before pointed to.
func (g *figure) grow(n int) {
	if p := g.group.pieces; n > cap(p) {
		g.group.pieces = append(p[:cap(p)], make([]piece, n-cap(p))...)
	}
}

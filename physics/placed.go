package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Placed is a shape in the world that need not be a collider: the argument of [Overlaps],
// [ClosestPoints], [Penetrate], [Collide], [Space.OverlapShape], [Space.NearestToShape] and
// [Space.CollideShape].
//
// A Placed whose shape is empty, or whose transform holds a NaN or an infinity, is nowhere, as such
// a collider is: it touches nothing and has no distance from anything.
type Placed struct {
	// Shape is any shape that a [Collider] of the same space may have.
	Shape Shape
	// Transform places the shape in the world, as that of a [Collider] does.
	Transform geom.Transform
}

// instance is a [Placed] made ready for tests, in memory that is used again.
type instance struct {
	subshapes []placed.Subshape
	bounds    geom.AABB
	group     group
}

// place places the subshapes of a shape and reports false if it is nowhere. It panics, with the
// name of the calling function, if the shape is not one of those that [Shape], or if planar is set
// [NewPlanarSpace], lists.
func (g *instance) place(p *Placed, name string, planar bool) bool {
	requireShape(p.Shape, name, planar)
	t := p.Transform
	if planar {
		t = t.Flat()
	}
	if c, ok := p.Shape.(*Compound); ok {
		var f placed.Frame
		f.Set(&t)
		g.group.place(c, &f, &g.bounds, planar)
		g.subshapes = g.group.subshapes
		return len(g.subshapes) > 0
	}
	g.group.grow(1)
	g.subshapes = g.group.subshapes[:1]
	one := &g.subshapes[0]
	one.Child, one.Planar, one.Hidden = -1, planar, 0
	if !one.PlaceSimple(p.Shape, &t) && !one.PlaceAt(p.Shape, &t) {
		return false
	}
	g.bounds = one.Bounds
	return true
}

// place places two shapes to be compared, and reports false if either is nowhere.
func (w *scratch) place(a, b *Placed, name string, planar bool) bool {
	return w.a.place(a, name, planar) && w.b.place(b, name, planar)
}

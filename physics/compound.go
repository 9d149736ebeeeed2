package physics

import (
	"fmt"
	"reflect"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Child is one shape of a [Compound], placed in the space of the compound.
type Child struct {
	Shape     Shape
	Transform geom.Transform
}

// Compound is a shape made of several, which move under one [ColliderID]. It is immutable, and many
// colliders may share it.
//
// Children are numbered in the order given; a [Hit] names the child. A rotated child of a
// non-uniformly scaled compound is sheared.
type Compound struct {
	children []Child
	hidden   []uint8 // of tiles and chains, by child: see placed.Subshape
	chain    bool    // see NewChain
	bounds   geom.AABB
}

// NewCompound returns the compound of the given children, which it copies. A compound without
// children can be added to a space but is nowhere.
//
// Panics if the shape of a child is nil, not one of those that [Shape] lists, or a compound.
func NewCompound(children ...Child) *Compound {
	c := &Compound{children: append([]Child(nil), children...), bounds: geom.EmptyAABB()}
	for i, child := range c.children {
		if why := refused(child.Shape); why != "" {
			panic(fmt.Sprintf("physics: NewCompound: child %d: %s", i, why))
		}
		if _, ok := child.Shape.(*Compound); ok {
			panic(fmt.Sprintf("physics: NewCompound: child %d is a compound", i))
		}
		var p placed.Subshape
		var f placed.Frame
		f.Set(&child.Transform)
		if p.Place(child.Shape, &f) {
			c.bounds = c.bounds.Union(p.Bounds)
		}
	}
	return c
}

// Bounds returns the box around all children, in the space of the compound. It is infinite if one
// child is a plane, and empty if there is no child.
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

// refused returns why a shape cannot be added to a space, and "" if it can.
func refused(s Shape) string {
	switch s := s.(type) {
	case geom.AABB, geom.Box, geom.Sphere, geom.Capsule, geom.Cone, geom.TaperedCapsule, geom.Plane:
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
	case *geom.AABB, *geom.Box, *geom.Sphere, *geom.Capsule, *geom.Cone, *geom.TaperedCapsule, *geom.Plane:
		return "a " + typeName(s) + " must be given by value"
	default:
		return "a " + typeName(s) + " is no shape of a collider"
	}
	return "a nil " + typeName(s)
}

// typeName is the type of a shape. By fmt's %T, each shape that is checked would escape to the
// heap.
func typeName(s Shape) string { return reflect.TypeOf(s).String() }

// group holds the children of a compound that are not nowhere.
type group struct{ subshapes []placed.Subshape }

// place places the children of a compound, without those that are nowhere, and their bounds.
func (g *group) place(c *Compound, f *placed.Frame, bounds *geom.AABB, planar bool) {
	*bounds = geom.EmptyAABB()
	g.grow(len(c.children))
	g.subshapes = g.subshapes[:0]
	var child placed.Frame
	for i := range c.children {
		n := len(g.subshapes)
		g.subshapes = g.subshapes[:n+1] // its Local, if any, is used again
		p := &g.subshapes[n]
		p.Child, p.Planar, p.Hidden = int32(i), planar, 0
		if planar && c.chain {
			if s := c.segment(i); p.PlaceSegment(&s, f) {
				*bounds = bounds.Union(p.Bounds)
			} else {
				g.subshapes = g.subshapes[:n]
			}
			continue
		}
		if c.hidden != nil {
			p.Hidden = f.Sides(c.hidden[i])
		}
		t := &c.children[i].Transform
		if planar {
			flat := t.Flat()
			t = &flat
		}
		child.SetChild(f, t)
		if !p.Place(c.children[i].Shape, &child) {
			g.subshapes = g.subshapes[:n]
			continue
		}
		*bounds = bounds.Union(p.Bounds)
	}
}

// grow makes the capacity for n subshapes, and keeps the Locals of those before.
func (g *group) grow(n int) {
	if p := g.subshapes; n > cap(p) {
		g.subshapes = append(p[:cap(p)], make([]placed.Subshape, n-cap(p))...)
	}
}

// copyFrom makes g a copy of o that shares no memory with it.
func (g *group) copyFrom(o *group) {
	old := g.subshapes[:cap(g.subshapes)]
	g.subshapes = g.subshapes[:0]
	for i := range o.subshapes {
		p := o.subshapes[i]
		var own *placed.Local
		if i < len(old) {
			own = old[i].Local
		}
		p.Local = own.CopyFrom(p.Local)
		g.subshapes = append(g.subshapes, p)
	}
}

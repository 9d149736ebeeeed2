package main

import (
	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// carried is a selected entity besides the one with the handles, which moves with it.
type carried struct {
	thing ecs.Entity
	from  geom.Transform // when the drag began
}

// takeUp records the entities that move with the dragged one when a drag starts.
func (g *gizmo) takeUp(a *app) {
	g.carried = g.carried[:0]
	for _, e := range ecs.GetResource[physecs.Selection](&a.world).List() {
		if e != g.thing && a.world.Alive(e) {
			g.carried = append(g.carried, carried{e, *a.transforms.Get(e)})
		}
	}
}

// carry applies the motion of the dragged entity to the others: the same translation, rotation
// about the centre of the handles, and scale about each one's own origin.
func (g *gizmo) carry(a *app, t geom.Transform) {
	for _, c := range g.carried {
		if a.world.Alive(c.thing) {
			*a.transforms.Get(c.thing) = c.follow(g.Mode, g.from, t)
		}
	}
}

// follow returns the transform of an entity that moves with another from one transform to the next.
func (c *carried) follow(mode picking.GizmoMode, from, to geom.Transform) geom.Transform {
	t := c.from
	switch {
	case to == from: // to the bit
	case mode == picking.GizmoTurn:
		turn := to.Rotation.Mul(from.Rotation.Inverse())
		t.Rotation = turn.Mul(t.Rotation.Normalize())
		t.Position = to.Position.Add(turn.Rotate(t.Position.Sub(to.Position)))
	case mode == picking.GizmoScale:
		is, was, k := to.Factors(), from.Factors(), t.Factors()
		t.Scale = geom.V(k.X*is.X/was.X, k.Y*is.Y/was.Y, k.Z*is.Z/was.Z)
	default:
		t.Position = t.Position.Add(to.Position.Sub(from.Position))
	}
	return t
}

package main

import (
	"math"
	"os"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/examples/games/play"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

func (g *game) at(e ecs.Entity) geom.Vec3 { t, _, _ := g.things.Get(e); return t.Position }

// in returns the window pixel of a point in one of the views.
func (g *game) in(pane int, p geom.Vec3) (x, y float64) {
	x, y, _, _ = physecs.Resource[physecs.Views](&g.world).List[pane].Project(p)
	return x, y
}

// handle returns the window pixel of the middle of a handle in one of the views.
func (g *game) handle(pane int, h picking.GizmoHandle) (x, y float64) {
	t, _, _ := g.things.Get(g.gizmo.Entity)
	for _, l := range g.gizmo.Gizmo.Lines(nil, physecs.Resource[physecs.Views](&g.world).List[pane], *t) {
		if l.Handle == h {
			return g.in(pane, l.A.Lerp(l.B, 0.5))
		}
	}
	return math.NaN(), math.NaN()
}

// script drops a shape, moves it by a handle, selects by a marquee, turns, undoes, saves and loads.
func (g *game) script(p *play.Player) {
	const top, perspective, front = 0, 1, 2
	g.file = p.File("level.json")
	p.Frames(4)
	x, y := g.in(perspective, geom.V(0.5, 0, 1.5))
	p.Drag(60, 92, x, y) // the sphere of the list
	p.Frames(2)
	p.Expect(g.selection.Len() == 1, "the new sphere to be selected, and not %d things", g.selection.Len())
	ball := g.selection.List()[0]
	p.Expect(g.at(ball).Sub(geom.V(0.5, 0.5, 1.5)).Len() < 0.1, "the sphere where it was dropped, and not at %v", g.at(ball))

	before := g.at(ball)
	x, y = g.handle(top, picking.HandleX)
	p.Drag(x, y, x+60, y)
	p.Frames(2)
	moved := g.at(ball).Sub(before)
	p.Expect(moved.X > 1 && moved.Y == 0 && moved.Z == 0, "a move along X alone, and not by %v", moved)
	p.Shot("editor-moved")

	x, y = g.in(front, geom.V(-3, 2, 0))
	x1, y1 := g.in(front, geom.V(0.8, -0.4, 0))
	p.Drag(x, y, x1, y1)
	p.Frames(2)
	p.Expect(g.selection.Len() == 2, "the box and the capsule to be selected, and not %d things", g.selection.Len())
	p.Type('2')
	x, y = g.handle(top, picking.HandleY)
	cx, cy := g.in(top, g.at(g.gizmo.Entity))
	p.Drag(x, y, cx+(y-cy), cy-(x-cx)) // a quarter turn
	p.Frames(2)
	p.Shot("editor")
	p.Expect(len(g.undo) == 3, "three edits, and not %d", len(g.undo))

	p.Type(xpointer.Control, 's')
	saved, err := os.ReadFile(g.file)
	p.Expect(err == nil && len(saved) > 500, "a saved level, and not %d bytes, %v", len(saved), err)
	p.Type(xpointer.Control, 'z')
	p.Type(xpointer.Control, 'z')
	p.Expect(g.at(ball).Sub(before).Len() == 0, "the sphere back at %v, and not at %v", before, g.at(ball))
	p.Type(xpointer.Control, 'o')
	p.Type(xpointer.Control, 's')
	again, _ := os.ReadFile(g.file)
	p.Expect(string(again) == string(saved), "the level that was loaded to be the one saved")
}

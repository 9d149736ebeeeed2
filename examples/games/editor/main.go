// Editor is a level editor with four views: drag a shape from the list into any of them; click or
// drag a rectangle to select; drag the handles to move (1), turn (2) or scale (3); control + Z, S
// and O undo, save and load. The right button moves the camera, the wheel zooms.
package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/examples/games/play"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// pane is one of the four views, with the fractions of the window where it begins.
type pane struct {
	name  string
	x, y  float64
	orbit picking.Orbit
}

type game struct {
	world     ecs.World
	sim       physecs.Simulation
	ui        render.System
	views     physecs.ViewSystem
	gizmo     physecs.GizmoSystem
	panes     [4]pane
	scene     physecs.Scene
	file      string
	things    generic.Map3[physecs.Transform, physecs.Collider, render.Material]
	level     generic.Filter1[render.Material]
	selection *physecs.Selection
	undo      []func(w *ecs.World)
	message   string
	x, y      float64 // of the pointer in the last frame
}

// shapes are those of the list.
var shapes = []struct {
	name  string
	shape physecs.Collider
	color uint32
}{
	{"Box", physecs.Box(geom.V(0.5, 0.5, 0.5)), 0x3E86C8},
	{"Sphere", physecs.Sphere(0.5), 0xD0693A},
	{"Capsule", physecs.Capsule(0.4, 0.3), 0x5FA35A},
	{"Cone", physecs.Cone(0.6, 0.5, 0), 0xB0833E},
	{"Cylinder", physecs.Cylinder(0.5, 0.4), 0x8A5FA8},
}

func main() {
	g := newGame()
	play.Run(&play.Game{World: &g.world, Sim: &g.sim, UI: &g.ui, Input: g.input, Script: g.script})
}

func newGame() *game {
	g := &game{
		world: ecs.NewWorld(), file: filepath.Join(os.TempDir(), "level.json"),
		level: *generic.NewFilter1[render.Material](),
		scene: physecs.Scene{Components: []any{render.Material{}}},
	}
	w := &g.world
	g.things = generic.NewMap3[physecs.Transform, physecs.Collider, render.Material](w)
	g.sim.Marquee = &physecs.MarqueeSystem{OnBackground: true}
	g.sim.Before(&g.sim.Raycast, "views", g.views.Update)
	g.sim.Before(&g.sim.Raycast, "handles", g.gizmo.Update)
	g.gizmo.Edited = func(w *ecs.World, edits []physecs.GizmoEdit) {
		g.undo = append(g.undo, func(w *ecs.World) { g.gizmo.Undo(w, edits) })
	}
	g.sim.Initialize(w)
	g.views.Initialize(w)
	g.gizmo.Initialize(w)
	g.gizmo.Gizmo.Size = 60
	g.selection = physecs.Resource[physecs.Selection](w)
	g.ui = render.System{Options: render.Options{Title: "Level editor"}, Paint: g.paint}
	flat := picking.Orthographic(9, -100, 100)
	g.panes = [4]pane{
		{"top", 0, 0.5, picking.Orbit{Pitch: math.Pi / 2, Distance: 20, Projection: flat}},
		{"perspective", 0.5, 0.5, picking.Orbit{Yaw: 0.6, Pitch: 0.45, Distance: 8, Projection: picking.Perspective(0.8, 0.1, 500)}},
		{"front", 0, 0, picking.Orbit{Distance: 20, Projection: flat}},
		{"right", 0.5, 0, picking.Orbit{Yaw: math.Pi / 2, Distance: 20, Projection: flat}},
	}
	floor := g.things.NewWith(new(geom.At(0, 0, 0)), new(physecs.Plane(geom.V(0, 1, 0), 0)), new(render.Paint(0xB9BEB4)))
	w.Add(floor, ecs.ComponentID[physecs.Unpickable](w))
	g.add(0, geom.V(-2, 0.5, 0))
	g.add(2, geom.V(0, 0.7, -1.5))
	g.add(3, geom.V(2, 0.6, 0.5))
	return g
}

// add adds a shape of the list at a place.
func (g *game) add(i int, at geom.Vec3) ecs.Entity {
	s := &shapes[i]
	return g.things.NewWith(&physecs.Transform{Position: at}, &s.shape, new(render.Paint(s.color)))
}

// input sets the views, and handles the keys.
func (g *game) input() {
	win, w := g.ui.Window, &g.world
	p, views := physecs.Resource[physecs.Pointer](w), physecs.Resource[physecs.Views](w)
	full := picking.FullViewport(win.Size(), win.FramebufferSize())
	dx, dy := p.X-g.x, p.Y-g.y
	if i, ok := views.Current(); ok {
		o, v := &g.panes[i].orbit, views.List[i].Viewport
		if p.Down.Has(picking.Right) && g.panes[i].name == "perspective" {
			o.Turn(-dx*0.01, dy*0.01)
		} else if p.Down.Has(picking.Right) {
			o.Pan(v, g.x, g.y, p.X, p.Y)
		}
		if p.ScrollY != 0 && !p.Captured {
			o.ZoomTo(v, p.X, p.Y, math.Pow(0.9, p.ScrollY))
		}
	}
	g.x, g.y = p.X, p.Y
	views.List = views.List[:0]
	for i := range g.panes {
		q := &g.panes[i]
		views.List = append(views.List, picking.View{Camera: q.orbit.Camera(), Viewport: full.Part(q.x, q.y, q.x+0.5, q.y+0.5)})
	}
	control := p.Mods.Has(picking.ModControl)
	for key, do := range map[string]func(){"Z": g.back, "S": g.save, "O": g.load} {
		if control && win.WentDown(key) {
			do()
		}
	}
	for key, mode := range map[string]picking.GizmoMode{"1": picking.GizmoMove, "2": picking.GizmoTurn, "3": picking.GizmoScale} {
		if win.WentDown(key) {
			g.gizmo.Gizmo.Mode = mode
		}
	}
	if win.WentDown("Escape") {
		g.gizmo.Cancel(w)
	}
	if win.WentDown("Delete") {
		for _, e := range g.selection.List() {
			if w.Alive(e) {
				w.RemoveEntity(e)
			}
		}
	}
}

func (g *game) back() {
	if n := len(g.undo); n > 0 {
		g.undo[n-1](&g.world)
		g.undo, g.message = g.undo[:n-1], "undone"
	}
}

func (g *game) save() {
	out, err := os.Create(g.file)
	if err == nil {
		err = g.scene.Write(&g.world, out)
		if closed := out.Close(); err == nil {
			err = closed
		}
	}
	g.say("saved", err)
}

func (g *game) load() {
	in, err := os.Open(g.file)
	if err == nil {
		defer in.Close()
		g.world.Batch().RemoveEntities(g.level.Filter(&g.world))
		g.undo = nil
		_, err = g.scene.Read(&g.world, in)
	}
	g.say("loaded", err)
}

func (g *game) say(what string, err error) {
	if g.message = what + " " + g.file; err != nil {
		g.message = err.Error()
	}
}

// drop puts a shape where it was dropped: on what is there, or else at the depth of the camera's
// target.
func (g *game) drop(i int, x, y float64) {
	ray, pane, ok := physecs.Resource[physecs.Views](&g.world).Ray(x, y)
	if !ok {
		return
	}
	filter := picking.PickFilter()
	at := ray.Origin.Add(ray.Dir.Mul(g.panes[pane].orbit.Target.Sub(ray.Origin).Dot(ray.Dir)))
	if hit, ok := physecs.Sync(&g.world).CastRay(ray, physecs.Filter{Start: filter.Start, Cull: filter.Cull}); ok {
		at = hit.Point.Add(hit.Normal.Mul(0.5))
	}
	e := g.add(i, at)
	g.selection.Set(e)
	g.undo = append(g.undo, func(w *ecs.World) {
		if w.Alive(e) {
			w.RemoveEntity(e)
		}
	})
}

func (g *game) paint(w *ecs.World, r *render.Renderer) {
	r.PaintView = g.handles
	p, hud := physecs.Resource[physecs.Pointer](w), &r.HUD
	size := g.ui.Window.Size()
	width, height := float32(size.Width), float32(size.Height)
	hud.Line(width/2, 0, width/2, height, 2, render.RGB(0x20242B))
	hud.Line(0, height/2, width, height/2, 2, render.RGB(0x20242B))
	for _, q := range g.panes {
		hud.Label((float32(q.x)+0.25)*width, (0.5-float32(q.y))*height+16, q.name)
	}
	hud.Marquee(&g.sim.Marquee.Marquee)
	panel := hud.Place(10, 40, 100, float32(len(shapes))*34+6)
	hud.Panel(panel)
	for i, s := range shapes {
		row := render.Rect{X: panel.X + 6, Y: panel.Y + 6 + float32(i)*34, Width: 88, Height: 28}
		if _, dropped := hud.Source(row, s.name); dropped {
			g.drop(i, p.X, p.Y)
		}
	}
	hud.Label(width/2, height-18, fmt.Sprintf("%d selected  %s", g.selection.Len(), g.message))
}

// handles draws the handles in one of the views.
func (g *game) handles(l *render.Lines, v picking.View) {
	if e := g.gizmo.Entity; g.world.Alive(e) {
		t, _, _ := g.things.Get(e)
		render.DrawGizmo(l, &g.gizmo.Gizmo, v, *t)
	}
}

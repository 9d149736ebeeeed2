package main

import (
	"fmt"
	"math"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// gizmo moves, turns and scales the selection, by handles at the entity selected last.
type gizmo struct {
	physecs.GizmoSystem
	off   bool
	from  geom.Transform // of Entity, when the drag began
	lines []picking.GizmoLine
}

const (
	gizmoSize = 110 // window pixels

	// The steps of a drag with control held down.
	snapAngle = 15 * math.Pi / 180
	snapScale = 0.25
)

// update moves the selection and reports whether the gizmo uses the pointer in this frame: from a
// press on a handle until the button is up.
func (g *gizmo) update(a *app, p *physecs.Pointer) (captured bool) {
	g.snap(a, p.Mods.Has(picking.ModControl))
	g.follow(a)
	if !g.Gizmo.Active() && !g.Entity.IsZero() {
		g.from = *a.transforms.Get(g.Entity)
	}
	before := p.Captured
	g.Update(&a.world)
	return g.Gizmo.Active() || p.Captured && !before
}

// follow moves the handles to the entity selected last, unless they are being dragged, and sets
// their size in pixels. What moves by itself gets none.
func (g *gizmo) follow(a *app) {
	if g.Disabled = g.off || a.scene.moves(); !g.Gizmo.Active() {
		g.Entity, g.Gizmo.Size = g.pick(a), gizmoSize
	}
}

// pick returns the entity that gets the handles.
func (g *gizmo) pick(a *app) ecs.Entity {
	list := ecs.GetResource[physecs.Selection](&a.world).List()
	if g.off || a.scene.moves() || len(list) == 0 || !a.world.Alive(list[len(list)-1]) {
		return ecs.Entity{}
	}
	return list[len(list)-1]
}

// covers reports whether a handle is the first hit of a ray.
func (g *gizmo) covers(a *app, r geom.Ray) bool {
	handles, thing := g.Gizmo, g.pick(a)
	return !thing.IsZero() && handles.Hover(*a.view(), *a.transforms.Get(thing), r) != picking.NoHandle
}

// snap switches drags between steps and continuous motion.
func (g *gizmo) snap(a *app, on bool) {
	z := &g.Gizmo
	z.MoveSnap, z.TurnSnap, z.ScaleSnap = picking.Snap{}, picking.Snap{}, picking.Snap{}
	if on {
		z.MoveSnap = picking.Snap{Step: a.scene.unit() / 4, Grid: !z.Local}
		z.TurnSnap.Step, z.ScaleSnap.Step = snapAngle, snapScale
	}
}

// report returns the drag's distance, angle or scale as text; empty without a drag.
func (g *gizmo) report(a *app) string {
	if !g.Gizmo.Active() {
		return ""
	}
	t := a.transforms.Get(g.Entity)
	switch g.Gizmo.Mode {
	case picking.GizmoTurn:
		q := t.Rotation.Normalize().Mul(g.from.Rotation.Inverse())
		sin := math.Sqrt(float64(q.X)*float64(q.X) + float64(q.Y)*float64(q.Y) + float64(q.Z)*float64(q.Z))
		return fmt.Sprintf("%.0f°", 2*math.Atan2(sin, math.Abs(float64(q.W)))*180/math.Pi)
	case picking.GizmoScale:
		is, was := t.Factors(), g.from.Factors()
		return fmt.Sprintf("× %.2f  %.2f  %.2f", is.X/was.X, is.Y/was.Y, is.Z/was.Z)
	}
	by := t.Position.Sub(g.from.Position)
	return number(by.X) + "  " + number(by.Y) + "  " + number(by.Z) + " m"
}

// label draws the drag's distance, angle or scale.
func (g *gizmo) label(a *app, hud *render.HUD) {
	text := g.report(a)
	if r, ok := g.beside(a, hud.Theme.TextSize, text); ok {
		hud.Label(r.X+r.Width/2, r.Y+r.Height/2, text)
	}
}

// beside returns a place for a text beside the handle that is dragged, on the side away from the
// thing.
func (g *gizmo) beside(a *app, textSize float32, text string) (r render.Rect, ok bool) {
	if !g.Gizmo.Active() {
		return r, false
	}
	p, t, view := ecs.GetResource[physecs.Pointer](&a.world), *a.transforms.Get(g.Entity), *a.view()
	x, y, _, ok := view.Project(t.Position)
	dx, dy := p.X-x, p.Y-y
	if length := math.Hypot(dx, dy); ok && length > 1 {
		dx, dy = dx/length, dy/length
	} else {
		dx, dy = 0, -1
	}
	// Beyond the pointer and the whole handle, which may extend past the grabbed point.
	here := p.X*dx + p.Y*dy
	beyond := here
	g.lines = g.Gizmo.Lines(g.lines[:0], view, t)
	for _, l := range g.lines {
		for _, end := range [...]geom.Vec3{l.A, l.B} {
			if x, y, _, ok := view.Project(end); ok && l.Lit {
				beyond = max(beyond, x*dx+y*dy)
			}
		}
	}
	const gap = 16 // pixels
	r.Width, r.Height = render.MeasureText(render.TextStyle{Font: render.Medium, Size: textSize}, text)
	r.Width, r.Height = r.Width+16, r.Height+6
	away := beyond - here + gap + (math.Abs(dx)*float64(r.Width)+math.Abs(dy)*float64(r.Height))/2
	r.X, r.Y = float32(p.X+dx*away)-r.Width/2, float32(p.Y+dy*away)-r.Height/2
	r.X = min(max(r.X, 0), float32(view.Window.Width)-r.Width)
	r.Y = min(max(r.Y, 0), float32(view.Window.Height)-r.Height)
	return r, true
}

// draw draws the handles.
func (g *gizmo) draw(l *render.Lines, a *app) {
	g.lines = g.lines[:0]
	if !g.Entity.IsZero() && a.world.Alive(g.Entity) {
		g.lines = g.Gizmo.Lines(g.lines, *a.view(), *a.transforms.Get(g.Entity))
		render.DrawGizmo(l, &g.Gizmo, *a.view(), *a.transforms.Get(g.Entity))
	}
	g.mark(a)
}

// mark records the window pixels of the axes' handles, for scripts.
func (g *gizmo) mark(a *app) {
	for h := picking.HandleX; h <= picking.HandleZ; h++ {
		delete(a.spots, "handle:"+h.String())
	}
	for _, line := range g.lines {
		name := "handle:" + line.Handle.String()
		if _, known := a.spots[name]; known || line.Handle > picking.HandleZ {
			continue
		}
		middle := line.A.Add(line.B).Mul(0.5)
		if x, y, _, ok := a.view().Project(middle); ok {
			a.spots[name] = render.Rect{X: float32(x), Y: float32(y)}
		}
	}
}

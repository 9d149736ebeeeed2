package main

import (
	"fmt"
	"image/color"
	"math"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// gizmo moves, turns and scales the selection, by handles at the entity selected last.
type gizmo struct {
	picking.Gizmo
	off   bool
	thing ecs.Entity     // that has the handles; zero: none
	from  geom.Transform // of the thing, when the drag began

	carried []carried // the rest of the selection

	held  bool // the left button was down in the last frame
	owned bool // and went down on a handle
	lines []picking.GizmoLine
}

const (
	gizmoSize = 110 // window pixels

	// The steps of a drag with control held down.
	snapAngle = 15 * math.Pi / 180
	snapScale = 0.25
)

// update moves the entity and reports whether the gizmo uses the pointer in this frame: from a
// press on a handle until the button is up.
func (g *gizmo) update(a *app, p *physecs.Pointer) (captured bool) {
	left := picking.Left
	down := p.Down.Has(left)
	fresh := p.Pressed.Has(left) || down && !g.held
	g.held = down
	view := *a.view()
	ray, _ := view.RayBeyond(p.X, p.Y)
	g.snap(a, p.Mods.Has(picking.ModControl))

	if !g.Active() {
		g.follow(a)
		free := p.Inside && !p.Captured && !p.Unfocused && (p.Down == 0 || fresh)
		if !free {
			ray = geom.Ray{} // which has no handle
		}
		if !fresh || !g.begin(a, view, ray) {
			over := !g.owned && g.hover(a, view, ray)
			captured = over || g.owned
			g.owned = g.owned && down
			return captured
		}
	}
	if p.Unfocused || !a.world.Alive(g.thing) {
		g.cancel(a)
	} else {
		t := g.Drag(ray)
		*a.transforms.Get(g.thing) = t
		g.carry(a, t)
	}
	if g.owned = down; !down {
		g.End()
	}
	return true
}

// follow moves the handles to the entity selected last, unless they are being dragged, and sets
// their size in pixels.
func (g *gizmo) follow(a *app) {
	if !g.Active() {
		g.thing, g.Size = g.pick(a), gizmoSize
	}
}

// pick returns the entity that gets the handles. What moves by itself gets none.
func (g *gizmo) pick(a *app) ecs.Entity {
	list := ecs.GetResource[physecs.Selection](&a.world).List()
	if g.off || a.scene.moves() || len(list) == 0 || !a.world.Alive(list[len(list)-1]) {
		return ecs.Entity{}
	}
	return list[len(list)-1]
}

// hover finds the handle under a ray and reports whether there is one.
func (g *gizmo) hover(a *app, v picking.View, r geom.Ray) bool {
	var t geom.Transform
	if g.thing.IsZero() {
		r = geom.Ray{} // which has no handle
	} else {
		t = *a.transforms.Get(g.thing)
	}
	return g.Hover(v, t, r) != picking.NoHandle
}

// covers reports whether a handle is the first hit of a ray.
func (g *gizmo) covers(a *app, r geom.Ray) bool {
	other := gizmo{Gizmo: g.Gizmo, off: g.off}
	other.thing = other.pick(a)
	return other.hover(a, *a.view(), r)
}

// begin starts a drag, if a ray hits a handle.
func (g *gizmo) begin(a *app, v picking.View, r geom.Ray) bool {
	if g.thing.IsZero() {
		return false
	}
	g.from = *a.transforms.Get(g.thing)
	g.takeUp(a)
	return g.Begin(v, g.from, r)
}

// snap switches drags between steps and continuous motion.
func (g *gizmo) snap(a *app, on bool) {
	g.MoveSnap, g.TurnSnap, g.ScaleSnap = picking.Snap{}, picking.Snap{}, picking.Snap{}
	if on {
		g.MoveSnap = picking.Snap{Step: a.scene.unit() / 4, Grid: !g.Local}
		g.TurnSnap.Step, g.ScaleSnap.Step = snapAngle, snapScale
	}
}

// cancel puts all back and reports whether it was dragged.
func (g *gizmo) cancel(a *app) bool {
	t, ok := g.Cancel()
	if !ok {
		return false
	}
	if a.world.Alive(g.thing) {
		*a.transforms.Get(g.thing) = t
	}
	g.carry(a, t)
	return true
}

// report returns the drag's distance, angle or scale as text; empty without a drag.
func (g *gizmo) report(a *app) string {
	if !g.Active() {
		return ""
	}
	t := a.transforms.Get(g.thing)
	switch g.Mode {
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

// The colours of the axes, dark enough for the bright ground, and of what is hovered or dragged.
var (
	axisColors  = [...]color.NRGBA{render.RGB(0xE5384F), render.RGB(0x2FA84F), render.RGB(0x2F7BE8)}
	middleColor = render.RGB(0xF2F5F8)
	litColor    = render.RGB(0xFFC52E)
	edgeColor   = render.RGB(0x3A424E) // opaque: the ends of its lines overlap
)

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
	if !g.Active() {
		return r, false
	}
	p, t, view := ecs.GetResource[physecs.Pointer](&a.world), *a.transforms.Get(g.thing), *a.view()
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
	g.lines = g.Lines(g.lines[:0], view, t)
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

// draw draws the handles on top of everything, with a dark edge, visible over any background.
func (g *gizmo) draw(l *render.Lines, a *app) {
	g.lines = g.lines[:0]
	if !g.thing.IsZero() && a.world.Alive(g.thing) {
		g.lines = g.Lines(g.lines, *a.view(), *a.transforms.Get(g.thing))
	}
	g.mark(a)
	l.OnTop = true
	for _, edge := range [...]bool{true, false} {
		for i := range g.lines {
			line := &g.lines[i]
			if g.Active() && !line.Lit {
				continue // while one is dragged, the others would hide the thing
			}
			c, width := handleColor(line.Handle), float32(3)
			if line.Lit {
				c, width = litColor, 4.5
			}
			if edge {
				c, width = edgeColor, width+2.5
			}
			l.Width = width
			l.Segment(line.A, line.B, c)
		}
	}
	l.OnTop, l.Width = false, 0
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

func handleColor(h picking.GizmoHandle) color.NRGBA {
	if h == picking.HandleCenter || h == picking.NoHandle {
		return middleColor
	}
	return axisColors[(h-picking.HandleX)%3]
}

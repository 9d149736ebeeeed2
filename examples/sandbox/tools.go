package main

import (
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// The panel of the tools, gizmo and marquee, and their keys.

// tool is a line of the panel.
type tool struct {
	name  string // for scripts: panel:name
	label string
	key   rune
	on    bool
	use   func()
}

// tools returns the lines of the panel in their order.
func (a *app) tools() []tool {
	mode := func(m picking.GizmoMode) func() {
		return func() {
			if !a.gizmo.Gizmo.Active() { // a drag stays what it began as
				a.gizmo.off = !a.gizmo.off && a.gizmo.Gizmo.Mode == m
				a.gizmo.Gizmo.Mode = m
			}
		}
	}
	shows := func(m picking.GizmoMode) bool { return !a.gizmo.off && a.gizmo.Gizmo.Mode == m }
	own := func() {
		if !a.gizmo.Gizmo.Active() {
			a.gizmo.Gizmo.Local = !a.gizmo.Gizmo.Local
		}
	}
	flip := func(b *bool) func() { return func() { *b = !*b } }
	list := []tool{
		{"move", "Move", '1', shows(picking.GizmoMove), mode(picking.GizmoMove)},
		{"turn", "Turn", '2', shows(picking.GizmoTurn), mode(picking.GizmoTurn)},
		{"scale", "Scale", '3', shows(picking.GizmoScale), mode(picking.GizmoScale)},
		{"own", "Own axes", 'O', a.gizmo.Gizmo.Local, own},
		{"lasso", "Lasso", 'L', a.marquee.Marquee.Lasso, flip(&a.marquee.Marquee.Lasso)},
		{"inside", "Contained only", 'I', a.marquee.Options.Contained, flip(&a.marquee.Options.Contained)},
	}
	if a.scene.moves() {
		return list[4:] // see gizmo.pick
	}
	return list
}

// toolKey does what a key asks for.
func (a *app) toolKey(key rune) {
	for _, t := range a.tools() {
		if t.key == key {
			t.use()
		}
	}
}

// drawTools draws the panel below that of the overlays.
func (a *app) drawTools(hud *render.HUD, s sizes) {
	above, list := a.spots["panel:switches"], a.tools()
	panel := render.Rect{X: above.X, Y: above.Y + above.Height + s.margin, Width: s.panel, Height: s.switchesHeight(len(list))}
	a.spots["panel:tools"] = panel
	row := s.heading(hud, panel, "Tools")
	for _, t := range list {
		a.spots["panel:"+t.name] = row
		if hud.Toggle(row, t.label, string(t.key), &t.on) {
			t.use()
		}
		row.Y += s.toggle
	}
}

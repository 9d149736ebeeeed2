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
			if !a.gizmo.Active() { // a drag stays what it began as
				a.gizmo.off = !a.gizmo.off && a.gizmo.Mode == m
				a.gizmo.Mode = m
			}
		}
	}
	shows := func(m picking.GizmoMode) bool { return !a.gizmo.off && a.gizmo.Mode == m }
	own := func() {
		if !a.gizmo.Active() {
			a.gizmo.Local = !a.gizmo.Local
		}
	}
	flip := func(b *bool) func() { return func() { *b = !*b } }
	return []tool{
		{"move", "Move", '1', shows(picking.GizmoMove), mode(picking.GizmoMove)},
		{"turn", "Turn", '2', shows(picking.GizmoTurn), mode(picking.GizmoTurn)},
		{"scale", "Scale", '3', shows(picking.GizmoScale), mode(picking.GizmoScale)},
		{"own", "Own axes", 'O', a.gizmo.Local, own},
		{"lasso", "Lasso", 'L', a.marquee.Marquee.Lasso, flip(&a.marquee.Marquee.Lasso)},
		{"inside", "Inside only", 'I', a.marquee.Options.Contained, flip(&a.marquee.Options.Contained)},
	}
}

// toolKey does what a key asks for.
func (a *app) toolKey(key rune) {
	for _, t := range a.tools() {
		if t.key == key {
			t.use()
		}
	}
}

// drawTools draws the panel below another, if there is room.
func (a *app) drawTools(hud *render.HUD, above render.Rect) {
	const head = 30
	theme, list := render.DefaultTheme(), a.tools()
	panel := render.Rect{
		X: above.X, Y: above.Y + above.Height + margin, Width: panelWidth,
		Height: head + float32(len(list))*switchRow + theme.Padding,
	}
	if panel.Y+panel.Height > float32(a.view().Window.Height)-margin {
		return
	}
	hud.Panel(panel)
	hud.Text(panel.X+theme.Padding, panel.Y+11,
		render.TextStyle{Face: render.Bold, Size: theme.TitleSize, Color: theme.Text}, "Tools")
	row := render.Rect{X: panel.X + 8, Y: panel.Y + head + 6, Width: panel.Width - 16, Height: switchRow}
	for _, t := range list {
		a.spots["panel:"+t.name] = row
		if hud.Toggle(row, t.label, string(t.key), &t.on) {
			t.use()
		}
		row.Y += switchRow
	}
}

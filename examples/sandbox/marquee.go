package main

import (
	"image/color"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// marquee selects what a left drag encloses. The drag begins on the background or, with alt,
// anywhere.
type marquee struct {
	physecs.MarqueeSystem
	outline []picking.Point
}

// update moves the marquee and, at its end, changes the selection: shift adds to it, control
// toggles.
func (m *marquee) update(a *app, p *physecs.Pointer) {
	hover := ecs.GetResource[physecs.Hover](&a.world)
	m.Options.Filter.Exclude = []ecs.Entity{a.scene.ground} // which touches each rectangle
	m.Op = physecs.SelectReplace
	switch {
	case p.Mods.Has(picking.ModControl):
		m.Op = physecs.SelectToggle
	case p.Mods.Has(picking.ModShift):
		m.Op = physecs.SelectAdd
	}
	// The system checks for covers only when the button goes down.
	background := !hover.OK || hover.Entity == a.scene.ground
	captured := p.Captured
	p.Captured = captured || !background && !p.Mods.Has(picking.ModAlt)
	m.Update(&a.world)
	p.Captured = captured
}

// cancel cancels the marquee and reports whether there was one.
func (m *marquee) cancel() bool {
	was := m.Marquee.Active()
	m.Marquee.Cancel()
	return was
}

var (
	marqueeColor = render.RGB(0xFFB020)
	marqueeEdge  = render.WithAlpha(render.RGB(0x20242B), 0.7)
	previewColor = render.RGB(0x2F7BE8)
)

// draw draws the marquee below the panels, with a dark edge, visible over any background.
func (m *marquee) draw(hud *render.HUD) {
	m.outline = m.Marquee.Outline(m.outline[:0])
	n := len(m.outline)
	at := func(i int) (x, y float32) { return float32(m.outline[i%n].X), float32(m.outline[i%n].Y) }
	if !m.Marquee.Lasso && n == 4 {
		var corners [4][2]float32
		for i := range corners {
			corners[i][0], corners[i][1] = at(i)
		}
		hud.Polygon(render.WithAlpha(marqueeColor, 0.12), corners[:]...)
	}
	for _, pen := range [...]struct {
		width float32
		color color.NRGBA
	}{{4, marqueeEdge}, {2, marqueeColor}} {
		for i := range m.outline {
			x0, y0 := at(i)
			x1, y1 := at(i + 1)
			if m.Marquee.Lasso && i == n-1 {
				hud.Dashed(x0, y0, x1, y1, pen.width, 6, 6, pen.color) // where it would be closed
			} else {
				hud.Line(x0, y0, x1, y1, pen.width, pen.color)
			}
		}
	}
}

// drawPreview draws boxes around what would be selected.
func (m *marquee) drawPreview(l *render.Lines, a *app) {
	space := ecs.GetResource[physecs.Space](&a.world)
	l.Width = 2
	for _, e := range m.Preview {
		if b, ok := space.Bounds(e); ok {
			l.AABB(b.Grow(a.scene.size*0.002), previewColor)
		}
	}
	l.Width = 0
}

package main

import (
	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// marquee selects what a left drag encloses. The drag begins on the background or, with alt,
// anywhere.
type marquee struct{ physecs.MarqueeSystem }

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

var previewColor = render.RGB(0x2F7BE8)

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

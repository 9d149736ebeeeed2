package render

import (
	"image/color"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// Handles and marquees as every editor draws them. Both have dark edges, visible over anything.

// The colours of the axes, dark enough for a bright ground.
var (
	axisColors   = [...]color.NRGBA{RGB(0xE5384F), RGB(0x2FA84F), RGB(0x2F7BE8)}
	middleColor  = RGB(0xF2F5F8)
	litColor     = RGB(0xFFC52E) // hovered or dragged
	handleEdge   = RGB(0x3A424E) // opaque: the ends of its lines overlap
	marqueeColor = RGB(0xFFB020)
	marqueeEdge  = WithAlpha(RGB(0x20242B), 0.7)
)

// DrawGizmo adds the handles of an object with a transform (world) to l, as a view sees them, on
// top of everything: X red, Y green, Z blue. While one is dragged the others are hidden. Handles
// have the same size in every view, so of several views each needs lines of its own: call it in
// [Renderer.PaintView].
func DrawGizmo(l *Lines, g *picking.Gizmo, v picking.View, t geom.Transform) {
	width, onTop := l.Width, l.OnTop
	defer func() { l.Width, l.OnTop = width, onTop }()
	l.OnTop = true
	var list [256]picking.GizmoLine // four rings of 64
	handles := g.Lines(list[:0], v, t)
	for _, edge := range [...]bool{true, false} {
		for i := range handles {
			line := &handles[i]
			if g.Active() && !line.Lit {
				continue
			}
			c, width := handleColor(line.Handle), float32(3)
			if line.Lit {
				c, width = litColor, 4.5
			}
			if edge {
				c, width = handleEdge, width+2.5
			}
			l.Width = width
			l.Segment(line.A, line.B, c)
		}
	}
}

func handleColor(h picking.GizmoHandle) color.NRGBA {
	if h == picking.HandleCenter || h == picking.NoHandle {
		return middleColor
	}
	return axisColors[(h-picking.HandleX)%3]
}

// Marquee draws the outline of a marquee; nothing while there is none. The line that would close a
// lasso is dashed.
func (h *HUD) Marquee(m *picking.Marquee) {
	h.outline = m.Outline(h.outline[:0])
	n := len(h.outline)
	at := func(i int) (x, y float32) { return float32(h.outline[i%n].X), float32(h.outline[i%n].Y) }
	if !m.Lasso && n == 4 {
		var corners [4][2]float32
		for i := range corners {
			corners[i][0], corners[i][1] = at(i)
		}
		h.Polygon(WithAlpha(marqueeColor, 0.12), corners[:]...)
	}
	for _, pen := range [...]struct {
		width float32
		color color.NRGBA
	}{{4, marqueeEdge}, {2, marqueeColor}} {
		for i := range h.outline {
			x0, y0 := at(i)
			x1, y1 := at(i + 1)
			if m.Lasso && i == n-1 {
				h.Dashed(x0, y0, x1, y1, pen.width, 6, 6, pen.color)
			} else {
				h.Line(x0, y0, x1, y1, pen.width, pen.color)
			}
		}
	}
}

package render

import (
	"image/color"
	"strings"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/picking"
)

// HUD collects what is drawn over the image in one frame: panels, text, buttons, diagrams. It is an
// immediate-mode interface: the game adds everything in each frame, and [Renderer.Draw] draws and
// empties it. All coordinates are window pixels, X to the right and Y downward from the upper left
// corner, on screens of any density. The zero HUD is ready for use, with the [DefaultTheme].
type HUD struct {
	// Theme is the look of panels and widgets. The zero Theme means the default one.
	Theme Theme

	size    picking.Size // of the window
	pointer physecs.Pointer
	press   point // place of the last press of the left button
	up      bool  // the left button went up in this frame

	shapes  []shape
	outline []picking.Point // of Marquee, reused
	panels  []Rect          // of this frame
	// shown is the panels of the last frame drawn: those that the user sees and points at.
	shown []Rect
}

type point struct{ x, y float32 }

// Theme is the look of panels and widgets. Sizes are in window pixels.
type Theme struct {
	Panel     color.NRGBA // background of panels
	Border    color.NRGBA
	Shadow    color.NRGBA
	Text      color.NRGBA
	Faint     color.NRGBA // keys of rows and other secondary text
	Accent    color.NRGBA // switches that are on, and buttons that are pressed
	Widget    color.NRGBA // buttons
	Hot       color.NRGBA // buttons under the pointer
	Radius    float32     // of corners
	Padding   float32
	TextSize  float32
	TitleSize float32
}

// DefaultTheme returns a dark, translucent theme.
func DefaultTheme() Theme {
	return Theme{
		Panel:     color.NRGBA{R: 0x17, G: 0x1D, B: 0x26, A: 0xDC},
		Border:    color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0x1C},
		Shadow:    color.NRGBA{R: 0x0A, G: 0x10, B: 0x18, A: 0x50},
		Text:      RGB(0xF2F5F8),
		Faint:     RGB(0x9AA7B5),
		Accent:    RGB(0x4C9BFF),
		Widget:    color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0x16},
		Hot:       color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0x2C},
		Radius:    9,
		Padding:   14,
		TextSize:  14,
		TitleSize: 15,
	}
}

func (h *HUD) theme() Theme {
	if h.Theme == (Theme{}) {
		return DefaultTheme()
	}
	return h.Theme
}

// Rect is a rectangle in window pixels. X and Y are its upper left corner.
type Rect struct{ X, Y, Width, Height float32 }

// Contains reports whether a place, in window pixels, lies in the rectangle. The left and the upper
// edge are included, the others are not.
func (r Rect) Contains(x, y float64) bool {
	return x >= float64(r.X) && y >= float64(r.Y) && x < float64(r.X+r.Width) && y < float64(r.Y+r.Height)
}

// Inset returns the rectangle reduced by d window pixels on all four sides; its width and height
// are at least 0.
func (r Rect) Inset(d float32) Rect {
	return Rect{r.X + d, r.Y + d, max(r.Width-2*d, 0), max(r.Height-2*d, 0)}
}

// shape is a rectangle, a line of text or a triangle to draw.
type shape struct {
	rect   Rect // of text only X and Y, its upper left corner
	fill   color.NRGBA
	border color.NRGBA
	radius float32 // negative for a triangle
	soft   float32 // width of a blurred edge
	edge   float32 // width of the border; 0: one framebuffer pixel
	// turn is the unit vector along the width. Zero means upright, with edges on whole framebuffer
	// pixels.
	turn     [2]float32
	triangle [3][2]float32
	text     string
	style    TextStyle
}

// Input sets the pointer of this frame for the widgets. [Window.Feed] calls it. Call it once a
// frame, before the widgets.
func (h *HUD) Input(p physecs.Pointer) {
	left := picking.Left
	wasDown := h.pointer.Down.Has(left)
	if p.Pressed.Has(left) || p.Down.Has(left) && !wasDown {
		h.press = point{float32(p.X), float32(p.Y)}
		wasDown = true
	}
	h.up = wasDown && !p.Down.Has(left) && !p.Unfocused
	h.pointer = p
}

// Resize sets the size of the window in window pixels, for places that count from the right or the
// lower edge. [Window.Feed] and [Renderer.Draw] call it.
func (h *HUD) Resize(window picking.Size) { h.size = window }

// Contains reports whether a place, in window pixels, lies on a panel of the last frame drawn:
// clicks there do not belong to the world.
func (h *HUD) Contains(x, y float64) bool {
	for _, p := range h.shown {
		if p.Contains(x, y) {
			return true
		}
	}
	return false
}

// Place returns a rectangle of a size at distance x from the left edge of the window or, if x is
// negative, −x from the right edge; y is the same for the upper and the lower edge. All are window
// pixels.
func (h *HUD) Place(x, y, width, height float32) Rect {
	if x < 0 {
		x += float32(h.size.Width) - width
	}
	if y < 0 {
		y += float32(h.size.Height) - height
	}
	return Rect{x, y, width, height}
}

// Panel draws the background of a group of widgets. The pointer on it belongs to the HUD: see
// [HUD.Contains].
func (h *HUD) Panel(r Rect) {
	t := h.theme()
	if t.Shadow.A > 0 {
		h.shapes = append(h.shapes, shape{
			rect: Rect{r.X - 12, r.Y - 8, r.Width + 24, r.Height + 24}, fill: t.Shadow, radius: t.Radius + 10, soft: 24})
	}
	h.shapes = append(h.shapes, shape{rect: r, fill: t.Panel, border: t.Border, radius: t.Radius})
	h.panels = append(h.panels, r)
}

// Fill draws a rectangle with round corners. The pointer ignores it.
func (h *HUD) Fill(r Rect, radius float32, c color.NRGBA) {
	h.shapes = append(h.shapes, shape{rect: r, fill: c, radius: radius})
}

// Text draws text with its upper left corner at x and y, and returns its rectangle. "\n" begins a
// new line. The pointer ignores it. Panics if the style's Font is none of the constants.
func (h *HUD) Text(x, y float32, style TextStyle, text string) Rect {
	r := Rect{X: x, Y: y}
	for _, line := range strings.Split(text, "\n") {
		width, height := MeasureText(style, line)
		if line != "" {
			h.shapes = append(h.shapes, shape{rect: Rect{x, y + r.Height, width, height}, text: line, style: style})
		}
		r.Width = max(r.Width, width)
		r.Height += height
	}
	return r
}

// Label draws text centred at a place, on a small plate. The pointer ignores it. Use it for names
// of objects, at a place from picking.View.Project.
func (h *HUD) Label(x, y float32, text string) {
	t := h.theme()
	style := TextStyle{Medium, t.TextSize - 1, t.Text}
	width, height := MeasureText(style, text)
	r := Rect{x - width/2 - 7, y - height/2 - 2, width + 14, height + 4}
	h.shapes = append(h.shapes, shape{rect: r, fill: t.Panel, radius: r.Height / 2})
	h.Text(x-width/2, y-height/2, style, text)
}

// begin makes the collected frame the one that is shown, and returns its shapes.
func (h *HUD) begin() []shape {
	h.shown, h.panels = h.panels, h.shown[:0]
	return h.shapes
}

// end empties the frame.
func (h *HUD) end() { h.shapes = h.shapes[:0] }

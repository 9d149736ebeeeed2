package render

import (
	"image/color"

	"github.com/hitscan-go/hitscan/picking"
)

// Row is a row of a [HUD.Card]: a name and a value.
type Row struct {
	Key, Value string
	Color      color.NRGBA // of the value; zero: the theme's Text
}

// Card draws a panel with a title and rows of keys and values in two columns, and returns its
// place. x and y count as in [HUD.Place]. The card is as wide as its text needs, but at least width
// window pixels, so that it does not change its width with its numbers; 0 sets no least width. An
// empty title is left out; a row without a key and a value is a gap.
func (h *HUD) Card(x, y, width float32, title string, rows ...Row) Rect {
	t := h.theme()
	l := layoutCard(t, width, title, rows)
	r := h.Place(x, y, l.width, l.height)
	h.Panel(r)
	top := r.Y + t.Padding
	if title != "" {
		h.Text(r.X+t.Padding, top, TextStyle{Bold, t.TitleSize, t.Text}, title)
		top += l.title
	}
	for _, row := range rows {
		if row.Key == "" && row.Value == "" {
			top += l.gap
			continue
		}
		h.Text(r.X+t.Padding, top, TextStyle{Regular, t.TextSize, t.Faint}, row.Key)
		c := row.Color
		if c == (color.NRGBA{}) {
			c = t.Text
		}
		h.Text(r.X+t.Padding+l.column, top, valueStyle(t, c), row.Value)
		top += l.row
	}
	return r
}

// valueStyle is the style of a row's value. All digits of the Go fonts have one width, so numbers
// do not move while they change.
func valueStyle(t Theme, c color.NRGBA) TextStyle { return TextStyle{Medium, t.TextSize, c} }

// cardLayout holds the sizes of a card's parts, in window pixels.
type cardLayout struct {
	width, height float32
	title         float32 // height of the title and the space below
	row, gap      float32
	column        float32 // distance of the values from the keys
}

func layoutCard(t Theme, least float32, title string, rows []Row) cardLayout {
	var l cardLayout
	_, l.row = MeasureText(TextStyle{Regular, t.TextSize, t.Faint}, "")
	l.row += 2
	l.gap = l.row / 2
	var keys, values float32
	for _, row := range rows {
		if row.Key == "" && row.Value == "" {
			l.height += l.gap
			continue
		}
		k, _ := MeasureText(TextStyle{Regular, t.TextSize, t.Faint}, row.Key)
		v, _ := MeasureText(valueStyle(t, t.Text), row.Value)
		keys, values = max(keys, k), max(values, v)
		l.height += l.row
	}
	if keys > 0 {
		l.column = keys + t.TextSize
	}
	l.width = l.column + values
	if title != "" {
		w, height := MeasureText(TextStyle{Bold, t.TitleSize, t.Text}, title)
		l.title = height
		if len(rows) > 0 {
			l.title += t.TextSize / 2
		}
		l.width = max(l.width, w)
	}
	l.width = max(l.width+2*t.Padding, least)
	l.height += l.title + 2*t.Padding
	return l
}

// hot reports whether the pointer is over a widget, and held whether a button is down that went
// down on it.
func (h *HUD) hot(r Rect) (hot, held bool) {
	hot = h.pointer.Inside && r.Contains(h.pointer.X, h.pointer.Y)
	held = hot && h.pointer.Down != 0 && r.Contains(float64(h.press.x), float64(h.press.y))
	return hot, held
}

// Clicked reports whether the left button went down and up in a rectangle, and went up in this
// frame. Use it for your own widgets. [HUD.Input] must have been called in this frame.
func (h *HUD) Clicked(r Rect) bool {
	return h.up && r.Contains(h.pointer.X, h.pointer.Y) && r.Contains(float64(h.press.x), float64(h.press.y))
}

// Button draws a button with a centred label and reports whether it was clicked.
func (h *HUD) Button(r Rect, label string) bool {
	t := h.theme()
	h.widget(r, t)
	style := TextStyle{Medium, t.TextSize, t.Text}
	w, height := MeasureText(style, label)
	h.Text(r.X+(r.Width-w)/2, r.Y+(r.Height-height)/2, style, label)
	return h.Clicked(r)
}

func (h *HUD) widget(r Rect, t Theme) {
	fill := t.Widget
	hot, held := h.hot(r)
	switch {
	case held:
		fill = t.Accent
	case hot:
		fill = t.Hot
	}
	h.shapes = append(h.shapes, shape{rect: r, fill: fill, radius: min(t.Radius-3, r.Height/2)})
}

// Toggle draws a switch with its label, inverts *on when it is clicked anywhere in r, and reports
// whether it was. hint is drawn faintly at the right, for example the key with the same function;
// it may be empty.
func (h *HUD) Toggle(r Rect, label, hint string, on *bool) bool {
	t := h.theme()
	clicked := h.Clicked(r)
	if clicked {
		*on = !*on
	}
	if hot, _ := h.hot(r); hot {
		h.Fill(r, t.Radius-3, t.Widget)
	}
	const width, height = 28, 16
	track := Rect{r.X + 6, r.Y + (r.Height-height)/2, width, height}
	fill, knob := t.Hot, track.X+2
	if *on {
		fill, knob = t.Accent, track.X+width-height+2
	}
	h.Fill(track, height/2, fill)
	h.Fill(Rect{knob, track.Y + 2, height - 4, height - 4}, height/2-2, RGB(0xFFFFFF))
	text := t.Text
	if !*on {
		text = t.Faint
	}
	style := TextStyle{Regular, t.TextSize, text}
	_, line := MeasureText(style, label)
	h.Text(track.X+width+10, r.Y+(r.Height-line)/2, style, label)
	if hint != "" {
		style = TextStyle{Medium, t.TextSize - 3, t.Faint}
		w, line := MeasureText(style, hint)
		h.Text(r.X+r.Width-w-8, r.Y+(r.Height-line)/2, style, hint)
	}
	return clicked
}

// Slider draws a bar with a knob at *at, from 0 at the left to 1 at the right, and sets *at to the
// pointer's place while it is dragged, also outside of r. It reports whether it is being dragged.
func (h *HUD) Slider(r Rect, at *float32) bool {
	t := h.theme()
	const track, knob = 4, 14
	left, width := r.X+knob/2, r.Width-knob
	held := h.pointer.Down.Has(picking.Left) && r.Contains(float64(h.press.x), float64(h.press.y))
	if held && width > 0 {
		*at = (float32(h.pointer.X) - left) / width
	}
	*at = min(max(*at, 0), 1)
	middle, x := r.Y+r.Height/2, left+*at*width
	h.Fill(Rect{left, middle - track/2, width, track}, track/2, t.Hot)
	h.Fill(Rect{left, middle - track/2, x - left, track}, track/2, t.Accent)
	fill := RGB(0xFFFFFF)
	if held {
		fill = t.Accent
	}
	h.Fill(Rect{x - knob/2, middle - knob/2, knob, knob}, knob/2, fill)
	return held
}

// Source draws a button that can be dragged into the world, as an entry of a list of things to
// place. dragging is set while the left button drags it beyond the panels, with its label at the
// pointer; dropped is set in the frame in which the button goes up there. The place is that of the
// pointer in the resource physecs.Pointer, which is Captured in both cases: cast a ray there.
func (h *HUD) Source(r Rect, label string) (dragging, dropped bool) {
	h.Button(r, label)
	p := &h.pointer
	if !r.Contains(float64(h.press.x), float64(h.press.y)) || !p.Inside || h.Contains(p.X, p.Y) {
		return false, false
	}
	if dragging = p.Down.Has(picking.Left); dragging {
		h.Label(float32(p.X), float32(p.Y), label)
	}
	return dragging, h.up
}

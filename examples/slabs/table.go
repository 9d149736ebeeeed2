package main

import (
	"strings"

	"github.com/hitscan-go/hitscan/render"
)

const (
	tableText = 14
	padding   = 14
)

var (
	whyStyle  = render.TextStyle{Font: render.Regular, Size: tableText, Color: render.RGB(white)}
	keyInk    = render.TextStyle{Font: render.Regular, Size: tableText, Color: render.RGB(faint)}
	valueInk  = render.TextStyle{Font: render.Medium, Size: tableText, Color: render.RGB(white)}
	hintStyle = render.TextStyle{Font: render.Regular, Size: 13, Color: render.RGB(faint)}
)

// wrap breaks a text into lines that are not wider than a width, between words.
func wrap(style render.TextStyle, text string, width float32) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		longer := strings.TrimSpace(line + " " + word)
		if w, _ := render.MeasureText(style, longer); w > width && line != "" {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	return append(lines, line)
}

// table draws a page's report, and the controls at the bottom. It returns the end of the first and
// the start of the second, which a test compares.
func (c *canvas) table(r report, hint string) (end, start float32) {
	t := c.layout.table
	c.hud.Panel(t)
	left, right := t.X+padding, t.X+t.Width-padding
	y := t.Y + padding - 2

	verdict, ink := "Miss", uint32(coral)
	if r.hit {
		verdict, ink = "Hit", amber
	}
	y += c.hud.Text(left, y, render.TextStyle{Font: render.Bold, Size: 24, Color: render.RGB(ink)}, verdict).Height + 2
	for _, line := range wrap(whyStyle, r.why, right-left) {
		y += c.hud.Text(left, y, whyStyle, line).Height + 1
	}
	y += 8
	for i, text := range r.head {
		if i == 0 {
			c.hud.Text(left, y, keyInk, text)
		} else {
			c.right(right, i, len(r.head), y, keyInk, text)
		}
	}
	y += 20
	c.hud.Fill(render.Rect{X: left, Y: y - 1, Width: right - left, Height: 1}, 0, paint(white, 0.2))
	for _, row := range r.rows {
		style := valueInk
		style.Font, style.Color = render.Bold, render.RGB(row.color)
		c.hud.Text(left, y+2, style, row.label)
		for i, cell := range row.cells {
			c.right(right, i+1, len(row.cells)+1, y+2, style, cell)
		}
		y += 22
	}
	y += 8
	column := float32(0)
	for _, f := range r.more {
		w, _ := render.MeasureText(keyInk, f.name)
		column = max(column, w+14)
	}
	for _, f := range r.more {
		if f == (fact{}) {
			y += 7
			continue
		}
		c.hud.Text(left, y, keyInk, f.name)
		y += c.hud.Text(left+column, y, valueInk, f.value).Height + 1
	}

	lines := wrap(hintStyle, hint, right-left)
	start = t.Y + t.Height - padding - float32(len(lines))*17
	for i, line := range lines {
		c.hud.Text(left, start+float32(i)*17, hintStyle, line)
	}
	return y, start
}

// right draws a text, right-aligned, in one of the columns at the right of the table.
func (c *canvas) right(edge float32, i, n int, y float32, style render.TextStyle, text string) {
	const column = 92
	w, _ := render.MeasureText(style, text)
	c.hud.Text(edge-float32(n-1-i)*column-w, y, style, text)
}

// controls draws the tabs and the buttons.
func (c *canvas) controls(l *lesson) {
	for i, p := range l.pages {
		c.press(l.layout.tabs[i], p.name(), "", i == l.at, l.hot == tabName(p))
	}
	c.press(l.layout.reset, "Reset", "R", false, l.hot == resetName)
	list := l.page().buttons()
	for i, r := range l.layout.buttons(list) {
		c.press(r, list[i].label, string(list[i].key), list[i].on, l.hot == buttonName(list[i]))
	}
}

func (c *canvas) press(r render.Rect, text, key string, on, hot bool) {
	fill := paint(0x2A3441, 1)
	switch {
	case on:
		fill = paint(0x3B7DD8, 1)
	case hot:
		fill = paint(0x3B4858, 1)
	}
	c.hud.Fill(r, 6, fill)
	w, h := render.MeasureText(buttonStyle, text)
	k, kh := render.MeasureText(keyStyle, key)
	if key != "" {
		k += 8
	}
	x := r.X + (r.Width-w-k)/2
	c.hud.Text(x, r.Y+(r.Height-h)/2, buttonStyle, text)
	if key != "" {
		c.hud.Text(x+w+8, r.Y+(r.Height-kh)/2, keyStyle, key)
	}
}

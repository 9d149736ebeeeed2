package render

import (
	"image/color"
	"math"
)

// What diagrams are made of, over the picture and in window pixels like all of a HUD: lines, dots,
// rings and filled shapes. They are drawn in the order in which they are put, where they are and
// not on whole pixels, and the pointer goes through them. A number that is NaN or infinite draws
// nothing, and so does a width that is not positive.

// Line draws a line with round ends, width window pixels wide.
func (h *HUD) Line(x0, y0, x1, y1, width float32, c color.NRGBA) {
	dx, dy := x1-x0, y1-y0
	length := float32(math.Hypot(float64(dx), float64(dy)))
	if !isDrawable(x0, y0, x1, y1, length, width) || width <= 0 {
		return
	}
	turn := [2]float32{1, 0}
	if length > 0 {
		turn = [2]float32{dx / length, dy / length}
	}
	h.shapes = append(h.shapes, shape{
		rect: Rect{(x0 + x1 - length - width) / 2, (y0 + y1 - width) / 2, length + width, width}, fill: c, radius: width / 2, turn: turn})
}

// Dashed draws a line in dashes that are dash window pixels long and gap apart; the first begins at
// the first end. A dash that is not positive, and so many dashes that they could not be told apart,
// draw a [HUD.Line].
func (h *HUD) Dashed(x0, y0, x1, y1, width, dash, gap float32, c color.NRGBA) {
	const most = 4096
	dx, dy := x1-x0, y1-y0
	length := float32(math.Hypot(float64(dx), float64(dy)))
	if !isDrawable(length, dash, gap) {
		return
	}
	if !(dash > 0) || !(gap > 0) || length/(dash+gap) > most {
		h.Line(x0, y0, x1, y1, width, c)
		return
	}
	for at := float32(0); at < length; at += dash + gap {
		from, to := at/length, min(at+dash, length)/length
		h.Line(x0+from*dx, y0+from*dy, x0+to*dx, y0+to*dy, width, c)
	}
}

// Arrow draws a line with a head at its second end, head window pixels long or as long as the line.
func (h *HUD) Arrow(x0, y0, x1, y1, width, head float32, c color.NRGBA) {
	h.Line(x0, y0, x1, y1, width, c)
	dx, dy := x1-x0, y1-y0
	length := float32(math.Hypot(float64(dx), float64(dy)))
	if !(length > 0) {
		return
	}
	head = min(head, length) / length
	for _, side := range [...]float32{0.45, -0.45} {
		h.Line(x1, y1, x1-head*(dx-side*dy), y1-head*(dy+side*dx), width, c)
	}
}

// Dot draws a disc.
func (h *HUD) Dot(x, y, diameter float32, c color.NRGBA) { h.Line(x, y, x, y, diameter, c) }

// Ring draws a circle; its line, width window pixels wide, lies within the diameter.
func (h *HUD) Ring(x, y, diameter, width float32, c color.NRGBA) {
	if !isDrawable(x, y, diameter, width) || diameter <= 0 || width <= 0 {
		return
	}
	h.shapes = append(h.shapes, shape{
		rect: Rect{x - diameter/2, y - diameter/2, diameter, diameter}, fill: WithAlpha(c, 0), border: c,
		radius: diameter / 2, edge: width, turn: [2]float32{1, 0}})
}

// Polygon fills a convex shape with three corners or more. Its edges are not smoothed: draw a
// [HUD.Line] along them where it shows.
func (h *HUD) Polygon(c color.NRGBA, corners ...[2]float32) {
	for _, p := range corners {
		if !isDrawable(p[0], p[1]) {
			return
		}
	}
	for i := 2; i < len(corners); i++ {
		h.shapes = append(h.shapes, shape{triangle: [3][2]float32{corners[0], corners[i-1], corners[i]}, fill: c, radius: -1})
	}
}

// isDrawable reports whether all numbers are finite.
func isDrawable(numbers ...float32) bool {
	for _, x := range numbers {
		if x-x != 0 {
			return false
		}
	}
	return true
}

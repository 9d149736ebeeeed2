package render

import (
	"image/color"
	"math"
)

// Primitives for diagrams: lines, dots, rings and filled polygons, over the image and in window
// pixels like the rest of a HUD. They are drawn in the order of the calls and not rounded to whole
// pixels. The pointer ignores them. With a NaN or infinite number, or a width that is not positive,
// nothing is drawn.

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

// Dashed draws a dashed line: dashes of dash window pixels with gaps of gap window pixels,
// beginning with a dash. If dash or gap is not positive, or there would be more than 4,096 dashes,
// it draws a [HUD.Line].
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

// Arrow draws a line with an arrow head at its second end. The head is head window pixels long, but
// at most as long as the line.
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

// Dot draws a disc with a diameter in window pixels.
func (h *HUD) Dot(x, y, diameter float32, c color.NRGBA) { h.Line(x, y, x, y, diameter, c) }

// Ring draws a circle with a line of width window pixels, inside the diameter.
func (h *HUD) Ring(x, y, diameter, width float32, c color.NRGBA) {
	if !isDrawable(x, y, diameter, width) || diameter <= 0 || width <= 0 {
		return
	}
	h.shapes = append(h.shapes, shape{
		rect: Rect{x - diameter/2, y - diameter/2, diameter, diameter}, fill: WithAlpha(c, 0), border: c,
		radius: diameter / 2, edge: width, turn: [2]float32{1, 0}})
}

// Polygon fills a convex polygon with three or more corners. Its edges are not antialiased: draw a
// [HUD.Line] along visible ones.
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

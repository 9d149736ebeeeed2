package main

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/render"
)

// tAxis maps T to the plot.
type tAxis struct {
	area render.Rect // in which bars and curves are
	span
}

// x returns the pixel of a T, clamped to the plot.
func (a tAxis) x(t float64) float32 {
	share := (t - a.from) / (a.to - a.from)
	return a.area.X + a.area.Width*float32(math.Min(math.Max(share, 0), 1))
}

func (a tAxis) contains(t float64) bool { return t >= a.from && t <= a.to }

// span is a range of T that a plot shows.
type span struct{ from, to float64 }

// ends are the possible limits of a plot, so that it changes in steps during a drag.
var ends = [...]float64{0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24}

// spanOf returns a range that contains 0 to 1 and each T of a list, with a margin. Infinite T, and
// T beyond the last of ends, are ignored, since the others would become too small to see.
func spanOf(ts ...float64) span {
	last := ends[len(ends)-1]
	lo, hi := 0.0, 1.0
	for _, t := range ts {
		if math.Abs(t) <= last {
			lo, hi = math.Min(lo, t), math.Max(hi, t)
		}
	}
	room := 0.08 * (hi - lo)
	end := func(t float64) float64 {
		i, _ := slices.BinarySearch(ends[:], t)
		return ends[min(i, len(ends)-1)]
	}
	return span{-end(room - lo), end(hi + room)}
}

// fit returns the range of a plot of a list of Ts. During a drag it grows and does not shrink, so
// that the plot is calm.
func (c *canvas) fit(ts ...float64) span {
	to := spanOf(ts...)
	if c.dragged {
		to.from, to.to = math.Min(to.from, c.before.from), math.Max(to.to, c.before.to)
	}
	return to
}

// ticks returns the step between the numbers below an axis: a round number, about eight steps.
func (a tAxis) step() float64 {
	rough := (a.to - a.from) / 8
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, k := range [...]float64{1, 2, 2.5, 5} {
		if k*power >= rough {
			return k * power
		}
	}
	return 10 * power
}

var (
	titleStyle = render.TextStyle{Font: render.Medium, Size: 13, Color: render.RGB(faint)}
	tickStyle  = render.TextStyle{Font: render.Regular, Size: 12, Color: render.RGB(faint)}
)

// axis draws the plot's panel with an axis of T, and the ray's range as a lighter band in it. left
// is the width of the names.
func (c *canvas) axis(r geom.Ray, by span, title string, left float32) {
	const head = 46 // pixels for the title, and under it what the ray's ends are called
	p := c.layout.plot
	c.hud.Panel(p)
	c.hud.Text(p.X+14, p.Y+8, titleStyle, title)
	a := tAxis{render.Rect{X: p.X + 14 + left, Y: p.Y + head, Width: p.Width - 2*14 - left, Height: p.Height - head - 30}, by}
	c.t = a
	tMin, tMax := r.Range()
	bottom := a.area.Y + a.area.Height
	if r.IsValid() && float64(tMax) > a.from && float64(tMin) < a.to {
		x0, x1 := a.x(float64(tMin)), a.x(float64(tMax))
		c.hud.Fill(render.Rect{X: x0, Y: a.area.Y, Width: x1 - x0, Height: a.area.Height}, 0, paint(white, 0.07))
		// Centred over their lines, and moved apart where those are close.
		const start, end, apart = "the ray starts", "MaxT", 10
		first, _ := render.MeasureText(tickStyle, start)
		last, _ := render.MeasureText(tickStyle, end)
		push := float32(0)
		if a.contains(float64(tMax)) {
			push = max((first+last)/2+apart-(x1-x0), 0) / 2
		}
		for _, end := range [...]struct {
			t       float64
			text    string
			x, push float32
			width   float32
		}{{float64(tMin), start, x0, -push, first}, {float64(tMax), end, x1, push, last}} {
			if a.contains(end.t) {
				c.hud.Line(end.x, a.area.Y, end.x, bottom, 1.5, paint(white, 0.55))
				x := min(max(end.x+end.push-end.width/2, a.area.X), a.area.X+a.area.Width-end.width)
				c.hud.Text(x, a.area.Y-18, tickStyle, end.text)
			}
		}
	}
	c.hud.Line(a.area.X, bottom, a.area.X+a.area.Width, bottom, 1, paint(white, 0.4))
	step := a.step()
	for i := math.Ceil(a.from/step - 1e-9); i*step <= a.to+1e-9; i++ {
		x := a.x(i * step)
		c.hud.Line(x, bottom, x, bottom+4, 1, paint(white, 0.4))
		text := short(float32(i * step))
		w, _ := render.MeasureText(tickStyle, text)
		c.hud.Text(x-w/2, bottom+5, tickStyle, text)
	}
	w, _ := render.MeasureText(titleStyle, "T")
	c.hud.Text(a.area.X+a.area.Width+4-w/4, bottom-18, titleStyle, "T")
}

// bars draws the intervals of the first n axes one below another, and below them their
// intersection.
func (c *canvas) bars(r geom.Ray, s geom.Slabs, n int) {
	c.axis(r, c.fit(append(s.Near[:n:n], s.Far[:n]...)...), "Intervals of T in the slabs", 46)
	a := c.t.area
	height := a.Height / float32(n+1)
	valid := r.IsValid()
	for i := range n {
		bar := render.Rect{X: a.X, Y: a.Y + float32(i)*height + 5, Width: a.Width, Height: height - 10}
		c.barName(bar, axisNames[i], axisColors[i])
		if valid {
			c.bar(bar, s.Near[i], s.Far[i], axisColors[i], 0.75)
		}
	}
	all := render.Rect{X: a.X, Y: a.Y + float32(n)*height + 5, Width: a.Width, Height: height - 10}
	c.barName(all, "all", amber)
	if !valid {
		return
	}
	if !s.Hit {
		c.gap(all, s)
		return
	}
	c.bar(all, s.TNear, s.TFar, amber, 0.3)
	tMin, tMax := r.Range()
	if lo, hi := math.Max(s.TNear, float64(tMin)), math.Min(s.TFar, float64(tMax)); lo <= hi {
		c.bar(all, lo, hi, amber, 1)
	}
	for _, t := range [...]float64{s.TNear, s.TFar} {
		if x := c.t.x(t); c.t.contains(t) {
			c.hud.Dashed(x, a.Y, x, all.Y+all.Height, 1.5, 4, 4, paint(amber, 0.9))
		}
	}
}

func (c *canvas) barName(bar render.Rect, name string, rgb uint32) {
	style := render.TextStyle{Font: render.Bold, Size: 14, Color: render.RGB(rgb)}
	_, h := render.MeasureText(style, name)
	c.hud.Text(c.layout.plot.X+14, bar.Y+(bar.Height-h)/2, style, name)
}

// bar draws one interval. An arrow marks an end beyond the plot, ∞ an infinite one; an empty
// interval is labelled as such.
func (c *canvas) bar(bar render.Rect, near, far float64, rgb uint32, alpha float32) {
	middle := bar.Y + bar.Height/2
	if near > far {
		style := render.TextStyle{Font: render.Medium, Size: 13, Color: render.RGB(rgb)}
		const text = "empty: parallel to this slab, and not in it"
		w, h := render.MeasureText(style, text)
		c.hud.Fill(render.Rect{X: bar.X + 2, Y: middle - h/2 - 2, Width: w + 12, Height: h + 4}, 5, paint(ground, 0.85))
		c.hud.Text(bar.X+8, middle-h/2, style, text)
		return
	}
	if far < c.t.from || near > c.t.to {
		x, tip := bar.X+20, bar.X+3
		if near > c.t.to {
			x, tip = bar.X+bar.Width-20, bar.X+bar.Width-3
		}
		c.hud.Arrow(x, middle, tip, middle, 2, 8, paint(rgb, 1))
		return
	}
	x0, x1 := c.t.x(near), c.t.x(far)
	// An interval of length zero, a touch, is drawn all the same.
	x0, x1 = min(x0, (x0+x1)/2-1.5), max(x1, (x0+x1)/2+1.5)
	c.hud.Fill(render.Rect{X: x0, Y: bar.Y, Width: x1 - x0, Height: bar.Height}, 4, paint(rgb, alpha))
	style := render.TextStyle{Font: render.Medium, Size: 16, Color: paint(ground, 1)}
	if math.IsInf(near, -1) {
		_, h := render.MeasureText(style, "−∞")
		c.hud.Text(x0+6, middle-h/2, style, "−∞")
	} else if near < c.t.from {
		c.hud.Arrow(x0+20, middle, x0+4, middle, 2, 8, paint(ground, 0.9))
	}
	if math.IsInf(far, 1) {
		w, h := render.MeasureText(style, "+∞")
		c.hud.Text(x1-6-w, middle-h/2, style, "+∞")
	} else if far > c.t.to {
		c.hud.Arrow(x1-20, middle, x1-4, middle, 2, 8, paint(ground, 0.9))
	}
}

// gap draws the distance of the last entry from the first exit, if the intervals do not intersect.
func (c *canvas) gap(bar render.Rect, s geom.Slabs) {
	text := "nothing in common"
	middle := bar.Y + bar.Height/2
	style := render.TextStyle{Font: render.Medium, Size: 13, Color: render.RGB(coral)}
	w, h := render.MeasureText(style, text)
	x := bar.X + 8
	if !math.IsInf(s.TNear, 0) {
		x0, x1 := c.t.x(s.TFar), c.t.x(s.TNear)
		for _, t := range [...]float64{s.TFar, s.TNear} {
			// At the edge of the plot a line would be read as the T that is there.
			if x := c.t.x(t); c.t.contains(t) {
				c.hud.Dashed(x, c.t.area.Y, x, bar.Y+bar.Height, 1.5, 4, 4, paint(coral, 0.9))
			}
		}
		c.hud.Dashed(x0, middle, x1, middle, 2, 4, 4, paint(coral, 1))
		if x = x1 + 10; x+w > bar.X+bar.Width {
			x = x0 - 10 - w
		}
	}
	c.hud.Text(x, middle-h/2, style, text)
}

// curve plots a function of T between −top and top; nil: an empty plot.
func (c *canvas) curve(r geom.Ray, by span, title string, rgb uint32, f func(t float64) float64, top float64) {
	c.axis(r, by, title, 22)
	c.top = top
	a := c.t.area
	c.hud.Line(a.X, c.y(0), a.X+a.Width, c.y(0), 1, paint(white, 0.4))
	zero, h := render.MeasureText(tickStyle, "0")
	c.hud.Text(a.X-zero-6, c.y(0)-h/2, tickStyle, "0")
	if f == nil {
		return
	}
	const n = 400
	t, v := by.from, f(by.from)
	for i := 1; i <= n; i++ {
		t1 := by.from + (by.to-by.from)*float64(i)/n
		v1 := f(t1)
		if math.Abs(v) <= top && math.Abs(v1) <= top {
			c.hud.Line(c.t.x(t), c.y(v), c.t.x(t1), c.y(v1), 2.5, paint(rgb, 1))
		}
		t, v = t1, v1
	}
}

// y returns the pixel of a value in the plot of curve.
func (c *canvas) y(v float64) float32 {
	share := (1 - math.Min(math.Max(v/c.top, -1), 1)) / 2
	return c.t.area.Y + c.t.area.Height*float32(share)
}

// side is the position of a mark's name.
type side uint8

const (
	above side = iota
	below
	left  // and a little below
	right // and a little below
	rightAbove
)

// mark draws a dot on a curve with its name.
func (c *canvas) mark(t, v float64, name string, rgb uint32, where side) {
	if !c.t.contains(t) || math.Abs(v) > c.top {
		return
	}
	x, y := c.t.x(t), c.y(v)
	c.hud.Dot(x, y, 10, paint(rgb, 1))
	style := labelStyle
	style.Color = render.RGB(rgb)
	w, h := render.MeasureText(style, name)
	textX, textY := x-w/2, y-h-7
	switch where {
	case below:
		textY = y + 7
	case left:
		textX, textY = x-w-9, y+3
	case right:
		textX, textY = x+9, y+3
	case rightAbove:
		textX, textY = x+9, y-h-3
	}
	a := c.t.area
	c.hud.Text(min(max(textX, a.X), a.X+a.Width-w), min(max(textY, a.Y), a.Y+a.Height-h), style, name)
}

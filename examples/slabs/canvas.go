package main

import (
	"image/color"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// The colours, on a dark background. Axes also carry their names, for the colour-blind.
const (
	white  = 0xF2F5F8
	faint  = 0x9AA7B5
	ground = 0x10151C
	amber  = 0xFFC24B // what is hit, and the interval in which all agree
	sky    = 0x5CC8F0 // planes, spheres and triangles
	violet = 0xC79BFF // the closest approach
	coral  = 0xFF8A70 // a miss
)

var axisColors = [3]uint32{0xFF6B6B, 0x5FD38A, 0x5AA2FF}

func paint(rgb uint32, alpha float32) color.NRGBA { return render.WithAlpha(render.RGB(rgb), alpha) }

var (
	labelStyle  = render.TextStyle{Font: render.Medium, Size: 13}
	buttonStyle = render.TextStyle{Font: render.Medium, Size: 13, Color: render.RGB(white)}
	keyStyle    = render.TextStyle{Font: render.Medium, Size: 11, Color: render.RGB(faint)}
)

// canvas draws a page: the diagram, flat or spatial, and the plot below it.
type canvas struct {
	hud     *render.HUD
	lines   *render.Lines
	layout  layout
	flat    flat
	view    picking.View // of a spatial page
	hot     string       // the handle that is under the pointer or held
	labels  []label
	taken   []render.Rect // where no label may go
	lined   []render.Rect // and where none should, for the lines that it would hide
	t       tAxis
	before  span    // that the plot had in the last frame
	dragged bool    // a handle is held
	top     float64 // value at the upper end of the plot
}

// label is a text to be placed near a point of the diagram.
type label struct {
	x, y  float32
	text  string
	color uint32
	minor bool // dropped where it would cover a line
}

// text adds a label near a point of a flat diagram.
func (c *canvas) text(p geom.Vec3, text string, rgb uint32) { c.label(p, text, rgb, false) }

func (c *canvas) label(p geom.Vec3, text string, rgb uint32, minor bool) {
	if x, y := c.flat.at(p); text != "" && c.inDiagram(x, y) {
		c.labels = append(c.labels, label{x, y, text, rgb, minor})
	}
}

// inDiagram reports whether a pixel lies in the diagram; a NaN does not.
func (c *canvas) inDiagram(x, y float32) bool {
	return c.layout.diagram.Contains(float64(x), float64(y))
}

// place puts each label beside its point, clear of the others; a label without a free place is
// dropped.
func (c *canvas) place() (places []render.Rect, texts []label) {
	inner := c.layout.diagram.Inset(4)
	for _, l := range c.labels {
		w, h := render.MeasureText(labelStyle, l.text)
		w, h = w+10, h+2
		for i := range 2 * labelTries {
			i, avoid := i%labelTries, i < labelTries || l.minor
			sin, cos := math.Sincos(math.Pi / 4 * float64(labelTurns[i%8]))
			reach := float32(10 + 14*(i/8))
			r := render.Rect{
				X: l.x + float32(cos)*reach + (sign(cos)-1)*w/2, Y: l.y - float32(sin)*reach - (sign(sin)+1)*h/2, Width: w, Height: h}
			if r.X >= inner.X && r.Y >= inner.Y && r.X+w <= inner.X+inner.Width && r.Y+h <= inner.Y+inner.Height &&
				isFree(r, c.taken) && !(avoid && !isFree(r, c.lined)) {
				c.taken = append(c.taken, r)
				places, texts = append(places, r), append(texts, l)
				break
			}
		}
	}
	return places, texts
}

// sign returns −1, 0 or 1; a value within rounding of zero is 0.
func sign(x float64) float32 {
	switch {
	case x > 1e-9:
		return 1
	case x < -1e-9:
		return -1
	}
	return 0
}

// labelTries is the number of places tried for a label: three rings, first clear of lines, then
// over them.
const labelTries = 3 * 8

// labelTurns are the directions tried for a label, in eighths of a turn: above, below, beside, then
// diagonal.
var labelTurns = [8]int{2, 6, 0, 4, 1, 7, 3, 5}

// avoid keeps labels off a line of the diagram where possible.
func (c *canvas) avoid(x0, y0, x1, y1 float32) {
	const step = 8
	n := int(min(float32(math.Hypot(float64(x1-x0), float64(y1-y0)))/step, 400))
	for i := range n + 1 {
		k := float32(i) / float32(max(n, 1))
		c.lined = append(c.lined, render.Rect{X: x0 + k*(x1-x0) - 2, Y: y0 + k*(y1-y0) - 2, Width: 4, Height: 4})
	}
}

func isFree(r render.Rect, taken []render.Rect) bool {
	for _, t := range taken {
		if r.X < t.X+t.Width && t.X < r.X+r.Width && r.Y < t.Y+t.Height && t.Y < r.Y+r.Height {
			return false
		}
	}
	return true
}

// finish draws the labels, on top of the diagram.
func (c *canvas) finish() {
	places, texts := c.place()
	for i, r := range places {
		style := labelStyle
		style.Color = render.RGB(texts[i].color)
		c.hud.Fill(r, 5, paint(ground, 0.78))
		c.hud.Text(r.X+5, r.Y+1, style, texts[i].text)
	}
	c.labels = nil
}

// The methods below draw in a flat diagram, clipped at its edges.

func (c *canvas) grid() {
	c.hud.Fill(c.layout.diagram, 8, render.RGB(0x19212B))
	seen := c.flat.seen()
	for _, a := range [...]geom.Axis{geom.X, geom.Y} {
		for at := math.Ceil(float64(seen.Min.Axis(a))); at <= float64(seen.Max.Axis(a)); at++ {
			alpha := float32(0.05)
			if at == 0 {
				alpha = 0.14
			}
			c.segment(seen.Min.WithAxis(a, float32(at)), seen.Max.WithAxis(a, float32(at)), 1, white, alpha)
		}
	}
}

func (c *canvas) segment(a, b geom.Vec3, width float32, rgb uint32, alpha float32) {
	if a, b, ok := clip(geom.Segment(a, b), 0, 1, c.flat.seen()); ok {
		x0, y0 := c.flat.at(a)
		x1, y1 := c.flat.at(b)
		c.hud.Line(x0, y0, x1, y1, width, paint(rgb, alpha))
	}
}

func (c *canvas) dashed(a, b geom.Vec3, rgb uint32, alpha float32) {
	if a, b, ok := clip(geom.Segment(a, b), 0, 1, c.flat.seen()); ok {
		x0, y0 := c.flat.at(a)
		x1, y1 := c.flat.at(b)
		c.hud.Dashed(x0, y0, x1, y1, 1.5, 6, 6, paint(rgb, alpha))
	}
}

// line draws an infinite line through a point.
func (c *canvas) line(p, dir geom.Vec3, width float32, rgb uint32) {
	if a, b, ok := clip(geom.NewRay(p, dir), math.Inf(-1), math.Inf(1), c.flat.seen()); ok {
		c.segment(a, b, width, rgb, 1)
	}
}

func (c *canvas) arrow(a, b geom.Vec3, rgb uint32) {
	x0, y0 := c.flat.at(a)
	x1, y1 := c.flat.at(b)
	if c.inDiagram(x0, y0) && c.inDiagram(x1, y1) {
		c.hud.Arrow(x0, y0, x1, y1, 2.5, 11, paint(rgb, 1))
		c.avoid(x0, y0, x1, y1)
	}
}

func (c *canvas) dot(p geom.Vec3, diameter float32, rgb uint32, filled bool) {
	x, y := c.flat.at(p)
	if !c.inDiagram(x, y) {
		return
	}
	c.taken = append(c.taken, render.Rect{X: x - diameter/2, Y: y - diameter/2, Width: diameter, Height: diameter})
	if filled {
		c.hud.Dot(x, y, diameter, paint(rgb, 1))
		return
	}
	c.hud.Dot(x, y, diameter, paint(ground, 1))
	c.hud.Ring(x, y, diameter, 2.5, paint(rgb, 1))
}

// fill colours a rectangle of the plane.
func (c *canvas) fill(b geom.AABB, rgb uint32, alpha float32) {
	seen := c.flat.seen()
	lo, hi := b.Min.Max(seen.Min), b.Max.Min(seen.Max)
	x0, y0 := c.flat.at(lo)
	x1, y1 := c.flat.at(hi)
	if x1 > x0 && y0 > y1 {
		c.hud.Fill(render.Rect{X: x0, Y: y1, Width: x1 - x0, Height: y0 - y1}, 0, paint(rgb, alpha))
	}
}

func (c *canvas) outline(b geom.AABB, width float32, rgb uint32) {
	p, q := geom.V(b.Min.X, b.Max.Y, 0), geom.V(b.Max.X, b.Min.Y, 0)
	for _, side := range [...][2]geom.Vec3{{b.Min, p}, {p, b.Max}, {b.Max, q}, {q, b.Min}} {
		c.segment(side[0], side[1], width, rgb, 0.9)
	}
}

// disc draws the sphere's section, which may be larger than the diagram.
func (c *canvas) disc(s geom.Sphere, rgb uint32) {
	const n = 128
	var corners [n][2]float32
	last := s.Center.Add(geom.V(s.Radius, 0, 0))
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i+1) / n)
		next := s.Center.Add(geom.V(s.Radius*float32(cos), s.Radius*float32(sin), 0))
		c.segment(last, next, 2, rgb, 0.95)
		corners[i][0], corners[i][1] = c.flat.at(next)
		last = next
	}
	c.hud.Polygon(paint(rgb, 0.12), cut(corners[:], c.layout.diagram)...)
}

// half draws short strokes on the back side of a plane seen edge-on.
func (c *canvas) half(p, along, normal geom.Vec3, rgb uint32) {
	for i := -60; i <= 60; i++ {
		from := p.Add(along.Mul(float32(i) * 0.3))
		if x, y := c.flat.at(from); c.inDiagram(x, y) {
			c.segment(from, from.Sub(normal.Mul(0.2)).Sub(along.Mul(0.2)), 1.5, rgb, 0.5)
		}
	}
}

// ray draws the ray's range as a line, and beyond it the rest of its line in dashes.
func (c *canvas) ray(r geom.Ray) {
	if !r.IsValid() {
		return
	}
	seen := c.flat.seen()
	if a, b, ok := clip(r, math.Inf(-1), math.Inf(1), seen); ok {
		c.dashed(a, b, faint, 0.7)
	}
	tMin, tMax := r.Range()
	if a, b, ok := clip(r, float64(tMin), float64(tMax), seen); ok {
		c.segment(a, b, 3, white, 1)
		fromX, fromY := c.flat.at(a)
		toX, toY := c.flat.at(b)
		c.avoid(fromX, fromY, toX, toY)
		// The arrow head is near the start, clear of the handle there.
		if length := float32(math.Hypot(float64(toX-fromX), float64(toY-fromY))); length > 90 {
			k := max(0.16, 36/length)
			c.hud.Arrow(fromX, fromY, fromX+k*(toX-fromX), fromY+k*(toY-fromY), 3, 12, paint(white, 1))
		}
	}
}

// stretch draws the ray's line between two T, brighter within the ray's range.
func (c *canvas) stretch(r geom.Ray, from, to float64) {
	seen := c.flat.seen()
	if a, b, ok := clip(r, from, to, seen); ok {
		c.segment(a, b, 5, amber, 0.35)
	}
	tMin, tMax := r.Range()
	if a, b, ok := clip(r, math.Max(from, float64(tMin)), math.Min(to, float64(tMax)), seen); ok {
		c.segment(a, b, 5, amber, 1)
	}
}

// crossing draws a dot on the ray's line with its T.
func (c *canvas) crossing(r geom.Ray, t float64, name string, rgb uint32, filled bool) {
	if math.IsInf(t, 0) || !r.IsValid() {
		return
	}
	p := r.At(float32(t))
	c.dot(p, 11, rgb, filled)
	if name != "" {
		name += " "
	}
	c.text(p, name+number(t), rgb)
}

// hit draws the hit point and its normal.
func (c *canvas) hit(h geom.Hit) {
	c.arrow(h.Point, h.Point.Add(h.Normal.Mul(0.85)), amber)
	x, y := c.flat.at(h.Point)
	if c.inDiagram(x, y) {
		c.hud.Ring(x, y, 19, 2.5, paint(amber, 1))
	}
	name := "normal"
	if h.Inside {
		name = "starts inside"
	}
	c.text(h.Point.Add(h.Normal.Mul(0.85)), name, amber)
}

// handles draws the draggable points; the one under the pointer is larger.
func (c *canvas) handles(list []handle) {
	for _, h := range list {
		x, y := c.flat.at(h.at)
		size, ring := float32(11), float32(0)
		if len(h.name) == 1 {
			size = 20
		}
		if h.name == c.hot {
			size, ring = size+4, size+14
		}
		if ring > 0 {
			c.hud.Dot(x, y, ring, paint(amber, 0.45))
		}
		c.hud.Dot(x, y, size, paint(white, 1))
		if len(h.name) == 1 {
			style := render.TextStyle{Font: render.Bold, Size: 13, Color: render.RGB(ground)}
			w, height := render.MeasureText(style, h.name)
			c.hud.Text(x-w/2, y-height/2, style, h.name)
		} else {
			c.hud.Dot(x, y, size-5, paint(ground, 1))
		}
	}
}

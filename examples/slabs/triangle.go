package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// trianglePage is a ray and a triangle: where the ray meets its plane, by the weights of the
// corners (barycentrics).
type trianglePage struct {
	camera   picking.Orbit
	ray      geom.Ray
	triangle geom.Triangle
}

func (p *trianglePage) name() string { return "5  Triangle" }

func (p *trianglePage) reset() {
	p.camera = picking.Orbit{Target: geom.V(0.2, 0, 0), Yaw: 0.42, Pitch: 0.3, Distance: 8, MinDistance: 6, MaxDistance: 25, Projection: projection}
	p.triangle = geom.Triangle{A: geom.V(-1.9, -1.2, 0.2), B: geom.V(2.2, -0.8, 0.7), C: geom.V(0.2, 1.7, -0.6)}
	p.cast(geom.NewRay(geom.V(-2.3, 1.3, 3.2), geom.V(3.2, -1.6, -3).Normalize()))
}

func (p *trianglePage) hint() string {
	return "Click to cast a ray through the mouse, also beside the triangle; drag to see it from the side, the wheel comes " +
		"closer. Flip swaps B and C, which turns front to back."
}

func (p *trianglePage) orbit() *picking.Orbit { return &p.camera }
func (p *trianglePage) cast(r geom.Ray)       { p.ray = r }

func (p *trianglePage) buttons() []button {
	return []button{{"Flip", 'F', false, func() { p.triangle.B, p.triangle.C = p.triangle.C, p.triangle.B }}}
}

// weightColors are those of A, B and C; those of B and C are of u and v too.
var weightColors = [3]uint32{axisColors[2], axisColors[0], axisColors[1]}

// edges names the edge across from each corner.
var edges = [3]string{"BC", "CA", "AB"}

func weights(w geom.Weights) [3]float64 { return [3]float64{w.A, w.B, w.C} }

func (p *trianglePage) explain() report {
	w := p.triangle.Weights(p.ray)
	_, hit := p.triangle.CastRay(p.ray, geom.CullNone)
	rep := report{hit: hit, why: whyTriangle(p.ray, w, hit), head: []string{"weight", "beyond edge", "value"}}
	for _, i := range [...]int{1, 2, 0} {
		label := [...]string{"of A, 1 − u − v", "u, of B", "v, of C"}[i]
		value, beyond := "none", ""
		if !w.Parallel {
			value = number(weights(w)[i])
			if weights(w)[i] < 0 {
				beyond = edges[i]
			}
		}
		rep.rows = append(rep.rows, row{label, []string{beyond, value}, weightColors[i]})
	}
	point, side := "none", "none"
	if !w.Parallel {
		point, side = place(w.Point, false), "the front: A, B, C counter-clockwise"
		if w.BackFace {
			side = "the back: A, B, C clockwise"
		}
	}
	side, round, _ := strings.Cut(side, ": ")
	rep.more = []fact{{"Origin", place(p.ray.Origin, false)}, {"Dir", place(p.ray.Dir, false)}, {"MaxT", limit(p.ray)}, {},
		{"T of the plane", number(w.T)}, {"Point", point}, {"Met from", side}, {"", round}, {}}
	for _, cull := range [...]geom.Cull{geom.CullNone, geom.CullBack, geom.CullFront} {
		value := "miss"
		if h, ok := p.triangle.CastRay(p.ray, cull); ok {
			value = fmt.Sprintf("T %s, u %s, v %s", number(float64(h.T)), number(float64(h.U)), number(float64(h.V)))
		}
		rep.more = append(rep.more, fact{cull.String(), value})
	}
	return rep
}

// whyTriangle returns a sentence on why a ray hits or misses a triangle.
func whyTriangle(r geom.Ray, w geom.Weights, hit bool) string {
	if w.Parallel {
		return "The ray is parallel to the triangle: seen edge-on, it is never hit."
	}
	var names, beyond []string
	for i, x := range weights(w) {
		if x < 0 {
			names = append(names, fmt.Sprintf("%s %s", [...]string{"1 − u − v", "u", "v"}[i], number(x)))
			beyond = append(beyond, edges[i])
		}
	}
	why := outside(r, w.T, w.T, "The triangle's plane", "T", "T")
	switch {
	case len(names) == 1 && !hit:
		return fmt.Sprintf("%s is negative: the point is beyond the edge %s.", names[0], beyond[0])
	case len(names) > 1 && !hit:
		return fmt.Sprintf("%s are negative: the point is beyond the edges %s.", strings.Join(names, " and "), strings.Join(beyond, " and "))
	case why != "" && !hit:
		return why
	case w.Hit != hit:
		return "The ray comes so near to an edge that rounding decides: the cast counts in single precision."
	}
	return "No weight is negative: the point is inside of all three edges."
}

func (p *trianglePage) markers() []marker {
	if w := p.triangle.Weights(p.ray); !w.Parallel {
		if w.Hit {
			return []marker{{w.Point, amber}}
		}
		return []marker{{w.Point, coral}}
	}
	return nil
}

func (p *trianglePage) draw(c *canvas) {
	t, r := p.triangle, p.ray
	w := t.Weights(r)
	c.floor()
	if t.Normal().Dot(p.camera.Camera().Position.Sub(t.A)) > 0 {
		c.polygon(sky, 0.22, t.A, t.B, t.C)
	} else {
		c.polygon(violet, 0.22, t.A, t.B, t.C)
	}
	at := func(u, v float32) geom.Vec3 { return t.A.Add(t.B.Sub(t.A).Mul(u)).Add(t.C.Sub(t.A).Mul(v)) }
	// Lines of equal u and of equal v.
	c.lines.Width = 1
	for i := 1; i < 5; i++ {
		k := float32(i) / 5
		c.lines.Segment(at(k, 0), at(k, 1-k), paint(weightColors[1], 0.5))
		c.lines.Segment(at(0, k), at(1-k, k), paint(weightColors[2], 0.5))
	}
	corner := [3]geom.Vec3{t.A, t.B, t.C}
	for i := range corner {
		// An edge with the point on its outer side is emphasised.
		rgb, width := uint32(white), float32(2.5)
		if weights(w)[i] < 0 {
			rgb, width = coral, 6
		}
		c.lines.Width = width
		c.lines.Segment(corner[(i+1)%3], corner[(i+2)%3], paint(rgb, 0.95))
		out := corner[i].Add(corner[i].Sub(at(1./3, 1./3)).Mul(0.06))
		c.name(out, string(rune('A'+i)), weightColors[i])
	}
	middle := at(1./3, 1./3)
	c.vector(at(0.1, 0.7), at(0.1, 0.7).Add(t.Normal().Mul(0.8)), 2.5, "front", sky)

	if !w.Parallel {
		u, v := float32(w.B), float32(w.C)
		c.vector(t.A, at(u, 0), 4, "", weightColors[1])
		c.vector(at(u, 0), at(u, v), 4, "", weightColors[2])
		c.name(at(u/2, 0), "u "+number(w.B), weightColors[1])
		c.name(at(u, v/2), "v "+number(w.C), weightColors[2])
	}
	ball := geom.Sphere{Center: middle, Radius: 1.6}
	to := beyond(r, ball)
	if !w.Parallel {
		to = math.Max(to, math.Min(w.T+1, 60))
	}
	c.cast(r, math.Max(to, 0.5))
	if h, ok := t.CastRay(r, geom.CullNone); ok {
		c.vector(h.Point, h.Point.Add(h.Normal), 3.5, "normal", amber)
	}
	p.plot(c, w)
}

// plot draws the triangle in barycentric coordinates, u to the right and v upward, and the weights
// as bars.
func (p *trianglePage) plot(c *canvas, w geom.Weights) {
	area := c.layout.plot
	c.hud.Panel(area)
	c.hud.Text(area.X+14, area.Y+8, titleStyle, "The triangle in u and v")
	const from, to = -0.35, 1.35
	side := area.Height - 44
	square := render.Rect{X: area.X + 14, Y: area.Y + 32, Width: side * 1.5, Height: side}
	at := func(u, v float64) (x, y float32) {
		scale := float64(side) / (to - from)
		return square.X + square.Width/2 + float32((u-0.5)*scale), square.Y + square.Height/2 - float32((v-0.5)*scale)
	}
	line := func(u0, v0, u1, v1 float64, width float32, rgb uint32) {
		x0, y0 := at(u0, v0)
		x1, y1 := at(u1, v1)
		c.hud.Line(x0, y0, x1, y1, width, paint(rgb, 1))
	}
	x0, y0 := at(0, 0)
	x1, y1 := at(1, 0)
	x2, y2 := at(0, 1)
	c.hud.Fill(square, 4, paint(white, 0.04))
	c.hud.Polygon(paint(sky, 0.16), [2]float32{x0, y0}, [2]float32{x1, y1}, [2]float32{x2, y2})
	ends := [3][2]float64{{0, 0}, {1, 0}, {0, 1}}
	for i := range ends {
		rgb, width := uint32(white), float32(2)
		if weights(w)[i] < 0 {
			rgb, width = coral, 4
		}
		p, q := ends[(i+1)%3], ends[(i+2)%3]
		line(p[0], p[1], q[0], q[1], width, rgb)
	}
	for i, name := range [...]string{"A", "B  u = 1", "C  v = 1"} {
		x, y := at(ends[i][0], ends[i][1])
		style := labelStyle
		style.Color = render.RGB(weightColors[i])
		text, h := render.MeasureText(style, name)
		place := [3][2]float32{{x - text - 6, y}, {x + 6, y}, {x - text/2, y - h - 3}}[i]
		c.hud.Text(place[0], place[1], style, name)
	}
	if !w.Parallel {
		// A point far outside is shown at the border.
		u, v := math.Min(math.Max(w.B, 0.5-0.75*(to-from)), 0.5+0.75*(to-from)), math.Min(math.Max(w.C, from), to)
		line(0, 0, u, 0, 3, weightColors[1])
		line(u, 0, u, v, 3, weightColors[2])
		x, y := at(u, v)
		ink := uint32(amber)
		if !w.Hit {
			ink = coral
		}
		c.hud.Dot(x, y, 11, paint(ink, 1))
	}
	p.bars(c, render.Rect{X: square.X + square.Width + 24, Y: area.Y + 32, Width: area.X + area.Width - square.X - square.Width - 44, Height: area.Height - 64}, w)
}

const weightsTitle = "The weights: a negative one is beyond an edge"

// bars draws the three weights, from zero to the right, or to the left where they are negative.
func (p *trianglePage) bars(c *canvas, area render.Rect, w geom.Weights) {
	const from, to = -1, 2.0
	left := float32(72)
	c.t = tAxis{render.Rect{X: area.X + left, Y: area.Y, Width: area.Width - left, Height: area.Height}, span{from, to}}
	c.hud.Text(area.X, area.Y-24, titleStyle, weightsTitle)
	bottom := area.Y + area.Height
	c.hud.Fill(render.Rect{X: c.t.x(0), Y: area.Y, Width: c.t.x(1) - c.t.x(0), Height: area.Height}, 0, paint(white, 0.07))
	for t := float64(from); t <= to; t += 0.5 {
		x, text := c.t.x(t), short(float32(t))
		c.hud.Line(x, bottom, x, bottom+4, 1, paint(white, 0.4))
		half, _ := render.MeasureText(tickStyle, text)
		c.hud.Text(x-half/2, bottom+5, tickStyle, text)
	}
	height := area.Height / 3
	for row, i := range [...]int{1, 2, 0} {
		y := area.Y + float32(row)*height
		style := render.TextStyle{Font: render.Bold, Size: 14, Color: render.RGB(weightColors[i])}
		_, h := render.MeasureText(style, "")
		c.hud.Text(area.X, y+(height-h)/2, style, [...]string{"1 − u − v", "u", "v"}[i])
		if w.Parallel {
			continue
		}
		value := weights(w)[i]
		x0, x1 := c.t.x(math.Min(value, 0)), c.t.x(math.Max(value, 0))
		c.hud.Fill(render.Rect{X: x0, Y: y + 7, Width: max(x1-x0, 2), Height: height - 14}, 4, paint(weightColors[i], 0.8))
	}
	c.hud.Line(c.t.x(0), area.Y, c.t.x(0), bottom, 1.5, paint(white, 0.7))
	c.hud.Line(c.t.area.X, bottom, c.t.area.X+c.t.area.Width, bottom, 1, paint(white, 0.4))
}

package main

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/render"
)

// Drawing in a spatial diagram: lines by the renderer, with depth, and polygons and names on top.

// polygon fills a convex polygon of the world. It covers all lines, so its colour should be
// transparent.
func (c *canvas) polygon(rgb uint32, alpha float32, corners ...geom.Vec3) {
	flat := make([][2]float32, len(corners))
	for i, p := range corners {
		x, y, _, ok := c.view.Project(p)
		if !ok {
			return // the camera is too near to see it whole
		}
		flat[i] = [2]float32{float32(x), float32(y)}
	}
	c.hud.Polygon(paint(rgb, alpha), cut(flat, c.layout.diagram)...)
}

// name adds a label near a point of the world.
func (c *canvas) name(p geom.Vec3, text string, rgb uint32) {
	if x, y, _, ok := c.view.Project(p); ok && text != "" && c.inDiagram(float32(x), float32(y)) {
		c.labels = append(c.labels, label{float32(x), float32(y), text, rgb, false})
	}
}

// floor draws a grid under things, and in a corner of the diagram how the axes stand.
func (c *canvas) floor() {
	const y, reach = -2, 4
	c.lines.Width = 1
	for i := -reach; i <= reach; i++ {
		at := float32(i)
		c.lines.Segment(geom.V(at, y, -reach), geom.V(at, y, reach), paint(white, 0.10))
		c.lines.Segment(geom.V(-reach, y, at), geom.V(reach, y, at), paint(white, 0.10))
	}
	const length = 38 // pixels
	f := c.layout.diagram
	x, bottom := f.X+60, f.Y+f.Height-60
	c.hud.Dot(x, bottom, 116, paint(ground, 0.5))
	for i, a := range [...]geom.Axis{geom.X, geom.Y, geom.Z} {
		d := c.view.Rotation.Inverse().Rotate(a.Unit())
		c.hud.Arrow(x, bottom, x+d.X*length, bottom-d.Y*length, 2, 8, paint(axisColors[i], 1))
		style := render.TextStyle{Font: render.Bold, Size: 13, Color: render.RGB(axisColors[i])}
		w, h := render.MeasureText(style, axisNames[i])
		beyond := d.WithAxis(geom.Z, 0)
		beyond = beyond.Mul(length).Add(beyond.Normalize().Mul(10))
		c.hud.Text(x+beyond.X-w/2, bottom-beyond.Y-h/2, style, axisNames[i])
	}
	c.taken = append(c.taken, render.Rect{X: x - 58, Y: bottom - 58, Width: 116, Height: 116})
}

// clear keeps labels off a line of the world where possible.
func (c *canvas) clear(a, b geom.Vec3) {
	x0, y0, _, ok0 := c.view.Project(a)
	x1, y1, _, ok1 := c.view.Project(b)
	if ok0 && ok1 {
		c.avoid(float32(x0), float32(y0), float32(x1), float32(y1))
	}
}

// vector draws an arrow of the world with its name, if it has one, at the tip.
func (c *canvas) vector(a, b geom.Vec3, width float32, name string, rgb uint32) {
	c.lines.Width = width
	c.lines.Arrow(a, b, paint(rgb, 1))
	c.clear(a, b)
	c.name(b, name, rgb)
}

// cast draws the ray of a click, up to beyond its shape.
func (c *canvas) cast(r geom.Ray, to float64) {
	tMin, tMax := r.Range()
	end := r.At(float32(math.Min(to, float64(tMax))))
	c.lines.Width = 3
	c.lines.Point(r.At(tMin), 9, paint(white, 1))
	c.lines.Arrow(r.At(tMin), end, paint(white, 1))
	c.lines.Width = 1.5
	c.clear(r.At(tMin), end)
}

// frame draws the outline of a rectangle of the world.
func (c *canvas) frame(q [4]geom.Vec3, width float32, rgb uint32, alpha float32) {
	c.lines.Width = width
	for i := range q {
		c.lines.Segment(q[i], q[(i+1)%4], paint(rgb, alpha))
	}
}

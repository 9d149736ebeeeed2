package main

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// layout has the rectangles of the window's parts, in window pixels.
//
//	tab tab tab tab tab tab      reset
//	+-------------------+ +----------+
//	| diagram           | | table    |
//	|                   | |          |
//	+-------------------+ |          |
//	| plot              | |          |
//	+-------------------+ +----------+
type layout struct {
	window               picking.Size
	tabs                 [numPages]render.Rect
	reset                render.Rect
	diagram, plot, table render.Rect
}

const (
	margin      = 12
	tabHeight   = 32
	tableWidth  = 356
	plotHeight  = 208
	reachAcross = 13   // metres of the plane that are visible in any window, around the origin
	reachUp     = 6.25 // metres
)

func layoutOf(size picking.Size) layout {
	// In a smaller window the parts extend beyond its edges and keep positive sizes.
	w, h := max(float32(size.Width), 860), max(float32(size.Height), 620)
	l := layout{window: size}
	for i := range l.tabs {
		l.tabs[i] = render.Rect{X: margin + float32(i)*118, Y: margin, Width: 112, Height: tabHeight}
	}
	top := float32(2*margin + tabHeight)
	l.table = render.Rect{X: w - margin - tableWidth, Y: top, Width: tableWidth, Height: h - margin - top}
	left := l.table.X - 2*margin
	l.reset = render.Rect{X: l.table.X + tableWidth - 96, Y: margin, Width: 96, Height: tabHeight}
	l.plot = render.Rect{X: margin, Y: h - margin - plotHeight, Width: left, Height: plotHeight}
	l.diagram = render.Rect{X: margin, Y: top, Width: left, Height: l.plot.Y - margin - top}
	return l
}

// buttons returns the rectangles of buttons, in the upper right corner of the diagram.
func (l layout) buttons(list []button) []render.Rect {
	places := make([]render.Rect, len(list))
	right := l.diagram.X + l.diagram.Width - 10
	for i := len(list) - 1; i >= 0; i-- {
		text, _ := render.MeasureText(buttonStyle, list[i].label)
		key, _ := render.MeasureText(keyStyle, string(list[i].key))
		width := text + key + 30
		places[i] = render.Rect{X: right - width, Y: l.diagram.Y + 10, Width: width, Height: 26}
		right -= width + 6
	}
	return places
}

// viewport returns the diagram's part of a framebuffer.
func (l layout) viewport(framebuffer picking.Size) picking.Viewport {
	kx := float64(framebuffer.Width) / math.Max(float64(l.window.Width), 1)
	ky := float64(framebuffer.Height) / math.Max(float64(l.window.Height), 1)
	f := l.diagram
	left, right := math.Round(float64(f.X)*kx), math.Round(float64(f.X+f.Width)*kx)
	top, bottom := math.Round(float64(f.Y)*ky), math.Round(float64(f.Y+f.Height)*ky)
	return picking.Viewport{
		X: int(left), Y: framebuffer.Height - int(bottom), Width: int(right - left), Height: int(bottom - top),
		Window: l.window, Framebuffer: framebuffer,
	}
}

// flat maps the plane z = 0 to the diagram, X to the right and Y upward, with the origin in its
// middle.
type flat struct {
	diagram render.Rect
	scale   float32 // pixels for a metre
}

func (l layout) flat() flat {
	return flat{l.diagram, min(l.diagram.Width/reachAcross, l.diagram.Height/reachUp)}
}

// at returns the window pixel of a point.
func (f flat) at(p geom.Vec3) (x, y float32) {
	return f.diagram.X + f.diagram.Width/2 + p.X*f.scale, f.diagram.Y + f.diagram.Height/2 - p.Y*f.scale
}

// point returns the point of the plane at a window pixel.
func (f flat) point(x, y float64) geom.Vec3 {
	return geom.V((float32(x)-f.diagram.X-f.diagram.Width/2)/f.scale, (f.diagram.Y+f.diagram.Height/2-float32(y))/f.scale, 0)
}

// always is the rectangle of the plane that is visible at any window size; handles stay within it.
var always = geom.AABBAround(geom.Vec3{}, geom.V(reachAcross/2, reachUp/2, 0))

// seen returns the rectangle of the plane that the diagram shows.
func (f flat) seen() geom.AABB {
	return geom.AABBAround(geom.Vec3{}, geom.V(f.diagram.Width, f.diagram.Height, 0).Mul(0.5/f.scale))
}

// clip returns the range of T in which a line is in a box, by its slabs.
func clip(line geom.Ray, from, to float64, box geom.AABB) (a, b geom.Vec3, ok bool) {
	s := box.Slabs(line)
	from, to = math.Max(from, s.TNear), math.Min(to, s.TFar)
	return line.At(float32(from)), line.At(float32(to)), s.Hit && from <= to
}

// cut clips a convex polygon by a rectangle (Sutherland and Hodgman 1974).
func cut(polygon [][2]float32, r render.Rect) [][2]float32 {
	for _, side := range [...]struct {
		axis  int
		limit float32
		sign  float32
	}{{0, r.X, 1}, {0, r.X + r.Width, -1}, {1, r.Y, 1}, {1, r.Y + r.Height, -1}} {
		var kept [][2]float32
		for i, p := range polygon {
			q := polygon[(i+1)%len(polygon)]
			dp, dq := (p[side.axis]-side.limit)*side.sign, (q[side.axis]-side.limit)*side.sign
			if dp >= 0 {
				kept = append(kept, p)
			}
			if dp*dq < 0 {
				t := dp / (dp - dq)
				kept = append(kept, [2]float32{p[0] + t*(q[0]-p[0]), p[1] + t*(q[1]-p[1])})
			}
		}
		polygon = kept
	}
	return polygon
}

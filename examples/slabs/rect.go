package main

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// segment is the ray of the flat pages: from one dragged end to the other, or unlimited.
type segment struct {
	a, b    geom.Vec3
	endless bool
}

func (s *segment) ray() geom.Ray {
	r := geom.Segment(s.a, s.b)
	if s.endless {
		r.MaxT = 0
	}
	return r
}

func (s *segment) handles() []handle {
	return []handle{
		{"A", s.a, func(to geom.Vec3) { s.a = to }},
		{"B", s.b, func(to geom.Vec3) { s.b = to }},
	}
}

func (s *segment) buttons() []button {
	return []button{{"No MaxT", 'M', s.endless, func() { s.endless = !s.endless }}}
}

// rectPage is the slab test in the plane: a ray and a rectangle.
type rectPage struct {
	segment
	x, y [2]float32 // of the sides, in no order: a corner may be dragged past another
}

func (p *rectPage) name() string { return "1  Slabs 2D" }

func (p *rectPage) reset() {
	*p = rectPage{segment: segment{a: geom.V(-5, 2.25, 0), b: geom.V(3.5, -2.5, 0)}, x: [2]float32{-1.5, 2.5}, y: [2]float32{-1.25, 1.25}}
}

func (p *rectPage) hint() string {
	return "Drag the ray's ends A and B and the corners of the rectangle. They keep to a grid of a quarter of a metre, so that " +
		"parallel and touching rays are found easily; Shift frees them."
}

func (p *rectPage) rect() geom.AABB {
	return geom.AABB{
		Min: geom.V(min(p.x[0], p.x[1]), min(p.y[0], p.y[1]), 0),
		Max: geom.V(max(p.x[0], p.x[1]), max(p.y[0], p.y[1]), 0),
	}
}

func (p *rectPage) handles() []handle {
	list := make([]handle, 0, 6)
	for i, name := range [...]string{"corner 1", "corner 2", "corner 3", "corner 4"} {
		x, y := &p.x[i&1], &p.y[i>>1]
		list = append(list, handle{name, geom.V(*x, *y, 0), func(to geom.Vec3) { *x, *y = to.X, to.Y }})
	}
	return append(list, p.segment.handles()...)
}

func (p *rectPage) explain() report { return explainBox(p.rect(), p.ray(), true) }

func (p *rectPage) draw(c *canvas) {
	box, ray := p.rect(), p.ray()
	s := box.Slabs(ray)
	c.grid()
	// The slabs, each between two lines.
	seen := c.flat.seen()
	for i, a := range [...]geom.Axis{geom.X, geom.Y} {
		lo, hi := box.Min.Axis(a), box.Max.Axis(a)
		c.fill(geom.AABB{Min: seen.Min.WithAxis(a, lo), Max: seen.Max.WithAxis(a, hi)}, axisColors[i], 0.10)
		for _, side := range [...]float32{lo, hi} {
			c.dashed(seen.Min.WithAxis(a, side), seen.Max.WithAxis(a, side), axisColors[i], 0.8)
		}
	}
	c.fill(box, white, 0.12)
	c.outline(box, 2, white)

	if _, hit := box.CastRay(ray, geom.Ignore); hit {
		c.outline(face(box, s.EnterFace), 6, amber)
	}
	c.ray(ray)
	if s.Hit {
		c.stretch(ray, s.TNear, s.TFar)
	}
	for i := range 2 {
		c.crossing(ray, s.Near[i], axisNames[i]+" near", axisColors[i], true)
		c.crossing(ray, s.Far[i], axisNames[i]+" far", axisColors[i], false)
	}
	if h, ok := box.CastRay(ray, geom.Solid); ok {
		c.hit(h)
	}
	c.bars(ray, s, 2)
}

package main

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// boxPage is the slab test in space: a box to orbit, and the ray of the last click.
type boxPage struct {
	camera picking.Orbit
	ray    geom.Ray
}

var lessonBox = geom.AABBAround(geom.Vec3{}, geom.V(1.5, 0.9, 1.1))

// projection is that of the spatial pages.
var projection = picking.Perspective(0.72, 0.05, 60)

func (p *boxPage) name() string { return "2  Slabs 3D" }

func (p *boxPage) reset() {
	p.camera = picking.Orbit{Target: geom.V(0.1, -0.1, 0), Yaw: 0.2, Pitch: 0.42, Distance: 8.5, MinDistance: 6, MaxDistance: 25, Projection: projection}
	p.cast(geom.NewRay(geom.V(-3.5, 1.6, 3.1), geom.V(3.2, -1.4, -2).Normalize()))
}

func (p *boxPage) hint() string {
	return "Click to cast a ray through the mouse, then drag to see it from the side; the wheel comes closer. X, Y and Z " +
		"turn the ray along an axis: parallel to two slabs."
}

func (p *boxPage) orbit() *picking.Orbit { return &p.camera }
func (p *boxPage) cast(r geom.Ray)       { p.ray = r }

func (p *boxPage) buttons() []button {
	var list []button
	for i, a := range [...]geom.Axis{geom.X, geom.Y, geom.Z} {
		list = append(list, button{"Along " + axisNames[i], rune('X' + i), p.isAlong(a), func() { p.turn(a) }})
	}
	return list
}

func (p *boxPage) isAlong(a geom.Axis) bool { return p.ray.Dir.WithAxis(a, 0) == geom.Vec3{} }

// turn makes the ray parallel to an axis, through the point at which it enters the box or else is
// closest to the centre; a second call reverses it.
func (p *boxPage) turn(a geom.Axis) {
	through := p.pivot()
	dir := a.Unit()
	if p.isAlong(a) {
		dir = p.ray.Dir.Neg()
	}
	p.ray = geom.NewRay(through.Sub(dir.Mul(4)), dir)
}

func (p *boxPage) pivot() geom.Vec3 {
	if s := lessonBox.Slabs(p.ray); s.Hit {
		return s.EnterPoint
	}
	return middle(lessonBox).Roots(p.ray).Closest
}

// middle returns the sphere around a box, within which a ray is drawn.
func middle(b geom.AABB) geom.Sphere {
	return geom.Sphere{Center: b.Center(), Radius: b.HalfExtents().Len()}
}

// beyond returns the T up to which a ray is drawn: some way beyond a sphere.
func beyond(r geom.Ray, ball geom.Sphere) float64 {
	return ball.Roots(r).TClosest + 1.7*float64(ball.Radius)/float64(r.Dir.Len())
}

func (p *boxPage) explain() report { return explainBox(lessonBox, p.ray, false) }

func (p *boxPage) markers() []marker {
	if s := lessonBox.Slabs(p.ray); s.Hit {
		return []marker{{s.EnterPoint, amber}, {s.ExitPoint, violet}}
	}
	return nil
}

// candidate returns the plane by which the ray's line would enter the box along an axis: a
// rectangle around the box's face, and where the line meets the plane. There is none for a line
// that is parallel to it.
func candidate(box geom.AABB, r geom.Ray, s geom.Slabs, a geom.Axis) (frame geom.AABB, at geom.Vec3, ok bool) {
	if s.Parallel[a] {
		return geom.AABB{}, geom.Vec3{}, false
	}
	side := box.Min.Axis(a)
	if r.Dir.Axis(a) < 0 {
		side = box.Max.Axis(a)
	}
	at = r.At(float32(s.Near[a])).WithAxis(a, side)
	const most = 3.5 // metres; what is further is left to the imagination
	frame = box.Grow(0.5).Extend(at.Max(geom.V(-most, -most, -most)).Min(geom.V(most, most, most)))
	return geom.AABB{Min: frame.Min.WithAxis(a, side), Max: frame.Max.WithAxis(a, side)}, at, true
}

// face returns a face of a box, which is flat along its axis.
func face(b geom.AABB, f geom.Face) geom.AABB {
	a := f.Axis()
	if f.Normal().Axis(a) > 0 {
		b.Min = b.Min.WithAxis(a, b.Max.Axis(a))
	} else {
		b.Max = b.Max.WithAxis(a, b.Min.Axis(a))
	}
	return b
}

// corners returns those of a box that is flat along an axis, in turn.
func corners(b geom.AABB, a geom.Axis) [4]geom.Vec3 {
	u := (a + 1) % 3
	return [4]geom.Vec3{b.Min, b.Min.WithAxis(u, b.Max.Axis(u)), b.Max, b.Max.WithAxis(u, b.Min.Axis(u))}
}

func (p *boxPage) draw(c *canvas) {
	box, r := lessonBox, p.ray
	s := box.Slabs(r)
	to := beyond(r, middle(box))
	c.floor()
	for i, a := range [...]geom.Axis{geom.X, geom.Y, geom.Z} {
		frame, at, ok := candidate(box, r, s, a)
		if !ok {
			continue
		}
		q := corners(frame, a)
		c.polygon(axisColors[i], 0.11, q[:]...)
		c.frame(q, 1.5, axisColors[i], 0.65)
		c.lines.Point(at, 12, paint(axisColors[i], 1))
		c.name(at, axisNames[i]+" near "+number(s.Near[i]), axisColors[i])
	}
	c.lines.Width = 2
	c.lines.AABB(box, paint(white, 0.95))
	if _, hit := box.CastRay(r, geom.Ignore); hit {
		q := corners(face(box, s.EnterFace), s.EnterFace.Axis())
		c.polygon(amber, 0.34, q[:]...)
		c.frame(q, 4, amber, 1)
	}
	if s.Hit {
		c.lines.Width = 6
		c.lines.Segment(s.EnterPoint, s.ExitPoint, paint(amber, 0.9))
		c.name(s.ExitPoint, "exit, "+axisNames[s.FarAxis]+" far "+number(s.TFar), violet)
	}
	c.cast(r, math.Max(to, 0.5))
	if h, ok := box.CastRay(r, geom.Solid); ok {
		c.vector(h.Point, h.Point.Add(h.Normal.Mul(1.1)), 3.5, "normal", amber)
	}
	c.bars(r, s, 3)
}

package render

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// stroker draws lines in the image as triangles: a rectangle for each line, and a sector of a
// circle where two lines meet. Coordinates are framebuffer pixels from the centre of the viewport,
// with the depth as Z.
type stroker struct {
	halfWidth, halfHeight float64 // of the viewport, framebuffer pixels
	radius                float64 // half the width of a stroke, framebuffer pixels
	// corners has three points for each triangle: x and y from −1 to 1, and the depth.
	corners []geom.Vec3
}

func (p *stroker) triangle(a, b, c geom.DVec3) {
	for _, q := range [...]geom.DVec3{a, b, c} {
		p.corners = append(p.corners, geom.V(float32(q.X/p.halfWidth), float32(q.Y/p.halfHeight), float32(q.Z)))
	}
}

// line draws a line without ends and returns its direction, zero if the line has no length.
func (p *stroker) line(a, b geom.DVec3) (dir geom.DVec3) {
	dir = geom.DVec3{X: b.X - a.X, Y: b.Y - a.Y}.Normalize()
	if dir != (geom.DVec3{}) {
		side := leftOf(dir).Mul(p.radius)
		p.triangle(a.Add(side), a.Sub(side), b.Sub(side))
		p.triangle(a.Add(side), b.Sub(side), b.Add(side))
	}
	return dir
}

// cap draws a half circle at the end of a line; dir points from there along the line.
func (p *stroker) cap(at, dir geom.DVec3) { p.joint(at, dir, dir) }

// maxSagitta is how far, in pixels, the polygon of a circle may lie inside the circle.
const maxSagitta = 0.1

// joint draws the part of the circle around a place that the rectangles of two lines leave open:
// the sector behind both. u and v point from the place along the lines. A line without a direction
// leaves the whole circle open.
func (p *stroker) joint(at, u, v geom.DVec3) {
	if u == (geom.DVec3{}) || v == (geom.DVec3{}) {
		x := geom.DVec3{X: 1}
		p.sector(at, x, math.Pi)
		p.sector(at, x.Neg(), math.Pi)
		return
	}
	cross := float64(u.X*v.Y) - float64(u.Y*v.X)
	if cross < 0 {
		u, v = v, u
	}
	p.sector(at, leftOf(v), math.Pi-math.Atan2(math.Abs(cross), u.Dot(v)))
}

// overlap is the angle in radians by which a sector extends into the rectangles beside it, to leave
// no gap.
const overlap = 0.05

// sector draws a sector of a circle, from a direction counter-clockwise by an angle of up to π.
func (p *stroker) sector(center, from geom.DVec3, angle float64) {
	side := leftOf(from)
	on := func(turn, radius float64) geom.DVec3 {
		sin, cos := math.Sincos(turn)
		return center.AddMul(radius*cos, from).AddMul(radius*sin, side)
	}
	tip := on(angle/2, -math.Min(0.25, p.radius)) // slightly behind the centre, for the same reason
	angle += 2 * overlap
	pieces := math.Ceil(angle / (2 * math.Acos(1-math.Min(maxSagitta/p.radius, 1))))
	a := on(-overlap, p.radius)
	for i := 1.0; i <= pieces; i++ {
		b := on(angle*i/pieces-overlap, p.radius)
		p.triangle(tip, a, b)
		a = b
	}
}

// leftOf returns a direction rotated counter-clockwise by a right angle.
func leftOf(d geom.DVec3) geom.DVec3 { return geom.DVec3{X: -d.Y, Y: d.X} }

package render

import (
	"image/color"
	"iter"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Lines collects debug lines for one frame, in world space. [Renderer.Draw] draws and empties it.
// Lines have a constant width in window pixels at any distance; parts behind an object are drawn
// dimmed. The zero Lines is ready for use.
type Lines struct {
	// Width is the width of the lines added from now on, in window pixels; 0 means 1.5.
	Width float32
	// OnTop draws the lines added from now on undimmed behind objects, for example for handles.
	OnTop bool

	list []line
}

// line is a segment in the format of the shader, 36 bytes.
type line struct {
	a, b   geom.Vec3
	color  [4]uint8
	width  float32
	dimmed float32 // opacity of hidden parts, as a factor
}

const (
	defaultLineWidth = 1.5
	hiddenLines      = 0.22
)

func (l *Lines) width() float32 {
	if l.Width > 0 {
		return l.Width
	}
	return defaultLineWidth
}

func (l *Lines) add(a, b geom.Vec3, width float32, c color.NRGBA) {
	dimmed := float32(hiddenLines)
	if l.OnTop {
		dimmed = 1
	}
	if a.IsFinite() && b.IsFinite() {
		l.list = append(l.list, line{a, b, [4]uint8{c.R, c.G, c.B, c.A}, width, dimmed})
	}
}

// Len returns the number of segments collected.
func (l *Lines) Len() int { return len(l.list) }

// Clear removes all lines.
func (l *Lines) Clear() { l.list = l.list[:0] }

// Segment draws the line from a to b (world, metres). A line with an end that is NaN or infinite is
// not drawn, here and in all methods below.
func (l *Lines) Segment(a, b geom.Vec3, c color.NRGBA) { l.add(a, b, l.width(), c) }

// Point draws a round dot at p (world, metres) with a diameter in window pixels.
func (l *Lines) Point(p geom.Vec3, diameter float32, c color.NRGBA) { l.add(p, p, diameter, c) }

// Cross draws three lines along the world axes through a point, each size metres long to both
// sides.
func (l *Lines) Cross(p geom.Vec3, size float32, c color.NRGBA) {
	for _, d := range [...]geom.Vec3{{X: size}, {Y: size}, {Z: size}} {
		l.Segment(p.Sub(d), p.Add(d), c)
	}
}

// Arrow draws the line from a to b with a head at b. The head is a fifth as long as the line and at
// most 0.25 m.
func (l *Lines) Arrow(a, b geom.Vec3, c color.NRGBA) {
	l.Segment(a, b, c)
	dir := b.Sub(a)
	head := min(dir.Len()*0.2, 0.25)
	dir = dir.Normalize()
	if dir == (geom.Vec3{}) {
		return
	}
	x, z := around(dir)
	base := b.Sub(dir.Mul(head))
	for _, side := range [...]geom.Vec3{x, x.Neg(), z, z.Neg()} {
		l.Segment(b, base.Add(side.Mul(head*0.4)), c)
	}
}

// Ray draws a ray (world) with a dot at the start of its range, to the end of its range, but at
// most length metres long. An invalid ray is not drawn.
func (l *Lines) Ray(r geom.Ray, length float32, c color.NRGBA) {
	if !r.IsValid() {
		return
	}
	tMin, tMax := r.Range()
	if limit := tMin + length/r.Dir.Len(); !(tMax <= limit) {
		tMax = limit
	}
	l.Point(r.At(tMin), 3*l.width(), c)
	l.Arrow(r.At(tMin), r.At(tMax), c)
}

// Hit draws a hit (world): a dot at the point, and an arrow along the normal of length metres.
func (l *Lines) Hit(h geom.Hit, length float32, point, normal color.NRGBA) {
	l.Point(h.Point, 5*l.width(), point)
	l.Arrow(h.Point, h.Point.Add(h.Normal.Mul(length)), normal)
}

// AABB draws the twelve edges of a box. An empty or infinite box is not drawn.
func (l *Lines) AABB(b geom.AABB, c color.NRGBA) {
	if b.IsEmpty() {
		return
	}
	l.Box(geom.Box{Center: b.Center(), HalfExtents: b.HalfExtents()}, c)
}

// Box draws the twelve edges of an oriented box.
func (l *Lines) Box(b geom.Box, c color.NRGBA) {
	h := b.HalfExtents
	l.Edges(geom.Transform{Position: b.Center, Rotation: b.Rotation}.Affine(), h, c)
}

// Edges draws the twelve edges of a box with half extents half at the origin, transformed by an
// affine map to the world.
func (l *Lines) Edges(m geom.Affine, half geom.Vec3, c color.NRGBA) {
	var p [8]geom.Vec3
	for i := range p {
		p[i] = m.Point(half.MulVec(geom.V(sideOf(i, 0), sideOf(i, 1), sideOf(i, 2))))
	}
	for i := range p {
		for axis := range 3 {
			if j := i | 1<<axis; j != i {
				l.Segment(p[i], p[j], c)
			}
		}
	}
}

func sideOf(corner, axis int) float32 { return float32(corner>>axis&1)*2 - 1 }

// Circle draws a circle perpendicular to a normal of any length except zero. The radius is in
// metres.
func (l *Lines) Circle(center, normal geom.Vec3, radius float32, c color.NRGBA) {
	x, z := around(normal.Normalize())
	const n = 48
	last := center.Add(x.Mul(radius))
	for i := 1; i <= n; i++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		next := center.Add(x.Mul(radius * float32(cos))).Add(z.Mul(radius * float32(sin)))
		l.Segment(last, next, c)
		last = next
	}
}

// Sphere draws three great circles of a sphere, perpendicular to the world axes.
func (l *Lines) Sphere(s geom.Sphere, c color.NRGBA) {
	for _, n := range [...]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		l.Circle(s.Center, n, s.Radius, c)
	}
}

// Triangle draws the three edges of a triangle.
func (l *Lines) Triangle(t geom.Triangle, c color.NRGBA) {
	l.Segment(t.A, t.B, c)
	l.Segment(t.B, t.C, c)
	l.Segment(t.C, t.A, c)
}

// Axes draws the axes of a transform as arrows of length metres: X red, Y green, Z blue. The
// transform's scale is ignored.
func (l *Lines) Axes(t geom.Transform, length float32) {
	o := t.Position
	for _, a := range [...]struct {
		dir   geom.Vec3
		color color.NRGBA
	}{{geom.V(1, 0, 0), RGB(0xF0616D)}, {geom.V(0, 1, 0), RGB(0x7BD88F)}, {geom.V(0, 0, 1), RGB(0x5AA9FF)}} {
		l.Arrow(o, o.Add(t.Rotation.Rotate(a.dir).Mul(length)), a.color)
	}
}

// Level is the box of a tree's node and its depth, 0 at the root.
type Level struct {
	Bounds geom.AABB
	Level  int
}

// Levels draws boxes of a tree, transformed to the world by m, each in the colour of its level:
// from blue at the root to red at level deepest. Deeper boxes are left out. The lines are thinner
// than others, since there are many.
func (l *Lines) Levels(boxes iter.Seq[Level], m geom.Affine, deepest int) {
	width := l.Width
	defer func() { l.Width = width }()
	l.Width = 0.7 * l.width()
	for b := range boxes {
		if b.Level > deepest || b.Bounds.IsEmpty() {
			continue
		}
		center := m.Point(b.Bounds.Center())
		if !center.IsFinite() {
			continue
		}
		l.Edges(geom.Affine{X: m.X, Y: m.Y, Z: m.Z, Origin: center}, b.Bounds.HalfExtents(), levelColor(b.Level, deepest))
	}
}

// levelColor returns the colour of a tree level from 0 to deepest: blue at the root, red and
// fainter at the deepest, which has the most boxes.
func levelColor(level, deepest int) color.NRGBA {
	t := float32(1)
	if deepest > 0 {
		t = float32(level) / float32(deepest)
	}
	return WithAlpha(ramp(t), 0.95-float32(0.5*min(max(t, 0), 1)))
}

// around returns two unit vectors perpendicular to a unit vector and to each other.
func around(n geom.Vec3) (x, z geom.Vec3) {
	a := geom.Vec3{X: 1}
	if n.X*n.X > 0.5 {
		a = geom.Vec3{Z: 1}
	}
	x = n.Cross(a).Normalize()
	return x, x.Cross(n)
}

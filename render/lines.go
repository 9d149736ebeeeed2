package render

import (
	"image/color"
	"iter"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Lines gathers debug lines for one frame, in world space. [Renderer.Draw] draws and then forgets
// them. They are as wide as Width says, in window pixels, at any distance; what lies behind
// something is drawn dimmed. The zero Lines is ready.
type Lines struct {
	// Width is the width of the lines that are added from now on, in window pixels; 0 means 1.5.
	Width float32
	// OnTop draws the lines that are added from now on undimmed where they lie behind something,
	// for handles and the like.
	OnTop bool

	list []line
}

// line is a segment as the graphics card takes it, 36 bytes.
type line struct {
	a, b   geom.Vec3
	color  [4]uint8
	width  float32
	dimmed float32 // opacity of the part that is hidden, as a share of the colour's own
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

// Len returns the number of segments that will be drawn.
func (l *Lines) Len() int { return len(l.list) }

// Clear forgets all lines.
func (l *Lines) Clear() { l.list = l.list[:0] }

// Segment draws the line from a to b. A point that is not finite draws nothing, here and in all
// that follows.
func (l *Lines) Segment(a, b geom.Vec3, c color.NRGBA) { l.add(a, b, l.width(), c) }

// Point draws a round dot with a diameter in window pixels.
func (l *Lines) Point(p geom.Vec3, diameter float32, c color.NRGBA) { l.add(p, p, diameter, c) }

// Cross draws three short lines along the axes through a point, each reaching size metres to both
// sides.
func (l *Lines) Cross(p geom.Vec3, size float32, c color.NRGBA) {
	for _, d := range [...]geom.Vec3{{X: size}, {Y: size}, {Z: size}} {
		l.Segment(p.Sub(d), p.Add(d), c)
	}
}

// Arrow draws the line from a to b with a head at b, a fifth as long as the line and at most 0.25
// m.
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

// Ray draws a ray from the start of its range to its end, or to length metres where it has no
// limit, with a dot at the start. A ray that can hit nothing draws nothing.
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

// Hit draws where a ray met a surface: a dot at the point and an arrow along the normal, length
// metres long.
func (l *Lines) Hit(h geom.Hit, length float32, point, normal color.NRGBA) {
	l.Point(h.Point, 5*l.width(), point)
	l.Arrow(h.Point, h.Point.Add(h.Normal.Mul(length)), normal)
}

// AABB draws the twelve edges of a box. An empty or infinite box draws nothing.
func (l *Lines) AABB(b geom.AABB, c color.NRGBA) {
	if b.IsEmpty() {
		return
	}
	l.Box(geom.Box{Center: b.Center(), HalfExtents: b.HalfExtents()}, c)
}

// Box draws the twelve edges of a turned box.
func (l *Lines) Box(b geom.Box, c color.NRGBA) {
	h := b.HalfExtents
	l.Edges(geom.Transform{Position: b.Center, Rotation: b.Rotation}.Affine(), h, c)
}

// Edges draws the twelve edges of the box that reaches half to both sides of the origin, as an
// affine map places it.
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

// Circle draws a circle about a centre, at right angles to a normal of any length but zero.
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

// Sphere draws three circles about a centre.
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

// Axes draws where a transform puts the origin and the three axes, each length metres long: X red,
// Y green, Z blue.
func (l *Lines) Axes(t geom.Transform, length float32) {
	o := t.Position
	for _, a := range [...]struct {
		dir   geom.Vec3
		color color.NRGBA
	}{{geom.V(1, 0, 0), RGB(0xF0616D)}, {geom.V(0, 1, 0), RGB(0x7BD88F)}, {geom.V(0, 0, 1), RGB(0x5AA9FF)}} {
		l.Arrow(o, o.Add(t.Rotation.Rotate(a.dir).Mul(length)), a.color)
	}
}

// Level is a box of a tree with its depth in the tree, 0 at the root.
type Level struct {
	Bounds geom.AABB
	Level  int
}

// Levels draws boxes of a tree, each in the colour of its level, from the root's to that of level
// deepest, as m places them in the world. Deeper boxes are left out. The lines are thinner than
// others: there are many.
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

// levelColor returns the colour of a level of a tree of which levels 0 to deepest are shown: blue
// at the root, red and fainter at the deepest, of which there are the most.
func levelColor(level, deepest int) color.NRGBA {
	t := float32(1)
	if deepest > 0 {
		t = float32(level) / float32(deepest)
	}
	return WithAlpha(ramp(t), 0.95-float32(0.5*min(max(t, 0), 1)))
}

// around returns two unit vectors at right angles to a unit vector and to each other.
func around(n geom.Vec3) (x, z geom.Vec3) {
	a := geom.Vec3{X: 1}
	if n.X*n.X > 0.5 {
		a = geom.Vec3{Z: 1}
	}
	x = n.Cross(a).Normalize()
	return x, x.Cross(n)
}

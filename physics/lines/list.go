package lines

import (
	"image/color"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// List collects debug lines for one frame, in world space. Lines have a constant width in window
// pixels at any distance. The zero List is ready for use, and its memory is used again after
// [List.Clear]. It is for one goroutine at a time.
type List struct {
	// Width is the width of the lines added from now on, in window pixels; 0 means 1.5.
	Width float32
	// OnTop draws the lines added from now on undimmed behind objects, for example for handles.
	OnTop bool

	list []Segment
}

// Segment is a debug line, or a round dot, with finite ends.
type Segment struct {
	A, B  geom.Vec3   // world, metres; equal for a dot
	Color color.NRGBA // sRGB, not premultiplied
	Width float32     // of the line, or the diameter of the dot, in window pixels
	// Hidden is the opacity of parts that are behind objects, as a factor: 1 if the line is on top
	// of everything. An engine that draws without a depth buffer has no use for it.
	Hidden float32
}

const (
	defaultWidth = 1.5  // window pixels: thinner lines break up without antialiasing
	hidden       = 0.22 // of lines that are not on top: seen, and not taken for visible ones
)

func (l *List) width() float32 { return widthOf(l.Width) }

func widthOf(width float32) float32 {
	if width > 0 {
		return width
	}
	return defaultWidth
}

func (l *List) add(a, b geom.Vec3, width float32, c color.NRGBA) {
	factor := float32(hidden)
	if l.OnTop {
		factor = 1
	}
	if a.IsFinite() && b.IsFinite() {
		l.list = append(l.list, Segment{a, b, c, width, factor})
	}
}

// Segments returns the lines in the order in which they were added. They are valid until the next
// call of another method.
func (l *List) Segments() []Segment { return l.list }

// Len returns the number of segments collected.
func (l *List) Len() int { return len(l.list) }

// Clear removes all lines.
func (l *List) Clear() { l.list = l.list[:0] }

// Segment draws the line from a to b (world, metres). A line with an end that is NaN or infinite is
// not drawn, here and in all methods below.
func (l *List) Segment(a, b geom.Vec3, c color.NRGBA) { l.add(a, b, l.width(), c) }

// Point draws a round dot at p (world, metres) with a diameter in window pixels.
func (l *List) Point(p geom.Vec3, diameter float32, c color.NRGBA) { l.add(p, p, diameter, c) }

// Cross draws three lines along the world axes through a point, each size metres long to both
// sides.
func (l *List) Cross(p geom.Vec3, size float32, c color.NRGBA) {
	for _, d := range [...]geom.Vec3{{X: size}, {Y: size}, {Z: size}} {
		l.Segment(p.Sub(d), p.Add(d), c)
	}
}

// Arrow draws the line from a to b with a head at b. The head is a fifth as long as the line and at
// most 0.25 m.
func (l *List) Arrow(a, b geom.Vec3, c color.NRGBA) {
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
func (l *List) Ray(r geom.Ray, length float32, c color.NRGBA) {
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
func (l *List) Hit(h geom.Hit, length float32, point, normal color.NRGBA) {
	l.Point(h.Point, 5*l.width(), point)
	l.Arrow(h.Point, h.Point.Add(h.Normal.Mul(length)), normal)
}

// AABB draws the twelve edges of a box. An empty or infinite box is not drawn.
func (l *List) AABB(b geom.AABB, c color.NRGBA) {
	if b.IsEmpty() {
		return
	}
	l.Box(geom.Box{Center: b.Center(), HalfExtents: b.HalfExtents()}, c)
}

// Box draws the twelve edges of an oriented box.
func (l *List) Box(b geom.Box, c color.NRGBA) {
	h := b.HalfExtents
	l.Edges(geom.Transform{Position: b.Center, Rotation: b.Rotation}.Affine(), h, c)
}

// Edges draws the twelve edges of a box with half extents half at the origin, transformed by an
// affine map to the world.
func (l *List) Edges(m geom.Affine, half geom.Vec3, c color.NRGBA) {
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
func (l *List) Circle(center, normal geom.Vec3, radius float32, c color.NRGBA) {
	x, z := around(normal.Normalize())
	l.arc(geom.AffineIdentity(), center, x.Mul(radius), z.Mul(radius), 0, 2*math.Pi, c)
}

// arc draws the image under m of the arc around center from one angle to another, in radians from x
// towards y, whose lengths are the radius.
func (l *List) arc(m geom.Affine, center, x, y geom.Vec3, from, to float64, c color.NRGBA) {
	n := int(math.Ceil(wholeCircle * (to - from) / (2 * math.Pi)))
	var last geom.Vec3
	for i := range n + 1 {
		sin, cos := math.Sincos(from + float64((to-from)*float64(i)/float64(n)))
		next := m.Point(center.Add(x.Mul(float32(cos))).Add(y.Mul(float32(sin))))
		if i > 0 {
			l.Segment(last, next, c)
		}
		last = next
	}
}

// wholeCircle is the number of lines of a circle: at 48 it is within 0.2 % of its radius.
const wholeCircle = 48

// Sphere draws three great circles of a sphere, perpendicular to the world axes.
func (l *List) Sphere(s geom.Sphere, c color.NRGBA) {
	for _, n := range [...]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		l.Circle(s.Center, n, s.Radius, c)
	}
}

// Triangle draws the three edges of a triangle.
func (l *List) Triangle(t geom.Triangle, c color.NRGBA) {
	l.Segment(t.A, t.B, c)
	l.Segment(t.B, t.C, c)
	l.Segment(t.C, t.A, c)
}

// Axes draws the axes of a transform as arrows of length metres: X red, Y green, Z blue. The
// transform's scale is ignored.
func (l *List) Axes(t geom.Transform, length float32) {
	o := t.Position
	for _, a := range [...]struct {
		dir   geom.Vec3
		color color.NRGBA
	}{{geom.V(1, 0, 0), RGB(0xF0616D)}, {geom.V(0, 1, 0), RGB(0x7BD88F)}, {geom.V(0, 0, 1), RGB(0x5AA9FF)}} {
		l.Arrow(o, o.Add(t.Rotation.Rotate(a.dir).Mul(length)), a.color)
	}
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

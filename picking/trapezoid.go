package picking

import (
	"cmp"
	"math"
	"slices"
)

// Trapezoidal decomposition of a lasso. A lasso is any polygon and a frustum is convex, so the
// polygon is cut into trapezoids: horizontal lines through each corner and each intersection of two
// sides cut the image into slabs, in which no two sides cross. From left to right through a slab,
// the directions of the sides give the winding number between them. The areas between the same two
// sides in consecutive slabs form one trapezoid (after Chazelle and Incerpi, 1984). The rest of the
// image is decomposed in the same way. All coordinates are framebuffer pixels from the lower left
// corner, Y upward, those of Points too.

// Point is a place in the window, in window pixels from the upper left corner, Y downward.
type Point struct{ X, Y float64 }

// rectangle is a part of a framebuffer, in framebuffer pixels from its lower left corner.
type rectangle struct{ x0, y0, x1, y1 float64 }

// trapezoid is the area between two levels and two lines. Each line is given by a lower and an
// upper point.
type trapezoid struct {
	bottom, top         float64
	least, most         float64 // range of x
	left0, left1        Point
	right0, right1      Point
	leftLine, rightLine int32 // sides of the polygon, or edgeOfPicture
	inside              bool  // of the outline
	grown               bool  // continued in the slab above
}

const edgeOfPicture = -1

// side is a side of the polygon that is not horizontal, from its lower to its upper end.
type side struct {
	low, high Point
	wind      int32 // 1 if the outline goes up along the side, −1 if down
}

func (s *side) at(y float64) float64 {
	return s.low.X + float64((y-s.low.Y)*((s.high.X-s.low.X)/(s.high.Y-s.low.Y)))
}

// crossing is the intersection of a side with the middle line of a slab.
type crossing struct {
	x    float64
	line int32
	wind int32
}

// sweep is the scratch memory of a decomposition, for reuse.
type sweep struct {
	sides     []side
	levels    []float64
	crossings []crossing
	open      []trapezoid // of the slab below
	next      []trapezoid // of this slab
}

// leastSlab is the smallest height of a slab, in framebuffer pixels: lower ones are joined to the
// slab below. It is far above the rounding of levels in double precision, 2·10⁻⁹ pixels for points
// at ±10⁷, and far below what can be seen.
const leastSlab = 1e-7

// leastWidth is the smallest width of an area, in framebuffer pixels. Narrower ones, such as
// rounding leaves between two sides that coincide, are dropped.
const leastWidth = 1e-9

// cut appends to in the trapezoids of the image with a winding number other than zero, and to out
// the others.
func (w *sweep) cut(in, out []trapezoid, outline []Point, picture rectangle) ([]trapezoid, []trapezoid) {
	w.readSides(outline)
	w.readLevels(outline, picture)
	w.open = w.open[:0]
	for i := 1; i < len(w.levels); i++ {
		w.slab(w.levels[i-1], w.levels[i], picture)
		for _, t := range w.open {
			if !t.grown {
				in, out = emit(in, out, t)
			}
		}
		w.open, w.next = w.next, w.open
	}
	for _, t := range w.open {
		in, out = emit(in, out, t)
	}
	return in, out
}

func emit(in, out []trapezoid, t trapezoid) ([]trapezoid, []trapezoid) {
	a, b := t.span(t.bottom)
	c, d := t.span(t.top)
	t.least, t.most = min(a, c), max(b, d)
	if t.inside {
		return append(in, t), out
	}
	return in, append(out, t)
}

func (w *sweep) readSides(outline []Point) {
	w.sides = w.sides[:0]
	for i, p := range outline {
		q := outline[(i+1)%len(outline)]
		switch {
		case p.Y < q.Y:
			w.sides = append(w.sides, side{p, q, 1})
		case p.Y > q.Y:
			w.sides = append(w.sides, side{q, p, -1})
		}
	}
}

// readLevels collects the levels at which slabs begin and end.
func (w *sweep) readLevels(outline []Point, picture rectangle) {
	l := append(w.levels[:0], picture.y0, picture.y1)
	for _, p := range outline {
		l = append(l, p.Y)
	}
	for i := range w.sides {
		s := &w.sides[i]
		for _, x := range [2]float64{picture.x0, picture.x1} {
			if (s.low.X < x) != (s.high.X < x) {
				l = append(l, s.low.Y+float64((x-s.low.X)*((s.high.Y-s.low.Y)/(s.high.X-s.low.X))))
			}
		}
		for j := range i {
			if y, ok := crossingLevel(s, &w.sides[j]); ok {
				l = append(l, y)
			}
		}
	}
	l = slices.DeleteFunc(l, func(y float64) bool { return !(y >= picture.y0 && y <= picture.y1) })
	slices.Sort(l)
	n := 0
	for _, y := range l {
		if n == 0 || y-l[n-1] >= leastSlab {
			l[n] = y
			n++
		}
	}
	w.levels = l[:n]
	if n > 0 {
		w.levels[n-1] = max(w.levels[n-1], picture.y1)
	}
}

// crossingLevel returns the level at which two sides cross. ok is false if they do not cross or
// overlap.
func crossingLevel(a, b *side) (y float64, ok bool) {
	lo, hi := max(a.low.Y, b.low.Y), min(a.high.Y, b.high.Y)
	if !(lo < hi) || max(a.low.X, a.high.X) < min(b.low.X, b.high.X) || max(b.low.X, b.high.X) < min(a.low.X, a.high.X) {
		return 0, false
	}
	d, e := a.at(lo)-b.at(lo), a.at(hi)-b.at(hi)
	if (d < 0) == (e < 0) || d == 0 || e == 0 {
		return 0, false // sides that meet only at an end: ends are levels anyway
	}
	return lo + float64((hi-lo)*(d/(d-e))), true
}

// slab computes the areas between two levels and puts them into next. An area between the same
// sides as one of open continues that trapezoid.
func (w *sweep) slab(bottom, top float64, picture rectangle) {
	middle := bottom + float64((top-bottom)/2)
	w.crossings = w.crossings[:0]
	for i := range w.sides {
		if s := &w.sides[i]; s.low.Y <= middle && middle < s.high.Y {
			w.crossings = append(w.crossings, crossing{s.at(middle), int32(i), s.wind})
		}
	}
	slices.SortFunc(w.crossings, func(a, b crossing) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.line, b.line)) })

	// changes are the crossings at which inside changes.
	changes, inside, first, winding := w.crossings[:0], false, false, int32(0)
	for _, c := range w.crossings {
		winding += c.wind
		now := winding != 0
		switch last := len(changes) - 1; {
		case c.x <= picture.x0:
			first, inside = now, now
		case c.x >= picture.x1 || now == inside:
		case last >= 0 && c.x-changes[last].x < leastWidth:
			changes, inside = changes[:last], now
		default:
			changes, inside = append(changes, c), now
		}
	}
	w.next = w.next[:0]
	left := int32(edgeOfPicture)
	inside = first
	for _, c := range changes {
		w.add(left, c.line, inside, bottom, top, picture)
		left, inside = c.line, !inside
	}
	w.add(left, edgeOfPicture, inside, bottom, top, picture)
}

func (w *sweep) add(left, right int32, inside bool, bottom, top float64, picture rectangle) {
	for i := range w.open {
		if t := &w.open[i]; t.leftLine == left && t.rightLine == right && t.inside == inside && !t.grown {
			t.grown = true
			g := *t
			g.grown, g.top = false, top
			w.next = append(w.next, g)
			return
		}
	}
	t := trapezoid{bottom: bottom, top: top, leftLine: left, rightLine: right, inside: inside}
	t.left0, t.left1 = w.line(left, picture.x0)
	t.right0, t.right1 = w.line(right, picture.x1)
	w.next = append(w.next, t)
}

// line returns a lower and an upper point of a side, or of an edge of the image.
func (w *sweep) line(i int32, edge float64) (low, high Point) {
	if i == edgeOfPicture {
		return Point{X: edge}, Point{X: edge, Y: 1}
	}
	return w.sides[i].low, w.sides[i].high
}

// block returns a rectangle as a trapezoid.
func block(r rectangle) trapezoid {
	return trapezoid{bottom: r.y0, top: r.y1, least: r.x0, most: r.x1, left0: Point{X: r.x0}, left1: Point{X: r.x0, Y: 1},
		right0: Point{X: r.x1}, right1: Point{X: r.x1, Y: 1}}
}

// span returns the x range of the trapezoid at a level.
func (t *trapezoid) span(y float64) (x0, x1 float64) {
	l, r := side{low: t.left0, high: t.left1}, side{low: t.right0, high: t.right1}
	return l.at(y), r.at(y)
}

func (r rectangle) isEmpty() bool { return !(r.x0 <= r.x1 && r.y0 <= r.y1) }

func (r rectangle) and(s rectangle) rectangle {
	return rectangle{max(r.x0, s.x0), max(r.y0, s.y0), min(r.x1, s.x1), min(r.y1, s.y1)}
}

// around returns the bounding rectangle of points.
func around(points []Point) rectangle {
	r := rectangle{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range points {
		r = rectangle{min(r.x0, p.X), min(r.y0, p.Y), max(r.x1, p.X), max(r.y1, p.Y)}
	}
	return r
}

package picking

import (
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Region is a part of a view's image, such as a marquee or a lasso, and finds the colliders seen in
// it. Only the part of a collider inside the view frustum counts, hidden or not. What lies outside
// the frustum counts neither as in the region nor as outside: an object that extends beyond the
// window or behind the camera can still be contained.
//
//   - [Region.Overlap], touching: some point of the collider projects into the region or onto its
//     outline.
//   - [Region.Contained]: the collider touches the region, and none of its points projects into the
//     rest of the viewport. On the outline itself the rounding of single precision decides.
//   - [Region.Visible]: at the centre of at least one pixel of the region the collider is in front.
//
// The first two are exact, as Space.OverlapFrustum of package physics is: they test shapes, not
// pixels, so they also find colliders smaller than a pixel. Front and back faces of a mesh count
// equally. A solid around the camera covers the whole image.
//
// The zero Region is empty. A Region reuses its memory and is for one goroutine at a time.
type Region struct {
	view        View
	bounds      rectangle // of the region, framebuffer pixels
	full        bool      // the region fills its bounds
	in, out     []trapezoid
	parts, rest []geom.Frustum // in and out as frusta in the world

	sweep   sweep
	outline []Point
	samples samples
}

// SetRectangle sets the region to the rectangle between two opposite corners, in window pixels, in
// any order. It may be as thin as a line. With NaN or an infinity the region is empty.
func (r *Region) SetRectangle(v View, x0, y0, x1, y1 float64) {
	picture, ok := r.start(v, Point{x0, y0}, Point{x1, y1})
	if !ok {
		return
	}
	r.bounds = around(r.outline).and(picture)
	if r.bounds.isEmpty() {
		return
	}
	b, p := r.bounds, picture
	r.full = true
	r.in = append(r.in, block(b))
	for _, beside := range [4]rectangle{
		{p.x0, p.y0, b.x0, p.y1}, {b.x1, p.y0, p.x1, p.y1}, {b.x0, p.y0, b.x1, b.y0}, {b.x0, b.y1, b.x1, p.y1},
	} {
		if beside.x0 < beside.x1 && beside.y0 < beside.y1 {
			r.out = append(r.out, block(beside))
		}
	}
	r.place()
}

// SetLasso sets the region to the inside of a closed outline in window pixels: the points with a
// winding number other than zero. The outline may intersect itself; the last point is joined to the
// first. With fewer than three points, a NaN, or a coordinate beyond ±10⁷, the region is empty. The
// time grows with the square of the number of points.
func (r *Region) SetLasso(v View, outline []Point) {
	picture, ok := r.start(v, outline...)
	if !ok || len(outline) < 3 {
		return
	}
	r.bounds = around(r.outline).and(picture)
	if r.bounds.isEmpty() {
		return
	}
	r.in, r.out = r.sweep.cut(r.in, r.out, r.outline, picture)
	r.place()
}

// Clear makes the region empty.
func (r *Region) Clear() {
	r.in, r.out, r.parts, r.rest = r.in[:0], r.out[:0], r.parts[:0], r.rest[:0]
	r.bounds, r.full = rectangle{}, false
}

// start clears the region and converts the points to the framebuffer. It returns the view's
// rectangle in the framebuffer. ok is false if that is empty or a point is invalid.
func (r *Region) start(v View, points ...Point) (picture rectangle, ok bool) {
	r.Clear()
	r.view = v
	if v.IsEmpty() {
		return picture, false
	}
	r.outline = r.outline[:0]
	for _, p := range points {
		// Beyond it the arithmetic that follows cannot separate neighbouring pixels.
		const most = 1e7
		if !(math.Abs(p.X) <= most && math.Abs(p.Y) <= most) {
			return picture, false
		}
		x, y := v.toFramebuffer(p.X, p.Y)
		r.outline = append(r.outline, Point{x, y})
	}
	picture = rectangle{float64(v.X), float64(v.Y), float64(v.X) + float64(v.Width), float64(v.Y) + float64(v.Height)}
	picture = picture.and(rectangle{0, 0, float64(v.Framebuffer.Width), float64(v.Framebuffer.Height)})
	return picture, picture.x0 < picture.x1 && picture.y0 < picture.y1
}

// place computes the frusta of the trapezoids.
func (r *Region) place() {
	m := r.view.Camera.Matrix(r.view.Aspect())
	whole := FrustumOf(m, r.view.Projection.clip)
	for _, t := range r.in {
		r.parts = append(r.parts, r.view.frustumOf(&t, &m, &whole))
	}
	for _, t := range r.out {
		r.rest = append(r.rest, r.view.frustumOf(&t, &m, &whole))
	}
}

// frustumOf returns the part of the view frustum that projects into a trapezoid.
func (v *View) frustumOf(t *trapezoid, m *geom.Mat4, whole *geom.Frustum) geom.Frustum {
	return geom.Frustum{
		v.sideOf(m, t.left0, t.left1), v.sideOf(m, t.right1, t.right0),
		v.sideOf(m, Point{1, t.bottom}, Point{0, t.bottom}), v.sideOf(m, Point{0, t.top}, Point{1, t.top}),
		whole[4], whole[5],
	}
}

// sideOf returns the half-space that projects to the right of the line from p to q in the
// framebuffer.
func (v *View) sideOf(m *geom.Mat4, p, q Point) geom.HalfSpace {
	// a·x + b·y + c ≥ 0 in the framebuffer; then in the image, with x and y from −1 to 1; then
	// times w.
	px, py := v.toClip(p.X, p.Y)
	qx, qy := v.toClip(q.X, q.Y)
	a, b := qy-py, px-qx
	c := float64(qx*py) - float64(px*qy)
	x, y, w := geom.DVec3{X: m[0], Y: m[4], Z: m[8]}, geom.DVec3{X: m[1], Y: m[5], Z: m[9]}, geom.DVec3{X: m[3], Y: m[7], Z: m[11]}
	n := x.Mul(a).AddMul(b, y).AddMul(c, w)
	d := float64(a*m[12]) + float64(b*m[13]) + float64(c*m[15])
	l := n.Len()
	if !(l > 0) {
		return geom.HalfSpace{D: math.Inf(1)}
	}
	return geom.HalfSpace{Normal: n.Mul(1 / l), D: -d / l}
}

// IsEmpty reports whether the region is empty. A region as thin as a line is not empty.
func (r *Region) IsEmpty() bool { return len(r.in) == 0 }

// Contains reports whether a place in the window, in window pixels, is in the region or on its
// outline.
func (r *Region) Contains(cx, cy float64) bool {
	if r.IsEmpty() {
		return false
	}
	return r.contains(r.view.toFramebuffer(cx, cy))
}

func (r *Region) contains(x, y float64) bool {
	for i := range r.in {
		if t := &r.in[i]; y >= t.bottom && y <= t.top {
			if x0, x1 := t.span(y); x >= x0 && x <= x1 {
				return true
			}
		}
	}
	return false
}

// Frusta returns the region as frusta in the world that touch and do not overlap: one for a
// rectangle, one for each trapezoid of a lasso. The slice is valid until the region changes.
func (r *Region) Frusta() []geom.Frustum { return r.parts }

// Overlap appends the colliders that touch the region, lowest ID first, to dst and returns the
// extended slice. The filter's Predicate is called for every collider that touches the bounding
// rectangle of the region.
func (r *Region) Overlap(s *physics.Space, dst []physics.ColliderID, f physics.Filter) []physics.ColliderID {
	return r.sift(s, dst, f, false)
}

// Contained appends the colliders contained in the region, lowest ID first, to dst and returns the
// extended slice. See [Region.Overlap].
func (r *Region) Contained(s *physics.Space, dst []physics.ColliderID, f physics.Filter) []physics.ColliderID {
	return r.sift(s, dst, f, true)
}

// sift finds the colliders that touch the region's bounding rectangle and drops those that do not
// touch the region or, if contained is set, touch the rest of the image. The image of the bounds
// decides most cases; the others are tested against the frusta that the bounds meet.
func (r *Region) sift(s *physics.Space, dst []physics.ColliderID, f physics.Filter, contained bool) []physics.ColliderID {
	if r.IsEmpty() {
		return dst
	}
	m := r.view.Camera.Matrix(r.view.Aspect())
	whole, around := FrustumOf(m, r.view.Projection.clip), block(r.bounds)
	frustum := r.view.frustumOf(&around, &m, &whole)
	start := len(dst)
	dst = s.OverlapFrustum(dst, &frustum, f)
	n := start
	for _, id := range dst[start:] {
		b, _ := s.Bounds(id)
		seen := r.view.picture(&m, b)
		beside := meets(r.out, seen)
		if beside && contained && r.touches(s, id, r.out, r.rest, seen) {
			continue
		}
		// If the bounds meet no part outside the region, what is visible of the collider is in it.
		if beside && !r.full && !r.touches(s, id, r.in, r.parts, seen) {
			continue
		}
		dst[n] = id
		n++
	}
	return dst[:n]
}

// touches reports whether a collider, whose image lies in the rectangle seen, touches one of the
// trapezoids parts. frusta are those of the trapezoids.
func (r *Region) touches(s *physics.Space, id physics.ColliderID, parts []trapezoid, frusta []geom.Frustum, seen rectangle) bool {
	for i := range parts {
		if parts[i].meets(seen) && s.OverlapsFrustum(id, &frusta[i]) {
			return true
		}
	}
	return false
}

// picture returns a rectangle of the framebuffer that contains the image of a box, enlarged by a
// bound of the rounding errors. It is infinite if the box reaches behind the camera.
func (v *View) picture(m *geom.Mat4, b geom.AABB) rectangle {
	const rounding = 1e-6
	b = b.Grow(float32(rounding * b.Min.Abs().Max(b.Max.Abs()).Len()))
	r := around(nil)
	for i := range 8 {
		c := b.Min
		if i&1 != 0 {
			c.X = b.Max.X
		}
		if i&2 != 0 {
			c.Y = b.Max.Y
		}
		if i&4 != 0 {
			c.Z = b.Max.Z
		}
		p, w := m.Apply(c.Wide(), 1)
		// A corner behind or almost in the camera plane has no image; the box may then be anywhere.
		if !(w > rounding*(math.Abs(p.X)+math.Abs(p.Y))) {
			return rectangle{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)}
		}
		x, y := v.fromClip(p.X/w, p.Y/w)
		const slack = 1e-3
		r = rectangle{min(r.x0, x-slack), min(r.y0, y-slack), max(r.x1, x+slack), max(r.y1, y+slack)}
	}
	return r
}

// meets reports whether a trapezoid and a rectangle may have a point in common. It is conservative.
func (t *trapezoid) meets(r rectangle) bool {
	bottom, top := max(t.bottom, r.y0), min(t.top, r.y1)
	if !(bottom <= top && t.least <= r.x1 && t.most >= r.x0) {
		return false
	}
	a0, b0 := t.span(bottom)
	a1, b1 := t.span(top)
	return min(a0, a1) <= r.x1 && max(b0, b1) >= r.x0
}

func meets(list []trapezoid, r rectangle) bool {
	for i := range list {
		if list[i].meets(r) {
			return true
		}
	}
	return false
}

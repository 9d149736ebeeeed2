package picking

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Region is a part of the picture that a view shows, such as a marquee or a lasso encloses, and answers which colliders are
// seen there. It is a matter of the picture alone: of a thing counts what is between the near and the far plane and within the
// viewport, whatever stands before it; what the view does not show is neither in the region nor outside. So a thing that
// reaches out of the window, or behind the camera, can be enclosed all the same.
//
//   - Touching ([Region.Overlap]): some point of it is seen in the region, its outline included.
//   - Contained ([Region.Inside]): it touches, and no point of it is seen elsewhere in the viewport. On the outline single
//     precision decides.
//   - Visible ([Region.Visible]): at the centre of at least one pixel in the region nothing else is before it.
//
// The first two are exact, as Space.OverlapFrustum of package physics is: no pixels are looked at, so that what is smaller than
// one is found too. Front and back of a mesh count alike, and from within a solid it is all over the picture.
//
// The zero Region is empty. A Region keeps memory to use again and is for one goroutine at a time.
type Region struct {
	view        View
	bounds      rectangle // of the region, in framebuffer pixels
	in, out     []trapezoid
	parts, rest []Frustum // what in and out are in space

	sweep   sweep
	outline []Point
	ids     []physics.ColliderID
	samples samples
}

// SetRectangle makes the region what is between two corners in the window, however they lie to each other. It may be as flat
// as a line. With a NaN or an infinite number it is empty.
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

// SetLasso makes the region what an outline in the window goes around at least once, in either direction (a winding number
// that is not zero). It is closed from the last point to the first, and may cross and touch itself. With fewer than three points,
// a NaN, or a number beyond ten millions, the region is empty. The time goes by the square of the number of points.
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
	r.bounds = rectangle{x0: 1}
}

// start clears the region and takes over where the points are in the framebuffer. It returns what the view fills of that.
func (r *Region) start(v View, points ...Point) (picture rectangle, ok bool) {
	r.Clear()
	r.view = v
	if v.IsEmpty() {
		return picture, false
	}
	r.outline = r.outline[:0]
	for _, p := range points {
		const most = 1e7 // beyond which a pixel is no longer told from the next in all that follows
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

// place finds out what the trapezoids are in space.
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

// frustumOf returns the part of the view's frustum that is seen in a trapezoid.
func (v *View) frustumOf(t *trapezoid, m *geom.Mat4, whole *Frustum) Frustum {
	return Frustum{
		v.sideOf(m, t.left0, t.left1), v.sideOf(m, t.right1, t.right0),
		v.sideOf(m, Point{1, t.bottom}, Point{0, t.bottom}), v.sideOf(m, Point{0, t.top}, Point{1, t.top}),
		whole[4], whole[5],
	}
}

// sideOf returns the half-space that is seen to the right of the line from p to q in the framebuffer.
func (v *View) sideOf(m *geom.Mat4, p, q Point) HalfSpace {
	// a·x + b·y + c ≥ 0 in the framebuffer; then in the picture, where x and y go from −1 to 1; then times w.
	px, py := v.toClip(p.X, p.Y)
	qx, qy := v.toClip(q.X, q.Y)
	a, b := qy-py, px-qx
	c := float64(qx*py) - float64(px*qy)
	x, y, w := geom.DVec3{X: m[0], Y: m[4], Z: m[8]}, geom.DVec3{X: m[1], Y: m[5], Z: m[9]}, geom.DVec3{X: m[3], Y: m[7], Z: m[11]}
	n := x.Mul(a).AddMul(b, y).AddMul(c, w)
	d := float64(a*m[12]) + float64(b*m[13]) + float64(c*m[15])
	l := n.Len()
	if !(l > 0) {
		return HalfSpace{D: math.Inf(1)}
	}
	return HalfSpace{Normal: n.Mul(1 / l), D: -d / l}
}

// View returns the view that the region is part of.
func (r *Region) View() View { return r.view }

// IsEmpty reports whether nothing is in the region. A region that is as flat as a line is not empty.
func (r *Region) IsEmpty() bool { return len(r.in) == 0 }

// Contains reports whether a place in the window, as the cursor is counted, is in the region or on its outline.
func (r *Region) Contains(cx, cy float64) bool {
	if r.IsEmpty() {
		return false
	}
	return r.contains(r.view.toFramebuffer(cx, cy))
}

// ContainsPixel reports whether the centre of a framebuffer pixel, py counted from the bottom, is in the region.
func (r *Region) ContainsPixel(px, py int) bool { return r.contains(float64(px)+0.5, float64(py)+0.5) }

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

// Frusta returns what is seen in the region as convex parts that touch and don't overlap: a single one for a rectangle, trapezoids of
// the picture for a lasso. The slice is valid until the region is changed.
func (r *Region) Frusta() []Frustum { return r.parts }

// Overlap appends the colliders that touch the region to dst, lowest ID first, and returns the longer slice.
func (r *Region) Overlap(s *physics.Space, dst []physics.ColliderID, f physics.Filter) []physics.ColliderID {
	start := len(dst)
	for i := range r.parts {
		dst = s.OverlapFrustum(dst, &r.parts[i], f)
	}
	return sorted(dst, start)
}

// sorted sorts a slice from a place on and drops what is there twice.
func sorted(ids []physics.ColliderID, start int) []physics.ColliderID {
	slices.Sort(ids[start:])
	return ids[:start+len(slices.Compact(ids[start:]))]
}

// Inside appends the colliders that are contained in the region to dst, lowest ID first, and returns the longer slice.
//
// What is as a whole in one part of the region is contained. What else touches it is held against all the rest of the
// picture.
func (r *Region) Inside(s *physics.Space, dst []physics.ColliderID, f physics.Filter) []physics.ColliderID {
	start := len(dst)
	for i := range r.parts {
		dst = s.InsideFrustum(dst, &r.parts[i], f)
	}
	dst = sorted(dst, start)
	whole := len(dst)
	r.ids = r.Overlap(s, r.ids[:0], f)
	for _, id := range r.ids {
		if _, is := slices.BinarySearch(dst[start:whole], id); !is && !r.isBeside(s, id) {
			dst = append(dst, id)
		}
	}
	slices.Sort(dst[start:])
	return dst
}

func (r *Region) isBeside(s *physics.Space, id physics.ColliderID) bool {
	for i := range r.rest {
		if s.OverlapsFrustum(id, &r.rest[i]) {
			return true
		}
	}
	return false
}

package narrow

import "github.com/hitscan-go/hitscan/physics/geom"

// walk is the ray cast of van den Bergh over the Minkowski difference of two cores: a GJK search
// whose origin moves. Each step takes the plane across the shortest known vector between the cores.
// If it separates the shapes by more than the margins, the first shape moves ahead up to the plane,
// and the point of the simplex is computed again.
type walk struct {
	search
	*meeting
	newest vertex
	tried  bool // the plane of a sliver
	fresh  bool // it moved ahead since it was stuck
}

// walk finds where the shapes first touch from the T of m on. Its normal is a direction from b to
// a, or zero. If T is not the start of the path, a plane across the normal must separate or touch
// the shapes there.
func (c *pair) walk(m *meeting) bool {
	var w walk // a literal would be copied
	w.search.a, w.search.b, w.meeting, w.at, w.v = c.a, c.b, m, c.at(m.t), m.n
	m.starts = m.t == c.lo
	if m.n == (geom.DVec3{}) {
		w.v = c.guess(w.at)
	}
	c.steps = 0
	ok, stuck := w.advance(c)
	if stuck {
		ok = w.retry(c)
	}
	if !ok {
		return false
	}
	// With a margin, the direction from core to core is better than the plane of the last step,
	// unless the margin is so small that the direction is mostly rounding.
	v := w.v
	if v.Len() > witnessed*c.tolerance && !w.parts(c, v) {
		// The walk ends where v is short enough, and may not have met all vertices around it.
		g := c.search(w.at, m.n)
		// Where rounding makes the cores of this search overlap, the plane stays.
		if w.s, v = g.s, g.v; v.Len() > witnessed*c.tolerance {
			w.parts(c, v)
		}
	}
	if v.Len()-c.margin > atStart*c.tolerance && !m.inexact {
		return true // a flat tetrahedron around the origin, whose weights are rounding
	}
	m.a, m.placed = w.s.witness(), true
	m.b = m.a.Add(w.at).Sub(v)
	return true
}

// parts makes the direction of v the normal if the plane across it does not cut the shapes, and
// reports whether. Of curved shapes, it may be less exact than the plane of the last step only
// where that cuts them too.
func (w *walk) parts(c *pair, v geom.DVec3) bool {
	slack, curved := atStart*c.tolerance, c.a.kind == KindRound || c.b.kind == KindRound
	if curved {
		slack = curvedPlane * (c.a.extent + c.b.extent)
	}
	n := v.Mul(1 / v.Len())
	if gap := w.gap(n); !w.starts && gap < c.margin-slack && !(curved && gap >= w.gap(w.n)) {
		return false
	}
	w.n = n
	return true
}

// gap returns the distance of the cores along a unit vector.
func (w *walk) gap(n geom.DVec3) float64 {
	p, _ := w.support(n)
	return n.Dot(p.Add(w.at))
}

// advance moves ahead until the shapes touch; ok is false if they do not. It is stuck where no
// plane is better than the last one, or the vertices are so close that rounding hides it.
func (w *walk) advance(c *pair) (ok, stuck bool) {
	s, v, at := &w.s, w.v, w.at
	for c.steps < maxWalk {
		c.steps++
		l := v.Len()
		p, a := w.support(v)
		moved := false
		if low := v.Dot(p.Add(at))/l - c.margin; low > c.tolerance {
			rate := v.Dot(c.m) / l
			if !(rate < 0) {
				return false, false
			}
			t := w.t - low/rate
			if t > c.hi {
				return false, false
			}
			if t > w.t {
				w.t, w.n, w.starts, moved = t, v.Mul(1/l), false, true
				at = c.at(t)
				w.fresh, w.tried = true, false
			}
		}
		known := s.has(p)
		if !known {
			s.add(p, a)
		}
		was := v
		v = s.nearest(at)
		if gap := v.Len() - c.margin; gap <= c.tolerance || s.n == 4 {
			w.v, w.at = v, at
			return true, false
		}
		if moved || !known && (c.steps == 1 || v.Dot(v) < was.Dot(was)) {
			continue
		}
		// For a shape far longer than thick, the weights in a triangle are too inexact for a
		// direction that separates the shapes. The plane of the triangle is more exact.
		if n := s.plane(at, v); n != (geom.DVec3{}) && !w.tried {
			v, w.tried = n, true
			continue
		}
		w.v, w.at, w.newest = v, at, vertex{p, a}
		return true, true
	}
	w.v, w.at, w.inexact = v, at, true
	return true, false
}

// retry continues a walk that is stuck from the newest vertex alone. Where that gets stuck without
// moving ahead, the rest is rounding, and the better one of the two ends the walk.
func (w *walk) retry(c *pair) (ok bool) {
	for {
		s, v := w.s, w.v
		w.fresh = false
		w.s.n = 0
		w.s.add(w.newest.w, w.newest.a)
		w.v = w.s.nearest(w.at)
		ok, stuck := w.advance(c)
		if !stuck {
			return ok
		}
		if !w.fresh {
			if v.Dot(v) < w.v.Dot(w.v) {
				w.s, w.v = s, v
			}
			w.inexact = true
			return true
		}
	}
}

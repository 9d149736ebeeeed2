package toi

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// distance is the result of [pair.apart]: the vector from the witness point of the second core to
// that of the first, and the simplex from which both follow.
type distance struct {
	v       geom.DVec3
	simplex simplex
}

// support is the support function of the Minkowski difference of the cores against v, with both
// origins at one point. It also returns the point of the first core.
func (c *pair) support(v geom.DVec3) (p, a geom.DVec3) {
	a = c.a.support(v.Neg(), &c.hintA)
	return a.Sub(c.b.support(v, &c.hintB)), a
}

// apart finds the distance of the cores by GJK (Gilbert, Johnson and Keerthi 1988). at is the
// origin of a relative to that of b. The hint is a direction from b to a, or zero.
func (c *pair) apart(at, hint geom.DVec3) (d distance) {
	if hint == (geom.DVec3{}) {
		hint = c.guess(at)
	}
	p, a := c.support(hint)
	d.simplex.add(p, a)
	d.v = d.simplex.nearest(at)
	var best distance // the best at which the search stalled
	for c.steps = 1; c.steps < maxSteps; c.steps++ {
		vv := d.v.Dot(d.v)
		if vv <= float64(c.tolerance*c.tolerance)*insideSquare || d.simplex.n == 4 {
			return d // the origin is inside
		}
		p, a := c.support(d.v)
		// All of the Minkowski difference is beyond the plane through p across v, so the distance
		// is no less than that of the plane.
		if low := d.v.Dot(p.Add(at)); vv-low <= relativeGap*vv {
			return d
		}
		next := d
		if known := next.simplex.has(p); !known {
			next.simplex.add(p, a)
			if next.v = next.simplex.nearest(at); next.v.Dot(next.v) < vv {
				d = next
				continue
			}
		}
		// Rounding hides a nearer face. As in walk, the search may continue from the new vertex
		// alone.
		if best.simplex.n > 0 {
			if vv >= best.v.Dot(best.v) {
				d = best
			}
			return d
		}
		best = d
		d.simplex.n = 0
		d.simplex.add(p, a)
		d.v = d.simplex.nearest(at)
	}
	if best.simplex.n > 0 && best.v.Dot(best.v) < d.v.Dot(d.v) {
		d = best
	}
	return d
}

// guess returns a direction from b to a to start with.
func (c *pair) guess(at geom.DVec3) geom.DVec3 {
	if at != (geom.DVec3{}) {
		return at
	}
	return c.m.Neg()
}

// walk finds where the bodies first touch from a T on, by the ray cast of van den Bergh. Each step
// takes the plane across the shortest known vector between the cores. If it separates the bodies by
// more than the margins, the first body moves ahead up to the plane, and the point of the simplex
// is computed again. hint is a direction from b to a, or zero. If from is not the start of the
// path, a plane across hint must separate or touch the bodies there.
func (c *pair) walk(from float64, hint geom.DVec3) (meeting, bool) {
	m := meeting{t: from, n: hint, starts: from == c.lo}
	at := c.at(m.t)
	v := hint
	if v == (geom.DVec3{}) {
		v = c.guess(at)
	}
	var s simplex
	var best distance // the best at which the search stalled
	tried := false    // the plane of a sliver
	for c.steps = 1; c.steps <= maxSteps; c.steps++ {
		l := v.Len()
		p, a := c.support(v)
		moved := false
		if low := v.Dot(p.Add(at))/l - c.margin; low > c.tolerance {
			rate := v.Dot(c.m) / l
			if !(rate < 0) {
				return m, false
			}
			t := m.t - low/rate
			if t > c.hi {
				return m, false
			}
			if t > m.t {
				m.t, m.n, m.starts, moved = t, v.Mul(1/l), false, true
				at = c.at(t)
				best.simplex.n, tried = 0, false
			}
		}
		known := s.has(p)
		if !known {
			s.add(p, a)
		}
		was := v
		v = s.nearest(at)
		if gap := v.Len() - c.margin; gap <= c.tolerance || s.n == 4 {
			break
		}
		if moved || !known && (c.steps == 1 || v.Dot(v) < was.Dot(was)) {
			continue
		}
		// For a body far longer than thick, the weights in a triangle are too inexact for a
		// direction that separates the bodies. The plane of the triangle is more exact.
		if n := s.across(at, v); n != (geom.DVec3{}) && !tried {
			v, tried = n, true
			continue
		}
		// No plane is better than this one, or the vertices are so close that rounding hides it,
		// and the new one alone is better. After a second try, the rest is rounding.
		if best.simplex.n > 0 {
			if best.v.Dot(best.v) < v.Dot(v) {
				s, v = best.simplex, best.v
			}
			break
		}
		best = distance{v, s}
		s.n = 0
		s.add(p, a)
		v = s.nearest(at)
	}
	// With a margin, the direction from core to core is better than the plane of the last step,
	// unless the margin is so small that the direction is mostly rounding.
	if l := v.Len(); l > witnessed*c.tolerance {
		p, _ := c.support(v)
		if m.starts || c.a.kind == ellipsoid || c.b.kind == ellipsoid || v.Dot(p.Add(at))/l-c.margin >= -atStart*c.tolerance {
			m.n = v.Mul(1 / l)
		}
	}
	m.a, m.placed = s.witness(), true
	m.b = m.a.Add(at).Sub(v)
	return m, true
}

package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Casts in which one of the bodies is a sphere.

// round finds where the first body, a sphere, meets a sphere or a capsule: where the ray of its
// centre enters that body grown by the radius, which is a sphere, or two spheres and the cylinder
// between them.
func (c *pair) round(m *meeting) bool {
	enter, exit := inBall(c.off, c.m, c.margin)
	if c.b.kind == KindCapsule {
		from, to := inBall(c.off.Sub(c.b.e), c.m, c.margin)
		enter, exit = min(enter, from), max(exit, to)
		from, to = inCylinder(c.off, c.m, c.b.e, c.margin)
		enter, exit = min(enter, from), max(exit, to)
	}
	switch {
	case !(enter <= exit) || exit < c.lo || enter > c.hi:
		return false
	case enter < c.lo:
		m.t, m.starts = c.lo, true
		return true
	}
	m.t = enter + 0
	at := c.at(m.t)
	m.b, m.placed = c.b.nearest(at), true
	if m.n = at.Sub(m.b).Normalize(); c.margin <= c.tolerance {
		// A point meets a point or a line: the normal is across the line, or against the motion if
		// that is along the line.
		line, _ := c.b.directions()
		if m.n = acrossMost(line[0], c.m).Neg(); !(m.n.Dot(c.m) < 0) {
			m.n = c.m.Neg().Normalize()
		}
	}
	return true
}

// inBall returns the range of T in which the line p + T·d is in the ball of a radius around the
// origin; +Inf and −Inf if there is none. The discriminant compares the radius with the distance of
// the line from the centre, which a far start does not make less exact.
func inBall(p, d geom.DVec3, radius float64) (enter, exit float64) {
	x := p.Cross(d)
	dd, rr := d.Dot(d), float64(radius*radius)
	disc := float64(rr*dd) - x.Dot(x)
	if !(disc >= 0) {
		return math.Inf(1), math.Inf(-1)
	}
	return roots(dd, p.Dot(d), p.Dot(p)-rr, math.Sqrt(disc))
}

// inCylinder is inBall for a cylinder around the segment from the origin to e, flat at its ends. It
// returns none for a line along the axis, which enters by the balls at the ends.
func inCylinder(p, d, e geom.DVec3, radius float64) (enter, exit float64) {
	enter, exit = math.Inf(1), math.Inf(-1)
	n, ee := d.Cross(e), e.Dot(e)
	nn, k := n.Dot(n), p.Dot(n)
	disc := float64(float64(radius*radius)*nn) - float64(k*k)
	if nn == 0 || !(disc >= 0) {
		return enter, exit
	}
	x := p.Cross(e)
	from, to := roots(nn, x.Dot(n), x.Dot(x)-float64(float64(radius*radius)*ee), math.Sqrt(ee)*math.Sqrt(disc))
	if at, rate := p.Dot(e), d.Dot(e); rate != 0 {
		u, v := -at/rate, (ee-at)/rate
		from, to = max(from, min(u, v)), min(to, max(u, v))
	} else if at < 0 || at > ee {
		return enter, exit
	}
	if from > to {
		return enter, exit
	}
	return from, to
}

// roots returns the solutions of a·t² + 2b·t + c = 0 in ascending order, given a > 0 and the root
// of b² − a·c. The solution that would be a difference of nearly equal numbers is computed from the
// other.
func roots(a, b, c, root float64) (t0, t1 float64) {
	q := -b - math.Copysign(root, b)
	if q == 0 {
		return 0, 0
	}
	t0, t1 = q/a, c/q
	return min(t0, t1), max(t0, t1)
}

// approach finds where the first body, a sphere, meets a square box or a triangle, by Newton's
// method on the distance of its centre from them. While the nearest face, edge or corner stays the
// same, the distance is that of a plane, a line or a point, and each step doubles the digits; for a
// grazing sphere, each step adds one bit. A step leads too far where the nearest point was on the
// wrong side of a needle, and the next one leads back.
func (c *pair) approach(m *meeting) bool {
	m.t = c.lo
	var before geom.DVec3 // the direction before m.n
	short := false        // m.n is that of a short distance
	for c.steps = 1; ; c.steps++ {
		at := c.at(m.t)
		m.b = c.b.nearest(at)
		v := at.Sub(m.b)
		l := v.Len()
		gap := l - c.margin
		if l > apartAtStart*c.tolerance || m.n == (geom.DVec3{}) {
			// Closer to the surface, the direction would be rounding.
			before, m.n, short = m.n, v, l < farApart*c.tolerance
		}
		back := gap < -c.tolerance*newtonEnd && c.steps > 1
		if gap <= c.tolerance*newtonEnd && !back || c.steps == maxWalk {
			break
		}
		rate := v.Dot(c.m) / l
		t := m.t - gap/rate
		if !back && (!(rate < 0) || t > c.hi) {
			return false
		}
		if !(rate < 0) || !(t > m.t) && !(back && t < m.t) {
			break
		}
		m.t = max(t, c.lo)
	}
	m.starts = m.t == c.lo
	m.n, m.placed = m.n.Normalize(), true
	if short && before != (geom.DVec3{}) {
		// The plane across a short direction may cut a large box by the rounding of the direction,
		// and that of the step before because the sphere has moved on.
		at, n := c.at(m.t), before.Normalize()
		_, top := c.b.span(m.n)
		if _, topBefore := c.b.span(n); at.Dot(n)-topBefore > at.Dot(m.n)-top {
			m.n = n
		}
	}
	return true
}

// passes reports whether the first body, a sphere, is apart from the second at a T and still gets
// nearer, so that it did not touch it before: the distance is convex.
func (c *pair) passes(t float64) bool {
	at := c.at(t)
	v := at.Sub(c.b.nearest(at))
	return v.Len()-c.margin > atStart*c.tolerance && v.Dot(c.m) <= 0
}

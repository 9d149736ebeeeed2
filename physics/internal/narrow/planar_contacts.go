package narrow

import "github.com/hitscan-go/hitscan/physics/geom"

// The contacts of two outlines: the ends of the side that was found, or of the one that faces it,
// clipped by the other.

// contacts writes the contacts of what was found, which are at most two.
func (c *planarPair) contacts(m *Manifold, margin, bias, slack float64) {
	m.N = 0
	if !(c.dist <= margin) {
		return
	}
	m.Normal = c.n.out(geom.DVec3{})
	switch {
	case c.side < 0:
		c.put(m, c.pa, c.pb, c.a.corner(c.ca), c.b.corner(c.cb), margin)
		return
	case c.half:
		i := c.ca
		c.onLine(m, i, margin)
		if c.a.num > 1 {
			side := c.a.sideTowards(i, c.n)
			k := side
			if k == i {
				k = c.a.after(i)
			}
			if c.a.radius == 0 || c.a.n[side].dot(c.n) > roundSide {
				c.onLine(m, k, margin)
			}
		}
		return
	}
	p, q, corner := &c.a, &c.b, c.cb
	if c.onB {
		p, q, corner = q, p, c.ca
	}
	c.clip(m, p, q, corner, margin, slack)
	// A corner beside the side, by rounding or of a side that hardly leans, is nearer than what is
	// opposite. To within the bias the points there are right, and may be two.
	if i := m.Deepest(); i < 0 || m.Points[i].Depth < -c.dist-bias {
		m.N = 0
		fp, fq := p.side(c.side), q.corner(corner)
		if c.onB {
			fp, fq = fq, fp
		}
		c.put(m, c.pa, c.pb, fp, fq, margin)
	}
}

// roundSide is the cosine of an angle of 5.7° between a side of a shape with a radius and a side
// that it lies on up to which it has two contacts: as edgeOn.
const roundSide = 0.995

// clip writes the contacts of the side of p that was found and the one of q that faces it.
func (c *planarPair) clip(m *Manifold, p, q *outline, corner int, margin, slack float64) {
	from, n := p.p[c.side], p.n[c.side]
	along := vec2{-n.y, n.x}
	l := p.p[p.after(c.side)].sub(from).dot(along)
	fs := p.side(c.side)
	if q.num == 1 {
		c.write(m, q.p[0], from, n, fs, q.corner(0), margin)
		return
	}
	other := q.sideTowards(corner, n.mul(-1))
	// Side i runs against the side, if it faces it.
	i, k := other, q.after(other)
	if q.radius > 0 && !(q.n[other].dot(n) < -roundSide) {
		at := c.pb
		if c.onB {
			at = c.pa
		}
		c.write(m, at, from, n, fs, q.corner(corner), margin)
		return
	}
	v, w := q.p[i], q.p[k]
	fv, fw := q.corner(i), q.corner(k)
	s, t := v.sub(from).dot(along), w.sub(from).dot(along)
	if s > t {
		v, w, fv, fw, s, t = w, v, fw, fv, t, s
	}
	if t < -slack || s > l+slack {
		return
	}
	gv, gw := fs, fs
	d := w.sub(v)
	if s < -slack {
		v = v.add(d.mul(-s / (t - s)))
		fv, gv = q.side(other), p.corner(c.side)
	}
	if t > l+slack {
		w = w.sub(d.mul((t - l) / (t - s)))
		fw, gw = q.side(other), p.corner(p.after(c.side))
	}
	if w.sub(v).dot(along) <= slack {
		// The side stands on this one, or the two share a point only: the lower end counts.
		if v.dot(n) <= w.dot(n) {
			c.write(m, v, from, n, gv, fv, margin)
		} else {
			c.write(m, w, from, n, gw, fw, margin)
		}
		return
	}
	c.write(m, v, from, n, gv, fv, margin)
	c.write(m, w, from, n, gw, fw, margin)
}

// write adds the contact of a point of one outline and its foot on the side that was found.
func (c *planarPair) write(m *Manifold, at, from, n vec2, fs, fc Feature, margin float64) {
	foot := at.sub(n.mul(at.sub(from).dot(n)))
	if c.onB {
		c.put(m, at, foot, fc, fs, margin)
	} else {
		c.put(m, foot, at, fs, fc, margin)
	}
}

// onLine adds the contact of a corner of a with a half-plane.
func (c *planarPair) onLine(m *Manifold, corner int, margin float64) {
	at := c.a.p[corner]
	c.put(m, at, at.add(c.n.mul(c.b.p[0].sub(at).dot(c.n))), c.a.corner(corner), faceKind, margin)
}

// put adds the contact of a point of each outline, unless it is too far apart.
func (c *planarPair) put(m *Manifold, pa, pb vec2, fa, fb Feature, margin float64) {
	ra, rb := c.a.thickness(pa, c.n), c.b.thickness(pb, c.n.mul(-1))
	gap := pb.sub(pa).dot(c.n)
	if gap -= ra + rb; !(gap <= margin) {
		return
	}
	m.Points[m.N] = ContactPoint{
		pa.add(c.n.mul(ra)).out(c.from), pb.sub(c.n.mul(rb)).out(c.from), -gap, fa, fb}
	m.N++
}

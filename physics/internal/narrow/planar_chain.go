package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A segment of a chain is one-sided, and has contacts only in the directions in which its surface
// faces: along its front, and at a joint that stands out in those up to the front of the next. So
// what slides over a joint does not catch on it (Catto 2013, Box2D 2.2's b2ChainShape, there by
// ghost vertices).

// The bits of Simple.hidden that a segment of a chain has.
const (
	oneSided uint8 = 1 << (4 + iota)
	follows        // x leads from p to the other end of the one before
	precedes       // y leads from p to the other end of the one after
)

// SetSegment makes it a segment of a chain in a planar space, whose front is to the right of the
// way from a to b.
func (s *Shape) SetSegment(a, b geom.DVec3) {
	s.setCapsule(a, b, 0)
	s.planar, s.hidden = true, oneSided
}

// Follow says where the segment that ends at the first end of a segment begins.
func (s *Shape) Follow(from geom.DVec3) { s.hidden, s.x = s.hidden|follows, from.Sub(s.p) }

// Precede says where the segment that begins at the second end of a segment ends.
func (s *Shape) Precede(to geom.DVec3) { s.hidden, s.y = s.hidden|precedes, to.Sub(s.p) }

// covered is what limits the directions in which an outline has contacts.
type covered struct {
	hidden uint8
	// The front of a segment, and the way along it, both unit.
	front, along vec2
	// By end, the first one first: the front of the segment that is joined to it.
	next [2]vec2
	// Whether the segment before has the contacts of the first end.
	left bool
}

// cover sets c for a shape with an outline, seen from the middle of another.
func (c *covered) cover(s *Shape, o *outline, other vec2) {
	if c.hidden = s.hidden; c.hidden&oneSided == 0 {
		return
	}
	c.front, c.left = o.n[0], false
	c.along = vec2{-c.front.y, c.front.x}
	front := func(way vec2) vec2 { return vec2{way.y, -way.x}.mul(1 / way.len()) }
	if c.hidden&follows != 0 {
		c.next[0] = front(inPlane(s.x).mul(-1))
		c.left = c.next[0].dot(other.sub(o.p[0])) >= 0
	}
	if c.hidden&precedes != 0 {
		c.next[1] = front(inPlane(s.y).sub(inPlane(s.e)))
	}
}

// faces reports whether an outline has contacts in a direction that leads out of it.
func (c *covered) faces(o *outline, n vec2) bool {
	if c.hidden&oneSided == 0 {
		for i := range 4 {
			if c.hidden>>i&1 != 0 && o.n[i].dot(n) > leansOver {
				return false
			}
		}
		return true
	}
	sin, cos := c.along.dot(n), c.front.dot(n)
	if sin >= -leansOver && sin <= leansOver {
		return cos > 0
	}
	end, joint := 1, precedes
	if sin < 0 {
		sin, end, joint = -sin, 0, follows
	}
	if c.hidden&joint == 0 {
		return cos >= 0
	}
	// The angle between the fronts must be at least that between the front and n.
	s, t := c.along.dot(c.next[end]), c.front.dot(c.next[end])
	if end == 0 {
		s = -s
	}
	return s > 0 && float64(s*cos)-float64(t*sin) >= -leansOver
}

// leaves reports whether a segment leaves the contacts in a direction in which it faces to the
// segment before, so that a corner has one manifold.
func (c *covered) leaves(n vec2) bool {
	return c.hidden&oneSided != 0 && c.left && c.along.dot(n) < -leansOver
}

// isBehind reports whether the middle of another outline is behind a segment, whose contacts then
// are none.
func (c *covered) isBehind(o *outline, other vec2) bool {
	return c.hidden&oneSided != 0 && c.front.dot(other.sub(o.p[0])) < 0
}

// isOfNext reports whether the way out of a segment, which leads over a joint within the other
// outline, is that of the segment joined there, which the other overlaps as well: along the front
// of that one, which the other's middle is before, the two are less deep than by a gap along the
// segment's own.
func (c *covered) isOfNext(o, q *outline, other, n vec2, gap, bias float64) bool {
	end, joint := 1, precedes
	if c.along.dot(n) < 0 {
		end, joint = 0, follows
	}
	if c.hidden&oneSided == 0 || c.hidden&joint == 0 || !q.holds(o.p[end], bias) {
		return false
	}
	front := c.next[end]
	_, far := o.furthest(front)
	_, low := q.furthest(front.mul(-1))
	return front.dot(other.sub(o.p[end])) >= 0 && -low-far > gap+bias
}

// continues reports whether the segment that is joined to an end of a segment leads on in line.
func (c *covered) continues(end int) bool {
	joint := [2]uint8{follows, precedes}[end]
	return c.hidden&oneSided != 0 && c.hidden&joint != 0 && math.Abs(c.along.dot(c.next[end])) <= leansOver
}

// shorten makes the answer along a side, beside which the deepest corner of the other outline is,
// that of what is over the side: what is beside it is above another side, or above none. It returns
// false if nothing is over the side. Where a segment continues, the answer stays.
func (c *planarPair) shorten(x, y *covered) bool {
	s, p, q, corner, foot, at := x, &c.a, &c.b, c.cb, &c.pa, &c.pb
	if c.onB {
		s, p, q, corner, foot, at = y, q, p, c.ca, at, foot
	}
	n, from := p.n[c.side], p.p[c.side]
	along := vec2{-n.y, n.x}
	end := 1
	if q.p[corner].sub(from).dot(along) < 0 {
		end = 0
	}
	if s.continues(end) {
		return true
	}
	over, ok := q.over(corner, from, along, p.p[p.after(c.side)].sub(from).dot(along))
	if !ok {
		return false
	}
	c.dist = over.sub(from).dot(n)
	*at, *foot = over, over.sub(n.mul(c.dist))
	return c.dist <= 0
}

// Sunk says whether a segment of a chain is in the outline of a shape, without its radius, or at it
// to rounding.
type Sunk uint8

const (
	NotSunk      Sunk = iota
	SunkShortest      // its contacts are those of the shortest way out of the segment
	SunkOther         // that leads out in a direction in which it has no contacts
)

// LeadOut finds the contacts of a segment of a chain and a shape along the shortest way that leads
// one out of the other, and out of all segments joined at corners that stand out, in the directions
// in which the segment has contacts. It returns its length, which is +Inf if there is none, and
// whether the middle of the shape is before the segment.
func (f *Finder) LeadOut(a, b *Shape, margin float64) (depth float64, isBefore bool) {
	var c planarPair
	f.N = 0
	if !c.isPlanar(a, b) || c.half {
		return math.Inf(1), false
	}
	var x, y covered
	p, q := c.cover(&x, &y, a, b)
	isBefore = !x.isBehind(&c.a, q) && !y.isBehind(&c.b, p)
	bias, radii := planarBias(a, b), c.a.radius+c.b.radius
	side, gap, onB := c.widest(&x, &y)
	if side < 0 || c.set(side, gap, onB, bias) > 2*bias && !c.shorten(&x, &y) {
		return math.Inf(1), isBefore
	}
	c.dist -= radii
	c.contacts(&f.Manifold, margin, bias, float64(touching*max(a.size, b.size)))
	return radii - gap, isBefore
}

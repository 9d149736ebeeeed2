package toi

import "github.com/hitscan-go/hitscan/physics/geom"

// Cast returns the first touch of a body that moves along a path with another one, which rests. See
// [Impact] and [Start].
//
// An empty body and a path that is not valid (see [Path.IsValid]) hit nothing.
func Cast(a, b *Body, p *Path) (Impact, bool) {
	if a.IsEmpty() || b.IsEmpty() || !p.IsValid() {
		return Impact{}, false
	}
	c := newPair(a, b, p)
	return c.cast(p.Start)
}

func (c *pair) cast(start Start) (Impact, bool) {
	if swapped := isPoint(c.b) && !isPoint(c.a); swapped {
		// The sphere is always the one that moves.
		c.a, c.b, c.m, c.off = c.b, c.a, c.m.Neg(), c.off.Neg()
		m, ok := c.meet()
		if !ok {
			return Impact{}, false
		}
		hit, ok := c.impact(&m, start)
		if !ok {
			return Impact{}, false
		}
		way := c.m.Mul(-hit.T) // of the body that the caller moves
		hit.PointA, hit.PointB = hit.PointB.Add(way), hit.PointA.Add(way)
		hit.Normal = hit.Normal.Neg()
		return hit, true
	}
	m, ok := c.meet()
	if !ok {
		return Impact{}, false
	}
	return c.impact(&m, start)
}

func isPoint(s *Body) bool { return s.kind == points && s.n == 1 }

// meet finds where the bodies meet, by the method for their kinds.
func (c *pair) meet() (meeting, bool) {
	if isPoint(c.a) {
		switch {
		case c.b.kind == points && c.b.n < 3:
			return c.round()
		case c.b.kind == points || c.b.square:
			return c.approach()
		}
	}
	if c.a.aligned && c.b.aligned && c.margin == 0 {
		return c.boxes()
	}
	from, hint := c.lo, geom.DVec3{}
	if c.hasAxes() {
		var ok bool
		if from, hint, ok = c.enter(); !ok {
			return meeting{}, false
		}
		if c.isExact() {
			return meeting{t: from, n: hint, starts: hint == geom.DVec3{}}, true
		}
	}
	return c.walk(from, hint)
}

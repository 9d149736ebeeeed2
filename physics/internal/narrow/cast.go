package narrow

import "github.com/hitscan-go/hitscan/physics/geom"

// Cast returns the first touch of a shape that moves along a path with another one, which rests.
// See [Impact] and [Start].
//
// An empty shape and a path that is not valid (see [Path.IsValid]) hit nothing.
func Cast(a, b *Shape, p *Path) (Impact, bool) {
	if a.IsEmpty() || b.IsEmpty() || !p.IsValid() {
		return Impact{}, false
	}
	c := newPair(a, b, p)
	return c.cast(p.Start)
}

func (c *pair) cast(start Start) (Impact, bool) {
	exchanged := c.b.kind == KindSphere && c.a.kind != KindSphere
	if exchanged {
		// The sphere is always the one that moves.
		c.a, c.b, c.m, c.off = c.b, c.a, c.m.Neg(), c.off.Neg()
	}
	var m meeting
	if !c.meet(&m) {
		return Impact{}, false
	}
	hit, ok := c.impact(&m, start)
	if ok && exchanged {
		way := c.m.Mul(-hit.T) // of the shape that the caller moves
		hit.PointA, hit.PointB = hit.PointB.Add(way), hit.PointA.Add(way)
		hit.Normal = hit.Normal.Neg()
	}
	return hit, ok
}

// meet finds where the shapes meet, by the method for their kinds, and writes it to m, which is
// zero.
func (c *pair) meet(m *meeting) bool {
	if c.a.kind == KindSphere {
		switch c.b.kind {
		case KindSphere, KindCapsule:
			return c.round(m)
		case KindTriangle, KindAABB, KindBox:
			return c.approach(m)
		}
	}
	if c.margin == 0 && c.a.isAligned() && c.b.isAligned() {
		return c.boxes(m)
	}
	m.t = c.lo
	if c.a.isFew() && c.b.isFew() {
		var ok bool
		if m.t, m.n, ok = c.enter(); !ok {
			return false
		}
		if c.isExact() {
			m.starts = m.n == geom.DVec3{}
			return true
		}
	}
	return c.walk(m)
}

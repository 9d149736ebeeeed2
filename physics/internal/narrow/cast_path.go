package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Path is the motion of the first of two bodies relative to the second: by T·Motion, for Min ≤ T ≤
// Max.
type Path struct {
	Motion   geom.DVec3
	Min, Max float64 // Max may be +Inf
	Start    Start
}

// Start is the mode for bodies that overlap already at the start of the path, at Min. Bodies that
// only touch there, and move against each other, hit in every mode, with T = Min and Depth 0.
type Start uint8

const (
	// Report makes an overlap a hit: T is Min, and Overlaps and Depth are set. Touching counts.
	Report Start = iota
	// Ignore makes a pair miss that overlaps, or touches and does not move against each other.
	Ignore
	// IgnoreSeparating makes a pair miss only if it does not move against the normal of its overlap
	// or touch: it separates or slides. A pair that gets deeper is reported.
	IgnoreSeparating
)

// Impact is the first touch of two bodies, in world space, at the time of the touch; the second
// body rests.
type Impact struct {
	T float64
	// PointA and PointB are where the bodies touch, on the first and on the second. They are the
	// same point, to rounding, unless the bodies overlap: then PointB − PointA is Normal times
	// Depth.
	PointA, PointB geom.DVec3
	// Normal is unit and points from the second body to the first.
	Normal geom.DVec3
	// Depth is the distance, in metres, that the first body must be moved along Normal so that the
	// two only touch. It is 0 unless they overlap at the start.
	Depth float64
	// Overlaps is set if the bodies overlapped at the start of the path, or touched there and were
	// not moving against each other.
	Overlaps bool
	// Triangle is the triangle of a mesh that was hit, and −1 for other bodies. BackFace is set if
	// it was hit from behind.
	Triangle int32
	BackFace bool
	// Inexact is set if the search ended before it had converged: T is no later than the touch, but
	// may be earlier, or another way out of an overlap may be shorter.
	Inexact bool
}

// IsValid reports whether the path can lead to a hit: its numbers are finite, except Max, Motion is
// not zero, and the range is not empty.
func (p *Path) IsValid() bool {
	m := p.Motion
	return p.Min >= 0 && p.Min <= p.Max && p.Min <= math.MaxFloat64 && m != geom.DVec3{} && finite(m) && m.Dot(m) > 0
}

func finite(v geom.DVec3) bool { s := v.X + v.Y + v.Z; return s-s == 0 }

// meeting is the result of a search for a hit: a touch at t, or bodies that touch or overlap at the
// start of the path.
type meeting struct {
	t      float64
	n      geom.DVec3 // unit, from the second body to the first
	a, b   geom.DVec3 // where they touch, relative to the bodies' own origins; only if placed
	placed bool
	starts bool
	// the search ended before it had converged
	inexact bool
}

// pair is two shapes and the path of the first.
type pair struct {
	a, b      *Shape
	m         geom.DVec3 // motion
	off       geom.DVec3 // from the origin of b to that of a where T is 0
	lo, hi    float64
	margin    float64 // of both
	tolerance float64 // in metres: bodies closer than that touch
	steps     int     // of the last search
}

// newPair returns a pair. A method that fills one in would store the bodies through a pointer, and
// so move them to the heap.
func newPair(a, b *Shape, p *Path) pair {
	off := a.p.Sub(b.p)
	near := castTouching
	if a.kind == KindRound || b.kind == KindRound {
		near = castTouchingCurved
	}
	return pair{
		a: a, b: b, m: p.Motion, off: off, lo: p.Min, hi: p.Max, margin: a.radius + b.radius,
		tolerance: near * (total(off.AddMul(p.Min, p.Motion)) + a.extent + b.extent + a.radius + b.radius),
	}
}

// search returns a finished search for the distance of the cores, with the origin of a at a place
// relative to that of b. The hint is a direction from b to a, or zero.
func (c *pair) search(at, hint geom.DVec3) search {
	if hint == (geom.DVec3{}) {
		hint = c.guess(at)
	}
	g := search{a: c.a, b: c.b, at: at}
	zero := c.tolerance * castInside
	g.run(hint, zero, zero, math.Inf(1))
	c.steps = g.steps
	return g
}

// guess returns a direction from b to a to start with.
func (c *pair) guess(at geom.DVec3) geom.DVec3 {
	if at != (geom.DVec3{}) {
		return at
	}
	return c.m.Neg()
}

// at returns the origin of a relative to that of b.
func (c *pair) at(t float64) geom.DVec3 { return c.off.AddMul(t, c.m) }

// impact makes the answer of a meeting.
func (c *pair) impact(m *meeting, start Start) (Impact, bool) {
	if m.starts {
		return c.start(start)
	}
	if !m.placed {
		c.place(m)
	}
	a := c.a.p.AddMul(m.t, c.m).Add(m.a).AddMul(-c.a.radius, m.n)
	b := c.b.p.Add(m.b).AddMul(c.b.radius, m.n)
	return Impact{T: m.t, PointA: a, PointB: b, Normal: m.n, Triangle: -1, Inexact: m.inexact}, true
}

// place finds the witness points of bodies that touch at m.t.
func (c *pair) place(m *meeting) {
	g := c.search(c.at(m.t), m.n)
	m.a, m.placed = g.s.witness(), true
	m.b = m.a.Add(g.at).Sub(g.v)
}

// start returns the hit of bodies that touch or overlap at the start of the path.
func (c *pair) start(mode Start) (Impact, bool) {
	g := c.search(c.at(c.lo), geom.DVec3{})
	hit := Impact{T: c.lo, Triangle: -1, Inexact: !g.converged}
	var r relation
	if l := g.v.Len(); c.planar(&r) {
		hit.Normal, hit.Depth, hit.Inexact = r.n.Neg(), max(0, -r.dist), false
	} else if l > apartAtStart*c.tolerance {
		// The cores are apart, and only their margins overlap. The plane gives a valid depth even
		// if GJK ended early.
		w, _ := g.support(g.v)
		hit.Normal, hit.Depth = g.v.Mul(1/l), max(0, c.margin-g.v.Dot(w.Add(g.at))/l)
	} else {
		// Moved out along the normal, the cores touch at the deepest points.
		hit.Normal, hit.Depth, hit.Inexact = c.depth(&g)
		g = c.search(g.at.AddMul(hit.Depth, hit.Normal), hit.Normal)
		hit.Depth += c.margin
	}
	if hit.PointA = r.pa; r.n == (geom.DVec3{}) {
		hit.PointA = c.a.p.AddMul(c.lo, c.m).Add(g.s.witness()).AddMul(-c.a.radius, hit.Normal)
	}
	hit.PointB = hit.PointA.AddMul(hit.Depth, hit.Normal)
	against := hit.Normal.Dot(c.m) < -alongSlab*c.m.Len()
	if against && hit.Depth <= atStart*c.tolerance {
		hit.Depth, hit.PointB = 0, hit.PointA
		return hit, true
	}
	if mode == Ignore || mode == IgnoreSeparating && !against {
		return Impact{}, false
	}
	hit.Overlaps = true
	return hit, true
}

package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Closest is how far two shapes are apart, and where.
type Closest struct {
	Distance       float64    // 0 if they touch or overlap, +Inf if they are further apart than asked
	PointA, PointB geom.DVec3 // nearest to each other; the same point of both if the Distance is 0
	// Normal is the unit vector from A to B. It is zero if the shapes, margins of spheres and
	// capsules left aside, overlap.
	Normal geom.DVec3
}

// Penetration is how deep two shapes are in each other.
type Penetration struct {
	Depth          float64    // how far one must move until they only touch
	Normal         geom.DVec3 // unit: the second moves this way, or the first against it
	PointA, PointB geom.DVec3 // of each the point that is deepest in the other: PointA − PointB = Depth·Normal
}

// Overlaps reports whether two shapes have a point in common. Touching counts, as far as double
// precision tells.
func Overlaps(a, b *Shape) bool {
	if !before(a, b) {
		a, b = b, a
	}
	var r relation
	return relate(&r, a, b, 0, askOverlap) && r.dist <= 0
}

// Distance returns how far two shapes are apart, and their points nearest to each other. It stops
// early, with the Distance +Inf and nothing else, where that is more than limit; math.Inf(1) never
// does. It does where a shape is empty.
func Distance(a, b *Shape, limit float64) Closest {
	exchanged := !before(a, b)
	if exchanged {
		a, b = b, a
	}
	var r relation
	if !relate(&r, a, b, max(0, limit), askDistance) {
		return Closest{Distance: math.Inf(1)}
	}
	if r.dist <= 0 {
		r.dist, r.pb = 0, r.pa
	}
	if exchanged {
		r.flip()
	}
	return Closest{r.dist, r.pa, r.pb, r.n}
}

// Penetrate returns how deep two shapes are in each other and the shortest way out, and false if
// they are apart: it does unless [Overlaps] does. Where several ways are equally short it returns
// one of them, a face's rather than an edge's. Of two half-spaces, which overlap without end unless
// they face each other, the Depth is +Inf.
func Penetrate(a, b *Shape) (Penetration, bool) {
	var f Finder
	return f.Penetrate(a, b)
}

// Penetrate returns what [Penetrate] does. The manifold may be anything then.
func (f *Finder) Penetrate(a, b *Shape) (Penetration, bool) {
	exchanged := !before(a, b)
	if exchanged {
		a, b = b, a
	}
	var r relation
	slack := unsure * max(a.size, b.size)
	if !relate(&r, a, b, slack, askDepth) {
		return Penetration{}, false
	}
	if (r.apart || r.dist >= -slack) && !Overlaps(a, b) {
		return Penetration{}, false
	}
	if r.unseen {
		// Where they touch is told by the contacts.
		f.N = 0
		f.fill(a, b, &r, 0)
		f.complete(a, b, &r)
		c := &f.Points[max(0, f.Deepest())]
		mid := c.PointA.Add(c.PointB).Mul(0.5)
		r.pa, r.pb = mid.AddMul(-r.dist/2, r.n), mid.AddMul(r.dist/2, r.n)
	}
	if exchanged {
		r.flip()
	}
	return Penetration{max(0, -r.dist), r.n, r.pa, r.pb}, true
}

package toi

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Plane is what a body can hit that has no end: the points p with Normal·p = Normal·Point. Normal
// is unit.
type Plane struct {
	Normal, Point geom.DVec3
	// Solid makes everything behind the plane part of it: then its back is never hit, and what is
	// behind it overlaps it.
	Solid bool
}

// CastPlane returns where a body that goes along a path first touches a plane. PointA is one of the
// points of the body that touch. An empty body, a path that is not valid, and a plane whose numbers
// are not finite or whose normal is not unit hit nothing.
func CastPlane(a *Body, b Plane, p *Path) (Impact, bool) {
	n := b.Normal
	if a.IsEmpty() || !p.IsValid() || !finite(b.Point) || !(math.Abs(n.Dot(n)-1) < unitNormal) {
		return Impact{}, false
	}
	at := a.o.Sub(b.Point).AddMul(p.Min, p.Motion)
	near := touching * (total(at) + a.size + a.margin)
	below, above := a.Reach(n)
	height := at.Dot(n)
	if !b.Solid && height+float64((below+above)/2) < 0 {
		// Its middle is behind: the back is what it meets.
		n, height, below = n.Neg(), -height, -above
	}
	gap, rate := height+below, p.Motion.Dot(n)
	hit := Impact{T: p.Min, Normal: n, Triangle: -1}
	hint := 0
	touch := a.support(n.Neg(), &hint).AddMul(-a.margin, n)
	switch {
	case gap > near:
		if !(rate < 0) {
			return Impact{}, false
		}
		if hit.T = p.Min - gap/rate; hit.T > p.Max {
			return Impact{}, false
		}
	case gap < -near || rate >= 0:
		hit.Overlaps, hit.Depth = true, max(0, -gap)
	}
	hit.PointA = a.o.AddMul(hit.T, p.Motion).Add(touch)
	hit.PointB = hit.PointA.AddMul(hit.Depth, n)
	if hit.Overlaps && (p.Start == Ignore || p.Start == IgnoreSeparating && rate >= 0) {
		return Impact{}, false
	}
	return hit, true
}

package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Plane is the points p with Normal·p = Normal·Point, in world space. Normal is unit.
type Plane struct {
	Normal, Point geom.DVec3
	// Solid makes it the half-space behind the plane: its back is never hit, and bodies behind it
	// overlap it.
	Solid bool
}

// CastPlane returns the first touch of a body that moves along a path with a plane. PointA is one
// of the points of the body that touch. There is no hit if the body is empty, the path is not
// valid, the plane's numbers are not finite, or its normal is not unit.
func CastPlane(a *Shape, b Plane, p *Path) (Impact, bool) {
	n := b.Normal
	if a.IsEmpty() || !p.IsValid() || !finite(b.Point) || !(math.Abs(n.Dot(n)-1) < unitNormal) {
		return Impact{}, false
	}
	at := a.p.Sub(b.Point).AddMul(p.Min, p.Motion)
	near := castTouching * (total(at) + a.extent + a.radius)
	below, above := a.Span(n)
	height := at.Dot(n)
	if !b.Solid && height+float64((below+above)/2) < 0 {
		// Its middle is behind the plane: it meets the back.
		n, height, below = n.Neg(), -height, -above
	}
	gap, rate := height+below, p.Motion.Dot(n)
	hit := Impact{T: p.Min, Normal: n, Triangle: -1}
	hint := 0
	touch, _ := a.extreme(n.Neg(), &hint)
	touch = touch.AddMul(-a.radius, n)
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
	hit.PointA = a.p.AddMul(hit.T, p.Motion).Add(touch)
	hit.PointB = hit.PointA.AddMul(hit.Depth, n)
	if hit.Overlaps && (p.Start == Ignore || p.Start == IgnoreSeparating && rate >= 0) {
		return Impact{}, false
	}
	return hit, true
}

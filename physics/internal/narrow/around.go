package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Around is the box around a hull in the hull's own space, grown by a margin. The bounds in the
// world of a log that leans are mostly air: of the triangles that touch them, few touch this box.
type Around struct {
	s      *Shape
	half   geom.DVec3
	margin float64
}

// aroundSlack is by how much a box around a hull is larger, as a share of the distance of what it
// is compared with: what evenScale lets its axes be off, ten times over.
const aroundSlack = 10 * evenScale

// Around returns the box around a hull, grown by a margin in metres; false if the shape is no hull,
// or is a stretched one.
func (s *Shape) Around(margin float64) (Around, bool) {
	if s.kind != KindHull || !s.even {
		return Around{}, false
	}
	k := s.x.Dot(s.x) // all is in lengths along the axes, which are as long as the scale
	return Around{s, s.hull.Bounds().Max.Wide().Sub(s.f).Mul(k), float64(margin * math.Sqrt(k))}, true
}

// Misses is true only for a triangle that is further from the hull than the margin.
func (a *Around) Misses(t *geom.Triangle) bool {
	s := a.s
	p, q, r := s.along(t.A.Wide().Sub(s.p)), s.along(t.B.Wide().Sub(s.p)), s.along(t.C.Wide().Sub(s.p))
	margin := a.margin + float64(aroundSlack*max(big(p), big(q), big(r)))
	return max(min(p.X, q.X, r.X), -max(p.X, q.X, r.X)) > a.half.X+margin ||
		max(min(p.Y, q.Y, r.Y), -max(p.Y, q.Y, r.Y)) > a.half.Y+margin ||
		max(min(p.Z, q.Z, r.Z), -max(p.Z, q.Z, r.Z)) > a.half.Z+margin
}

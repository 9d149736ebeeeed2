package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Corners is the convex hull of a few points with a margin around it. It is made for overlaps
// alone, and has neither faces nor features. The zero Corners touches nothing.
type Corners struct{ shape Shape }

// CornersOf returns the points within margin, in metres, of the convex hull of some points. It
// keeps the slice, which must not be changed while the Corners are in use. It is empty if there are
// no points, a number is NaN or infinite, or the margin is negative.
func CornersOf(points []geom.DVec3, margin float64) (c Corners) {
	if len(points) == 0 {
		return c
	}
	size, far := 0.0, 0.0
	for _, p := range points {
		size, far = max(size, big(p)), max(far, p.Sub(points[0]).Len()) // max keeps a NaN
	}
	c.shape.points = points // a store through a pointer would move the caller's array to the heap
	s := &c.shape.Simple
	s.kind, s.p, s.radius, s.size, s.extent = kindCorners, points[0], margin, size+margin, far
	s.check()
	return c
}

// Overlaps reports whether the body and a shape have a point in common, as [Overlaps] does.
func (c *Corners) Overlaps(s *Shape) bool {
	if c.shape.kind == KindNothing || s.kind == KindNothing {
		return false
	}
	var r relation
	margin := c.shape.radius + s.radius
	return relateCores(&r, &c.shape, s, margin, askOverlap) && r.dist <= margin
}

// cornerSupport returns the support point along d, relative to p, and its number.
func (s *Shape) cornerSupport(d geom.DVec3) (geom.DVec3, int) {
	best, most := 0, math.Inf(-1)
	for i := range s.points {
		if along := s.points[i].Dot(d); along > most {
			best, most = i, along
		}
	}
	return s.points[best].Sub(s.p), best
}

package hull

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// MaxCorners is the largest number of corners of a polygon: see [NewPolygon].
const MaxCorners = 16

// NewPolygon returns the convex polygon around points in the XY plane, for a planar space. Their Z
// is of no account. It is a prism one metre thick, from z = −0.5 to 0.5, so that it has a volume of
// its area times a metre, and serves in a space of three dimensions too.
//
// Points within the polygon, and within some 2·10⁻⁶ of the largest coordinate of a line between two
// others, are left out. The error names the cause: a point that is NaN or infinite, no area (it
// wraps [ErrFlat]), or more than [MaxCorners] corners.
//
// The method is Andrew's (1979, "Another efficient algorithm for convex hulls in two dimensions").
func NewPolygon(points []geom.Vec3) (*Hull, error) {
	for i, p := range points {
		if p.Z = 0; !p.IsFinite() {
			return nil, fmt.Errorf("hull: NewPolygon: point %d: %v is not finite", i, points[i])
		}
	}
	c := outline(points)
	switch n := len(c); {
	case n < 3:
		return nil, fmt.Errorf("hull: NewPolygon: %d points, all on one line: %w", len(points), ErrFlat)
	case n > MaxCorners:
		return nil, fmt.Errorf("hull: NewPolygon: %d corners: at most %d can be held", n, MaxCorners)
	}
	n := len(c)
	both := make([]geom.Vec3, 0, 2*n)
	for _, z := range [2]float32{0.5, -0.5} {
		for _, p := range c {
			both = append(both, geom.Vec3{X: p.X, Y: p.Y, Z: z})
		}
	}
	h, err := newHull(both)
	if err != nil {
		return nil, fmt.Errorf("hull: NewPolygon: %w", err)
	}
	if h.NumVertices() != 2*n {
		return nil, fmt.Errorf("hull: NewPolygon: %d corners, too near each other for a prism one metre thick: %w", n, ErrFlat)
	}
	h.corners = n
	return h, nil
}

// Corners returns the corners of a polygon, counter-clockwise, at z = 0.5; nil of any other hull.
// They are the first of the vertices. The slice is the hull's own and must not be changed.
func (h *Hull) Corners() []geom.Vec3 { return h.vertices[:h.corners] }

// outline returns the corners of the convex hull of points in the plane, counter-clockwise.
func outline(points []geom.Vec3) []geom.Vec3 {
	p := slices.Clone(points)
	largest := 0.0
	for i := range p {
		p[i].Z = 0
		largest = max(largest, math.Abs(float64(p[i].X)), math.Abs(float64(p[i].Y)))
	}
	slices.SortFunc(p, func(a, b geom.Vec3) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	p = slices.Compact(p)
	// beside returns how far b is to the right of the way from a to c, in metres.
	beside := func(a, b, c geom.Vec3) float64 {
		d, e := b.Wide().Sub(a.Wide()), c.Wide().Sub(a.Wide())
		return (float64(d.Y*-e.X) + float64(d.X*e.Y)) / e.Len()
	}
	var c []geom.Vec3
	for range 2 {
		from := len(c)
		for _, v := range p {
			for len(c) >= from+2 && !(beside(c[len(c)-2], c[len(c)-1], v) > 0) {
				c = c[:len(c)-1]
			}
			c = append(c, v)
		}
		if len(c) > 0 {
			c = c[:len(c)-1]
		}
		slices.Reverse(p)
	}
	slack := 8 * tolerance * largest
	for i := 0; i < len(c) && len(c) >= 3; {
		n := len(c)
		if beside(c[(i+n-1)%n], c[i], c[(i+1)%n]) > slack {
			i++
			continue
		}
		c, i = slices.Delete(c, i, i+1), 0
	}
	return c
}

package wide

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Bound is a convex shape with a margin, as the space of a mesh sees it, that triangles are
// compared with eight at a time: by planes around the shape, and by the planes of the triangles.
// Numbers are single precision, and what their rounding may amount to counts for the shape.
type Bound struct {
	Center geom.Vec3 // all else is relative to it
	Margin float32   // by which a triangle's plane has to be beyond the points
	Radius float32   // around the center, of all points
	Share  float32   // of a distance: what is off
	counts [3]uint32 // of planes, points, and points ahead
	Lead   geom.Vec3 // the way of all points, which those ahead have gone on another one
	planes [MaxBoundPlanes]boundPlane
	points [2][MaxBoundPoints]geom.Vec3 // and those ahead
}

// boundPlane is a plane with a unit normal, beyond which the shape with its margin does not reach.
type boundPlane struct {
	n geom.Vec3
	d float32
}

const (
	// MaxBoundPlanes and MaxBoundPoints are how many there may be. With more points the planes
	// alone decide.
	MaxBoundPlanes = 32
	MaxBoundPoints = 64
)

// Reset drops all planes and points.
func (b *Bound) Reset() { b.counts, b.Lead = [3]uint32{}, geom.Vec3{} }

// AddPlane adds the plane across a unit normal at a distance from the center, if there is room.
func (b *Bound) AddPlane(n geom.Vec3, d float32) {
	if i := b.counts[0]; i < MaxBoundPlanes {
		b.planes[i], b.counts[0] = boundPlane{n, d}, i+1
	}
}

// AddPoint adds a point of the shape, or where it is at the end of its way.
func (b *Bound) AddPoint(p geom.Vec3, ahead bool) {
	list := 0
	if ahead {
		list = 1
	}
	if i := b.counts[1+list]; i < MaxBoundPoints {
		b.points[list][i], b.counts[1+list] = p, i+1
	}
}

// Misses returns a bit mask of the lanes whose triangles are certainly beyond the margin.
func (b *Bound) Misses(e *Eight) uint32 {
	if assembly && useSIMD {
		return missesSIMD(&e.corners, b)
	}
	return b.misses(&e.corners)
}

// misses is the portable Misses.
func (b *Bound) misses(l *loose) (mask uint32) {
	for i := range width {
		var c, q [3]geom.Vec3 // corners, and relative to the center
		size := float32(0)
		for k := range c {
			v := &l.corner[k]
			c[k] = geom.Vec3{X: v[0][i], Y: v[1][i], Z: v[2][i]}
			q[k] = c[k].Sub(b.Center)
			size = higher(abs(q[k].Z), higher(abs(q[k].Y), higher(abs(q[k].X), size)))
		}
		if b.isBeside(&q, float32(size*b.Share)) || b.counts[1] > 0 && b.isAside(&c, &q[0]) {
			mask |= 1 << i
		}
	}
	return mask
}

// isBeside reports whether a triangle is beyond a plane by more than a distance.
func (b *Bound) isBeside(q *[3]geom.Vec3, off float32) bool {
	for i := range b.planes[:b.counts[0]] {
		p := &b.planes[i]
		if lower(q[2].Dot(p.n), lower(q[1].Dot(p.n), q[0].Dot(p.n))) > p.d+off {
			return true
		}
	}
	return false
}

// isAside reports whether the shape is on one side of a triangle's plane, given by the corners and
// by where the first one is, and further from it than the margin.
func (b *Bound) isAside(c *[3]geom.Vec3, at *geom.Vec3) bool {
	e, f := c[1].Sub(c[0]), c[2].Sub(c[0])
	n := e.Cross(f)
	low, high := b.span(n, 0, inf32, -inf32)
	lead := n.Dot(b.Lead)
	low, high = low+lower(lead, 0), high+higher(lead, 0)
	low, high = b.span(n, 1, low, high)
	length := float32(math.Sqrt(float64(n.Dot(n))))
	off := float32(float32(sum(e)*sum(f)) * float32((sum(*at)+b.Radius)*b.Share))
	far := float32(length*b.Margin) + off
	height := n.Dot(*at)
	return low-height > far || height-high > far
}

// span returns what the least and the most of some points are along n, and of two other numbers.
func (b *Bound) span(n geom.Vec3, list int, low, high float32) (least, most float32) {
	for i := range b.points[list][:b.counts[1+list]] {
		t := n.Dot(b.points[list][i])
		low, high = lower(t, low), higher(t, high)
	}
	return low, high
}

// sum returns the sum of the magnitudes.
func sum(v geom.Vec3) float32 { return float32(abs(v.X)+abs(v.Y)) + abs(v.Z) }

// lower and higher are as the instructions are: b if they are equal or one is NaN.
func lower(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}

func higher(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}

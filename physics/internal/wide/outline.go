package wide

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Outline is how far triangles reach along the 26 directions whose components are −1, 0 and 1,
// which are not unit vectors: a polytope of at most 26 faces around them, a k-DOP (Klosowski et al.
// 1998, "Efficient collision detection using bounding volume hierarchies of k-DOPs"). Of a turned
// scan of a bunny, the box around the polytope has 1.15 times the area of the smallest box, and
// that around the bunny's turned bounds 2.15 times.
type Outline [27]float64

// middle is the index of no direction: that of (x, y, z) is middle + 9x + 3y + z.
const middle = 13

// Outline returns the outline of the triangles of a tree that is not empty.
func (t *Tree) Outline() (o Outline) {
	for i := range o {
		d := geom.DVec3{X: float64(i/9 - 1), Y: float64(i/3%3 - 1), Z: float64(i%3 - 1)}
		o[i] = t.reach(t.root, d, math.Inf(-1))
	}
	return o
}

// reach returns the greatest of a value and d·p of all corners p of triangles below a node or leaf.
// It visits the boxes that reach furthest first, and none that reaches less far than what is found.
func (t *Tree) reach(r ref, d geom.DVec3, value float64) float64 {
	switch r.kind() {
	case kindPacked:
		l := t.packed(r)
		for i := range l.vertices() {
			value = max(value, d.Dot(l.at(uint8(i)).Wide()))
		}
		return value
	case kindLoose:
		for lane := range t.info(r).count() {
			c := t.triangle(r, lane)
			value = max(value, d.Dot(c.A.Wide()), d.Dot(c.B.Wide()), d.Dot(c.C.Wide()))
		}
		return value
	}
	n := t.node(r)
	var reached [width]float64
	for i, child := range &n.child {
		if child == 0 {
			reached[i] = math.Inf(-1)
			continue
		}
		b := n.bounds(i)
		reached[i] = farthest(d.X, b.Min.X, b.Max.X) + farthest(d.Y, b.Min.Y, b.Max.Y) + farthest(d.Z, b.Min.Z, b.Max.Z)
	}
	for {
		first := 0
		for i, x := range reached {
			if x > reached[first] {
				first = i
			}
		}
		if !(reached[first] > value) {
			return value
		}
		reached[first] = math.Inf(-1)
		value = t.reach(n.child[first], d, value)
	}
}

// farthest returns the greatest d·x for lo ≤ x ≤ hi.
func farthest(d float64, lo, hi float32) float64 {
	return max(float64(d*float64(lo)), float64(d*float64(hi)))
}

// Span returns bounds of u·p for all points p of the triangles, apart from rounding. u is the sum
// of at most three of the directions, those nearest to it, each by a weight that is not negative.
// So u·p is at most the sum of what is reached along these, by the same weights.
func (o *Outline) Span(u geom.Vec3) (least, most float64) {
	a, i := signed(u.X, 9)
	b, j := signed(u.Y, 3)
	c, k := signed(u.Z, 1)
	if a < b {
		a, b, i, j = b, a, j, i
	}
	if b < c {
		b, c, j, k = c, b, k, j
	}
	if a < b {
		a, b, i, j = b, a, j, i
	}
	a, b = a-b, b-c
	j += i
	k += j
	most = float64(a*o[middle+i]) + float64(b*o[middle+j]) + float64(c*o[middle+k])
	least = float64(a*o[middle-i]) + float64(b*o[middle-j]) + float64(c*o[middle-k])
	return -least, most
}

// signed returns the magnitude of x, and n with its sign.
func signed(x float32, n int) (float64, int) {
	if x < 0 {
		return float64(-x), -n
	}
	return float64(x), n
}

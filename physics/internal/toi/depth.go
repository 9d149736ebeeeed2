package toi

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// depth returns the minimum translation vector of the core of a, as direction and depth: moved by
// it, the core only touches that of b, which it overlaps or touches. at is the origin of a relative
// to that of b.
func (c *pair) depth(at geom.DVec3) (n geom.DVec3, depth float64) {
	if c.hasAxes() {
		return c.leastAxis(at)
	}
	return c.expand(at)
}

// leastAxis finds the depth along the axes that can separate the cores: one of them is the normal
// of the nearest face of their Minkowski difference. If that is flat, it is its normal, and the
// depth 0.
func (c *pair) leastAxis(at geom.DVec3) (n geom.DVec3, depth float64) {
	depth = math.Inf(1)
	way := func(v geom.DVec3, d float64) {
		// Of equal depths, the direction most against the motion.
		if d = max(0, d); d < depth-c.tolerance || d <= depth+c.tolerance && v.Dot(c.m) < n.Dot(c.m) {
			n, depth = v, d
		}
	}
	axis := func(v geom.DVec3) {
		if l := v.Len(); l > 0 {
			lo, hi := c.between(v, at)
			v = v.Mul(1 / l)
			way(v, -lo/l)
			way(v.Neg(), hi/l)
		}
	}
	na, ka := c.a.normals()
	nb, kb := c.b.normals()
	for i := range kb {
		axis(nb[i])
	}
	for i := range ka {
		axis(na[i])
	}
	ea, ja := c.a.edges()
	eb, jb := c.b.edges()
	for i := range ja {
		for j := range jb {
			axis(ea[i].Cross(eb[j]))
		}
	}
	if n != (geom.DVec3{}) {
		return n, depth
	}
	// Two points, or a line and a point or a parallel line: every direction across the line has the
	// same depth.
	line := ea[0]
	if jb > 0 {
		line = eb[0]
	}
	return across(line, c.m), 0
}

// across returns the unit vector across a line that is most against m, or any unit vector across
// the line if m is along it. The line may be zero.
func across(line, m geom.DVec3) geom.DVec3 {
	if l := line.Dot(line); l > 0 {
		n := m.AddMul(-m.Dot(line)/l, line)
		if n.Dot(n) > parallel*m.Dot(m) {
			return n.Neg().Normalize()
		}
		least := geom.DVec3{X: 1}
		if math.Abs(line.Y) < math.Abs(line.X) {
			least = geom.DVec3{Y: 1}
		}
		return line.Cross(least).Normalize()
	}
	return m.Neg().Normalize()
}

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
	for _, s := range []*Body{c.a, c.b} {
		if n, ok := s.needleNormal(apartAtStart * c.tolerance); ok {
			axis(n)
		}
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
	list := &ea
	if jb > 0 {
		list = &eb
	}
	line := list[0]
	if line == (geom.DVec3{}) {
		line = list[1] // of a triangle whose first two corners are equal
	}
	return across(line, c.m), 0
}

func longer(a, b geom.DVec3) geom.DVec3 {
	if b.Dot(b) > a.Dot(a) {
		return b
	}
	return a
}

// needleNormal returns a vector across the plane of a triangle that is so thin that rounding spoils
// the product of its edges: along that product, the triangle extends by more than near. The product
// of the longest edge and the height over it is exact to rounding, as they are at right angles. ok
// is false for other bodies.
func (s *Body) needleNormal(near float64) (n geom.DVec3, ok bool) {
	if s.kind != points || s.n < 3 {
		return n, false
	}
	n = s.e.Cross(s.f)
	least, most := s.reach(n)
	if most-least <= near*n.Len() {
		return n, false
	}
	e, f := s.e, s.f
	if line := longer(e, longer(f, f.Sub(e))); line == f {
		e, f = f, e
	} else if line != e {
		e, f = line, e
	}
	for range 2 { // the first difference of long vectors leaves a rest along e
		f = f.AddMul(-f.Dot(e)/e.Dot(e), e)
	}
	return e.Cross(f), true
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

package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// crossRound is [Joiner.cross] for a cone or another round shape, over an edge from a corner. In
// the plane across the edge, the outline of the shape is convex: while the direction turns from the
// normal of the triangle to that beyond, the support point moves outward of the edge only. The way
// out is where it passes the edge, at an end of the shape or along the line between both ends.
func (j *Joiner) crossRound(corner geom.DVec3, p *part, e *bent, up, beyond geom.DVec3) {
	s, out, last := j.whole, e.out.Mul(1/e.length), beyond.Normalize()
	toward := func(share float64) geom.DVec3 { return between(up, last, share) }
	// The derivative of the depth, by the angle, where x is the support point.
	slope := func(n, x geom.DVec3) float64 {
		return corner.Sub(x).Dot(out.Mul(n.Dot(up)).AddMul(-n.Dot(out), up))
	}
	x, to := s.support(last.Neg(), &j.hint)
	from, a, b, atA, atB := j.vertex, 0.0, 1.0, slope(up, j.low), slope(last, x)
	if !(atA < 0 && atB > 0) {
		return
	}
	var n geom.DVec3
	found := false
	if from != to {
		k := func(share float64) float64 { return s.atSecond(toward(share).Neg()) }
		share := root(0, 1, k(0), k(1), k)
		n = toward(share)
		first, second := s.atEnds(n.Neg())
		if to == 0 {
			first, second = second, first
		}
		switch left, right := slope(n, first), slope(n, second); {
		case left >= 0:
			b, atB = share, left
		case right <= 0:
			a, atA, from = share, right, to
		default:
			x, found = first.AddMul(left/(left-right), second.Sub(first)), true
		}
	}
	if !found {
		at := func(n geom.DVec3) geom.DVec3 { return s.atEnd(n.Neg(), from) }
		n = toward(root(a, b, atA, atB, func(share float64) float64 {
			n := toward(share)
			return slope(n, at(n))
		}))
		x = at(n)
	}
	depth, far, rounding := corner.Sub(x).Dot(n), x.Sub(corner).Dot(e.along)/e.length, float64(sameCoordinate*j.size)
	switch {
	case depth < -j.margin:
	case far >= -rounding && far <= e.length+rounding:
		j.take(p, n, depth, overEdge)
	default:
		p.unsure = true // a corner may be nearest
	}
}

// root returns where a function is zero between two places at which it has opposite signs, by false
// position (Dowell and Jarratt 1971, the Illinois algorithm).
func root(a, b, atA, atB float64, f func(float64) float64) float64 {
	for range rootSteps {
		c := b - float64(atB*(b-a))/(atB-atA)
		at := f(c)
		if (at > 0) != (atB > 0) {
			a, atA = b, atB
		} else {
			atA /= 2
		}
		done := math.Abs(c-b) <= rootEnd || at == 0
		if b, atB = c, at; done {
			break
		}
	}
	return b
}

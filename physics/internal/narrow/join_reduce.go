package narrow

import (
	"cmp"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// reduce writes up to four of the points to a manifold.
func (j *Joiner) reduce(m *MeshManifold) {
	n := m.Normal
	inf := math.Inf(1)
	deepest := -inf
	least, upmost := geom.DVec3{X: inf, Y: inf, Z: inf}, geom.DVec3{X: -inf, Y: -inf, Z: -inf}
	for i := range j.points {
		p := j.points[i].PointA
		deepest = max(deepest, j.points[i].Depth)
		least = geom.DVec3{X: min(least.X, p.X), Y: min(least.Y, p.Y), Z: min(least.Z, p.Z)}
		upmost = geom.DVec3{X: max(upmost.X, p.X), Y: max(upmost.Y, p.Y), Z: max(upmost.Z, p.Z)}
	}
	j.same = j.rounding + float64(samePlace*big(upmost.Sub(least)))
	// Of all the deepest, the one furthest from a point beside their middle: a corner, and mostly
	// the same one from tick to tick.
	d := across(n)
	e := n.Cross(d)
	lo, hi := [2]float64{inf, inf}, [2]float64{-inf, -inf}
	deep := func(k *MeshContact) bool { return k.Depth >= deepest-j.same }
	for i := range j.points {
		if k := &j.points[i]; deep(k) {
			x, y := k.PointB.Dot(d), k.PointB.Dot(e)
			lo, hi = [2]float64{min(lo[0], x), min(lo[1], y)}, [2]float64{max(hi[0], x), max(hi[1], y)}
		}
	}
	x, y := lo[0]+float64(0.4*(hi[0]-lo[0])), lo[1]+float64(0.3*(hi[1]-lo[1]))
	first, most := 0, -1.0
	for i := range j.points {
		if k := &j.points[i]; deep(k) {
			u, v := k.PointB.Dot(d)-x, k.PointB.Dot(e)-y
			if l := float64(u*u) + float64(v*v); l > most {
				first, most = i, l
			}
		}
	}
	j.keep(m, first)
	o := m.Points[0].PointB

	second := -1
	most = j.same
	for i := range j.points {
		if l := flat(j.points[i].PointB.Sub(o), n).Len(); l > most {
			second, most = i, l
		}
	}
	if second < 0 {
		return
	}
	p := j.points[second].PointB
	third := -1
	most = float64(j.same * most)
	for i := range j.points {
		if a := math.Abs(turn(o, p, j.points[i].PointB, n)); a > most {
			third, most = i, a
		}
	}
	j.keep(m, second)
	if third < 0 {
		return
	}
	q := j.points[third].PointB
	j.keep(m, third)
	if turn(o, p, q, n) < 0 {
		p, q = q, p
	}
	fourth := -1
	most = float64(j.same * flat(p.Sub(o), n).Len())
	for i := range j.points {
		r := j.points[i].PointB
		if a := max(-turn(o, p, r, n), -turn(p, q, r, n), -turn(q, o, r, n)); a > most {
			fourth, most = i, a
		}
	}
	if fourth >= 0 {
		j.keep(m, fourth)
	}
}

// flat returns the component of v across n.
func flat(v, n geom.DVec3) geom.DVec3 { return v.AddMul(-v.Dot(n), n) }

// turn returns twice the signed area of a triangle seen against n; it is negative if it is
// clockwise.
func turn(a, b, c, n geom.DVec3) float64 { return n.Dot(b.Sub(a).Cross(c.Sub(a))) }

// keep adds a contact to a manifold, along the manifold's normal. Of the contacts at the same place
// it takes the first in order, so that rounding does not choose.
func (j *Joiner) keep(m *MeshManifold, i int) {
	at := &j.points[i]
	best := at
	for k := range j.points {
		c := &j.points[k]
		if math.Abs(c.Depth-at.Depth) <= j.same && c.PointB.Sub(at.PointB).Len() <= j.same && c.before(best) {
			best = c
		}
	}
	m.Points[m.N] = *best
	m.N++
}

// before is the order of contacts at the same place: vertices of the shape before edges before
// faces, then by triangle, and faces of it before edges.
func (c *MeshContact) before(d *MeshContact) bool {
	return cmp.Or(cmp.Compare(c.FeatureB>>featureBits, d.FeatureB>>featureBits), cmp.Compare(c.Triangle, d.Triangle), cmp.Compare(d.FeatureA, c.FeatureA), cmp.Compare(c.FeatureB, d.FeatureB)) < 0
}

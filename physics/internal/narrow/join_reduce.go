package narrow

import (
	"cmp"
	"math"
)

// flatPoint is a contact seen along the normal.
type flatPoint struct {
	x, y, depth float64
}

// turn returns twice the signed area of a triangle; it is negative if it is clockwise.
func turn(a, b, c *flatPoint) float64 {
	return float64((b.x-a.x)*(c.y-a.y)) - float64((b.y-a.y)*(c.x-a.x))
}

// far returns the square of the distance of a place.
func (a *flatPoint) far(x, y float64) float64 {
	return float64((a.x-x)*(a.x-x)) + float64((a.y-y)*(a.y-y))
}

// reduce writes up to four of the points to a manifold.
func (j *Joiner) reduce(m *MeshManifold) {
	if len(j.points) == 1 {
		m.Points[0], m.N = j.points[0], 1
		return
	}
	d := across(m.Normal)
	e := m.Normal.Cross(d)
	j.flat = j.flat[:0]
	inf := math.Inf(1)
	deepest := -inf
	all, deep := bounds{inf, -inf, inf, -inf}, bounds{inf, -inf, inf, -inf}
	for i := range j.points {
		c := &j.points[i]
		j.flat = append(j.flat, flatPoint{c.PointB.Dot(d), c.PointB.Dot(e), c.Depth})
		all.add(&j.flat[i])
		deepest = max(deepest, c.Depth)
	}
	j.same = j.rounding + float64(samePlace*max(all.right-all.left, all.top-all.bottom))
	// Of all the deepest, the one furthest from a point beside their middle: a corner, and mostly
	// the same one from tick to tick.
	for i := range j.flat {
		if p := &j.flat[i]; p.depth >= deepest-j.same {
			deep.add(p)
		}
	}
	x, y := deep.left+float64(0.4*(deep.right-deep.left)), deep.bottom+float64(0.3*(deep.top-deep.bottom))
	o := j.most(-1, func(p *flatPoint) float64 {
		if p.depth < deepest-j.same {
			return -1
		}
		return p.far(x, y)
	})
	j.keep(m, o)
	p := j.most(float64(j.same*j.same), func(p *flatPoint) float64 { return p.far(o.x, o.y) })
	if p == nil {
		return
	}
	long := math.Sqrt(p.far(o.x, o.y))
	j.keep(m, p)
	q := j.most(float64(j.same*long), func(q *flatPoint) float64 { return math.Abs(turn(o, p, q)) })
	if q == nil {
		return
	}
	j.keep(m, q)
	if turn(o, p, q) < 0 {
		p, q = q, p
		long = math.Sqrt(p.far(o.x, o.y))
	}
	r := j.most(float64(j.same*long), func(r *flatPoint) float64 { return max(-turn(o, p, r), -turn(p, q, r), -turn(q, o, r)) })
	if r != nil {
		j.keep(m, r)
	}
}

// bounds is a rectangle around points.
type bounds struct{ left, right, bottom, top float64 }

func (b *bounds) add(p *flatPoint) {
	b.left, b.right, b.bottom, b.top = min(b.left, p.x), max(b.right, p.x), min(b.bottom, p.y), max(b.top, p.y)
}

// most returns the first point of the largest value above a limit; nil if there is none.
func (j *Joiner) most(limit float64, value func(p *flatPoint) float64) (best *flatPoint) {
	for i := range j.flat {
		if v := value(&j.flat[i]); v > limit {
			best, limit = &j.flat[i], v
		}
	}
	return best
}

// keep adds a contact to a manifold. Of the contacts at the same place it takes the first in order,
// so that rounding does not choose.
func (j *Joiner) keep(m *MeshManifold, at *flatPoint) {
	var best *MeshContact
	for i := range j.flat {
		p := &j.flat[i]
		if math.Abs(p.depth-at.depth) <= j.same && p.far(at.x, at.y) <= float64(j.same*j.same) && (best == nil || j.points[i].before(best)) {
			best = &j.points[i]
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

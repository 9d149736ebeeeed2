package narrow

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// shallower is by how many metres a contact is further away that is chosen in place of another one
// deeper by a metre. At 0, contacts in the air at the far end of a face are chosen, and one of two
// on which a crate with its corner in a concave edge stands is left out: it is another one from
// tick to tick, and the crate rocks for good. At 20 some still do, 6 mm deep below a pile.
const shallower = 50

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

// reduce appends the manifold of up to four of the points.
func (j *Joiner) reduce(dst []MeshManifold, n geom.DVec3) []MeshManifold {
	dst = slices.Grow(dst, 1)[:len(dst)+1]
	m := &dst[len(dst)-1]
	*m = MeshManifold{Normal: n}
	if len(j.points) == 1 {
		m.Points[0], m.N = j.points[0], 1
		return dst
	}
	d := across(n)
	e := n.Cross(d)
	j.flat = slices.Grow(j.flat[:0], len(j.points))[:len(j.points)]
	inf := math.Inf(1)
	deepest := -inf
	all, deep := bounds{inf, -inf, inf, -inf}, bounds{inf, -inf, inf, -inf}
	for i := range j.points {
		c, p := &j.points[i], &j.flat[i]
		p.x, p.y, p.depth = c.PointB.Dot(d), c.PointB.Dot(e), c.Depth
		all.add(p)
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
	var o, p, q, r *flatPoint
	most := -1.0
	for i := range j.flat {
		f := &j.flat[i]
		if v := f.far(x, y); v > most && f.depth >= deepest-j.same {
			o, most = f, v
		}
	}
	j.keep(m, o)
	most = -inf
	for i := range j.flat {
		f := &j.flat[i]
		if v := math.Sqrt(f.far(o.x, o.y)); v > j.same {
			if v -= float64(shallower * (deepest - f.depth)); v > most {
				p, most = f, v
			}
		}
	}
	if p == nil {
		return dst
	}
	j.keep(m, p)
	long := math.Sqrt(p.far(o.x, o.y))
	least := float64(j.same * long)
	most = -inf
	for i := range j.flat {
		f := &j.flat[i]
		if v := math.Abs(turn(o, p, f)); v > least {
			if v -= float64(shallower * (deepest - f.depth) * long); v > most {
				q, most = f, v
			}
		}
	}
	if q == nil {
		return dst
	}
	j.keep(m, q)
	if turn(o, p, q) < 0 {
		p, q = q, p
		long = math.Sqrt(p.far(o.x, o.y))
		least = float64(j.same * long)
	}
	most = -inf
	for i := range j.flat {
		f := &j.flat[i]
		if v := max(-turn(o, p, f), -turn(p, q, f), -turn(q, o, f)); v > least {
			if v -= float64(shallower * (deepest - f.depth) * long); v > most {
				r, most = f, v
			}
		}
	}
	if r != nil {
		j.keep(m, r)
	}
	return dst
}

// bounds is a rectangle around points.
type bounds struct{ left, right, bottom, top float64 }

func (b *bounds) add(p *flatPoint) {
	b.left, b.right, b.bottom, b.top = min(b.left, p.x), max(b.right, p.x), min(b.bottom, p.y), max(b.top, p.y)
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

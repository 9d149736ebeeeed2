package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Nearest is the collider that is nearest to a point or a shape, in world space. A is the collider
// and B the point or the shape of the query. Of a query with a point, PointB is that point, and
// ChildB and TriangleB are −1; where the point lies in a solid, PointA is that point too and
// Distance is 0.
type Nearest struct {
	Closest
	// Collider is the collider that is nearest.
	Collider ColliderID
	// User is the collider's own value: see [Collider].
	User uint64
}

// Nearest returns the collider that is nearest to the point p, in world space, with its closest
// point, and false if there is none within maxDistance, in metres. +Inf searches everywhere, and 0
// finds what contains p. Of several at the same distance it returns the one that comes first by
// collider, ChildA and TriangleA. A NaN or negative maxDistance, and a p that is NaN or infinite,
// find nothing. A planar space counts the Z of p as 0.
//
// See also [Space.NearestK] for more than one, and [Space.NearestToShape] for a shape instead of a
// point.
func (s *Space) Nearest(p geom.Vec3, maxDistance float32, f Filter) (Nearest, bool) {
	var one [1]Nearest
	found := s.NearestK(one[:0], p, 1, maxDistance, f)
	return one[0], len(found) > 0
}

// rarely is how many colliders a predicate leaves out before NearestK calls it first, and computes
// no distances of those that it leaves out.
const rarely = 4

// NearestK appends the k colliders that are nearest to the point p to dst, nearest first, and
// returns the longer slice. It appends fewer if there are not as many within maxDistance, in
// metres. Of colliders at the same distance the lower ID comes first. See [Space.Nearest] for the
// distances and points that find nothing.
func (s *Space) NearestK(dst []Nearest, p geom.Vec3, k int, maxDistance float32, f Filter) []Nearest {
	if k <= 0 || !p.IsFinite() || !(maxDistance >= 0) {
		return dst
	}
	if s.planar {
		p.Z = 0
	}
	start := len(dst)
	limit, left, rare := maxDistance, 0, false
	var enter func(i uint32) bool
	if f.Predicate != nil {
		enter = func(i uint32) bool {
			r := &s.records[i]
			if !rare {
				return f.seesLayers(r)
			}
			return f.sees(r) && f.accepts(r.id)
		}
	}
	s.visitNearest(p, float64(placed.JustBeyond(limit)), &f, enter, func(i uint32) float64 {
		r, lacks := &s.records[i], len(dst)-start < k
		// While there are fewer than k, what is accepted is an answer if it is within the limit, so
		// that what is not accepted needs no distance. Nor does most if few are accepted.
		first := lacks || rare
		if first && f.sees(r) && !f.accepts(r.id) {
			left++
			rare = left >= rarely
			return float64(placed.JustBeyond(limit))
		}
		if f.sees(r) {
			c, ok := r.closest(p, limit)
			if ok && (lacks || (c.Distance < limit || r.id < dst[len(dst)-1].Collider) && (first || f.accepts(r.id))) {
				if len(dst)-start == k {
					dst = dst[:len(dst)-1]
				}
				dst = insertNearest(dst, start, Nearest{c, r.id, r.user})
				if len(dst)-start == k {
					limit = dst[len(dst)-1].Distance
				}
			}
		}
		return float64(placed.JustBeyond(limit))
	})
	return dst
}

// insertNearest inserts n into dst, which is sorted from start on by distance and then by collider.
func insertNearest(dst []Nearest, start int, n Nearest) []Nearest {
	dst = append(dst, n)
	i := len(dst) - 1
	for ; i > start; i-- {
		if o := &dst[i-1]; o.Distance < n.Distance || o.Distance == n.Distance && o.Collider < n.Collider {
			break
		}
		dst[i] = dst[i-1]
	}
	dst[i] = n
	return dst
}

// closest returns the closest point of a collider to a point, within a distance.
func (r *record) closest(p geom.Vec3, limit float32) (Closest, bool) {
	var best placed.Closest
	child, found := int32(-1), false
	subshapes := r.subshapes()
	for i := range subshapes { // by rising number, so the first of equals stays
		c, ok := subshapes[i].ClosestPoint(p, limit)
		if ok && (!found || c.Distance < limit) {
			best, child, found, limit = c, subshapes[i].Child, true, c.Distance
		}
	}
	n := Closest{Distance: best.Distance, PointA: best.Point, PointB: p, ChildA: child, ChildB: -1, TriangleA: best.Triangle, TriangleB: -1}
	if n.Distance > 0 {
		n.Normal = p.Wide().Sub(n.PointA.Wide()).Normalize().Narrow()
	}
	return n, found
}

// NearestToShape returns the collider that is nearest to a shape, with the witness points of both,
// and false if there is none within maxDistance, in metres; +Inf searches everywhere. Of several at
// the same distance it returns the one that comes first by collider, ChildA, ChildB, TriangleA and
// TriangleB.
//
// Panics if the shape is nil, or not one of those that [Shape] lists.
func (s *Space) NearestToShape(p Placed, maxDistance float32, f Filter) (Nearest, bool) {
	w := takeScratch()
	defer w.give()
	if !(maxDistance >= 0) || !w.a.place(&p, "Space.NearestToShape", s.planar) {
		return Nearest{}, false
	}
	g := &w.a
	var best Nearest
	found, limit := false, maxDistance
	visit := func(i uint32) {
		r := &s.records[i]
		if !f.sees(r) {
			return
		}
		var c Closest
		if closest(&c, r.subshapes(), g.subshapes, limit) && (!found || c.Distance < limit || r.id < best.Collider) && f.accepts(r.id) {
			best, found, limit = Nearest{c, r.id, r.user}, true, c.Distance
		}
	}
	if !g.bounds.Min.IsFinite() || !g.bounds.Max.IsFinite() {
		s.visitWhere(func(*geom.AABB) bool { return true }, func(i uint32) bool {
			visit(i)
			return true
		})
		return best, found
	}
	// The distance from a collider to the shape is at least that to the centre of the shape's
	// bounds minus half their diagonal.
	middle, reach := g.bounds.Center(), float64(g.bounds.HalfExtents().Len())
	until := func() float64 {
		return (float64(placed.JustBeyond(limit)) + reach) * (1 + placed.RelativeSlack)
	}
	s.visitNearest(middle, until(), &f, nil, func(i uint32) float64 {
		visit(i)
		return until()
	})
	return best, found
}

package toi

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The depth of bodies of which only the support functions are known, by the expanding polytope
// algorithm, EPA (van den Bergh 2001, "Proximity Queries and Penetration Depth Computation on 3D
// Game Objects"): a polytope within the Minkowski difference of the bodies is expanded at its face
// nearest to the origin, until that face is on the surface.

// side is a face of the polytope, counter-clockwise from outside.
type side struct {
	corner [3]uint8
	n      geom.DVec3 // unit, outward
	far    float64    // from the origin
}

// polytope is within the Minkowski difference of two bodies. It is closed, and convex to rounding.
type polytope struct {
	corner  [maxCorners]geom.DVec3
	corners int
	side    [maxFaces]side
	sides   int
}

// expand finds the depth of bodies of any kind. The result is no less than the depth, so to move so
// far is enough. For polytopes of up to some dozens of vertices it is exact; for round bodies it is
// too large by some thousandths of their size.
func (c *pair) expand(at geom.DVec3) (n geom.DVec3, depth float64) {
	var h polytope
	if n, flat := c.tetrahedron(&h, at); flat {
		return n, 0
	}
	n, depth = geom.DVec3{}, math.Inf(1)
	for c.steps = 1; ; c.steps++ {
		best := 0
		for i := 1; i < h.sides; i++ {
			if h.side[i].far < h.side[best].far {
				best = i
			}
		}
		f := h.side[best]
		p, far := c.beyond(f.n, at)
		if far < depth {
			n, depth = f.n.Neg(), far
		}
		if far-f.far <= expansionGap*(far+float64(c.tolerance*expansionRound)) || h.corners == maxCorners || !h.add(p) {
			return n, max(0, depth)
		}
	}
}

// beyond returns the support point of the Minkowski difference along a unit vector, and its
// distance along that.
func (c *pair) beyond(n, at geom.DVec3) (p geom.DVec3, far float64) {
	p, _ = c.support(n.Neg())
	p = p.Add(at)
	return p, p.Dot(n)
}

// tetrahedron begins the polytope with four points of the Minkowski difference that span a volume.
// If there are none, the difference is flat, and n is a direction in which it has no extent.
func (c *pair) tetrahedron(h *polytope, at geom.DVec3) (n geom.DVec3, isFlat bool) {
	flat := flatDifference * c.tolerance
	v := c.m.Normalize()
	a, _ := c.beyond(v, at)
	b, _ := c.beyond(v.Neg(), at)
	if e := b.Sub(a); e.Dot(e) <= float64(flat*flat) {
		// No extent along the motion; there may still be one across it.
		return v.Neg(), true
	}
	e := b.Sub(a)
	v = across(e, geom.DVec3{Y: 1})
	p, _ := c.beyond(v, at)
	q, _ := c.beyond(v.Neg(), at)
	if math.Abs(q.Sub(a).Dot(v)) > math.Abs(p.Sub(a).Dot(v)) {
		p = q
	}
	if w := e.Cross(p.Sub(a)); w.Len() <= flat*e.Len() {
		// All lies in the plane of e across v, or along e.
		v = e.Cross(v).Normalize()
		p, _ = c.beyond(v, at)
		if q, _ := c.beyond(v.Neg(), at); math.Abs(q.Sub(a).Dot(v)) > math.Abs(p.Sub(a).Dot(v)) {
			p = q
		}
		if w := e.Cross(p.Sub(a)); w.Len() <= flat*e.Len() {
			return across(e, c.m), true
		}
	}
	v = e.Cross(p.Sub(a)).Normalize()
	d, up := c.beyond(v, at)
	if q, down := c.beyond(v.Neg(), at); down+a.Dot(v) > up-a.Dot(v) {
		d = q
	}
	if math.Abs(d.Sub(a).Dot(v)) <= flat {
		if v.Dot(c.m) > 0 {
			v = v.Neg()
		}
		return v, true
	}
	h.corner, h.corners = [maxCorners]geom.DVec3{a, b, p, d}, 4
	if d.Sub(a).Dot(v) > 0 { // a, b and p must be clockwise as seen from d
		h.corner[1], h.corner[2] = h.corner[2], h.corner[1]
	}
	h.put(0, 1, 2)
	h.put(0, 2, 3)
	h.put(0, 3, 1)
	h.put(1, 3, 2)
	return n, false
}

// put adds a side. It returns false if the side has no area or the memory is full.
func (h *polytope) put(i, j, k uint8) bool {
	a, b, c := h.corner[i], h.corner[j], h.corner[k]
	n := b.Sub(a).Cross(c.Sub(a)).Normalize()
	if n == (geom.DVec3{}) || h.sides == maxFaces {
		return false
	}
	h.side[h.sides] = side{[3]uint8{i, j, k}, n, n.Dot(a)}
	h.sides++
	return true
}

// add adds a point to the polytope: it removes the sides that the point is beyond, and joins the
// edges around the hole to the point. It returns false, and the polytope is invalid then, if
// rounding leaves no closed rim.
func (h *polytope) add(p geom.DVec3) bool {
	var rim [maxFaces][2]uint8
	edges := 0
	for i := 0; i < h.sides; {
		f := &h.side[i]
		if f.n.Dot(p) <= f.far {
			i++
			continue
		}
		for k := range 3 {
			from, to := f.corner[k], f.corner[(k+1)%3]
			// An edge whose both sides are removed is not on the rim.
			twin := -1
			for e := range edges {
				if rim[e] == [2]uint8{to, from} {
					twin = e
				}
			}
			if twin >= 0 {
				edges--
				rim[twin] = rim[edges]
				continue
			}
			if edges == len(rim) {
				return false
			}
			rim[edges] = [2]uint8{from, to}
			edges++
		}
		h.sides--
		h.side[i] = h.side[h.sides]
	}
	if edges == 0 {
		return false
	}
	h.corner[h.corners] = p
	h.corners++
	for e := range edges {
		if !h.put(rim[e][0], rim[e][1], uint8(h.corners-1)) {
			return false
		}
	}
	return true
}

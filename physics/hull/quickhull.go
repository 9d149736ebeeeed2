package hull

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// facet is a triangle of the hull under construction.
type facet struct {
	v       [3]int32 // points, counter-clockwise seen from outside
	across  [3]int32 // the facet beyond the edge from v[i] to v[i+1]
	normal  geom.DVec3
	outside []int32 // points that see the facet from outside, each of them given to one facet
	dead    bool
}

// quickhull is the algorithm of Barber, Dobkin and Huhdanpaa (1996, "The quickhull algorithm for
// convex hulls"): a tetrahedron grows by one point at a time, the one furthest outside of some
// facet; the facets which that point sees are taken away and the rim of the hole is joined to it.
// Whether a point sees a facet is decided by [orient], exactly, and a point in the plane of a facet
// does not see it. Then the facets seen always make one piece with one rim, no facet degenerates,
// and the algorithm needs no tolerance and no repair.
type quickhull struct {
	p       []geom.DVec3
	facets  []facet
	seen    []int32 // scratch: the facets seen from the point being added
	pending []int32 // facets that may have points outside
	from    []int32 // scratch: for a point of the rim, the new facet whose first edge starts there
}

// build returns the triangles of the hull around p. It reports false if the four corners are in one
// plane.
func build(p []geom.DVec3, corners [4]int32) ([]facet, bool) {
	a, b, c, d := corners[0], corners[1], corners[2], corners[3]
	switch orient(p[a], p[b], p[c], p[d]) {
	case 0:
		return nil, false
	case 1:
		b, c = c, b // so that d is behind a, b, c
	}
	q := quickhull{p: p, from: make([]int32, len(p))}
	q.add([3]int32{a, b, c}, [3]int32{1, 2, 3})
	q.add([3]int32{a, d, b}, [3]int32{3, 2, 0})
	q.add([3]int32{b, d, c}, [3]int32{1, 3, 0})
	q.add([3]int32{c, d, a}, [3]int32{2, 1, 0})
	for i := range p {
		q.give(int32(i), 0)
	}
	for f := range q.facets {
		q.pending = append(q.pending, int32(f))
	}
	for len(q.pending) > 0 {
		f := q.pending[len(q.pending)-1]
		q.pending = q.pending[:len(q.pending)-1]
		if t := &q.facets[f]; !t.dead && len(t.outside) > 0 {
			q.grow(f, q.furthest(t))
		}
	}
	return q.alive(), true
}

func (q *quickhull) add(v, across [3]int32) {
	a := q.p[v[0]]
	q.facets = append(q.facets, facet{v: v, across: across, normal: q.p[v[1]].Sub(a).Cross(q.p[v[2]].Sub(a))})
}

// sees reports whether a point is strictly outside of a facet.
func (q *quickhull) sees(i int32, f int32) bool {
	t := &q.facets[f]
	return orient(q.p[t.v[0]], q.p[t.v[1]], q.p[t.v[2]], q.p[i]) > 0
}

// give hands a point to the first facet from the given one on that it sees; a point which sees none
// is in the hull.
func (q *quickhull) give(i int32, first int) {
	for f := first; f < len(q.facets); f++ {
		if q.sees(i, int32(f)) {
			q.facets[f].outside = append(q.facets[f].outside, i)
			return
		}
	}
}

func (q *quickhull) furthest(t *facet) int32 {
	best, most := t.outside[0], math.Inf(-1)
	for _, i := range t.outside {
		if h := q.p[i].Sub(q.p[t.v[0]]).Dot(t.normal); h > most {
			best, most = i, h
		}
	}
	return best
}

// grow adds a point that sees the facet f.
func (q *quickhull) grow(f, point int32) {
	q.seen = append(q.seen[:0], f)
	q.facets[f].dead = true
	first := len(q.facets)
	for n := 0; n < len(q.seen); n++ {
		s := q.facets[q.seen[n]]
		for _, beyond := range s.across {
			if !q.facets[beyond].dead && q.sees(point, beyond) {
				q.facets[beyond].dead = true
				q.seen = append(q.seen, beyond)
			}
		}
	}
	// The rim: edges between what is seen and what is not.
	for _, s := range q.seen {
		t := q.facets[s]
		for e, beyond := range t.across {
			if q.facets[beyond].dead {
				continue
			}
			u, v := t.v[e], t.v[(e+1)%3]
			made := int32(len(q.facets))
			q.add([3]int32{u, v, point}, [3]int32{beyond, -1, -1})
			q.from[u] = made
			b := &q.facets[beyond]
			for k := range b.across {
				if b.v[k] == v && b.v[(k+1)%3] == u {
					b.across[k] = made
				}
			}
		}
	}
	for made := first; made < len(q.facets); made++ {
		next := q.from[q.facets[made].v[1]]
		q.facets[made].across[1] = next
		q.facets[next].across[2] = int32(made)
		q.pending = append(q.pending, int32(made))
	}
	for _, s := range q.seen {
		for _, i := range q.facets[s].outside {
			if i != point {
				q.give(i, first)
			}
		}
		q.facets[s].outside = nil
	}
}

// alive returns the facets that are left, numbered anew.
func (q *quickhull) alive() []facet {
	number := make([]int32, len(q.facets))
	n := int32(0)
	for i := range q.facets {
		if number[i] = n; !q.facets[i].dead {
			n++
		}
	}
	left := make([]facet, 0, n)
	for i := range q.facets {
		if t := q.facets[i]; !t.dead {
			for k := range t.across {
				t.across[k] = number[t.across[k]]
			}
			t.outside = nil
			left = append(left, t)
		}
	}
	return left
}

// extremes returns four points that span about as much as any four do: two far apart, a third far
// from the line through them and a fourth far from the plane of the three. far tells how far the
// last three are: from the first, the line, the plane.
func extremes(p []geom.DVec3) (corners [4]int32, far [3]float64) {
	var ends [6]int32
	for i := range p {
		for axis, x := range [3]func(geom.DVec3) float64{
			func(v geom.DVec3) float64 { return v.X }, func(v geom.DVec3) float64 { return v.Y }, func(v geom.DVec3) float64 { return v.Z }} {
			if x(p[i]) < x(p[ends[2*axis]]) {
				ends[2*axis] = int32(i)
			}
			if x(p[i]) > x(p[ends[2*axis+1]]) {
				ends[2*axis+1] = int32(i)
			}
		}
	}
	for _, i := range ends {
		for _, j := range ends {
			if d := p[i].Sub(p[j]).Len(); d > far[0] {
				far[0], corners[0], corners[1] = d, i, j
			}
		}
	}
	if far[0] == 0 {
		return corners, far
	}
	a := p[corners[0]]
	along := unit(p[corners[1]].Sub(a))
	for i := range p {
		if d := p[i].Sub(a).Cross(along).Len(); d > far[1] {
			far[1], corners[2] = d, int32(i)
		}
	}
	if far[1] == 0 {
		return corners, far
	}
	up := unit(along.Cross(p[corners[2]].Sub(a)))
	for i := range p {
		if d := math.Abs(p[i].Sub(a).Dot(up)); d > far[2] {
			far[2], corners[3] = d, int32(i)
		}
	}
	return corners, far
}

// unit returns the vector of length 1 along v; exact where v lies along a coordinate axis.
func unit(v geom.DVec3) geom.DVec3 {
	l := v.Len()
	return geom.DVec3{X: v.X / l, Y: v.Y / l, Z: v.Z / l}
}

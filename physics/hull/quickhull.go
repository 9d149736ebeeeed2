package hull

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// triangle is a triangle of the hull under construction.
type triangle struct {
	v       [3]int32 // points, counter-clockwise seen from outside
	across  [3]int32 // the triangle beyond the edge from v[i] to v[i+1]
	normal  geom.DVec3
	outside []int32 // points outside of the triangle's plane; each point is in one such list
	dead    bool
}

// quickhull is the algorithm of Barber, Dobkin and Huhdanpaa (1996, "The quickhull algorithm for
// convex hulls"). A tetrahedron grows by one point at a time, the one furthest outside of a
// triangle. The triangles visible from that point are removed, and the point is joined to the
// horizon, the boundary of the hole. [orient] decides exactly whether a triangle is visible from a
// point; from a point in its plane it is not. Then the visible triangles are always connected and
// have one horizon, no triangle is degenerate, and the algorithm needs no tolerance and no repair.
type quickhull struct {
	p         []geom.DVec3
	triangles []triangle
	seen      []int32 // scratch: the triangles visible from the point being added
	pending   []int32 // triangles that may have points outside
	from      []int32 // scratch: the new triangle whose first edge starts at a point
}

// build returns the triangles of the hull around p. It returns false if the four corners are in one
// plane.
func build(p []geom.DVec3, corners [4]int32) ([]triangle, bool) {
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
		q.assign(int32(i), 0)
	}
	for f := range q.triangles {
		q.pending = append(q.pending, int32(f))
	}
	for len(q.pending) > 0 {
		f := q.pending[len(q.pending)-1]
		q.pending = q.pending[:len(q.pending)-1]
		if t := &q.triangles[f]; !t.dead && len(t.outside) > 0 {
			q.grow(f, q.furthest(t))
		}
	}
	return q.alive(), true
}

func (q *quickhull) add(v, across [3]int32) {
	a := q.p[v[0]]
	q.triangles = append(q.triangles, triangle{v: v, across: across, normal: q.p[v[1]].Sub(a).Cross(q.p[v[2]].Sub(a))})
}

// sees reports whether a point is strictly outside of the plane of triangle f.
func (q *quickhull) sees(i int32, f int32) bool {
	t := &q.triangles[f]
	return orient(q.p[t.v[0]], q.p[t.v[1]], q.p[t.v[2]], q.p[i]) > 0
}

// assign adds a point to the list of the first triangle, from first on, that it sees. A point that
// sees none is in the hull.
func (q *quickhull) assign(i int32, first int) {
	for f := first; f < len(q.triangles); f++ {
		if q.sees(i, int32(f)) {
			q.triangles[f].outside = append(q.triangles[f].outside, i)
			return
		}
	}
}

func (q *quickhull) furthest(t *triangle) int32 {
	best, most := t.outside[0], math.Inf(-1)
	for _, i := range t.outside {
		if h := q.p[i].Sub(q.p[t.v[0]]).Dot(t.normal); h > most {
			best, most = i, h
		}
	}
	return best
}

// grow adds a point that sees triangle f.
func (q *quickhull) grow(f, point int32) {
	q.seen = append(q.seen[:0], f)
	q.triangles[f].dead = true
	first := len(q.triangles)
	for n := 0; n < len(q.seen); n++ {
		s := q.triangles[q.seen[n]]
		for _, beyond := range s.across {
			if !q.triangles[beyond].dead && q.sees(point, beyond) {
				q.triangles[beyond].dead = true
				q.seen = append(q.seen, beyond)
			}
		}
	}
	// The horizon: edges between visible and other triangles.
	for _, s := range q.seen {
		t := q.triangles[s]
		for e, beyond := range t.across {
			if q.triangles[beyond].dead {
				continue
			}
			u, v := t.v[e], t.v[(e+1)%3]
			made := int32(len(q.triangles))
			q.add([3]int32{u, v, point}, [3]int32{beyond, -1, -1})
			q.from[u] = made
			b := &q.triangles[beyond]
			for k := range b.across {
				if b.v[k] == v && b.v[(k+1)%3] == u {
					b.across[k] = made
				}
			}
		}
	}
	for made := first; made < len(q.triangles); made++ {
		next := q.from[q.triangles[made].v[1]]
		q.triangles[made].across[1] = next
		q.triangles[next].across[2] = int32(made)
		q.pending = append(q.pending, int32(made))
	}
	for _, s := range q.seen {
		for _, i := range q.triangles[s].outside {
			if i != point {
				q.assign(i, first)
			}
		}
		q.triangles[s].outside = nil
	}
}

// alive returns the remaining triangles, renumbered.
func (q *quickhull) alive() []triangle {
	number := make([]int32, len(q.triangles))
	n := int32(0)
	for i := range q.triangles {
		if number[i] = n; !q.triangles[i].dead {
			n++
		}
	}
	left := make([]triangle, 0, n)
	for i := range q.triangles {
		if t := q.triangles[i]; !t.dead {
			for k := range t.across {
				t.across[k] = number[t.across[k]]
			}
			left = append(left, t)
		}
	}
	return left
}

// extremes returns four points that span a large tetrahedron: two far apart, a third far from the
// line through them and a fourth far from the plane of the three. far holds the distances of the
// last three: from the first point, the line and the plane.
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

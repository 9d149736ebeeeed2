package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// spot is a corner of the polygon that is left of one face, the incident one, when it is clipped by the sides of the other, the
// reference.
type spot struct {
	p        geom.DVec3
	inc, ref Feature
	edge     int32 // to the next corner: an edge of the incident face, or ^k for along side k of the reference
	depth    float64
}

// polygon is a face being clipped: clipping by one line adds at most one corner.
type polygon struct {
	s    [2 * maxCorners]spot
	left [2 * maxCorners]spot // scratch
	n    int
}

// spotOf returns the start for a corner of the incident patch.
func spotOf(c *corner, ref *patch) spot {
	return spot{p: c.p, inc: vertexKind | Feature(c.vertex), ref: faceKind | Feature(ref.face), edge: int32(c.edge)}
}

// clip leaves of a patch what is within the prism that the sides of the reference sweep along n, the direction in which it faces. The
// polygon is clipped by one side after the other (Sutherland and Hodgman 1974).
func (g *polygon) clip(inc, ref *patch, n geom.DVec3, slack float64) {
	g.n = inc.n
	for i := range inc.n {
		g.s[i] = spotOf(&inc.c[i], ref)
	}
	for k := 0; k < ref.n && g.n > 0; k++ {
		out := ref.c[(k+1)%ref.n].p.Sub(ref.c[k].p).Cross(n)
		g.cut(k, inc, ref, ref.c[k].p, out, float64(slack*out.Len()), edgeKind|Feature(ref.c[k].edge))
	}
}

// clipSegment does the same for a patch of two corners, or of one. It reports how many are left.
func clipSegment(s *[2]spot, inc, ref *patch, n geom.DVec3, slack float64) int {
	s[0], s[1] = spotOf(&inc.c[0], ref), spotOf(&inc.c[inc.n-1], ref)
	for k := range ref.n {
		o := ref.c[k].p
		out := ref.c[(k+1)%ref.n].p.Sub(o).Cross(n)
		beyond := float64(slack * out.Len())
		fa, fb := out.Dot(s[0].p.Sub(o)), out.Dot(s[1].p.Sub(o))
		if fa > beyond && fb > beyond {
			return 0
		}
		if fa <= beyond && fb <= beyond {
			continue
		}
		i := 0
		if fb > beyond {
			i = 1
		}
		s[i].p = s[0].p.AddMul(where(fa, fb), s[1].p.Sub(s[0].p))
		s[i].inc, s[i].ref = edgeKind, edgeKind|Feature(ref.c[k].edge)
	}
	return inc.n
}

// cut takes away what is beyond a side of the reference.
func (g *polygon) cut(k int, inc, ref *patch, o, out geom.DVec3, slack float64, edge Feature) {
	left := &g.left
	var far [2 * maxCorners]float64
	beyond := false
	for i := range g.n {
		far[i] = out.Dot(g.s[i].p.Sub(o))
		beyond = beyond || far[i] > slack
	}
	if !beyond {
		return
	}
	n := 0
	for i := range g.n {
		j := (i + 1) % g.n
		a, b := &g.s[i], &g.s[j]
		if far[i] <= slack {
			left[n] = *a
			n++
			if far[j] <= slack {
				continue
			}
			left[n] = g.crossing(a, b, far[i], far[j], k, inc, ref, edge)
			left[n].edge = ^int32(k)
			n++
		} else if far[j] <= slack {
			left[n] = g.crossing(a, b, far[i], far[j], k, inc, ref, edge)
			left[n].edge = a.edge
			n++
		}
		if n >= len(left)-1 {
			break // cannot be where both are convex
		}
	}
	copy(g.s[:], left[:n])
	g.n = n
}

// crossing returns where the side of the polygon from a to b crosses side k of the reference.
func (g *polygon) crossing(a, b *spot, fa, fb float64, k int, inc, ref *patch, edge Feature) spot {
	s := spot{p: a.p.AddMul(where(fa, fb), b.p.Sub(a.p)), ref: edge}
	if a.edge >= 0 {
		s.inc = edgeKind | Feature(a.edge)
		return s
	}
	// Along another side of the reference: this is one of its corners, within the incident face.
	s.inc = faceKind | Feature(inc.face)
	j := int(^a.edge)
	if (k+1)%ref.n == j {
		k = j
	}
	s.ref = vertexKind | Feature(ref.c[k].vertex)
	return s
}

// where returns how far along a side that goes from fa to fb beyond a line it crosses that. A side along the line, with both ends in the
// slack or about, must not be made longer.
func where(fa, fb float64) float64 { return clamp(fa / (fa - fb)) }

// reduce keeps four of the spots, in the order they are in: the deepest, the one furthest from it, the one that makes the
// largest triangle with these, and the one furthest outside of that. n is the direction across which areas are measured.
func reduce(s []spot, n geom.DVec3) int {
	if len(s) <= maxContacts {
		return len(s)
	}
	first := 0
	for i := range s {
		if s[i].depth > s[first].depth {
			first = i
		}
	}
	second, most := -1, -1.0
	for i := range s {
		if d := s[i].p.Sub(s[first].p); i != first && d.Dot(d) > most {
			second, most = i, d.Dot(d)
		}
	}
	area := func(i, j, k int) float64 {
		return n.Dot(s[j].p.Sub(s[i].p).Cross(s[k].p.Sub(s[i].p)))
	}
	third := -1
	most = -1
	for i := range s {
		if a := math.Abs(area(first, second, i)); i != first && i != second && a > most {
			third, most = i, a
		}
	}
	if area(first, second, third) < 0 {
		second, third = third, second
	}
	fourth := -1
	most = math.Inf(-1)
	for i := range s {
		if i == first || i == second || i == third {
			continue
		}
		if a := max(-area(first, second, i), -area(second, third, i), -area(third, first, i)); a > most {
			fourth, most = i, a
		}
	}
	k := 0
	for i := range s {
		if i == first || i == second || i == third || i == fourth {
			s[k] = s[i]
			k++
		}
	}
	return k
}

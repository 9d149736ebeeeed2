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

// clip leaves of a patch what is within the prism that the sides of the reference sweep along n, the direction in which it faces. The
// polygon is clipped by one side after the other (Sutherland and Hodgman 1974).
func (g *polygon) clip(inc, ref *patch, n geom.DVec3, slack float64) {
	g.n = inc.n
	for i := range inc.n {
		c := &inc.c[i]
		g.s[i] = spot{p: c.p, inc: vertexKind | Feature(c.vertex), ref: faceKind | Feature(ref.face), edge: int32(c.edge)}
	}
	for k := 0; k < ref.n && g.n > 0; k++ {
		from := &ref.c[k]
		along := ref.c[(k+1)%ref.n].p.Sub(from.p)
		out := along.Cross(n)
		edge := edgeKind | Feature(from.edge)
		if g.n == 2 && inc.n == 2 {
			g.cutSegment(from.p, out, slack*out.Len(), edge)
		} else {
			g.cut(k, inc, ref, from.p, out, slack*out.Len(), edge)
		}
	}
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
	t := fa / (fa - fb)
	s := spot{p: a.p.AddMul(t, b.p.Sub(a.p)), ref: edge}
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

// cutSegment does the same where the incident patch is a segment.
func (g *polygon) cutSegment(o, out geom.DVec3, slack float64, edge Feature) {
	fa, fb := out.Dot(g.s[0].p.Sub(o)), out.Dot(g.s[1].p.Sub(o))
	if fa > slack && fb > slack {
		g.n = 0
		return
	}
	if fa <= slack && fb <= slack {
		return
	}
	p := g.s[0].p.AddMul(fa/(fa-fb), g.s[1].p.Sub(g.s[0].p))
	i := 0
	if fb > slack {
		i = 1
	}
	g.s[i].p, g.s[i].inc, g.s[i].ref = p, edgeKind, edge
}

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

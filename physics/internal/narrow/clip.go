package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// spot is a corner of the incident face's polygon while it is clipped by the sides of the reference
// face.
type spot struct {
	p        geom.DVec3
	depth    float64 // behind the reference face; during clipping, the distance beyond a side
	inc, ref Feature
	// edge is that to the next corner: an edge of the incident face, or ^k along side k of the
	// reference.
	edge int32
}

// of makes it a corner of the incident patch, unclipped.
func (s *spot) of(c *corner, ref *patch) {
	s.p, s.inc, s.ref, s.edge = c.p, vertexKind|Feature(c.vertex), faceKind|Feature(ref.face), int32(c.edge)
}

// clip returns the part of a patch that is within the prism which the sides of the reference sweep
// along n, the direction that it faces. The polygon is clipped by one side after the other
// (Sutherland and Hodgman 1974), from one slice to the other. Each has the capacity for the corners
// of both patches.
func clip(s, spare []spot, inc, ref *patch, n geom.DVec3, slack float64) []spot {
	capacity := len(s)
	s = s[:inc.n]
	for i := range s {
		s[i].of(&inc.c[i], ref)
	}
	for k := 0; k < ref.n && len(s) > 0; k++ {
		if limit, ok := isCut(s, k, ref, n, slack); ok {
			left := cut(spare, s, k, inc, ref, limit)
			s, spare = spare[:left], s[:capacity]
		}
	}
	return s
}

// clipSegment is clip for a patch of one or two corners, in one slice of length 2.
func clipSegment(s []spot, inc, ref *patch, n geom.DVec3, slack float64) []spot {
	s[0].of(&inc.c[0], ref)
	s[1].of(&inc.c[inc.n-1], ref)
	for k := range ref.n {
		o := ref.c[k].p
		out := ref.c[ref.after(k)].p.Sub(o).Cross(n)
		beyond := float64(slack * out.Len())
		fa, fb := out.Dot(s[0].p.Sub(o)), out.Dot(s[1].p.Sub(o))
		if fa > beyond && fb > beyond {
			return nil
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
	return s[:inc.n]
}

// isCut sets the depth of each spot to its distance beyond side k of the reference, times the
// side's length. It returns the slack times that length, and whether any spot is further.
func isCut(s []spot, k int, ref *patch, n geom.DVec3, slack float64) (float64, bool) {
	o := ref.c[k].p
	out := ref.c[ref.after(k)].p.Sub(o).Cross(n)
	furthest := int64(0) // bits of a number, which order like the numbers from 0 on
	for i := range s {
		p := &s[i]
		p.depth = out.Dot(p.p.Sub(o))
		furthest = max(furthest, int64(math.Float64bits(p.depth)))
	}
	if furthest == 0 {
		return 0, false
	}
	slack = float64(slack * out.Len())
	return slack, !(math.Float64frombits(uint64(furthest)) <= slack)
}

// cut writes the part of the polygon that is not beyond side k of the reference, by the depths that
// isCut set, and returns the number of its corners.
func cut(dst, s []spot, k int, inc, ref *patch, slack float64) (left int) {
	edge := edgeKind | Feature(ref.c[k].edge)
	for i := range s {
		a, b := &s[i], &s[0]
		if i+1 < len(s) {
			b = &s[i+1]
		}
		in := one(a.depth <= slack)
		if left < len(dst) { // always so where both are convex
			c := &dst[left] // written even if the next is put in its place: a branch takes longer
			c.p, c.inc, c.ref, c.edge = a.p, a.inc, a.ref, a.edge
			left += in
		}
		if in != one(b.depth <= slack) && left < len(dst) {
			c := &dst[left]
			c.crossing(a, b, k, inc, ref, edge)
			if in != 0 { // otherwise it keeps the side of a, written above
				c.edge = ^int32(k)
			}
			left++
		}
	}
	return left
}

// crossing makes it the point at which the side of the polygon from a to b crosses side k of the
// reference.
func (s *spot) crossing(a, b *spot, k int, inc, ref *patch, edge Feature) {
	s.p = a.p.AddMul(where(a.depth, b.depth), b.p.Sub(a.p))
	if a.edge >= 0 {
		s.inc, s.ref = edgeKind|Feature(a.edge), edge
		return
	}
	// Along another side of the reference: this is one of its corners, within the incident face.
	s.inc = faceKind | Feature(inc.face)
	if j := int(^a.edge); ref.after(k) == j {
		k = j
	}
	s.ref = vertexKind | Feature(ref.c[k].vertex)
}

// where returns the fraction of a side at which it crosses a line, if its ends are fa and fb beyond
// that line. It is clamped: a side along the line, with both ends about within the slack, must not
// get longer.
func where(fa, fb float64) float64 { return clamp(fa / (fa - fb)) }

// reduce keeps four of the spots, in their order: the deepest, the one furthest from it, the one
// that makes the largest triangle with these, and the one furthest outside of that triangle. Areas
// are measured across n. It returns the number kept.
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
			if k < i {
				s[k] = s[i]
			}
			k++
		}
	}
	return k
}

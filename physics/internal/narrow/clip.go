package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// spot is a corner of the polygon that is left of one face, the incident one, when it is clipped by
// the sides of the other, the reference.
type spot struct {
	p        geom.DVec3
	depth    float64 // behind the reference; while it is clipped, how far beyond a side
	inc, ref Feature
	edge     int32 // to the next corner: an edge of the incident face, or ^k for along side k of the reference
}

// of writes the start for a corner of the incident patch.
func (s *spot) of(c *corner, ref *patch) {
	s.p, s.inc, s.ref, s.edge = c.p, vertexKind|Feature(c.vertex), faceKind|Feature(ref.face), int32(c.edge)
}

// clip returns what of a patch is within the prism that the sides of the reference sweep along n,
// the direction in which it faces. The polygon is clipped by one side after the other (Sutherland
// and Hodgman 1974), from one of two slices to the other. Each has room for the corners of both
// patches.
func clip(s, spare []spot, inc, ref *patch, n geom.DVec3, slack float64) []spot {
	room := len(s)
	s = s[:inc.n]
	for i := range s {
		s[i].of(&inc.c[i], ref)
	}
	for k := 0; k < ref.n && len(s) > 0; k++ {
		if limit, ok := isCut(s, k, ref, n, slack); ok {
			left := cut(spare, s, k, inc, ref, limit)
			s, spare = spare[:left], s[:room]
		}
	}
	return s
}

// clipSegment does the same for a patch of two corners, or of one, in one slice with room for two.
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

// isCut writes how far the spots are beyond side k of the reference, times its length, as their
// depth. It returns the slack times that length, and whether any spot is further.
func isCut(s []spot, k int, ref *patch, n geom.DVec3, slack float64) (float64, bool) {
	o := ref.c[k].p
	out := ref.c[ref.after(k)].p.Sub(o).Cross(n)
	furthest := int64(0) // of numbers that are not negative the bits order like the numbers, those of others are negative
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

// cut writes what of the polygon is not beyond side k of the reference, by the depths that isCut
// wrote, and returns how many corners that has.
func cut(dst, s []spot, k int, inc, ref *patch, slack float64) (left int) {
	edge := edgeKind | Feature(ref.c[k].edge)
	for i := range s {
		a, b := &s[i], &s[0]
		if i+1 < len(s) {
			b = &s[i+1]
		}
		in := a.depth <= slack
		if in && left < len(dst) {
			c := &dst[left]
			c.p, c.inc, c.ref, c.edge = a.p, a.inc, a.ref, a.edge
			left++
		}
		if in != (b.depth <= slack) && left < len(dst) { // always so where both are convex
			c := &dst[left]
			c.crossing(a, b, k, inc, ref, edge)
			if c.edge = a.edge; in {
				c.edge = ^int32(k)
			}
			left++
		}
	}
	return left
}

// crossing writes where the side of the polygon from a to b crosses side k of the reference.
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

// where returns how far along a side that goes from fa to fb beyond a line it crosses that. A side
// along the line, with both ends in the slack or about, must not be made longer.
func where(fa, fb float64) float64 { return clamp(fa / (fa - fb)) }

// reduce keeps four of the spots, in the order they are in: the deepest, the one furthest from it,
// the one that makes the largest triangle with these, and the one furthest outside of that. n is
// the direction across which areas are measured.
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

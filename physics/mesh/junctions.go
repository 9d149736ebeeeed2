package mesh

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// At T-junctions, edges without a neighbour lie along each other: on one side of a line those of
// the small quads of a floor, on the other side those of larger quads. Both chains of edges begin
// at one vertex and end at another. If they stayed open, each edge would be a rim, with contacts of
// its own.

// openEnd is one end of an open edge.
type openEnd struct {
	at, to uint32 // the vertices at this end and at the other
	side   uint32 // 3·triangle + edge
}

// maxChain is the largest number of edges along a T-junction from one common vertex to the next.
// With less, long ones stay open; with more, a soup of triangles may take longer.
const maxChain = 256

// maxOffLine is how far a vertex of a T-junction may be from the line, as a fraction of the largest
// coordinate: 16 units of single precision. Smaller: meshes that were turned have open edges there.
// Larger: cracks that a point may pass are closed.
const maxOffLine = 0x1p-20

// maxBendSpread is by how much the bends along one edge may differ, in steps of the stored bends.
const maxBendSpread = 2.0 / mostCode

// joinTJunctions makes triangles neighbours whose open edges lie along each other.
func (f *edgeJoiner) joinTJunctions() {
	var ends []openEnd
	for i, across := range f.across {
		for k, beyond := range across {
			if c := f.corners(i); beyond < 0 && !f.thin[i] && c[0] != c[1] && c[1] != c[2] && c[2] != c[0] {
				a, b, side := c[k], c[(k+1)%3], uint32(3*i+k)
				ends = append(ends, openEnd{a, b, side}, openEnd{b, a, side})
			}
		}
	}
	if len(ends) == 0 {
		return
	}
	b := f.m.Bounds()
	far := b.Max.Max(b.Min.Neg())
	f.size = float64(max(far.X, far.Y, far.Z))
	slices.SortFunc(ends, func(a, b openEnd) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.side, b.side)) })
	for from := 0; from < len(ends); {
		to := from + 1
		for to < len(ends) && ends[to].at == ends[from].at {
			to++
		}
		if group := ends[from:to]; len(group) <= maxApexes {
			for i := range group {
				for k := range i {
					if a, b := group[k], group[i]; a.to != b.to && f.isAlong(a.at, a.to, b.to) {
						f.joinChains(ends, a, b)
					}
				}
			}
		}
		from = to
	}
}

// isAlong reports whether two vertices are in the same direction from a third.
func (f *edgeJoiner) isAlong(at, a, b uint32) bool {
	p, q, from := f.m.vertices[a].Wide(), f.m.vertices[b].Wide(), f.m.vertices[at].Wide()
	x, y := p.Sub(from), q.Sub(from)
	if x.Dot(x) > y.Dot(y) {
		x, y = y, x
	}
	return x.Dot(y) > 0 && x.Cross(y).Len() <= float64(maxOffLine*f.size*y.Len())
}

// distanceSq returns the square of the distance between two vertices.
func (f *edgeJoiner) distanceSq(a, b uint32) float64 {
	d := f.m.vertices[b].Wide().Sub(f.m.vertices[a].Wide())
	return d.Dot(d)
}

// joinChains follows two chains of open edges along one line, from the vertex at which both begin
// to one at which both end. If there is none, the edges stay open.
func (f *edgeJoiner) joinChains(ends []openEnd, a, b openEnd) {
	from := a.at
	pairs := [][2]uint32{{a.side, b.side}} // of sides that lie along each other
	for a.to != b.to {
		if len(pairs) == maxChain {
			return
		}
		last := &a
		if f.distanceSq(from, b.to) < f.distanceSq(from, a.to) {
			last = &b
		}
		next, ok := f.nextInChain(ends, from, *last)
		if !ok {
			return
		}
		*last = next
		pairs = append(pairs, [2]uint32{a.side, b.side})
	}
	for i := range pairs {
		for side := range 2 {
			if s := pairs[i][side]; i == 0 || pairs[i-1][side] != s {
				f.joinSide(pairs[i:], side)
			}
		}
	}
}

// nextInChain returns the only open edge that goes on along a chain from a vertex.
func (f *edgeJoiner) nextInChain(ends []openEnd, from uint32, last openEnd) (next openEnd, ok bool) {
	i, _ := slices.BinarySearchFunc(ends, last.to, func(e openEnd, at uint32) int { return cmp.Compare(e.at, at) })
	for ; i < len(ends) && ends[i].at == last.to; i++ {
		if e := ends[i]; e.side != last.side && f.distanceSq(from, e.to) > f.distanceSq(from, last.to) && f.isAlong(from, last.to, e.to) {
			if ok {
				return next, false
			}
			next, ok = e, true
		}
	}
	return next, ok
}

// joinSide sets the vertex beyond the first edge of a chain, given the pairs of edges from it on.
// The edge stays open if the surface bends along a part of it only, or by several angles.
func (f *edgeJoiner) joinSide(pairs [][2]uint32, side int) {
	s := pairs[0][side]
	i, edge := int(s/3), int(s%3)
	t, best, least, most := f.m.Triangle(i), int32(-1), math.Inf(1), math.Inf(-1)
	for k := 0; k < len(pairs) && pairs[k][side] == s; k++ {
		_, beyond := f.opposite(uint64(pairs[k][1-side]))
		b := float64(narrow.BendAt(t, edge, f.m.vertices[beyond]))
		if least, most = min(least, b), max(most, b); best < 0 {
			best = int32(beyond)
		}
	}
	if most-least <= maxBendSpread {
		f.across[i][edge] = best
	}
}

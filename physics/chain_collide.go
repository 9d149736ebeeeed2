package physics

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// A rod that pierces a corner of a chain pierces several segments, and the shortest way out of each
// may lead into the next. The shortest way out of all of them is along the front of one or lifts a
// side of the rod off a corner, and what the rod then touches is near it.

// sunkSegment is a segment of a chain that is in the outline of another shape, by the numbers of
// both in their colliders.
type sunkSegment struct {
	segment, other int
	how            narrow.Sunk
	run            int  // of segments that the shape is led out of at once, from 1; 0 if not known
	replaced       bool // of the first one of a run: it has the contacts of the way out
}

// addSunk notes what was found of two subshapes, of which one at least is a segment.
func (w *scratch) addSunk(a, b []placed.Subshape, i, j int) {
	s := sunkSegment{segment: i, other: j, how: w.finder.Sunk}
	if b[j].Kind == placed.KindSegment {
		s.segment, s.other = j, i
	}
	if w.finder.Sunk = narrow.NotSunk; a[i].Kind != b[j].Kind {
		w.sunk = append(w.sunk, s)
	}
}

// leadOut replaces, from a place on, the contacts of segments that a shape is in by those along the
// shortest way out of all. If a segment has the contacts of its own shortest way out, these are
// right: the way leads out of the segments beside it, too.
func (w *scratch) leadOut(dst []Manifold, from int, a, b []placed.Subshape, margin float32) []Manifold {
	c := wayOut{scratch: w, segments: a, margin: margin}
	others := b
	if c.onB = a[0].Kind != placed.KindSegment; c.onB {
		c.segments, others = b, a
	}
	to := len(dst)
	for k := range w.sunk {
		if s := &w.sunk[k]; s.how == narrow.SunkOther && s.run == 0 {
			c.other, c.number, c.run = &others[s.other], s.other, k+1
			if !c.find(s.segment) {
				continue
			}
			if c.contacts(c.best); c.finder.N > 0 {
				s.replaced = true
				a, b := c.order(c.best)
				dst = appendManifold(dst, &c.finder.Manifold, a, b)
			}
		}
	}
	if len(dst) == to {
		return dst
	}
	kept := dst[:from]
	for k := range dst[from:] {
		if m := &dst[from+k]; from+k >= to || !c.isReplaced(m) {
			kept = append(kept, *m)
		}
	}
	// Of the same two subshapes, the last one is that of the way out.
	slices.SortStableFunc(kept[from:], byChildren)
	n := from
	for k := range kept[from:] {
		if at := from + k; at+1 == len(kept) || byChildren(kept[at], kept[at+1]) != 0 {
			kept[n] = kept[at]
			n++
		}
	}
	return kept[:n]
}

func byChildren(p, q Manifold) int {
	return cmp.Or(cmp.Compare(p.ChildA, q.ChildA), cmp.Compare(p.ChildB, q.ChildB))
}

// wayOut is the shortest way of a shape out of a run of segments, which are joined at corners that
// stand out.
type wayOut struct {
	*scratch
	segments []placed.Subshape
	onB      bool // the segments are of the second collider
	other    *placed.Subshape
	number   int // of the other shape
	margin   float32

	run, n   int              // the number of the run, and how many segments it has
	isBefore bool             // the middle of the other shape is before one of them
	depth    float64          // the length of the way
	best     *placed.Subshape // the segment that has the contacts
}

// find finds the way out of the run of a segment. It returns false if there is none, or if the
// contacts are right.
func (c *wayOut) find(first int) bool {
	for _, step := range [2]int{-1, 1} { // the segment before one has the contacts of the corner
		for i := c.next(first, step); i >= 0 && i != first; i = c.next(i, step) {
			s := c.sunkAt(i, c.number)
			if s == nil {
				break
			} else if c.join(s); s.how == narrow.SunkShortest {
				return false
			}
		}
	}
	c.n, c.isBefore, c.depth, c.best = 0, false, math.Inf(1), nil
	c.look(first)
	for _, step := range [2]int{-1, 1} {
		for i := c.next(first, step); i >= 0 && c.n < len(c.segments) && c.look(i); {
			i = c.next(i, step)
		}
	}
	return c.n > 1 && c.isBefore && c.best != nil
}

// next returns the segment after or before one to which it is joined at a corner that stands out,
// −1 if there is none.
func (c *wayOut) next(i, step int) int {
	n := len(c.segments)
	k := (i + step + n) % n
	if p, q := &c.segments[i], &c.segments[k]; p.LeadsOver(q) || q.LeadsOver(p) {
		return k
	}
	return -1
}

// sunkAt returns what was found of a segment that is in another shape, or nil.
func (c *wayOut) sunkAt(segment, other int) *sunkSegment {
	k, ok := slices.BinarySearchFunc(c.sunk, sunkSegment{segment: segment, other: other}, func(s, t sunkSegment) int {
		bySegment, byOther := cmp.Compare(s.segment, t.segment), cmp.Compare(s.other, t.other)
		if c.onB {
			return cmp.Or(byOther, bySegment)
		}
		return cmp.Or(bySegment, byOther)
	})
	if !ok {
		return nil
	}
	return &c.sunk[k]
}

// join adds a segment to the run, unless it is in one that has its contacts.
func (c *wayOut) join(s *sunkSegment) {
	if s.run == 0 || !c.sunk[s.run-1].replaced {
		s.run = c.run
	}
}

// isReplaced reports whether a manifold is of a segment of a run that has others now.
func (c *wayOut) isReplaced(m *Manifold) bool {
	segment, other := m.ChildA, m.ChildB
	if c.onB {
		segment, other = other, segment
	}
	s := c.sunkAt(int(max(0, segment)), int(max(0, other))) // −1: of a shape that is no compound
	return s != nil && s.run > 0 && c.sunk[s.run-1].replaced
}

// look adds a segment to the run. It returns false if the segment is further away than the way out
// is long: then it is not in the run.
func (c *wayOut) look(i int) bool {
	p := &c.segments[i]
	if c.n > 0 && !placed.MayTouch(p, c.other, float32(c.depth)) {
		return false
	}
	if s := c.sunkAt(i, c.number); s != nil {
		c.join(s)
	}
	c.n++
	depth, isBefore := c.contacts(p)
	c.isBefore = c.isBefore || isBefore
	if depth < c.depth {
		c.best, c.depth = p, depth
	}
	return true
}

// contacts finds the contacts along the shortest way out of a segment and those beside it.
func (c *wayOut) contacts(p *placed.Subshape) (depth float64, isBefore bool) {
	a, b := c.order(p)
	placed.PartsOf(placed.Whole, placed.Whole).Shapes(&c.x, &c.y, a, b)
	return c.finder.LeadOut(&c.x, &c.y, float64(c.margin))
}

// order returns a segment and the other shape in the order of the colliders.
func (c *wayOut) order(p *placed.Subshape) (a, b *placed.Subshape) {
	if c.onB {
		return c.other, p
	}
	return p, c.other
}

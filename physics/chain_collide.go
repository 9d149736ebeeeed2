package physics

import (
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
	run            int // of segments that the shape is led out of at once, from 1; 0 if not known
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
	for k, s := range w.sunk {
		if s.how == narrow.SunkOther && w.sunk[k].run == 0 {
			c.other, c.number, c.run = &others[s.other], s.other, k+1
			if c.find(s.segment) {
				dst = c.replace(dst, from)
			}
		}
	}
	return dst
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
			s := c.sunkAt(i)
			if s == nil {
				break
			} else if s.run = c.run; s.how == narrow.SunkShortest {
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

// sunkAt returns what was found of a segment that is in the other shape, or nil.
func (c *wayOut) sunkAt(i int) *sunkSegment {
	k := slices.IndexFunc(c.sunk, func(s sunkSegment) bool { return s.segment == i && s.other == c.number })
	if k < 0 {
		return nil
	}
	return &c.sunk[k]
}

// look adds a segment to the run. It returns false if the segment is further away than the way out
// is long: then it is not in the run.
func (c *wayOut) look(i int) bool {
	p := &c.segments[i]
	if c.n > 0 && !placed.MayTouch(p, c.other, float32(c.depth)) {
		return false
	}
	if s := c.sunkAt(i); s != nil {
		s.run = c.run
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

// replace replaces the contacts of the run, which are from a place on, by those of the way out.
func (c *wayOut) replace(dst []Manifold, from int) []Manifold {
	if c.contacts(c.best); c.finder.N == 0 {
		return dst
	}
	a, b := c.order(c.best)
	drop := func(a, b int32) {
		is := func(m Manifold) bool { return m.ChildA == a && m.ChildB == b }
		dst = dst[:from+len(slices.DeleteFunc(dst[from:], is))]
	}
	drop(a.Child, b.Child)
	for _, s := range c.sunk {
		if s.run == c.run {
			a, b := c.order(&c.segments[s.segment])
			drop(a.Child, b.Child)
		}
	}
	at, n := from, len(dst)
	for at < n && (dst[at].ChildA < a.Child || dst[at].ChildA == a.Child && dst[at].ChildB < b.Child) {
		at++
	}
	dst = appendManifold(dst, &c.finder.Manifold, a, b)
	m := dst[n]
	copy(dst[at+1:], dst[at:n])
	dst[at] = m
	return dst
}

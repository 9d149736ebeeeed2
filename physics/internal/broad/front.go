package broad

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// relativePad is how far outside its box something may still be hit, as a fraction of how far the ray reaches: exact
// tests take the ray into the space of the shape in single precision, which rounds by 6e-8 there. It also makes up
// for T rounded to single precision, so that of things at one T none is pruned by another.
const relativePad = 1e-6

// Front walks the boxes that a ray touches in the order in which the ray enters them, those of both trees together, and looks
// at no more of the trees than it needs to know the next. It keeps a heap of what it has met and not yet opened; used again,
// it does not allocate once the heap has grown.
type Front struct {
	phase *Phase
	q     query
	heap  []entry
}

type entry struct {
	enter float64
	child ref
	half  uint32
}

// Start begins a walk. The phase must be settled, and must not be changed until the walk ends.
func (f *Front) Start(p *Phase, r geom.Ray) {
	f.phase, f.heap = p, f.heap[:0]
	bounds := nowhere
	for half := range p.trees {
		if t := &p.trees[half]; t.root != 0 {
			box := t.nodes[t.root].union()
			bounds = union(&bounds, &box)
		}
	}
	if bounds == nowhere || !f.q.prepare(r, &bounds) {
		return
	}
	for half := range p.trees {
		if t := &p.trees[half]; t.root != 0 {
			f.push(entry{f.q.tMin, nodeRef(t.root), uint32(half)})
		}
	}
}

// Stop lets go of the phase.
func (f *Front) Stop() { f.phase, f.heap = nil, f.heap[:0] }

// Next returns the number of the next box that the ray enters at limit or before, and false if there is none: all still to
// come are entered later.
func (f *Front) Next(limit float64) (number uint32, ok bool) {
	for len(f.heap) > 0 && f.heap[0].enter <= limit {
		e := f.pop()
		if e.child.isBox() {
			return e.child.number(), true
		}
		n := &f.phase.trees[e.half].nodes[e.child.node()]
		for s, c := range n.child {
			if enter, ok := f.q.enter(n, s); ok && c != 0 {
				f.push(entry{enter, c, e.half})
			}
		}
	}
	return 0, false
}

func (f *Front) push(e entry) {
	h := append(f.heap, entry{})
	at := len(h) - 1
	for at > 0 {
		parent := (at - 1) / 2
		if h[parent].enter <= e.enter {
			break
		}
		h[at] = h[parent]
		at = parent
	}
	h[at] = e
	f.heap = h
}

func (f *Front) pop() entry {
	h := f.heap
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	at := 0
	for {
		child := 2*at + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].enter < h[child].enter {
			child++
		}
		if last.enter <= h[child].enter {
			break
		}
		h[at] = h[child]
		at = child
	}
	if len(h) > 0 {
		h[at] = last
	}
	f.heap = h
	return top
}

// query is a ray prepared for testing boxes. All is in double precision.
type query struct {
	axes       [3]slab
	tMin, tMax float64
}

// slab is what a query is along one axis.
type slab struct {
	near, far float64 // the origin, moved by the pad so that boxes are met sooner, and left later
	inv       float64 // 1/Dir; +Inf if the ray does not move along the axis
	in, out   int     // rows of a node: which side of a box the ray enters by, and which it leaves by
}

// prepare reports false if nothing within the bounds can be hit.
func (q *query) prepare(r geom.Ray, bounds *geom.AABB) bool {
	if !r.IsValid() {
		return false
	}
	tMin, tMax := r.Range()
	o, d := r.Origin.Wide(), r.Dir.Wide()
	q.tMin, q.tMax = float64(tMin), min(float64(tMax), math.MaxFloat64)
	reach := max(
		math.Abs(float64(bounds.Min.X)-o.X), math.Abs(float64(bounds.Max.X)-o.X),
		math.Abs(float64(bounds.Min.Y)-o.Y), math.Abs(float64(bounds.Max.Y)-o.Y),
		math.Abs(float64(bounds.Min.Z)-o.Z), math.Abs(float64(bounds.Max.Z)-o.Z))
	pad := float64(min(reach, q.tMax*d.Len()) * relativePad)
	axis := func(o, d float64, row int) slab {
		if d < 0 {
			return slab{o - pad, o + pad, 1 / d, row + 1, row}
		}
		return slab{o + pad, o - pad, 1 / math.Abs(d), row, row + 1} // −0 goes nowhere too
	}
	q.axes = [3]slab{axis(o.X, d.X, 0), axis(o.Y, d.Y, 2), axis(o.Z, d.Z, 4)}
	return true
}

// enter returns where the ray enters a child of a node, and false if it misses it. A box that touches the ray is entered.
//
// 0·∞ on a ray that lies in a face is NaN. Comparisons with it are false and so leave that face out, which errs on the
// side of entering.
func (q *query) enter(n *node, slot int) (t float64, ok bool) {
	t, exit := q.tMin, q.tMax
	for a := range q.axes {
		s := &q.axes[a]
		if in := (float64(n.box[s.in&7][slot]) - s.near) * s.inv; in > t {
			t = in
		}
		if out := (float64(n.box[s.out&7][slot]) - s.far) * s.inv; out < exit {
			exit = out
		}
	}
	return t, t <= exit
}

package physics

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// nearby is what is near the bodies of one chunk, and where they overlap it. Each chunk has its
// own, so that neither the results nor the memory depend on which worker computes them.
type nearby struct {
	pairs   []abut  // with bodies that come later in the order, by body and then by the other
	active  []int32 // the pairs that have presses
	stands  []stand // by body and then by ID
	press   []press
	near    []int32 // the bodies near one
	pressed bool    // something is deeper than Slop
}

// abut is a body and something near it.
type abut struct {
	body     int32
	other    int32 // a body, or the record of what stands in the way
	from, to int32 // the range of the presses of both, in the chunk of the body
}

// stand is a body and what stands in its way.
type stand struct {
	abut
	ground bool // see [Separator.isGround]
	id     ColliderID
}

// walk finds what is near the bodies by one walk through the tree, which takes a tenth of the time
// of a search for each, unless many of the boxes that move are of no body, or a few bodies may be
// pushed much further than the others.
func (p *Separator) walk() {
	b, s := &p.bodies, p.space
	margin := 2 * b.farthest
	p.walked = len(b.all)*2 >= s.boxes.Moving() && float64(b.farthest)*float64(len(b.all)) <= 2*b.limits && placed.Finite(margin)
	if !p.walked {
		return
	}
	w := takeScratch()
	defer w.give()
	// The boxes in the tree have slack for the rounding.
	w.boxPairs = s.boxes.PairsWithin(w.boxPairs[:0], margin, runtime.GOMAXPROCS(0))
	p.around.begin(len(b.all))
	for _, k := range w.boxPairs {
		if i, _ := b.ofPair(k); i >= 0 {
			p.around.count(i, 1)
		}
	}
	p.around.allocate()
	for _, k := range w.boxPairs {
		if i, other := b.ofPair(k); i >= 0 {
			p.around.add(i, other)
		}
	}
}

// meet finds the colliders near some bodies that they may come to touch.
func (p *Separator) meet(_, from, to int) {
	s, bodies, c := p.space, &p.bodies, &p.nearby[from/bodyChunk]
	w := takeScratch()
	defer w.give()
	c.pairs, c.stands, c.press = c.pairs[:0], c.stands[:0], c.press[:0]
	for i := int32(from); i < int32(to); i++ {
		r := &s.records[bodies.all[i].record]
		reach := float32(bodies.weights[i].limit) + placed.Slack(r.bounds())
		stands := len(c.stands)
		c.near = c.near[:0]
		visit := func(k uint32) bool {
			j := bodies.of(int(k))
			if j >= 0 && j <= i {
				return true // the pair is found from the other side
			}
			o := &s.records[k]
			if o.sensor || !r.meets(o) {
				return true
			}
			if j >= 0 {
				if r.bounds().Grow(reach + float32(bodies.weights[j].limit)).OverlapsAABB(*o.bounds()) {
					c.near = append(c.near, j)
				}
			} else if r.bounds().Grow(reach).OverlapsAABB(*o.bounds()) {
				c.stands = append(c.stands, stand{abut: abut{body: i, other: int32(k)}, id: o.id})
			}
			return true
		}
		if p.walked {
			for _, k := range p.around.of(i) {
				visit(k)
			}
		} else {
			s.boxes.VisitAABB(r.bounds().Grow(reach+bodies.farthest), visit)
		}
		s.visitPlanes(func(k uint32) bool {
			if o := &s.records[k]; !o.sensor && r.meets(o) && isWithin(o.subshapes(), r.bounds(), reach) {
				c.stands = append(c.stands, stand{abut: abut{body: i, other: int32(k)}, id: o.id})
			}
			return true
		})
		slices.Sort(c.near) // bodies are in the order of IDs
		for _, j := range c.near {
			c.pairs = append(c.pairs, abut{body: i, other: j})
		}
		for k := stands; k < len(c.stands); k++ {
			x := &c.stands[k]
			x.ground = p.isGround(w, r, &s.records[x.other], reach)
		}
		slices.SortFunc(c.stands[stands:], func(x, o stand) int { return cmp.Compare(x.id, o.id) })
	}
}

// leaveIgnored drops the obstacles that Ignores names. It runs on one goroutine, since Ignores is
// the user's.
func (p *Separator) leaveIgnored() {
	if p.Ignores == nil {
		return
	}
	chunks := p.chunks()
	for i := range chunks {
		c := &chunks[i]
		c.stands = slices.DeleteFunc(c.stands, func(x stand) bool { return p.Ignores(p.bodies.all[x.body].id, x.id) })
	}
}

// leastGround is the least squared cosine between Up and the normals of triangles that isGround
// takes for ground: of 42°. Contacts are ground up to 45°, and a contact of an edge is between the
// normals of both sides; the rest is for what rounding makes of small triangles.
const leastGround = 0.55

// isGround reports whether a mesh has nothing but ground within a reach, in metres, of a body, so
// that none of their contacts counts and need not be found: all triangles are flatter than the
// steepest ground, face one side, and have no rim, at whose edge a contact may be level.
func (p *Separator) isGround(w *scratch, r, o *record, reach float32) bool {
	subshapes := o.subshapes()
	if !p.flat || len(subshapes) != 1 || subshapes[0].Kind != placed.KindMesh {
		return false
	}
	s := surfaceOf(subshapes[0].Local)
	side := 0.0
	parts := r.subshapes()
	for i := range parts {
		w.parts = placed.PartsNear(w.parts[:0], &subshapes[0], &parts[i], reach)
		w.takeTriangles(&s)
		for i, k := range w.parts {
			t := &w.triangles[i]
			a := t.A.Wide()
			n := t.B.Wide().Sub(a).Cross(t.C.Wide().Sub(a))
			along := n.Dot(p.up)
			if !(along*along > leastGround*n.Dot(n)) || along*side < 0 {
				return false
			}
			side = along
			var e narrow.Edges
			if s.edges(&e, i, k.A()); e.HasRim() {
				return false
			}
		}
	}
	return true
}

// standsOf returns what stands in the way of a body of the chunk.
func (c *nearby) standsOf(i int32) []stand {
	from, _ := slices.BinarySearchFunc(c.stands, i, func(x stand, i int32) int { return cmp.Compare(x.body, i) })
	to := from
	for to < len(c.stands) && c.stands[to].body == i {
		to++
	}
	return c.stands[from:to]
}

package physics

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
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
	ground bool  // see [Separator.isGround]
	cell   int32 // 1 + that of the grid, or 0: see [Separator.findGround]
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
	pairs := w.boxPairs[:0] // each a body and a record
	for _, k := range w.boxPairs {
		if i, other := b.ofPair(k); i >= 0 {
			p.around.count(i, 1)
			pairs = append(pairs, broad.Pair{A: uint32(i), B: other})
		}
	}
	p.around.allocate()
	for _, k := range pairs {
		p.around.add(int32(k.A), k.B)
	}
}

// meet finds the colliders near some bodies that they may come to touch.
func (p *Separator) meet(_, from, to int) {
	s, bodies, c := p.space, &p.bodies, &p.nearby[from/bodyChunk]
	c.pairs, c.stands, c.press = c.pairs[:0], c.stands[:0], c.press[:0]
	for i := int32(from); i < int32(to); i++ {
		r := &s.records[bodies.all[i].record]
		reach := p.reach(i)
		stands := len(c.stands)
		c.near = c.near[:0]
		visit := func(k uint32) bool {
			if j := bodies.of(int(k)); j > i { // else the pair is found from the other side
				// The record is read last, since it is mostly not in the cache.
				if isWithinOf(r.bounds(), &bodies.bounds[j], reach+float32(bodies.weights[j].limit)) && r.meets(&s.records[k]) {
					c.near = append(c.near, j)
				}
			} else if j < 0 {
				if o := &s.records[k]; !o.sensor && r.meets(o) && isWithinOf(r.bounds(), o.bounds(), reach) {
					c.stands = append(c.stands, stand{abut: abut{body: i, other: int32(k)}, id: o.id})
				}
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
		slices.SortFunc(c.stands[stands:], func(x, o stand) int { return cmp.Compare(x.id, o.id) })
	}
}

// reach returns how far a body may be pushed, in metres, with the slack of its bounds.
func (p *Separator) reach(i int32) float32 {
	return float32(p.bodies.weights[i].limit) + placed.Slack(&p.bodies.bounds[i])
}

// isWithinOf reports whether two boxes, neither of which is empty, are no further apart than a
// distance, in metres, along any axis.
func isWithinOf(a, b *geom.AABB, d float32) bool {
	return a.Min.X-d <= b.Max.X && b.Min.X <= a.Max.X+d && a.Min.Y-d <= b.Max.Y && b.Min.Y <= a.Max.Y+d &&
		a.Min.Z-d <= b.Max.Z && b.Min.Z <= a.Max.Z+d
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

// standsOf returns what stands in the way of a body of the chunk.
func (c *nearby) standsOf(i int32) []stand {
	from, _ := slices.BinarySearchFunc(c.stands, i, func(x stand, i int32) int { return cmp.Compare(x.body, i) })
	to := from
	for to < len(c.stands) && c.stands[to].body == i {
		to++
	}
	return c.stands[from:to]
}

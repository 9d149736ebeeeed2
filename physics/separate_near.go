package physics

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// nearby holds the colliders near the bodies of one chunk, and the constraints between them. Each
// chunk has its own, so that neither the results nor the memory depend on which worker computes
// them.
type nearby struct {
	pairs       []nearPair     // of bodies, the first in order first; in the order of both
	active      []int32        // the pairs that have constraints
	obstacles   []obstaclePair // by body and then by ID
	constraints []constraint
	near        []int32 // the bodies near one
	violated    bool    // something is deeper than Slop
}

// nearPair is a body and a collider near it.
type nearPair struct {
	body     int32
	other    int32 // a body, or the record of an obstacle
	from, to int32 // the range of their constraints in the chunk of the body
}

// obstaclePair is a body and an obstacle near it.
type obstaclePair struct {
	nearPair
	ground bool  // see [Separator.isGround]
	cell   int32 // 1 + that of the grid, or 0: see [Separator.findGround]
	id     ColliderID
}

// joinTree finds the colliders near all bodies by one join of the tree with itself, which takes a
// tenth of the time of a search for each body. It does nothing if many moving boxes belong to no
// body, or if a few bodies may be pushed much further than the others.
func (p *Separator) joinTree() {
	b, s := &p.bodies, p.space
	margin := 2 * b.farthest
	p.joined = len(b.all)*2 >= s.boxes.Moving() && float64(b.farthest)*float64(len(b.all)) <= 2*b.limits && placed.Finite(margin)
	if !p.joined {
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

// findNear finds the colliders that some bodies may come to touch.
func (p *Separator) findNear(_, from, to int) {
	s, bodies, c := p.space, &p.bodies, &p.nearby[from/bodyChunk]
	c.pairs, c.obstacles, c.constraints = c.pairs[:0], c.obstacles[:0], c.constraints[:0]
	for i := int32(from); i < int32(to); i++ {
		r := &s.records[bodies.all[i].record]
		reach := p.reach(i)
		obstacles := len(c.obstacles)
		c.near = c.near[:0]
		visit := func(k uint32) bool {
			if j := bodies.of(int(k)); j > i { // else the pair is found from the other side
				// The record is read last, since it is mostly not in the cache.
				if isWithinOf(r.bounds(), &bodies.bounds[j], reach+float32(bodies.weights[j].limit)) && r.meets(&s.records[k]) {
					c.near = append(c.near, j)
				}
			} else if j < 0 {
				if o := &s.records[k]; !o.sensor && r.meets(o) && isWithinOf(r.bounds(), o.bounds(), reach) {
					c.obstacles = append(c.obstacles, obstaclePair{nearPair: nearPair{body: i, other: int32(k)}, id: o.id})
				}
			}
			return true
		}
		if p.joined {
			for _, k := range p.around.of(i) {
				visit(k)
			}
		} else {
			s.boxes.VisitAABB(r.bounds().Grow(reach+bodies.farthest), visit)
		}
		s.visitPlanes(func(k uint32) bool {
			if o := &s.records[k]; !o.sensor && r.meets(o) && isWithin(o.subshapes(), r.bounds(), reach) {
				c.obstacles = append(c.obstacles, obstaclePair{nearPair: nearPair{body: i, other: int32(k)}, id: o.id})
			}
			return true
		})
		slices.Sort(c.near) // bodies are in the order of IDs
		for _, j := range c.near {
			c.pairs = append(c.pairs, nearPair{body: i, other: j})
		}
		slices.SortFunc(c.obstacles[obstacles:], func(x, o obstaclePair) int { return cmp.Compare(x.id, o.id) })
	}
}

// reach returns how far a body may be pushed, in metres, with the slack of its bounds.
func (p *Separator) reach(i int32) float32 {
	return float32(p.bodies.weights[i].limit) + placed.Slack(&p.bodies.bounds[i])
}

// isWithinOf reports whether two boxes that are not empty are no further apart than a
// distance, in metres, along any axis.
func isWithinOf(a, b *geom.AABB, d float32) bool {
	return a.Min.X-d <= b.Max.X && b.Min.X <= a.Max.X+d && a.Min.Y-d <= b.Max.Y && b.Min.Y <= a.Max.Y+d &&
		a.Min.Z-d <= b.Max.Z && b.Min.Z <= a.Max.Z+d
}

// dropIgnored drops the obstacles that Ignores reports. It runs on one goroutine, since Ignores is
// the user's.
func (p *Separator) dropIgnored() {
	if p.Ignores == nil {
		return
	}
	chunks := p.chunks()
	for i := range chunks {
		c := &chunks[i]
		c.obstacles = slices.DeleteFunc(c.obstacles, func(x obstaclePair) bool { return p.Ignores(p.bodies.all[x.body].id, x.id) })
	}
}

// obstaclesOf returns the obstacles near a body of the chunk.
func (c *nearby) obstaclesOf(i int32) []obstaclePair {
	from, _ := slices.BinarySearchFunc(c.obstacles, i, func(x obstaclePair, i int32) int { return cmp.Compare(x.body, i) })
	to := from
	for to < len(c.obstacles) && c.obstacles[to].body == i {
		to++
	}
	return c.obstacles[from:to]
}

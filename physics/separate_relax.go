package physics

import (
	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
)

const (
	// relaxations is the number of relaxations for each time that contacts are computed. It is
	// even, so that the last writes to bodies.push.
	relaxations = 6
	// islandChunk is how many small islands a worker claims at a time.
	islandChunk = 64
	// largeIsland is the least number of bodies that workers relax together. Fewer: they wait for
	// each other at each relaxation. More: one works while the others have nothing to do.
	largeIsland = 512
)

// bodyConstraint is a constraint as seen from one of its two bodies.
type bodyConstraint struct {
	normal    geom.DVec3 // unit, to the other
	depth     float64    // without the pushes
	lightness float64    // of both together
	other     int32
}

// listConstraints lists the constraints of each body: those with bodies before it, then those with
// bodies after it. So a relaxation adds up the corrections of one body at a time, in the order of
// the pairs. It joins bodies that overlap to islands.
func (p *Separator) listConstraints() {
	bodies, chunks := &p.bodies, p.chunks()
	p.constraints.begin(len(bodies.all))
	for i := range bodies.island {
		bodies.island[i] = int32(i)
	}
	for i := range chunks {
		c := &chunks[i]
		for _, k := range c.active {
			x := &c.pairs[k]
			p.constraints.count(x.body, x.to-x.from)
			p.constraints.count(x.other, x.to-x.from)
			bodies.involved[x.body], bodies.involved[x.other] = true, true
			bodies.join(x.body, x.other)
		}
	}
	p.constraints.allocate()
	for i := range chunks {
		c := &chunks[i]
		for _, k := range c.active {
			x := &c.pairs[k]
			both := bodies.weights[x.body].lightness + bodies.weights[x.other].lightness
			for _, r := range c.constraints[x.from:x.to] {
				p.constraints.add(x.body, bodyConstraint{r.normal, r.depth, both, x.other})
				p.constraints.add(x.other, bodyConstraint{r.normal.Neg(), r.depth, both, x.body})
			}
		}
	}
}

// listIslands lists the islands of the bodies that overlap something, or did before. Islands do not
// overlap each other. So each island is relaxed on its own, until nothing in it changes.
func (p *Separator) listIslands() {
	b := &p.bodies
	clear(b.moved)
	p.islands.begin(len(b.all))
	for i, is := range b.involved {
		if is {
			p.islands.count(b.islandOf(int32(i)), 1)
		}
	}
	p.islands.allocate()
	p.small, p.large = p.small[:0], p.large[:0]
	for i, is := range b.involved {
		if i := int32(i); is {
			if p.islands.add(b.islandOf(i), i); b.island[i] != i {
				continue
			}
			if len(p.islands.of(i)) < largeIsland {
				p.small = append(p.small, i)
			} else {
				p.large = append(p.large, i)
			}
		}
	}
}

// islandOf returns the first body of the island of a body (union-find; Tarjan 1975).
func (b *bodies) islandOf(i int32) int32 {
	for b.island[i] != i {
		b.island[i] = b.island[b.island[i]]
		i = b.island[i]
	}
	return i
}

// join makes the islands of two bodies one.
func (b *bodies) join(i, j int32) {
	i, j = b.islandOf(i), b.islandOf(j)
	b.island[max(i, j)] = min(i, j)
}

// relaxIslands relaxes each island and moves its bodies: the small ones side by side, then each
// large one by all workers.
func (p *Separator) relaxIslands() {
	n := len(p.small)
	p.loop.Run(p, par.Workers(n, islandChunk), n, islandChunk, (*Separator).relaxSmall)
	for _, i := range p.large {
		p.relaxLarge(p.islands.of(i))
	}
}

// relaxSmall relaxes some small islands and moves their bodies.
func (p *Separator) relaxSmall(_, from, to int) {
	b := &p.bodies
	for _, island := range p.small[from:to] {
		members := p.islands.of(island)
		before, after := b.push, b.next
		for range relaxations {
			if !p.relax(members, before, after) {
				break // both are the same
			}
			before, after = after, before
		}
		for _, i := range members {
			b.follow(i)
		}
	}
}

// relaxLarge relaxes one island and moves its bodies.
func (p *Separator) relaxLarge(members []int32) {
	n := len(members)
	p.island, p.from, p.to = members, p.bodies.push, p.bodies.next
	for range relaxations {
		p.loop.Run(p, par.Workers(n, bodyChunk), n, bodyChunk, func(p *Separator, _, from, to int) { p.relax(p.island[from:to], p.from, p.to) })
		p.from, p.to = p.to, p.from
	}
	p.loop.Run(p, par.Workers(n, bodyChunk), n, bodyChunk, func(p *Separator, _, from, to int) {
		for _, i := range p.island[from:to] {
			p.bodies.follow(i)
		}
	})
	p.island, p.from, p.to = nil, nil, nil
}

// relax pushes some bodies by one step of the relaxation, and reports whether any push has changed.
func (p *Separator) relax(members []int32, before, after []geom.DVec3) (changed bool) {
	for _, i := range members {
		push, weight := before[i], &p.bodies.weights[i]
		correction, corrections := geom.DVec3{}, 0
		constraints := p.constraints.of(i)
		for k := range constraints {
			o := &constraints[k]
			depth := o.depth + push.Sub(before[o.other]).Dot(o.normal)
			if depth <= p.slop {
				continue
			}
			each := (depth - float64(p.slop*0.5)) / o.lightness
			correction = correction.AddMul(-each*weight.lightness, o.normal)
			corrections++
		}
		if corrections > 0 {
			// The mean of the corrections is stable and slow; 1.5 times that is still stable. A
			// single correction counts in full.
			push = push.AddMul(min(1, 1.5/float64(corrections)), correction)
		}
		if p.bodies.blocked[i] {
			c := &p.nearby[i/bodyChunk]
			p.pushOut(c, &push, c.obstaclesOf(i))
		}
		weight.limitPush(&push)
		changed = changed || push != before[i]
		after[i] = push
	}
	return changed
}

// pushOut pushes a body out of obstacles, twice, since a push out of one may lead into another.
func (p *Separator) pushOut(c *nearby, push *geom.DVec3, obstacles []obstaclePair) {
	for range 2 {
		for i := range obstacles {
			for k := obstacles[i].from; k < obstacles[i].to; k++ {
				r := &c.constraints[k]
				if depth := r.depthAfter(*push); depth > p.slop {
					*push = push.AddMul(float64(p.slop*0.5)-depth, r.normal)
				}
			}
		}
	}
}

package physics

import (
	"cmp"
	"math"
	"runtime"
	"slices"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

const (
	// DefaultIterations is how often a [Separator] computes contacts.
	DefaultIterations = 4
	// DefaultSlop is the depth of overlaps, in metres, up to which a [Separator] pushes nothing.
	DefaultSlop = 0.001
)

// Separator pushes overlapping movables apart, and out of obstacles. It is made for a crowd of
// kinematic colliders, after each has moved by itself. It computes the pushes; the caller moves the
// colliders.
//
// All other colliders in the space are obstacles, Static or not. They have priority: however hard
// others push, no movable gets deeper into an obstacle than it was, or than Slop if that is more,
// nor past it. Sensors neither push nor are pushed, and layers and masks count as in [Space.Pairs].
// Planes and meshes, and compounds with one, are never pushed.
//
// One call pushes a movable by no more than the least half extent of its subshapes. A dense crowd
// takes several ticks. Movables at rest within Slop keep their positions to the last bit.
//
// The result does not depend on the order of the movables. It is found by Jacobi relaxation: each
// overlap corrects both movables by half of its depth, by weight, and each movable is pushed by
// about the mean of its corrections (Müller et al. 2007; Macklin et al. 2014).
//
// The zero Separator is ready for use, and must not be copied after that. It keeps its memory, so
// that a call allocates nothing once that has grown.
type Separator struct {
	// Iterations is how often contacts are computed; a dense crowd takes more. 0 means
	// [DefaultIterations]. It ends earlier if nothing is left to do.
	Iterations int
	// Slop is the depth, in metres, up to which overlaps are left alone; deeper ones are pushed to
	// half of it. 0, a negative value or NaN means [DefaultSlop].
	Slop float32
	// Up, unless zero, is the normal of the plane in which movables are pushed, of any length: for
	// a crowd that walks on the ground. Then an obstacle touched from above or below, within 45°,
	// is ground: it neither pushes nor blocks, and a movable that is pushed uphill gets into it,
	// until its own next move puts it on the ground again. A movable above another is pushed aside.
	Up geom.Vec3
	// Ignores, unless nil, reports whether an obstacle does not block a movable, for instance
	// because the movable carries it. It is called for obstacles that are near, never for two
	// movables, and must not change the space.
	Ignores func(movable, other ColliderID) bool

	flat bool
	up   geom.DVec3
	slop float64

	bodies   bodies
	nearby   []nearby       // by chunk of bodies
	around   byBody[uint32] // records near each body, if a walk through the tree has found them
	overlaps byBody[overlap]
	islands  byBody[int32] // the bodies of each island, by its first
	small    []int32       // the islands of fewer than largeIsland bodies
	large    []int32
	loop     par.Loop[*Separator]

	// Of the present call.
	space    *Space
	movables []Movable
	walked   bool    // around is set
	looked   bool    // contacts have been computed
	island   []int32 // the bodies of a large island
	from, to []geom.DVec3
}

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

// press is a direction in which two colliders overlap.
type press struct {
	normal geom.DVec3 // unit, from the body to the other
	depth  float64    // without the pushes
}

// overlap is a press as one of two bodies has it.
type overlap struct {
	normal    geom.DVec3 // unit, to the other
	depth     float64    // without the pushes
	lightness float64    // of both together
	other     int32
}

const (
	// relaxations is the number of relaxations for each time that contacts are computed. It is
	// even, so that the last writes to bodies.push.
	relaxations = 6
	// bodyChunk is how many bodies a worker claims at a time. Fewer: claims take longer than what
	// is claimed. More: workers wait for each other, and small crowds use one.
	bodyChunk = 64
	// islandChunk is the same for islands.
	islandChunk = 64
	// largeIsland is the least number of bodies that workers relax together. Fewer: they wait for
	// each other at each relaxation. More: one works while the others have nothing to do.
	largeIsland = 512
)

// Separate computes the push of each movable and writes it to its Push: zero if it stays, is not in
// the space, is nowhere or may not be pushed. Of two movables with the same collider, the first is
// used. It does not change the space. It uses all processors; the result does not depend on their
// number.
func (p *Separator) Separate(s *Space, movables []Movable) {
	p.set()
	s.settle()
	p.space, p.movables, p.looked = s, movables, false
	p.bodies.gather(s, movables)
	p.walk()
	p.run((*Separator).meet)
	p.leaveIgnored()
	iterations := p.Iterations
	if iterations <= 0 {
		iterations = DefaultIterations
	}
	for range iterations {
		p.run((*Separator).update)
		if p.looked = true; !p.isPressed() {
			break
		}
		p.share()
		n := len(p.small)
		p.loop.Run(p, par.Workers(n, islandChunk), n, islandChunk, (*Separator).relaxSmall)
		for _, i := range p.large {
			p.relaxLarge(p.islands.of(i))
		}
	}
	p.run((*Separator).finish)
	p.space, p.movables = nil, nil
	p.bodies.release()
}

// run runs a function over the chunks of bodies.
func (p *Separator) run(some func(p *Separator, worker, from, to int)) {
	n := len(p.bodies.all)
	for len(p.nearby) < (n+bodyChunk-1)/bodyChunk {
		p.nearby = append(p.nearby, nearby{})
	}
	p.loop.Run(p, par.Workers(n, bodyChunk), n, bodyChunk, some)
}

// chunks returns what is near the bodies.
func (p *Separator) chunks() []nearby {
	return p.nearby[:(len(p.bodies.all)+bodyChunk-1)/bodyChunk]
}

// set computes the settings with their defaults.
func (p *Separator) set() {
	if p.slop = float64(p.Slop); !(p.slop > 0) {
		p.slop = DefaultSlop
	}
	p.up = p.Up.Wide().Normalize()
	p.flat = p.Up.IsFinite() && p.up != geom.DVec3{}
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

// update computes the contacts of some bodies where one of the two has moved.
func (p *Separator) update(_, from, to int) {
	bodies, c := &p.bodies, &p.nearby[from/bodyChunk]
	w := takeScratch()
	defer w.give()
	c.active, c.pressed = c.active[:0], false
	for i := range c.pairs {
		x := &c.pairs[i]
		if !p.looked || bodies.moved[x.body] || bodies.moved[x.other] {
			x.to = x.from
			if bodies.bounds[x.body].OverlapsAABB(bodies.bounds[x.other]) {
				p.findPair(c, w, x)
			}
		}
		if x.from < x.to {
			c.active = append(c.active, int32(i))
			c.pressed = c.pressed || p.presses(c, x, bodies.between(x))
		}
	}
	clear(bodies.stood[from:to])
	for i := range c.stands {
		x := &c.stands[i]
		if !p.looked || bodies.moved[x.body] {
			p.findStand(c, w, x, bodies.push[x.body])
		}
		if x.from < x.to {
			bodies.stood[x.body], bodies.involved[x.body] = true, true
			c.pressed = c.pressed || p.presses(c, &x.abut, bodies.push[x.body])
		}
	}
}

// isPressed reports whether any body is deeper than Slop in something.
func (p *Separator) isPressed() bool {
	chunks := p.chunks()
	for i := range chunks {
		if chunks[i].pressed {
			return true
		}
	}
	return false
}

// share gives each body its overlaps: those with bodies before it, then those with bodies after it.
// So a relaxation adds up the corrections of each body by itself, and in the order of the pairs.
func (p *Separator) share() {
	bodies, chunks := &p.bodies, p.chunks()
	p.overlaps.begin(len(bodies.all))
	for i := range chunks {
		c := &chunks[i]
		for _, k := range c.active {
			x := &c.pairs[k]
			p.overlaps.count(x.body, x.to-x.from)
			p.overlaps.count(x.other, x.to-x.from)
			bodies.involved[x.body], bodies.involved[x.other] = true, true
		}
	}
	p.overlaps.allocate()
	for i := range chunks {
		c := &chunks[i]
		for _, k := range c.active {
			x := &c.pairs[k]
			both := bodies.weights[x.body].lightness + bodies.weights[x.other].lightness
			for _, r := range c.press[x.from:x.to] {
				p.overlaps.add(x.body, overlap{r.normal, r.depth, both, x.other})
				p.overlaps.add(x.other, overlap{r.normal.Neg(), r.depth, both, x.body})
			}
		}
	}
	p.divide()
}

// divide divides the bodies that overlap something, or did before, into islands, which do not
// overlap each other. So each island is relaxed by itself, until nothing in it changes.
func (p *Separator) divide() {
	b, chunks := &p.bodies, p.chunks()
	clear(b.moved)
	for i := range b.island {
		b.island[i] = int32(i)
	}
	for i := range chunks {
		c := &chunks[i]
		for _, k := range c.active {
			b.join(c.pairs[k].body, c.pairs[k].other)
		}
	}
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

// presses reports whether a body and a collider near it are deeper in each other than Slop after a
// push.
func (p *Separator) presses(c *nearby, x *abut, push geom.DVec3) bool {
	for k := x.from; k < x.to; k++ {
		if c.press[k].now(push) > p.slop {
			return true
		}
	}
	return false
}

// now returns the depth after one is pushed relative to the other.
func (r *press) now(push geom.DVec3) float64 { return r.depth + push.Dot(r.normal) }

// findStand computes the contacts of a pushed body with an obstacle.
func (p *Separator) findStand(c *nearby, w *scratch, x *stand, push geom.DVec3) {
	x.to = x.from
	if r := &p.space.records[x.other]; !x.ground && p.bodies.bounds[x.body].OverlapsAABB(*r.bounds()) {
		x.from = int32(len(c.press))
		w.manifolds = w.collide(w.manifolds[:0], p.bodies.subshapes(p.space, x.body), r.subshapes(), 0)
		for i := range w.manifolds {
			m := &w.manifolds[i]
			if n, depth, ok := p.way(m.Normal, m.Depth()); ok {
				c.press = append(c.press, press{n, depth - push.Dot(n)})
			}
		}
		x.to = int32(len(c.press))
	}
}

// findPair computes the contacts of two bodies.
func (p *Separator) findPair(c *nearby, w *scratch, x *abut) {
	b := &p.bodies
	x.from = int32(len(c.press))
	if n, depth, ok, simple := b.collideSimple(x); simple {
		if ok {
			p.addPress(c, x, n, depth)
		}
	} else {
		w.manifolds = w.collide(w.manifolds[:0], b.subshapes(p.space, x.body), b.subshapes(p.space, x.other), 0)
		for i := range w.manifolds {
			p.addPress(c, x, w.manifolds[i].Normal, w.manifolds[i].Depth())
		}
	}
	x.to = int32(len(c.press))
}

// addPress adds a contact of two bodies. One that is above the other is pushed off it.
func (p *Separator) addPress(c *nearby, x *abut, normal geom.Vec3, depth float32) {
	b := &p.bodies
	n, far, ok := p.way(normal, depth)
	if !ok {
		n = p.aside(&b.bounds[x.body], &b.bounds[x.other])
	}
	c.press = append(c.press, press{n, far - b.between(x).Dot(n)})
}

// way returns the direction and the distance to move two colliders apart. With Up set, it returns
// false if one is above the other.
func (p *Separator) way(along geom.Vec3, far float32) (normal geom.DVec3, depth float64, ok bool) {
	normal, depth = along.Wide(), float64(far)
	if !p.flat {
		return normal, depth, true
	}
	level := normal.AddMul(-normal.Dot(p.up), p.up)
	l := level.Len()
	if float64(l*l) < 0.5 {
		return geom.DVec3{}, depth, false
	}
	return level.Mul(1 / l), depth / l, true
}

// aside returns a level direction in which a movable above another is pushed off it.
func (p *Separator) aside(a, b *geom.AABB) geom.DVec3 {
	d := b.Center().Wide().Sub(a.Center().Wide())
	level := d.AddMul(-d.Dot(p.up), p.up)
	if level.Len() > 1e-4*a.HalfExtents().Wide().Len() {
		return level.Normalize()
	}
	across := geom.DVec3{X: 1}
	if math.Abs(p.up.X) > 0.6 {
		across = geom.DVec3{Z: 1}
	}
	return across.AddMul(-across.Dot(p.up), p.up).Normalize()
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
		overlaps := p.overlaps.of(i)
		for k := range overlaps {
			o := &overlaps[k]
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
		if p.bodies.stood[i] {
			c := &p.nearby[i/bodyChunk]
			p.pushOut(c, &push, c.standsOf(i))
		}
		weight.confine(&push)
		changed = changed || push != before[i]
		after[i] = push
	}
	return changed
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

// pushOut pushes a body out of obstacles, twice, since a push out of one may lead into another.
func (p *Separator) pushOut(c *nearby, push *geom.DVec3, stands []stand) {
	for range 2 {
		for i := range stands {
			for k := stands[i].from; k < stands[i].to; k++ {
				r := &c.press[k]
				if depth := r.now(*push); depth > p.slop {
					*push = push.AddMul(float64(p.slop*0.5)-depth, r.normal)
				}
			}
		}
	}
}

// finish writes the pushes of some bodies.
func (p *Separator) finish(_, from, to int) {
	c := &p.nearby[from/bodyChunk]
	w := takeScratch()
	defer w.give()
	for i := int32(from); i < int32(to); i++ {
		if push := &p.bodies.push[i]; *push != (geom.DVec3{}) {
			p.restrain(c, w, i, push, c.standsOf(i))
			p.movables[p.bodies.all[i].movable].Push = push.Narrow()
		}
	}
}

// restrain shortens the push of a body that would get deeper into an obstacle, or past one.
func (p *Separator) restrain(c *nearby, w *scratch, i int32, push *geom.DVec3, stands []stand) {
	for range 4 {
		pressed := false
		for i := range stands {
			p.findStand(c, w, &stands[i], *push)
			pressed = pressed || p.presses(c, &stands[i].abut, *push)
		}
		if !pressed {
			break
		}
		p.pushOut(c, push, stands)
		p.bodies.weights[i].confine(push)
		p.bodies.follow(i)
	}
	for range 3 {
		if p.mayGo(w, i, stands) {
			return
		}
		*push = push.Mul(0.5)
		p.bodies.follow(i)
	}
	if !p.mayGo(w, i, stands) {
		*push = geom.DVec3{}
	}
}

// mayGo reports whether a body, after its push, is no deeper in any obstacle than it was, and on
// the same side of it.
func (p *Separator) mayGo(w *scratch, i int32, stands []stand) bool {
	if len(stands) == 0 && p.bodies.simple {
		return true
	}
	s := p.space
	before, after := s.records[p.bodies.all[i].record].subshapes(), p.bodies.subshapes(s, i)
	if len(before) != len(after) {
		return false // a child overflowed float32
	}
	for i := range stands {
		r := &s.records[stands[i].other]
		if !stands[i].ground {
			if depth := p.depth(w, after, r, false); depth > p.slop && depth > p.depth(w, before, r, true) {
				return false
			}
		}
		for k := range after {
			from, to := before[k].Bounds.Center(), after[k].Bounds.Center()
			// A body that starts on a surface may move to either side.
			ray := geom.Ray{Origin: from, Dir: to.Sub(from), MinT: 0.001, MaxT: 1}
			if ray.IsValid() && r.castAnySubshape(&ray, &Filter{Start: geom.Ignore}) {
				return false
			}
		}
	}
	return true
}

// depth returns the depth of a body in an obstacle; ground counts only on request.
func (p *Separator) depth(w *scratch, subshapes []placed.Subshape, r *record, ground bool) float64 {
	deepest := 0.0
	w.manifolds = w.collide(w.manifolds[:0], subshapes, r.subshapes(), 0)
	for i := range w.manifolds {
		if _, depth, ok := p.way(w.manifolds[i].Normal, w.manifolds[i].Depth()); ok || ground {
			deepest = max(deepest, depth)
		}
	}
	return deepest
}

package physics

import (
	"cmp"
	"math"
	"slices"

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

	flat   bool
	up     geom.DVec3
	slop   float64
	bodies bodies
	pairs  []abut  // of two bodies
	active []int32 // the pairs that have presses
	stands []abut  // of a body and what stands in its way, in the order of the bodies
	press  []press
}

// abut is a body and something near it.
type abut struct {
	id       ColliderID // of the other
	body     int32
	other    int32 // a body, or the record of what stands in the way
	from, to int32 // the range of the presses of both
	looked   bool
	ground   bool // of a stand: see [Separator.isGround]
}

// press is a direction in which two colliders overlap.
type press struct {
	normal geom.DVec3 // unit, from the body to the other
	depth  float64    // without the pushes
}

// relaxations is the number of relaxations for each time that contacts are computed.
const relaxations = 6

// Separate computes the push of each movable and writes it to its Push: zero if it stays, is not in
// the space, is nowhere or may not be pushed. Of two movables with the same collider, the first is
// used. It does not change the space.
func (p *Separator) Separate(s *Space, movables []Movable) {
	p.set()
	s.settle()
	w := takeScratch()
	defer w.give()
	p.bodies.gather(s, movables)
	p.meet(s, w)
	iterations := p.Iterations
	if iterations <= 0 {
		iterations = DefaultIterations
	}
	p.press = p.press[:0]
	for range iterations {
		if !p.update(s, w) {
			break
		}
		for range relaxations {
			p.relax()
		}
		for i := range p.bodies.all {
			p.bodies.all[i].follow()
		}
	}
	stands := p.stands
	for i := range p.bodies.all {
		b := &p.bodies.all[i]
		n := 0
		if len(stands) > 0 && stands[0].body == int32(i) {
			n = ofOneBody(stands)
		}
		if b.push != (geom.DVec3{}) {
			p.restrain(s, w, b, stands[:n])
			movables[b.movable].Push = b.push.Narrow()
		}
		stands = stands[n:]
	}
	p.bodies.release()
}

// set computes the settings with their defaults.
func (p *Separator) set() {
	if p.slop = float64(p.Slop); !(p.slop > 0) {
		p.slop = DefaultSlop
	}
	p.up = p.Up.Wide().Normalize()
	p.flat = p.Up.IsFinite() && p.up != geom.DVec3{}
}

// meet finds the colliders near each body that it may come to touch.
func (p *Separator) meet(s *Space, w *scratch) {
	p.pairs, p.stands = p.pairs[:0], p.stands[:0]
	all := p.bodies.all
	for i := range all {
		b := &all[i]
		r := &s.records[b.record]
		reach := float32(b.limit) + placed.Slack(r.bounds())
		from := len(p.pairs)
		fromStands := len(p.stands)
		s.boxes.VisitAABB(r.bounds().Grow(reach+p.bodies.farthest), func(k uint32) bool {
			o := &s.records[k]
			if o == r || o.sensor || !r.meets(o) {
				return true
			}
			if j := p.bodies.of(int(k)); j >= 0 {
				if j > int32(i) && r.bounds().Grow(reach+float32(all[j].limit)).OverlapsAABB(*o.bounds()) {
					p.pairs = append(p.pairs, abut{id: o.id, body: int32(i), other: j})
				}
			} else if r.bounds().Grow(reach).OverlapsAABB(*o.bounds()) && !p.ignores(r, o) {
				p.stands = append(p.stands, abut{id: o.id, body: int32(i), other: int32(k), ground: p.isGround(w, r, o, reach)})
			}
			return true
		})
		s.visitPlanes(func(k uint32) bool {
			if o := &s.records[k]; !o.sensor && r.meets(o) && isWithin(o.subshapes(), r.bounds(), reach) && !p.ignores(r, o) {
				p.stands = append(p.stands, abut{id: o.id, body: int32(i), other: int32(k)})
			}
			return true
		})
		slices.SortFunc(p.pairs[from:], abut.compare)
		slices.SortFunc(p.stands[fromStands:], abut.compare)
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

// ignores calls Ignores.
func (p *Separator) ignores(r, o *record) bool { return p.Ignores != nil && p.Ignores(r.id, o.id) }

// compare orders the colliders near one body.
func (x abut) compare(o abut) int { return cmp.Compare(x.id, o.id) }

// update computes the contacts of bodies that have moved, and reports whether any is deeper than
// Slop.
func (p *Separator) update(s *Space, w *scratch) (found bool) {
	all := p.bodies.all
	p.active = p.active[:0]
	for i := range p.pairs {
		x := &p.pairs[i]
		a, b := &all[x.body], &all[x.other]
		if !x.looked || a.moved || b.moved {
			p.find(w, x, a, b.bounds, b.subshapes, b.push, true)
		}
		if x.from < x.to {
			p.active = append(p.active, int32(i))
			found = found || p.presses(x, a.push.Sub(b.push))
		}
	}
	for i := range p.stands {
		x := &p.stands[i]
		a := &all[x.body]
		if !x.looked || a.moved {
			p.findStand(s, w, x, a)
		}
		found = found || p.presses(x, a.push)
	}
	for i := range all {
		all[i].moved = false
	}
	return found
}

// presses reports whether a body and a collider near it are deeper in each other than Slop after a
// push.
func (p *Separator) presses(x *abut, push geom.DVec3) bool {
	for k := x.from; k < x.to; k++ {
		if p.press[k].now(push) > p.slop {
			return true
		}
	}
	return false
}

// now returns the depth after one is pushed relative to the other.
func (r *press) now(push geom.DVec3) float64 { return r.depth + push.Dot(r.normal) }

func (p *Separator) findStand(s *Space, w *scratch, x *abut, a *body) {
	if x.ground {
		x.looked = true
		return
	}
	r := &s.records[x.other]
	p.find(w, x, a, r.bounds(), r.subshapes(), geom.DVec3{}, false)
}

// find computes the contacts of a body with a collider near it, which has been pushed itself.
func (p *Separator) find(w *scratch, x *abut, a *body, bounds *geom.AABB, subshapes []placed.Subshape, pushed geom.DVec3, movable bool) {
	x.looked = true
	x.from = int32(len(p.press))
	x.to = x.from
	if !a.bounds.OverlapsAABB(*bounds) {
		return
	}
	w.manifolds = w.collide(w.manifolds[:0], a.subshapes, subshapes, 0)
	for i := range w.manifolds {
		m := &w.manifolds[i]
		n, depth, ok := p.way(m)
		if !ok {
			if !movable {
				continue
			}
			n = p.aside(a.bounds, bounds)
		}
		p.press = append(p.press, press{n, depth - a.push.Sub(pushed).Dot(n)})
	}
	x.to = int32(len(p.press))
}

// way returns the direction and the distance to move two colliders apart. With Up set, it returns
// false if one is above the other.
func (p *Separator) way(m *Manifold) (normal geom.DVec3, depth float64, ok bool) {
	normal, depth = m.Normal.Wide(), float64(m.Depth())
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

// relax pushes all bodies by one step of the relaxation.
func (p *Separator) relax() {
	all := p.bodies.all
	for i := range all {
		all[i].correction, all[i].corrections = geom.DVec3{}, 0
	}
	for _, i := range p.active {
		x := &p.pairs[i]
		a, b := &all[x.body], &all[x.other]
		for k := x.from; k < x.to; k++ {
			r := &p.press[k]
			depth := r.now(a.push.Sub(b.push))
			if depth <= p.slop {
				continue
			}
			each := (depth - float64(p.slop*0.5)) / (a.lightness + b.lightness)
			a.correction = a.correction.AddMul(-each*a.lightness, r.normal)
			b.correction = b.correction.AddMul(each*b.lightness, r.normal)
			a.corrections++
			b.corrections++
		}
	}
	for i := range all {
		// The mean of the corrections is stable and slow; 1.5 times that is still stable. A single
		// correction counts in full.
		if b := &all[i]; b.corrections > 0 {
			b.push = b.push.AddMul(min(1, 1.5/float64(b.corrections)), b.correction)
		}
	}
	stands := p.stands
	for len(stands) > 0 {
		n := ofOneBody(stands)
		p.pushOut(&all[stands[0].body], stands[:n])
		stands = stands[n:]
	}
	for i := range all {
		all[i].confine()
	}
}

// ofOneBody returns the number of entries at the front of a list that are of the same body.
func ofOneBody(list []abut) int {
	n := 1
	for n < len(list) && list[n].body == list[0].body {
		n++
	}
	return n
}

// pushOut pushes a body out of obstacles, twice, since a push out of one may lead into another.
func (p *Separator) pushOut(b *body, stands []abut) {
	for range 2 {
		for i := range stands {
			for k := stands[i].from; k < stands[i].to; k++ {
				r := &p.press[k]
				if depth := r.now(b.push); depth > p.slop {
					b.push = b.push.AddMul(float64(p.slop*0.5)-depth, r.normal)
				}
			}
		}
	}
}

// restrain shortens the push of a body that would get deeper into an obstacle, or past one.
func (p *Separator) restrain(s *Space, w *scratch, b *body, stands []abut) {
	for range 4 {
		pressed := false
		for i := range stands {
			p.findStand(s, w, &stands[i], b)
			pressed = pressed || p.presses(&stands[i], b.push)
		}
		if !pressed {
			break
		}
		p.pushOut(b, stands)
		b.confine()
		b.follow()
	}
	for range 3 {
		if p.mayGo(s, w, b, stands) {
			return
		}
		b.push = b.push.Mul(0.5)
		b.follow()
	}
	if !p.mayGo(s, w, b, stands) {
		b.push = geom.DVec3{}
	}
}

// mayGo reports whether a body, after its push, is no deeper in any obstacle than it was, and on
// the same side of it.
func (p *Separator) mayGo(s *Space, w *scratch, b *body, stands []abut) bool {
	before := s.records[b.record].subshapes()
	if len(before) != len(b.subshapes) {
		return false // a child overflowed float32
	}
	for i := range stands {
		r := &s.records[stands[i].other]
		if !stands[i].ground {
			if depth := p.depth(w, b.subshapes, r, false); depth > p.slop && depth > p.depth(w, before, r, true) {
				return false
			}
		}
		for k := range b.subshapes {
			from, to := before[k].Bounds.Center(), b.subshapes[k].Bounds.Center()
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
		if _, depth, ok := p.way(&w.manifolds[i]); ok || ground {
			deepest = max(deepest, depth)
		}
	}
	return deepest
}

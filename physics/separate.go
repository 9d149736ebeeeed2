package physics

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

const (
	// DefaultIterations is how often a [Separator] looks where its movables have got to.
	DefaultIterations = 4
	// DefaultSlop is how deep, in metres, movables may be in each other before a [Separator] pushes
	// them.
	DefaultSlop = 0.001
)

// Separator pushes movables apart that overlap, and out of what does not move: a crowd of kinematic
// things, as a rule after each has moved by itself. It says how far; the caller moves them.
//
// What is in the space and not among the movables stands in the way, be it Static or not. It has
// priority: however hard others push, no movable gets deeper into such a collider than it was, or
// than Slop if that is more, nor past it. Sensors neither push nor are pushed, and layers and masks
// count as in [Space.Pairs]. Planes and meshes, and compounds with one, are never pushed.
//
// At once, a movable is pushed no further than the least of the half extents of what it is made of.
// In a throng a tick does not do: the next goes on. What rests within Slop is not moved at all, to
// the last bit.
//
// The answer does not depend on the order of the movables. It is found by relaxation: each overlap
// asks its two to move half the way each, all at once, and each moves by the mean of what it is
// asked (Müller et al. 2007; Macklin et al. 2014).
//
// The zero Separator is ready, and must not be copied after use. It keeps its memory, so that a
// call allocates nothing once that has grown.
type Separator struct {
	// Iterations is how often it looks anew who overlaps whom; more in a throng. 0 means
	// [DefaultIterations]. It stops before where there is nothing to do.
	Iterations int
	// Slop is how deep, in metres, two may be in each other and be left alone; those that are
	// deeper are pushed to half of it. 0, what is negative or NaN means [DefaultSlop].
	Slop float32
	// Up, unless zero, is the normal of the plane in which movables are pushed, of any length: a
	// crowd that walks on the ground. Then what is touched from above or below, within 45°, counts
	// as ground: it pushes nobody and holds nobody back, and who is pushed uphill gets into it, to
	// be set on it again by what makes them walk. Of movables, one that is above another is pushed
	// aside.
	Up geom.Vec3
	// Ignores, unless nil, says what of all that would stand in a movable's way does not: what it
	// carries, for instance. It is asked of what is near, and never of two movables. It must not
	// change the space.
	Ignores func(movable, other ColliderID) bool

	flat   bool
	up     geom.DVec3
	slop   float64
	bodies bodies
	pairs  []abut // of two bodies
	stands []abut // of a body and what stands in its way, in the order of the bodies
	press  []press
}

// abut is a body and something near it.
type abut struct {
	id       ColliderID // of the other
	body     int32
	other    int32 // a body, or the record of what stands in the way
	from, to int32 // where the two press, as last looked at
	looked   bool
}

// press is a direction in which two overlap.
type press struct {
	normal geom.DVec3 // unit, from the body to the other
	depth  float64    // if neither were pushed
}

// relaxations is how often pushes are worked out between two looks.
const relaxations = 6

// Separate finds out how far each movable is to be moved, and writes it to its Push: zero for those
// that stay, and for those that are not in the space, are nowhere or may not be pushed. A collider
// that is named twice is pushed by the first. The space is not changed.
func (p *Separator) Separate(s *Space, movables []Movable) {
	p.set()
	s.settle()
	w := takeScratch()
	defer w.give()
	p.bodies.gather(s, movables)
	p.meet(s)
	iterations := p.Iterations
	if iterations <= 0 {
		iterations = DefaultIterations
	}
	p.press = p.press[:0]
	for range iterations {
		if !p.look(s, w) {
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
	p.bodies.dismiss()
}

// set makes sense of what was asked for.
func (p *Separator) set() {
	if p.slop = float64(p.Slop); !(p.slop > 0) {
		p.slop = DefaultSlop
	}
	p.up = p.Up.Wide().Normalize()
	p.flat = p.Up.IsFinite() && p.up != geom.DVec3{}
}

// meet finds what is near enough to a body that the two may come to touch.
func (p *Separator) meet(s *Space) {
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
				p.stands = append(p.stands, abut{id: o.id, body: int32(i), other: int32(k)})
			}
			return true
		})
		for _, k := range s.planes {
			if o := &s.records[k]; !o.sensor && r.meets(o) && isWithin(o.subshapes(), r.bounds(), reach) && !p.ignores(r, o) {
				p.stands = append(p.stands, abut{id: o.id, body: int32(i), other: k})
			}
		}
		slices.SortFunc(p.pairs[from:], abut.compare)
		slices.SortFunc(p.stands[fromStands:], abut.compare)
	}
}

// ignores asks Ignores.
func (p *Separator) ignores(r, o *record) bool { return p.Ignores != nil && p.Ignores(r.id, o.id) }

// compare orders what is near one body.
func (x abut) compare(o abut) int { return cmp.Compare(x.id, o.id) }

// look finds out anew where bodies that have moved press, and reports whether any does too much.
func (p *Separator) look(s *Space, w *scratch) (found bool) {
	all := p.bodies.all
	for i := range p.pairs {
		x := &p.pairs[i]
		a, b := &all[x.body], &all[x.other]
		if !x.looked || a.moved || b.moved {
			p.find(w, x, a, b.bounds, b.subshapes, b.push, true)
		}
		found = found || p.presses(x, a.push.Sub(b.push))
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

// presses reports whether a body and what is near it are deeper in each other than they may be,
// once pushed apart.
func (p *Separator) presses(x *abut, push geom.DVec3) bool {
	for k := x.from; k < x.to; k++ {
		if p.press[k].now(push) > p.slop {
			return true
		}
	}
	return false
}

// now returns how deep two are in each other of which one is pushed as seen from the other.
func (r *press) now(push geom.DVec3) float64 { return r.depth + push.Dot(r.normal) }

func (p *Separator) findStand(s *Space, w *scratch, x *abut, a *body) {
	r := &s.records[x.other]
	p.find(w, x, a, r.bounds(), r.subshapes(), geom.DVec3{}, false)
}

// find finds out where a body presses against what is near it, and has been pushed itself.
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

// way returns the direction in which two are to be moved apart, and how far. In a flat world, false
// means that one is above the other.
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

// aside returns a level direction in which one that is above another may be got down.
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

// relax pushes all bodies a little nearer to where none presses.
func (p *Separator) relax() {
	all := p.bodies.all
	for i := range all {
		all[i].ask, all[i].asks = geom.DVec3{}, 0
	}
	for i := range p.pairs {
		x := &p.pairs[i]
		a, b := &all[x.body], &all[x.other]
		for k := x.from; k < x.to; k++ {
			r := &p.press[k]
			depth := r.now(a.push.Sub(b.push))
			if depth <= p.slop {
				continue
			}
			each := (depth - float64(p.slop*0.5)) / (a.lightness + b.lightness)
			a.ask = a.ask.AddMul(-each*a.lightness, r.normal)
			b.ask = b.ask.AddMul(each*b.lightness, r.normal)
			a.asks++
			b.asks++
		}
	}
	for i := range all {
		// The mean is safe and slow. Somewhat more is still stable, and one alone is done what it
		// asks.
		if b := &all[i]; b.asks > 0 {
			b.push = b.push.AddMul(min(1, 1.5/float64(b.asks)), b.ask)
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

// ofOneBody returns how many at the front of a list are of the same body.
func ofOneBody(list []abut) int {
	n := 1
	for n < len(list) && list[n].body == list[0].body {
		n++
	}
	return n
}

// pushOut pushes a body out of what stands in its way, twice, as being pushed out of one may push
// it into another.
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

// restrain sees to it that a body which has been pushed is not the worse for it.
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

// mayGo reports whether a body, where it is pushed to, is no deeper in anything that stands in its
// way than it was, and on the same side of it.
func (p *Separator) mayGo(s *Space, w *scratch, b *body, stands []abut) bool {
	before := s.records[b.record].subshapes()
	if len(before) != len(b.subshapes) {
		return false // a child got lost out there
	}
	for i := range stands {
		r := &s.records[stands[i].other]
		if depth := p.depth(w, b.subshapes, r, false); depth > p.slop && depth > p.depth(w, before, r, true) {
			return false
		}
		for k := range b.subshapes {
			from, to := before[k].Bounds.Center(), b.subshapes[k].Bounds.Center()
			// What starts on a surface may go to either side.
			ray := geom.Ray{Origin: from, Dir: to.Sub(from), MinT: 0.001, MaxT: 1}
			if ray.IsValid() && r.castAnySubshape(&ray, &Filter{Start: geom.Ignore}) {
				return false
			}
		}
	}
	return true
}

// depth returns how deep a body is in something; what is ground to it counts only if it is asked
// for.
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

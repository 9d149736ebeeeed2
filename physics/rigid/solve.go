package rigid

import (
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/broad"
)

// A contact is heavy if its load would accelerate the lighter body by more than heavyLoad, in m/s²,
// some 128 times gravity: a small body carries a large one, or a very high stack. A sweep over the
// constraints changes an impulse by no more than these two bodies need, so such loads build up too
// slowly. Heavy contacts get heavySweeps more sweeps a substep, with the others of their octets. In
// a planar space there are no others: it must not matter which constraints are persistent.
//
// The frequency of stiff contacts is stiffness times that of others. A contact is stiff if it is
// heavy, as the sweeps allow, or if the load of one of its points is more than stiffLoad, in m/s²:
// a point gives way in proportion to its load, and crates that stand on an edge or a corner in a
// pile sink by two centimetres into each other. Contacts with a body that is not dynamic are always
// stiff, by groundStiffness: at 2, as in Box2D, a crate below 20 others sinks by 6 mm into the
// ground, on a corner; at 2.4, a body with 65 times its mass on it vibrates.
//
// A contact stays heavy or stiff down to keptLoad of these loads. Else one near them, which is more
// or less as the contact is stiff or not, would vibrate for good.
const (
	heavyLoad       = 1250
	heavySweeps     = 8
	stiffLoad       = 250
	keptLoad        = 0.8
	stiffness       = 2
	groundStiffness = 2.2
)

// job is a constraint to prepare and to store: a manifold of a contact.
type job struct {
	contact  *physics.Contact
	manifold *physics.Manifold
	kept     *contact
	memory   *memory
	k        int32 // number of the manifold
	n        int32 // of points that the solver acts on
	color    int32
	at       int32 // octet and lane, as 8·octet + lane
	heavy    bool
	alike    bool    // as many manifolds are held as the contact has
	keeps    bool    // the manifold of the memory
	slides   bool    // on a surface that moves
	hits     bool    // it met fast enough for a Hit or an impact
	hidden   bool    // an edge at a seam, which has no lane: see hideSeams
	hides    bool    // one
	sunk     bool    // a point is deeper than sunkGap, in a lane: see spread
	before   int32   // 1 + index of another job of a body with the ground
	seams    bool    // those are with several colliders, or with a compound
	pressed  uint8   // set of points with an impulse from the step before
	deep     float32 // how deep a dynamic body is in one that is not
}

// lane returns the octet and the lane of a constraint.
func (d *Dynamics) lane(j *job) (*octet, int) { return &d.octets[j.at/lanes], int(j.at % lanes) }

// arrange gives the jobs lanes by color: octets of one color, one color after the other. In a
// color, those that are heavy come last, and of both those with as many points are together.
func (d *Dynamics) arrange() {
	var counts [maxColors + 1][2 * (physics.MaxContactPoints + 1)]int32
	const heavy = physics.MaxContactPoints + 1
	class := func(j *job) int32 {
		if j.heavy {
			return heavy + j.n
		}
		return j.n
	}
	for i := range d.jobs {
		if j := &d.jobs[i]; !j.hidden {
			counts[j.color][class(j)]++
		}
	}
	next := counts
	// The octets of persistent constraints come first.
	first := int(d.persistent.octets)
	alone := d.space.IsPlanar() // see heavyLoad
	d.starts = emptied(d.starts, len(d.jobs)+2*len(counts)*(lanes-1))
	for c := range counts {
		end := len(d.starts)
		d.colors[c] = int32(first + end/lanes)
		for k, count := range counts[c] {
			if k == heavy && alone {
				end = d.fillStarts(end)
			}
			next[c][k] = int32(end)
			end += int(count)
		}
		if d.heavy[c] = int32(first) + next[c][heavy]/lanes; int(next[c][heavy]) == end {
			d.heavy[c] = int32(first + (end+lanes-1)/lanes)
		}
		d.fillStarts(end)
	}
	n := first + len(d.starts)/lanes
	d.colors[overflow+1] = int32(n)
	d.roomForOctets(n)
	d.sliding = d.sliding[:0]
	for i := range d.jobs {
		j := &d.jobs[i]
		if j.at = int32(first * lanes); j.hidden {
			continue
		}
		at := &next[j.color][class(j)]
		j.at += *at
		*at++
		if j.slides {
			d.sliding = append(d.sliding, int32(i))
		}
	}
}

// emptied returns a list without elements, with room for n. slices.Grow would copy what no one
// reads: of the octets of a pile that grows, 2 % of a step.
func emptied[T any](list []T, n int) []T {
	if n > cap(list) {
		return make([]T, 0, n+n/2)
	}
	return list[:0]
}

// roomForOctets makes so many octets, of which the persistent ones stay.
func (d *Dynamics) roomForOctets(n int) {
	if n > cap(d.octets) {
		d.octets = append(emptied(d.octets, n), d.octets[:min(int(d.persistent.octets), len(d.octets))]...)
	}
	d.octets = d.octets[:n]
}

// start returns what a constraint begins with.
func (d *Dynamics) start(j *job) *start { return &d.starts[j.at-lanes*d.persistent.octets] }

// fillStarts fills the octet that ends before some lane with empty lanes. It returns its end.
func (d *Dynamics) fillStarts(end int) int {
	d.starts = d.starts[:end]
	for len(d.starts)%lanes != 0 {
		d.starts = append(d.starts, start{})
	}
	return len(d.starts)
}

// start is what a constraint begins with, and what is left of it for the next step. It is a record,
// so that contacts are read and written in their order and octets in theirs.
type start struct {
	a, b   int32 // bodies
	n      int32 // of points; 0: no constraint
	stiff  int32 // 1 if it is, 2 on the ground: see stiffness
	normal geom.Vec3
	_      float32
	mixture
	friction geom.Vec3 // impulse
	load     float32   // the change of velocity by the impulses
	rolling  geom.Vec3 // angular impulse
	hits     uint32    // 1 if it met fast enough for a Hit or an impact
	points   [physics.MaxContactPoints]startPoint
}

// startPoint is a contact point of a constraint.
type startPoint struct {
	impulse    float32
	armA, armB geom.Vec3 // from the bodies' centres
	gap        float32
}

// collect finds what some constraints begin with.
func (d *Dynamics) collect(_, from, to int) {
	for i := range d.jobs[from:to] {
		j := &d.jobs[from+i]
		if next := from + i + ahead; next < to {
			d.hint(&d.jobs[next])
		}
		if !j.hidden {
			d.collectOne(d.start(j), j)
		}
	}
}

// ahead is of how many jobs before the memory is fetched that one needs.
const ahead = 4

// hint prefetches what a job reads and writes in collect.
func (d *Dynamics) hint(j *job) {
	broad.HintAll(j.manifold)
	broad.HintAll(j.memory)
	broad.HintAll(d.start(j))
}

func (d *Dynamics) collectOne(c *start, j *job) {
	x, f := j.kept, j.manifold
	*c = start{} // in place: with fields it would be made elsewhere, and copied
	c.a, c.b, c.n, c.normal, c.mixture = x.a, x.b, f.N, f.Normal, x.mixture
	if x.layered {
		c.mixture = d.mixAt(j.contact, f)
	}
	var old *memory
	if j.k < x.held {
		old = j.memory
	}
	// A manifold that has become one with another one has other points. One that hides another has
	// to have all points that it has now.
	ahead := d.isForeseen(x) && f.N == 1 && f.Points[0].Depth < 0 && len(j.contact.Manifolds) == 1
	j.keeps = old != nil && !j.hides && j.alike && !ahead && d.keepsNow(c, old, f, j.contact)
	if j.keeps {
		c.n, c.normal = old.n, old.normal
	} else {
		fa, fb := d.frameOf(x.a, j.contact.A), d.frameOf(x.b, j.contact.B)
		for i := range f.ContactPoints() {
			q := &f.Points[i]
			at := q.PointA.Add(q.PointB).Mul(0.5)
			c.points[i] = startPoint{armA: at.Sub(fa.at), armB: at.Sub(fb.at), gap: -q.Depth}
		}
		clear(c.points[f.N:]) // keeps may have set more of them
		if ahead {
			d.foresee(c, j.contact, fa.at, fb.at, x.rounds == 1)
		}
		old = d.match(c, x, j.k, f)
	}
	j.deep = d.deep(x, f)
	j.n = c.n
	if old != nil {
		c.friction, c.rolling = old.friction, old.rolling
	}
	j.pressed = 0
	most := float32(0)
	for i := range c.points[:c.n] {
		j.sunk = j.sunk || c.points[i].gap < -sunkGap
		if impulse := c.points[i].impulse; impulse > 0 {
			j.pressed |= 1 << i
			most = greater(most, impulse)
		}
	}
	a, b := d.inertias[x.a].mass, d.inertias[x.b].mass
	if a == 0 || b == 0 {
		c.stiff = 2
	} else if j.heavy || exceeds(most*(a+b), stiffLoad*d.h, old != nil && old.stiff) {
		c.stiff = 1
	}
}

// exceeds reports whether a load is greater than a limit, or was and is not yet well below it.
func exceeds(load, limit float32, before bool) bool {
	if before {
		limit *= keptLoad
	}
	return load > limit
}

// prepare makes the constraints of some octets.
func (d *Dynamics) prepare(_, from, to int) {
	flat, hitSpeed := d.space.IsPlanar(), min(d.Settings.HitSpeed, impactSpeed)
	for i := from; i < to; i++ {
		o := &d.octets[i]
		first := (i - int(d.persistent.octets)) * lanes
		starts := d.starts[first : first+lanes]
		if i+1 < to {
			broad.HintAll((*[lanes]start)(d.starts[first+lanes:]))
		}
		most := int32(0)
		for l := range starts {
			most = max(most, starts[l].n)
		}
		if i+1 < to { // most likely it has as many points
			next := &d.octets[i+1]
			broad.HintAll(&next.octetHead)
			for k := range next.points[:most] {
				broad.HintAll(&next.points[k])
			}
		}
		if useSIMD && o.fillAll(starts, &d.softness[0], most) {
			o.flat, o.brakes = flat, o.brakes || flat
			weighSIMD(o, 1, &d.motions[0], &d.inertias[0], hitSpeed)
			continue
		}
		o.octetHead = octetHead{flat: flat, brakes: flat}
		clear(o.points[:most])
		for l := range starts {
			if c := &starts[l]; c.n > 0 {
				o.fill(l, c, &d.softness[c.stiff])
			}
		}
		for l := range int(o.used) {
			a, b := o.a[l], o.b[l]
			o.weigh(l, &d.motions[a], &d.motions[b], &d.inertias[a], &d.inertias[b], hitSpeed)
		}
	}
}

// fillAll fills all lanes of an octet that weighSIMD completes. It reports false if there is a
// constraint without points, whose lane has to stay empty.
func (o *octet) fillAll(starts []start, s *softness, most int32) bool {
	used := int32(0)
	for l := range starts {
		if c := &starts[l]; c.n > 0 {
			used = int32(l) + 1
		} else if c.a|c.b != 0 {
			return false
		}
	}
	lanes := fillSIMD(o, &starts[0], s, int(most))
	o.n, o.used = most, used
	o.brakes, o.rolls, o.bounces = lanes&0xff != 0, lanes&0xff00 != 0, lanes&0xff0000 != 0
	return true
}

// fill writes to a lane what weigh begins with.
func (o *octet) fill(l int, c *start, s *softness) {
	l &= 7
	o.used = int32(l) + 1
	o.n = max(o.n, c.n)
	o.a[l], o.b[l] = c.a, c.b
	o.mix(l, c.mixture)
	o.bias[l], o.share[l], o.back[l] = s.bias, s.mass, s.impulse
	o.count[l] = float32(c.n)
	o.normal.set(l, c.normal)
	for k := range o.points[:c.n] {
		p, q := &o.points[k], &c.points[k]
		p.armA.set(l, q.armA)
		p.armB.set(l, q.armB)
		p.gap[l], p.impulse[l] = q.gap, q.impulse
	}
	o.tangent[0].set(l, c.friction)
	o.roll.set(l, c.rolling)
	// What has become ice loses the impulses that it had.
	o.brakes = o.brakes || c.friction != (geom.Vec3{}) || c.rolling != (geom.Vec3{})
}

// mix sets the mixture of a lane.
func (o *octet) mix(l int, m mixture) {
	o.friction[l], o.restitution[l], o.rolling[l], o.spinning[l] = m.friction, m.restitution, m.rolling, m.spinning
	o.brakes = o.brakes || m.friction > 0 || m.spinning > 0 || m.rolling > 0
	o.rolls = o.rolls || m.rolling > 0
	o.bounces = o.bounces || m.restitution > 0
}

// slide sets the speeds at which surfaces move what lies on them.
func (d *Dynamics) slide() {
	for _, i := range d.sliding {
		j := &d.jobs[i]
		o, l := d.lane(j)
		o.addSlide(l, d.slip(j.contact, j.k))
	}
	if !d.driven {
		return
	}
	for i := range d.jobs {
		j := &d.jobs[i]
		if a, b := d.driver(j.kept.a), d.driver(j.kept.b); !j.hidden && (a != geom.Vec3{} || b != geom.Vec3{}) {
			o, l := d.lane(j)
			o.addSlide(l, d.bend(b, j.kept.a).Sub(d.bend(a, j.kept.b)))
		}
	}
}

// addSlide adds to the velocity of the surface of B against that of A.
func (o *octet) addSlide(l int, v geom.Vec3) {
	o.slide[0][l] -= o.tangent[0].at(l).Dot(v)
	o.slide[1][l] -= o.tangent[1].at(l).Dot(v)
}

// driver returns the angular velocity of a kinematic body; that of others is zero.
func (d *Dynamics) driver(i int32) (w geom.Vec3) {
	if !d.bodies[i].moves {
		w = d.motions[i].w
	}
	return w
}

// bend returns by how much the mean velocity, in a step, of a surface that turns, where another
// body is, differs from that at the start, to second order: the arms stay as they were at the
// start. Without it a turntable flings off what lies on it: by 3 cm a second at 1.5 m and
// 1.5 rad/s.
func (d *Dynamics) bend(w geom.Vec3, other int32) geom.Vec3 {
	return w.Cross(d.motions[other].v).Mul(d.Settings.Step / 2)
}

// slip returns the velocity of the surface of B against that of A at a manifold.
func (d *Dynamics) slip(t *physics.Contact, k int32) geom.Vec3 {
	p := &t.Manifolds[k].Points[0]
	return d.SurfaceVelocity(t.B, p.TriangleB).Sub(d.SurfaceVelocity(t.A, p.TriangleA))
}

// isCarried reports whether one of two bodies that touch moves with the surface of the other, at
// half its speed or more.
func (d *Dynamics) isCarried(c *contact, t *physics.Contact, k int32) bool {
	v := d.slip(t, k)
	along := v.Dot(d.motions[c.b].v.Sub(d.motions[c.a].v))
	return v != geom.Vec3{} && 2*max(along, -along) >= v.LenSq()
}

// recall returns the memory of a contact point.
func (d *Dynamics) recall(x *contact, f *physics.Manifold, q *physics.ContactPoint) (*memory, int) {
	for k := range x.held {
		m := d.memory(x, k)
		if m.childA != f.ChildA || m.childB != f.ChildB {
			continue
		}
		for i := range m.points[:m.n] {
			p := &m.points[i]
			if p.featureA == q.FeatureA && p.featureB == q.FeatureB && p.triangleA == q.TriangleA && p.triangleB == q.TriangleB {
				return m, i
			}
		}
	}
	return nil, 0
}

// settle writes what is left of some octets.
func (d *Dynamics) settle(_, from, to int) {
	for i := from; i < to; i++ {
		o := &d.octets[i]
		for l := range int(o.used) {
			o.settle(l, &d.starts[(i-int(d.persistent.octets))*lanes+l])
		}
	}
}

func (o *octet) settle(l int, c *start) {
	l &= 7
	load := float32(0)
	for k := range o.points[:o.n] {
		impulse := o.points[k].impulse[l]
		c.points[k].impulse = impulse
		load += impulse
	}
	c.load = load * (o.invMassA[l] + o.invMassB[l])
	c.hits = o.hits >> l & 1
	c.friction = o.frictionOf(l)
	c.rolling = o.roll.at(l).Add(o.normal.at(l).Mul(o.twist[l]))
}

// store keeps what is left of some constraints for the next step.
func (d *Dynamics) store(_, from, to int) {
	for i := range d.jobs[from:to] {
		j := &d.jobs[from+i]
		if next := from + i + ahead; next < to {
			j := &d.jobs[next]
			broad.HintAll(j.memory)
			broad.HintAll(d.start(j))
		}
		c := d.start(j)
		m := j.memory
		if !j.keeps { // else the contact holds as many manifolds already
			if j.k == 0 {
				j.kept.held = int32(len(j.contact.Manifolds))
			}
			d.keep(j, j.kept, m)
		}
		m.n = j.n // 0 if Adjust turned it off
		if j.hidden {
			m.heavy, m.stiff, m.friction, m.rolling = false, false, geom.Vec3{}, geom.Vec3{}
			continue
		}
		for k := range m.points[:j.n] {
			m.points[k].impulse = c.points[k].impulse
		}
		m.heavy, m.stiff = exceeds(c.load, heavyLoad*d.h, m.heavy), c.stiff > 0
		j.hits = c.hits != 0
		m.friction, m.rolling = c.friction, c.rolling
	}
}

// inLanes reports whether the octets from one on are for the routines of simd.go. The constraints
// that found no color are solved one after the other.
func (d *Dynamics) inLanes(from int) bool { return useSIMD && from < int(d.colors[overflow]) }

func (d *Dynamics) warmStart(_, from, to int) {
	if d.inLanes(from) {
		warmStartSIMD(&d.octets[from], to-from, &d.motions[0], &d.inertias[0])
		return
	}
	for i := from; i < to; i++ {
		o := &d.octets[i]
		for l := range int(o.used) {
			a, b := o.a[l], o.b[l]
			o.warmStart(l, &d.motions[a], &d.motions[b], &d.inertias[a], &d.inertias[b])
		}
	}
}

func (d *Dynamics) solve(_, from, to int) {
	d.land(from, to, true)
	rate := 1 / d.h
	if d.inLanes(from) {
		if d.space.IsPlanar() {
			solveFlatSIMD(&d.octets[from], to-from, &d.motions[0], d.Settings.PushSpeed, rate)
		} else {
			solveSIMD(&d.octets[from], to-from, &d.motions[0], d.Settings.PushSpeed, rate)
		}
		return
	}
	if d.solveByKernel(from, to, false) {
		return
	}
	for i := from; i < to; i++ {
		o := &d.octets[i]
		for l := range int(o.used) {
			o.solve(l, &d.motions[o.a[l]], &d.motions[o.b[l]], d.Settings.PushSpeed, rate)
		}
	}
}

func (d *Dynamics) relax(_, from, to int) {
	d.land(from, to, false)
	if d.inLanes(from) {
		if d.space.IsPlanar() {
			relaxFlatSIMD(&d.octets[from], to-from, &d.motions[0], &d.inertias[0], 1/d.h)
		} else {
			relaxSIMD(&d.octets[from], to-from, &d.motions[0], &d.inertias[0], 1/d.h)
		}
		return
	}
	if d.solveByKernel(from, to, true) {
		return
	}
	for i := from; i < to; i++ {
		o := &d.octets[i]
		for l := range int(o.used) {
			d.relaxLane(o, l)
		}
	}
}

func (d *Dynamics) relaxLane(o *octet, l int) {
	a, b := o.a[l], o.b[l]
	o.relax(l, &d.motions[a], &d.motions[b], &d.inertias[a], &d.inertias[b], 1/d.h)
}

// restitute gives bodies back the share of the speed at which they met.
func (d *Dynamics) restitute(_, from, to int) {
	for i := from; i < to; i++ {
		o := &d.octets[i]
		if !o.bounces {
			continue
		}
		for l := range int(o.used) {
			d.restituteLane(o, l)
		}
	}
}

func (d *Dynamics) restituteLane(o *octet, l int) {
	a, b := o.a[l], o.b[l]
	g := o.normal.at(l).Dot(d.fall(b).Sub(d.fall(a)))
	o.restitute(l, &d.motions[a], &d.motions[b], g, float32(g*d.h)/2, d.Settings.BounceSpeed)
}

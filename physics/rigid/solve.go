package rigid

import (
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// constraint is a manifold as the solver takes it: no two shapes, but two bodies that must not
// approach each other at up to four points along a normal. Impulses act on b, and their opposites
// on a.
type constraint struct {
	a, b    int32
	contact *physics.Contact
	k       int32 // number of the manifold
	n       int32 // of points
	soft    int32 // index of the softness
	kept    bool  // see keeps
	bounces bool
	rolls   bool // it has a rolling resistance
	normal  geom.Vec3
	points  [physics.MaxContactPoints]point
	bounce  [physics.MaxContactPoints]bounce

	mixture
	tangent    [2]geom.Vec3
	armA, armB geom.Vec3  // from the bodies' centres to the centre of the points
	slide      [2]float32 // target speed along the tangents
	// Inverse of the effective mass along both tangents, a symmetric matrix, and the impulse.
	m00, m01, m11      float32
	tangential         [2]float32
	twistMass          float32
	twist              float32   // angular impulse about the normal
	roll               geom.Vec3 // angular impulse across it
	rollMass           float32
	invMassA, invMassB float32
}

// point is a contact point for the solver. The normal impulse at it changes the angular velocities
// by turnA and turnB per N·s.
type point struct {
	armA, armB   geom.Vec3 // cross products of the arms and the normal
	turnA, turnB geom.Vec3
	gap          float32 // at the start of the step; negative: depth
	mass         float32 // effective mass along the normal
	impulse      float32
	most         float32 // greatest impulse of a substep
}

// bounce is what only restitution, twist and events need of a point.
type bounce struct {
	speed float32 // along the normal, at the start of the step: negative where the bodies approach
	lever float32 // distance from the centre of the points
}

// A contact is heavy if its load would accelerate the lighter body by more than heavyLoad, in m/s²,
// some 128 times gravity: a small body carries a large one, or a very high stack. A sweep over the
// constraints changes an impulse by no more than these two bodies need, so such loads build up too
// slowly. Heavy contacts get heavySweeps more sweeps a substep, one after the other. These allow
// them to be stiffer: their frequency is heavyStiffness times that of others.
const (
	heavyLoad      = 1250
	heavySweeps    = 8
	heavyStiffness = 2
)

// prepare makes the constraints of some jobs.
func (d *Dynamics) prepare(_, from, to int) {
	for i := range d.jobs[from:to] {
		j := &d.jobs[from+i]
		d.prepareOne(&d.constraints[j.at], j)
	}
}

func (d *Dynamics) prepareOne(c *constraint, j *job) {
	t := j.contact
	x := d.contacts.at(t.Slot)
	f := &t.Manifolds[j.k]
	*c = constraint{
		a: x.a, b: x.b, contact: j.contact, k: j.k, n: f.N, normal: f.Normal,
		mixture: x.mixture,
	}
	if x.layered {
		c.mixture = d.mixAt(t, f)
	}
	c.bounces, c.rolls = c.restitution > 0, c.rolling > 0
	ia, ib := &d.inertias[c.a], &d.inertias[c.b]
	ma, mb := &d.motions[c.a], &d.motions[c.b]
	c.invMassA, c.invMassB = ia.mass, ib.mass
	if j.heavy {
		c.soft = 1
	}
	mass := ia.mass + ib.mass
	fa, fb := d.frame(c.a, t.A), d.frame(c.b, t.B)
	var arms [physics.MaxContactPoints][2]geom.Vec3
	var old *memory
	if c.k < x.held {
		old = d.memory(x, c.k)
		c.kept = d.keeps(c, old, f, &fa, &fb, &arms)
	}
	if c.kept {
		c.n, c.normal = old.n, old.normal
		for i := range old.points[:old.n] {
			c.points[i].impulse = old.points[i].impulse
		}
	} else {
		for i := range f.ContactPoints() {
			q := &f.Points[i]
			at := q.PointA.Add(q.PointB).Mul(0.5)
			arms[i] = [2]geom.Vec3{at.Sub(fa.at), at.Sub(fb.at)}
			c.points[i].gap = -q.Depth
		}
		old = d.match(c, x, f, &arms)
	}
	n := c.normal
	for i := range c.points[:c.n] {
		p := &c.points[i]
		ra, rb := arms[i][0], arms[i][1]
		c.armA, c.armB = c.armA.Add(ra), c.armB.Add(rb)
		p.armA, p.armB = ra.Cross(n), rb.Cross(n)
		p.turnA, p.turnB = ia.apply(p.armA), ib.apply(p.armB)
		p.mass = reciprocal(mass + p.armA.Dot(p.turnA) + p.armB.Dot(p.turnB))
		c.bounce[i].speed = n.Dot(mb.v.Sub(ma.v)) + p.armB.Dot(mb.w) - p.armA.Dot(ma.w)
		j.hits = j.hits || c.bounce[i].speed <= -d.Settings.HitSpeed
	}
	share := 1 / float32(c.n)
	c.armA, c.armB = c.armA.Mul(share), c.armB.Mul(share)
	for i := range c.points[:c.n] {
		c.bounce[i].lever = float32(math.Sqrt(float64(arms[i][1].Sub(c.armB).LenSq())))
	}
	c.tangent[0] = across(n)
	c.tangent[1] = n.Cross(c.tangent[0])
	a0, a1 := c.armA.Cross(c.tangent[0]), c.armA.Cross(c.tangent[1])
	b0, b1 := c.armB.Cross(c.tangent[0]), c.armB.Cross(c.tangent[1])
	ta, tb := ia.apply(a0), ib.apply(b0)
	k00 := mass + a0.Dot(ta) + b0.Dot(tb)
	k01 := a1.Dot(ta) + b1.Dot(tb)
	k11 := mass + a1.Dot(ia.apply(a1)) + b1.Dot(ib.apply(b1))
	det := reciprocal(float32(k00*k11) - float32(k01*k01))
	c.m00, c.m01, c.m11 = float32(k11*det), -float32(k01*det), float32(k00*det)
	c.twistMass = reciprocal(n.Dot(ia.apply(n).Add(ib.apply(n))))
	if c.rolls {
		c.weighRoll(ia, ib)
	}
	if x.slides {
		v := d.surface(t.B, f.Points[0].TriangleB).Sub(d.surface(t.A, f.Points[0].TriangleA))
		c.slide = [2]float32{-c.tangent[0].Dot(v), -c.tangent[1].Dot(v)}
	}
	if old != nil {
		c.tangential = [2]float32{c.tangent[0].Dot(old.friction), c.tangent[1].Dot(old.friction)}
		c.twist = n.Dot(old.rolling)
		if c.rolls {
			c.roll = old.rolling.Sub(n.Mul(c.twist))
		}
	}
}

// weighRoll computes the effective mass against rolling, the least of both directions.
func (c *constraint) weighRoll(ia, ib *inertia) {
	s0, s1 := c.tangent[0], c.tangent[1]
	c.rollMass = reciprocal(max(s0.Dot(ia.apply(s0).Add(ib.apply(s0))), s1.Dot(ia.apply(s1).Add(ib.apply(s1)))))
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

// store keeps the impulses of some constraints for the next step.
func (d *Dynamics) store(_, from, to int) {
	for i := range d.constraints[from:to] {
		c := &d.constraints[from+i]
		t, x := c.contact, d.contacts.at(c.contact.Slot)
		if c.k == 0 {
			x.held = int32(len(t.Manifolds))
		}
		m := d.memory(x, c.k)
		if !c.kept {
			d.keep(c, m, t)
		}
		m.n = c.n // 0 if Adjust turned it off
		load := float32(0)
		for k := range c.points[:c.n] {
			m.points[k].impulse = c.points[k].impulse
			load += c.points[k].impulse
		}
		m.heavy = load*(c.invMassA+c.invMassB) > heavyLoad*d.h
		m.friction = c.tangent[0].Mul(c.tangential[0]).Add(c.tangent[1].Mul(c.tangential[1]))
		m.rolling = c.roll.Add(c.normal.Mul(c.twist))
	}
}

// across returns a unit vector at right angles to a unit vector.
func across(n geom.Vec3) geom.Vec3 {
	t := geom.Vec3{Y: n.Z, Z: -n.Y}
	if n.X > 0.6 || n.X < -0.6 {
		t = geom.Vec3{X: -n.Z, Z: n.X}
	}
	return t.Mul(1 / float32(math.Sqrt(float64(t.LenSq()))))
}

// reciprocal returns 1/x; 0 if that is not a number above 0.
func reciprocal(x float32) float32 {
	if x > 0 {
		return 1 / x
	}
	return 0
}

// warmStart applies the impulses of the last substep.
func (d *Dynamics) warmStart(_, from, to int) {
	for i := range d.constraints[from:to] {
		c := &d.constraints[from+i]
		a, b := &d.motions[c.a], &d.motions[c.b]
		total := float32(0)
		wa, wb := a.w, b.w
		for k := range c.points[:c.n] {
			p := &c.points[k]
			total += p.impulse
			wa = wa.Sub(p.turnA.Mul(p.impulse))
			wb = wb.Add(p.turnB.Mul(p.impulse))
		}
		force := c.tangent[0].Mul(c.tangential[0]).Add(c.tangent[1].Mul(c.tangential[1]))
		spin := c.roll.Add(c.normal.Mul(c.twist))
		wa = wa.Sub(d.inertias[c.a].apply(c.armA.Cross(force).Add(spin)))
		wb = wb.Add(d.inertias[c.b].apply(c.armB.Cross(force).Add(spin)))
		force = force.Add(c.normal.Mul(total))
		c.set(a, b, a.v.Sub(force.Mul(c.invMassA)), b.v.Add(force.Mul(c.invMassB)), wa, wb)
	}
}

// set sets the velocities of the two bodies. Those that are not dynamic may be read at the same
// time by others, and are not written.
func (c *constraint) set(a, b *motion, va, vb, wa, wb geom.Vec3) {
	if c.invMassA > 0 {
		a.v, a.w = va, wa
	}
	if c.invMassB > 0 {
		b.v, b.w = vb, wb
	}
}

// solve pushes the bodies apart along the normal, softly where they overlap.
func (d *Dynamics) solve(_, from, to int) {
	for i := range d.constraints[from:to] {
		c := &d.constraints[from+i]
		c.push(&d.motions[c.a], &d.motions[c.b], &d.softness[c.soft], d.Settings.PushSpeed, 1/d.h)
	}
}

// relax applies friction and removes the velocity that the softness of solve added.
func (d *Dynamics) relax(_, from, to int) {
	rigid := softness{0, 1, 0}
	for i := range d.constraints[from:to] {
		c := &d.constraints[from+i]
		a, b := &d.motions[c.a], &d.motions[c.b]
		if c.friction > 0 || c.spinning > 0 || c.rolls {
			c.brake(a, b, &d.inertias[c.a], &d.inertias[c.b])
		}
		c.push(a, b, &rigid, d.Settings.PushSpeed, 1/d.h)
	}
}

// push solves the points along the normal. Since they share it, the relative velocity of the
// centres is needed along the normal alone.
func (c *constraint) push(a, b *motion, soft *softness, pushSpeed, rate float32) {
	n := c.normal
	wa, wb := a.w, b.w
	mass := c.invMassA + c.invMassB
	speed := n.Dot(b.v.Sub(a.v))
	nearer := n.Dot(b.moved.Sub(a.moved))
	ta, tb := a.turned, b.turned
	total := float32(0)
	for k := range c.points[:c.n] {
		p := &c.points[k]
		gap := p.gap + nearer + p.armB.Dot(tb) - p.armA.Dot(ta)
		bias, share, back := float32(0), float32(1), float32(0)
		if gap > 0 {
			bias = gap * rate // they may come this near in the substep
		} else if soft.bias > 0 {
			bias, share, back = max(soft.bias*gap, -pushSpeed), soft.mass, soft.impulse
		}
		v := speed + p.armB.Dot(wb) - p.armA.Dot(wa)
		impulse := max(p.impulse-float32(p.mass*float32(share*(v+bias)))-float32(back*p.impulse), 0)
		change := impulse - p.impulse
		p.impulse = impulse
		p.most = max(p.most, impulse)
		total += change
		speed += float32(change * mass)
		wa = wa.Sub(p.turnA.Mul(change))
		wb = wb.Add(p.turnB.Mul(change))
	}
	c.set(a, b, a.v.Sub(n.Mul(total*c.invMassA)), b.v.Add(n.Mul(total*c.invMassB)), wa, wb)
}

// brake applies friction at the centre of the points, against sliding and against twisting about
// the normal, and rolling resistance.
func (c *constraint) brake(a, b *motion, ia, ib *inertia) {
	va, vb, wa, wb := a.v, b.v, a.w, b.w
	load, twisting := float32(0), float32(0)
	for k := range c.points[:c.n] {
		load += c.points[k].impulse
		twisting += float32(c.points[k].impulse * c.bounce[k].lever)
	}
	if c.rolls {
		w := wb.Sub(wa)
		w = w.Sub(c.normal.Mul(c.normal.Dot(w)))
		old := c.roll
		c.roll = old.Sub(w.Mul(c.rollMass))
		limit(&c.roll, c.rolling*load, 0)
		change := c.roll.Sub(old)
		wa, wb = wa.Sub(ia.apply(change)), wb.Add(ib.apply(change))
	}
	{
		most := float32(c.friction*twisting) + float32(c.spinning*load)
		old := c.twist
		c.twist = min(max(old-float32(c.twistMass*c.normal.Dot(wb.Sub(wa))), -most), most)
		change := c.normal.Mul(c.twist - old)
		wa, wb = wa.Sub(ia.apply(change)), wb.Add(ib.apply(change))
	}
	v := vb.Add(wb.Cross(c.armB)).Sub(va).Sub(wa.Cross(c.armA))
	v0, v1 := c.tangent[0].Dot(v)-c.slide[0], c.tangent[1].Dot(v)-c.slide[1]
	old := c.tangential
	x := old[0] - float32(c.m00*v0) - float32(c.m01*v1)
	y := old[1] - float32(c.m01*v0) - float32(c.m11*v1)
	most := c.friction * load
	if s := float32(x*x) + float32(y*y); s > float32(most*most) {
		k := most / float32(math.Sqrt(float64(s)))
		x, y = float32(x*k), float32(y*k)
	}
	c.tangential = [2]float32{x, y}
	force := c.tangent[0].Mul(x - old[0]).Add(c.tangent[1].Mul(y - old[1]))
	c.set(a, b, va.Sub(force.Mul(c.invMassA)), vb.Add(force.Mul(c.invMassB)),
		wa.Sub(ia.apply(c.armA.Cross(force))), wb.Add(ib.apply(c.armB.Cross(force))))
}

// restitute gives bodies back the share of the speed at which they met.
func (d *Dynamics) restitute(_, from, to int) {
	for i := range d.constraints[from:to] {
		c := &d.constraints[from+i]
		if !c.bounces {
			continue
		}
		a, b := &d.motions[c.a], &d.motions[c.b]
		wa, wb := a.w, b.w
		mass := c.invMassA + c.invMassB
		speed := c.normal.Dot(b.v.Sub(a.v))
		total := float32(0)
		for k := range c.points[:c.n] {
			p, before := &c.points[k], c.bounce[k].speed
			if before > -d.Settings.BounceSpeed || p.most == 0 {
				continue
			}
			v := speed + p.armB.Dot(wb) - p.armA.Dot(wa)
			impulse := max(p.impulse-float32(p.mass*(v+float32(c.restitution*before))), 0)
			change := impulse - p.impulse
			p.impulse = impulse
			p.most = max(p.most, impulse)
			total += change
			speed += float32(change * mass)
			wa = wa.Sub(p.turnA.Mul(change))
			wb = wb.Add(p.turnB.Mul(change))
		}
		c.set(a, b, a.v.Sub(c.normal.Mul(total*c.invMassA)), b.v.Add(c.normal.Mul(total*c.invMassB)), wa, wb)
	}
}

package rigid

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// When the suspension of a wheel has come to its limit, a sweep passes only a little of the hull's
// momentum through the wheel to the ground: the share that the wheel has of both masses. Impulses
// that grow so slowly fall as slowly, when the hull already moves up: a car that falls from 10 m
// would bounce at 6 m/s. So the row of a linear limit is solved together with the contact that
// carries the lighter body, as a system of two unknowns.

// support is the contact of the lighter body of a constraint with one that is not dynamic.
type support struct {
	at    int32   // 1 + 8·octet + lane; 0: none
	side  int32   // 0: the body is A of the joint, 1: B
	drive int32   // of the body
	steep float32 // how steeply it carries: the cosine between its normal and the axis
}

// limitsSlide reports whether a constraint has limits along an axis, between dynamic bodies.
func (c *jointConstraint) limitsSlide() bool {
	return (c.kind == SliderJoint || c.kind == WheelJoint) && c.used&limitRows != 0 && !c.direct && c.invMassA > 0 && c.invMassB > 0
}

// findSupports finds the steepest contacts that carry the lighter bodies of linear limits.
func (d *Dynamics) findSupports() {
	found := false
	for _, k := range d.tight {
		g := &d.assemblies[k]
		constraints := d.constraintsOf(g)
		for i := range constraints {
			if c := &constraints[i]; c.limitsSlide() {
				if !found {
					found = true
					d.carried = slices.Grow(d.carried[:0], len(d.bodies))[:len(d.bodies)]
					clear(d.carried)
				}
				body := c.a
				if c.invMassB > c.invMassA {
					c.support.side, body = 1, c.b
				}
				d.carried[body] = 1 + g.first + int32(i)
			}
		}
	}
	if !found {
		return
	}
	for _, k := range d.jointed {
		if c := d.carried[d.awake[k]]; c > 0 {
			d.constraints[c-1].support.drive = k
		}
	}
	for i := range d.jobs {
		j := &d.jobs[i]
		k := max(d.carried[j.kept.a], d.carried[j.kept.b])
		o, l := d.lane(j)
		if k == 0 || j.n == 0 || o.invMassA[l] > 0 && o.invMassB[l] > 0 {
			continue
		}
		c := &d.constraints[k-1]
		cos := d.alongOf(c).Dot(o.normal.at(l))
		if cos = max(cos, -cos); cos > c.support.steep {
			c.support.at, c.support.steep = 1+j.at, cos
		}
	}
}

// alongOf returns the axis of a slider or a wheel.
func (d *Dynamics) alongOf(c *jointConstraint) geom.Vec3 {
	x, y, _ := axes(product(d.motions[c.a].q, c.frameA))
	if c.kind == WheelJoint {
		return y
	}
	return x
}

// solveCarried solves a limit with the contact that carries a body. What the row sees and weighs is
// as if the contact kept the body from moving along its normal or, if it would have to pull for
// that, as if it let go.
func (d *Dynamics) solveCarried(c *jointConstraint, row int, p *pair, soft *softness, active bool) {
	axis, at := c.axis(row), c.support.at-1
	o, l := &d.octets[at/lanes], int(at%lanes)
	gap, sign := c.gap(row, &d.joints[c.joint].set)
	old, seen, rate := float32(sign*c.rows[row]), float32(sign*axis.speed(p)), 1/d.h
	// Per N·s of the row, the contact sees what the row sees per N·s of the contact.
	n, invMass := o.normal.at(l), o.invMassA[l]+o.invMassB[l]
	shared := float32(sign * float32(n.Dot(axis.line)*invMass))
	ma, mb := d.motions[o.a[l]], d.motions[o.b[l]]
	carried, onB := &ma, o.invMassB[l] > 0
	if onB {
		carried = &mb
	}
	if carried.v = p.va; c.support.side == 1 {
		carried.v = p.vb
	}
	if onB != (c.support.side == 1) {
		shared = -shared
	}
	away, held := n.Dot(mb.v.Sub(ma.v)), float32(0)
	for k := range o.points[:o.n] {
		held += o.points[k].impulse[l]
	}
	rigid := *axis
	share := shared / invMass
	rigid.mass = reciprocal(1/axis.mass - float32(shared*share))
	now := rigid.stop(old, seen-float32(share*away), gap, rate, soft, active)
	press := -(away + float32(shared*(now-old))) / invMass
	if press < -held {
		press = -held
		now = axis.stop(old, seen+float32(shared*press), gap, rate, soft, active)
	}
	if now != old {
		c.rows[row] = float32(sign * now)
		axis.apply(c, p, float32(sign*(now-old)))
		d.carry(c, o, l, p, press)
	}
}

// carry applies an impulse to the contact of a support, a part at each point. It is one of the
// contacts, of which a drive has none.
func (d *Dynamics) carry(c *jointConstraint, o *octet, l int, p *pair, impulse float32) {
	v, w := &p.va, &p.wa
	if c.support.side == 1 {
		v, w = &p.vb, &p.wb
	}
	g, lane := &d.drives[c.support.drive/lanes], int(c.support.drive%lanes)
	g.release(lane, &motion{v: *v, w: *w})
	sign, onB := -o.invMassA[l], o.invMassB[l] > 0
	if onB {
		sign = o.invMassB[l]
	}
	part, n := impulse/o.count[l], o.normal.at(l)
	for k := range int(o.count[l]) {
		q := &o.points[k]
		now := greater(q.impulse[l]+part, 0)
		change := now - q.impulse[l]
		q.impulse[l], q.most[l] = now, greater(q.most[l], now)
		turn := q.turnA.at(l)
		if onB {
			turn = q.turnB.at(l)
		}
		*v, *w = v.Add(n.Mul(float32(sign*change))), w.Sub(turn.Mul(change))
	}
	g.hold(lane, &motion{v: *v, w: *w})
}

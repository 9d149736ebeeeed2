package rigid

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A joint is solved as up to two blocks, one of the origins and one of the rotations, and rows: a
// block prevents motion in three dimensions or in the two across an axis, and a row acts along one
// axis. Springs act while velocities are solved, once a substep, and relaxation leaves them alone,
// so that they are those of the implicit Euler method.

// The rows of a joint, in the order in which they are solved.
const (
	rowSpring = iota
	rowMotor
	rowBrake
	rowRod
	rowCone
	rowLower
	rowUpper
	maxRows
)

// limitRows is the set of the rows of limits.
const limitRows = 1<<rowCone | 1<<rowLower | 1<<rowUpper

// jointSpeed is the greatest speed, in m/s or rad/s, at which a joint removes its error. Greater:
// what is put far apart flies through walls. Smaller: it takes longer.
const jointSpeed = 20

// staleTurn is the angle in radians by which a body turns in a substep beyond which the impulses of
// the substep before are dropped: they would point elsewhere, and add energy.
const staleTurn = 0.5

// throwTurn is the angle by which these impulses may make it turn. Beyond it they are dropped, too:
// they act at another arm than the one that they were found at, and a pass of the solver would
// leave a part of their energy. Greater: joints that are far from their places, at long arms, throw
// their bodies. Smaller: light limbs lose impulses that those of their other joints cancel.
const throwTurn = 3 * staleTurn

const throwShare = staleTurn * staleTurn / (throwTurn * throwTurn)

// jointConstraint is a joint that is in no octet, as the solver takes it.
type jointConstraint struct {
	joint   int32
	a, b    int32
	kind    JointKind
	direct  bool // the points are solved with those of others: see joint_direct.go
	relaxes bool
	used    uint8 // rows, a set
	soft    softness
	spring  softness
	support support
	// Friction: see jointOctet.
	friction, socket float32

	invMassA, invMassB float32
	localA, localB     geom.Vec3 // from the centres to the origins, in the bodies' axes
	frameA, frameB     geom.Quat // in the bodies' axes
	steered            geom.Vec3 // the axle of a wheel in frame A
	apart              geom.Vec3 // between the centres at the start of the step

	armA, armB  geom.Vec3 // from the centres to where impulses act
	point, turn block
	axes        [2]jacobian
	value       float32 // along or about axes[0], and about axes[1] for the cone
	scale       float32 // of what axes[0] sees to the change of the value
	swing       float32
	rows        [maxRows]float32 // impulses

	force, torque geom.Vec3 // sum of the impulses of the substeps
}

// block prevents motion in three dimensions, or in the two across an axis.
type block struct {
	on      bool
	flat    bool
	free    geom.Vec3 // the axis if it is flat
	most    float32   // of the length of the impulse; 0: any
	error   geom.Vec3
	inverse inertia // of the effective mass; its mass is not used
	impulse geom.Vec3
	push    matrix32 // of the turn block: see jacobian
}

// jacobian is how a row sees and changes the velocities. An impulse of a row comes with those of
// the blocks that keep them satisfied. Without that of the points, a limit of a hinge would have to
// turn a body about its centre, against the hinge, and converge slowly if the lever is long.
// Without that of the rotations, the limit of a slider would turn the bodies if it acts at a long
// arm, faster with each substep.
type jacobian struct {
	linear       bool
	n            geom.Vec3
	armA, armB   geom.Vec3
	line         geom.Vec3 // change of the momentum per N·s or N·m·s
	turnA, turnB geom.Vec3 // change of the angular velocities
	push, twist  geom.Vec3 // impulses of the point and of the turn block
	mass         float32
}

// pair is the velocities of two bodies.
type pair struct{ va, vb, wa, wb geom.Vec3 }

func (d *Dynamics) pairOf(c *jointConstraint) pair {
	a, b := &d.motions[c.a], &d.motions[c.b]
	return pair{a.v, b.v, a.w, b.w}
}

// setPair sets the velocities. Bodies that are not dynamic may be read at the same time by others.
func (d *Dynamics) setPair(c *jointConstraint, p *pair) {
	if c.invMassA > 0 {
		a := &d.motions[c.a]
		a.v, a.w = p.va, p.wa
	}
	if c.invMassB > 0 {
		b := &d.motions[c.b]
		b.v, b.w = p.vb, p.wb
	}
}

// limitPair limits the velocities. Joints that contradict each other, at long levers, would grow
// them without bounds.
func (d *Dynamics) limitPair(c *jointConstraint) {
	p := d.pairOf(c)
	for _, v := range [...]*geom.Vec3{&p.va, &p.vb} {
		limit(v, d.Settings.MaxSpeed, 0)
	}
	for _, w := range [...]*geom.Vec3{&p.wa, &p.wb} {
		limit(w, d.Settings.MaxSpin, 0)
	}
	d.setPair(c, &p)
}

// speed returns the velocity of B seen from A along the row.
func (j *jacobian) speed(p *pair) float32 {
	v := j.armB.Dot(p.wb) - j.armA.Dot(p.wa)
	if j.linear {
		v += j.n.Dot(p.vb.Sub(p.va))
	}
	return v
}

// apply applies an impulse along the row, with that of the points.
func (j *jacobian) apply(c *jointConstraint, p *pair, impulse float32) {
	p.va = p.va.Sub(j.line.Mul(float32(impulse * c.invMassA)))
	p.vb = p.vb.Add(j.line.Mul(float32(impulse * c.invMassB)))
	p.wa = p.wa.Sub(j.turnA.Mul(impulse))
	p.wb = p.wb.Add(j.turnB.Mul(impulse))
	c.point.impulse = c.point.impulse.Add(j.push.Mul(impulse))
	c.turn.impulse = c.turn.impulse.Add(j.twist.Mul(impulse))
}

// axis returns what a row acts along.
func (c *jointConstraint) axis(row int) *jacobian {
	if row == rowCone || (row == rowBrake || row == rowMotor) && c.kind == WheelJoint {
		return &c.axes[1]
	}
	return &c.axes[0]
}

// applyPoint applies an impulse between the points of a joint.
func (d *Dynamics) applyPoint(c *jointConstraint, p *pair, impulse geom.Vec3) {
	p.va = p.va.Sub(impulse.Mul(c.invMassA))
	p.vb = p.vb.Add(impulse.Mul(c.invMassB))
	p.wa = p.wa.Sub(d.jointInertias[c.a].apply(c.armA.Cross(impulse)))
	p.wb = p.wb.Add(d.jointInertias[c.b].apply(c.armB.Cross(impulse)))
}

// applyTurn applies an angular impulse.
func (d *Dynamics) applyTurn(c *jointConstraint, p *pair, impulse geom.Vec3) {
	p.wa = p.wa.Sub(d.jointInertias[c.a].apply(impulse))
	p.wb = p.wb.Add(d.jointInertias[c.b].apply(impulse))
}

// warmJoint applies the impulses of the last substep. Rows of limits have a positive impulse that
// pushes towards larger values, except those above.
func (d *Dynamics) warmJoint(c *jointConstraint) {
	p := d.pairOf(c)
	stale := func(turn float32) bool {
		// A spin about the axis of a hinge or wheel turns no impulse.
		n := c.turn.free
		wa, wb := p.wa.Sub(n.Mul(n.Dot(p.wa))), p.wb.Sub(n.Mul(n.Dot(p.wb)))
		if most := turn / d.h; max(wa.LenSq(), wb.LenSq()) <= float32(most*most) {
			return false
		}
		c.point.impulse, c.turn.impulse, c.rows = geom.Vec3{}, geom.Vec3{}, [maxRows]float32{}
		return true
	}
	if stale(staleTurn) {
		return
	}
	for k, impulse := range c.rows {
		if impulse == 0 {
			continue
		}
		axis := c.axis(k)
		if axis.linear {
			p.va = p.va.Sub(axis.n.Mul(float32(impulse * c.invMassA)))
			p.vb = p.vb.Add(axis.n.Mul(float32(impulse * c.invMassB)))
		}
		p.wa = p.wa.Sub(d.jointInertias[c.a].apply(axis.armA).Mul(impulse))
		p.wb = p.wb.Add(d.jointInertias[c.b].apply(axis.armB).Mul(impulse))
	}
	if c.turn.on {
		d.applyTurn(c, &p, c.turn.impulse)
	}
	if c.point.on {
		d.applyPoint(c, &p, c.point.impulse)
	}
	// Those of an assembly that is solved at once cancel each other.
	if c.direct || !stale(throwTurn) {
		d.setPair(c, &p)
	}
}

// relaxing reports whether relaxation changes anything of a constraint: nothing of a soft motor.
func (c *jointConstraint) relaxing() bool { return c.kind != MotorJoint || c.relaxes }

// solveJoint solves a constraint. While relaxing, it removes the velocity that softness added.
func (d *Dynamics) solveJoint(c *jointConstraint, relax bool) {
	soft := c.soft
	if relax {
		soft = rigidly
	}
	active := !relax || c.relaxes // what is soft by the game's choice
	p := d.pairOf(c)
	ownPoint, ownTurn := c.own()
	if t := &c.point; t.on && active && !c.direct {
		bias := t.error.Mul(soft.bias)
		limit(&bias, jointSpeed, 0)
		change := t.change(c.pointSpeed(&p).Add(bias), ownPoint, &soft)
		d.applyPoint(c, &p, change)
	}
	if t := &c.turn; t.on && active && !c.turnsAtOnce() {
		soft := soft
		if c.kind == BallJoint {
			t.most = c.rub() + float32(c.friction*(c.rows[rowLower]-c.rows[rowUpper]-c.rows[rowCone]))
			soft = rigidly // what is soft creeps under a load that friction holds
		}
		bias := t.error.Mul(soft.bias)
		limit(&bias, jointSpeed, 0)
		v := p.wb.Sub(p.wa).Add(bias)
		if c.direct {
			v = v.Add(t.push.transposedTimes(d.missed(c, &p, relax)))
		}
		change := t.change(v, ownTurn, &soft)
		d.applyTurn(c, &p, change)
		if push := t.push.times(change); push != (geom.Vec3{}) {
			c.point.impulse = c.point.impulse.Add(push)
			d.applyPoint(c, &p, push)
		}
	}
	if c.singleRows() != 0 {
		d.solveRows(c, &p, &soft, relax, active)
	}
	d.setPair(c, &p)
}

// missed returns the velocity between the points of a constraint that is solved with others, which
// what has been solved since has changed. The impulses of the points that come with those of the
// rotations and rows keep them together, and would not bring them together. So what is to be
// removed about an axis is what is left after that is done as well: otherwise impulses at long arms
// add energy, and two boxes that are welded to a wall fly about.
func (d *Dynamics) missed(c *jointConstraint, p *pair, relax bool) geom.Vec3 {
	return d.biased(c.pointSpeed(p), &c.point, relax)
}

// missedTurn is missed for the rotations.
func (d *Dynamics) missedTurn(c *jointConstraint, p *pair, relax bool) geom.Vec3 {
	return d.biased(p.wb.Sub(p.wa), &c.turn, relax)
}

// biased adds to a velocity the one that removes the error of a block that is solved with others.
func (d *Dynamics) biased(v geom.Vec3, b *block, relax bool) geom.Vec3 {
	if relax {
		return v
	}
	bias := b.error.Mul(directBias / d.h)
	limit(&bias, jointSpeed, 0)
	return v.Add(bias)
}

// pointSpeed returns the velocity of the point of B seen from that of A.
func (c *jointConstraint) pointSpeed(p *pair) geom.Vec3 {
	return p.vb.Add(p.wb.Cross(c.armB)).Sub(p.va).Sub(p.wa.Cross(c.armA))
}

// own returns the impulses of the blocks without those that came with others. A soft block gives up
// a share of these alone: at a long arm the impulse of a limit is many times what the block could
// balance, and so would be a share of the one that comes with it.
func (c *jointConstraint) own() (point, turn geom.Vec3) {
	point, turn = c.point.impulse, c.turn.impulse
	for k, impulse := range c.rows {
		if impulse != 0 {
			axis := c.axis(k)
			point, turn = point.Sub(axis.push.Mul(impulse)), turn.Sub(axis.twist.Mul(impulse))
		}
	}
	return point.Sub(c.turn.push.times(turn)), turn
}

// change adds the impulse to a block that makes a velocity zero, and returns it.
func (b *block) change(v, own geom.Vec3, soft *softness) geom.Vec3 {
	old := b.impulse
	b.impulse = old.Sub(own.Mul(soft.impulse)).Sub(b.inverse.apply(v).Mul(soft.mass))
	if b.most > 0 {
		limit(&b.impulse, b.most, 0)
	}
	return b.impulse.Sub(old)
}

func (d *Dynamics) solveRows(c *jointConstraint, p *pair, soft *softness, relax, active bool) {
	j := &d.joints[c.joint].set
	used, rate := c.singleRows(), 1/d.h
	for k := range maxRows {
		if used>>k&1 == 0 {
			continue
		}
		if limitRows>>k&1 != 0 && c.support.at > 0 {
			d.solveCarried(c, k, p, soft, active)
			continue
		}
		axis := c.axis(k)
		v, old := axis.speed(p), c.rows[k]
		if c.direct {
			v += axis.push.Dot(d.missed(c, p, relax)) + axis.twist.Dot(d.missedTurn(c, p, relax))
		}
		now := old
		switch k {
		case rowSpring:
			if !relax {
				now -= float32(c.spring.impulse*old) + float32(axis.mass*float32(c.spring.mass*(v+float32(c.spring.bias*(c.value-j.Target)))))
			}
		case rowMotor, rowBrake:
			most, speed := float32(j.Brake*d.h), float32(0)
			if k == rowMotor {
				most, speed = float32(j.MotorForce*d.h), c.motorSpeed(j, rate)
			} else if c.kind == HingeJoint {
				most = c.rub()
			}
			now = min(max(old-float32(axis.mass*(v-speed)), -most), most)
		case rowRod:
			if active {
				bias := min(max(soft.bias*(c.value-j.Target), -jointSpeed), jointSpeed)
				now -= float32(soft.impulse*old) + float32(axis.mass*float32(soft.mass*(v+bias)))
			}
		default:
			gap, sign := c.gap(k, j)
			now = float32(sign * axis.stop(float32(sign*old), float32(sign*v), gap, rate, soft, active))
		}
		if now != old {
			c.rows[k] = now
			axis.apply(c, p, now-old)
		}
	}
}

// singleRows returns the set of rows that are solved joint by joint.
func (c *jointConstraint) singleRows() uint8 {
	if c.direct {
		return c.used &^ limitRows
	}
	return c.used
}

// gap returns how far what the axis of a limit sees is from it, and the sign of the impulses that
// keep it there.
func (c *jointConstraint) gap(row int, j *Joint) (gap, sign float32) {
	switch row {
	case rowLower:
		return float32(c.scale * (c.value - j.Lower)), 1
	case rowUpper:
		return float32(c.scale * (j.Upper - c.value)), -1
	}
	return j.Cone - c.swing, -1
}

// motorSpeed returns the speed to which the motor brings the bodies: no more than what takes them
// to a limit in this substep, or a strong motor would push them through it.
func (c *jointConstraint) motorSpeed(j *Joint, rate float32) float32 {
	if !j.Limited || c.kind == WheelJoint {
		return j.MotorSpeed
	}
	lower, _ := c.gap(rowLower, j)
	upper, _ := c.gap(rowUpper, j)
	return min(max(j.MotorSpeed, -float32(max(lower, 0)*rate)), float32(max(upper, 0)*rate))
}

// rub returns the angular impulse of friction that the impulse between the points allows. It is
// above 0, since a block whose most is 0 has no limit.
func (c *jointConstraint) rub() float32 { return 1e-30 + float32(c.socket*c.point.impulse.Len()) }

// stop returns the impulse of a row that keeps a gap from closing.
func (j *jacobian) stop(old, v, gap, rate float32, soft *softness, active bool) float32 {
	if gap > 0 {
		return max(old-float32(j.mass*(v+float32(gap*rate))), 0)
	}
	if !active {
		return old
	}
	bias := max(soft.bias*gap, -jointSpeed)
	return max(old-float32(soft.impulse*old)-float32(j.mass*float32(soft.mass*(v+bias))), 0)
}

// feel adds up the impulses of a substep.
func (c *jointConstraint) feel() {
	if c.point.on {
		c.force = c.force.Add(c.point.impulse)
	}
	if c.turn.on {
		c.torque = c.torque.Add(c.turn.impulse)
	}
	for k, impulse := range c.rows {
		if impulse == 0 {
			continue
		}
		if axis := c.axis(k); axis.linear {
			c.force = c.force.Add(axis.n.Mul(impulse))
		} else {
			c.torque = c.torque.Add(axis.n.Mul(impulse))
		}
	}
}

// storeJoint keeps the impulses for the next step.
func (d *Dynamics) storeJoint(c *jointConstraint) {
	x := &d.joints[c.joint]
	x.linear, x.turn, x.rows = c.point.impulse, c.turn.impulse, c.rows
	x.arms = [2]float32{c.armA.Len(), c.armB.Len()}
	x.force, x.torque = c.force.Mul(1/d.Settings.Step), c.torque.Mul(1/d.Settings.Step)
}

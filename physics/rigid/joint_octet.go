package rigid

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// jointOctet is up to eight fixed, ball or hinge joints of one color, in lanes: as in octet, AVX2
// or NEON solves them at once, the methods are the same for one lane, and a lane without a joint
// is zero.
//
// A joint keeps two points together, and has up to three rows, which act about axes. The first is
// the twist between its limits. Of a ball the second is the cone, and there is no third; of others
// these keep the X axes parallel. What a row prevents is measured as twice the sine of half the
// angle, which takes no arcus tangent: it is the angle near the limit, and grows with it up to π.
//
// Joints without rows have octets of their own. The generator of the assembly has the offsets of
// the fields as numbers.
type jointOctet struct {
	a, b    [lanes]int32 // bodies; 0: the world
	used    int32        // the number of lanes
	rowless int32        // 1: no joint has rows, and nothing from frameA on counts; else 0
	_       [24]byte

	apart              rows // between the centres at the start of the step
	invMassA, invMassB row
	localA, localB     rows // from the centres to the points, in the bodies' axes
	yield              row  // share of the impulses that the points give up in a substep
	impulse            rows // of the points
	error              rows // how far they are apart, in proportion to directBias
	force              rows // sum of the impulses of the substeps

	frameA, frameB     quats
	lower, upper, cone [2]row // sine and cosine of half the limit
	on                 [3]row // which axes there are: 1 or 0
	// The angular impulse of friction is at most a share of those of limits, and a lever times the
	// impulse between the points: see Settings.LimitFriction.
	friction, socket row
	locked, welded   row  // not 0: the second and third row, and the first, allow no motion
	turns            rows // impulses of the axes
	axes             [3]rows
	lowerGap         row
	gaps             rows // the first is the upper one
	torque           rows // sum of the angular impulses of the substeps
}

// jointPass is what a pass over octets is given.
type jointPass struct {
	rows  softness
	bias  float32 // velocity per metre between the points, 1/s
	yield float32 // share of the octet's yield that counts
	rate  float32 // 1/h
	felt  float32 // share of the impulses that is added to what joints feel
	stale float32 // square of the speed beyond which impulses are dropped: see staleTurn
	half  float32 // of the substep, in seconds
}

// quats is a rotation of each joint of an octet.
type quats struct{ x, y, z, w row }

func (q *quats) at(l int) geom.Quat {
	return geom.Quat{X: q.x[l&7], Y: q.y[l&7], Z: q.z[l&7], W: q.w[l&7]}
}

func (q *quats) set(l int, v geom.Quat) { q.x[l&7], q.y[l&7], q.z[l&7], q.w[l&7] = v.X, v.Y, v.Z, v.W }

// inLanes reports whether a joint is one that an octet can take.
func (j *Joint) inLanes() bool {
	return j.Kind <= HingeJoint && j.Hertz == 0 && (j.Kind != HingeJoint || j.SpringHertz == 0 && j.MotorForce == 0) && !j.limitsHalfTurn()
}

// wrapMargin is how close to half a turn, in radians, a limit may be in an octet. There angles are
// from −π to π, so that what exceeds a limit by more than that is taken for the other limit's.
const wrapMargin = 0.5

// limitsHalfTurn reports whether a limit is so close to half a turn that the other one is further
// from it: see Joint.angle.
func (j *Joint) limitsHalfTurn() bool {
	return j.Limited && j.Lower != -j.Upper && max(-j.Lower, j.Upper) > math.Pi-wrapMargin
}

// rowless reports whether a joint does nothing but keep two points together.
func (j *Joint) rowless() bool { return j.Kind == BallJoint && !j.Limited && j.Cone == 0 }

// breaks reports whether a joint has a threshold beyond which it breaks.
func (j *Joint) breaks() bool { return j.BreakForce > 0 || j.BreakTorque > 0 }

// softMotor is the greatest frequency in Hz of a motor that acts beside joints in octets. Stiffer
// ones shake the bodies of a hinge, whose other two axes they work against.
const softMotor = 4

// turns reports whether a joint is a soft motor that only turns its bodies to a pose.
func (j *Joint) turns() bool {
	return j.Kind == MotorJoint && j.MaxForce == 0 && j.Hertz > 0 && j.Hertz <= softMotor
}

// socketSize is the radius of a joint with limits, as a share of the shorter of the arms at which
// the bodies feel it. Greater: figures stiffen as they fall. Smaller: limbs that hang or roll in a
// pile swing for longer.
const socketSize = 0.4

// rubs reports whether a joint has friction, as those with limits have.
func (j *Joint) rubs() bool {
	return j.Limited && (j.Kind == BallJoint || j.Kind == HingeJoint) || j.Kind == BallJoint && j.Cone > 0
}

// socket returns the radius at which the friction of a joint acts.
func (j *Joint) socket(localA, localB geom.Vec3) float32 {
	a, b := localA.Len(), localB.Len()
	radius := min(a, b)
	if radius == 0 { // as at the world
		radius = max(a, b)
	}
	return socketSize * radius
}

// fillJoint writes a joint to its lane.
func (d *Dynamics) fillJoint(g *assembly, c *member) {
	o, l := &d.jointOctets[c.at/lanes], int(c.at%lanes)
	x := &d.joints[c.joint]
	j := &x.set
	c.breaks = j.breaks()
	o.a[l], o.b[l] = c.a, c.b
	o.invMassA[l], o.invMassB[l] = d.jointInertias[c.a].mass, d.jointInertias[c.b].mass
	ca, cb := d.bodies[c.a].center, d.bodies[c.b].center
	// The origin of the world's frame stands for its centre of mass.
	localA, localB := j.FrameA.Position.Sub(d.bodies[c.a].local), j.FrameB.Position.Sub(d.bodies[c.b].local)
	if c.a == 0 {
		ca, localA = localA, geom.Vec3{}
	}
	if c.b == 0 {
		cb, localB = localB, geom.Vec3{}
	}
	if o.yield[l] = float32(g.softness); g.singles > g.from+1 {
		o.yield[l] = lightSoftness
	}
	o.apart.set(l, cb.Sub(ca))
	o.localA.set(l, localA)
	o.localB.set(l, localB)
	o.impulse.set(l, x.linear)
	if c.rowless {
		return
	}
	o.frameA.set(l, j.FrameA.Rotation.Normalize())
	o.frameB.set(l, j.FrameB.Rotation.Normalize())
	half := func(to *[2]row, angle float32) { to[0][l], to[1][l] = sincos(angle / 2) }
	half(&o.lower, j.Lower)
	half(&o.upper, j.Upper)
	half(&o.cone, j.Cone)
	o.on[0][l], o.on[1][l], o.on[2][l], o.locked[l] = 1, 1, 1, 1
	switch j.Kind {
	case FixedJoint:
		o.welded[l] = 1
		o.lower[0][l], o.lower[1][l] = 0, 1
	case BallJoint:
		o.locked[l] = 0
		if j.Cone == 0 {
			o.on[1][l] = 0
		}
	}
	if j.Kind != FixedJoint && !j.Limited {
		o.on[0][l] = 0
	}
	if j.rubs() {
		o.friction[l], o.socket[l] = d.Settings.LimitFriction, float32(j.socket(localA, localB)*d.Settings.LimitFriction)
	}
	// The axes of an angular impulse are those of the world until aim.
	o.axes[0].x[l], o.axes[1].y[l], o.axes[2].z[l] = 1, 1, 1
	o.turns.set(l, x.turn)
}

// storeInLane keeps the impulses of a joint in a lane for the next step.
func (d *Dynamics) storeInLane(c *member) {
	o, l := &d.jointOctets[c.at/lanes], int(c.at%lanes)
	x := &d.joints[c.joint]
	x.linear, x.turn, x.rows = o.impulse.at(l), geom.Vec3{}, [maxRows]float32{}
	x.arms = [2]float32{o.localA.at(l).Len(), o.localB.at(l).Len()}
	x.force, x.torque = o.force.at(l).Mul(1/d.Settings.Step), geom.Vec3{}
	if !c.rowless {
		x.turn, x.torque = o.torqueOf(l, o.turns.at(l)), o.torque.at(l).Mul(1/d.Settings.Step)
	}
}

// torqueOf returns the angular impulse of the rows.
func (o *jointOctet) torqueOf(l int, turns geom.Vec3) geom.Vec3 {
	return o.axes[0].at(l).Mul(turns.X).Add(o.axes[1].at(l).Mul(turns.Y)).Add(o.axes[2].at(l).Mul(turns.Z))
}

// arms returns the vectors from the bodies' centres to the points.
func (o *jointOctet) arms(l int, a, b *motion) [2]geom.Vec3 {
	return [2]geom.Vec3{turned(a.q, o.localA.at(l)), turned(b.q, o.localB.at(l))}
}

// aim computes the errors of a lane where the bodies are now, and its axes if there are any, and
// applies the impulses of the last substep unless they are stale.
func (o *jointOctet) aim(l int, a, b *motion, ia, ib *inertia, pass *jointPass) {
	l &= 7
	arms := o.arms(l, a, b)
	apart := o.apart.at(l).Add(b.moved.Sub(a.moved)).Add(arms[1].Sub(arms[0]))
	// What is welded or hinged to a body that moves folds by some degrees if it spins fast, and
	// would gain energy. Connected joints, which are soft, would come further apart when figures
	// land.
	held := o.rowless == 0 && o.locked[l] > 0 && o.invMassA[l] > 0 && o.invMassB[l] > 0
	if o.yield[l] > 0 {
		apart = apart.Mul(lightBias / directBias)
	} else if !held {
		apart = apart.Add(bend(b.w, arms[1], pass.half)).Sub(bend(a.w, arms[0], pass.half))
	}
	o.error.set(l, apart)
	var turns, turn geom.Vec3
	if o.rowless == 0 {
		turns = o.aimRows(l, a, b)
		turn = o.torqueOf(l, turns)
	}
	u, impulse := velocitiesOf(a, b), o.impulse.at(l)
	spin := greater(u.wa.LenSq(), u.wb.LenSq())
	o.apply(l, &u, ia, ib, impulse, arms[0].Cross(impulse).Add(turn), arms[1].Cross(impulse).Add(turn))
	if greater(spin, float32(greater(u.wa.LenSq(), u.wb.LenSq())*throwShare)) > pass.stale {
		impulse, turns = geom.Vec3{}, geom.Vec3{}
	} else {
		o.set(l, a, b, &u)
	}
	o.impulse.set(l, impulse)
	if o.rowless == 0 {
		o.turns.set(l, turns)
	}
}

// aimRows computes the axes and gaps, and returns the impulses of the last substep about the new
// axes.
func (o *jointOctet) aimRows(l int, a, b *motion) (turns geom.Vec3) {
	l &= 7
	qa := product(a.q, o.frameA.at(l))
	q := product(conjugate(qa), product(b.q, o.frameB.at(l)))
	if math.Signbit(float64(q.W)) {
		q = geom.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: -q.W}
	}
	// Cosine and sine of half the swing.
	square := float32(q.X*q.X) + float32(q.W*q.W)
	cos := float32(math.Sqrt(float64(square)))
	sin := float32(math.Sqrt(float64(float32(q.Y*q.Y) + float32(q.Z*q.Z))))
	o.lowerGap[l] = 2 * (float32(q.X*o.lower[1][l]) - float32(q.W*o.lower[0][l]))
	above := 2 * (float32(q.W*o.upper[0][l]) - float32(q.X*o.upper[1][l]))
	// B's X axis along A's Y and Z axes: the turns about A's Z and −Y axes.
	y, z := 2*(float32(q.X*q.Y)+float32(q.W*q.Z)), 2*(float32(q.X*q.Z)-float32(q.W*q.Y))
	xa, ya, za := axes(qa)
	// In A's axes, of unit length: that of the twist, between both X axes, that of the swing,
	// across both, and the third, across it and the first or, where there is no first, B's X axis,
	// which goes round A's about it. So those that there are stand at right angles. The twist
	// changes by the speed about its axis over the cosine of half the swing: see Dynamics.aim.
	s := 0.5 * reciprocal(cos)
	n0 := geom.Vec3{X: cos, Y: float32(y * s), Z: float32(z * s)}
	norm := float32(math.Sqrt(float64(float32(y*y) + float32(z*z))))
	across := reciprocal(norm)
	n1, gap := geom.Vec3{Y: float32(z * across), Z: -float32(y * across)}, 2*(float32(o.cone[0][l]*cos)-float32(o.cone[1][l]*sin))
	if !(norm > 0) {
		n1.Y = 1
	}
	n2 := n1.Cross(n0)
	if !(o.on[0][l] > 0) {
		n2 = n1.Cross(geom.Vec3{X: 2*square - 1, Y: y, Z: z})
	}
	if o.locked[l] != 0 {
		n1, n2, gap = geom.Vec3{Y: 1}, geom.Vec3{Z: 1}, -z
	}
	o.gaps.set(l, geom.Vec3{X: above, Y: gap, Z: y})
	torque := o.torqueOf(l, o.turns.at(l))
	torque = geom.Vec3{X: xa.Dot(torque), Y: ya.Dot(torque), Z: za.Dot(torque)}
	turns = geom.Vec3{
		X: float32(n0.Dot(torque) * o.on[0][l]), Y: float32(n1.Dot(torque) * o.on[1][l]), Z: float32(n2.Dot(torque) * o.on[2][l]),
	}
	for k, n := range [...]geom.Vec3{n0, n1, n2} {
		o.axes[k].set(l, xa.Mul(n.X).Add(ya.Mul(n.Y)).Add(za.Mul(n.Z)))
	}
	return turns
}

// weighRow returns the effective mass about an axis, and what impulse of the points comes with one
// of the row and keeps them together: without it, the limit of a hinge with a long lever would have
// to turn the body about its centre, against the hinge. A row about an axis about which neither
// body turns does nothing.
func (o *jointOctet) weighRow(row, l int, inverse *inertia, arms [2]geom.Vec3, ia, ib *inertia, least float32) (mass float32, push geom.Vec3) {
	n := o.axes[row].at(l)
	ta, tb := ia.apply(n), ib.apply(n)
	speed := tb.Cross(arms[1]).Add(ta.Cross(arms[0]))
	push = inverse.apply(speed).Neg()
	return o.on[row][l] * reciprocalAbove(n.Dot(ta.Add(tb))+push.Dot(speed), least), push
}

// weighPoints returns the inverse of the effective mass of the points.
func weighPoints(arms [2]geom.Vec3, ia, ib *inertia) inertia {
	k := pointMass(ia.mass+ib.mass, arms[0], arms[1], ia, ib)
	return inverseOf(&k)
}

// inverseOf returns the inverse of an effective mass, which is scaled by its trace first, so that
// no product is too small.
func inverseOf(k *inertia) (i inertia) {
	scale := reciprocal(k.xx + k.yy + k.zz)
	mxx, myy, mzz := float32(k.xx*scale), float32(k.yy*scale), float32(k.zz*scale)
	mxy, mxz, myz := float32(k.xy*scale), float32(k.xz*scale), float32(k.yz*scale)
	xx := float32(myy*mzz) - float32(myz*myz)
	xy := float32(mxz*myz) - float32(mxy*mzz)
	xz := float32(mxy*myz) - float32(mxz*myy)
	scale *= reciprocal(float32(mxx*xx) + float32(mxy*xy) + float32(mxz*xz))
	i.xx, i.xy, i.xz = float32(xx*scale), float32(xy*scale), float32(xz*scale)
	i.yy = float32((float32(mxx*mzz) - float32(mxz*mxz)) * scale)
	i.yz = float32((float32(mxy*mxz) - float32(mxx*myz)) * scale)
	i.zz = float32((float32(mxx*myy) - float32(mxy*mxy)) * scale)
	return i
}

// apply applies an impulse between the points, and angular ones about the centres.
func (o *jointOctet) apply(l int, u *velocities, ia, ib *inertia, impulse, turnA, turnB geom.Vec3) {
	u.thrust(impulse, o.invMassA[l], o.invMassB[l])
	u.wa = u.wa.Sub(ia.apply(turnA))
	u.wb = u.wb.Add(ib.apply(turnB))
}

// set sets the velocities of the dynamic bodies.
func (o *jointOctet) set(l int, a, b *motion, u *velocities) {
	if o.invMassA[l] > 0 {
		a.v, a.w = u.va, u.wa
	}
	if o.invMassB[l] > 0 {
		b.v, b.w = u.vb, u.wb
	}
}

// solve solves a lane: the points, then the rows, whose impulses keep the points as they are. The
// other way round the rows would have to take for done what the points do afterwards, and soft
// points do only a part of it: friction turned its joint a little in each substep, under any load,
// and the limbs of heaps of figures crept at some mm/s for good.
//
// The arms are those where the bodies are now, so that no impulse changes the angular momentum, and
// so are the effective masses. With those of other arms relaxation would diverge: at an arm of 4 m
// a sphere with a radius of 0.2 m has 1000 times the effective mass along the arm that it has
// across it, and would gain ten times its speed if it turned by 0.1 rad in between. The axes stay
// as aim left them: with others, what leans on its limit would lose energy as it swings along it.
func (o *jointOctet) solve(l int, a, b *motion, ia, ib *inertia, pass *jointPass) {
	l &= 7
	u, arms := velocitiesOf(a, b), o.arms(l, a, b)
	inverse, impulse := weighPoints(arms, ia, ib), o.impulse.at(l)
	bias := o.error.at(l).Mul(pass.bias)
	bias = bias.Mul(shorten(bias.LenSq(), jointSpeed))
	w := u.between(arms).Add(bias)
	yield := float32(o.yield[l] * pass.yield)
	change := inverse.apply(w).Mul(yield - 1).Sub(impulse.Mul(yield))
	impulse = impulse.Add(change)
	o.apply(l, &u, ia, ib, change, arms[0].Cross(change), arms[1].Cross(change))
	if o.rowless == 0 {
		impulse = o.solveRows(l, &u, arms, ia, ib, &inverse, impulse, pass)
	}
	o.impulse.set(l, impulse)
	o.set(l, a, b, &u)
	o.force.set(l, o.force.at(l).Add(impulse.Mul(pass.felt)))
}

// between returns the velocity of the point of B seen from that of A.
func (u *velocities) between(arms [2]geom.Vec3) geom.Vec3 {
	return u.vb.Add(u.wb.Cross(arms[1])).Sub(u.va).Sub(u.wa.Cross(arms[0]))
}

// solveRows solves the rows of a lane, and returns the impulse of the points with those that come
// with the rows. Softness counts where a limit is exceeded or nothing may move.
func (o *jointOctet) solveRows(l int, u *velocities, arms [2]geom.Vec3, ia, ib, inverse *inertia, impulse geom.Vec3, pass *jointPass) geom.Vec3 {
	l &= 7
	flat := float32(flatRow * (ia.trace() + ib.trace()))
	old, gaps := o.turns.at(l), o.gaps.at(l)
	welded, locked := o.welded[l] != 0, o.locked[l] != 0
	speed := func(axis int) float32 { return o.axes[axis].at(l).Dot(u.wb.Sub(u.wa)) }
	least := float32(o.socket[l] * float32(math.Sqrt(float64(impulse.LenSq()))))
	turn := func(axis int, push geom.Vec3, change float32) {
		push, n := push.Mul(change), o.axes[axis].at(l).Mul(change)
		impulse = impulse.Add(push)
		o.apply(l, u, ia, ib, push, arms[0].Cross(push).Add(n), arms[1].Cross(push).Add(n))
	}
	pressX, pressY := greater(old.X, -old.X), greater(old.Y, -old.Y)
	rub := func(old, v, mass, press float32) float32 {
		most := least + float32(o.friction[l]*press)
		return lesser(greater(old-float32(mass*v), -most), most)
	}
	mass, push := o.weighRow(0, l, inverse, arms, ia, ib, flat)
	v := speed(0)
	x := pass.stop(old.X, v, o.lowerGap[l], mass, welded)
	if !welded {
		x = greater(x, lesser(-pass.stop(-old.X, -v, gaps.X, mass, false), rub(old.X, v, mass, pressY)))
	}
	turn(0, push, x-old.X)
	mass, push = o.weighRow(1, l, inverse, arms, ia, ib, flat)
	v = speed(1)
	y := pass.stop(old.Y, v, gaps.Y, mass, locked)
	if !locked {
		y = greater(y, rub(old.Y, v, mass, pressX))
	}
	turn(1, push, y-old.Y)
	mass, push = o.weighRow(2, l, inverse, arms, ia, ib, flat)
	v = speed(2)
	z := pass.stop(old.Z, v, gaps.Z, mass, true)
	if !locked {
		z = rub(old.Z, v, mass, pressX+pressY)
	}
	turn(2, push, z-old.Z)
	turns := geom.Vec3{X: x, Y: y, Z: z}
	o.turns.set(l, turns)
	o.torque.set(l, o.torque.at(l).Add(o.torqueOf(l, turns).Mul(pass.felt)))
	return impulse
}

// stop returns the impulse of a row that keeps a gap from closing or, if it is locked, from
// changing.
func (pass *jointPass) stop(old, v, gap, mass float32, locked bool) float32 {
	s := &pass.rows
	bias, share, back := lesser(greater(float32(s.bias*gap), -jointSpeed), jointSpeed), s.mass, s.impulse
	if gap > 0 && !locked {
		bias, share, back = float32(gap*pass.rate), 1, 0
	}
	return old - float32(back*old) - float32(mass*float32(share*(v+bias)))
}

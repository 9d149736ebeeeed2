package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// The AVX2 twins of the methods of rigid.jointOctet, operation by operation.

// Offsets in rigid.jointOctet and rigid.jointPass; a test in package rigid compares them with those
// of the compiler. The bodies and their masses are where rigid.octet has them.
const (
	jointRowless                      = 68
	jointApart                        = 96
	jointLocalA, jointLocalB          = 256, 352
	jointYield, jointImpulse          = 448, 480
	jointError, jointForce            = 576, 672
	jointFrameA, jointFrameB          = 768, 896
	jointLower, jointUpper, jointCone = 1024, 1088, 1152
	jointOn                           = 1216
	jointFriction, jointSocket        = 1312, 1344
	jointLocked, jointWelded          = 1376, 1408
	jointTurns, jointAxes             = 1440, 1536
	jointLowerGap, jointGaps          = 1824, 1856
	jointTorque, jointOctetSize       = 1952, 2048

	passSoftBias, passSoftMass, passSoftBack = 0, 4, 8
	passBias, passYield                      = 12, 16
	passRate, passFelt, passStale            = 20, 24, 28
	passHalf                                 = 32
	passNumbers                              = 9

	jointThrowShare = 1.0 / 9

	motionTurn     = 48 // the rotation
	jointTurnRows  = frameSize
	jointPassRows  = jointTurnRows + 8*row
	jointSpillRows = jointPassRows + passNumbers*row
	jointFrameSize = jointSpillRows + 64*row
)

// jointer is the state of a routine, and vector a vector of values.
type jointer struct {
	solver
	line
	rowless bool // the line is for octets without rows
}

type vector [3]value

func makeJoints() {
	constants := map[uint32]Mem{}
	for _, r := range []struct {
		name, doc string
		do        func(*jointer)
	}{
		{"aimJointsSIMD", "aimJointsSIMD is jointOctet.aim.", (*jointer).aim},
		{"solveJointsSIMD", "solveJointsSIMD is jointOctet.solve.", (*jointer).solve},
	} {
		j := &jointer{line: line{constants: constants}}
		j.routine(r.name, r.doc, r.do)
	}
	makeMotors(constants)
}

// routine writes a loop over octets that gathers the motions and inertias, does a line, of which
// those without rows have a shorter one, and scatters the velocities.
func (j *jointer) routine(name, doc string, do func(*jointer)) {
	j.open(name, doc, "func(o *byte, n int, motions, inertias, pass *byte)", jointFrameSize)
	j.spread(passNumbers, jointPassRows)
	j.loop(jointOctetSize, func() {
		j.gather(name == "aimJointsSIMD", true)
		j.gatherTurns()
		CMPL(at(j.o, jointRowless), U8(0))
		JNE(LabelRef("rowless"))
		for _, j.rowless = range [2]bool{false, true} {
			if j.rowless {
				Label("rowless")
			}
			j.steps, j.known = nil, map[step]value{}
			do(j)
			if rows := j.write(at(j.f, jointSpillRows)); rows > 64 {
				panic("too many rows")
			}
			if !j.rowless {
				JMP(LabelRef("solved"))
			}
		}
		Label("solved")
		j.scatter()
	})
}

// spread writes some numbers of the pass as rows to the frame.
func (j *jointer) spread(numbers, to int) {
	pass := Load(Param("pass"), GP64())
	for k := range numbers {
		x := YMM()
		VBROADCASTSS(at(pass, 4*k), x)
		VMOVUPS(x, at(j.f, to+row*k))
	}
}

// gatherTurns writes the columns of both sides' rotations to the frame.
func (j *jointer) gatherTurns() {
	motions := Load(Param("motions"), GP64())
	for side := range 2 {
		index := GP64()
		LEAQ(at(j.o, octetB*side), index)
		gatherColumns(motions, index, j.f, motionBytes, quad{from: motionTurn, col: jointTurnRows + 4*row*side})
	}
}

func (j *jointer) field(offset int) value { return j.load(at(j.o, offset)) }

func (j *jointer) pass(offset int) value { return j.load(at(j.f, jointPassRows+8*offset)) }

func (j *jointer) vector(m Mem) (v vector) {
	for i := range v {
		v[i] = j.load(m.Offset(row * i))
	}
	return v
}

func (j *jointer) fields(offset int) vector { return j.vector(at(j.o, offset)) }

func (j *jointer) put(offset int, v ...value) {
	for i, x := range v {
		j.store(at(j.o, offset+row*i), x)
	}
}

func (j *jointer) plus(a, b vector) vector {
	return vector{j.add(a[0], b[0]), j.add(a[1], b[1]), j.add(a[2], b[2])}
}

func (j *jointer) minus(a, b vector) vector {
	return vector{j.sub(a[0], b[0]), j.sub(a[1], b[1]), j.sub(a[2], b[2])}
}

func (j *jointer) times(a vector, s value) vector {
	return vector{j.mul(a[0], s), j.mul(a[1], s), j.mul(a[2], s)}
}

func (j *jointer) dot(a, b vector) value { return j.sum(a[0], b[0], a[1], b[1], a[2], b[2]) }

// sum returns the sum of products of pairs.
func (j *jointer) sum(pairs ...value) value {
	sum := j.mul(pairs[0], pairs[1])
	for i := 2; i < len(pairs); i += 2 {
		sum = j.add(sum, j.mul(pairs[i], pairs[i+1]))
	}
	return sum
}

// minor returns a·b − c·d.
func (j *jointer) minor(a, b, c, d value) value { return j.sub(j.mul(a, b), j.mul(c, d)) }

func (j *jointer) cross(a, b vector) (c vector) {
	for i := range c {
		k, l := (i+1)%3, (i+2)%3
		c[i] = j.minor(a[k], b[l], a[l], b[k])
	}
	return c
}

func (j *jointer) reciprocal(x value) value {
	return j.and(j.less(j.number(0), x), j.div(j.number(1), x))
}

func (j *jointer) twice(x value) value { return j.mul(j.number(2), x) }

// symmetric is a matrix in the order of rigid.inertia.
type symmetric struct{ xx, yy, zz, xy, xz, yz value }

func (j *jointer) symmetric(m Mem) symmetric {
	at := func(i int) value { return j.load(m.Offset(row * i)) }
	return symmetric{at(0), at(1), at(2), at(3), at(4), at(5)}
}

func (j *jointer) inertia(side int) symmetric { return j.symmetric(j.col(side, colInertia+row)) }

// trace is inertia.trace.
func (j *jointer) trace(side int) value {
	m := j.inertia(side)
	return j.add(j.add(m.xx, m.yy), m.zz)
}

// apply is inertia.apply.
func (j *jointer) apply(m symmetric, v vector) vector {
	return vector{
		j.sum(m.xx, v[0], m.xy, v[1], m.xz, v[2]),
		j.sum(m.xy, v[0], m.yy, v[1], m.yz, v[2]),
		j.sum(m.xz, v[0], m.yz, v[1], m.zz, v[2]),
	}
}

// quat is a rotation: x, y, z, w.
type quat [4]value

func (j *jointer) quat(m Mem) (q quat) {
	for i := range q {
		q[i] = j.load(m.Offset(row * i))
	}
	return q
}

func (j *jointer) product(q, p quat) quat {
	const x, y, z, w = 0, 1, 2, 3
	sum := func(pairs ...value) value {
		n := len(pairs) - 2
		return j.sub(j.sum(pairs[:n]...), j.mul(pairs[n], pairs[n+1]))
	}
	return quat{
		sum(q[w], p[x], q[x], p[w], q[y], p[z], q[z], p[y]),
		j.add(j.add(j.minor(q[w], p[y], q[x], p[z]), j.mul(q[y], p[w])), j.mul(q[z], p[x])),
		j.add(sum(q[w], p[z], q[x], p[y], q[y], p[x]), j.mul(q[z], p[w])),
		j.sub(j.sub(j.sub(j.mul(q[w], p[w]), j.mul(q[x], p[x])), j.mul(q[y], p[y])), j.mul(q[z], p[z])),
	}
}

// axesOf is axes of package rigid.
func (j *jointer) axesOf(q quat) (x, y, z vector) {
	xx, yy, zz := j.mul(q[0], q[0]), j.mul(q[1], q[1]), j.mul(q[2], q[2])
	xy, xz, yz := j.mul(q[0], q[1]), j.mul(q[0], q[2]), j.mul(q[1], q[2])
	wx, wy, wz := j.mul(q[3], q[0]), j.mul(q[3], q[1]), j.mul(q[3], q[2])
	rest := func(a, b value) value { return j.sub(j.number(1), j.twice(j.add(a, b))) }
	plus := func(a, b value) value { return j.twice(j.add(a, b)) }
	minus := func(a, b value) value { return j.twice(j.sub(a, b)) }
	return vector{rest(yy, zz), plus(xy, wz), minus(xz, wy)},
		vector{minus(xy, wz), rest(xx, zz), plus(yz, wx)},
		vector{plus(xz, wy), minus(yz, wx), rest(xx, yy)}
}

// turned is turned of package rigid.
func (j *jointer) turned(q quat, v vector) vector {
	x, y, z := j.axesOf(q)
	return j.plus(j.plus(j.times(x, v[0]), j.times(y, v[1])), j.times(z, v[2]))
}

// velocity returns the velocity of a side, and the angular one.
func (j *jointer) velocity(side int) (v, w vector) {
	return j.vector(j.col(side, colV)), j.vector(j.col(side, colW))
}

// pull is jointOctet.apply, with the angular impulse that acts beside that of the points, or nil.
func (j *jointer) pull(v, w [2]vector, arms [2]vector, impulse vector, turn *vector) (_, _ [2]vector) {
	for side := range 2 {
		change := j.cross(arms[side], impulse)
		if turn != nil {
			change = j.plus(change, *turn)
		}
		c, a := j.times(impulse, j.field(octetInvMassA+row*side)), j.apply(j.inertia(side), change)
		if side == 0 {
			v[0], w[0] = j.minus(v[0], c), j.minus(w[0], a)
		} else {
			v[1], w[1] = j.plus(v[1], c), j.plus(w[1], a)
		}
	}
	return v, w
}

// move sets the velocities.
func (j *jointer) move(v, w [2]vector) {
	for side := range 2 {
		for i := range 3 {
			j.store(j.col(side, colV+row*i), v[side][i])
			j.store(j.col(side, colW+row*i), w[side][i])
		}
	}
}

func (j *jointer) flip(v vector) vector { return vector{j.neg(v[0]), j.neg(v[1]), j.neg(v[2])} }

// torque is jointOctet.torqueOf.
func (j *jointer) torque(axes [3]vector, turns vector) vector {
	return j.plus(j.plus(j.times(axes[0], turns[0]), j.times(axes[1], turns[1])), j.times(axes[2], turns[2]))
}

// arms returns the rotations, and jointOctet.arms.
func (j *jointer) arms() (turns [2]quat, arms [2]vector) {
	for side := range 2 {
		turns[side] = j.quat(at(j.f, jointTurnRows+4*row*side))
		arms[side] = j.turned(turns[side], j.fields(jointLocalA+3*row*side))
	}
	return turns, arms
}

// aim is jointOctet.aim.
func (j *jointer) aim() {
	var v, w, moved [2]vector
	for side := range 2 {
		v[side], w[side] = j.velocity(side)
		moved[side] = j.vector(j.col(side, colMoved))
	}
	turns, arms := j.arms()
	apart := j.plus(j.plus(j.fields(jointApart), j.minus(moved[1], moved[0])), j.minus(arms[1], arms[0]))
	ahead := j.minus(j.plus(apart, j.bend(w[1], arms[1])), j.bend(w[0], arms[0]))
	none := j.number(0)
	if !j.rowless {
		folds := j.and(j.less(none, j.field(jointLocked)), j.and(j.less(none, j.field(octetInvMassA)), j.less(none, j.field(octetInvMassA+row))))
		for i := range apart {
			ahead[i] = j.blend(folds, ahead[i], apart[i])
		}
	}
	yields := j.less(none, j.field(jointYield))
	for i := range apart {
		apart[i] = j.blend(yields, ahead[i], j.twice(apart[i]))
	}
	j.put(jointError, apart[:]...)
	zero := vector{none, none, none}
	turn, rows := zero, zero
	if !j.rowless {
		turn, rows = j.aimRows(turns)
	}

	spin := j.greater(j.dot(w[0], w[0]), j.dot(w[1], w[1]))
	impulse := j.fields(jointImpulse)
	warmV, warmW := j.pull(v, w, arms, impulse, &turn)
	thrown := j.greater(j.dot(warmW[0], warmW[0]), j.dot(warmW[1], warmW[1]))
	spin = j.greater(spin, j.mul(thrown, j.number(jointThrowShare)))
	stale := j.less(j.pass(passStale), spin)
	blend := func(a, b vector) (c vector) {
		for i := range c {
			c[i] = j.blend(stale, a[i], b[i])
		}
		return c
	}
	impulse, rows = blend(impulse, zero), blend(rows, zero)
	for side := range 2 {
		v[side], w[side] = blend(warmV[side], v[side]), blend(warmW[side], w[side])
	}
	j.put(jointImpulse, impulse[:]...)
	if !j.rowless {
		j.put(jointTurns, rows[:]...)
	}
	j.move(v, w)
}

// aimRows is jointOctet.aimRows; it returns the torque of the impulses, too.
func (j *jointer) aimRows(turns [2]quat) (turn, rows vector) {
	none := j.number(0)
	qa := j.product(turns[0], j.quat(at(j.o, jointFrameA)))
	back := quat{j.neg(qa[0]), j.neg(qa[1]), j.neg(qa[2]), qa[3]}
	q := j.product(back, j.product(turns[1], j.quat(at(j.o, jointFrameB))))
	sign := j.and(q[3], j.bits(1<<31))
	for i := range q {
		q[i] = j.xor(q[i], sign)
	}
	square := j.sum(q[0], q[0], q[3], q[3])
	cos, sin := j.sqrt(square), j.sqrt(j.sum(q[1], q[1], q[2], q[2]))
	half := func(offset int) (sin, cos value) { return j.field(offset), j.field(offset + row) }
	s, c := half(jointLower)
	j.put(jointLowerGap, j.twice(j.minor(q[0], c, q[3], s)))
	s, c = half(jointUpper)
	above := j.twice(j.minor(q[3], s, q[0], c))
	y := j.twice(j.sum(q[0], q[1], q[3], q[2]))
	z := j.twice(j.minor(q[0], q[2], q[3], q[1]))
	xa, ya, za := j.axesOf(qa)
	share, one := j.mul(j.number(0.5), j.reciprocal(cos)), j.number(1)
	norm := j.sqrt(j.sum(y, y, z, z))
	across := j.reciprocal(norm)
	s, c = half(jointCone)
	locked := j.less(none, j.field(jointLocked))
	ny, nz := j.blend(j.less(none, norm), one, j.mul(z, across)), j.neg(j.mul(y, across))
	axes := [3]vector{{cos, j.mul(y, share), j.mul(z, share)}, {none, ny, nz}}
	first, other := j.cross(axes[1], axes[0]), j.cross(axes[1], vector{j.sub(j.twice(square), one), y, z})
	twists := j.less(none, j.field(jointOn))
	for i := range first {
		axes[2][i] = j.blend(twists, other[i], first[i])
	}
	for i := range 3 {
		for k := 1; k < 3; k++ {
			unit := none
			if i == k {
				unit = one
			}
			axes[k][i] = j.blend(locked, axes[k][i], unit)
		}
	}
	gap := j.blend(locked, j.twice(j.minor(s, cos, c, sin)), j.neg(z))
	j.put(jointGaps, above, gap, y)
	var old [3]vector
	for k := range old {
		old[k] = j.fields(jointAxes + 3*row*k)
	}
	turn = j.torque(old, j.fields(jointTurns))
	on := func(k int, x value) value { return j.mul(x, j.field(jointOn+row*k)) }
	turn = vector{j.dot(xa, turn), j.dot(ya, turn), j.dot(za, turn)}
	for k, n := range axes {
		rows[k] = on(k, j.dot(n, turn))
		axes[k] = j.plus(j.plus(j.times(xa, n[0]), j.times(ya, n[1])), j.times(za, n[2]))
		j.put(jointAxes+3*row*k, axes[k][:]...)
	}
	return j.torque(axes, rows), rows
}

// bend is bend of package rigid.
func (j *jointer) bend(w, arm vector) vector {
	half := j.pass(passHalf)
	square, k := j.dot(w, w), j.mul(half, half)
	k = j.div(j.mul(j.number(10), k), j.add(j.number(1), j.mul(square, k)))
	v := j.cross(w, arm)
	return j.times(j.minus(j.cross(w, v), j.times(v, j.mul(square, half))), k)
}

// weighRow is jointOctet.weighRow, for an axis.
func (j *jointer) weighRow(k int, n vector, inverse symmetric, arms [2]vector, least value) (mass value, push vector) {
	ta, tb := j.apply(j.inertia(0), n), j.apply(j.inertia(1), n)
	speed := j.plus(j.cross(tb, arms[1]), j.cross(ta, arms[0]))
	push = j.flip(j.apply(inverse, speed))
	weight := j.add(j.dot(n, j.plus(ta, tb)), j.dot(push, speed))
	return j.mul(j.field(jointOn+row*k), j.and(j.less(least, weight), j.div(j.number(1), weight))), push
}

// weigh is weighPoints of package rigid.
func (j *jointer) weigh(arms [2]vector) symmetric {
	mass := j.add(j.load(j.col(0, colInertia)), j.load(j.col(1, colInertia)))
	m := symmetric{xx: mass, yy: mass, zz: mass, xy: j.number(0), xz: j.number(0), yz: j.number(0)}
	for side, r := range arms {
		i := j.inertia(side)
		none := j.number(0)
		x := j.apply(i, vector{none, r[2], j.neg(r[1])})
		y := j.apply(i, vector{j.neg(r[2]), none, r[0]})
		z := j.apply(i, vector{r[1], j.neg(r[0]), none})
		m = symmetric{
			j.add(m.xx, j.minor(r[2], x[1], r[1], x[2])),
			j.add(m.yy, j.minor(r[0], y[2], r[2], y[0])),
			j.add(m.zz, j.minor(r[1], z[0], r[0], z[1])),
			j.add(m.xy, j.minor(r[2], y[1], r[1], y[2])),
			j.add(m.xz, j.minor(r[2], z[1], r[1], z[2])),
			j.add(m.yz, j.minor(r[0], z[2], r[2], z[0])),
		}
	}
	return j.inverseOf(m)
}

// inverseOf is inverseOf of package rigid.
func (j *jointer) inverseOf(m symmetric) symmetric {
	scale := j.reciprocal(j.add(j.add(m.xx, m.yy), m.zz))
	for _, x := range []*value{&m.xx, &m.yy, &m.zz, &m.xy, &m.xz, &m.yz} {
		*x = j.mul(*x, scale)
	}
	xx := j.minor(m.yy, m.zz, m.yz, m.yz)
	xy := j.minor(m.xz, m.yz, m.xy, m.zz)
	xz := j.minor(m.xy, m.yz, m.xz, m.yy)
	scale = j.mul(scale, j.reciprocal(j.sum(m.xx, xx, m.xy, xy, m.xz, xz)))
	return symmetric{
		j.mul(xx, scale), j.mul(j.minor(m.xx, m.zz, m.xz, m.xz), scale), j.mul(j.minor(m.xx, m.yy, m.xy, m.xy), scale),
		j.mul(xy, scale), j.mul(xz, scale), j.mul(j.minor(m.xy, m.xz, m.xx, m.yz), scale),
	}
}

// solve is jointOctet.solve.
func (j *jointer) solve() {
	var v, w [2]vector
	v[0], w[0] = j.velocity(0)
	v[1], w[1] = j.velocity(1)
	_, arms := j.arms()
	inverse, impulse := j.weigh(arms), j.fields(jointImpulse)
	bias := j.times(j.fields(jointError), j.pass(passBias))
	square := j.dot(bias, bias)
	long := j.less(j.number(400), square)
	bias = j.times(bias, j.blend(long, j.number(1), j.div(j.number(20), j.sqrt(square))))
	apart := j.plus(j.between(v, w, arms), bias)
	yield := j.mul(j.field(jointYield), j.pass(passYield))
	change := j.minus(j.times(j.apply(inverse, apart), j.sub(yield, j.number(1))), j.times(impulse, yield))
	impulse = j.plus(impulse, change)
	v, w = j.pull(v, w, arms, change, nil)
	if !j.rowless {
		v, w, impulse = j.solveRows(v, w, arms, inverse, impulse)
	}
	j.put(jointImpulse, impulse[:]...)
	j.move(v, w)
	force := j.plus(j.fields(jointForce), j.times(impulse, j.pass(passFelt)))
	j.put(jointForce, force[:]...)
}

// between is velocities.between of package rigid.
func (j *jointer) between(v, w, arms [2]vector) vector {
	return j.minus(j.minus(j.plus(v[1], j.cross(w[1], arms[1])), v[0]), j.cross(w[0], arms[0]))
}

// solveRows is jointOctet.solveRows; it returns the velocities, too.
func (j *jointer) solveRows(v, w, arms [2]vector, inverse symmetric, impulse vector) (_, _ [2]vector, _ vector) {
	old, gaps := j.fields(jointTurns), j.fields(jointGaps)
	none := j.number(0)
	welded, locked := j.less(none, j.field(jointWelded)), j.less(none, j.field(jointLocked))
	always := j.bits(1<<32 - 1)
	var axes, pushes [3]vector
	var masses vector
	flat := j.mul(j.number(1e-8), j.add(j.trace(0), j.trace(1)))
	for k := range axes {
		axes[k] = j.fields(jointAxes + 3*row*k)
		masses[k], pushes[k] = j.weighRow(k, axes[k], inverse, arms, flat)
	}
	speed := func(k int) value { return j.dot(axes[k], j.minus(w[1], w[0])) }
	var turns vector
	turn := func(k int, now value) {
		change := j.sub(now, old[k])
		push, n := j.times(pushes[k], change), j.times(axes[k], change)
		impulse = j.plus(impulse, push)
		v, w = j.pull(v, w, arms, push, &n)
		turns[k] = now
	}
	least := j.mul(j.field(jointSocket), j.sqrt(j.dot(impulse, impulse)))
	pressX, pressY := j.greater(old[0], j.neg(old[0])), j.greater(old[1], j.neg(old[1]))
	rub := func(k int, v, press value) value {
		most := j.add(least, j.mul(j.field(jointFriction), press))
		return j.lesser(j.greater(j.sub(old[k], j.mul(masses[k], v)), j.neg(most)), most)
	}
	s := speed(0)
	x := j.stop(old[0], s, j.field(jointLowerGap), masses[0], welded)
	above := j.neg(j.stop(j.neg(old[0]), j.neg(s), gaps[0], masses[0], none))
	turn(0, j.blend(welded, j.greater(x, j.lesser(above, rub(0, s, pressY))), x))
	s = speed(1)
	y := j.stop(old[1], s, gaps[1], masses[1], locked)
	turn(1, j.blend(locked, j.greater(y, rub(1, s, pressX)), y))
	s = speed(2)
	turn(2, j.blend(locked, rub(2, s, j.add(pressX, pressY)), j.stop(old[2], s, gaps[2], masses[2], always)))
	j.put(jointTurns, turns[:]...)
	torque := j.plus(j.fields(jointTorque), j.times(j.torque(axes, turns), j.pass(passFelt)))
	j.put(jointTorque, torque[:]...)
	return v, w, impulse
}

// stop is jointPass.stop; locked is a mask.
func (j *jointer) stop(old, v, gap, mass, locked value) value {
	one, most := j.number(1), j.number(20)
	apart := j.less(j.number(0), gap)
	if locked != j.number(0) {
		apart = j.and(apart, j.xor(locked, j.bits(1<<32-1)))
	}
	bias := j.lesser(j.greater(j.mul(j.pass(passSoftBias), gap), j.neg(most)), most)
	bias = j.blend(apart, bias, j.mul(gap, j.pass(passRate)))
	share := j.blend(apart, j.pass(passSoftMass), one)
	back := j.blend(apart, j.pass(passSoftBack), j.number(0))
	return j.sub(j.sub(old, j.mul(back, old)), j.mul(mass, j.mul(share, j.add(v, bias))))
}

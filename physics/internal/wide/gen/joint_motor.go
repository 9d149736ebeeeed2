package main

import . "github.com/mmcloughlin/avo/operand"

// The AVX2 twins of the methods of rigid.motorOctet, operation by operation.

// Offsets in rigid.motorOctet; a test in package rigid compares them with those of the compiler.
// The bodies and their masses are where rigid.octet has them.
const (
	motorError                       = 96
	motorFrameA, motorFrameB         = 256, 384
	motorBias, motorShare, motorBack = 512, 544, 576
	motorMost, motorImpulse          = 608, 640
	motorTorque, motorInverse        = 736, 832
	motorOctetSize                   = 1024
)

func makeMotors(constants map[uint32]Mem) {
	for _, r := range []struct {
		name, doc string
		do        func(*jointer)
	}{
		{"aimMotorsSIMD", "aimMotorsSIMD is motorOctet.aim.", (*jointer).aimMotor},
		{"solveMotorsSIMD", "solveMotorsSIMD is motorOctet.solve.", (*jointer).solveMotor},
	} {
		j := &jointer{line: line{constants: constants}}
		j.open(r.name, r.doc, "func(o *byte, n int, motions, inertias, pass *byte)", jointFrameSize)
		j.spread(passNumbers, jointPassRows)
		j.loop(motorOctetSize, func() {
			j.gather(false, true)
			if r.name == "aimMotorsSIMD" {
				j.gatherTurns()
			}
			j.steps, j.known = nil, map[step]value{}
			r.do(j)
			if rows := j.write(at(j.f, jointSpillRows)); rows > 64 {
				panic("too many rows")
			}
			j.scatter()
		})
	}
}

// spins returns the angular velocities.
func (j *jointer) spins() (w [2]vector) {
	return [2]vector{j.vector(j.col(0, colW)), j.vector(j.col(1, colW))}
}

// turnedBy returns angular velocities after an angular impulse on B and its opposite on A.
func (j *jointer) turnedBy(w [2]vector, impulse vector) [2]vector {
	return [2]vector{j.minus(w[0], j.apply(j.inertia(0), impulse)), j.plus(w[1], j.apply(j.inertia(1), impulse))}
}

func (j *jointer) setSpins(w [2]vector) {
	for side := range 2 {
		for i := range 3 {
			j.store(j.col(side, colW+row*i), w[side][i])
		}
	}
}

// rotationVector is rotationVector of package rigid.
func (j *jointer) rotationVector(q quat) vector {
	sign := j.and(j.less(q[3], j.number(0)), j.bits(1<<31))
	v := vector{j.xor(q[0], sign), j.xor(q[1], sign), j.xor(q[2], sign)}
	s := j.dot(v, v)
	k := j.mul(s, j.number(105.0/3456))
	for _, c := range [...]float32{15.0 / 336, 3.0 / 40, 1.0 / 6, 1} {
		k = j.add(j.number(c), k)
		if c != 1 {
			k = j.mul(s, k)
		}
	}
	return j.times(v, j.twice(k))
}

// aimMotor is motorOctet.aim.
func (j *jointer) aimMotor() {
	qa := j.product(j.quat(at(j.f, jointTurnRows)), j.quat(at(j.o, motorFrameA)))
	qb := j.product(j.quat(at(j.f, jointTurnRows+4*row)), j.quat(at(j.o, motorFrameB)))
	back := quat{j.neg(qa[0]), j.neg(qa[1]), j.neg(qa[2]), qa[3]}
	error := j.rotationVector(j.product(qb, back))
	j.put(motorError, error[:]...)
	a, b := j.inertia(0), j.inertia(1)
	k := j.inverseOf(symmetric{
		j.add(a.xx, b.xx), j.add(a.yy, b.yy), j.add(a.zz, b.zz), j.add(a.xy, b.xy), j.add(a.xz, b.xz), j.add(a.yz, b.yz),
	})
	j.put(motorInverse, k.xx, k.yy, k.zz, k.xy, k.xz, k.yz)
	w, impulse := j.spins(), j.fields(motorImpulse)
	warm := j.turnedBy(w, impulse)
	fastest := func(w [2]vector) value { return j.greater(j.dot(w[0], w[0]), j.dot(w[1], w[1])) }
	spin := j.greater(fastest(w), j.mul(fastest(warm), j.number(jointThrowShare)))
	stale := j.less(j.pass(passStale), spin)
	for i := range impulse {
		impulse[i] = j.blend(stale, impulse[i], j.number(0))
		for side := range w {
			w[side][i] = j.blend(stale, warm[side][i], w[side][i])
		}
	}
	j.put(motorImpulse, impulse[:]...)
	j.setSpins(w)
}

// solveMotor is motorOctet.solve.
func (j *jointer) solveMotor() {
	shortened := func(v vector, most value) vector {
		square := j.dot(v, v)
		long := j.less(j.mul(most, most), square)
		return j.times(v, j.blend(long, j.number(1), j.div(most, j.sqrt(square))))
	}
	const speed = 20
	bias := shortened(j.times(j.fields(motorError), j.field(motorBias)), j.number(speed))
	w, old := j.spins(), j.fields(motorImpulse)
	inverse := j.symmetric(at(j.o, motorInverse))
	change := j.times(j.apply(inverse, j.plus(j.minus(w[1], w[0]), bias)), j.field(motorShare))
	impulse := j.minus(j.minus(old, j.times(old, j.field(motorBack))), change)
	impulse = shortened(impulse, j.field(motorMost))
	j.put(motorImpulse, impulse[:]...)
	torque := j.plus(j.fields(motorTorque), impulse)
	j.put(motorTorque, torque[:]...)
	j.setSpins(j.turnedBy(w, j.minus(impulse, old)))
}

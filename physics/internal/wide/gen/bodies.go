package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twins of Dynamics.accelerate and Dynamics.move of package rigid, for eight bodies,
// operation by operation.

// Offsets in rigid.drives and rigid.substep; a test in package rigid compares them with those of
// the compiler.
const (
	driveSimple, driveGyrates           = 32, 64
	driveAnySimple, driveAnyOther       = 96, 100
	driveChange, driveV, driveW         = 128, 224, 320
	drivePrincipal, driveAxes           = 416, 512
	driveLocked, driveSize              = 640, 672
	substepH, substepSpeed, substepSpin = 0, 4, 8
	substepNumbers                      = 3

	// The frame: the motions by columns, as they follow each other, the numbers, and what finds no
	// register.
	bodyTurn      = 12 * row
	bodyPassRows  = 16 * row
	bodySpillRows = bodyPassRows + substepNumbers*row
	bodyFrameSize = bodySpillRows + 32*row
)

// mover is the state of a routine.
type mover struct {
	jointer
	others bool // the line is for octets of which a body has a gyroscopic torque or is locked
}

func makeBodies() {
	constants := map[uint32]Mem{}
	whole := []quad{{from: 0, col: colV}, {from: 16, col: colV + 4*row}, {from: 32, col: colV + 8*row}, {from: motionTurn, col: bodyTurn}}
	for _, r := range []struct {
		name, doc string
		quads     []quad // of a motion
		do        func(*mover)
	}{
		{"accelerateSIMD", "accelerateSIMD is Dynamics.accelerate.", whole[:2], (*mover).accelerate},
		{"moveSIMD", "moveSIMD is Dynamics.move.", whole, (*mover).drift},
	} {
		m := &mover{jointer: jointer{line: line{constants: constants}}}
		m.open(r.name, r.doc, "func(o *byte, n int, motions, pass *byte)", bodyFrameSize)
		m.spread(substepNumbers, bodyPassRows)
		m.loop(driveSize, func() {
			CMPL(at(m.o, driveAnySimple), U8(0))
			JEQ(LabelRef("done"))
			for quads := range slices.Chunk(r.quads, 2) { // more need more registers than there are
				gatherColumns(Load(Param("motions"), GP64()), m.o, m.f, motionBytes, quads...)
			}
			CMPL(at(m.o, driveAnyOther), U8(0))
			JNE(LabelRef("others"))
			for _, m.others = range [2]bool{false, true} {
				if m.others {
					Label("others")
				}
				m.steps, m.known = nil, map[step]value{}
				r.do(m)
				if rows := m.write(at(m.f, bodySpillRows)); rows > 32 {
					panic("too many rows")
				}
				if !m.others {
					JMP(LabelRef("solved"))
				}
			}
			Label("solved")
			m.scatterColumns(r.quads)
			Label("done")
		})
	}
}

// scatterColumns writes columns of the frame to the motions of simple bodies. The second of two has
// only two numbers of each.
func (m *mover) scatterColumns(quads []quad) {
	motions, mask := Load(Param("motions"), GP64()), GP32()
	simple := YMM()
	VMOVUPS(at(m.o, driveSimple), simple)
	VMOVMSKPS(simple, mask)
	for pair := 0; pair < len(quads); pair += 2 {
		var r [2][4]reg.VecVirtual
		for k, q := range quads[pair : pair+2] {
			for i := range r[k] {
				r[k][i] = YMM()
				VMOVUPS(at(m.f, q.col+row*i), r[k][i])
			}
			r[k] = turn4(r[k])
		}
		for l := range 8 {
			if l == 4 {
				for _, v := range append(r[0][:], r[1][:]...) {
					VEXTRACTF128(U8(1), v, v.AsX())
				}
			}
			next := string(rune('a'+pair)) + "Slow" + string(rune('0'+l))
			BTL(U8(l), mask)
			JCC(LabelRef(next))
			i := GP64()
			MOVL(at(m.o, 4*l), i.As32())
			SHLQ(U8(motionBytes), i)
			ADDQ(motions, i)
			VMOVUPS(r[0][l%4].AsX(), at(i, quads[pair].from))
			if second := r[1][l%4].AsX(); len(quads) == 2 {
				VMOVLPS(second, at(i, quads[pair+1].from))
			} else {
				VMOVUPS(second, at(i, quads[pair+1].from))
			}
			Label(next)
		}
	}
}

func (m *mover) substep(offset int) value { return m.load(at(m.f, bodyPassRows+8*offset)) }

func (m *mover) motion(col int) vector { return m.vector(at(m.f, col)) }

func (m *mover) setMotion(col int, v ...value) {
	for i, x := range v {
		m.store(at(m.f, col+row*i), x)
	}
}

// either returns the one of two vectors that a mask selects.
func (m *mover) either(mask value, no, yes vector) (v vector) {
	for i := range v {
		v[i] = m.blend(mask, no[i], yes[i])
	}
	return v
}

// keep stores a vector of the drives of simple bodies.
func (m *mover) keep(offset int, v vector) {
	v = m.either(m.field(driveSimple), m.fields(offset), v)
	m.put(offset, v[:]...)
}

// isSet is a mask of where a number is not zero, or NaN.
func (m *mover) isSet(x value) value {
	const most = 0x1p127 // which lesser returns for NaN
	return m.less(m.number(0), m.lesser(m.and(x, m.bits(1<<31-1)), m.number(most)))
}

func (m *mover) isAnySet(v vector) value {
	return m.or(m.or(m.isSet(v[0]), m.isSet(v[1])), m.isSet(v[2]))
}

// limit is limit of package rigid, without a limit of the body's own.
func (m *mover) limit(v vector, most value) vector {
	s := m.dot(v, v)
	return m.either(m.less(m.mul(most, most), s), v, m.times(v, m.div(most, m.sqrt(s))))
}

// accelerate is Dynamics.accelerate.
func (m *mover) accelerate() {
	v, w := m.motion(colV), m.motion(colW)
	warmV, warmW := m.minus(v, m.fields(driveV)), m.minus(w, m.fields(driveW))
	v = m.plus(v, m.fields(driveChange))
	v, w = m.limit(v, m.substep(substepSpeed)), m.limit(w, m.substep(substepSpin))
	if m.others {
		v, w = m.lock(v, w)
	}
	m.keep(driveV, v)
	m.keep(driveW, w)
	v, w = m.plus(v, warmV), m.plus(w, warmW)
	m.setMotion(colV, v[:]...)
	m.setMotion(colW, w[:]...)
}

// lock is motion.lockFlat, of those that it is for.
func (m *mover) lock(v, w vector) (vector, vector) {
	for _, x := range [...]*value{&v[2], &w[0], &w[1]} {
		*x = m.blend(m.field(driveLocked), *x, m.number(0))
	}
	return v, w
}

// gyrate is body.gyrate, of those that it is for.
func (m *mover) gyrate(q quat, old vector) (swing vector) {
	x, y, z := m.axesOf(m.product(q, m.quat(at(m.o, driveAxes))))
	w := vector{m.dot(x, old), m.dot(y, old), m.dot(z, old)}
	i := m.fields(drivePrincipal)
	times := func(a, b vector) vector { return vector{m.mul(a[0], b[0]), m.mul(a[1], b[1]), m.mul(a[2], b[2])} }
	energy := m.dot(i, times(w, w))
	half := m.mul(m.number(0.5), m.substep(substepH))
	var k, f vector
	for a := range k {
		b, c := (a+1)%3, (a+2)%3
		k[a] = m.mul(half, m.sub(i[c], i[b]))
		f[a] = m.mul(m.mul(m.mul(k[a], w[b]), w[c]), m.number(2))
	}
	c0 := vector{i[0], m.mul(k[1], w[2]), m.mul(k[2], w[1])}
	c1 := vector{m.mul(k[0], w[2]), i[1], m.mul(k[2], w[0])}
	c2 := vector{m.mul(k[0], w[1]), m.mul(k[1], w[0]), i[2]}
	n := m.cross(c1, c2)
	det := m.dot(c0, n)
	gyrates := m.and(m.and(m.field(driveGyrates), m.isAnySet(old)), m.isSet(det))
	change := vector{m.dot(n, f), m.dot(m.cross(c2, c0), f), m.dot(m.cross(c0, c1), f)}
	w = m.minus(w, m.times(change, m.div(m.number(1), det)))
	e := m.dot(i, times(w, w))
	w = m.either(m.less(m.number(0), e), w, m.times(w, m.sqrt(m.div(energy, e))))
	now := m.plus(m.plus(m.times(x, w[0]), m.times(y, w[1])), m.times(z, w[2]))
	for a, half := range m.times(m.minus(now, old), m.number(0.5)) {
		swing[a] = m.and(gyrates, half)
	}
	return swing
}

// drift is Dynamics.move.
func (m *mover) drift() {
	h := m.substep(substepH)
	v, w, moved, turned := m.motion(colV), m.motion(colW), m.motion(colMoved), m.motion(colTurned)
	q := m.quat(at(m.f, bodyTurn))
	beforeV, beforeW := v, w
	var swing vector
	var swings value
	if m.others {
		v, w = m.lock(v, w)
		swing = m.gyrate(q, w)
		swings = m.isAnySet(swing)
		w = m.either(swings, w, m.plus(w, swing))
	}
	moved = m.plus(moved, m.times(v, h))
	turn := m.times(w, h)
	turns := m.isAnySet(turn)
	turned = m.either(turns, turned, m.plus(turned, turn))
	to := m.rotated(q, turn)
	for i := range q {
		q[i] = m.blend(turns, q[i], to[i])
	}
	if m.others {
		none := m.number(0)
		x, y, z := m.way(m.rotated(quat{none, none, none, m.number(1)}, turn))
		now := m.plus(w, swing)
		now = m.plus(now, m.plus(m.plus(m.times(x, now[0]), m.times(y, now[1])), m.times(z, now[2])))
		w = m.either(swings, w, now)
		other := m.or(m.field(driveGyrates), m.field(driveLocked))
		held := func(g, before, after vector) vector {
			return m.either(other, g, m.plus(m.minus(g, before), after))
		}
		m.keep(driveV, held(m.fields(driveV), beforeV, v))
		m.keep(driveW, held(m.fields(driveW), beforeW, w))
		m.setMotion(colV, v[:]...)
	}
	m.setMotion(colW, w[:]...)
	m.setMotion(colMoved, moved[:]...)
	m.setMotion(colTurned, turned[:]...)
	m.setMotion(bodyTurn, q[:]...)
}

// rotated is rotated of package rigid.
func (m *mover) rotated(q quat, turn vector) (p quat) {
	v := m.times(turn, m.number(0.5))
	v = m.times(v, m.add(m.number(1), m.mul(m.dot(v, v), m.number(1.0/3))))
	const x, y, z, w = 0, 1, 2, 3
	p[x] = m.sub(m.add(m.add(q[x], m.mul(v[x], q[w])), m.mul(v[y], q[z])), m.mul(v[z], q[y]))
	p[y] = m.sub(m.add(m.add(q[y], m.mul(v[y], q[w])), m.mul(v[z], q[x])), m.mul(v[x], q[z]))
	p[z] = m.sub(m.add(m.add(q[z], m.mul(v[z], q[w])), m.mul(v[x], q[y])), m.mul(v[y], q[x]))
	p[w] = m.sub(m.sub(m.sub(q[w], m.mul(v[x], q[x])), m.mul(v[y], q[y])), m.mul(v[z], q[z]))
	k := m.div(m.number(1), m.sqrt(m.sum(p[x], p[x], p[y], p[y], p[z], p[z], p[w], p[w])))
	for i := range p {
		p[i] = m.mul(p[i], k)
	}
	return p
}

// way is way.set of package rigid: it returns the columns.
func (m *mover) way(q quat) (x, y, z vector) {
	dx, dy, dz := m.twice(q[0]), m.twice(q[1]), m.twice(q[2])
	xx, yy, zz := m.mul(q[0], dx), m.mul(q[1], dy), m.mul(q[2], dz)
	xy, xz, yz := m.mul(q[0], dy), m.mul(q[0], dz), m.mul(q[1], dz)
	wx, wy, wz := m.mul(q[3], dx), m.mul(q[3], dy), m.mul(q[3], dz)
	return vector{m.sub(m.neg(yy), zz), m.add(xy, wz), m.sub(xz, wy)},
		vector{m.sub(xy, wz), m.sub(m.neg(xx), zz), m.add(yz, wx)},
		vector{m.add(xz, wy), m.sub(yz, wx), m.sub(m.neg(xx), yy)}
}

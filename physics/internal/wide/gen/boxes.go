package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twin of boxAxes.measure in package narrow, operation by operation: a lane is an axis of
// one of the boxes, and the fourth lane is unused.

// Offsets in narrow.Shape and narrow.boxAxes; a test in package narrow compares them with those of
// the compiler.
const (
	shapeP, shapeX, shapeHalf = 8, 112, 256

	axesR, axesT, axesD  = 0, 72, 96
	axesGaps, axesMiddle = 120, 200
	axesMost             = 280
)

func makeBoxes() {
	constant := func(name string, x uint64) Mem {
		g := GLOBL(name, 8|16) // RODATA|NOPTR
		for i := range 4 {
			DATA(8*i, U64(x))
		}
		return g
	}
	noSign := constant("noSign", 1<<63-1)
	one := constant("one", math.Float64bits(1))
	slack := constant("slack", math.Float64bits(1+1e-9))
	cancelling := constant("cancelling", math.Float64bits(1e-6))

	TEXT("measureAVX2", NOSPLIT, "func(x, a, b *byte, limit float64) int32")
	Doc("measureAVX2 is boxAxes.measure.")
	Pragma("noescape")
	x, a, b := Load(Param("x"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64())
	broadcast := func(m Mem) reg.VecVirtual {
		v := YMM()
		VBROADCASTSD(m, v)
		return v
	}
	// dot returns u0·x + u1·y + u2·z, in the order of DVec3.Dot.
	dot := func(u [3]reg.VecVirtual, by func(i int) Op) reg.VecVirtual {
		sum, p := YMM(), YMM()
		VMULPD(by(0), u[0], sum)
		VMULPD(by(1), u[1], p)
		VADDPD(p, sum, sum)
		VMULPD(by(2), u[2], p)
		VADDPD(p, sum, sum)
		return sum
	}
	// spread returns each component of a vector in memory in all lanes.
	spread := func(m Mem) func(i int) Op {
		return func(i int) Op { return broadcast(m.Offset(8 * i)) }
	}
	// three loads three numbers one by one: they have just been stored, and the processor does not
	// pass on several stores to one load.
	three := func(s reg.Register, offset, stride int) reg.VecVirtual {
		v, last := YMM(), XMM()
		VMOVSD(at(s, offset), v.AsX())
		VMOVHPD(at(s, offset+stride), v.AsX(), v.AsX())
		VMOVSD(at(s, offset+2*stride), last)
		VINSERTF128(U8(1), last, v, v)
		return v
	}
	// transposed loads the axes of a box, as rows of the components of all three.
	transposed := func(s reg.Register) (rows [3]reg.VecVirtual) {
		for i := range rows {
			rows[i] = three(s, shapeX+8*i, 24)
		}
		return rows
	}
	zero := YMM()
	VXORPD(zero, zero, zero)
	abs := func(v reg.VecVirtual) reg.VecVirtual {
		to := YMM()
		VANDPD(noSign, v, to)
		return to
	}
	axesA := transposed(a)
	var gap [3]reg.VecVirtual
	for i := range gap {
		gap[i] = YMM()
		VBROADCASTSD(at(b, shapeP+8*i), gap[i])
		VSUBPD(broadcast(at(a, shapeP+8*i)), gap[i], gap[i])
		VADDPD(zero, gap[i], gap[i])
	}
	inGap := func(i int) Op { return gap[i] }
	limit := broadcast(parameter("limit"))
	mask, rest := GP32(), GP32()
	// far leaves if a distance is more than the limit.
	far := func(distance reg.VecVirtual) {
		m := YMM()
		VCMPPD(U8(30), limit, distance, m) // greater, false for NaN
		VMOVMSKPD(m, mask)
		TESTL(U32(7), mask)
		JNZ(LabelRef("far"))
	}

	Comment("The faces of a.")
	t := dot(axesA, inGap)
	sum, p := YMM(), YMM()
	for j := range 3 {
		column := abs(dot(axesA, spread(at(b, shapeX+24*j))))
		to := p
		if j == 0 {
			to = sum
		}
		VMULPD(broadcast(at(b, shapeHalf+8*j)), column, to)
		if j > 0 {
			VADDPD(p, sum, sum)
		}
	}
	faces := abs(t)
	VSUBPD(three(a, shapeHalf, 8), faces, faces)
	VSUBPD(sum, faces, faces)
	far(faces)

	Comment("The faces of b.")
	axesB := transposed(b)
	d := dot(axesB, inGap)
	var r, reach [3]reg.VecVirtual
	for i := range r {
		r[i] = dot(axesB, spread(at(a, shapeX+24*i)))
		VMOVUPD(r[i], at(x, axesR+24*i))
		reach[i] = abs(r[i])
	}
	VMOVUPD(t, at(x, axesT))
	VMOVUPD(d, at(x, axesD))
	half := spread(at(a, shapeHalf))
	facesB := abs(d)
	halfB := three(b, shapeHalf, 8)
	VSUBPD(halfB, facesB, facesB)
	VSUBPD(dot(reach, half), facesB, facesB)
	far(facesB)

	Comment("The best of both.")
	best, other := YMM(), YMM()
	VMAXPD(facesB, faces, best)
	VPERMPD(byOne, best, other)
	VMAXPD(other, best, other)
	VPERMPD(byTwo, best, best)
	VMAXPD(other, best, best)
	VBROADCASTSD(best.AsX(), best)
	VMOVSD(best.AsX(), at(x, axesMost))
	axis := GP32()
	VCMPPD(U8(0), best, faces, faces)
	VCMPPD(U8(0), best, facesB, facesB)
	VMOVMSKPD(faces, axis)
	VMOVMSKPD(facesB, rest)
	ANDL(U8(7), axis)
	SHLL(U8(3), rest)
	ORL(rest, axis)
	TZCNTL(axis, axis)
	SHLL(U8(16), axis)
	bound, square := YMM(), YMM()
	VMINPD(zero, best, bound)
	VMULPD(bound, bound, square)
	VMULPD(slack, square, square)

	Comment("The pairs of edges, a row for each axis of a.")
	center := spread(at(x, axesT))
	for i := range 3 {
		i1, i2 := (i+1)%3, (i+2)%3
		middle, gaps, p, q := YMM(), YMM(), YMM(), YMM()
		VMULPD(center(i2), r[i1], middle)
		VMULPD(center(i1), r[i2], p)
		VSUBPD(p, middle, middle)
		VMOVUPD(middle, at(x, axesMiddle+24*i))
		VMULPD(half(i1), reach[i2], gaps)
		VMULPD(half(i2), reach[i1], p)
		VADDPD(p, gaps, gaps)
		for _, order := range [][2]Op{{byOne, byTwo}, {byTwo, byOne}} {
			VPERMPD(order[0], halfB, p)
			VPERMPD(order[1], reach[i], q)
			VMULPD(q, p, p)
			VADDPD(p, gaps, gaps)
		}
		VANDPD(noSign, middle, p)
		VSUBPD(gaps, p, gaps)
		VMOVUPD(gaps, at(x, axesGaps+24*i))
		Comment("Not those along which the boxes surely overlap by no less.")
		VMULPD(r[i], r[i], p)
		VMOVUPD(one, q)
		VSUBPD(p, q, p) // the square of the sine
		VCMPPD(U8(13), cancelling, p, q)
		VMULPD(square, p, p)
		worse := YMM()
		VMULPD(gaps, gaps, worse)
		VCMPPD(U8(13), p, worse, p) // at least
		VANDPD(q, p, p)
		VCMPPD(U8(2), zero, gaps, q) // at most
		VANDPD(q, p, p)
		VCMPPD(U8(2), bound, gaps, q)
		VORPD(q, p, p)
		to := rest
		if i == 0 {
			to = mask
		}
		VMOVMSKPD(p, to)
		ANDL(U8(7), to)
		if i > 0 {
			SHLL(U8(3*i), rest)
			ORL(rest, mask)
		}
	}
	XORL(U32(0x1ff), mask)
	ORL(axis, mask)
	VZEROUPPER()
	Store(mask, ReturnIndex(0))
	RET()

	Label("far")
	MOVL(I32(-1), mask)
	VZEROUPPER()
	Store(mask, ReturnIndex(0))
	RET()
}

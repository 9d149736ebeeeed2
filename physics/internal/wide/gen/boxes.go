package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twins of boxAxes.measure and boxClip.clip in package narrow, operation by operation. A
// lane is an axis of one of the boxes, and the fourth lane is unused; or a side and a corner of a
// face.

// Offsets in narrow.Shape, narrow.boxAxes and narrow.boxClip; a test in package narrow compares
// them with those of the compiler.
const (
	shapeP, shapeX, shapeHalf = 8, 112, 256

	axesR, axesT, axesD  = 0, 72, 96
	axesGaps, axesMiddle = 120, 200
	axesMost             = 280

	clipMid, clipE, clipG     = 0, 24, 48
	clipX, clipY, clipMargin  = 72, 80, 88
	clipAt, clipRow, clipRims = 96, 96, 384
	clipEnds, clipCorners     = 32, 64
	noRim                     = 4
)

// fourLanes declares a constant.
func fourLanes(name string, lanes ...uint64) Mem {
	g := GLOBL(name, 8|16) // RODATA|NOPTR
	for i := range 4 {
		DATA(8*i, U64(lanes[i%len(lanes)]))
	}
	return g
}

func makeBoxes() {
	noSign := fourLanes("noSign", 1<<63-1)
	measureBoxes(noSign)
	clipBoxes(noSign)
	measureTriangles()
	collideFlats()
}

func measureBoxes(noSign Mem) {
	one := fourLanes("one", math.Float64bits(1))
	slack := fourLanes("slack", math.Float64bits(1+1e-9))
	cancelling := fourLanes("cancelling", math.Float64bits(1e-6))

	TEXT("measureSIMD", NOSPLIT, "func(x, a, b *byte, limit float64) int32")
	Doc("measureSIMD is boxAxes.measure.")
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
	mask, rest := GP32(), GP32()
	// far leaves if a distance is more than the limit.
	far := func(distance reg.VecVirtual) {
		m := broadcast(parameter("limit"))
		VCMPPD(U8(30), m, distance, m) // greater, false for NaN
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

func clipBoxes(noSign Mem) {
	const negative = 1 << 63
	signs := [2]Mem{fourLanes("signsE", negative, 0, 0, negative), fourLanes("signsG", negative, negative, 0, 0)}
	negate := fourLanes("negate", negative)
	before, after := fourLanes("before", math.Float64bits(-1)), fourLanes("after", math.Float64bits(2))
	var rims [noRim + 1]Mem
	for i, name := range []string{"rim0", "rim1", "rim2", "rim3", "noRim"} {
		rims[i] = fourLanes(name, uint64(i))
	}
	corners := fourLanes("corners", noRim+1, noRim+2, noRim+3, noRim+4)
	byOneOfFour := U8(0x39) // 1 2 3 0

	TEXT("clipSIMD", NOSPLIT, "func(c *byte) uint32")
	Doc("clipSIMD is boxClip.clip.")
	Pragma("noescape")
	c := Load(Param("c"), GP64())
	broadcast := func(offset int) reg.VecVirtual {
		v := YMM()
		VBROADCASTSD(at(c, offset), v)
		return v
	}
	var p [3]reg.VecVirtual
	for i := range p {
		p[i] = broadcast(clipMid + 8*i)
		for k, side := range []int{clipE, clipG} {
			s := broadcast(side + 8*i)
			VXORPD(signs[k], s, s)
			VADDPD(s, p[i], p[i])
		}
	}

	Comment("The sides, by each side of the rectangle.")
	from, to, rimFrom, rimTo, dead, zero := YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	VMOVUPD(before, from)
	VMOVUPD(after, to)
	VMOVUPD(rims[noRim], rimFrom)
	VMOVUPD(rims[noRim], rimTo)
	VXORPD(zero, zero, zero)
	for rim := range noRim {
		f, next, t := YMM(), YMM(), YMM()
		v := p[rim/2]
		if rim%2 == 0 {
			VXORPD(negate, v, f)
			v = f
		}
		VSUBPD(broadcast([]int{clipX, clipY}[rim/2]), v, f)
		VPERMPD(byOneOfFour, f, next)
		VSUBPD(next, f, t)
		VDIVPD(t, f, t)
		VCMPPD(U8(30), zero, f, f) // greater
		VCMPPD(U8(30), zero, next, next)
		both, better := YMM(), YMM()
		VANDPD(next, f, both)
		if rim == 0 {
			VMOVAPD(both, dead)
		} else {
			VORPD(both, dead, dead)
		}
		VCMPPD(U8(30), from, t, better)
		VANDPD(f, better, better)
		VANDNPD(better, next, better)
		VBLENDVPD(better, t, from, from)
		VBLENDVPD(better, rims[rim], rimFrom, rimFrom)
		VCMPPD(U8(17), to, t, better) // less
		VANDPD(next, better, better)
		VANDNPD(better, f, better)
		VBLENDVPD(better, t, to, to)
		VBLENDVPD(better, rims[rim], rimTo, rimTo)
	}
	VMOVUPD(rimFrom, at(c, clipRims))
	VMOVUPD(rimTo, at(c, clipRims+clipEnds))
	alive, leaves, margin := YMM(), YMM(), broadcast(clipMargin)
	VXORPD(negate, margin, margin)
	VCMPPD(U8(2), to, from, alive) // at most
	VANDNPD(alive, dead, alive)
	VCMPPD(U8(17), after, to, leaves)
	VANDPD(alive, leaves, leaves)
	VMAXPD(zero, from, from)
	for i := range p {
		d, begin, end := YMM(), YMM(), YMM()
		VPERMPD(byOneOfFour, p[i], d)
		VSUBPD(p[i], d, d)
		VMULPD(d, from, begin)
		VADDPD(begin, p[i], begin)
		VMULPD(d, to, end)
		VADDPD(end, p[i], end)
		VMOVUPD(begin, at(c, clipAt+clipRow*i))
		VMOVUPD(end, at(c, clipAt+clipRow*i+clipEnds))
		if i == 2 {
			VCMPPD(U8(13), margin, begin, begin) // at least
			VANDPD(begin, alive, alive)
			VCMPPD(U8(13), margin, end, end)
			VANDPD(end, leaves, leaves)
		}
	}

	Comment("The corners of the rectangle.")
	var o, way [2]reg.VecVirtual
	for i := range o {
		o[i], way[i] = broadcast([]int{clipX, clipY}[i]), YMM()
		VXORPD(signs[i], o[i], o[i])
		VMOVUPD(o[i], at(c, clipAt+clipRow*i+clipCorners))
		VSUBPD(broadcast(clipMid+8*i), o[i], way[i])
	}
	// across returns a·d − b·c.
	across := func(a, b, c, d Op) reg.VecVirtual {
		v, w := YMM(), YMM()
		VMULPD(d, a, v)
		VMULPD(c, b, w)
		VSUBPD(w, v, v)
		return v
	}
	ex, ey, gx, gy := broadcast(clipE), broadcast(clipE+8), broadcast(clipG), broadcast(clipG+8)
	det := across(ex, ey, gx, gy)
	u := across(way[0], way[1], gx, gy)
	v := across(ex, ey, way[0], way[1])
	z, z2 := YMM(), YMM()
	VMULPD(broadcast(clipE+16), u, z)
	VMULPD(broadcast(clipG+16), v, z2)
	VADDPD(z2, z, z)
	VDIVPD(det, z, z)
	VADDPD(broadcast(clipMid+16), z, z)
	VMOVUPD(z, at(c, clipAt+2*clipRow+clipCorners))
	VMOVUPD(corners, z2)
	VMOVUPD(z2, at(c, clipRims+clipCorners))
	for _, w := range []reg.VecVirtual{det, u, v} {
		VANDPD(noSign, w, w)
	}
	VCMPPD(U8(17), det, u, u)
	VCMPPD(U8(17), det, v, v)
	VCMPPD(U8(13), margin, z, z)
	VANDPD(u, v, v)
	VANDPD(v, z, z)

	left, more := GP32(), GP32()
	VMOVMSKPD(alive, left)
	VMOVMSKPD(leaves, more)
	SHLL(U8(4), more)
	ORL(more, left)
	VMOVMSKPD(z, more)
	SHLL(U8(8), more)
	ORL(more, left)
	VZEROUPPER()
	Store(left, ReturnIndex(0))
	RET()
}

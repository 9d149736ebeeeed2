package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Lanes of four in double precision rotated by one and by two: 1 2 0 3 and 2 0 1 3.
var (
	byOne = U8(0xc9)
	byTwo = U8(0xd2)
)

// lanes takes one by one the triangles of a leaf that the ray passes through, if the range says so: where does it meet them? It is
// walk.take, and of closest also walk.fill. At the end it goes on with the walk.
func (m *machine) lanes(loose bool, skew, first int, mask reg.GPVirtual, axes [3]reg.Register) {
	l := m.place
	name := func(s string) string {
		if loose {
			return s + "Loose"
		}
		return s
	}
	Label(name("lane"))
	i := GP64()
	TZCNTL(mask, i.As32())
	var corners [3]reg.GPVirtual // where in a row, in numbers
	for c := range corners {
		corners[c] = i
		if !loose {
			corners[c] = GP64()
			MOVBLZX(indexed(l, i, 1, skew+packedCorner+8*c), corners[c].As32())
		}
	}
	// three reads the corners' coordinates along an axis; those of the corners one after another.
	three := func(row reg.Register, offset func(corner int) int) reg.VecVirtual {
		v := XMM()
		VMOVSS(indexed(row, corners[0], 4, offset(0)), v)
		VINSERTPS(U8(0x10), indexed(row, corners[1], 4, offset(1)), v, v)
		VINSERTPS(U8(0x20), indexed(row, corners[2], 4, offset(2)), v, v)
		return v
	}
	var v [3]reg.VecVirtual
	for k := range v {
		row := GP64()
		LEAQ(indexed(l, axes[k], 1, skew), row)
		p, o := YMM(), YMM()
		VCVTPS2PD(three(row, func(c int) int {
			if loose {
				return 96 * c
			}
			return 0
		}), p)
		VBROADCASTSD(m.wideOrigin.Offset(8*k), o)
		VSUBPD(o, p, p)
		v[k] = p
	}
	x, y, z := v[0], v[1], v[2]
	for k, p := range v[:2] {
		s := YMM()
		VBROADCASTSD(m.wideShear.Offset(8*k), s)
		VMULPD(z, s, s)
		VSUBPD(s, p, p)
	}
	e, t, u := YMM(), YMM(), YMM()
	VPERMPD(byTwo, x, e)
	VPERMPD(byOne, y, t)
	VMULPD(t, e, e)
	VPERMPD(byTwo, y, t)
	VPERMPD(byOne, x, u)
	VMULPD(u, t, t)
	VSUBPD(t, e, e)
	Comment("With the sign of the determinant none is negative, unless the ray passes just outside.")
	sign := GP64()
	MOVL(m.det.Idx(i, 4), sign.As32())
	SHRL(U8(31), sign.As32())
	SHLQ(U8(63), sign)
	VMOVQ(sign, t.AsX())
	VPBROADCASTQ(t.AsX(), t)
	VXORPD(t, e, e)
	VXORPD(t, t, t)
	VCMPPD(less, t, e, t)
	outside := GP32()
	VMOVMSKPD(t, outside)
	TESTL(U32(7), outside)
	JNZ(LabelRef("odd"))
	Comment("The sums, and those weighed by the distance.")
	sum, sumHigh, a, b := XMM(), XMM(), YMM(), YMM()
	VMULPD(z, e, t)
	VUNPCKLPD(t, e, a)
	VUNPCKHPD(t, e, b)
	VADDPD(b.AsX(), a.AsX(), sum)
	VEXTRACTF128(U8(1), a, sumHigh)
	VADDPD(sumHigh, sum, sum)
	zero, high := XMM(), XMM()
	VXORPD(zero, zero, zero)
	VUCOMISD(zero, sum)
	JE(LabelRef("odd"))
	VUNPCKHPD(sum, sum, high)
	VMULSD(m.wideDZ, sum, sum)
	VDIVSD(sum, high, high)
	VCVTSD2SS(high, high, high)
	VADDSS(zero, high, high)
	T, bound := GP32(), GP32()
	VMOVD(high, T)
	Comment("Moved into the triangle's own box.")
	MOVL(m.from.Idx(i, 4), bound)
	CMPL(T, bound)
	CMOVLLT(bound, T)
	MOVL(m.to.Idx(i, 4), bound)
	CMPL(T, bound)
	CMOVLGT(bound, T)
	worse := name("worse")
	CMPL(T, m.lowest())
	JLT(LabelRef(worse))
	if m.kind == anyHit {
		CMPL(T, m.most)
		JLE(LabelRef(name("hit")))
	} else {
		id := GP32()
		list, tree := GP64(), m.tree()
		MOVL(at(l, skew+first), list.As32())
		ADDQ(i, list)
		MOVQ(at(tree, treeIDs), tree)
		MOVL(indexed(tree, list, 4, 0), id)
		if m.stream == nil {
			CMPL(T, m.lowest())
			JNE(LabelRef(name("after")))
			CMPL(id, parameter("after"))
			JLE(LabelRef(worse))
			Label(name("after"))
		}
		CMPL(T, m.most)
		JGT(LabelRef(worse))
		JNE(LabelRef(name("better")))
		CMPL(id, m.bestID)
		JGE(LabelRef(worse))
		Label(name("better"))
		MOVL(T, m.most)
		MOVL(id, m.bestID)
		MOVL(T, m.limit.As32())
		m.limitFrom()
		m.hit(loose, skew, i, corners, T, id)
	}
	Label(worse)
	BLSRL(mask, mask)
	JNZ(LabelRef(name("lane")))
	JMP(LabelRef("ready"))
}

// hit writes a hit of the triangle in a lane. Its arithmetic is that of walk.fill, step by step.
func (m *machine) hit(loose bool, skew int, i reg.GPVirtual, corners [3]reg.GPVirtual, T, id reg.Register) {
	l, hit := m.place, m.own("hit")
	var p [3]reg.VecVirtual
	for c := range p {
		row := 0
		if loose {
			row = 96 * c
		}
		v := XMM()
		VMOVSS(indexed(l, corners[c], 4, skew+row), v)
		VINSERTPS(U8(0x10), indexed(l, corners[c], 4, skew+row+32), v, v)
		VINSERTPS(U8(0x20), indexed(l, corners[c], 4, skew+row+64), v, v)
		p[c] = YMM()
		VCVTPS2PD(v, p[c])
	}
	b, c := p[1], p[2]
	VSUBPD(p[0], b, b)
	VSUBPD(p[0], c, c)
	n, t, dir := YMM(), YMM(), YMM()
	VPERMPD(byOne, c, n)
	VMULPD(b, n, n)
	VPERMPD(byOne, b, t)
	VMULPD(c, t, t)
	VSUBPD(t, n, n)
	VPERMPD(byOne, n, n)
	VCVTPS2PD(m.rayDir, dir)
	Comment("The square of its length, and how far it goes along the ray.")
	u, v := YMM(), YMM()
	VMULPD(n, n, t)
	VMULPD(n, dir, u)
	VUNPCKHPD(u, t, v)
	VUNPCKLPD(u, t, t)
	sums, high := XMM(), XMM()
	VADDPD(v.AsX(), t.AsX(), sums)
	VEXTRACTF128(U8(1), t, high)
	VADDPD(high, sums, sums)
	VUCOMISD(m.k.smallest, sums)
	JBE(LabelRef("odd"))
	VUCOMISD(m.k.largest, sums)
	JAE(LabelRef("odd"))
	away, scale := XMM(), XMM()
	VUNPCKHPD(sums, sums, high)
	VXORPD(away, away, away)
	VSUBSD(high, away, away)
	VANDPD(m.k.signBit, away, away)
	VSQRTSD(sums, sums, scale)
	VMOVSD(m.k.wideOne, high)
	VDIVSD(scale, high, scale)
	VXORPD(away, scale, scale)
	s, zero, narrow := YMM(), YMM(), XMM()
	VBROADCASTSD(scale, s)
	VMULPD(s, n, n)
	VXORPD(zero, zero, zero)
	VADDPD(zero, n, n)
	VCVTPD2PSY(n, narrow)
	Comment("The point; each number ends in the next one's place.")
	o, at64, point := YMM(), YMM(), XMM()
	VMOVD(T, point)
	VBROADCASTSS(point, point)
	VCVTPS2PD(point, at64)
	VMULPD(dir, at64, at64)
	VCVTPS2PD(m.rayOrigin, o)
	VADDPD(at64, o, o)
	VCVTPD2PSY(o, point)
	VMOVUPS(point, at(hit, hitPoint))
	VMOVUPS(narrow, at(hit, hitNormal))
	det, w := XMM(), XMM()
	VMOVSS(m.det.Idx(i, 4), det)
	VMOVSS(m.edgeB.Idx(i, 4), w)
	VINSERTPS(U8(0x10), m.edgeC.Idx(i, 4), w, w)
	VBROADCASTSS(det, point)
	VDIVPS(point, w, w)
	VADDPS(zero.AsX(), w, w)
	VMOVLPS(w, at(hit, hitU))
	MOVL(T, at(hit, hitT))
	MOVL(id, at(hit, hitTriangle))
	back, dz32 := GP32(), GP32()
	VMOVD(det, back)
	MOVL(m.state(dz), dz32)
	XORL(dz32, back)
	SHRL(U8(31), back)
	MOVW(back.As16(), at(hit, hitBack)) // and not inside
}

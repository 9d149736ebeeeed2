package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Rotations of three lanes of four by one and by two: 1 2 0 3 and 2 0 1 3.
var (
	byOne = U8(0xc9)
	byTwo = U8(0xd2)
)

// lanes tests the triangles in a mask one by one: it is Ray.meet, and for closest also Tree.fill.
// At the end it continues the traversal.
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
	var corners [3]reg.GPVirtual // index in a row
	if m.grid != nil {
		m.faces(i)
		corners = m.grid.corners(i)
	}
	for c := range corners {
		if m.grid != nil {
			break
		}
		corners[c] = i
		if !loose {
			corners[c] = GP64()
			MOVBLZX(indexed(l, i, 1, skew+packedCorner+8*c), corners[c].As32())
		}
	}
	Comment("The T at which the ray crosses the triangle's own box.")
	var points [3]reg.VecVirtual
	for c := range points {
		row := skew
		if loose {
			row += 96 * c
		}
		points[c] = XMM()
		VMOVSS(indexed(l, corners[c], 4, row), points[c])
		VINSERTPS(U8(0x10), indexed(l, corners[c], 4, row+32), points[c], points[c])
		VINSERTPS(U8(0x20), indexed(l, corners[c], 4, row+64), points[c], points[c])
	}
	worse := name("worse")
	from, to := GP32(), GP32()
	{
		lo, hi, inv, n, f, t := XMM(), XMM(), XMM(), XMM(), XMM(), XMM()
		VMINPS(points[0], points[1], lo)
		VMAXPS(points[0], points[1], hi)
		VMINPS(points[2], lo, lo)
		VMAXPS(points[2], hi, hi)
		VMOVUPS(m.state(inverse), inv)
		VBLENDVPS(inv, lo, hi, n)
		VBLENDVPS(inv, hi, lo, f)
		VMOVUPS(m.state(near), t)
		VSUBPS(n, t, n)
		VMULPS(inv, n, n)
		VMOVUPS(m.state(far), t)
		VSUBPS(f, t, f)
		VMULPS(inv, f, f)
		VPSHUFD(byOne, n, t)
		VPMAXSD(n, t, t)
		VPSHUFD(byTwo, n, n)
		VPMAXSD(n, t, t)
		VMOVD(t, from)
		VPSHUFD(byOne, f, t)
		VPMINSD(f, t, t)
		VPSHUFD(byTwo, f, f)
		VPMINSD(f, t, t)
		VMOVD(t, to)
	}
	CMPL(from, to)
	JGT(LabelRef(worse))
	CMPL(to, m.lowest())
	JLT(LabelRef(worse))
	CMPL(from, m.most)
	JGT(LabelRef(worse))
	if m.kind == anyHit {
		Comment("If all of the box is in the range, so is the hit.")
		CMPL(from, m.lowest())
		JLT(LabelRef(name("partly")))
		CMPL(to, m.most)
		JLE(LabelRef("hit"))
		Label(name("partly"))
	}
	// three loads the coordinate of the three corners along an axis.
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
	Comment("Relative to the sign of the determinant none is negative, unless the ray passes just outside.")
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
	JNZ(LabelRef("unsupported"))
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
	JE(LabelRef("unsupported"))
	VUNPCKHPD(sum, sum, high)
	VMULSD(m.wideDZ, sum, sum)
	VDIVSD(sum, high, high)
	VCVTSD2SS(high, high, high)
	VADDSS(zero, high, high)
	T := GP32()
	VMOVD(high, T)
	Comment("Moved into the triangle's own box.")
	CMPL(T, from)
	CMOVLLT(from, T)
	CMPL(T, to)
	CMOVLGT(to, T)
	CMPL(T, m.lowest())
	JLT(LabelRef(worse))
	if m.kind == anyHit {
		CMPL(T, m.most)
		JLE(LabelRef("hit"))
	} else {
		id := GP32()
		if m.grid != nil {
			m.grid.triangle(m, i, id)
		} else {
			list, tree := GP64(), m.tree()
			MOVL(at(l, skew+first), list.As32())
			ADDQ(i, list)
			MOVQ(at(tree, treeIDs), tree)
			MOVL(indexed(tree, list, 4, 0), id)
		}
		if m.stream == nil {
			CMPL(T, m.lowest())
			JNE(LabelRef(name("after")))
			CMPL(id, m.after)
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
		if m.stream == nil {
			MOVL(T, m.limit)
		}
		m.hit(points, i, T, id)
	}
	Label(worse)
	BLSRL(mask, mask)
	JNZ(LabelRef(name("lane")))
	if m.stream != nil && m.kind == closest {
		JMP(LabelRef("nearer"))
	} else {
		JMP(LabelRef("ready"))
	}
}

// hit writes a hit of the triangle in a lane. Its arithmetic is that of Tree.fill, step by step.
func (m *machine) hit(points [3]reg.VecVirtual, i reg.GPVirtual, T, id reg.Register) {
	hit := m.own("hit")
	var p [3]reg.VecVirtual
	for c := range p {
		p[c] = YMM()
		VCVTPS2PD(points[c], p[c])
	}
	dir, point := YMM(), XMM()
	VCVTPS2PD(m.rayDir, dir)
	narrow := m.k.normal(p, dir)
	VMOVD(T, point)
	VBROADCASTSS(point, point)
	pointAt(point, m.rayOrigin, dir)
	det, w := XMM(), XMM()
	VMOVSS(m.det.Idx(i, 4), det)
	VMOVSS(m.edgeB.Idx(i, 4), w)
	VINSERTPS(U8(0x10), m.edgeC.Idx(i, 4), w, w)
	back := GP32()
	VMOVD(det, back)
	XORL(m.state(dz), back)
	SHRL(U8(31), back)
	VBROADCASTSS(det, det)
	VDIVPS(det, w, w)
	zero := XMM()
	VXORPS(zero, zero, zero)
	VADDPS(zero, w, w)
	Comment("In two stores that cover each of the loads that copy a hit, as the processor passes on no others.")
	VPINSRD(U8(2), id, w, w)
	VPINSRD(U8(3), back, w, w) // and not inside
	shifted := U8(0x90)        // 0 0 1 2
	VPERMILPS(shifted, narrow, narrow)
	VINSERTPS(U8(0x80), point, narrow.AsX(), narrow.AsX())
	rest := YMM()
	VINSERTF128(U8(1), w, narrow, rest)
	VMOVUPS(rest, at(hit, hitPoint+8))
	VPERMILPS(shifted, point, point)
	VPINSRD(U8(0), T, point, point)
	VMOVUPS(point, at(hit, hitT))
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// candidate computes where the rays in a mask, which pass through a triangle, hit it, and keeps
// hits that are better than the best.
func (p *packet) candidate(l *leaf) {
	Comment("The T at which the rays cross the triangle's own box.")
	lo, hi, sign, n := XMM(), XMM(), XMM(), XMM()
	for c, corner := range l.corners {
		v := XMM()
		VMOVSS(at(corner, 0), v)
		VINSERTPS(U8(0x10), at(corner, 32), v, v)
		VINSERTPS(U8(0x20), at(corner, 64), v, v)
		if c == 0 {
			VMOVAPS(v, lo)
			VMOVAPS(v, hi)
		} else {
			VMINPS(v, lo, lo)
			VMAXPS(v, hi, hi)
		}
	}
	VMOVUPS(p.slot(slotSign), sign)
	VBLENDVPS(sign, hi, lo, n)
	VMOVUPS(n, p.slot(slotBox))
	VBLENDVPS(sign, lo, hi, n)
	VMOVUPS(n, p.slot(slotBox).Offset(16))
	from, to := YMM(), YMM()
	for i := range 3 {
		f, t, inv := p.load(slotNear+i), p.load(slotFar+i), p.load(slotInverse+i)
		VSUBPS(spread(p.slot(slotBox).Offset(4*i)), f, f)
		VSUBPS(spread(p.slot(slotBox).Offset(16+4*i)), t, t)
		VMULPS(inv, f, f)
		VMULPS(inv, t, t)
		if i == 0 {
			from, to = f, t
		} else {
			VPMAXSD(f, from, from)
			VPMINSD(t, to, to)
		}
	}
	none, t, some := YMM(), YMM(), GP32()
	low, high := p.load(slotLow), p.load(slotHigh)
	VPCMPGTD(to, from, none)
	VPCMPGTD(to, low, t)
	VPOR(t, none, none)
	VPCMPGTD(high, from, t)
	VPOR(t, none, none)
	VMOVMSKPS(none, some)
	ANDNL(l.mask, some, l.mask)
	JZ(LabelRef("done"))
	VMOVUPS(from, p.slot(slotFrom))
	VMOVUPS(to, p.slot(slotTo))

	axes := p.axes()
	for h, name := range []string{"lower", "upper"} {
		TESTL(U32(15<<(4*h)), l.mask)
		JZ(LabelRef(name))
		p.distance(l, h, axes)
		Label(name)
	}

	Comment("Clamped to the box, and compared with the best.")
	T, zero := p.load(slotT), YMM()
	VXORPS(zero, zero, zero)
	VADDPS(zero, T, T)
	VPMAXSD(p.slot(slotFrom), T, T)
	VPMINSD(p.slot(slotTo), T, T)
	ok, worse := YMM(), YMM()
	low, high = p.load(slotLow), p.load(slotHigh)
	bits := YMM()
	VMOVDQU(p.k.bits, bits)
	VMOVD(l.mask, ok.AsX())
	VPBROADCASTD(ok.AsX(), ok)
	VPAND(bits, ok, ok)
	VPCMPEQD(bits, ok, ok)
	VPCMPGTD(T, low, worse)
	VPANDN(ok, worse, ok)
	if p.kind == anyHit {
		VPCMPGTD(high, T, worse)
		VPANDN(ok, worse, ok)
		VPOR(ok, high, high) // −1, less than all T
		VMOVUPS(high, p.slot(slotHigh))
	} else {
		id, best, better, tie := YMM(), p.load(slotPlace), YMM(), YMM()
		place, at32 := YMM(), GP64()
		MOVL(p.slot(slotFirst), at32.As32())
		ADDQ(l.i, at32)
		VMOVD(at32.As32(), place.AsX())
		VPBROADCASTD(place.AsX(), place)
		VPCMPGTD(T, high, better)
		VPCMPEQD(T, high, tie)
		VPAND(ok, tie, tie)
		VPTEST(tie, tie)
		JZ(LabelRef("noTie"))
		Comment("The lower triangle wins. The indices are loaded only here.")
		ids, theirs, none := Load(Param("t"), GP64()), YMM(), YMM()
		MOVQ(at(ids, treeIDs), ids)
		VBROADCASTSS(p.k.none, none)
		VMOVAPS(none, theirs)
		VPCMPEQD(none, best, none)
		VPANDN(tie, none, none)
		VPGATHERDD(none, Mem{Base: ids, Index: best, Scale: 4}, theirs)
		VPBROADCASTD(indexed(ids, at32, 4, 0), id)
		VPCMPGTD(id, theirs, t)
		VPAND(t, tie, tie)
		VPOR(tie, better, better)
		Label("noTie")
		VPAND(better, ok, ok)
		VPTEST(ok, ok)
		JZ(LabelRef("done"))
		VBLENDVPS(ok, place, best, best)
		VMOVUPS(best, p.slot(slotPlace))
		VBLENDVPS(ok, T, high, high)
		VMOVUPS(high, p.slot(slotHigh))
		put := func(v reg.VecVirtual, n int) {
			old := p.load(n)
			VBLENDVPS(ok, v, old, old)
			VMOVUPS(old, p.slot(n))
		}
		put(spread(p.slot(slotLeaf)), slotRef)
		v := YMM()
		VMOVD(l.i.As32(), v.AsX())
		VPBROADCASTD(v.AsX(), v)
		put(v, slotLane)
		put(p.load(slotNewB), slotEdgeB)
		put(p.load(slotNewC), slotEdgeC)
		put(p.load(slotNewDet), slotDet)
	}
	across(high, VPMAXSD)
	p.setLimit(high)
}

// distance computes T of four rays in float64, as Ray.meet does.
func (p *packet) distance(l *leaf, h int, axes [3]reg.GPVirtual) {
	half := func(n int) Mem { return p.slot(n).Offset(16 * h) }
	wide := func(m Mem) reg.VecVirtual {
		v := YMM()
		VCVTPS2PD(m, v)
		return v
	}
	coordinate := func(axis int) (v [3]reg.VecVirtual) {
		o := wide(half(slotOrigin + axis))
		for c, corner := range l.corners {
			v[c] = YMM()
			VBROADCASTSS(indexed(corner, axes[axis], 1, 0), v[c].AsX())
			VCVTPS2PD(v[c].AsX(), v[c])
			VSUBPD(o, v[c], v[c])
		}
		return v
	}
	z := coordinate(2)
	var xy [2][3]reg.VecVirtual
	for i := range xy {
		xy[i] = coordinate(i)
		s, t := YMM(), YMM()
		VMOVUPD(p.slot(slotWide+2*i+h), s)
		for c := range z {
			VMULPD(z[c], s, t)
			VSUBPD(t, xy[i][c], xy[i][c])
		}
	}
	e := edges(xy[0], xy[1], VMULPD, VSUBPD)
	Comment("Relative to the sign of the determinant none is negative, unless the ray passes just outside.")
	sign, t, zero := YMM(), YMM(), YMM()
	VPMOVSXDQ(half(slotNewDet), sign)
	VBROADCASTSD(p.k.signBit, t)
	VANDPD(t, sign, sign)
	for i := range e {
		VXORPD(sign, e[i], e[i])
	}
	sum, least := YMM(), YMM()
	VADDPD(e[1], e[0], sum)
	VADDPD(e[2], sum, sum)
	VMINPD(e[1], e[0], least)
	VMINPD(e[2], least, least)
	VXORPD(zero, zero, zero)
	VCMPPD(less, zero, least, least)
	VCMPPD(lessEqual, zero, sum, t)
	VORPD(t, least, least)
	out := GP32()
	VMOVMSKPD(least, out)
	if h == 1 {
		SHLL(U8(4), out)
	}
	TESTL(out, l.mask)
	JNZ(LabelRef("unsupported"))
	for c := range e {
		VMULPD(z[c], e[c], e[c])
	}
	VADDPD(e[1], e[0], e[0])
	VADDPD(e[2], e[0], e[0])
	VMULPD(wide(half(slotDZ)), sum, sum)
	VDIVPD(sum, e[0], e[0])
	VCVTPD2PSY(e[0], e[0].AsX())
	VMOVUPS(e[0].AsX(), half(slotT))
}

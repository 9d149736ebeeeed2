package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	hitBytes = 44
	rayBytes = 32
)

// fill writes the hits and misses of all rays.
func (p *packet) fill() {
	det, zero, u := p.load(slotDet), YMM(), YMM()
	VXORPS(zero, zero, zero)
	for _, s := range []int{slotEdgeB, slotEdgeC} {
		VDIVPS(det, p.load(s), u)
		VADDPS(zero, u, u)
		VMOVUPS(u, p.slot(s))
	}
	dz := YMM()
	VMOVUPS(p.slot(slotDZ), dz)
	VXORPS(dz, det, det)
	VMOVUPS(det, p.slot(slotDet)) // its sign is the side
	tree, hit, ray, lane := Load(Param("t"), GP64()), Load(Param("hits"), GP64()), Load(Param("r"), GP64()), GP64()
	MOVQ(at(tree, treeUnits), tree)
	XORL(lane.As32(), lane.As32())

	Label("fill")
	id := GP32()
	MOVL(p.word(slotPlace, lane), id)
	CMPL(id, U32(0x7fffffff))
	JNE(LabelRef("hit"))
	Comment("A miss: T = +Inf, triangle −1.")
	miss(hit)
	JMP(LabelRef("filled"))

	Label("hit")
	ids := Load(Param("t"), GP64())
	MOVQ(at(ids, treeIDs), ids)
	MOVL(indexed(ids, id.As64(), 4, 0), id)
	MOVL(id, at(hit, hitTriangle))
	l := leaf{place: GP64(), i: GP64()}
	for c := range l.corners {
		l.corners[c] = GP64()
	}
	MOVL(p.word(slotRef, lane), l.place.As32())
	MOVL(p.word(slotLane, lane), l.i.As32())
	kind := GP32()
	MOVL(l.place.As32(), kind)
	SHLQ(U8(3), l.place)
	ADDQ(tree, l.place)
	TESTL(U32(2), kind)
	JNZ(LabelRef("hitLoose"))
	p.pointPacked(&l)
	JMP(LabelRef("corners"))
	Label("hitLoose")
	p.pointLoose(&l)
	Label("corners")
	p.hit(&l, lane, ray, hit)
	Label("filled")
	ADDQ(U8(hitBytes), hit)
	ADDQ(U8(rayBytes), ray)
	INCL(lane.As32())
	CMPL(lane.As32(), p.slot(slotCount))
	JLT(LabelRef("fill"))
	n := GP32()
	MOVL(p.slot(slotCount), n)
	result(n)
}

// hit writes the hit of a triangle. Its arithmetic is that of Tree.fill, operation by operation.
func (p *packet) hit(l *leaf, lane, ray, hit reg.Register) {
	var v [3]reg.VecVirtual
	for c, corner := range l.corners {
		x := XMM()
		VMOVSS(at(corner, 0), x)
		VINSERTPS(U8(0x10), at(corner, 32), x, x)
		VINSERTPS(U8(0x20), at(corner, 64), x, x)
		v[c] = YMM()
		VCVTPS2PD(x, v[c])
	}
	dir, point := YMM(), XMM()
	VCVTPS2PD(at(ray, rayDir), dir)
	narrow := p.k.normal(v, dir)
	VBROADCASTSS(p.word(slotHigh, lane), point)
	VMOVSS(point, at(hit, hitT))
	pointAt(point, at(ray, rayOrigin), dir)
	Comment("Each store overlaps the place of the next.")
	VMOVUPS(point, at(hit, hitPoint))
	VMOVUPS(narrow.AsX(), at(hit, hitNormal))
	word := GP32()
	MOVL(p.word(slotEdgeB, lane), word)
	MOVL(word, at(hit, hitU))
	MOVL(p.word(slotEdgeC, lane), word)
	MOVL(word, at(hit, hitV))
	MOVL(p.word(slotDet, lane), word)
	SHRL(U8(31), word)
	MOVW(word.As16(), at(hit, hitBack)) // and Inside = false
}

// report writes which rays hit anything.
func (p *packet) report() {
	done, hits, i, bit := GP32(), Load(Param("hits"), GP64()), GP64(), GP32()
	v := p.load(slotHigh)
	VMOVMSKPS(v, done)
	XORL(i.As32(), i.As32())
	Label("report")
	MOVL(done, bit)
	ANDL(U8(1), bit)
	MOVB(bit.As8(), indexed(hits, i, 1, 0))
	SHRL(U8(1), done)
	INCL(i.As32())
	CMPL(i.As32(), p.slot(slotCount))
	JLT(LabelRef("report"))
	n := GP32()
	MOVL(p.slot(slotCount), n)
	result(n)
}

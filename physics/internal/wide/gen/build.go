package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twins of the loops of the builder, split_bins.go and split_small.go in package wide,
// operation by operation. A triangle and its box fill one register, and growing a box is one
// instruction.

// Offsets in wide.splitter; a test in package wide compares them with those of the compiler.
const (
	splitterLeft, splitterRight  = 0, 2304
	splitterSmall                = 4608
	splitterN                    = 5808
	splitterScale                = 5816
	splitterEdge, splitterPoint  = splitterScale + 4, splitterScale + 8
	splitterLast                 = 5828
	splitterLo, splitterPerUnit  = 5832, 5848
	splitterCounts               = 5864
	splitterCostL, splitterCostR = 6152, 6440

	smallOrder, smallKeys = 840, 912 // in wide.smallSet, which starts with the triangles

	boxRow, wordRow, byteRow = 768, 96, 24 // from axis to axis
	primSize                 = 32
)

// maker holds the constants of the builder's routines.
type maker struct {
	flip, spread   Mem // eight lanes
	three          Mem // four lanes: all bits of the first three
	join           Mem // eight lanes: the lower side, the upper one, the index, nothing
	quarter, empty Mem // one
	sign, edgeOut  Mem
	slots          Mem
}

func makeBuild() {
	m := maker{}
	global := func(name string, list ...uint32) Mem {
		g := GLOBL(name, 8|16) // RODATA|NOPTR
		for i, x := range list {
			DATA(4*i, U32(x))
		}
		return g
	}
	const ones = math.MaxUint32
	m.flip = global("flipUpper", 0, 0, 0, ones, ones, ones, 0, 0)
	m.spread = global("spread", 0, 1, 2, 2, 3, 4, 5, 5)
	m.three = global("three", ones, ones, ones, 0)
	m.join = global("join", 0, 1, 2, 4, 5, 6, 3, 7)
	m.quarter = global("quarter", math.Float32bits(0.25))
	m.empty = global("infinite", 0x7f800000)
	m.sign = global("negative", 1<<31)
	m.edgeOut = global("last", math.MaxInt32)
	m.slots = global("slots", ^uint32(31))
	m.lay()
	m.fill()
	m.partition()
	m.scan("scanSIMD", "scanSIMD is splitter.scan.", false)
	m.scan("scanSmallSIMD", "scanSmallSIMD is splitter.scanSmall.", true)
	m.sort()
}

// sides converts boxes to floats, with its constants in registers.
type sides struct{ flip, spread, factor reg.VecVirtual }

func (m *maker) edges(factor Mem) (e sides) {
	e.flip, e.spread, e.factor = YMM(), YMM(), YMM()
	VMOVDQU(m.flip, e.flip)
	VMOVDQU(m.spread, e.spread)
	VBROADCASTSS(factor, e.factor)
	return e
}

// of returns both sides of a box, times the factor. The last lanes hold no coordinates; they are
// masked, as subnormal numbers are slow.
func (e *sides) of(box reg.VecVirtual) (low, high reg.VecVirtual) {
	x := YMM()
	VPXOR(e.flip, box, x)
	unkey(x)
	VPERMPS(x, e.spread, x)
	VMULPS(e.factor, x, x)
	high = XMM()
	VEXTRACTF128(U8(1), x, high)
	return x, high
}

// unkey converts integers that order like floats to those floats, and back.
func unkey(x reg.VecVirtual) {
	s := YMM()
	if x.Size() == 16 {
		s = XMM()
	}
	VPSRAD(U8(31), x, s)
	VPSRLD(U8(1), s, s)
	VPXOR(s, x, x)
}

// center is prim.center.
func (e *sides) center(box reg.VecVirtual) reg.VecVirtual {
	low, high := e.of(box)
	VADDPS(high, low.AsX(), high)
	return high
}

// bins returns the bin of a centre along each axis, not yet clamped to the last one.
func bins(w reg.Register, center reg.VecVirtual) reg.VecVirtual {
	k := XMM()
	VSUBPS(at(w, splitterLo), center, k)
	VMULPS(at(w, splitterPerUnit), k, k)
	VCVTTPS2DQ(k, k)
	return k
}

// lay writes builder.lay.
func (m *maker) lay() {
	TEXT("laySIMD", 0, "func(prims, vertices, indices *byte, from, to int, all, centers *byte)")
	Doc("laySIMD is builder.lay.")
	Pragma("noescape")
	p, vertices, corners := Load(Param("prims"), GP64()), Load(Param("vertices"), GP64()), Load(Param("indices"), GP64())
	n, end := Load(Param("from"), GP64()), Load(Param("to"), GP64())
	bounds, span := Load(Param("all"), GP64()), Load(Param("centers"), GP64())
	at32, t := GP64(), GP64()
	MOVQ(n, at32)
	SHLQ(U8(5), at32)
	ADDQ(at32, p)
	LEAQ(Mem{Base: n, Index: n, Scale: 2}, t)
	LEAQ(indexed(corners, t, 4, 0), corners)
	e := m.edges(m.quarter)
	join, all, centers, sign, ones := YMM(), YMM(), YMM(), XMM(), XMM()
	VMOVDQU(m.join, join)
	VMOVDQU(at(bounds, 0), all)
	VMOVUPS(at(span, 0), centers)
	VBROADCASTSS(m.sign, sign)
	VMOVDQU(m.three, ones)
	Label("lay")
	low, high := XMM(), XMM()
	for corner := range 3 {
		i := GP64()
		MOVL(at(corners, 4*corner), i.As32())
		LEAQ(Mem{Base: i, Index: i, Scale: 2}, i)
		v := XMM()
		if corner == 0 {
			v = low
		}
		// Not a load of 16 bytes: the last vertex may be at the end of the memory.
		VMOVQ(indexed(vertices, i, 4, 0), v)
		VPINSRD(U8(2), indexed(vertices, i, 4, 8), v, v)
		unkey(v)
		if corner == 0 {
			VMOVDQA(low, high)
		} else {
			VPMINSD(v, low, low)
			VPMAXSD(v, high, high)
		}
	}
	VPXOR(ones, high, high)
	VPINSRD(U8(3), n.(reg.GPVirtual).As32(), low, low)
	box := YMM()
	VINSERTI128(U8(1), high, low.AsY(), box)
	VPERMD(box, join, box)
	VMOVDQU(box, at(p, 0))
	VPMINSD(box, all, all)
	c := e.center(box)
	turned, both := XMM(), YMM()
	VXORPS(sign, c, turned)
	VINSERTF128(U8(1), turned, c.AsY(), both)
	VMINPS(both, centers, centers)
	ADDQ(U8(12), corners)
	ADDQ(U8(primSize), p)
	INCQ(n)
	CMPQ(n, end)
	JNE(LabelRef("lay"))
	VMOVDQU(all, at(bounds, 0))
	VMOVUPS(centers, at(span, 0))
	VZEROUPPER()
	RET()
}

func (m *maker) fill() {
	TEXT("fillSIMD", 0, "func(w, prims *byte, n int)")
	Doc("fillSIMD is splitter.fill.")
	Pragma("noescape")
	w, p, end := walk(), Load(Param("prims"), GP64()), Load(Param("n"), GP64())
	e, last := m.edges(m.quarter), XMM()
	VPBROADCASTD(at(w, splitterLast), last)
	SHLQ(U8(5), end)
	ADDQ(p, end)
	Label("fill")
	box := YMM()
	VMOVDQU(at(p, 0), box)
	k := bins(w, e.center(box))
	VPMINSD(last, k, k)
	for axis := range 3 {
		i := GP64()
		if axis == 0 {
			VMOVD(k, i.As32())
		} else {
			VPEXTRD(U8(axis), k, i.As32())
		}
		INCL(indexed(w, i, 4, splitterCounts+wordRow*axis))
		SHLQ(U8(5), i)
		bin := indexed(w, i, 1, splitterRight+boxRow*axis)
		grown := YMM()
		VPMINSD(bin, box, grown)
		VMOVDQU(grown, bin)
	}
	ADDQ(U8(primSize), p)
	CMPQ(p, end)
	JNE(LabelRef("fill"))
	VZEROUPPER()
	RET()
}

func (m *maker) partition() {
	TEXT("partitionSIMD", 0, "func(w, prims *byte, from, to, count, axis, bin int, left, right *byte) int")
	Doc("partitionSIMD is splitter.partition for a batch; count is the number of triangles on the left before and after.")
	Pragma("noescape")
	w, base := walk(), Load(Param("prims"), GP64())
	p, end, l := Load(Param("from"), GP64()), Load(Param("to"), GP64()), Load(Param("count"), GP64())
	for _, r := range []reg.Register{p, end, l} {
		SHLQ(U8(5), r)
		ADDQ(base, r)
	}
	e := m.edges(m.quarter)
	axis, bin, inf, left, right, sign := YMM(), YMM(), YMM(), YMM(), YMM(), XMM()
	a, _ := Param("axis").Resolve()
	VPBROADCASTD(a.Addr, axis)
	a, _ = Param("bin").Resolve()
	VPBROADCASTD(a.Addr, bin)
	VBROADCASTSS(m.empty, inf)
	VBROADCASTSS(m.sign, sign)
	ls, rs := Load(Param("left"), GP64()), Load(Param("right"), GP64())
	VMOVUPS(at(ls, 0), left)
	VMOVUPS(at(rs, 0), right)
	Label("partition")
	box := YMM()
	VMOVDQU(at(p, 0), box)
	c := e.center(box)
	goes := bins(w, c).AsY()
	VPERMD(goes, axis, goes)
	VPCMPGTD(goes, bin, goes) // to the left
	turned, both, part := XMM(), YMM(), YMM()
	VXORPS(sign, c, turned)
	VINSERTF128(U8(1), turned, c.AsY(), both)
	VBLENDVPS(goes, both, inf, part)
	VMINPS(part, left, left)
	VBLENDVPS(goes, inf, both, part)
	VMINPS(part, right, right)
	other := YMM()
	VMOVDQU(at(l, 0), other)
	VMOVDQU(other, at(p, 0))
	VMOVDQU(box, at(l, 0))
	step := GP32()
	VMOVMSKPS(goes, step)
	ANDL(U8(primSize), step)
	ADDQ(step.As64(), l)
	ADDQ(U8(primSize), p)
	CMPQ(p, end)
	JNE(LabelRef("partition"))
	VMOVUPS(left, at(ls, 0))
	VMOVUPS(right, at(rs, 0))
	SUBQ(base, l)
	SHRQ(U8(5), l)
	VZEROUPPER()
	Store(l, ReturnIndex(0))
	RET()
}

// scan writes the union of boxes from both ends: of those in the bins, or of a small set in order.
func (m *maker) scan(name, doc string, few bool) {
	signature := "func(w *byte)"
	if few {
		signature = "func(w *byte, first int)"
	}
	TEXT(name, 0, signature)
	Doc(doc)
	Pragma("noescape")
	w := walk()
	e := m.edges(at(w, splitterScale))
	edge, point := XMM(), XMM()
	VBROADCASTSS(at(w, splitterEdge), edge)
	VMOVSS(at(w, splitterPoint), point)
	row, words, order, left := GP64(), GP64(), GP64(), GP64()
	MOVQ(w, row)
	MOVQ(w, words)
	if few {
		Load(Param("first"), order)
		ADDQ(w, order)
		ADDQ(U32(splitterSmall+smallOrder), order)
	}
	MOVQ(U32(3), left)
	Label("axis")
	for _, forward := range []bool{true, false} {
		all, i, at32 := YMM(), GP64(), GP64()
		VBROADCASTSS(m.empty, all)
		label, sums, costs := "up", splitterLeft, splitterCostL
		if forward {
			XORQ(i, i)
			XORQ(at32, at32)
		} else {
			label, sums, costs = "down", splitterRight, splitterCostR
			MOVQ(at(w, splitterN), i)
			DECQ(i)
			MOVQ(i, at32)
			SHLQ(U8(5), at32)
		}
		Label(label)
		if few {
			k := GP64()
			MOVBQZX(indexed(order, i, 1, 0), k)
			SHLQ(U8(5), k)
			VPMINSD(indexed(w, k, 1, splitterSmall), all, all)
		} else {
			VPMINSD(indexed(row, at32, 1, splitterRight), all, all)
		}
		VMOVDQU(all, indexed(row, at32, 1, sums))
		low, high := e.of(all)
		d, next := XMM(), XMM()
		VSUBPS(low.AsX(), high, d)
		VPERMILPS(U8(0xc9), d, next)
		VADDPS(edge, next, next)
		VMULPS(next, d, d)
		VMOVSHDUP(d, next)
		high = XMM()
		VPERMILPS(U8(2), d, high)
		VADDSS(next, d, d)
		VADDSS(high, d, d)
		VADDSS(point, d, d)
		VMULSS(indexed(words, i, 4, costs), d, d)
		VMOVSS(d, indexed(words, i, 4, costs))
		if forward {
			INCQ(i)
			ADDQ(U8(primSize), at32)
			CMPQ(i, at(w, splitterN))
			JNE(LabelRef(label))
		} else {
			SUBQ(U8(primSize), at32)
			DECQ(i)
			JNS(LabelRef(label))
		}
	}
	ADDQ(U32(boxRow), row)
	ADDQ(U8(wordRow), words)
	if few {
		ADDQ(U8(byteRow), order)
	}
	DECQ(left)
	JNZ(LabelRef("axis"))
	VZEROUPPER()
	RET()
}

// sort computes the rank of each triangle by counting those before it, which takes no branch.
func (m *maker) sort() {
	TEXT("sortSIMD", 0, "func(f *byte, n int)")
	Doc("sortSIMD is smallSet.sort.")
	Pragma("noescape")
	f, n := Load(Param("f"), GP64()), Load(Param("n"), GP64())
	e := m.edges(m.quarter)
	behind, mask := YMM(), XMM()
	VPBROADCASTD(m.edgeOut, behind)
	VPBROADCASTD(m.slots, mask)
	for i := range 9 {
		VMOVDQU(behind, at(f, smallKeys+32*i))
	}
	p, i := GP64(), GP64()
	MOVQ(f, p)
	XORQ(i, i)
	Label("keys")
	box, slot := YMM(), XMM()
	VMOVDQU(at(p, 0), box)
	k := e.center(box)
	unkey(k)
	VPAND(mask, k, k)
	VMOVD(i.As32(), slot)
	VPBROADCASTD(slot, slot)
	VPOR(slot, k, k)
	VMOVD(k, indexed(f, i, 4, smallKeys))
	VPEXTRD(U8(1), k, indexed(f, i, 4, smallKeys+wordRow))
	VPEXTRD(U8(2), k, indexed(f, i, 4, smallKeys+2*wordRow))
	ADDQ(U8(primSize), p)
	INCQ(i)
	CMPQ(i, n)
	JNE(LabelRef("keys"))

	keys, order, left := GP64(), GP64(), GP64()
	LEAQ(at(f, smallKeys), keys)
	LEAQ(at(f, smallOrder), order)
	MOVQ(U32(3), left)
	Label("axis")
	var key, place [3]reg.VecVirtual
	for j := range 3 {
		key[j], place[j] = YMM(), YMM()
		VMOVDQU(at(keys, 32*j), key[j])
		VPXOR(place[j], place[j], place[j])
	}
	XORQ(i, i)
	Label("count")
	one, after := YMM(), YMM()
	VPBROADCASTD(indexed(keys, i, 4, 0), one)
	for j := range 3 {
		VPCMPGTD(one, key[j], after)
		VPSUBD(after, place[j], place[j])
	}
	INCQ(i)
	CMPQ(i, n)
	JNE(LabelRef("count"))
	for j := range 3 {
		VMOVDQU(place[j], at(keys, 32*j))
	}
	XORQ(i, i)
	Label("place")
	to := GP64()
	MOVL(indexed(keys, i, 4, 0), to.As32())
	MOVB(i.As8(), indexed(order, to, 1, 0))
	INCQ(i)
	CMPQ(i, n)
	JNE(LabelRef("place"))
	ADDQ(U8(wordRow), keys)
	ADDQ(U8(byteRow), order)
	DECQ(left)
	JNZ(LabelRef("axis"))
	VZEROUPPER()
	RET()
}

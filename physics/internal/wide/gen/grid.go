package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in wide.gridRay, after the prepared ray, and in wide.parts; a test in package wide
// compares them with those of the compiler.
const (
	gridSides, gridStart, gridCell = 104, 168, 184
	gridLast, gridNearY            = 200, 208
	partsHigh                      = 64
	gridRow                        = 2 * 65 // bytes of a row of codes
)

// makeGrid writes the tests of the 16 parts of a block of a height field.
func makeGrid() {
	crossParts()
	codeSpans()
}

// crossParts writes gridRay.crossParts: T at the sides along x and z of four parts each, and then
// the intervals of two rows of parts at a time.
func crossParts() {
	TEXT("gridPartsSIMD", NOSPLIT, "func(w, p *byte, x, z int32, s int) uint32")
	Doc("gridPartsSIMD is gridRay.crossParts of a ray that is not all.")
	Pragma("noescape")
	w, p := Load(Param("w"), GP64()), Load(Param("p"), GP64())
	shift := XMM()
	VMOVQ(parameter("s"), shift)
	var ends [4]reg.VecVirtual // by lane: near and far along x, near and far along z
	for axis := range 2 {
		from, last, cell, start, inv := XMM(), XMM(), YMM(), YMM(), XMM()
		VBROADCASTSS(parameter([]string{"x", "z"}[axis]), from)
		VPBROADCASTD(at(w, gridLast+4*axis), last)
		VBROADCASTSD(at(w, gridCell+8*axis), cell)
		VBROADCASTSD(at(w, gridStart+8*axis), start)
		VBROADCASTSS(at(w, inverse+8*axis), inv)
		for side := range 2 {
			line, wide, origin := XMM(), YMM(), XMM()
			VMOVDQU(at(w, gridSides+16*(2*axis+side)), line)
			VPSLLD(shift, line, line)
			VPADDD(from, line, line)
			VPMINSD(last, line, line)
			VCVTDQ2PD(line, wide)
			VMULPD(cell, wide, wide)
			VADDPD(start, wide, wide)
			t := YMM()
			VCVTPD2PSY(wide, t.AsX())
			VBROADCASTSS(at(w, near+(far-near)*side+8*axis), origin)
			VSUBPS(t.AsX(), origin, t.AsX())
			VMULPS(inv, t.AsX(), t.AsX())
			if axis == 0 {
				VINSERTF128(U8(1), t.AsX(), t, t)
			}
			ends[2*axis+side] = t
		}
	}
	lowest, highest, nearY, farY, inv := YMM(), YMM(), YMM(), YMM(), YMM()
	VPBROADCASTD(at(w, low), lowest)
	VPBROADCASTD(at(w, high), highest)
	VPMAXSD(lowest, ends[0], ends[0])
	VPMINSD(highest, ends[1], ends[1])
	VBROADCASTSS(at(w, near+4), nearY)
	VBROADCASTSS(at(w, far+4), farY)
	VBROADCASTSS(at(w, inverse+4), inv)
	nearSide, farSide := GP64(), GP64()
	MOVQ(at(w, gridNearY), nearSide)
	MOVQ(p, farSide)
	SUBQ(nearSide, farSide)
	ADDQ(p, nearSide)
	var masks [2]reg.GPVirtual
	for half := range 2 {
		rows, from, to, t := YMM(), YMM(), YMM(), YMM()
		VMOVDQU(rowsOf(half), rows)
		VPERMPS(ends[2], rows, from)
		VPERMPS(ends[3], rows, to)
		VPMAXSD(ends[0], from, from)
		VPMINSD(ends[1], to, to)
		VSUBPS(at(nearSide, 32*half), nearY, t)
		VMULPS(inv, t, t)
		VPMAXSD(t, from, from)
		VSUBPS(at(farSide, partsHigh+32*half), farY, t)
		VMULPS(inv, t, t)
		VPMINSD(t, to, to)
		VPCMPGTD(to, from, from)
		masks[half] = GP32()
		VMOVMSKPS(from, masks[half])
	}
	VZEROUPPER()
	SHLL(U8(8), masks[1])
	ORL(masks[0], masks[1])
	XORL(U32(0xffff), masks[1])
	Store(masks[1], ReturnIndex(0))
	RET()
}

// rowsOf returns which lanes along z two rows of four parts have.
func rowsOf(half int) Mem {
	m := GLOBL([]string{"firstRows", "lastRows"}[half], RODATA|NOPTR)
	for i := range 8 {
		DATA(4*i, U32(uint32(2*half+i/4)))
	}
	return m
}

// codeSpans writes Grid.cellSpans: the least and the greatest of the corners of 16 cells.
func codeSpans() {
	TEXT("gridCodesSIMD", NOSPLIT, "func(p, codes *byte, step, lowest, highest float32)")
	Doc("gridCodesSIMD is Grid.cellSpans of codes.")
	Pragma("noescape")
	p, codes := Load(Param("p"), GP64()), Load(Param("codes"), GP64())
	step := YMM()
	VBROADCASTSS(parameter("step"), step)
	for side, join := range []func(ops ...Op){VPMINUW, VPMAXUW} {
		base := YMM()
		VBROADCASTSS(parameter([]string{"lowest", "highest"}[side]), base)
		var rows [5]reg.VecVirtual
		for r := range rows {
			next := XMM()
			rows[r] = XMM()
			VMOVDQU(at(codes, gridRow*r), rows[r])
			VPSRLDQ(U8(2), rows[r], next)
			join(next, rows[r], rows[r])
		}
		for half := range 2 {
			a, b, h := XMM(), XMM(), YMM()
			join(rows[2*half], rows[2*half+1], a)
			join(rows[2*half+1], rows[2*half+2], b)
			VPUNPCKLQDQ(b, a, a)
			VPMOVZXWD(a, h)
			VCVTDQ2PS(h, h)
			VMULPS(step, h, h)
			VADDPS(base, h, h)
			VMOVUPS(h, at(p, partsHigh*side+32*half))
		}
	}
	VZEROUPPER()
	RET()
}

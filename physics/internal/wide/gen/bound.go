package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twin of Bound.misses in package wide, a triangle a lane.

// Offsets in wide.Bound; a test in package wide compares them with those of the compiler.
const (
	boundCenter, boundMargin, boundRadius = 0, 12, 16
	boundShare, boundCounts, boundLead    = 20, 24, 36
	boundPlanes, boundPlane               = 48, 16
	boundPoints, boundPoint               = boundPlanes + 32*boundPlane, 12
	boundAhead                            = boundPoints + 64*boundPoint
)

func makeBound() {
	noSign := GLOBL("boundNoSign", RODATA|NOPTR)
	for i := range 8 {
		DATA(4*i, U32(1<<31-1))
	}
	infinite := GLOBL("boundInfinite", RODATA|NOPTR)
	DATA(0, U32(0x7f800000))

	TEXT("missesSIMD", NOSPLIT, "func(p, b *byte) uint32")
	Doc("missesSIMD is Bound.misses.")
	Pragma("noescape")
	frame := AllocLocal(9 * 32) // the corners relative to the center
	p, b := Load(Param("p"), GP64()), Load(Param("b"), GP64())
	corner := func(c, axis int) Mem { return at(p, 96*c+32*axis) }
	relative := func(c, axis int) Mem { return frame.Offset(96*c + 32*axis) }
	spread := func(m Mem) reg.VecVirtual {
		v := YMM()
		VBROADCASTSS(m, v)
		return v
	}
	spread3 := func(m Mem) (v vec) {
		for i := range v {
			v[i] = spread(m.Offset(4 * i))
		}
		return v
	}
	magnitude := func(v Op) reg.VecVirtual {
		m := loadRow(noSign)
		VANDPS(v, m, m)
		return m
	}
	sum := func(v [3]Op) reg.VecVirtual {
		s := magnitude(v[0])
		VADDPS(magnitude(v[1]), s, s)
		VADDPS(magnitude(v[2]), s, s)
		return s
	}

	Comment("The corners from the center, and how far off they may be.")
	center := spread3(at(b, boundCenter))
	off := zero()
	for c := range 3 {
		for axis := range 3 {
			q := loadRow(corner(c, axis))
			VSUBPS(center[axis], q, q)
			VMOVUPS(q, relative(c, axis))
			VMAXPS(off, magnitude(q), off)
		}
	}
	VMULPS(spread(at(b, boundShare)), off, off)

	Comment("By the planes of the shape.")
	missed := zero()
	left, place := GP32(), GP64()
	MOVL(at(b, boundCounts), left)
	LEAQ(at(b, boundPlanes), place)
	Label("plane")
	TESTL(left, left)
	JEQ(LabelRef("planesDone"))
	n := spread3(at(place, 0))
	var least reg.VecVirtual
	for c := range 3 {
		d := dot(n, relative(c, 0))
		if c == 0 {
			least = d
		} else {
			VMINPS(least, d, least)
		}
	}
	limit := spread(at(place, 12))
	VADDPS(off, limit, limit)
	VCMPPS(U8(0x1e), limit, least, least) // greater
	VORPS(least, missed, missed)
	ADDQ(U8(boundPlane), place)
	DECL(left)
	JMP(LabelRef("plane"))
	Label("planesDone")

	Comment("By the plane of each triangle.")
	MOVL(at(b, boundCounts+4), left)
	TESTL(left, left)
	JEQ(LabelRef("done"))
	var e, f vec
	for axis := range 3 {
		first := loadRow(corner(0, axis))
		e[axis], f[axis] = loadRow(corner(1, axis)), loadRow(corner(2, axis))
		VSUBPS(first, e[axis], e[axis])
		VSUBPS(first, f[axis], f[axis])
	}
	normal := cross(e, f)
	far := sum(operands(e))
	VMULPS(sum(operands(f)), far, far)
	reach := sum(operands(relative(0, 0)))
	VADDPS(spread(at(b, boundRadius)), reach, reach)
	VMULPS(spread(at(b, boundShare)), reach, reach)
	VMULPS(reach, far, far)
	length := dot(normal, normal)
	VSQRTPS(length, length)
	VMULPS(spread(at(b, boundMargin)), length, length)
	VADDPS(far, length, far)
	low, high := spread(infinite), zero()
	VSUBPS(low, high, high)
	span := func(name string, points int) {
		LEAQ(at(b, points), place)
		Label(name)
		t := dot(spread3(at(place, 0)), normal)
		VMINPS(low, t, low)
		VMAXPS(high, t, high)
		ADDQ(U8(boundPoint), place)
		DECL(left)
		JNE(LabelRef(name))
	}
	span("point", boundPoints)
	lead, none := dot(normal, spread3(at(b, boundLead))), zero()
	down := YMM()
	VMINPS(none, lead, down)
	VADDPS(down, low, low)
	VMAXPS(none, lead, down)
	VADDPS(down, high, high)
	MOVL(at(b, boundCounts+8), left)
	TESTL(left, left)
	JEQ(LabelRef("spanned"))
	span("ahead", boundAhead)
	Label("spanned")
	height := dot(normal, relative(0, 0))
	VSUBPS(height, low, low)
	VCMPPS(U8(0x1e), far, low, low)
	VSUBPS(high, height, height)
	VCMPPS(U8(0x1e), far, height, height)
	VORPS(low, missed, missed)
	VORPS(height, missed, missed)
	Label("done")
	mask := GP32()
	VMOVMSKPS(missed, mask)
	VZEROUPPER()
	Store(mask, ReturnIndex(0))
	RET()
}

// makeUnpack writes the routine that spreads a packed leaf.
func makeUnpack() {
	TEXT("unpackSIMD", NOSPLIT, "func(p, l *byte)")
	Doc("unpackSIMD is packed.unpack.")
	Pragma("noescape")
	p, l := Load(Param("p"), GP64()), Load(Param("l"), GP64())
	for c := range 3 {
		lanes := YMM()
		VPMOVZXBD(at(p, packedCorner+8*c), lanes)
		for axis := range 3 {
			v := YMM()
			VPERMPS(at(p, 32*axis), lanes, v)
			VMOVUPS(v, at(l, 96*c+32*axis))
		}
	}
	VZEROUPPER()
	RET()
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What compares and unites the boxes of nodes of package broad, and prefetches.

// Predicates of float comparisons.
var (
	notAbove = U8(2)
	notBelow = U8(13)
)

// touchingRoutine writes the comparison of all eight boxes of a node with those of another.
func touchingRoutine() {
	TEXT("touchingSIMD", 4, "func(x, y *byte) uint64") // NOSPLIT
	Doc("touchingSIMD is joiner.touching.")
	Pragma("noescape")
	x, y := Load(Param("x"), GP64()), Load(Param("y"), GP64())
	var sides [6]reg.VecVirtual
	for i := range sides {
		sides[i] = YMM()
		VMOVUPS(at(y, row*i), sides[i])
	}
	matrix, bits := GP64(), GP64()
	for i := 7; i >= 0; i-- {
		all := YMM()
		for axis := range 3 {
			low, high := YMM(), YMM()
			VBROADCASTSS(at(x, row*2*axis+4*i), low)
			VBROADCASTSS(at(x, row*(2*axis+1)+4*i), high)
			VCMPPS(notAbove, sides[2*axis+1], low, low)
			VCMPPS(notAbove, high, sides[2*axis], high)
			if axis == 0 {
				VANDPS(low, high, all)
				continue
			}
			VANDPS(low, high, high)
			VANDPS(high, all, all)
		}
		if i == 7 {
			VMOVMSKPS(all, matrix.As32())
			continue
		}
		VMOVMSKPS(all, bits.As32())
		SHLQ(U8(8), matrix)
		ORQ(bits, matrix)
	}
	VZEROUPPER()
	Store(matrix, ReturnIndex(0))
	RET()
}

// touchedRoutine writes the comparison of all eight boxes of a node with one.
func touchedRoutine() {
	TEXT("touchedSIMD", 4, "func(n, p *byte) uint32") // NOSPLIT
	Doc("touchedSIMD is node.touched.")
	Pragma("noescape")
	n, p := Load(Param("n"), GP64()), Load(Param("p"), GP64())
	all, mask := YMM(), GP32()
	for axis := range 3 {
		low, high := YMM(), YMM()
		VBROADCASTSS(at(p, 4*axis), low)
		VBROADCASTSS(at(p, 12+4*axis), high)
		VCMPPS(notAbove, at(n, row*(2*axis+1)), low, low)
		VCMPPS(notBelow, at(n, row*2*axis), high, high)
		if axis == 0 {
			VANDPS(low, high, all)
			continue
		}
		VANDPS(low, all, all)
		VANDPS(high, all, all)
	}
	VMOVMSKPS(all, mask)
	VZEROUPPER()
	Store(mask, ReturnIndex(0))
	RET()
}

// squaresRoutine writes the squared distances of a point to all eight boxes of a node, four at a
// time in double precision.
func squaresRoutine() {
	TEXT("squaresSIMD", 4, "func(n, p, squared *byte)") // NOSPLIT
	Doc("squaresSIMD is nearest.to.")
	Pragma("noescape")
	n, p, squared := Load(Param("n"), GP64()), Load(Param("p"), GP64()), Load(Param("squared"), GP64())
	zero := YMM()
	VXORPD(zero, zero, zero)
	var point [3]reg.VecVirtual
	for axis := range point {
		point[axis] = YMM()
		VBROADCASTSD(at(p, 8*axis), point[axis])
	}
	for half := range 2 {
		sum := YMM()
		for axis, v := range point {
			below, above := YMM(), YMM()
			VCVTPS2PD(at(n, row*2*axis+16*half), below)
			VCVTPS2PD(at(n, row*(2*axis+1)+16*half), above)
			VSUBPD(v, below, below)
			VSUBPD(above, v, above)
			VMAXPD(below, above, above)
			VMAXPD(above, zero, above)
			if axis == 0 {
				VMULPD(above, above, sum)
				continue
			}
			VMULPD(above, above, above)
			VADDPD(above, sum, sum)
		}
		VMOVUPD(sum, at(squared, 32*half))
	}
	VZEROUPPER()
	RET()
}

// unionRoutine writes the union of all eight boxes of a node.
func unionRoutine() {
	TEXT("unionSIMD", 4, "func(n, box *byte)") // NOSPLIT
	Doc("unionSIMD is node.union.")
	Pragma("noescape")
	n, box := Load(Param("n"), GP64()), Load(Param("box"), GP64())
	// Of two zeros, the instructions return the second operand; both orders together give the right
	// sign.
	least := func(a, b reg.VecVirtual) {
		t := XMM()
		VMINPS(a, b, t)
		VMINPS(b, a, a)
		VORPS(t, a, a)
	}
	greatest := func(a, b reg.VecVirtual) {
		t := XMM()
		VMAXPS(a, b, t)
		VMAXPS(b, a, a)
		VANDPS(t, a, a)
	}
	var ends [2]reg.VecVirtual
	for end, of := range []func(a, b reg.VecVirtual){least, greatest} {
		var v [3]reg.VecVirtual
		for axis := range v {
			v[axis] = XMM()
			half := XMM()
			VMOVUPS(at(n, row*(2*axis+end)), v[axis])
			VMOVUPS(at(n, row*(2*axis+end)+16), half)
			of(v[axis], half)
		}
		even, odd := XMM(), XMM()
		VUNPCKLPS(v[1], v[0], even)
		VUNPCKHPS(v[1], v[0], odd)
		of(even, odd) // x y x y
		VMOVHLPS(v[2], v[2], odd)
		of(v[2], odd) // z z
		VSHUFPS(U8(0x5e), v[2], even, odd)
		VMOVLHPS(v[2], even, even)
		of(even, odd)
		ends[end] = even
	}
	VMOVUPS(ends[0], at(box, 0))
	VMOVLPS(ends[1], at(box, 12))
	VEXTRACTPS(U8(2), ends[1], at(box, 20))
	RET()
}

// hintRoutine writes the prefetch of two cache lines, and of those of some bytes.
func hintRoutine() {
	TEXT("prefetchTwo", 4, "func(p *byte)") // NOSPLIT
	Doc("prefetchTwo is Hint.")
	Pragma("noescape")
	p := Load(Param("p"), GP64())
	PREFETCHT0(at(p, 0))
	PREFETCHT0(at(p, 64))
	RET()
	TEXT("prefetchAll", 4, "func(p *byte, n uintptr)")
	Doc("prefetchAll is HintAll: it prefetches the last byte, and then from the first on.")
	Pragma("noescape")
	p, n := Load(Param("p"), GP64()), Load(Param("n"), GP64())
	PREFETCHT0(Mem{Base: p, Index: n, Scale: 1, Disp: -1})
	Label("line")
	PREFETCHT0(at(p, 0))
	ADDQ(U8(64), p)
	SUBQ(U8(64), n)
	JHI(LabelRef("line"))
	RET()
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twins of package broad. Its nodes are laid out as those of the trees of meshes, and references are too.

// Offsets in broad.Walk and broad.node; a test in package broad compares them with the compiler's.
const (
	worldNear, worldFar, worldInverse  = 0, 12, 24
	worldLow, worldHigh, worldSide     = 36, 40, 44
	worldNodes, worldCount, worldStack = 64, 72, 80

	nodeLevel = 229

	row = 32
)

var notAbove = U8(2) // a comparison of floats

func makeWorld() {
	openRoutine()
	touchingRoutine()
	unionRoutine()
}

// openRoutine is a walk without leaves: it ends when one is on top.
func openRoutine() {
	TEXT("openAVX2", 0, "func(w *byte)")
	Doc("openAVX2 is Walk.open.")
	Pragma("noescape")
	m := &machine{kind: next}
	frame := AllocLocal(64)
	m.scratch = frame.Offset(0)
	w := walk()
	m.base, m.sp = GP64(), GP64()
	m.ref, m.place = GP64(), GP64()
	m.limit = GP32()
	count := GP64()
	MOVQ(at(w, worldNodes), m.base)
	MOVQ(at(w, worldCount), count)
	LEAQ(indexed(w, count, 8, worldStack), m.sp)
	MOVL(at(w, worldHigh), m.limit)
	for i := range 3 {
		n, f := GP64(), GP64()
		MOVL(at(w, worldSide+4*i), n.As32())
		MOVL(n.As32(), f.As32())
		XORL(U32(8*4), f.As32())
		ADDQ(m.base, n)
		ADDQ(m.base, f)
		m.near[i], m.far[i] = n, f
		m.o[i], m.p[i], m.inv[i] = YMM(), YMM(), YMM()
		VBROADCASTSS(at(w, worldNear+4*i), m.o[i])
		VBROADCASTSS(at(w, worldFar+4*i), m.p[i])
		VBROADCASTSS(at(w, worldInverse+4*i), m.inv[i])
	}
	m.low, m.high = YMM(), YMM()
	VPBROADCASTD(at(w, worldLow), m.low)
	VPBROADCASTD(at(w, worldHigh), m.high)

	Label("pop")
	SUBQ(U8(8), m.sp)
	CMPL(at(m.sp, 4), m.limit)
	JGT(LabelRef("pop"))
	MOVL(at(m.sp, 0), m.ref.(reg.GPVirtual).As32())
	TESTB(U8(leafBit), m.ref.(reg.GPVirtual).As8L())
	JNZ(LabelRef("top"))
	Label("open")
	LEAQ(indexed(m.base, m.ref, 8, 0), m.place)
	from, mask := m.crossed()
	CMPB(at(m.place, nodeLevel), U8(0))
	JE(LabelRef("boxes"))
	m.descend(from, mask)

	Label("boxes")
	m.boxes(from, mask)
	Label("top")
	ADDQ(U8(8), m.sp)
	Label("out")
	w = walk()
	SUBQ(w, m.sp)
	SUBQ(U8(worldStack), m.sp)
	SHRQ(U8(3), m.sp)
	MOVQ(m.sp, at(w, worldCount))
	VZEROUPPER()
	RET()
}

// boxes puts those children that are crossed on the stack, the nearest on top, and then is done.
func (m *machine) boxes(from reg.VecVirtual, mask reg.GPVirtual) {
	m.keys(from)
	i := GP64()
	a, b := GP64(), GP64()
	take := func(k reg.Register) {
		TZCNTL(mask, i.As32())
		MOVQ(m.scratch.Idx(i, 8), k)
	}
	take(a)
	BLSRL(mask, mask)
	JNZ(LabelRef("boxTwo"))
	MOVQ(a, at(m.sp, 0))
	JMP(LabelRef("top"))

	Label("boxTwo")
	take(b)
	order(a, b)
	MOVQ(b, at(m.sp, 0))
	MOVQ(a, at(m.sp, 8))
	bottom := GP64()
	MOVQ(m.sp, bottom)
	ADDQ(U8(16), m.sp)
	BLSRL(mask, mask)
	JZ(LabelRef("out"))

	Label("boxInsert")
	k, p, q := GP64(), GP64(), GP64()
	take(k)
	MOVQ(m.sp, p)
	Label("boxShift")
	CMPQ(p, bottom)
	JEQ(LabelRef("boxFound"))
	MOVQ(at(p, -8), q)
	CMPQ(q, k)
	JGE(LabelRef("boxFound"))
	MOVQ(q, at(p, 0))
	SUBQ(U8(8), p)
	JMP(LabelRef("boxShift"))
	Label("boxFound")
	MOVQ(k, at(p, 0))
	ADDQ(U8(8), m.sp)
	BLSRL(mask, mask)
	JNZ(LabelRef("boxInsert"))
	JMP(LabelRef("out"))
}

// touchingRoutine compares all eight boxes of a node with those of another.
func touchingRoutine() {
	TEXT("touchingAVX2", 4, "func(x, y *byte) uint64") // NOSPLIT
	Doc("touchingAVX2 is joiner.touching.")
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

// unionRoutine finds the box of all eight boxes of a node.
func unionRoutine() {
	TEXT("unionAVX2", 4, "func(n, box *byte)") // NOSPLIT
	Doc("unionAVX2 is node.union.")
	Pragma("noescape")
	n, box := Load(Param("n"), GP64()), Load(Param("box"), GP64())
	// The instructions give the second of two zeros; from both orders, the right sign comes.
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

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// cast writes a routine that casts a whole ray. It returns 0 for a miss and 1 for a hit; 2 leaves
// the ray to the portable traversal, as its numbers are near the limits of float32.
func cast(k kind, c constants, field *gridMemory) {
	m := &machine{kind: k, k: c, grid: field}
	name, of := "SIMD", ""
	if field != nil {
		name, of = "GridSIMD", " of a height field"
	}
	if k == closest {
		TEXT("closest"+name, 0, "func(t, r, hit *byte, at float32, triangle int32, cull uint8) uint32")
		Doc("closest" + name + " finds the first hit of a ray" + of + " after a triangle at a T, and writes it.")
	} else {
		TEXT("any"+name, 0, "func(t, r *byte, cull uint8) uint32")
		Doc("any" + name + " reports whether a ray hits anything" + of + ".")
	}
	Pragma("noescape")
	m.local()
	highest := m.limits()
	m.facing()
	m.prepare("unsupported")
	m.begin(highest)
	if k == closest {
		MOVL(U32(0x7fffffff), m.bestID)
	}
	if field != nil {
		m.blocks()
	} else {
		MOVQ(I32(sentinel), at(m.sp, 0))
		ADDQ(U8(8), m.sp)
		MOVL(at(m.base, treeRoot), m.ref.(reg.GPVirtual).As32())
		m.units()
		m.broadcast()
		JMP(LabelRef("open"))
		m.loop()
	}

	Label("end")
	code := GP32()
	if k == closest {
		best := GP32()
		XORL(code, code)
		MOVL(m.bestID, best)
		CMPL(best, U32(0x7fffffff))
		SETNE(code.As8())
	} else {
		XORL(code, code)
	}
	result(code)

	if k == anyHit {
		Label("hit")
		one := GP32()
		MOVL(U32(1), one)
		result(one)
	}

	Label("unsupported")
	odd := GP32()
	MOVL(U32(2), odd)
	result(odd)
}

// limits computes the range of T, as limits of package wide does, and the triangle at its start
// after which hits count. Invalid rays are left to Go.
func (m *machine) limits() reg.GPVirtual {
	r, n := Load(Param("r"), GP64()), GP64()
	MOVQ(at(m.tree(), treeIDs+8), n)
	TESTQ(n, n)
	JEQ(LabelRef("unsupported"))
	lowest, zero := XMM(), XMM()
	VXORPS(zero, zero, zero)
	VMAXSS(at(r, rayMinT), zero, lowest) // NaN stays
	VADDSS(zero, lowest, lowest)
	if m.kind == closest {
		after, from := GP32(), XMM()
		MOVL(I32(-1), after)
		VMOVSS(parameter("at"), from)
		VUCOMISS(lowest, from)
		JCS(LabelRef("fromStart"))
		VADDSS(zero, from, lowest)
		MOVL(parameter("triangle"), after)
		Label("fromStart")
		MOVL(after, m.after)
	}
	VMOVSS(lowest, m.lowest())
	low, high, twice, none := GP32(), GP32(), GP32(), GP32()
	VMOVD(lowest, low)
	MOVL(at(r, rayMaxT), high)
	MOVL(U32(math.Float32bits(math.MaxFloat32)), none)
	LEAL(indexed(high, high, 1, 0), twice)
	TESTL(twice, twice)
	CMOVLEQ(none, high)
	CMPL(high, infinite)
	CMOVLEQ(none, high)
	Comment("Neither NaN nor negative.")
	CMPL(high, none)
	JHI(LabelRef("unsupported"))
	CMPL(low, high)
	JHI(LabelRef("unsupported"))
	return high
}

// facing computes turn and flip, as facing of package wide does.
func (m *machine) facing() {
	cull, turns, flips := GP32(), GP32(), GP32()
	MOVBLZX(parameter("cull"), cull)
	XORL(flips, flips)
	CMPL(cull, U8(1))
	SETNE(flips.As8())
	NEGL(flips)
	ANDL(U32(0xff), flips)
	DECL(cull)
	CMPL(cull, U8(2))
	SBBL(turns, turns)
	ANDL(U32(0xff), turns)
	MOVL(turns, m.state(turn))
	MOVL(flips, m.state(flip))
}

func result(code reg.Register) {
	VZEROUPPER()
	Store(code, ReturnIndex(0))
	RET()
}

func prepareRoutine(k constants) {
	TEXT("prepareSIMD", 0, "func(w, r *byte)")
	Doc("prepareSIMD prepares a ray. If the ray is invalid or for the portable traversal, it only sets w.all.")
	Pragma("noescape")
	m := &machine{kind: next, k: k}
	m.prepare("unsupported")
	RET()
	Label("unsupported")
	MOVB(U8(1), at(walk(), overflows))
	RET()
}

func nextRoutine(k constants) {
	TEXT("nextSIMD", 0, "func(w, stack *byte) bool")
	Doc("nextSIMD is walk.next.")
	Pragma("noescape")
	m := &machine{kind: next, k: k}
	m.local()
	highest, n := GP32(), GP64()
	MOVL(at(walk(), high), highest)
	m.begin(highest)
	m.sp = GP64()
	Load(Param("stack"), m.sp)
	MOVQ(at(walk(), count), n)
	LEAQ(indexed(m.sp, n, 8, 0), m.sp)
	m.units()
	m.loop()

	Label("end")
	one := GP64()
	MOVQ(U32(1), one)
	MOVQ(one, at(walk(), count)) // only the sentinel is left
	VZEROUPPER()
	no := GP8()
	XORB(no, no)
	Store(no, ReturnIndex(0))
	RET()
}

// cpu writes the routines that query the processor's features.
func cpu() {
	TEXT("cpuid", 4, "func(leaf, sub uint32) (a, b, c, d uint32)")
	Doc("cpuid executes the instruction.")
	Load(Param("leaf"), reg.EAX)
	Load(Param("sub"), reg.ECX)
	CPUID()
	Store(reg.EAX, Return("a"))
	Store(reg.EBX, Return("b"))
	Store(reg.ECX, Return("c"))
	Store(reg.EDX, Return("d"))
	RET()

	TEXT("xgetbv", 4, "func() (a, d uint32)")
	Doc("xgetbv returns which registers the system saves.")
	XORL(reg.ECX, reg.ECX)
	XGETBV()
	Store(reg.EAX, Return("a"))
	Store(reg.EDX, Return("d"))
	RET()
}

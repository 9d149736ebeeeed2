package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in wide.shapeBoxes, which starts like broad.Walk; a test in package wide compares them
// with those of the compiler.
const (
	shapeLeaf, shapePlanes         = 56, 60
	shapePlane                     = 80
	shapeStack                     = 248
	planeAt, planeBeyond, planeEnd = 12, 24, 28 // in wide.shapePlane
)

// makeShape writes the traversal of the boxes that a shape may touch: it ends at a leaf, or at the
// bottom of the stack.
func makeShape() {
	TEXT("shapeSIMD", 0, "func(w *byte)")
	Doc("shapeSIMD is shapeBoxes.next.")
	Pragma("noescape")
	m := &machine{kind: next}
	m.scratch = AllocLocal(64).Offset(0)
	w := walk()
	m.base, m.sp = GP64(), GP64()
	m.ref, m.place = GP64(), GP64()
	m.limit = GP32()
	count := GP64()
	MOVQ(at(w, worldNodes), m.base)
	MOVQ(at(w, worldCount), count)
	LEAQ(indexed(w, count, 8, shapeStack), m.sp)
	MOVL(at(w, worldHigh), m.limit)
	m.origins(w)

	Label("pop")
	SUBQ(U8(8), m.sp)
	CMPL(at(m.sp, 4), m.limit)
	JGT(LabelRef("pop"))
	MOVL(at(m.sp, 0), m.ref.(reg.GPVirtual).As32())
	Label("open")
	TESTB(U8(leafBit), m.ref.(reg.GPVirtual).As8L())
	JNZ(LabelRef("leaf"))
	LEAQ(indexed(m.base, m.ref, 8, 0), m.place)
	from, mask := m.crossed()
	m.behindPlanes(mask)
	m.descend(from, mask)

	Label("leaf")
	w = walk()
	MOVL(m.ref.(reg.GPVirtual).As32(), at(w, shapeLeaf))
	SUBQ(w, m.sp)
	SUBQ(I32(shapeStack), m.sp)
	SHRQ(U8(3), m.sp)
	MOVQ(m.sp, at(w, worldCount))
	VZEROUPPER()
	RET()
}

// behindPlanes removes from the mask the boxes beyond one of the planes.
func (m *machine) behindPlanes(mask reg.GPVirtual) {
	q, left, side, out := walk(), GP32(), GP64(), GP32()
	MOVL(at(q, shapePlanes), left)
	ADDQ(U8(shapePlane), q)
	TESTL(left, left)
	JEQ(LabelRef("behind"))
	Label("plane")
	sum, one := YMM(), YMM()
	for i := range 3 {
		to := one
		if i == 0 {
			to = sum
		}
		MOVL(at(q, planeAt+4*i), side.As32())
		VBROADCASTSS(at(q, 4*i), to)
		ADDQ(m.place, side)
		VMULPS(at(side, 0), to, to)
		if i > 0 {
			VADDPS(one, sum, sum)
		}
	}
	VBROADCASTSS(at(q, planeBeyond), one)
	VCMPPS(less, sum, one, one)
	VMOVMSKPS(one, out)
	NOTL(out)
	ANDL(out, mask)
	JZ(LabelRef("pop"))
	ADDQ(U8(planeEnd), q)
	DECL(left)
	JNZ(LabelRef("plane"))
	Label("behind")
}

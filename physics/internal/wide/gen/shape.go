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
	shapeBall                      = 248
	shapeStack                     = 288
	planeAt, planeBeyond, planeEnd = 12, 24, 28 // in wide.shapePlane

	// In wide.shapeBall.
	ballCenter, ballDir, ballRadius = 0, 12, 24
	ballPad, ballInverse, ballAt    = 28, 32, 36
)

// makeShape writes the traversal of the boxes that a shape may touch: it ends at a leaf, or at the
// bottom of the stack.
func makeShape() {
	var rows [2]Mem
	for i, bits := range [2]uint32{0x3f000000, 0x36000000} { // 0.5, ballWiden
		rows[i] = GLOBL([2]string{"ballHalf", "ballWiden"}[i], RODATA|NOPTR)
		for lane := range 8 {
			DATA(4*lane, U32(bits))
		}
	}
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
	m.missesBall(from, mask, rows)
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
	makeSweep()
}

// missesBall removes from the mask the boxes that the ball around the shape misses, and raises the
// T from which on it may be in the others. Numbers are rows of 0.5 and of ballWiden.
func (m *machine) missesBall(from reg.VecVirtual, mask reg.GPVirtual, numbers [2]Mem) {
	q, out := walk(), GP32()
	MOVL(at(q, shapeBall+ballRadius), out)
	TESTL(out, out)
	JEQ(LabelRef("noBall"))
	// All registers are needed.
	VMOVUPS(from, m.scratch)
	size, dd, along, t, u := YMM(), YMM(), YMM(), YMM(), YMM()
	add := func(axis int, product, sum reg.VecVirtual) {
		if axis == 0 {
			VMOVAPS(product, sum)
		} else {
			VADDPS(product, sum, sum)
		}
	}
	for axis := range 3 {
		low, high := at(m.place, 64*axis), at(m.place, 64*axis+32)
		VMOVUPS(high, t)
		VSUBPS(low, t, t)
		VMULPS(t, t, t)
		add(axis, t, size)
		VMOVUPS(high, t)
		VADDPS(low, t, t)
		VMULPS(numbers[0], t, t)
		VBROADCASTSS(at(q, shapeBall+ballCenter+4*axis), u)
		VSUBPS(u, t, t)
		VBROADCASTSS(at(q, shapeBall+ballDir+4*axis), u)
		VMULPS(t, u, u)
		add(axis, u, along)
		VMULPS(t, t, t)
		add(axis, t, dd)
	}
	VSQRTPS(size, size)
	VMULPS(numbers[0], size, size)
	VBROADCASTSS(at(q, shapeBall+ballRadius), u)
	VADDPS(u, size, size)
	VMULPS(size, size, size)
	VADDPS(size, dd, t)
	VMULPS(numbers[1], t, t)
	VSUBPS(dd, size, size)
	VMULPS(along, along, dd)
	VADDPS(dd, size, size)
	VADDPS(t, size, size)
	VXORPS(t, t, t)
	VCMPPS(U8(atLeast), t, size, dd)
	VSQRTPS(size, size)
	VSUBPS(size, along, along)
	for i, offset := range []int{ballPad, ballInverse, ballAt} {
		VBROADCASTSS(at(q, shapeBall+offset), u)
		switch i {
		case 0:
			VSUBPS(u, along, along)
		case 1:
			VMULPS(u, along, along)
		default:
			VADDPS(u, along, along)
		}
	}
	VPCMPGTD(m.high.(Op), along, t)
	VPANDN(dd, t, t)
	VMOVMSKPS(t, out)
	VMOVUPS(m.scratch, from)
	VPMAXSD(along, from, from)
	ANDL(out, mask)
	JZ(LabelRef("pop"))
	Label("noBall")
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

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A traversal keeps eleven vectors in registers: for each axis two origins and the inverse, and the
// range of T. A leaf needs all sixteen registers, so these are reloaded after it, which costs far
// less than the leaf.

const (
	// sentinel is the bottom of the stack: less than all T, and as a ref one of a loose leaf.
	sentinel = -1
	// stackBytes is the length of a stack of wide.stackSize entries.
	stackBytes = 8 * 256
)

// begin names the registers of a traversal.
func (m *machine) begin(highest reg.GPVirtual) {
	m.base = m.tree()
	for i := range 3 {
		m.near[i], m.far[i] = GP64(), GP64()
		m.o[i], m.p[i], m.inv[i] = YMM(), YMM(), YMM()
	}
	m.low, m.high = YMM(), YMM()
	m.ref, m.place = GP64(), GP64()
	MOVL(highest, m.most)
	if m.kind != anyHit {
		m.limit = GP32()
		MOVL(highest, m.limit)
	}
}

// units loads the address of the first unit, and of the near and the far sides of the boxes in it.
func (m *machine) units() {
	MOVQ(at(m.base, treeUnits), m.base)
	for i := range 3 {
		n, f := m.near[i].(reg.GPVirtual), m.far[i].(reg.GPVirtual)
		MOVL(m.state(side+4*i), n.As32())
		MOVL(n.As32(), f.As32())
		XORL(U32(8*4), f.As32())
		ADDQ(m.base, n)
		ADDQ(m.base, f)
		MOVQ(n, m.sides.Offset(16*i))
		MOVQ(f, m.sides.Offset(16*i+8))
	}
}

// loop traverses the tree until the stack is empty, at label end.
func (m *machine) loop() {
	Label("ready")
	m.reload()
	Label("pop")
	SUBQ(U8(8), m.sp)
	if m.kind != anyHit {
		CMPL(at(m.sp, 4), m.limit)
		JGT(LabelRef("pop"))
	}
	MOVL(at(m.sp, 0), m.ref.(reg.GPVirtual).As32())
	Label("open")
	LEAQ(indexed(m.base, m.ref, 8, 0), m.place)
	TESTB(U8(1), m.ref.(reg.GPVirtual).As8L())
	JNZ(LabelRef("leaf"))
	m.node()

	Label("leaf")
	TESTB(U8(2), m.ref.(reg.GPVirtual).As8L())
	JNZ(LabelRef("loose"))
	m.leaf(false)
	Label("loose")
	CMPL(m.ref.(reg.GPVirtual).As32(), I8(sentinel))
	JEQ(LabelRef("end"))
	m.leaf(true)
}

// take moves the ref of a key into m.ref. A MOVL from a register to itself, which this may be,
// would be removed as redundant although it clears the upper half.
func (m *machine) take(key reg.Register) { LEAL(Mem{Base: key}, m.ref.(reg.GPVirtual).As32()) }

// reload loads the registers that a leaf has overwritten.
func (m *machine) reload() {
	for i := range 3 {
		MOVQ(m.sides.Offset(16*i), m.near[i])
		MOVQ(m.sides.Offset(16*i+8), m.far[i])
	}
	m.broadcast()
}

func (m *machine) broadcast() {
	for i := range 3 {
		VBROADCASTSS(m.state(near+4*i), m.o[i])
		VBROADCASTSS(m.state(far+4*i), m.p[i])
		VBROADCASTSS(m.state(inverse+4*i), m.inv[i])
	}
	VPBROADCASTD(m.lowest(), m.low)
	VPBROADCASTD(m.most, m.high)
}

// node tests eight boxes, continues with the nearest one that the ray crosses, and pushes the
// others.
func (m *machine) node() { m.descend(m.crossed()) }

// crossed tests eight boxes: it returns the T at which the ray enters each and a bit mask of those
// it crosses. If there is none, it continues with the stack.
func (m *machine) crossed() (from reg.VecVirtual, mask reg.GPVirtual) {
	from, missed := m.ranges()
	mask = GP32()
	VMOVMSKPS(missed, mask)
	XORL(U32(0xff), mask)
	JZ(LabelRef("pop"))
	return from, mask
}

// ranges returns the T at which the ray enters each of eight boxes, and those that it misses.
func (m *machine) ranges() (from, missed reg.VecVirtual) {
	// One side after the other: AVX2 has sixteen registers, and both at once would need seventeen.
	reached := func(sides, origins [3]reg.Register, bound reg.Register, best func(ops ...Op)) reg.VecVirtual {
		var t [3]reg.VecVirtual
		for i := range t {
			t[i] = YMM()
			VSUBPS(indexed(sides[i], m.ref, 8, 0), origins[i], t[i])
			VMULPS(m.inv[i], t[i], t[i])
		}
		best(bound, t[0], t[0])
		best(t[1], t[2], t[2])
		best(t[2], t[0], t[0])
		return t[0]
	}
	from = reached(m.near, m.o, m.low, VPMAXSD)
	to := reached(m.far, m.p, m.high, VPMINSD)
	missed = YMM()
	VPCMPGTD(to, from, missed)
	return from, missed
}

// descend continues with the nearest crossed child, and pushes the others.
func (m *machine) descend(from reg.VecVirtual, mask reg.GPVirtual) {
	i := GP64()
	i32 := i.As32()
	TZCNTL(mask, i32)
	if m.kind == anyHit {
		MOVL(indexed(m.place, i, 4, child), m.ref.(reg.GPVirtual).As32())
		Label("push")
		BLSRL(mask, mask)
		JZ(LabelRef("open"))
		TZCNTL(mask, i32)
		MOVL(indexed(m.place, i, 4, child), i32)
		MOVQ(i, at(m.sp, 0))
		ADDQ(U8(8), m.sp)
		JMP(LabelRef("push"))
		return
	}
	key := func() reg.Register {
		k := GP64()
		MOVQ(m.scratch.Idx(i, 8), k)
		return k
	}
	push := func(keys ...reg.Register) {
		for n, k := range keys {
			MOVQ(k, at(m.sp, 8*n))
			p := GP64()
			MOVL(k.(reg.GPVirtual).As32(), p.As32())
			LEAQ(indexed(m.base, p, 8, 0), p)
			PREFETCHT0(at(p, 0))
			PREFETCHT0(at(p, 64))
			PREFETCHT0(at(p, 128))
			PREFETCHT0(at(p, 192))
		}
		ADDQ(U8(8*len(keys)), m.sp)
	}
	open := func(k reg.Register) {
		m.take(k)
		JMP(LabelRef("open"))
	}
	BLSRL(mask, mask)
	JNZ(LabelRef("several"))
	MOVL(indexed(m.place, i, 4, child), m.ref.(reg.GPVirtual).As32())
	JMP(LabelRef("open"))

	Label("several")
	m.keys(from)
	a := key()
	j := GP64()
	TZCNTL(mask, j.As32())
	b := GP64()
	MOVQ(m.scratch.Idx(j, 8), b)
	BLSRL(mask, mask)
	JNZ(LabelRef("three"))
	CMPQ(a, b)
	JGT(LabelRef("swapped"))
	MOVL(indexed(m.place, i, 4, child), m.ref.(reg.GPVirtual).As32())
	push(b)
	JMP(LabelRef("open"))
	Label("swapped")
	MOVL(indexed(m.place, j, 4, child), m.ref.(reg.GPVirtual).As32())
	push(a)
	JMP(LabelRef("open"))

	Label("three")
	TZCNTL(mask, i32)
	c := key()
	BLSRL(mask, mask)
	JNZ(LabelRef("four"))
	order(b, c)
	order(a, b)
	order(b, c)
	push(c, b)
	open(a)

	Label("four")
	TZCNTL(mask, i32)
	d := key()
	order(a, b)
	order(c, d)
	order(a, c)
	order(b, d)
	order(b, c)
	BLSRL(mask, mask)
	JNZ(LabelRef("more"))
	push(d, c, b)
	open(a)

	Label("more")
	Comment("Five or more are rare: insertion sort.")
	bottom, p, q := GP64(), GP64(), GP64()
	MOVQ(m.sp, bottom)
	push(d, c, b, a)
	Label("insert")
	TZCNTL(mask, i32)
	k := key()
	MOVQ(m.sp, p)
	sink("shift", "found", bottom, p, q, k)
	ADDQ(U8(8), m.sp)
	BLSRL(mask, mask)
	JNZ(LabelRef("insert"))
	JMP(LabelRef("pop"))
}

// sink puts an entry where it belongs on a sorted stack, by insertion sort: below its place p, down
// to the bottom, are entries of which the greatest is the deepest. shift and found name the labels.
func sink(shift, found string, bottom Op, p, other, entry reg.Register) {
	Label(shift)
	CMPQ(p, bottom)
	JEQ(LabelRef(found))
	MOVQ(at(p, -8), other)
	CMPQ(other, entry)
	JGE(LabelRef(found))
	MOVQ(other, at(p, 0))
	SUBQ(U8(8), p)
	JMP(LabelRef(shift))
	Label(found)
	MOVQ(entry, at(p, 0))
}

// keys writes the stack entries of all eight children: the bits of the T at which the ray enters
// above the ref.
func (m *machine) keys(from reg.VecVirtual) {
	Comment("Stack entries: the bits of the T of entry above the ref.")
	refs, lo, hi := YMM(), YMM(), YMM()
	VMOVDQU(at(m.place, child), refs)
	VPUNPCKLDQ(from, refs, lo)
	VPUNPCKHDQ(from, refs, hi)
	VMOVDQU(lo.AsX(), m.scratch)
	VMOVDQU(hi.AsX(), m.scratch.Offset(16))
	VEXTRACTI128(U8(1), lo, m.scratch.Offset(32))
	VEXTRACTI128(U8(1), hi, m.scratch.Offset(48))
}

// order swaps a and b if a is greater.
func order(a, b reg.Register) {
	t := GP64()
	MOVQ(a, t)
	CMPQ(a, b)
	CMOVQGT(b, a)
	CMOVQGT(t, b)
}

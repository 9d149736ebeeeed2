package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An entry of a packet's stack is the location of a child's box, in 4-byte numbers from the first
// unit on: 16 times the unit of the node, plus the slot. That takes 34 bits; above them are the
// bits of the T at which the conservative ray enters, without the two lowest.
const (
	entryBits = 34
	entryDrop = 2
)

// setLimit stores the T beyond which no ray can have a better hit, and the greatest stack entry up
// to that T.
func (p *packet) setLimit(highest reg.VecVirtual) {
	VMOVUPS(highest, p.slot(slotBoundHigh))
	limit, ones := GP64(), GP64()
	VMOVD(highest.AsX(), limit.As32())
	MOVLQSX(limit.As32(), limit) // −1 when all rays are done
	SARQ(U8(entryDrop), limit)
	SHLQ(U8(entryBits), limit)
	MOVQ(U64(1<<entryBits-1), ones)
	ORQ(ones, limit)
	MOVQ(limit, p.slot(slotLimit))
}

// walk traverses the tree until the stack is empty, at label end. A leaf that some ray crosses
// continues at label leaf.
func (p *packet) walk() {
	p.sp, p.base = GP64(), GP64()
	p.ref, p.place = GP64(), GP64()
	for i := range 3 {
		p.near[i], p.far[i] = GP64(), GP64()
		p.o[i], p.p[i], p.inv[i] = YMM(), YMM(), YMM()
	}
	p.low, p.high = YMM(), YMM()

	LEAQ(p.slot(slots), p.sp)
	MOVQ(I32(sentinel), at(p.sp, 0))
	ADDQ(U8(8), p.sp)
	p.reload()
	tree := Load(Param("t"), GP64())
	MOVL(at(tree, treeRoot), p.ref.As32())
	JMP(LabelRef("node"))

	Label("ready")
	p.reload()
	Label("pop")
	SUBQ(U8(8), p.sp)
	MOVQ(at(p.sp, 0), p.place)
	CMPQ(p.place, p.slot(slotLimit))
	JGT(LabelRef("pop"))
	TESTQ(p.place, p.place)
	JS(LabelRef("end"))
	Label("entry")
	SHLQ(U8(64-entryBits), p.place)
	SHRQ(U8(64-entryBits-2), p.place)
	ADDQ(p.base, p.place)
	Label("open")
	MOVL(at(p.place, child), p.ref.As32())
	TESTB(U8(leafBit), p.ref.As8L())
	JZ(LabelRef("node"))
	lanes := p.box(p.place)
	JZ(LabelRef("pop"))
	Comment("A leaf needs the registers.")
	MOVL(lanes, p.slot(slotLanes))
	MOVL(p.ref.As32(), p.slot(slotLeaf))
	JMP(LabelRef("leaf"))
	Label("node")
	p.node()
}

const leafBit = 1

// reload loads the registers that a leaf has overwritten.
func (p *packet) reload() {
	tree := Load(Param("t"), GP64())
	MOVQ(at(tree, treeUnits), p.base)
	for i := range 3 {
		n, f := p.near[i].As32(), p.far[i].As32()
		MOVL(p.slot(slotSide).Offset(4*i), n)
		MOVL(n, f)
		XORL(U32(8*4), f)
		VMOVUPS(p.slot(slotNear+i), p.o[i])
		VMOVUPS(p.slot(slotFar+i), p.p[i])
		VMOVUPS(p.slot(slotInverse+i), p.inv[i])
	}
	VMOVUPS(p.slot(slotLow), p.low)
	VMOVUPS(p.slot(slotHigh), p.high)
}

// box returns a bit mask of the rays that cross a box, and whether any does in the zero flag.
func (p *packet) box(place reg.Register) reg.GPVirtual {
	from, to := YMM(), YMM()
	for i := range 3 {
		f, t := from, to
		if i > 0 {
			f, t = YMM(), YMM()
		}
		VBROADCASTSS(indexed(place, p.near[i], 1, 0), f)
		VBROADCASTSS(indexed(place, p.far[i], 1, 0), t)
		VSUBPS(f, p.o[i], f)
		VSUBPS(t, p.p[i], t)
		VMULPS(p.inv[i], f, f)
		VMULPS(p.inv[i], t, t)
		if i == 0 {
			VPMAXSD(p.low, f, f)
			VPMINSD(p.high, t, t)
		} else {
			VPMAXSD(f, from, from)
			VPMINSD(t, to, to)
		}
	}
	lanes := GP32()
	VPCMPGTD(to, from, from)
	VMOVMSKPS(from, lanes)
	XORL(U32(0xff), lanes)
	return lanes
}

// node continues with the nearest child of a node that both the conservative ray and some ray
// cross, and pushes the others.
func (p *packet) node() {
	SHLQ(U8(1), p.ref)
	LEAQ(indexed(p.base, p.ref, 4, 0), p.place)
	from, to := YMM(), YMM()
	for i := range 3 {
		f, t := from, to
		if i > 0 {
			f, t = YMM(), YMM()
		}
		VMOVUPS(p.slot(slotBoundNear+i), f)
		VMOVUPS(p.slot(slotBoundFar+i), t)
		VSUBPS(indexed(p.place, p.near[i], 1, 0), f, f)
		VSUBPS(indexed(p.place, p.far[i], 1, 0), t, t)
		VMULPS(p.slot(slotBoundInverseNear+i), f, f)
		VMULPS(p.slot(slotBoundInverseFar+i), t, t)
		if i == 0 {
			VPMAXSD(p.slot(slotBoundLow), f, f)
			VPMINSD(p.slot(slotBoundHigh), t, t)
		} else {
			VPMAXSD(f, from, from)
			VPMINSD(t, to, to)
		}
	}
	mask, i, entry := GP32(), GP64(), GP64()
	VPCMPGTD(to, from, to)
	VMOVMSKPS(to, mask)
	XORL(U32(0xff), mask)
	JZ(LabelRef("pop"))
	TZCNTL(mask, i.As32())
	BLSRL(mask, entry.As32())
	JNZ(LabelRef("several"))
	LEAQ(indexed(p.place, i, 4, 0), p.place)
	JMP(LabelRef("open"))

	Label("several")
	VMOVDQU(from, p.slot(slotFrom))
	MOVQ(p.sp, p.slot(slotBottom))
	Comment("Without a branch on whether a ray crosses a box, which is unpredictable.")
	Label("child")
	TZCNTL(mask, i.As32())
	MOVL(p.word(slotFrom, i), entry.As32())
	SHRL(U8(entryDrop), entry.As32())
	SHLQ(U8(entryBits), entry)
	ORQ(i, entry)
	ORQ(p.ref, entry)
	MOVQ(entry, at(p.sp, 0))
	LEAQ(indexed(p.place, i, 4, 0), i)
	lanes := p.box(i)
	MOVL(at(i, child), i.As32())
	SHLQ(U8(3), i)
	ADDQ(p.base, i)
	for line := range 4 {
		PREFETCHT0(at(i, 64*line))
	}
	POPCNTL(lanes, lanes)
	LEAL(at(lanes.As64(), -1), i.As32())
	ADDL(i.As32(), p.slot(slotBudget))
	NEGL(lanes) // clears the carry for 0
	SBBQ(i, i)
	ANDL(U8(8), i.As32())
	ADDQ(i, p.sp)
	BLSRL(mask, mask)
	JNZ(LabelRef("child"))
	CMPL(p.slot(slotBudget), U8(0))
	JLT(LabelRef("unsupported"))

	MOVQ(p.sp, i)
	SUBQ(p.slot(slotBottom), i)
	JZ(LabelRef("pop"))
	a, b, c, d, t := p.place, GP64(), GP64(), GP64(), GP64()
	// order swaps x and y if x is greater.
	order := func(x, y reg.GPVirtual) {
		MOVQ(x, t)
		CMPQ(x, y)
		CMOVQGT(y, x)
		CMOVQGT(t, y)
	}
	CMPQ(i, U8(16))
	JGT(LabelRef("three"))
	MOVQ(at(p.sp, -8), a)
	JLT(LabelRef("nearest"))
	MOVQ(at(p.sp, -16), b)
	order(a, b)
	MOVQ(b, at(p.sp, -16))
	JMP(LabelRef("nearest"))

	Label("three")
	MOVQ(at(p.sp, -8), a)
	MOVQ(at(p.sp, -16), b)
	MOVQ(at(p.sp, -24), c)
	CMPQ(i, U8(24))
	JNE(LabelRef("four"))
	order(b, c)
	order(a, b)
	order(b, c)
	MOVQ(b, at(p.sp, -16))
	MOVQ(c, at(p.sp, -24))
	JMP(LabelRef("nearest"))

	Label("four")
	CMPQ(i, U8(32))
	JNE(LabelRef("more"))
	MOVQ(at(p.sp, -32), d)
	order(a, b)
	order(c, d)
	order(a, c)
	order(b, d)
	order(b, c)
	MOVQ(b, at(p.sp, -16))
	MOVQ(c, at(p.sp, -24))
	MOVQ(d, at(p.sp, -32))
	Label("nearest")
	SUBQ(U8(8), p.sp)
	JMP(LabelRef("entry"))

	Label("more")
	Comment("Five or more are rare: insertion sort.")
	next, q, other := GP64(), GP64(), GP64()
	MOVQ(p.slot(slotBottom), next)
	Label("insert")
	ADDQ(U8(8), next)
	CMPQ(next, p.sp)
	JEQ(LabelRef("pop"))
	MOVQ(at(next, 0), entry)
	MOVQ(next, q)
	sink("shift", "found", p.slot(slotBottom), q, other, entry)
	JMP(LabelRef("insert"))
}

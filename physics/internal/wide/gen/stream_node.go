package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// turnOfNodes opens the nodes of all rays that are at one, until few are left. The boxes of a node
// are tested before what is crossed of the node before is pushed: each is a long chain of
// instructions that wait for each other, and the processor looks ahead by about two nodes.
func (m *machine) turnOfNodes() {
	s := m.stream
	Label("nodes")
	i, nodes, leaves, end := GP64(), GP64(), GP64(), GP64()
	MOVQ(s.leafCount, leaves)
	Label("turn")
	MOVQ(s.nodeCount, end)
	XORL(nodes.As32(), nodes.As32())
	TESTQ(end, end)
	JZ(LabelRef("turned"))
	MOVQ(end, s.end)
	MOVL(U32(1), i.As32())
	MOVQ(s.nodes, s.st)
	m.base = m.tree()
	MOVQ(at(m.base, treeUnits), m.base)
	keys, following := YMM(), YMM()
	m.keysOf(keys)
	current, st := s.st, GP64()
	order := func() {
		s.st = st
		m.local()
		ref, leaf := GP64(), GP64()
		m.push(keys, ref)
		s.join(m.base, ref, leaf, nodes, leaves)
		s.st = current
		m.local()
	}
	JMP(LabelRef("rest"))
	Label("node")
	MOVQ(s.nodes.Idx(i, 8), s.st)
	INCQ(i)
	m.keysOf(following)
	order()
	VMOVDQA(following, keys)
	Label("rest")
	MOVQ(s.st, st)
	CMPQ(i, s.end)
	JNE(LabelRef("node"))
	order()

	MOVQ(nodes, s.nodeCount)
	CMPQ(nodes, U8(fewNodes))
	JGE(LabelRef("turn"))
	Label("turned")
	MOVQ(leaves, s.end)
	XORL(i.As32(), i.As32())
	MOVQ(i, s.current)
	MOVQ(i, s.leafCount)
	ADDQ(nodes, leaves)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// keysOf tests the boxes of a node. The key of one that the ray misses is negative; for the closest
// hit that of another is the T at which the ray enters it, with the lane in the lowest bits.
func (m *machine) keysOf(keys reg.VecVirtual) {
	m.ref = GP64()
	MOVQ(m.stream.ref, m.ref)
	for i := range 3 {
		m.near[i], m.far[i] = GP64(), GP64()
		m.o[i], m.p[i], m.inv[i] = YMM(), YMM(), YMM()
	}
	m.low, m.high = YMM(), YMM()
	m.reload()
	from, missed := m.ranges()
	if m.kind == anyHit {
		VMOVDQA(missed, keys)
		return
	}
	VPAND(m.k.noLane, from, from)
	VPOR(m.k.lane, from, from)
	VPOR(missed, from, keys)
}

// push pushes what a ray crosses of a node, and takes what it opens next from the top: what it
// enters first, for any hit what is in the lowest slot, or else what was on the stack before. The
// top is known before the rest is in order.
func (m *machine) push(keys reg.VecVirtual, ref reg.GPVirtual) {
	s := m.stream
	n, top, mask, count := GP64(), GP64(), GP64(), GP64()
	m.place = GP64()
	MOVQ(s.ref, m.place)
	LEAQ(indexed(m.base, m.place, 8, 0), m.place)
	VMOVMSKPS(keys, mask.As32())
	POPCNTL(mask.As32(), count.As32())
	NEGQ(count)
	ADDQ(U8(width-1), count) // without the top
	MOVQ(s.sp, n)
	MOVL(s.refs().Offset(-4).Idx(n, 4), top.As32())
	if m.kind == closest {
		leastLane(keys, ref)
	} else {
		XORL(U32(0xff), mask.As32())
		TZCNTL(mask.As32(), ref.As32())
		ANDL(U32(width-1), ref.As32())
	}
	MOVL(indexed(m.place, ref, 4, child), ref.As32())
	TESTQ(count, count)
	CMOVQLT(top, ref)
	order, refs := YMM(), YMM()
	if m.kind == closest {
		sortDown(keys)
		VMOVDQU(keys, s.from().Idx(n, 4))
		VPAND(m.k.inLane, keys, order)
	} else {
		table := GP64()
		LEAQ(m.k.slots, table)
		VPMOVZXBD(indexed(table, mask, 8, 0), order)
	}
	VPERMD(at(m.place, child), order, refs)
	VMOVDQU(refs, s.refs().Idx(n, 4))
	ADDQ(count, n)
	MOVQ(n, s.sp)
}

// leastLane returns the lane in the lowest bits of the least key that is not negative.
func leastLane(keys reg.VecVirtual, lane reg.GPVirtual) {
	least, t := XMM(), XMM()
	VEXTRACTI128(U8(1), keys, least)
	VPMINUD(keys.AsX(), least, least)
	VPSHUFD(U8(0x4e), least, t)
	VPMINUD(t, least, least)
	VPSHUFD(U8(0xb1), least, t)
	VPMINUD(t, least, least)
	VMOVD(least, lane.As32())
	ANDL(U32(width-1), lane.As32())
}

// sortDown sorts eight lanes, the greatest first, by a bitonic network (Batcher 1968). Each step
// compares the lanes with themselves in another order and leaves the greater ones in some lanes.
func sortDown(v reg.VecVirtual) {
	t, least := YMM(), YMM()
	step := func(lesser uint8) {
		VPMINSD(v, t, least)
		VPMAXSD(v, t, v)
		VPBLENDD(U8(lesser), least, v, v)
	}
	within := func(order, lesser uint8) { // four lanes
		VPSHUFD(U8(order), v, t)
		step(lesser)
	}
	within(0xb1, 0xaa)
	within(0x1b, 0xcc)
	within(0xb1, 0xaa)
	VPERMQ(U8(0x4e), v, t)
	VPSHUFD(U8(0x1b), t, t)
	step(0xf0)
	within(0x4e, 0xcc)
	within(0xb1, 0xaa)
}

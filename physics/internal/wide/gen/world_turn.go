package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// turnRoutine writes the interleaving of several traversals. In its turn, each opens the node on
// top of its stack, and prefetches what is on top then. The common path has no branch: a
// misprediction would discard the work begun for the following turns, which overlap otherwise.
func turnRoutine(k worldConstants) {
	TEXT("turnSIMD", 0, "func(w *byte)")
	Doc("turnSIMD interleaves traversals.")
	Pragma("noescape")
	// Eight stack entries, and four that are less than all.
	frame := AllocLocal(12 * 8)
	none := YMM()
	VMOVDQU(k.none, none)
	VMOVDQU(none, frame.Offset(64))
	ws, lane := walk(), GP64()
	MOVL(at(ws, turnsTurn), lane.As32())
	JMP(LabelRef("begin"))

	Label("turn")
	MOVL(at(lane, worldAfter), lane.As32())
	Label("begin")
	ADDQ(ws, lane)
	sp, limit, top, place := GP64(), GP32(), GP64(), GP64()
	MOVQ(at(lane, worldCount), sp)
	LEAQ(indexed(lane, sp, 8, worldStack), sp)
	MOVL(at(lane, worldHigh), limit)
	Label("pop")
	SUBQ(U8(8), sp)
	CMPL(at(sp, 4), limit)
	JGT(LabelRef("pop"))
	MOVL(at(sp, 0), top.As32())
	TESTB(U8(leafBit), top.As8L())
	JNZ(LabelRef("ready"))
	MOVQ(at(lane, worldNodes), place)
	LEAQ(indexed(place, top, 8, 0), place)

	from, to := YMM(), YMM()
	for i := range 3 {
		s, f, t, inverse := GP64(), YMM(), YMM(), YMM()
		MOVL(at(lane, worldSide+4*i), s.As32())
		VBROADCASTSS(at(lane, worldNear+4*i), f)
		VBROADCASTSS(at(lane, worldFar+4*i), t)
		VBROADCASTSS(at(lane, worldInverse+4*i), inverse)
		VSUBPS(indexed(place, s, 1, 0), f, f)
		XORL(U8(row), s.As32())
		VSUBPS(indexed(place, s, 1, 0), t, t)
		VMULPS(inverse, f, f)
		VMULPS(inverse, t, t)
		if i == 0 {
			VPBROADCASTD(at(lane, worldLow), from)
			VPBROADCASTD(at(lane, worldHigh), to)
		}
		VPMAXSD(f, from, from)
		VPMINSD(t, to, to)
	}
	mask, n, most, i := GP32(), GP64(), GP32(), GP64()
	VPCMPGTD(to, from, to)
	VMOVMSKPS(to, mask)
	XORL(U32(0xff), mask)
	m := &machine{place: place, scratch: frame}
	m.keys(from)
	Comment("Children that are leaves, and more than four others, are handled below.")
	POPCNTL(mask, n.As32())
	XORL(most, most)
	CMPB(at(place, nodeLevel), U8(0))
	SETNE(most.As8())
	SHLL(U8(2), most)
	CMPL(n.As32(), most)
	JGT(LabelRef("seldom"))

	ORL(U32(0xf00), mask)
	var keys [4]reg.Register
	for k := range keys {
		key := GP64()
		TZCNTL(mask, i.As32())
		MOVQ(frame.Idx(i, 8), key)
		if k < 3 {
			BLSRL(mask, mask)
		}
		keys[k] = key
	}
	a, b, c, d := keys[0], keys[1], keys[2], keys[3]
	order(d, c)
	order(b, a)
	order(c, a)
	order(d, b)
	order(c, b)
	for k, key := range []reg.Register{a, b, c, d} {
		MOVQ(key, at(sp, 8*k))
	}
	LEAQ(indexed(sp, n, 8, 0), sp)
	Label("prefetch")
	MOVL(at(sp, -8), top.As32())
	MOVQ(at(lane, worldNodes), place)
	LEAQ(indexed(place, top, 8, 0), place)
	for line := range 4 {
		PREFETCHT0(at(place, 64*line))
	}
	Label("done")
	keep := func() {
		SUBQ(lane, sp)
		SUBQ(U8(worldStack), sp)
		SHRQ(U8(3), sp)
		MOVQ(sp, at(lane, worldCount))
	}
	keep()
	JMP(LabelRef("turn"))

	Label("ready")
	ADDQ(U8(8), sp)
	keep()
	SUBQ(ws, lane)
	MOVL(lane.As32(), at(ws, turnsTurn))
	VZEROUPPER()
	RET()

	Label("seldom")
	bottom, key, p, q := GP64(), GP64(), GP64(), GP64()
	MOVQ(sp, bottom)
	Label("insert")
	TZCNTL(mask, i.As32())
	MOVQ(frame.Idx(i, 8), key)
	MOVQ(sp, p)
	sink("shift", "found", bottom, p, q, key)
	ADDQ(U8(8), sp)
	BLSRL(mask, mask)
	JNZ(LabelRef("insert"))
	CMPB(at(place, nodeLevel), U8(0))
	JNE(LabelRef("prefetch"))
	Label("record")
	MOVL(at(bottom, 0), i.As32())
	SHRL(U8(3), i.As32())
	IMULQ(at(ws, turnsStride), i)
	ADDQ(at(ws, turnsRecords), i)
	PREFETCHT0(at(i, 0))
	PREFETCHT0(at(i, 64))
	ADDQ(U8(8), bottom)
	CMPQ(bottom, sp)
	JNE(LabelRef("record"))
	JMP(LabelRef("done"))
}

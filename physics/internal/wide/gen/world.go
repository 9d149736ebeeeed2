package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twins of package broad. Its nodes and refs have the layout of those of the trees of
// meshes.

// Offsets in broad.Walk and broad.node; a test in package broad compares them with those of the
// compiler.
const (
	worldNear, worldFar, worldInverse  = 0, 12, 24
	worldLow, worldHigh, worldSide     = 36, 40, 44
	worldAll                           = 56
	worldNodes, worldCount, worldStack = 64, 72, 80

	worldAfter = 1472

	turnsTurn                 = 0 // in broad.Walks
	turnsRecords, turnsStride = 8, 16

	nodeLevel = 229

	row = 32
)

// worldConstants are the constants in memory.
type worldConstants struct{ none Mem }

func makeWorld() {
	k := worldConstants{none: GLOBL("none", 8|16)} // RODATA|NOPTR
	for i := range 4 {
		DATA(8*i, U64(1<<63))
	}
	worldPrepareRoutine()
	openRoutine(closest)
	openRoutine(anyHit)
	turnRoutine(k)
	touchingRoutine()
	touchedRoutine()
	squaresRoutine()
	unionRoutine()
	hintRoutine()
}

// worldPrepareRoutine writes the preparation of a ray, operation by operation, except for the range
// of T, which the caller sets. The last of the four lanes is unused.
func worldPrepareRoutine() {
	four := func(name string, list ...uint32) Mem {
		g := GLOBL(name, 8|16) // RODATA|NOPTR
		for i := range 4 {
			DATA(4*i, U32(list[i%len(list)]))
		}
		return g
	}
	number := func(name string, x float32) Mem { return four(name, math.Float32bits(x)) }
	magnitude, signBit := four("magnitude", math.MaxInt32), four("signBit", 1<<31)
	sides, minusOne := four("sides", 0, 2, 4, 0), number("minusOne", -1)
	slack, originRounding, slope := number("slack", 24*0x1p-24), number("originRounding", 2*0x1p-24), number("slope", 1e-9)
	tiny, tinyLength := number("tiny", 0x1p-126), number("tinyLength", 0x1p-110)

	TEXT("prepareSIMD", 4, "func(q, bounds, r *byte) bool") // NOSPLIT
	Doc("prepareSIMD is ray.prepare after the range of T.")
	Pragma("noescape")
	q, b, r := Load(Param("q"), GP64()), Load(Param("bounds"), GP64()), Load(Param("r"), GP64())
	o, d := loadThree(r, rayOrigin), loadThree(r, rayDir)
	size, t, reach, beyond := XMM(), XMM(), XMM(), XMM()
	VPAND(magnitude, d, size)
	longest := most(size)
	VPAND(magnitude, o, t)
	away := most(t)
	n, some := GP32(), GP8()
	VPMAXSD(longest, away, t)
	VMOVD(t, n)
	CMPL(n, infinite)
	JGE(LabelRef("invalid"))
	VMOVD(longest, n)
	TESTL(n, n)
	JZ(LabelRef("invalid"))

	VMOVUPS(at(b, 0), t)
	VSUBPS(t, o, reach)
	VPERMILPS(U8(0x39), at(b, 8), beyond) // 1 2 3 0
	VSUBPS(o, beyond, beyond)
	VPAND(magnitude, reach, reach)
	VPAND(magnitude, beyond, beyond)
	VPMAXSD(beyond, reach, reach)
	reach = most(reach)
	pad, least := XMM(), XMM()
	VADDPS(longest, longest, pad)
	VBROADCASTSS(at(q, worldHigh), t)
	VMULPS(t, pad, pad)
	VPMINSD(reach, pad, pad)
	VMULPS(slack, pad, pad)
	VMULPS(tinyLength, longest, t)
	VPMAXSD(t, pad, pad)
	VPMAXSD(tiny, pad, pad)
	VMULPS(originRounding, away, t)
	VADDPS(t, pad, pad)
	VMULPS(slope, longest, least)

	sign := XMM()
	VPAND(signBit, d, sign)
	VPOR(sign, pad, pad)
	VADDPS(pad, o, t)
	VSUBPS(pad, o, o)
	VMOVUPS(t, at(q, worldNear)) // each store overlaps the place of the next
	VMOVUPS(o, at(q, worldFar))
	VPMAXSD(least, size, size)
	VPOR(sign, size, size)
	VMOVUPS(minusOne, t)
	VDIVPS(size, t, t)
	VMOVLPS(t, at(q, worldInverse))
	VEXTRACTPS(U8(2), t, at(q, worldInverse+8))
	VPSRLD(U8(31), sign, sign)
	VPOR(sides, sign, sign)
	VPSLLD(U8(5), sign, sign)
	VMOVUPS(sign, at(q, worldSide))

	Comment("Whether every box counts as crossed.")
	VPMAXSD(away, reach, reach)
	VMOVD(reach, n)
	CMPL(n, far38)
	SETGE(some)
	VMOVD(least, n)
	CMPL(n, least39)
	SETLT(n.As8())
	ORB(n.As8(), some)
	MOVB(some, at(q, worldAll))
	yes := GP8()
	MOVB(U8(1), yes)
	Store(yes, ReturnIndex(0))
	RET()
	Label("invalid")
	no := GP8()
	XORB(no, no)
	Store(no, ReturnIndex(0))
	RET()
}

// openRoutine writes a traversal that ends when a leaf is on top of the stack.
func openRoutine(k kind) {
	name, doc := "openSIMD", "openSIMD is Walk.open."
	if k == anyHit {
		name, doc = "openAnySIMD", "openAnySIMD is Walk.open of a walk in any order."
	}
	TEXT(name, 0, "func(w *byte, nodes int)")
	Doc(doc)
	Pragma("noescape")
	m := &machine{kind: next}
	frame := AllocLocal(64 + leavesBytes)
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
	m.origins(w)

	Label("pop")
	SUBQ(U8(8), m.sp)
	CMPL(at(m.sp, 4), m.limit)
	JGT(LabelRef("pop"))
	MOVL(at(m.sp, 0), m.ref.(reg.GPVirtual).As32())
	TESTB(U8(leafBit), m.ref.(reg.GPVirtual).As8L())
	JNZ(LabelRef("top"))
	Label("open")
	DECQ(parameter("nodes"))
	JS(LabelRef("enough"))
	LEAQ(indexed(m.base, m.ref, 8, 0), m.place)
	from, missed := m.ranges()
	mask := GP32()
	VMOVMSKPS(missed, mask)
	Comment("Leaves are opened with the node above. Only a root that is one has none.")
	level := GP32()
	MOVBLZX(at(m.place, nodeLevel), level)
	XORL(U32(0xff), mask)
	JZ(LabelRef("pop"))
	CMPL(level, U8(1))
	JB(LabelRef("leaf"))
	JE(LabelRef("leaves"))
	if k == anyHit {
		m.anyChild(mask)
	} else {
		m.descend(from, mask)
	}
	m.leaves(frame.Offset(64), from, mask)

	Label("enough")
	Comment("The node goes back onto the stack, as one that the ray enters at once.")
	MOVQ(m.ref, at(m.sp, 0))
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

// origins loads the registers of a prepared broad.Walk.
func (m *machine) origins(w reg.Register) {
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
}

// anyChild continues with the first crossed child, and pushes the others in slot order.
func (m *machine) anyChild(mask reg.GPVirtual) {
	i := GP64()
	TZCNTL(mask, i.As32())
	MOVL(indexed(m.place, i, 4, child), m.ref.(reg.GPVirtual).As32())
	BLSRL(mask, mask)
	JZ(LabelRef("open"))
	Label("push")
	TZCNTL(mask, i.As32())
	MOVL(indexed(m.place, i, 4, child), i.As32())
	MOVQ(i, at(m.sp, 0))
	ADDQ(U8(8), m.sp)
	LEAQ(indexed(m.base, i, 8, 0), i)
	for line := range 4 {
		PREFETCHT0(at(i, 64*line))
	}
	BLSRL(mask, mask)
	JNZ(LabelRef("push"))
	JMP(LabelRef("open"))
}

// Where the leaves of a node are kept while they are opened: the T at which the ray enters the
// eight boxes of each, and at the same distance from these the ref of each.
const (
	leafRef     = width * row
	leavesBytes = 2 * leafRef
)

// leaves opens all leaves of a node that the ray crosses, so that none waits until another has come
// from memory, and no branch depends on which of them has boxes that it crosses. It pushes these,
// the nearest on top, and ends; if there is none, it continues with the stack.
func (m *machine) leaves(kept Mem, from reg.VecVirtual, mask reg.GPVirtual) {
	ref := m.ref.(reg.GPVirtual)
	p, boxes, some := GP64(), GP64(), GP64()
	Label("leaf")
	LEAQ(kept, p)
	VMOVDQU(from, at(p, 0))
	MOVL(ref.As32(), at(p, leafRef))
	MOVL(mask, boxes.As32())
	JMP(LabelRef("crossed"))

	Label("leaves")
	LEAQ(kept.Offset(width*row), p)
	XORL(boxes.As32(), boxes.As32())
	Label("nextLeaf")
	TZCNTL(mask, ref.As32())
	MOVL(indexed(m.place, ref, 4, child), ref.As32())
	PREFETCHT0(indexed(m.base, ref, 8, child))
	SUBQ(U8(row), p)
	MOVL(ref.As32(), at(p, leafRef))
	enter, missed := m.ranges()
	VMOVDQU(enter, at(p, 0))
	VMOVMSKPS(missed, some.As32())
	XORL(U32(0xff), some.As32())
	SHLQ(U8(width), boxes)
	ORQ(some, boxes)
	BLSRL(mask, mask)
	JNZ(LabelRef("nextLeaf"))
	TESTQ(boxes, boxes)
	JZ(LabelRef("pop"))

	Label("crossed")
	bottom := GP64()
	MOVQ(m.sp, bottom)
	Label("box")
	i, key, place, other := GP64(), GP64(), GP64(), GP64()
	TZCNTQ(boxes, i)
	MOVL(indexed(p, i, 4, 0), key.As32())
	SHLQ(U8(32), key)
	MOVL(i.As32(), place.As32())
	ANDL(I8(-width), place.As32())
	ANDL(U8(width-1), i.As32())
	MOVL(indexed(p, place, 4, leafRef), place.As32())
	LEAQ(indexed(m.base, place, 8, 0), place)
	MOVL(indexed(place, i, 4, child), place.As32())
	ORQ(place, key)
	MOVQ(m.sp, place)
	sink("boxShift", "boxFound", bottom, place, other, key)
	ADDQ(U8(8), m.sp)
	BLSRQ(boxes, boxes)
	JNZ(LabelRef("box"))
	JMP(LabelRef("out"))
}

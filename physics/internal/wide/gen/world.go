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

	worldAfter = 1024

	turnsTurn                 = 0 // in broad.Walks
	turnsRecords, turnsStride = 8, 16

	nodeLevel = 229

	row = 32
)

// Predicates of float comparisons.
var (
	notAbove = U8(2)
	notBelow = U8(13)
)

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
	from, mask := m.crossed()
	CMPB(at(m.place, nodeLevel), U8(0))
	JE(LabelRef("boxes"))
	if k == anyHit {
		m.anyChild(mask)
	} else {
		m.descend(from, mask)
	}

	Label("boxes")
	if k == anyHit {
		m.anyBoxes(mask)
	} else {
		m.boxes(from, mask)
	}
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

// anyBoxes pushes the crossed children in the same order.
func (m *machine) anyBoxes(mask reg.GPVirtual) {
	i, first := GP64(), GP64()
	TZCNTL(mask, i.As32())
	MOVL(indexed(m.place, i, 4, child), first.As32())
	Label("pushBox")
	BLSRL(mask, mask)
	JZ(LabelRef("lastBox"))
	TZCNTL(mask, i.As32())
	MOVL(indexed(m.place, i, 4, child), i.As32())
	MOVQ(i, at(m.sp, 0))
	ADDQ(U8(8), m.sp)
	JMP(LabelRef("pushBox"))
	Label("lastBox")
	MOVQ(first, at(m.sp, 0))
	JMP(LabelRef("top"))
}

// boxes pushes the crossed children, the nearest on top, and ends.
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
	Label("shift")
	CMPQ(p, bottom)
	JEQ(LabelRef("found"))
	MOVQ(at(p, -8), q)
	CMPQ(q, key)
	JGE(LabelRef("found"))
	MOVQ(q, at(p, 0))
	SUBQ(U8(8), p)
	JMP(LabelRef("shift"))
	Label("found")
	MOVQ(key, at(p, 0))
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

// worldConstants are the constants in memory.
type worldConstants struct{ none Mem }

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

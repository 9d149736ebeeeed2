// Command gen writes the AVX2 twins of the Go code of package wide: see `go generate` there. It is
// a module of its own, so that users do not depend on its requirements. Registers are named here
// and allocated by avo.
//
// Without flags it writes the casts of one ray, from one description: closest and any cast a whole
// ray; prepare and next are walk.prepare and walk.next for traversals in Go. With -packets it
// writes the casts of many rays, closestPacket, anyPacket, closestStream and anyStream; with
// -build, the builder's loops over many triangles; with -visit, the box tests of visits; with
// -world, the routines of package broad; with -shape, the traversal for moving shapes; with
// -solver, the contact solver of package rigid; with -joints, its joint solver; with -boxes, the
// search over the axes of two boxes of package narrow; with -contacts, the recycling of contacts of
// package physics; with -grid, the casts at height fields. With -neon and the name of a file it
// writes the same routines for arm64 in place of AVX2.
//
// A traversal keeps eleven vectors in registers: for each axis two origins and the inverse, and the
// range of T. A leaf needs all sixteen registers, so these are reloaded after it, which costs far
// less than the leaf.
package main

import (
	"flag"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in wide.walk, wide.node and the leaves; a test in package wide compares them with those
// of the compiler.
const (
	near, far, inverse = 0, 12, 24
	origin, shear, dz  = 36, 48, 56
	low, high          = 60, 64
	turn, flip         = 68, 72
	side, axis         = 76, 88
	tree               = 104

	overflows = 100 // a byte

	treeUnits, treeIDs, treeRoot = 24, 48, 72
	treeCenter, treeHalf         = 76, 88

	rayOrigin, rayDir, rayMinT, rayMaxT = 0, 12, 24, 28 // in geom.Ray

	hitT, hitPoint, hitNormal, hitU, hitV = 0, 4, 16, 28, 32 // in geom.Hit
	hitTriangle, hitBack                  = 36, 40

	count, blockLeaf = 112, 120
	blockLanes       = blockLeaf + 4

	child = 192 // in node

	packedCorner, packedFirst, packedLanes = 96, 120, 124
	looseFirst, looseLanes                 = 288, 292
)

// A ref times eight is the byte offset of its node or leaf, plus eight times its kind; these
// constants correct for the kind.
const (
	packedSkew = -8
	looseSkew  = -24
)

const (
	// sentinel is the bottom of the stack: less than all T, and as a ref one of a loose leaf.
	sentinel = -1
	// stackBytes is the length of a stack of wide.stackSize entries.
	stackBytes = 8 * 256
)

// Comparisons of floats. The result for NaN does not matter for the first two: its lane is masked
// out later.
var (
	equal     = U8(0)
	less      = U8(1)
	different = U8(12) // false for NaN
)

type kind int

const (
	closest kind = iota
	anyHit
	next
)

func main() {
	builder := flag.Bool("build", false, "write the routines of the builder")
	packets := flag.Bool("packets", false, "write the casts of many rays")
	visit := flag.Bool("visit", false, "write the routines for visits of a box")
	world := flag.Bool("world", false, "write the routines of package broad")
	shape := flag.Bool("shape", false, "write the traversal for moving shapes")
	solver := flag.Bool("solver", false, "write the contact solver of package rigid")
	joints := flag.Bool("joints", false, "write the joint solver of package rigid")
	boxes := flag.Bool("boxes", false, "write the search over the axes of boxes of package narrow")
	contacts := flag.Bool("contacts", false, "write the recycling of contacts of package physics")
	grid := flag.Bool("grid", false, "write the casts at height fields")
	arm64 := flag.String("neon", "", "write the NEON twins to this file, and none in AVX2")
	flag.Parse()
	if *arm64 != "" {
		translate(*arm64)
	}
	ConstraintExpr("amd64,!noasm")
	switch {
	case *builder:
		makeBuild()
	case *packets:
		c := declarePackets()
		packetRoutine(closest, c)
		packetRoutine(anyHit, c)
		streamRoutine(closest, c.constants)
		streamRoutine(anyHit, c.constants)
	case *visit:
		makeVisit()
	case *world:
		makeWorld()
	case *shape:
		makeShape()
	case *solver:
		makeSolver()
	case *joints:
		makeJoints()
	case *boxes:
		makeBoxes()
	case *contacts:
		makeContacts()
	case *grid:
		makeGrid()
	default:
		k := declare()
		cast(closest, k, nil)
		cast(anyHit, k, nil)
		prepareRoutine(k)
		nextRoutine(k)
		if *arm64 == "" {
			cpu()
		}
	}
	Generate()
}

// machine is the state of one routine.
type machine struct {
	kind kind
	k    constants

	base, sp   reg.Register
	near, far  [3]reg.Register // the near and far sides of the first node
	o, p, inv  [3]reg.Register // the origins for these, and the inverses
	low, high  reg.Register
	ref, place reg.Register

	ray     Mem           // the prepared ray; of next it is in the walk
	sides   Mem           // near and far
	scratch Mem           // 64 bytes: keys by lane
	most    Mem           // the bits of the highest T that can still be a hit
	limit   reg.GPVirtual // the same: children that begin beyond it are skipped

	// For closest and any alone.
	det, edgeB, edgeC     Mem // by lane
	rayOrigin, rayDir     Mem // four numbers each, the last unused
	wideOrigin, wideShear Mem // in float64, the axes rotated
	wideDZ                Mem
	bestID                Mem
	after                 Mem // at low, triangles up to this one are excluded

	stream *stream     // nil if the routine casts one ray
	grid   *gridMemory // nil if it traverses a tree
}

func walk() reg.Register { return Load(Param("w"), GP64()) }

// state is the location of a field of the prepared ray, by its offset in wide.Ray.
func (m *machine) state(offset int) Mem {
	if m.kind != next {
		return m.ray.Offset(offset)
	}
	return at(walk(), offset)
}

func parameter(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

func (m *machine) lowest() Mem {
	if m.kind != next {
		return m.ray.Offset(low)
	}
	return at(walk(), low)
}

func (m *machine) tree() reg.Register {
	if m.kind != next {
		return Load(Param("t"), GP64())
	}
	t := GP64()
	MOVQ(at(walk(), tree), t)
	return t
}

// local allocates the routine's stack frame.
func (m *machine) local() {
	if m.stream != nil {
		m.stream.local(m)
		return
	}
	size := 0
	take := func(n int) int { size += n; return size - n }
	offsets := map[*Mem]int{&m.scratch: take(64), &m.sides: take(6 * 8), &m.most: take(8)}
	stack := 0
	if m.kind != next {
		lanes := 32
		if m.grid != nil {
			offsets, lanes = m.gridLocal(take), 2*32
			offsets[&m.most] = take(8)
		}
		for _, p := range []*Mem{&m.det, &m.edgeB, &m.edgeC} {
			offsets[p] = take(lanes)
		}
		for _, p := range []*Mem{&m.wideOrigin, &m.wideShear} {
			offsets[p] = take(32)
		}
		for _, p := range []*Mem{&m.rayOrigin, &m.rayDir, &m.wideDZ, &m.bestID, &m.after} {
			offsets[p] = take(16)
		}
		offsets[&m.ray] = take(112)
		if m.grid == nil {
			stack = take(stackBytes)
		}
	}
	frame := AllocLocal(size)
	for p, offset := range offsets {
		*p = frame.Offset(offset)
	}
	if m.kind != next && m.grid == nil {
		m.sp = GP64()
		LEAQ(frame.Offset(stack), m.sp)
	}
}

func at(p reg.Register, offset int) Mem { return Mem{Base: p, Disp: offset} }

func indexed(p, i reg.Register, scale uint8, offset int) Mem {
	return Mem{Base: p, Index: i, Scale: scale, Disp: offset}
}

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
	if m.stream == nil {
		m.reload()
	} else {
		m.stream.back(m)
	}
	Label("pop")
	SUBQ(U8(8), m.sp)
	if m.kind != anyHit {
		CMPL(at(m.sp, 4), m.limit)
		JGT(LabelRef("pop"))
	}
	MOVL(at(m.sp, 0), m.ref.(reg.GPVirtual).As32())
	Label("open")
	if m.stream != nil {
		m.stream.wait(m)
	}
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
	miss := YMM()
	VPCMPGTD(to, from, miss)
	mask = GP32()
	VMOVMSKPS(miss, mask)
	XORL(U32(0xff), mask)
	JZ(LabelRef("pop"))
	return from, mask
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
	Label("shift")
	CMPQ(p, bottom)
	JEQ(LabelRef("found"))
	MOVQ(at(p, -8), q)
	CMPQ(q, k)
	JGE(LabelRef("found"))
	MOVQ(q, at(p, 0))
	SUBQ(U8(8), p)
	JMP(LabelRef("shift"))
	Label("found")
	MOVQ(k, at(p, 0))
	ADDQ(U8(8), m.sp)
	BLSRL(mask, mask)
	JNZ(LabelRef("insert"))
	JMP(LabelRef("pop"))
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

// leaf tests up to eight triangles. Its arithmetic is that of Ray.packed, Ray.loose and Ray.meet,
// operation by operation.
func (m *machine) leaf(loose bool) {
	skew, first, lanes := packedSkew, packedFirst, packedLanes
	if loose {
		skew, first, lanes = looseSkew, looseFirst, looseLanes
	}
	l := m.place
	var axes [3]reg.Register
	for i := range axes {
		a := GP64()
		MOVL(m.state(axis+4*i), a.As32())
		axes[i] = a
	}
	s := m.shearing()
	var index [3]reg.VecVirtual // packed: the lanes of the corners
	var x, y, z [3]reg.VecVirtual
	if loose {
		for c := range 3 {
			x[c], y[c], z[c] = s.of(func(i int) Mem { return indexed(l, axes[i], 1, skew+96*c) })
		}
	} else {
		vx, vy, vz := s.of(func(i int) Mem { return indexed(l, axes[i], 1, skew) })
		for c := range 3 {
			index[c], x[c], y[c], z[c] = YMM(), YMM(), YMM(), vz
			VPMOVZXBD(at(l, skew+packedCorner+8*c), index[c])
			VPERMPS(vx, index[c], x[c])
			VPERMPS(vy, index[c], y[c])
		}
	}
	e := edges(x, y, VMULPS, VSUBPS)
	none, det, t, zero := outside(e), determinant(e), YMM(), YMM()
	VXORPS(zero, zero, zero)
	VMULPS(zero, det, t) // NaN if the determinant overflows
	VCMPPS(different, det, t, t)
	VANDNPS(t, none, none)
	mask, some := GP32(), GP32()
	VMOVMSKPS(none, mask)
	MOVBLZX(at(l, skew+lanes), some)
	ANDL(some, mask)
	JZ(LabelRef("ready"))

	VCMPPS(less, det, zero, t)
	VMOVMSKPS(t, some)
	ANDL(m.state(turn), some)
	XORL(m.state(flip), some)
	ANDL(some, mask)
	JZ(LabelRef("ready"))

	if m.kind != next {
		VMOVUPS(det, m.det)
		if m.kind == closest {
			VMOVUPS(e[1], m.edgeB)
			VMOVUPS(e[2], m.edgeC)
		}
		m.lanes(loose, skew, first, mask, axes)
		return
	}
	w := walk()
	MOVL(m.ref.(reg.GPVirtual).As32(), at(w, blockLeaf))
	MOVL(mask, at(w, blockLanes))
	stack := Load(Param("stack"), GP64())
	SUBQ(stack, m.sp)
	SHRQ(U8(3), m.sp)
	MOVQ(m.sp, at(w, count))
	VZEROUPPER()
	yes := GP8()
	MOVB(U8(1), yes)
	Store(yes, ReturnIndex(0))
	RET()
}

// shearing is what transforms coordinates to the space of the ray, in all lanes.
type shearing struct {
	origin [3]reg.VecVirtual
	by     [2]reg.VecVirtual
}

func (m *machine) shearing() (s shearing) {
	for i := range s.origin {
		s.origin[i] = YMM()
		VBROADCASTSS(m.state(origin+4*i), s.origin[i])
	}
	for i := range s.by {
		s.by[i] = YMM()
		VBROADCASTSS(m.state(shear+4*i), s.by[i])
	}
	return s
}

// of loads coordinates by get and transforms them.
func (s *shearing) of(get func(i int) Mem) (x, y, z reg.VecVirtual) {
	x, y, z = YMM(), YMM(), YMM()
	VMOVUPS(get(2), z)
	VSUBPS(s.origin[2], z, z)
	for i, v := range []reg.VecVirtual{x, y} {
		t := YMM()
		VMOVUPS(get(i), v)
		VSUBPS(s.origin[i], v, v)
		VMULPS(z, s.by[i], t)
		VSUBPS(t, v, v)
	}
	return
}

// determinant returns the sum of the edge functions of triangles.
func determinant(e [3]reg.VecVirtual) reg.VecVirtual {
	det := YMM()
	VADDPS(e[1], e[0], det)
	VADDPS(e[2], det, det)
	return det
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

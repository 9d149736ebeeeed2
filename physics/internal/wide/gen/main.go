// Command gen writes the AVX2 twin of the portable walk in walk.go: see `go generate` in package wide. It is a module of its own,
// so that what it needs is no user's concern.
//
// There are two routines. prepare makes a ray ready; next finds the next leaf in which something may be hit. What is hit there,
// and at which T, is for Go to say, in double precision. Registers are named here and allotted by avo.
//
// The walk keeps eleven vectors: for each axis two origins and the inverse, and the range of T. A leaf needs all sixteen
// registers, so these are read again behind it, which costs less than a leaf by far.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in wide.walk, wide.node and the leaves; a test in package wide compares them with the compiler's.
const (
	near, far, inverse = 0, 12, 24
	origin, shear, dz  = 36, 48, 56
	low, high          = 60, 64
	turn, flip         = 68, 72
	side, axis         = 76, 88
	tree               = 104

	overflows = 100 // a byte

	treeUnits            = 24
	treeCenter, treeHalf = 76, 88

	rayOrigin, rayDir = 0, 12 // in geom.Ray

	count, blockFrom = 112, 120
	blockTo          = blockFrom + 32
	blockLeaf        = blockFrom + 64
	blockLanes       = blockLeaf + 4

	child = 192 // in node

	packedCorner, packedLanes = 96, 124
	looseLanes                = 292
)

// A reference times 16 is the place of what it names, as its two lowest bits, the kind, make a place off by this.
const (
	packedSkew = -16
	looseSkew  = -48
)

// sentinel is the bottom of the stack: before all T, and as a reference that of a loose leaf.
const sentinel = -1

// Comparisons of floats: what NaN gives is no matter, its lane falls out later.
var (
	equal = U8(0)
	less  = U8(1)
)

func main() {
	builder := flag.Bool("build", false, "write the routines of the builder, not those of the walk")
	flag.Parse()
	ConstraintExpr("amd64,!noasm")
	if *builder {
		makeBuild()
	} else {
		c := declare()
		prepare(c)
		next()
		cpu()
	}
	Generate()
}

// machine is the state of one routine.
type machine struct {
	base, sp   reg.Register
	near, far  [3]reg.Register // places of the near and far sides in a node
	o, p, inv  [3]reg.Register // the origins for these, and the inverses
	low, high  reg.Register
	ref, place reg.Register

	scratch Mem           // 64 bytes: keys by lane
	most    Mem           // the bits of the highest T that may still matter
	limit   reg.GPVirtual // those above ones: the key after which nothing matters
}

func walk() reg.Register { return Load(Param("w"), GP64()) }

func at(p reg.Register, offset int) Mem { return Mem{Base: p, Disp: offset} }

func indexed(p, i reg.Register, scale uint8, offset int) Mem {
	return Mem{Base: p, Index: i, Scale: scale, Disp: offset}
}

func next() {
	TEXT("nextAVX2", 0, "func(w, stack *byte) bool")
	Doc("nextAVX2 finds the next block that may have hits, as walk.next does.")
	Pragma("noescape")
	frame := AllocLocal(64 + 8)
	m := &machine{scratch: frame, most: frame.Offset(64)}

	w := walk()
	m.base, m.sp = GP64(), GP64()
	MOVQ(at(w, tree), m.base)
	for i := range 3 {
		m.near[i], m.far[i] = GP64(), GP64()
		m.o[i], m.p[i], m.inv[i] = YMM(), YMM(), YMM()
	}
	m.low, m.high = YMM(), YMM()
	t := GP32()
	MOVL(at(w, high), t)
	MOVL(t, m.most)
	Comment("What comes after the range is culled by its key.")
	m.limit = GP64()
	MOVL(t, m.limit.As32())
	m.limitFrom()
	m.ref, m.place = GP64(), GP64()
	Load(Param("stack"), m.sp)
	MOVQ(at(w, count), t.(reg.GPVirtual).As64())
	LEAQ(indexed(m.sp, t.(reg.GPVirtual).As64(), 8, 0), m.sp)
	MOVQ(at(m.base, treeUnits), m.base)

	Label("ready")
	m.reload()
	Label("pop")
	SUBQ(U8(8), m.sp)
	MOVQ(at(m.sp, 0), m.ref)
	CMPQ(m.ref, m.limit)
	JGT(LabelRef("pop"))
	Label("open")
	MOVL(m.ref.(reg.GPVirtual).As32(), m.place.(reg.GPVirtual).As32()) // clears what is above the reference
	SHLQ(U8(4), m.place)
	ADDQ(m.base, m.place)
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

	Label("end")
	w = walk()
	one := GP64()
	MOVQ(U32(1), one)
	MOVQ(one, at(w, count)) // only the bottom is left
	VZEROUPPER()
	no := GP8()
	XORB(no, no)
	Store(no, ReturnIndex(0))
	RET()
}

// limitFrom makes the bits of a T the key after which nothing matters.
func (m *machine) limitFrom() {
	SHLQ(U8(32), m.limit)
	DECQ(m.limit)
	ones := GP64()
	MOVQ(U64(1<<32), ones)
	ADDQ(ones, m.limit)
}

// reload reads what a leaf had no register for.
func (m *machine) reload() {
	w := walk()
	for i := range 3 {
		n, f := m.near[i].(reg.GPVirtual).As32(), m.far[i].(reg.GPVirtual).As32()
		MOVL(at(w, side+4*i), n)
		MOVL(n, f)
		XORL(U8(32), f)
		VBROADCASTSS(at(w, near+4*i), m.o[i])
		VBROADCASTSS(at(w, far+4*i), m.p[i])
		VBROADCASTSS(at(w, inverse+4*i), m.inv[i])
	}
	VPBROADCASTD(at(w, low), m.low)
	VPBROADCASTD(m.most, m.high)
}

// node looks at eight boxes, goes on with the nearest that the ray crosses, and puts the others on the stack.
func (m *machine) node() {
	from, to := YMM(), YMM()
	for i := range 3 {
		f, t := from, to
		if i > 0 {
			f, t = YMM(), YMM()
		}
		VSUBPS(indexed(m.place, m.near[i], 1, 0), m.o[i], f)
		VSUBPS(indexed(m.place, m.far[i], 1, 0), m.p[i], t)
		VMULPS(m.inv[i], f, f)
		VMULPS(m.inv[i], t, t)
		if i == 0 {
			VPMAXSD(m.low, f, f)
			VPMINSD(m.high, t, t)
		} else {
			VPMAXSD(f, from, from)
			VPMINSD(t, to, to)
		}
	}
	miss := YMM()
	VPCMPGTD(to, from, miss)
	mask, i := GP32(), GP64()
	VMOVMSKPS(miss, mask)
	XORL(U32(0xff), mask)
	JZ(LabelRef("pop"))
	i32 := i.As32()
	TZCNTL(mask, i32)
	BLSRL(mask, mask)
	JNZ(LabelRef("several"))
	MOVL(indexed(m.place, i, 4, child), m.ref.(reg.GPVirtual).As32())
	JMP(LabelRef("open"))

	Label("several")
	Comment("Keys: the bits of the T where the ray enters above the reference.")
	refs, lo, hi := YMM(), YMM(), YMM()
	VMOVDQU(at(m.place, child), refs)
	VPUNPCKLDQ(from, refs, lo)
	VPUNPCKHDQ(from, refs, hi)
	VMOVDQU(lo.AsX(), m.scratch)
	VMOVDQU(hi.AsX(), m.scratch.Offset(16))
	VEXTRACTI128(U8(1), lo, m.scratch.Offset(32))
	VEXTRACTI128(U8(1), hi, m.scratch.Offset(48))
	key := func(more string) reg.Register {
		k := GP64()
		MOVQ(m.scratch.Idx(i, 8), k)
		if more != "" {
			TZCNTL(mask, i32)
		}
		return k
	}
	// order makes a the lesser of two.
	order := func(a, b reg.Register) {
		t := GP64()
		MOVQ(a, t)
		CMPQ(a, b)
		CMOVQGT(b, a)
		CMOVQGT(t, b)
	}
	push := func(keys ...reg.Register) {
		for n, k := range keys {
			MOVQ(k, at(m.sp, 8*n))
			p := GP64()
			MOVL(k.(reg.GPVirtual).As32(), p.As32())
			SHLQ(U8(4), p)
			ADDQ(m.base, p)
			PREFETCHT0(at(p, 0))
			PREFETCHT0(at(p, 64))
			PREFETCHT0(at(p, 128))
			PREFETCHT0(at(p, 192))
		}
		ADDQ(U8(8*len(keys)), m.sp)
	}
	open := func(k reg.Register) {
		MOVQ(k, m.ref)
		JMP(LabelRef("open"))
	}
	a := key("b")
	b := key("")
	BLSRL(mask, mask)
	JNZ(LabelRef("three"))
	order(a, b)
	push(b)
	open(a)

	Label("three")
	TZCNTL(mask, i32)
	c := key("")
	BLSRL(mask, mask)
	JNZ(LabelRef("four"))
	order(b, c)
	order(a, b)
	order(b, c)
	push(c, b)
	open(a)

	Label("four")
	TZCNTL(mask, i32)
	d := key("")
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
	Comment("Five and more are rare: each is put in its place among those before.")
	bottom, p, q := GP64(), GP64(), GP64()
	MOVQ(m.sp, bottom)
	push(d, c, b, a)
	Label("insert")
	TZCNTL(mask, i32)
	k := key("")
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

// leaf looks for hits among up to eight triangles. Its arithmetic is that of walk.packed, walk.loose and walk.note, step by step.
func (m *machine) leaf(loose bool) {
	skew, lanes := packedSkew, packedLanes
	if loose {
		skew, lanes = looseSkew, looseLanes
	}
	l, w := m.place, walk()
	var axes [3]reg.Register
	for i := range axes {
		a := GP64()
		MOVL(at(w, axis+4*i), a.As32())
		axes[i] = a
	}
	// sheared turns coordinates, read from where get says, into the space of the ray.
	sheared := func(get func(i int) Mem) (x, y, z reg.VecVirtual) {
		x, y, z = YMM(), YMM(), YMM()
		o, s := YMM(), YMM()
		VMOVUPS(get(2), z)
		VBROADCASTSS(at(w, origin+8), o)
		VSUBPS(o, z, z)
		for i, v := range []reg.VecVirtual{x, y} {
			VMOVUPS(get(i), v)
			VBROADCASTSS(at(w, origin+4*i), o)
			VSUBPS(o, v, v)
			VBROADCASTSS(at(w, shear+4*i), s)
			VMULPS(z, s, s)
			VSUBPS(s, v, v)
		}
		return
	}
	var index [3]reg.VecVirtual // packed: the lanes of the corners
	var x, y, z [3]reg.VecVirtual
	if loose {
		for c := range 3 {
			x[c], y[c], z[c] = sheared(func(i int) Mem { return indexed(l, axes[i], 1, skew+96*c) })
		}
	} else {
		vx, vy, vz := sheared(func(i int) Mem { return indexed(l, axes[i], 1, skew) })
		for c := range 3 {
			index[c], x[c], y[c], z[c] = YMM(), YMM(), YMM(), vz
			VPMOVZXBD(at(l, skew+packedCorner+8*c), index[c])
			VPERMPS(vx, index[c], x[c])
			VPERMPS(vy, index[c], y[c])
		}
	}
	var e [3]reg.VecVirtual
	for i := range 3 {
		// The edge opposite corner i, from the third behind it to the second.
		j, k := (i+2)%3, (i+1)%3
		t := YMM()
		e[i] = YMM()
		VMULPS(y[k], x[j], e[i])
		VMULPS(x[k], y[j], t)
		VSUBPS(t, e[i], e[i])
	}
	det, t, none, zero := YMM(), YMM(), YMM(), YMM()
	VXORPS(zero, zero, zero)
	VMINPS(e[0], e[1], none)
	VMAXPS(e[0], e[1], t)
	VMINPS(e[2], none, none)
	VMAXPS(e[2], t, t)
	VCMPPS(less, zero, none, none) // some edge is passed on the one side
	VCMPPS(less, t, zero, t)       // and some on the other
	VANDPS(t, none, none)
	VADDPS(e[1], e[0], det)
	VADDPS(e[2], det, det)
	VCMPPS(equal, zero, det, t)
	VORPS(t, none, none)
	mask, some := GP32(), GP32()
	VMOVMSKPS(none, mask)
	NOTL(mask)
	MOVBLZX(at(l, skew+lanes), some)
	ANDL(some, mask)
	JZ(LabelRef("ready"))

	VCMPPS(less, det, zero, t)
	VMOVMSKPS(t, some)
	ANDL(at(w, turn), some)
	XORL(at(w, flip), some)
	ANDL(some, mask)
	JZ(LabelRef("ready"))

	Comment("Where the ray is in the triangle's own box.")
	from, to := YMM(), YMM()
	for i := range 3 {
		a, b, c := YMM(), YMM(), YMM()
		lo, hi := YMM(), YMM()
		if loose {
			VMOVUPS(at(l, skew+32*i), a)
			VMOVUPS(at(l, skew+96+32*i), b)
			VMOVUPS(at(l, skew+192+32*i), c)
		} else {
			VPERMPS(at(l, skew+32*i), index[0], a)
			VPERMPS(at(l, skew+32*i), index[1], b)
			VPERMPS(at(l, skew+32*i), index[2], c)
		}
		VMINPS(a, b, lo)
		VMAXPS(a, b, hi)
		VMINPS(c, lo, lo)
		VMAXPS(c, hi, hi)
		inv, n, f := YMM(), YMM(), YMM()
		VBROADCASTSS(at(w, inverse+4*i), inv)
		VBLENDVPS(inv, lo, hi, n)
		VBLENDVPS(inv, hi, lo, f)
		o := YMM()
		VBROADCASTSS(at(w, near+4*i), o)
		VSUBPS(n, o, n)
		VMULPS(inv, n, n)
		VBROADCASTSS(at(w, far+4*i), o)
		VSUBPS(f, o, f)
		VMULPS(inv, f, f)
		if i == 0 {
			VPMAXSD(zero, n, from)
			VMOVAPS(f, to)
		} else {
			VPMAXSD(n, from, from)
			VPMINSD(f, to, to)
		}
	}
	u := YMM()
	VPCMPGTD(to, from, t)
	VPBROADCASTD(at(w, low), u)
	VPCMPGTD(to, u, u)
	VPOR(u, t, t)
	VPBROADCASTD(m.most, u)
	VPCMPGTD(u, from, u)
	VPOR(u, t, t)
	VMOVMSKPS(t, some)
	NOTL(some)
	ANDL(some, mask)
	JZ(LabelRef("ready"))

	VMOVUPS(from, at(w, blockFrom))
	VMOVUPS(to, at(w, blockTo))
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

// cpu writes the questions to the processor.
func cpu() {
	TEXT("cpuid", 4, "func(leaf, sub uint32) (a, b, c, d uint32)")
	Doc("cpuid asks the processor.")
	Load(Param("leaf"), reg.EAX)
	Load(Param("sub"), reg.ECX)
	CPUID()
	Store(reg.EAX, Return("a"))
	Store(reg.EBX, Return("b"))
	Store(reg.ECX, Return("c"))
	Store(reg.EDX, Return("d"))
	RET()

	TEXT("xgetbv", 4, "func() (a, d uint32)")
	Doc("xgetbv tells which registers the system saves.")
	XORL(reg.ECX, reg.ECX)
	XGETBV()
	Store(reg.EAX, Return("a"))
	Store(reg.EDX, Return("d"))
	RET()
}

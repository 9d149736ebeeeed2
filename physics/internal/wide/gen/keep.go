package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twin of parting.set of package rigid, operation by operation. The rotations of the two
// bodies are in the halves of a vector, and then a lane is a contact point.

// Offsets in rigid.memory, rigid.frame and rigid.parting; a test in package rigid compares them
// with those of the compiler.
const (
	memoryPoints, memoryNormal, memoryQA = 24, 216, 228
	anchorArmA, anchorArmB, anchorSize   = 20, 32, 48
	frameAt, frameQ                      = 0, 12
	partingB, partingColumn, partingGap  = 36, 12, 76
)

const keptTurn = 1.0 / 32

func makeKeep() {
	halves := func(name string, lanes ...uint32) Mem {
		g := GLOBL(name, 8|16) // RODATA|NOPTR
		for i := range 8 {
			DATA(4*i, U32(lanes[i%len(lanes)]))
		}
		return g
	}
	all := func(name string, x float64) Mem { return halves(name, math.Float32bits(float32(x))) }
	const minus, plus = 1 << 31, 0
	negative, lastOfHalf := halves("negative", minus), halves("last", plus, plus, plus, math.MaxUint32)
	series := []Mem{
		all("arcsine7", 105.0/3456), all("arcsine5", 15.0/336), all("arcsine3", 3.0/40), all("arcsine1", 1.0/6), all("arcsine0", 1),
	}
	limit := all("keptTurn", keptTurn*keptTurn)
	signs := [3][2]Mem{
		{halves("signsX1", minus, plus, plus, plus), halves("signsX2", minus, plus, minus, plus)},
		{halves("signsY1", plus, minus, plus, plus), halves("signsY2", minus, minus, plus, plus)},
		{halves("signsZ1", plus, plus, minus, plus), halves("signsZ2", plus, minus, minus, plus)},
	}

	TEXT("partSIMD", NOSPLIT, "func(p, m, a, b *byte, reachSq, mostSq float32) uint32")
	Doc("partSIMD is parting.set.")
	Pragma("noescape")
	p, m := Load(Param("p"), GP64()), Load(Param("m"), GP64())
	a, b := Load(Param("a"), GP64()), Load(Param("b"), GP64())
	// op returns the result of an instruction of two operands.
	op := func(do func(...Op), y Op, x reg.VecVirtual) reg.VecVirtual {
		to := sameAs(x)
		do(y, x, to)
		return to
	}
	times := func(x reg.VecVirtual, y Op) reg.VecVirtual { return op(VMULPS, y, x) }
	plusOf := func(x reg.VecVirtual, y Op) reg.VecVirtual { return op(VADDPS, y, x) }
	less := func(x reg.VecVirtual, y Op) reg.VecVirtual { return op(VSUBPS, y, x) }
	// mixed returns the lanes of each half in another order.
	mixed := func(v reg.VecVirtual, x, y, z, w uint8) reg.VecVirtual {
		to := sameAs(v)
		VPERMILPS(U8(x|y<<2|z<<4|w<<6), v, to)
		return to
	}
	each := func(v reg.VecVirtual, i int) reg.VecVirtual { return mixed(v, uint8(i), uint8(i), uint8(i), uint8(i)) }
	// dot returns the dot product in all lanes of a half.
	dot := func(x, y reg.VecVirtual) reg.VecVirtual {
		t := times(x, y)
		return plusOf(plusOf(each(t, 0), each(t, 1)), each(t, 2))
	}
	fetch := func(from reg.Register, offset int) reg.VecVirtual {
		v := XMM()
		VMOVUPS(at(from, offset), v)
		return v
	}
	none := GP32()
	leaveIf := func(mask reg.VecVirtual) {
		VMOVMSKPS(mask, none)
		TESTL(none, none)
		JNZ(LabelRef("far"))
	}

	Comment("The turns of both since.")
	q, was := YMM(), YMM()
	VMOVUPS(at(a, frameQ), q.AsX())
	VINSERTF128(U8(1), at(b, frameQ), q, q)
	VMOVUPS(at(m, memoryQA), was)
	turn := plusOf(less(times(q, each(was, 3)), times(was, each(q, 3))),
		less(times(mixed(q, 2, 0, 1, 3), mixed(was, 1, 2, 0, 3)), times(mixed(q, 1, 2, 0, 3), mixed(was, 2, 0, 1, 3))))
	t := times(q, was)
	w := plusOf(plusOf(plusOf(each(t, 3), each(t, 0)), each(t, 1)), each(t, 2))
	isW := YMM()
	VMOVUPS(lastOfHalf, isW)
	VBLENDVPS(isW, w, turn, turn)

	Comment("The rotation vectors.")
	zero := YMM()
	VXORPS(zero, zero, zero)
	VCMPPS(U8(1), zero, w, w) // less
	VANDPS(negative, w, w)
	v := op(VXORPS, w, turn)
	s := dot(v, v)
	k := times(s, series[0])
	for _, c := range series[1:] {
		k = plusOf(k, c)
		if c != series[len(series)-1] {
			k = times(s, k)
		}
	}
	v = times(v, plusOf(k, k))
	far := dot(v, v)
	VCMPPS(U8(14), limit, far, far) // greater
	leaveIf(far)
	high := XMM()
	VEXTRACTF128(U8(1), v, high)
	high = less(high, v.AsX().(reg.VecVirtual))
	far = dot(high, high)
	square, most := XMM(), XMM()
	VBROADCASTSS(parameter("reachSq"), square)
	VBROADCASTSS(parameter("mostSq"), most)
	far = times(far, square)
	VCMPPS(U8(14), most, far, far)
	leaveIf(far)

	Comment("The columns by which they turn vectors.")
	twice := plusOf(turn, turn)
	const X, Y, Z, W = 0, 1, 2, 3
	products := [3][4][3]uint8{
		{{Y, X, X}, {Y, Y, Z}, {Z, W, W}, {Z, Z, Y}},
		{{X, X, Y}, {Y, X, Z}, {W, Z, W}, {Z, Z, X}},
		{{X, Y, X}, {Z, Z, X}, {W, W, Y}, {Y, X, Y}},
	}
	var by, parts [3]reg.VecVirtual // of a; of b less those of a
	for i, o := range products {
		get := func(v reg.VecVirtual, k int) reg.VecVirtual { return mixed(v, o[k][0], o[k][1], o[k][2], W) }
		one, two := times(get(turn, 0), get(twice, 1)), times(get(turn, 2), get(twice, 3))
		column := plusOf(op(VXORPS, signs[i][0], one), op(VXORPS, signs[i][1], two))
		by[i], parts[i] = column.AsX().(reg.VecVirtual), XMM()
		VEXTRACTF128(U8(1), column, parts[i])
	}
	for i := range by {
		VMOVUPS(by[i], at(p, partingColumn*i))
	}
	for i := range parts {
		VMOVUPS(parts[i], at(p, partingB+partingColumn*i))
		VSUBPS(by[i], parts[i], parts[i])
	}

	Comment("What all points have in common.")
	arm := less(fetch(m, memoryPoints+anchorArmB), fetch(m, memoryPoints+anchorArmA))
	shift := plusOf(plusOf(times(by[0], each(arm, 0)), times(by[1], each(arm, 1))), times(by[2], each(arm, 2)))
	apart := less(fetch(b, frameAt), fetch(a, frameAt))

	Comment("The points.")
	rows := func(offset int) (v [4]reg.VecVirtual) {
		for i := range v {
			v[i] = fetch(m, memoryPoints+anchorSize*i+offset)
		}
		return transposed(v)
	}
	first, rest := rows(anchorArmA), rows(anchorArmA+16)
	off, armB := first[:3], [3]reg.VecVirtual{first[3], rest[0], rest[1]}
	for i := range armB {
		VSUBPS(off[i], armB[i], off[i])
		VADDPS(each(apart, i), off[i], off[i])
	}
	var length, along reg.VecVirtual
	for i := range armB {
		turned := each(shift, i)
		for k := range parts {
			turned = plusOf(turned, times(armB[k], each(parts[k], i)))
		}
		VADDPS(turned, off[i], off[i])
		n := XMM()
		VBROADCASTSS(at(m, memoryNormal+4*i), n)
		VMULPS(n, off[i], n)
		VMULPS(off[i], off[i], off[i])
		if i > 0 {
			VADDPS(n, along, n)
			VADDPS(off[i], length, off[i])
		}
		along, length = n, off[i]
	}
	VBROADCASTSS(parameter("mostSq"), most)
	VADDPS(along, rest[2], along)
	VMOVUPS(along, at(p, partingGap))
	VCMPPS(U8(2), most, length, length) // at most
	VMOVMSKPS(length, none)
	VZEROUPPER()
	Store(none, ReturnIndex(0))
	RET()

	Label("far")
	XORL(none, none)
	VZEROUPPER()
	Store(none, ReturnIndex(0))
	RET()
	makeKeepFlat(all, series, limit, negative)
}

// sameAs returns a vector of the same size.
func sameAs(v reg.VecVirtual) reg.VecVirtual {
	if v.Size() == 32 {
		return YMM()
	}
	return XMM()
}

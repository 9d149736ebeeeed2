package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// constants are numbers in memory.
type constants struct {
	huge                             Mem // eight times the bits of the largest finite T
	magnitude, minusOne, slack, tiny Mem // four times
	billionth, sides, one            Mem
	rotation                         Mem // by the axis along which the ray goes fastest, 16 bytes each
}

func declare() (c constants) {
	global := func(name string, list ...uint32) Mem {
		g := GLOBL(name, 8|16) // RODATA|NOPTR
		for i, x := range list {
			DATA(4*i, U32(x))
		}
		return g
	}
	four := func(name string, x uint32) Mem { return global(name, x, x, x, x) }
	const t = 0x7f7fffff
	c.huge = global("huge", t, t, t, t, t, t, t, t)
	c.magnitude = four("magnitude", math.MaxInt32)
	c.minusOne = four("minusOne", math.Float32bits(-1))
	c.slack = four("slack", math.Float32bits(16.0/(1<<24)))
	c.tiny = four("tiny", math.Float32bits(0x1p-126))
	c.billionth = four("billionth", math.Float32bits(1e-9))
	c.sides = global("sides", 0, 2, 4, 0)
	c.one = four("one", 1)
	c.rotation = global("rotation", 1, 2, 0, 0, 2, 0, 1, 0, 0, 1, 2, 0)
	return c
}

// What Ray.prepare in package wide leaves to the general walk.
var (
	far38    = U32(math.Float32bits(1e38))
	infinite = U32(0x7f800000)
	least39  = U32(math.Float32bits(4e-39))
)

// prepare is Ray.prepare of package wide, step by step, but for the range of T and for turn and flip, which the caller sets as for
// a ray that runs along its axis upward. Of the four lanes the last means nothing.
func (m *machine) prepare() {
	w, r := m.walk(), Load(Param("r"), GP64())
	// Number by number: the caller may have written them so just before, and a load of all would wait for the cache.
	vector := func(offset int) reg.VecVirtual {
		v := XMM()
		VMOVSS(at(r, offset), v)
		VINSERTPS(U8(0x10), at(r, offset+4), v, v)
		VINSERTPS(U8(0x20), at(r, offset+8), v, v)
		return v
	}
	o, d := vector(rayOrigin), vector(rayDir)
	// most is the greatest of the first three lanes, in all of them.
	most := func(v reg.VecVirtual) reg.VecVirtual {
		a, b := XMM(), XMM()
		VPSHUFD(U8(0xc9), v, a)
		VPSHUFD(U8(0xd2), v, b)
		VPMAXSD(v, a, a)
		VPMAXSD(b, a, a)
		return a
	}
	size, reach, t := XMM(), XMM(), XMM()
	VPAND(m.magnitude, d, size)
	longest := most(size)
	VPAND(m.magnitude, o, t)
	away := most(t)
	tree64 := GP64()
	MOVQ(at(w, tree), tree64)
	VSUBPS(at(tree64, treeCenter), o, reach)
	VPAND(m.magnitude, reach, reach)
	VADDPS(at(tree64, treeHalf), reach, reach)
	reach = most(reach)
	least := XMM()
	VMULPS(m.billionth, longest, least)
	odd, n := "odd", GP32()
	VMOVD(longest, n)
	CMPL(n, infinite)
	JGE(LabelRef(odd))
	VMOVD(least, n)
	CMPL(n, least39)
	JLT(LabelRef(odd))
	VPMAXSD(away, reach, away)
	VMOVD(away, n)
	CMPL(n, far38)
	JLT(LabelRef("even"))
	Label(odd)
	Comment("Not valid, or for the general walk.")
	MOVB(U8(1), at(w, overflows))
	if m.kind == anyHit {
		no := GP8()
		XORB(no, no)
		Store(no, ReturnIndex(0))
	}
	RET()
	Label("even")

	pad, above, below, sign := XMM(), XMM(), XMM(), XMM()
	VMULPS(m.slack, reach, pad)
	VPMAXSD(m.tiny, pad, pad)
	VADDPS(pad, o, above)
	VSUBPS(pad, o, below)
	VPSRAD(U8(31), above, sign)
	VPOR(m.one, sign, sign)
	VPADDD(sign, above, above)
	VPSRAD(U8(31), below, sign)
	VPOR(m.one, sign, sign)
	VPSUBD(sign, below, below)
	zero, nearO, farO := XMM(), XMM(), XMM()
	VXORPS(zero, zero, zero)
	VBLENDVPS(d, below, above, nearO)
	VBLENDVPS(d, above, below, farO)
	VADDPS(zero, nearO, nearO)
	VADDPS(zero, farO, farO)
	// Each store ends in what the next one writes.
	VMOVUPS(nearO, at(w, near))
	VMOVUPS(farO, at(w, far))
	inv := XMM()
	VPANDN(d, m.load(m.magnitude), t)
	VPMAXSD(least, size, inv)
	VPOR(t, inv, inv)
	VMOVUPS(m.minusOne, t)
	VDIVPS(inv, t, inv)
	VMOVUPS(inv, at(w, inverse))
	VPSRLD(U8(31), d, sign)
	VPOR(m.sides, sign, sign)
	VPSLLD(U8(5), sign, sign)
	VMOVUPS(sign, at(w, side))

	Comment("The axis along which the ray goes fastest comes last; the first of equals.")
	k := GP32()
	VPCMPEQD(longest, size, t)
	VMOVMSKPS(t, k)
	TZCNTL(k, k)
	SHLL(U8(4), k)
	table, places := GP64(), XMM()
	LEAQ(m.rotation, table)
	VMOVUPS(Mem{Base: table, Index: k.As64(), Scale: 1}, t)
	VPSLLD(U8(5), t, places)
	VMOVUPS(places, at(w, axis))
	VPERMILPS(t, o, o)
	VMOVUPS(o, at(w, origin))
	VPERMILPS(t, d, d)
	VPERMILPS(U8(0xaa), d, t)
	VDIVPS(t, d, d)
	VMOVLPS(d, at(w, shear))
	VMOVSS(t, at(w, dz))
	VMOVD(t, n)
	SARL(U8(31), n)
	ANDL(at(w, turn), n)
	XORL(n, at(w, flip))
}

func (m *machine) load(from Mem) reg.VecVirtual {
	v := XMM()
	VMOVUPS(from, v)
	return v
}

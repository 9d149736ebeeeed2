package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// constants are the constants in memory.
type constants struct {
	magnitude, minusOne, slack, tiny Mem // four lanes each
	billionth, sides, one            Mem
	signBit, wideOne                 Mem // float64
	smallest, largest                Mem // float64: squared lengths of normals normalised here
	lane, inLane, noLane             Mem // of keys of streams: the lanes, their bits, the others
	slots                            Mem // of nodes by a mask of them, a byte each, the lowest last
	rotation                         Mem // by the largest component of Dir, 16 bytes each
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
	c.magnitude = four("magnitude", math.MaxInt32)
	c.minusOne = four("minusOne", math.Float32bits(-1))
	c.slack = four("slack", math.Float32bits(16.0/(1<<24)))
	c.tiny = four("tiny", math.Float32bits(0x1p-126))
	c.billionth = four("billionth", math.Float32bits(1e-9))
	c.sides = global("sides", 0, 2, 4, 0)
	c.one = four("one", 1)
	double := func(name string, x uint64) Mem { return global(name, uint32(x), uint32(x>>32), 0, 0) }
	c.signBit = double("signBit", 1<<63)
	c.wideOne = double("wideOne", math.Float64bits(1))
	c.smallest = double("smallest", math.Float64bits(1e-200))
	c.largest = double("largest", math.Float64bits(1e200))
	c.rotation = global("rotation", 1, 2, 0, 0, 2, 0, 1, 0, 0, 1, 2, 0)
	return c
}

// The limits beyond which Ray.prepare in package wide sets all.
var (
	far38    = U32(math.Float32bits(1e38))
	infinite = U32(0x7f800000)
	least39  = U32(math.Float32bits(4e-39))
)

// prepare is Ray.prepare of package wide, operation by operation, except for the range of T and for
// turn and flip, which the caller sets as for a ray that goes upward along its axis. The last of
// the four lanes is unused. It jumps to a label for a ray that it cannot prepare.
func (m *machine) prepare(odd string) {
	r := m.own("r")
	o, d := loadThree(r, rayOrigin), loadThree(r, rayDir)
	size, reach, t := XMM(), XMM(), XMM()
	VPAND(m.k.magnitude, d, size)
	longest := most(size)
	VPAND(m.k.magnitude, o, t)
	away := most(t)
	t64 := m.tree()
	VSUBPS(at(t64, treeCenter), o, reach)
	VPAND(m.k.magnitude, reach, reach)
	VADDPS(at(t64, treeHalf), reach, reach)
	reach = most(reach)
	least := XMM()
	VMULPS(m.k.billionth, longest, least)
	n := GP32()
	VMOVD(longest, n)
	CMPL(n, infinite)
	JGE(LabelRef(odd))
	VMOVD(least, n)
	CMPL(n, least39)
	JLT(LabelRef(odd))
	VPMAXSD(away, reach, away)
	VMOVD(away, n)
	CMPL(n, far38)
	JGE(LabelRef(odd))

	pad, above, below, sign := XMM(), XMM(), XMM(), XMM()
	VMULPS(m.k.slack, reach, pad)
	VPMAXSD(m.k.tiny, pad, pad)
	VADDPS(pad, o, above)
	VSUBPS(o, pad, below)
	VPSRAD(U8(31), above, sign)
	VPOR(m.k.one, sign, sign)
	VPADDD(sign, above, above)
	VPSRAD(U8(31), below, sign)
	VPOR(m.k.one, sign, sign)
	VPADDD(sign, below, below)
	zero, nearO, farO := XMM(), XMM(), XMM()
	VXORPS(zero, zero, zero)
	VSUBPS(below, zero, below)
	VBLENDVPS(d, below, above, nearO)
	VBLENDVPS(d, above, below, farO)
	VADDPS(zero, nearO, nearO)
	VADDPS(zero, farO, farO)
	// Each store overlaps the place of the next.
	VMOVUPS(nearO, m.state(near))
	VMOVUPS(farO, m.state(far))
	inv := XMM()
	VPANDN(d, load(m.k.magnitude), t)
	VPMAXSD(least, size, inv)
	VPOR(t, inv, inv)
	VMOVUPS(m.k.minusOne, t)
	VDIVPS(inv, t, inv)
	VMOVUPS(inv, m.state(inverse))
	VPSRLD(U8(31), d, sign)
	VPOR(m.k.sides, sign, sign)
	VPSLLD(U8(5), sign, sign)
	VMOVUPS(sign, m.state(side))

	Comment("The axes rotated, so that the fastest one comes last; the first of equals.")
	k := GP32()
	VPCMPEQD(longest, size, t)
	VMOVMSKPS(t, k)
	TZCNTL(k, k)
	SHLL(U8(4), k)
	table, places := GP64(), XMM()
	LEAQ(m.k.rotation, table)
	VMOVUPS(Mem{Base: table, Index: k.As64(), Scale: 1}, t)
	VPSLLD(U8(5), t, places)
	VMOVUPS(places, m.state(axis))
	if m.kind != next {
		VMOVUPS(o, m.rayOrigin)
		VMOVUPS(d, m.rayDir)
	}
	VPERMILPS(t, o, o)
	VMOVUPS(o, m.state(origin))
	VPERMILPS(t, d, d)
	VPERMILPS(U8(0xaa), d, t)
	if m.kind != next {
		wide, last := YMM(), YMM()
		VCVTPS2PD(o, wide)
		VMOVUPD(wide, m.wideOrigin)
		VCVTPS2PD(d, wide)
		VCVTPS2PD(t, last)
		VMOVSD(last.AsX(), m.wideDZ)
		VDIVPD(last, wide, wide)
		VMOVUPD(wide, m.wideShear)
	}
	VDIVPS(t, d, d)
	VMOVLPS(d, m.state(shear))
	VMOVSS(t, m.state(dz))
	VMOVD(t, n)
	SARL(U8(31), n)
	ANDL(m.state(turn), n)
	XORL(n, m.state(flip))
}

// loadThree loads three numbers, element by element: the caller may have written them just before,
// and one load of all would stall on store forwarding.
func loadThree(p reg.Register, offset int) reg.VecVirtual {
	v := XMM()
	VMOVSS(at(p, offset), v)
	VINSERTPS(U8(0x10), at(p, offset+4), v, v)
	VINSERTPS(U8(0x20), at(p, offset+8), v, v)
	return v
}

// most returns the greatest of the first three lanes, as integers, in all of them.
func most(v reg.VecVirtual) reg.VecVirtual {
	a, b := XMM(), XMM()
	VPSHUFD(U8(0xc9), v, a)
	VPSHUFD(U8(0xd2), v, b)
	VPMAXSD(v, a, a)
	VPMAXSD(b, a, a)
	return a
}

func load(from Mem) reg.VecVirtual {
	v := XMM()
	VMOVUPS(from, v)
	return v
}

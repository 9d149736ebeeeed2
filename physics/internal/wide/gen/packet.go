package main

import (
	"math"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Packets: up to eight coherent rays traverse a tree together, one in each lane. Each box and each
// triangle is tested with the arithmetic of Ray.interval, Ray.packed, Ray.meet and Ray.within, so
// that each ray finds the bits it finds alone.
//
// The packet visits the boxes that a conservative ray crosses, which has of each number the extreme
// one of the eight: as subtraction and multiplication are monotone under rounding, its interval in
// a box holds those of all eight. Where it crosses two or more boxes, those that no ray crosses are
// dropped.

// Slots in the stack frame of a packet, each of eight numbers.
const (
	slotNear, slotFar, slotInverse = 0, 3, 6
	slotLow, slotHigh              = 9, 10
	slotOrigin, slotShear, slotDZ  = 11, 14, 16 // the axes rotated

	// The conservative ray; its near sides have another inverse than the far ones.
	slotBoundNear, slotBoundFar               = 17, 20
	slotBoundInverseNear, slotBoundInverseFar = 23, 26
	slotBoundLow, slotBoundHigh               = 29, 30

	// The best hits: place, leaf and lane, edge functions and determinant.
	slotPlace, slotRef, slotLane    = 31, 32, 33
	slotEdgeB, slotEdgeC, slotDet   = 34, 35, 36
	slotWide                        = 37 // the shear in float64: two slots for each of two axes
	slotFrom, slotTo                = 41, 42
	slotNewB, slotNewC, slotNewDet  = 43, 44, 45
	slotT                           = 46
	slotBox                         = 47 // of a triangle: near and, 16 bytes later, far side
	slotO, slotD                    = 48, 51
	slotVertex                      = 54     // x and y of up to eight corners
	slotSide, slotAxis              = 70, 71 // offsets in a node and a leaf, as in wide.Ray
	slotSign                        = 72     // of the directions
	slotFlip, slotBudget, slotCount = 73, 74, 75
	slotLimit, slotLanes, slotLeaf  = 76, 77, 78 // the current leaf, and which rays are in it
	slotMode, slotFirst             = 79, 80
	slotFewB, slotFewC, slotFewDet  = 81, 82, 83 // by triangle
	slotBottom                      = 84         // of the stack, before the children just found
	slots                           = 85
)

const (
	slot = 32
	// leastPacket is the smallest number of rays in a packet; fewer are faster alone.
	leastPacket = 4
	// fewRays is the largest number of rays in a leaf for which each ray tests all triangles at
	// once, rather than each triangle all rays.
	fewRays = 3

	// budget is the number of boxes tested in excess of the rays in them after which a packet is
	// given up: rays so far apart are faster alone.
	budget = 64

	// mostLeaves is the largest cross-section of a packet, in leaves. Rays of a wider one are
	// faster alone.
	mostLeaves = 48
)

// The marks of rays that are still to be cast: as the triangle of a hit, or in place of a bool.
const (
	pending    = -2
	pendingAny = 2
)

// The flags of a packet's result, beside the number of rays.
const (
	alone  = 0x100 // the rays are not coherent, and must be cast one by one
	gaveUp = 0x200 // the same, found out during the traversal
)

type packet struct {
	kind kind
	k    packetConstants

	st, sp, base reg.GPVirtual
	near, far    [3]reg.GPVirtual
	o, p, inv    [3]reg.VecVirtual
	low, high    reg.VecVirtual
	ref, place   reg.GPVirtual
}

type packetConstants struct {
	constants
	maxFloat, bits, signs, none, leaves Mem
}

func declarePackets() (c packetConstants) {
	c.constants = declare()
	global := func(name string, list ...uint32) Mem {
		g := GLOBL(name, 8|16) // RODATA|NOPTR
		for i, x := range list {
			DATA(4*i, U32(x))
		}
		return g
	}
	c.maxFloat = global("maxFloat", math.Float32bits(math.MaxFloat32))
	c.bits = global("bits", 1, 2, 4, 8, 16, 32, 64, 128)
	c.signs = global("signs", 1<<31)
	c.none = global("none", 0x7fffffff)
	c.leaves = global("leaves", math.Float32bits(mostLeaves))
	c.lane = global("lane", 0, 1, 2, 3, 4, 5, 6, 7)
	c.inLane = global("inLane", slices.Repeat([]uint32{width - 1}, width)...)
	c.noLane = global("noLane", slices.Repeat([]uint32{math.MaxUint32 - (width - 1)}, width)...)
	c.slots = GLOBL("slots", 8|16)
	for mask := range 256 {
		var slots uint64
		for slot := range uint64(8) {
			if mask>>slot&1 == 1 {
				slots = slots<<8 | slot
			}
		}
		DATA(8*mask, U64(slots))
	}
	return c
}

func (p *packet) slot(n int) Mem { return at(p.st, slot*n) }

// word is the number of a lane in a slot.
func (p *packet) word(n int, lane reg.Register) Mem { return indexed(p.st, lane, 4, slot*n) }

func spread(m Mem) reg.VecVirtual {
	v := YMM()
	VBROADCASTSS(m, v)
	return v
}

func (p *packet) load(n int) reg.VecVirtual {
	v := YMM()
	VMOVUPS(p.slot(n), v)
	return v
}

func packetRoutine(k kind, c packetConstants) {
	p := &packet{kind: k, k: c}
	if k == closest {
		TEXT("closestPacketSIMD", 0, "func(t, r, hits *byte, n int, turn, flip uint32, leaf float32) uint32")
		Doc("closestPacketSIMD finds the first hits of up to eight rays.")
	} else {
		TEXT("anyPacketSIMD", 0, "func(t, r, hits *byte, n int, turn, flip uint32, leaf float32) uint32")
		Doc("anyPacketSIMD reports for up to eight rays whether they hit anything.")
	}
	Pragma("noescape")
	frame := AllocLocal(slots*slot + 64 + 8*smallStack)
	p.st = GP64()
	LEAQ(frame.Offset(63), p.st)
	ANDQ(I8(-64), p.st)
	p.prepare()
	p.walk()
	p.leaves()
	Label("end")
	if k == closest {
		p.fill()
	} else {
		p.report()
	}

	Label("unsupported")
	code := GP32()
	MOVL(p.slot(slotCount), code)
	ORL(U32(gaveUp), code)
	result(code)
}

// prepare is Ray.prepare of package wide for eight rays at once.
func (p *packet) prepare() {
	n := GP64()
	Load(Param("n"), n)
	Label("again")
	rays := Load(Param("r"), GP64())
	last := GP64()
	LEAQ(indexed(n, n, 1, -2), last) // twice the index of the last
	SHLQ(U8(4), last)
	Comment("Lanes beyond the last ray repeat it.")
	places := make([]reg.GPVirtual, 8)
	for i := range places {
		places[i] = GP64()
		if i == 0 {
			MOVQ(rays, places[i])
			continue
		}
		MOVQ(U32(32*i), places[i])
		CMPQ(places[i], last)
		CMOVQGT(last, places[i])
		ADDQ(rays, places[i])
	}
	columns := func(offset int) (c [4]reg.VecVirtual) {
		var v [4]reg.VecVirtual
		for i := range v {
			v[i] = YMM()
			VBROADCASTF128(at(places[i], offset), v[i])
			VINSERTF128(U8(1), at(places[i+4], offset), v[i], v[i])
		}
		return transposed(v)
	}
	a := columns(0)
	b := columns(16)
	o := [3]reg.VecVirtual{a[0], a[1], a[2]}
	d := [3]reg.VecVirtual{a[3], b[0], b[1]}
	least, most := b[2], b[3]
	for i := range 3 {
		VMOVUPS(o[i], p.slot(slotO+i))
		VMOVUPS(d[i], p.slot(slotD+i))
	}
	diff, one, t := GP32(), GP32(), GP32()
	XORL(diff, diff)
	differ := func(m reg.GPVirtual) {
		MOVL(m, t)
		ANDL(U8(1), t)
		NEGL(t)
		XORL(m, t)
		ORL(t, diff)
	}
	Comment("The range of T.")
	zero, maxFloat, v, w := YMM(), spread(p.k.maxFloat), YMM(), YMM()
	VXORPS(zero, zero, zero)
	VCMPPS(equal, zero, most, v)
	VCMPPS(less, most, maxFloat, w)
	VORPS(w, v, v)
	VBLENDVPS(v, maxFloat, most, most)
	VMAXPS(least, zero, least)
	VADDPS(zero, least, least)
	valid := YMM()
	VCMPPS(lessEqual, most, least, valid)
	VMOVUPS(least, p.slot(slotLow))
	VMOVUPS(most, p.slot(slotHigh))

	Comment("Directions: the signs, and the axis along which a ray goes fastest.")
	var signs [3]reg.GPVirtual
	for i := range 3 {
		signs[i] = GP32()
		VMOVMSKPS(d[i], signs[i])
		differ(signs[i])
	}
	magnitude := spread(p.k.magnitude)
	var size [3]reg.VecVirtual
	longest := YMM()
	for i := range 3 {
		size[i] = YMM()
		VANDPS(magnitude, d[i], size[i])
	}
	VPMAXSD(size[0], size[1], longest)
	VPMAXSD(size[2], longest, longest)
	x, y := GP32(), GP32()
	VPCMPEQD(longest, size[0], v)
	VMOVMSKPS(v, x)
	VPCMPEQD(longest, size[1], v)
	VMOVMSKPS(v, y)
	differ(x)
	ANDNL(y, x, y)
	differ(y)

	Comment("Rays with numbers near the limits of float32 go alone.")
	nearest := YMM() // the least magnitude of a direction
	VMULPS(spread(p.k.billionth), longest, nearest)
	reach, away := YMM(), YMM()
	tree := Load(Param("t"), GP64())
	for i := range 3 {
		r := reach
		if i > 0 {
			r = YMM()
		}
		VSUBPS(spread(at(tree, treeCenter+4*i)), o[i], r)
		VANDPS(magnitude, r, r)
		VADDPS(spread(at(tree, treeHalf+4*i)), r, r)
		VANDPS(magnitude, o[i], v)
		if i == 0 {
			VMOVAPS(v, away)
		} else {
			VPMAXSD(r, reach, reach)
			VPMAXSD(v, away, away)
		}
	}
	VPMAXSD(reach, away, away)
	constant := func(bits uint32) reg.VecVirtual {
		c, v := GP32(), YMM()
		MOVL(U32(bits), c)
		VMOVD(c, v.AsX())
		VPBROADCASTD(v.AsX(), v)
		return v
	}
	VPCMPGTD(longest, constant(uint32(infinite)), v)
	VANDPS(v, valid, valid)
	VPCMPGTD(away, constant(uint32(far38)), v)
	VANDPS(v, valid, valid)
	VPCMPGTD(nearest, constant(uint32(least39)), v)
	VANDNPS(valid, v, valid)
	VMOVMSKPS(valid, one)
	XORL(U32(0xff), one)
	ORL(one, diff)
	BTSL(U8(8), diff)
	TZCNTL(diff, t)
	CMPL(t, n.As32())
	JGE(LabelRef("together"))
	CMPL(t, U8(leastPacket))
	JGE(LabelRef("fewer"))
	Comment("Too few. The first goes alone.")
	MOVL(U32(1), one)
	CMPL(t, one)
	CMOVLLT(one, t)
	ORL(U32(alone), t)
	result(t)
	Label("fewer")
	MOVL(t, n.As32())
	JMP(LabelRef("again"))

	Label("together")
	MOVL(n.As32(), p.slot(slotCount))
	Comment("The sides of boxes.")
	pad := YMM()
	VMULPS(spread(p.k.slack), reach, pad)
	VPMAXSD(spread(p.k.tiny), pad, pad)
	ones, signBit, minusOne := spread(p.k.one), spread(p.k.signs), spread(p.k.minusOne)
	for i := range 3 {
		d, o := p.load(slotD+i), p.load(slotO+i)
		above, below := YMM(), YMM()
		VADDPS(pad, o, above)
		VSUBPS(o, pad, below)
		VPSRAD(U8(31), above, v)
		VPOR(ones, v, v)
		VPADDD(v, above, above)
		VPSRAD(U8(31), below, v)
		VPOR(ones, v, v)
		VPADDD(v, below, below)
		VSUBPS(below, zero, below)
		nearO, farO, inv := YMM(), YMM(), YMM()
		VBLENDVPS(d, below, above, nearO)
		VBLENDVPS(d, above, below, farO)
		VADDPS(zero, nearO, nearO)
		VADDPS(zero, farO, farO)
		VANDPS(signBit, d, w)
		VANDNPS(d, signBit, inv)
		VPMAXSD(nearest, inv, inv)
		VORPS(w, inv, inv)
		VDIVPS(inv, minusOne, inv)
		VMOVUPS(nearO, p.slot(slotNear+i))
		VMOVUPS(farO, p.slot(slotFar+i))
		VMOVUPS(inv, p.slot(slotInverse+i))
		Comment("The conservative ray: relative to the sign, the greatest near origin and the least far one.")
		VXORPS(w, nearO, nearO)
		across(nearO, VMAXPS)
		VXORPS(w, nearO, nearO)
		VMOVUPS(nearO, p.slot(slotBoundNear+i))
		VXORPS(w, farO, farO)
		across(farO, VMINPS)
		VXORPS(w, farO, farO)
		VMOVUPS(farO, p.slot(slotBoundFar+i))
		VXORPS(signBit, w, w)
		VANDNPS(inv, signBit, inv)
		VMOVAPS(inv, v)
		across(v, VPMINSD)
		VORPS(w, v, v)
		VMOVUPS(v, p.slot(slotBoundInverseNear+i))
		across(inv, VPMAXSD)
		VORPS(w, inv, inv)
		VMOVUPS(inv, p.slot(slotBoundInverseFar+i))
	}
	lowest, highest := p.load(slotLow), p.load(slotHigh)
	across(lowest, VPMINSD)
	VMOVUPS(lowest, p.slot(slotBoundLow))
	across(highest, VPMAXSD)
	p.setLimit(highest)

	Comment("The offsets of the near sides in a node, and the signs of the directions.")
	for i := range 3 {
		s := signs[i]
		ANDL(U8(1), s)
		MOVL(s, t)
		ADDL(U8(2*i), t)
		SHLL(U8(5), t)
		MOVL(t, p.slot(slotSide).Offset(4*i))
		SHLL(U8(31), s)
		MOVL(s, p.slot(slotSign).Offset(4*i))
	}
	Comment("The axes rotated, so that the fastest one comes last.")
	k := GP32()
	ANDL(U8(1), x)
	ANDL(U8(1), y)
	MOVL(U32(2), k) // 0 if x, 1 if y, or else 2
	SUBL(y, k)
	SUBL(x, k)
	SUBL(x, k)
	SHLL(U8(4), k)
	table, order := GP64(), XMM()
	LEAQ(p.k.rotation, table)
	VMOVUPS(Mem{Base: table, Index: k.As64(), Scale: 1}, order)
	VPSLLD(U8(5), order, order)
	VMOVUPS(order, p.slot(slotAxis))
	dz := YMM()
	axis := GP64()
	MOVL(p.slot(slotAxis).Offset(8), axis.As32())
	VMOVUPS(indexed(p.st, axis, 1, slot*slotD), dz)
	VMOVUPS(dz, p.slot(slotDZ))
	VMOVUPS(indexed(p.st, axis, 1, slot*slotO), v)
	VMOVUPS(v, p.slot(slotOrigin+2))
	var wideDZ [2]reg.VecVirtual
	for h := range 2 {
		wideDZ[h] = YMM()
		VCVTPS2PD(p.slot(slotDZ).Offset(16*h), wideDZ[h])
	}
	for i := range 2 {
		MOVL(p.slot(slotAxis).Offset(4*i), axis.As32())
		VMOVUPS(indexed(p.st, axis, 1, slot*slotO), v)
		VMOVUPS(v, p.slot(slotOrigin+i))
		VMOVUPS(indexed(p.st, axis, 1, slot*slotD), v)
		VDIVPS(dz, v, v)
		VMOVUPS(v, p.slot(slotShear+i))
		for h := range 2 {
			VCVTPS2PD(indexed(p.st, axis, 1, slot*slotD+16*h), v)
			VDIVPD(wideDZ[h], v, v)
			VMOVUPD(v, p.slot(slotWide+2*i+h))
		}
	}
	p.narrow()
	flip := GP32()
	dz = p.load(slotDZ)
	VMOVD(dz.AsX(), t)
	SARL(U8(31), t)
	ANDL(parameter("turn"), t)
	MOVL(parameter("flip"), flip)
	XORL(t, flip)
	MOVL(flip, p.slot(slotFlip))
	MOVL(U32(budget), p.slot(slotBudget))
	if p.kind == closest {
		VMOVUPS(spread(p.k.none), v)
		VMOVUPS(v, p.slot(slotPlace))
	}
}

var lessEqual = U8(2)

// narrow leaves the rays alone if the packet is too wide: the distances between the rays, at their
// start and where they leave the bounds, determine how many leaves the conservative ray crosses.
func (p *packet) narrow() {
	tree, axis := Load(Param("t"), GP64()), GP64()
	MOVL(p.slot(slotAxis).Offset(8), axis.As32())
	SHRL(U8(3), axis.As32())
	exit, away, size := spread(indexed(tree, axis, 1, treeCenter)), spread(indexed(tree, axis, 1, treeHalf)), XMM()
	sign := YMM()
	VANDPS(p.load(slotDZ), spread(p.k.signs), sign)
	VORPS(sign, away, away)
	VADDPS(away, exit, exit)
	VSUBPS(p.slot(slotOrigin+2), exit, exit)
	for i := range 2 {
		o, e, lo, hi := p.load(slotOrigin+i), YMM(), YMM(), YMM()
		VMULPS(p.slot(slotShear+i), exit, e)
		VADDPS(o, e, e)
		extent := func(v reg.VecVirtual) reg.VecVirtual {
			lo, hi = YMM(), YMM()
			VMOVAPS(v, lo)
			VMOVAPS(v, hi)
			across(lo, VMINPS)
			across(hi, VMAXPS)
			VSUBPS(lo, hi, hi)
			return hi
		}
		a, b := extent(o), extent(e)
		VMAXPS(a, b, b)
		VADDSS(parameter("leaf"), b.AsX(), b.AsX())
		if i == 0 {
			VMOVAPS(b.AsX(), size)
		} else {
			VMULSS(b.AsX(), size, size)
		}
	}
	most, code := XMM(), GP32()
	VMOVSS(parameter("leaf"), most)
	VMULSS(most, most, most)
	VMULSS(p.k.leaves, most, most)
	VUCOMISS(most, size)
	JBE(LabelRef("narrow"))
	MOVL(p.slot(slotCount), code)
	ORL(U32(alone), code)
	result(code)
	Label("narrow")
}

// across reduces all lanes by an operation, and leaves the result in all of them.
func across(v reg.VecVirtual, op func(...Op)) {
	t := YMM()
	VPERM2F128(U8(1), v, v, t)
	op(t, v, v)
	VPERMILPS(U8(0x4e), v, t)
	op(t, v, v)
	VPERMILPS(U8(0xb1), v, t)
	op(t, v, v)
}

// transposed transposes rows of four, in each half.
func transposed(v [4]reg.VecVirtual) (c [4]reg.VecVirtual) {
	t := [4]reg.VecVirtual{sameAs(v[0]), sameAs(v[0]), sameAs(v[0]), sameAs(v[0])}
	VUNPCKLPS(v[1], v[0], t[0])
	VUNPCKHPS(v[1], v[0], t[1])
	VUNPCKLPS(v[3], v[2], t[2])
	VUNPCKHPS(v[3], v[2], t[3])
	for i := range c {
		c[i] = sameAs(v[0])
	}
	VUNPCKLPD(t[2], t[0], c[0])
	VUNPCKHPD(t[2], t[0], c[1])
	VUNPCKLPD(t[3], t[1], c[2])
	VUNPCKHPD(t[3], t[1], c[3])
	return c
}

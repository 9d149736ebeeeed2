package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twin of sweep.near in package wide, a triangle a lane.

// Offsets in wide.sweep; a test in package wide compares them with those of the compiler.
const (
	sweepMap, sweepOrigin, sweepLead = 0, 36, 48
	sweepRadius, sweepOff            = 60, 64
	sweepCounts, sweepHalf           = 68, 80
	sweepAxes, sweepAxis             = 116, 16
	sweepPoints, sweepPoint          = sweepAxes + 12*sweepAxis, 12
)

func makeSweep() {
	constant := func(name string, bits uint32) Mem {
		g := GLOBL("sweep"+name, RODATA|NOPTR)
		for i := range 8 {
			DATA(4*i, U32(bits))
		}
		return g
	}
	noSign, sign := constant("NoSign", 1<<31-1), constant("Sign", 1<<31)
	none, one, infinite := constant("None", 0), constant("One", 0x3f800000), constant("Infinite", 0x7f800000)
	minusOne := constant("MinusOne", 0xbf800000)
	least := constant("Least", 0x03aa2425) // 1e-36

	TEXT("nearSIMD", NOSPLIT, "func(l, s *byte, mask uint32) uint32")
	Doc("nearSIMD is sweep.near.")
	Pragma("noescape")
	frame := AllocLocal(12 * 32) // the corners from the center, and a point of the body
	l, s := Load(Param("l"), GP64()), Load(Param("s"), GP64())
	corner := func(c int) Mem { return frame.Offset(96 * c) }
	spread := func(m Mem) reg.VecVirtual {
		v := YMM()
		VBROADCASTSS(m, v)
		return v
	}
	spread3 := func(m Mem) (v vec) {
		for i := range v {
			v[i] = spread(m.Offset(4 * i))
		}
		return v
	}
	left, place, near := GP32(), GP64(), GP32()
	Load(Param("mask"), near)

	Comment("The corners.")
	for axis := range 3 {
		row, from := [3]reg.VecVirtual{}, spread(at(s, sweepOrigin+4*axis))
		for i := range row {
			row[i] = spread(at(s, sweepMap+12*i+4*axis))
		}
		for c := range 3 {
			sum, t := YMM(), YMM()
			VMULPS(at(l, 96*c), row[0], sum)
			for i := 1; i < 3; i++ {
				VMULPS(at(l, 96*c+32*i), row[i], t)
				VADDPS(t, sum, sum)
			}
			VADDPS(from, sum, sum)
			VMOVUPS(sum, corner(c).Offset(32*axis))
		}
	}
	along := func(v vec) reg.VecVirtual {
		d := dot(v, corner(0))
		for c := 1; c < 3; c++ {
			VMINPS(d, dot(v, corner(c)), d)
		}
		return d
	}
	// leave drops the lanes of a comparison, and ends the routine if none are left.
	leave := func(missed reg.VecVirtual) {
		bits := GP32()
		VMOVMSKPS(missed, bits)
		NOTL(bits)
		ANDL(bits, near)
		JZ(LabelRef("done"))
	}
	loop := func(name string, count, first, size int, body func()) {
		MOVL(at(s, sweepCounts+4*count), left)
		LEAQ(at(s, first), place)
		TESTL(left, left)
		JEQ(LabelRef(name + "Done"))
		Label(name)
		body()
		ADDQ(U8(size), place)
		DECL(left)
		JNE(LabelRef(name))
		Label(name + "Done")
	}

	Comment("By the axes that are the same for all triangles.")
	missed := zero()
	loop("axis", 2, sweepAxes, sweepAxis, func() {
		d := along(spread3(at(place, 0)))
		VCMPPS(U8(0x1e), spread(at(place, 12)), d, d) // greater
		VORPS(d, missed, missed)
	})
	leave(missed)
	parts := func(name string, v vec) {
		far, t := YMM(), YMM()
		magnitude := func(from, to reg.VecVirtual) { VANDPS(noSign, from, to) }
		magnitude(v[0], far)
		for i := 1; i < 3; i++ {
			magnitude(v[i], t)
			VADDPS(t, far, far)
		}
		VMULPS(spread(at(s, sweepOff)), far, far)
		VADDPS(least, far, far)
		length := dot(v, v)
		VADDPS(least, length, length)
		VSQRTPS(length, length)
		VMULPS(spread(at(s, sweepRadius)), length, length)
		VADDPS(length, far, far)
		loop(name+"Half", 0, sweepHalf, sweepPoint, func() {
			d := dot(v, spread3(at(place, 0)))
			magnitude(d, d)
			VADDPS(d, far, far)
		})
		MOVL(at(s, sweepCounts+4), left)
		TESTL(left, left)
		JEQ(LabelRef(name))
		most := loadRow(infinite)
		VXORPS(sign, most, most)
		loop(name+"Point", 1, sweepPoints, sweepPoint, func() {
			VMAXPS(most, dot(v, spread3(at(place, 0))), most)
		})
		VADDPS(most, far, far)
		Label(name)
		lead := dot(v, spread3(at(s, sweepLead)))
		VMAXPS(none, lead, lead)
		VADDPS(lead, far, far)
		d := along(v)
		VCMPPS(U8(0x1e), far, d, d)
		leave(d)
	}

	Comment("By the planes of the triangles.")
	var e, f vec
	for axis := range 3 {
		first := loadRow(corner(0).Offset(32 * axis))
		e[axis], f[axis] = loadRow(corner(1).Offset(32*axis)), loadRow(corner(2).Offset(32*axis))
		VSUBPS(first, e[axis], e[axis])
		VSUBPS(first, f[axis], f[axis])
	}
	n := cross(e, f)
	behind := dot(n, corner(0))
	VCMPPS(U8(0x11), none, behind, behind) // less
	VANDPS(sign, behind, behind)
	for i := range n {
		VXORPS(behind, n[i], n[i])
	}
	parts("normal", n)

	Comment("By the ways to the edges: from the center, and of a capsule then from nearer by.")
	again, from := GP32(), frame.Offset(9*32)
	MOVL(at(s, sweepCounts), again)
	vec{zero(), zero(), zero()}.store(from)
	Label("ways")
	nearest, closest := vec{zero(), zero(), zero()}, loadRow(infinite)
	for k := range 3 {
		a, q := load3(corner(k)), load3(corner((k+1)%3))
		q.sub(corner(k))
		a.sub(from)
		t, ee := zero(), dot(q, q)
		VSUBPS(dot(q, a), t, t)
		VDIVPS(ee, t, t)
		VMAXPS(none, t, t)
		VMINPS(one, t, t)
		for i := range q {
			VMULPS(t, q[i], q[i])
			VADDPS(a[i], q[i], q[i])
		}
		d, nearer := dot(q, q), YMM()
		VCMPPS(U8(0x11), closest, d, nearer)
		VMINPS(closest, d, closest)
		for i := range q {
			VBLENDVPS(nearer, q[i], nearest[i], nearest[i])
		}
	}
	DECL(again)
	JNE(LabelRef("found"))
	h := spread3(at(s, sweepHalf))
	t := dot(nearest, h)
	VDIVPS(dot(h, h), t, t)
	VMAXPS(minusOne, t, t)
	VMINPS(one, t, t)
	for i := range h {
		VMULPS(t, h[i], h[i])
	}
	h.store(from)
	JMP(LabelRef("ways"))
	Label("found")
	parts("edge", nearest)
	Label("done")
	VZEROUPPER()
	Store(near, ReturnIndex(0))
	RET()
}

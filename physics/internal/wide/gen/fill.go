package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twin of octet.fill of package rigid, for eight constraints: each is a record, of which
// four numbers at a time become a lane of four rows.

// Offsets in rigid.start and rigid.softness; a test in package rigid compares them with those of
// the compiler.
const (
	startImpulse, startFriction, startRolling = 0, 16, 32
	startBodies, startNormal, startMixture    = 48, 64, 80
	startGap, startArmA, startArmB, startSize = 96, 112, 160, 208

	softBias, softMass, softImpulse, softSize = 0, 4, 8, 12
)

func makeFill() {
	integers := func(name string, x uint32) Mem {
		g := GLOBL(name, 8|16) // RODATA|NOPTR
		for i := range 8 {
			DATA(4*i, U32(x))
		}
		return g
	}
	kinds := []Mem{integers("stiff", 1), integers("ground", 2)}
	TEXT("fillSIMD", NOSPLIT, "func(o, c, s *byte, points int) uint32")
	Doc("fillSIMD is octet.fill of eight constraints. It returns sets of lanes: of those that brake, that",
		"roll from bit 8 on, and that bounce from bit 16 on.")
	Pragma("noescape")
	o, c, s := Load(Param("o"), GP64()), Load(Param("c"), GP64()), Load(Param("s"), GP64())
	rows := func(from int) [4]reg.VecVirtual {
		var r [4]reg.VecVirtual
		for l := range r {
			r[l] = YMM()
			VBROADCASTF128(at(c, startSize*l+from), r[l])
			VINSERTF128(U8(1), at(c, startSize*(l+4)+from), r[l], r[l])
		}
		return turn4(r)
	}
	put := func(x reg.VecVirtual, to int) { VMOVUPS(x, at(o, to)) }
	set := func(mask reg.VecVirtual) reg.Register {
		to := GP32()
		VMOVMSKPS(mask, to)
		return to
	}
	Comment("The bodies, the number of points, and the softness by kind, of lanes that have points.")
	{
		r := rows(startBodies)
		put(r[0], octetA)
		put(r[1], octetB)
		is, count := YMM(), YMM()
		VCVTDQ2PS(r[2], count)
		put(count, octetCount)
		VXORPS(is, is, is)
		VCMPPS(less, count, is, is)
		for _, p := range [][2]int{{softBias, octetBias}, {softMass, octetShare}, {softImpulse, octetBack}} {
			x := YMM()
			VBROADCASTSS(at(s, p[0]), x)
			for k, kind := range kinds {
				y, of := YMM(), YMM()
				VBROADCASTSS(at(s, softSize*(k+1)+p[0]), y)
				VPCMPEQD(kind, r[3], of)
				VBLENDVPS(of, y, x, x)
			}
			VANDPS(is, x, x)
			put(x, p[1])
		}
	}
	n := rows(startNormal)
	for i, x := range n[:3] {
		put(x, octetNormal+row*i)
	}
	brakes, rolls := YMM(), YMM()
	VXORPS(brakes, brakes, brakes)
	for _, p := range [][2]int{{startFriction, octetTangent}, {startRolling, octetRoll}} {
		v := rows(p[0])
		for i, x := range v[:3] {
			put(x, p[1]+row*i)
			VORPS(x, brakes, brakes)
		}
	}
	Comment("Without their signs, those that are not zero.")
	none := zero()
	put(none, octetSlide)
	put(none, octetSlide+row)
	VPSLLD(U8(1), brakes, brakes)
	VPCMPEQD(none, brakes, brakes)
	flags := set(brakes)
	XORL(U32(0xff), flags)
	for i, x := range rows(startMixture) { // friction, restitution, rolling, spinning
		put(x, [...]int{octetFriction, octetFriction + row, octetRolling, octetSpinning}[i])
		VCMPPS(less, x, none, rolls)
		lanes := set(rolls)
		if i != 1 {
			ORL(lanes, flags)
		}
		if i == 1 || i == 2 {
			SHLL(U8([...]int{1: 16, 2: 8}[i]), lanes)
			ORL(lanes, flags)
		}
	}
	Store(flags, ReturnIndex(0))
	Comment("The first point, or all.")
	many := Load(Param("points"), GP64())
	point := func(k, to int) int { return octetPoints + pointSize*k + to }
	for _, p := range [][2]int{{startImpulse, pointImpulse}, {startGap, pointGap}} {
		label := fmt.Sprint("one", p[0])
		r := rows(p[0])
		put(r[0], point(0, p[1]))
		CMPQ(many, U8(1))
		JLE(LabelRef(label))
		for k := 1; k < 4; k++ {
			put(r[k], point(k, p[1]))
		}
		Label(label)
	}
	for _, p := range [][2]int{{startArmA, pointArmA}, {startArmB, pointArmB}} {
		label := fmt.Sprint("one", p[0])
		for q := range 3 {
			for i, x := range rows(p[0] + 16*q) {
				if q == 0 && i == 3 {
					CMPQ(many, U8(1))
					JLE(LabelRef(label))
				}
				put(x, point((4*q+i)/3, p[1]+row*((4*q+i)%3)))
			}
		}
		Label(label)
	}
	none = zero()
	put(none, point(0, pointMost))
	CMPQ(many, U8(1))
	JLE(LabelRef("done"))
	for k := 1; k < 4; k++ {
		put(none, point(k, pointMost))
	}
	Label("done")
	VZEROUPPER()
	RET()
}

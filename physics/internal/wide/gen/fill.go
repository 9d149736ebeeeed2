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
	startBodies, startNormal, startMixture = 0, 16, 32
	startFriction, startRolling            = 48, 64
	startPoints, startPointSize, startSize = 80, 32, 208

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
	many := Load(Param("points"), GP64())
	for k := range 4 {
		Comment(fmt.Sprint("Point ", k, "."))
		if k > 0 {
			CMPQ(many, U8(k))
			JLE(LabelRef("done"))
		}
		to, from := octetPoints+pointSize*k, startPoints+startPointSize*k
		for i, x := range rows(from) { // the impulse, an arm
			put(x, to+[...]int{pointImpulse, pointArmA, pointArmA + row, pointArmA + 2*row}[i])
		}
		for i, x := range rows(from + 16) { // the other arm, the gap
			put(x, to+[...]int{pointArmB, pointArmB + row, pointArmB + 2*row, pointGap}[i])
		}
		put(zero(), to+pointMost)
	}
	Label("done")
	VZEROUPPER()
	RET()
}

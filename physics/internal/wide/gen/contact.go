package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twin of Manifold.followPoints of package physics, operation by operation. A lane is a
// contact point.

// Offsets in physics.Manifold, physics.ContactPoint and physics.relativeMotion; a test in package
// physics compares them with those of the compiler.
const (
	manifoldPoints, manifoldN = 12, 188

	spotSize, spotRest, spotFeatures = 44, 16, 28

	motionMoves, motionTurns, motionShift = 0, 1, 8
	motionRows, motionRow                 = 32, 24
	motionB                               = 104

	turnedNormal = 24 // of the two normals
	featureBits  = 30
)

func makeContacts() {
	faces := GLOBL("faces", 8|16) // RODATA|NOPTR
	for i := range 4 {
		DATA(4*i, U32(2))
	}
	wide := func(name string, x float64) Mem {
		g := GLOBL(name, 8|16)
		for i := range 4 {
			DATA(8*i, F64(x))
		}
		return g
	}
	shares := [2]Mem{wide("minusHalf", -0.5), wide("half", 0.5)}
	wholes := [2]Mem{wide("minus", -1), wide("plus", 1)}
	negative := wide("negative", math.Copysign(0, -1))

	TEXT("followSIMD", NOSPLIT, "func(to, from, m, normals *byte, least float32) uint32")
	Doc("followSIMD is Manifold.followPoints.")
	Pragma("noescape")
	from, m, normals := Load(Param("from"), GP64()), Load(Param("m"), GP64()), Load(Param("normals"), GP64())
	place := func(b reg.Register, i, offset int) Mem { return at(b, manifoldPoints+spotSize*i+offset) }
	fetch := func(offset int) (rows [4]reg.VecVirtual) {
		for i := range rows {
			rows[i] = XMM()
			VMOVUPS(place(from, i, offset), rows[i])
		}
		return transposed(rows)
	}
	widened := func(v reg.VecVirtual) reg.VecVirtual {
		to := YMM()
		VCVTPS2PD(v, to)
		return to
	}
	first, rest := fetch(0), fetch(spotRest)
	p := [3]reg.VecVirtual{widened(first[0]), widened(first[1]), widened(first[2])}
	q := [3]reg.VecVirtual{widened(first[3]), widened(rest[0]), widened(rest[1])}
	depth := widened(rest[2])
	broadcast := func(b reg.Register, offset int) reg.VecVirtual {
		v := YMM()
		VBROADCASTSD(at(b, offset), v)
		return v
	}
	// dot returns the dot product with three numbers in memory, in the order of DVec3.Dot.
	dot := func(v [3]reg.VecVirtual, b reg.Register, offset int) reg.VecVirtual {
		sum := YMM()
		for i := range v {
			by := broadcast(b, offset+8*i)
			if i == 0 {
				VMULPD(by, v[i], sum)
				continue
			}
			VMULPD(by, v[i], by)
			VADDPD(by, sum, sum)
		}
		return sum
	}
	parted := func() (v [3]reg.VecVirtual) {
		for i := range v {
			v[i] = YMM()
			VSUBPD(q[i], p[i], v[i])
		}
		return v
	}
	gap := dot(parted(), normals, 0)

	for k, v := range [2][3]reg.VecVirtual{p, q} {
		name, start := []string{"A", "B"}[k], k*motionB
		Comment("Move the points of " + name + ".")
		CMPB(at(m, start+motionMoves), U8(0))
		JEQ(LabelRef("moved" + name))
		CMPB(at(m, start+motionTurns), U8(0))
		JEQ(LabelRef("shift" + name))
		var by [3]reg.VecVirtual
		for i := range by {
			by[i] = dot(v, m, start+motionRows+motionRow*i)
			VADDPD(broadcast(m, start+motionShift+8*i), by[i], by[i])
		}
		for i := range by {
			VADDPD(by[i], v[i], v[i])
		}
		JMP(LabelRef("moved" + name))
		Label("shift" + name)
		for i := range v {
			VADDPD(broadcast(m, start+motionShift+8*i), v[i], v[i])
		}
		Label("moved" + name)
	}

	aside := parted()
	beyond := dot(aside, normals, turnedNormal)
	VSUBPD(gap, beyond, gap)
	VADDPD(gap, depth, depth)
	deep, least, kept := XMM(), XMM(), GP32()
	VCVTPD2PSY(depth, deep)
	VBROADCASTSS(parameter("least"), least)
	VCMPPS(U8(1), least, deep, least) // less, which a NaN is not
	VMOVMSKPS(least, kept)
	XORL(U8(15), kept)

	Comment("A point slides on a face.")
	VXORPD(negative, beyond, beyond)
	for i := range aside {
		by := broadcast(normals, turnedNormal+8*i)
		VMULPD(by, beyond, by)
		VADDPD(by, aside[i], aside[i])
	}
	features := fetch(spotFeatures)
	var isFace [2]reg.VecVirtual
	for k := range isFace {
		VPSRLD(U8(featureBits), features[k], features[k])
		VPCMPEQD(faces, features[k], features[k])
		isFace[k] = YMM()
		VPMOVSXDQ(features[k], isFace[k])
	}
	slide := func(v [3]reg.VecVirtual, k int, stays reg.VecVirtual) {
		share, by := YMM(), YMM()
		VMOVUPD(shares[k], share)
		VBLENDVPD(isFace[k], wholes[k], share, share)
		for i := range v {
			VMULPD(aside[i], share, by)
			VADDPD(by, v[i], by)
			VBLENDVPD(stays, v[i], by, v[i])
		}
	}
	slide(q, 1, isFace[0])
	VANDNPD(isFace[1], isFace[0], isFace[1])
	slide(p, 0, isFace[1])

	narrowed := func(v reg.VecVirtual) reg.VecVirtual {
		to := XMM()
		VCVTPD2PSY(v, to)
		return to
	}
	first = transposed([4]reg.VecVirtual{narrowed(p[0]), narrowed(p[1]), narrowed(p[2]), narrowed(q[0])})
	rest = transposed([4]reg.VecVirtual{narrowed(q[1]), narrowed(q[2]), deep, deep})
	to := Load(Param("to"), GP64())
	n, features0 := GP32(), XMM()
	MOVL(at(from, manifoldN), n)
	for i := range first {
		if i > 0 {
			CMPL(n, U8(i))
			JLE(LabelRef("stored"))
		}
		VMOVUPS(place(from, i, spotFeatures), features0)
		VMOVUPS(first[i], place(to, i, 0))
		VMOVUPS(rest[i], place(to, i, spotRest))
		VMOVUPS(features0, place(to, i, spotFeatures))
	}
	Label("stored")
	VZEROUPPER()
	Store(kept, ReturnIndex(0))
	RET()
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What Tree.fill of package wide computes in float64, for the casts of one ray and of many.

// normal returns the unit normal of a triangle, facing against a ray, in three float32 lanes, the
// upper ones being zero. It
// overwrites the corners, and jumps to unsupported if the length of the normal is near the limits
// of float64.
func (k constants) normal(corners [3]reg.VecVirtual, dir reg.VecVirtual) reg.VecVirtual {
	b, c := corners[1], corners[2]
	VSUBPD(corners[0], b, b)
	VSUBPD(corners[0], c, c)
	n, t := YMM(), YMM()
	VPERMPD(byOne, c, n)
	VMULPD(b, n, n)
	VPERMPD(byOne, b, t)
	VMULPD(c, t, t)
	VSUBPD(t, n, n)
	VPERMPD(byOne, n, n)
	Comment("The square of its length, and its product with the direction.")
	u, v := YMM(), YMM()
	VMULPD(n, n, t)
	VMULPD(n, dir, u)
	VUNPCKHPD(u, t, v)
	VUNPCKLPD(u, t, t)
	sums, high := XMM(), XMM()
	VADDPD(v.AsX(), t.AsX(), sums)
	VEXTRACTF128(U8(1), t, high)
	VADDPD(high, sums, sums)
	VUCOMISD(k.smallest, sums)
	JBE(LabelRef("unsupported"))
	VUCOMISD(k.largest, sums)
	JAE(LabelRef("unsupported"))
	away, scale := XMM(), XMM()
	VUNPCKHPD(sums, sums, high)
	VXORPD(away, away, away)
	VSUBSD(high, away, away)
	VANDPD(k.signBit, away, away)
	VSQRTSD(sums, sums, scale)
	VMOVSD(k.wideOne, high)
	VDIVSD(scale, high, scale)
	VXORPD(away, scale, scale)
	s, zero, narrow := YMM(), YMM(), YMM()
	VBROADCASTSD(scale, s)
	VMULPD(s, n, n)
	VXORPD(zero, zero, zero)
	VADDPD(zero, n, n)
	VXORPS(narrow, narrow, narrow) // its upper half would seem to be in use from the start
	VCVTPD2PSY(n, narrow.AsX())
	return narrow
}

// pointAt replaces T, which is in all lanes, by the point of a ray at T.
func pointAt(t reg.VecVirtual, origin Mem, dir reg.VecVirtual) {
	Comment("The point.")
	o, wide := YMM(), YMM()
	VCVTPS2PD(t, wide)
	VMULPD(dir, wide, wide)
	VCVTPS2PD(origin, o)
	VADDPD(wide, o, o)
	VCVTPD2PSY(o, t)
}

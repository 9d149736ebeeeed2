package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// reciprocal returns reciprocal of package rigid, and consumes its argument.
func (s *solver) reciprocal(x reg.VecVirtual) reg.VecVirtual {
	positive, one := zero(), YMM()
	VCMPPS(less, x, positive, positive)
	VMOVUPS(s.one, one)
	VDIVPS(x, one, x)
	VANDPS(positive, x, x)
	return x
}

// scaleOf is scaleOf of package rigid, and consumes its argument.
func (s *solver) scaleOf(x reg.VecVirtual) reg.VecVirtual {
	scale := YMM()
	VANDPS(s.exponents, x, x)
	VMOVUPS(s.scales, scale)
	VPSUBD(x, scale, scale)
	return scale
}

// scale multiplies numbers by scaleOf an effective mass if a lane has a vast one.
func (s *solver) scale(label string, mass int, numbers ...reg.VecVirtual) {
	CMPL(at(s.o, octetVast), U8(0))
	JEQ(LabelRef(label))
	scale := s.scaleOf(loadRow(at(s.o, mass)))
	for _, x := range numbers {
		VMULPS(scale, x, x)
	}
	Label(label)
}

// weigh is octet.weigh.
func (s *solver) weigh() {
	scratch := func(i int) Mem { return at(s.f, scratchRows+row*i) }
	add := func(x reg.VecVirtual, to Mem) {
		VADDPS(to, x, x)
		VMOVUPS(x, to)
	}
	mass, away, weight, speed, index, hits := scratch(0), scratch(1), scratch(2), scratch(3), scratch(4), scratch(5)
	{
		a, b := loadRow(s.col(0, colInertia)), loadRow(s.col(1, colInertia))
		VMOVUPS(a, at(s.o, octetInvMassA))
		VMOVUPS(b, at(s.o, octetInvMassB))
		VADDPS(b, a, a)
		VMOVUPS(a, mass)
		sums := [2]vec{{zero(), zero(), zero()}, {zero(), zero(), zero()}}
		s.eachPoint("arm", func(p reg.Register) {
			for side := range sums {
				sums[side].add(at(p, pointArmA+3*row*side))
			}
		})
		share := s.reciprocal(loadRow(at(s.o, octetCount)))
		for side := range sums {
			v := scaled(sums[side], share)
			v.store(at(s.o, octetArmA+3*row*side))
		}
		v := load3(s.col(1, colV))
		v.sub(s.col(0, colV))
		VMOVUPS(dot(v, at(s.o, octetNormal)), away)
		z := zero()
		VMOVUPS(z, index)
		VMOVUPS(z, hits)
	}
	s.eachPoint("point", func(p reg.Register) {
		v := load3(at(p, pointArmB))
		v.sub(at(s.o, octetArmB))
		lever := dot(v, v)
		VSQRTPS(lever, lever)
		VMOVUPS(lever, at(p, pointLever))
		VMOVUPS(loadRow(mass), weight)
		VMOVUPS(loadRow(away), speed)
		for side := range 2 {
			arm := cross(at(p, pointArmA+3*row*side), load3(at(s.o, octetNormal)))
			arm.store(at(p, pointArmA+3*row*side))
			turn := s.apply(side, arm)
			add(dot(arm, turn), weight)
			if side == 1 {
				for _, x := range turn {
					VXORPS(s.sign, x, x)
				}
			}
			turn.store(at(p, pointTurnA+3*row*side))
		}
		v = load3(at(p, pointArmB))
		x := dot(v, s.col(1, colW))
		add(x, speed)
		v = load3(at(p, pointArmA))
		y := dot(v, s.col(0, colW))
		VSUBPS(y, x, x)
		VMOVUPS(x, at(p, pointSpeed))
		limit := YMM()
		VBROADCASTSS(parameter("hitSpeed"), limit)
		VXORPS(s.sign, limit, limit)
		VCMPPS(notAbove, limit, x, x)
		k, exists := loadRow(index), YMM()
		VCMPPS(less, at(s.o, octetCount), k, exists)
		VANDPS(exists, x, x)
		VORPS(hits, x, x)
		VMOVUPS(x, hits)
		VADDPS(s.one, k, k)
		VMOVUPS(k, index)
		w := s.reciprocal(loadRow(weight))
		VANDPS(exists, w, w)
		VMOVUPS(w, at(p, pointMass))
	})
	set, used := GP32(), zero()
	VCMPPS(less, at(s.o, octetCount), used, used)
	VANDPS(hits, used, used)
	VMOVMSKPS(used, set)
	MOVL(set, at(s.o, octetHits))

	// across
	{
		n := load3(at(s.o, octetNormal))
		steep, t := YMM(), YMM()
		VMOVUPS(s.above, steep)
		VCMPPS(less, n[0], steep, steep)
		VCMPPS(less, s.below, n[0], t)
		VORPS(t, steep, steep)
		t0 := vec{YMM(), YMM(), YMM()}
		VXORPS(s.sign, n[2], t)
		VANDPS(t, steep, t0[0])
		VANDNPS(n[2], steep, t0[1])
		VXORPS(s.sign, n[1], t)
		VBLENDVPS(steep, n[0], t, t0[2])
		length := dot(t0, t0)
		VSQRTPS(length, length)
		VMOVUPS(s.one, t)
		VDIVPS(length, t, t)
		t0 = scaled(t0, t)
		t1 := cross(at(s.o, octetNormal), t0)
		x, y := dot(t0, at(s.o, octetTangent)), dot(t1, at(s.o, octetTangent))
		VMOVUPS(x, at(s.o, octetTangential))
		VMOVUPS(y, at(s.o, octetTangential+row))
		t0.store(at(s.o, octetTangent))
		t1.store(at(s.o, octetTangent+3*row))
	}
	k00, k01, k11 := scratch(2), scratch(3), scratch(4)
	for side := range 2 {
		arm, tangent := at(s.o, octetArmA+3*row*side), at(s.o, octetTangent)
		a0 := cross(arm, load3(tangent))
		t0 := s.apply(side, a0)
		a1 := cross(arm, load3(tangent.Offset(3*row)))
		x, y := dot(a0, t0), dot(a1, t0)
		z := dot(a1, s.apply(side, a1))
		if side == 0 {
			VADDPS(mass, x, x)
			VADDPS(mass, z, z)
		} else {
			VADDPS(k00, x, x)
			VADDPS(k01, y, y)
			VADDPS(k11, z, z)
		}
		VMOVUPS(x, k00)
		VMOVUPS(y, k01)
		VMOVUPS(z, k11)
	}
	{
		x, y, z, t := loadRow(k00), loadRow(k01), loadRow(k11), YMM()
		det, scale := YMM(), YMM()
		VADDPS(z, x, scale)
		scale = s.scaleOf(scale)
		for _, k := range []reg.VecVirtual{x, y, z} {
			VMULPS(scale, k, k)
		}
		VMULPS(z, x, det)
		VMULPS(y, y, t)
		VSUBPS(t, det, det)
		det = s.reciprocal(det)
		VMULPS(scale, det, det)
		VMULPS(det, z, z)
		VMOVUPS(z, at(s.o, octetM00))
		vast := GP32()
		VMOVUPS(s.vast, t)
		VCMPPS(less, z, t, t)
		VMOVMSKPS(t, vast)
		MOVL(vast, at(s.o, octetVast))
		VMULPS(det, y, y)
		VXORPS(s.sign, y, y)
		VMOVUPS(y, at(s.o, octetM01))
		VMULPS(det, x, x)
		VMOVUPS(x, at(s.o, octetM11))
	}
	// against returns the inverse of the effective mass about an axis.
	against := func(axis Mem) reg.VecVirtual {
		v := load3(axis)
		t := s.apply(0, v)
		t.add(s.apply(1, v))
		return dot(v, t)
	}
	VMOVUPS(s.reciprocal(against(at(s.o, octetNormal))), at(s.o, octetTwistMass))
	roll, rolls := load3(at(s.o, octetRoll)), zero()
	twist := dot(roll, at(s.o, octetNormal))
	VMOVUPS(twist, at(s.o, octetTwist))
	roll.sub(scaled(at(s.o, octetNormal), twist))
	VCMPPS(less, at(s.o, octetRolling), rolls, rolls)
	for i := range roll {
		VANDPS(rolls, roll[i], roll[i])
	}
	roll.store(at(s.o, octetRoll))
	VMOVUPS(rolls, scratch(2))
	x := against(at(s.o, octetTangent))
	VMOVUPS(x, scratch(3))
	y := against(at(s.o, octetTangent+3*row))
	x = loadRow(scratch(3))
	VMAXPS(y, x, x)
	x = s.reciprocal(x)
	VANDPS(scratch(2), x, x)
	VMOVUPS(x, at(s.o, octetRollMass))
}

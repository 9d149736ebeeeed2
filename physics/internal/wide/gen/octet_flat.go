package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twins of the methods of rigid.octet for planar spaces. They read the components in the
// plane, and of what turns the one about Z.

const (
	inX, inY, aboutZ = 0, row, 2 * row // in a vector

	tangentInPlane    = octetTangent + 3*row
	slideInPlane      = octetSlide + row
	tangentialInPlane = octetTangential + row
	colInertiaZ       = colInertia + 3*row
)

// flatPoints is what is read of a point.
var flatPoints = []span{
	{pointArmA + aboutZ, pointArmB}, {pointArmB + aboutZ, pointTurnA}, {pointTurnA + aboutZ, pointTurnB}, {pointTurnB + aboutZ, pointLever},
}

func (s *solver) makeFlat() {
	s.flat = true
	s.routine("solveFlatSIMD", "solveFlatSIMD is octet.pushFlat of what is soft.",
		"func(o *byte, n int, motions *byte, pushSpeed, rate float32)", true, false,
		[]span{{0, octetCount}, {}}, func() { s.pushFlat(true) })
	s.routine("relaxFlatSIMD", "relaxFlatSIMD is octet.relaxFlat.",
		"func(o *byte, n int, motions, inertias *byte, rate float32)", true, true,
		[]span{
			{0, octetBias}, {tangentInPlane, octetArmA + aboutZ}, {octetArmB, octetArmB + aboutZ}, {slideInPlane, octetM00},
			{octetM11, octetTangential}, {tangentialInPlane, octetTwistMass}, {octetFriction, octetFriction + row}, {},
		}, s.relaxFlat)
}

// between returns the difference of the columns of both sides along a direction in the plane.
func (s *solver) between(direction Mem, col int) reg.VecVirtual {
	x, y := loadRow(s.col(1, col+inX)), loadRow(s.col(1, col+inY))
	VSUBPS(s.col(0, col+inX), x, x)
	VSUBPS(s.col(0, col+inY), y, y)
	VMULPS(direction.Offset(inX), x, x)
	VMULPS(direction.Offset(inY), y, y)
	VADDPS(y, x, x)
	return x
}

// pushFlat is octet.pushFlat.
func (s *solver) pushFlat(soft bool) {
	s.point = flatPoints
	nearer, mass := at(s.f, scratchRows), at(s.f, scratchRows+row)
	VMOVUPS(s.between(at(s.o, octetNormal), colMoved), nearer)
	speed := s.between(at(s.o, octetNormal), colV)
	m := loadRow(at(s.o, octetInvMassA))
	VADDPS(at(s.o, octetInvMassB), m, m)
	VMOVUPS(m, mass)
	w := [2]reg.VecVirtual{loadRow(s.col(0, colW+aboutZ)), loadRow(s.col(1, colW+aboutZ))}
	total := zero()
	s.eachPoint("point", func(p reg.Register) {
		gap, v, t := loadRow(at(p, pointGap)), YMM(), YMM()
		VADDPS(nearer, gap, gap)
		armA, armB := loadRow(at(p, pointArmA+aboutZ)), loadRow(at(p, pointArmB+aboutZ))
		VMULPS(s.col(1, colTurned+aboutZ), armB, t)
		VADDPS(t, gap, gap)
		VMULPS(s.col(0, colTurned+aboutZ), armA, t)
		VSUBPS(t, gap, gap)
		VMULPS(w[1], armB, armB)
		VADDPS(armB, speed, v)
		VMULPS(w[0], armA, armA)
		VSUBPS(armA, v, v)
		s.act(p, soft, gap, v, speed, total, mass, func(change reg.VecVirtual) {
			for side := range w {
				t := YMM()
				VMULPS(at(p, pointTurnA+3*row*side+aboutZ), change, t)
				VSUBPS(t, w[side], w[side])
			}
		})
	})
	for side := range w {
		VMOVUPS(w[side], s.col(side, colW+aboutZ))
	}
	s.thrustFlat(at(s.o, octetNormal), total)
}

// thrustFlat changes the velocities in the frame by an impulse along a direction in the plane.
func (s *solver) thrustFlat(direction Mem, impulse reg.VecVirtual) {
	for side := range 2 {
		by := YMM()
		VMULPS(at(s.o, octetInvMassA+row*side), impulse, by)
		for _, part := range []int{inX, inY} {
			t, v := YMM(), loadRow(s.col(side, colV+part))
			VMULPS(direction.Offset(part), by, t)
			addOrSub(side, t, v)
			VMOVUPS(v, s.col(side, colV+part))
		}
	}
}

// addOrSub adds to a number of b, and subtracts from one of a.
func addOrSub(side int, by, x reg.VecVirtual) {
	if side == 0 {
		VSUBPS(by, x, x)
	} else {
		VADDPS(by, x, x)
	}
}

// within is within of package rigid, and consumes its arguments.
func (s *solver) within(x, most reg.VecVirtual) {
	low := YMM()
	VXORPS(s.sign, most, low)
	VMAXPS(low, x, x)
	VMINPS(most, x, x)
}

// relaxFlat is octet.relaxFlat.
func (s *solver) relaxFlat() {
	s.pushFlat(false)
	load := zero()
	s.eachPoint("loaded", func(p reg.Register) { VADDPS(at(p, pointImpulse), load, load) })
	w := [2]reg.VecVirtual{loadRow(s.col(0, colW+aboutZ)), loadRow(s.col(1, colW+aboutZ))}
	CMPB(at(s.o, octetRolls), U8(0))
	JEQ(LabelRef("rolled"))
	{
		by, old, roll, most := YMM(), loadRow(at(s.o, octetRoll+aboutZ)), YMM(), YMM()
		VSUBPS(w[0], w[1], by)
		VMULPS(at(s.o, octetRollMass), by, by)
		VSUBPS(by, old, roll)
		VMULPS(at(s.o, octetRolling), load, most)
		s.within(roll, most)
		VMOVUPS(roll, at(s.o, octetRoll+aboutZ))
		for side, change := range [2][2]reg.VecVirtual{{old, roll}, {roll, old}} {
			VSUBPS(change[0], change[1], by)
			VMULPS(s.col(side, colInertiaZ), by, by)
			VSUBPS(by, w[side], w[side])
		}
	}
	Label("rolled")
	vx, vy, t := loadRow(s.col(1, colV+inX)), loadRow(s.col(1, colV+inY)), YMM()
	VMULPS(at(s.o, octetArmB+inY), w[1], t)
	VSUBPS(t, vx, vx)
	VSUBPS(s.col(0, colV+inX), vx, vx)
	VMULPS(at(s.o, octetArmA+inY), w[0], t)
	VADDPS(t, vx, vx)
	VMULPS(at(s.o, octetArmB+inX), w[1], t)
	VADDPS(t, vy, vy)
	VSUBPS(s.col(0, colV+inY), vy, vy)
	VMULPS(at(s.o, octetArmA+inX), w[0], t)
	VSUBPS(t, vy, vy)
	tx, ty := loadRow(at(s.o, tangentInPlane+inX)), loadRow(at(s.o, tangentInPlane+inY))
	VMULPS(tx, vx, vx)
	VMULPS(ty, vy, vy)
	VADDPS(vy, vx, vx)
	VSUBPS(at(s.o, slideInPlane), vx, vx)
	now := loadRow(at(s.o, tangentialInPlane))
	VMULPS(at(s.o, octetM11), vx, vx)
	VSUBPS(vx, now, now)
	VMULPS(at(s.o, octetFriction), load, load)
	s.within(now, load)
	change := YMM()
	VSUBPS(at(s.o, tangentialInPlane), now, change)
	VMOVUPS(now, at(s.o, tangentialInPlane))
	for side := range w {
		x, y := YMM(), YMM()
		VMULPS(at(s.o, octetArmA+3*row*side+inX), ty, x)
		VMULPS(at(s.o, octetArmA+3*row*side+inY), tx, y)
		VSUBPS(y, x, x)
		VMULPS(change, x, x)
		VMULPS(s.col(side, colInertiaZ), x, x)
		addOrSub(side, x, w[side])
		VMOVUPS(w[side], s.col(side, colW+aboutZ))
	}
	s.thrustFlat(at(s.o, tangentInPlane), change)
}

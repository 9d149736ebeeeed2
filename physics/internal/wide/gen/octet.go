package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twins of the methods of rigid.octet: eight constraints in the lanes of a register,
// operation by operation.

// Offsets in rigid.octet, rigid.points and rigid.motion; a test in package rigid compares them with
// those of the compiler.
const (
	octetA, octetB               = 0, 32
	octetN                       = 64
	octetBrakes, octetRolls      = 72, 73
	octetHits, octetVast         = 76, 80
	octetNormal                  = 96
	octetInvMassA, octetInvMassB = 192, 224
	octetBias, octetShare        = 256, 288
	octetBack, octetCount        = 320, 352
	octetTangent                 = 384
	octetArmA, octetArmB         = 576, 672
	octetSlide                   = 768
	octetM00, octetM01, octetM11 = 832, 864, 896
	octetTangential              = 928
	octetTwistMass, octetTwist   = 992, 1024
	octetFriction                = 1056
	octetRolling, octetSpinning  = 1120, 1152
	octetRoll, octetRollMass     = 1184, 1280
	octetPoints, octetSize       = 1312, 3648

	pointArmA, pointArmB   = 0, 96
	pointTurnA, pointTurnB = 192, 288
	pointGap, pointMass    = 384, 416
	pointImpulse           = 448
	pointMost, pointLever  = 480, 512
	pointSpeed             = 544
	pointSize              = 576

	motionBytes, inertiaBytes = 6, 5 // as shifts
)

// The frame of a routine: by side the columns of the motions and of the inertias, and scratch rows.
const (
	colV, colW, colMoved, colTurned = 0, 96, 192, 288
	colInertia                      = 384 // the mass, then the matrix
	sideSize                        = 640
	scratchRows                     = 2 * sideSize
	frameSize                       = scratchRows + 6*row
)

// solver is the state of one routine.
type solver struct {
	o, f, left        reg.Register // the octet; the frame, aligned; how many octets are left
	sign, one         Mem
	above, below      Mem    // the limits of across
	vast              Mem    // vastMass
	exponents, scales Mem    // the constants of scaleOf
	point             []span // what is read of a point
	flat              bool   // of turned and of the inertia only what is about Z is read
}

func makeSolver() {
	s := &solver{}
	constant := func(name string, x uint32) Mem {
		g := GLOBL(name, 8|16) // RODATA|NOPTR
		for i := range 8 {
			DATA(4*i, U32(x))
		}
		return g
	}
	s.sign, s.one = constant("signs", 1<<31), constant("ones", math.Float32bits(1))
	s.above, s.below = constant("steep", math.Float32bits(0.6)), constant("steepDown", math.Float32bits(-0.6))
	s.vast = constant("vastMass", math.Float32bits(0x1p40))
	s.exponents, s.scales = constant("exponents", 0x7f800000), constant("scales", 0x7f000000)
	s.routine("weighSIMD", "weighSIMD is octet.weigh.",
		"func(o *byte, n int, motions, inertias *byte, hitSpeed float32)", false, true, nil, s.weigh)
	s.routine("warmStartSIMD", "warmStartSIMD is octet.warmStart.",
		"func(o *byte, n int, motions, inertias *byte)", false, true,
		[]span{{0, octetBias}, {octetTangent, octetSlide}, {octetTangential, octetRollMass}, {pointTurnA, pointMost}}, s.warmStart)
	s.routine("solveSIMD", "solveSIMD is octet.push of what is soft.",
		"func(o *byte, n int, motions *byte, pushSpeed, rate float32)", true, false,
		[]span{{0, octetCount}, {0, pointLever}}, func() { s.push(true) })
	s.routine("relaxSIMD", "relaxSIMD is octet.brake, and octet.push of what is rigid.",
		"func(o *byte, n int, motions, inertias *byte, rate float32)", true, true,
		[]span{{0, octetPoints}, {0, pointSpeed}}, s.relax)
	s.makeFlat()
	makeKeep()
	makeFill()
	makeBodies()
}

// routine writes a loop over octets that gathers the motions, and the inertias, calls do, and
// scatters the velocities. What it reads of an octet is some parts and, the last of them, a part of
// each point: these are prefetched.
func (s *solver) routine(name, doc, signature string, moved, inert bool, reads []span, do func()) {
	s.open(name, doc, signature, frameSize)
	s.loop(octetSize, func() {
		if s.point = nil; len(reads) > 0 {
			last := len(reads) - 1
			s.ahead(octetSize, inert, reads[:last])
			s.point = reads[last:]
		}
		s.gather(moved, inert)
		do()
		if name != "weighSIMD" {
			s.scatter()
		}
	})
}

// open begins a routine over octets, with a frame of some bytes.
func (s *solver) open(name, doc, signature string, size int) {
	TEXT(name, 0, signature)
	Doc(doc)
	Pragma("noescape")
	frame := AllocLocal(size + 32)
	s.f, s.left = GP64(), GP64()
	LEAQ(frame, s.f)
	ADDQ(U8(31), s.f)
	ANDQ(I8(-32), s.f)
	s.o = Load(Param("o"), GP64())
}

// loop ends a routine with a loop over octets of some bytes.
func (s *solver) loop(size uint32, do func()) {
	Load(Param("n"), s.left)
	Label("octet")
	do()
	ADDQ(U32(size), s.o)
	DECQ(s.left)
	JNZ(LabelRef("octet"))
	VZEROUPPER()
	RET()
}

// apply returns the change of angular velocity by an angular impulse: it is inertia.apply.
func (s *solver) apply(side int, l vec) (c vec) {
	const xx, yy, zz, xy, xz, yz = 1, 2, 3, 4, 5, 6
	for i, m := range [3][3]int{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}} {
		c[i] = YMM()
		t := YMM()
		for j := range m {
			to := t
			if j == 0 {
				to = c[i]
			}
			VMULPS(s.col(side, colInertia+row*m[j]), l[j], to)
			if j > 0 {
				VADDPS(t, c[i], c[i])
			}
		}
	}
	return c
}

// spin changes the angular velocities, in the frame, by an angular impulse on b and its opposite on
// a.
func (s *solver) spin(l vec) {
	for side := range 2 {
		w := load3(s.col(side, colW))
		if c := s.apply(side, l); side == 0 {
			w.sub(c)
		} else {
			w.add(c)
		}
		w.store(s.col(side, colW))
	}
}

// thrust changes the velocities in the frame by an impulse on b and its opposite on a.
func (s *solver) thrust(force vec) {
	for side := range 2 {
		m := YMM()
		VMOVUPS(at(s.o, octetInvMassA+row*side), m)
		v := load3(s.col(side, colV))
		if c := scaled(force, m); side == 0 {
			v.sub(c)
		} else {
			v.add(c)
		}
		v.store(s.col(side, colV))
	}
}

// eachPoint writes a loop over the points.
func (s *solver) eachPoint(label string, do func(p reg.Register)) {
	p, left := GP64(), GP32()
	LEAQ(at(s.o, octetPoints), p)
	MOVL(at(s.o, octetN), left)
	TESTL(left, left)
	JZ(LabelRef(label + "s"))
	Label(label)
	if label == "point" {
		prefetch(p, octetSize, s.point)
	}
	do(p)
	ADDQ(U32(pointSize), p)
	DECL(left)
	JNZ(LabelRef(label))
	Label(label + "s")
}

// warmStart is octet.warmStart.
func (s *solver) warmStart() {
	wa, wb := load3(s.col(0, colW)), load3(s.col(1, colW))
	total := zero()
	s.eachPoint("point", func(p reg.Register) {
		impulse := loadRow(at(p, pointImpulse))
		VADDPS(impulse, total, total)
		wa.sub(scaled(at(p, pointTurnA), impulse))
		wb.sub(scaled(at(p, pointTurnB), impulse))
	})
	wa.store(s.col(0, colW))
	wb.store(s.col(1, colW))
	VMOVUPS(total, at(s.f, scratchRows))
	force := s.along(loadRow(at(s.o, octetTangential)), loadRow(at(s.o, octetTangential+row)))
	for side := range 2 {
		spin := scaled(at(s.o, octetNormal), loadRow(at(s.o, octetTwist)))
		spin.add(at(s.o, octetRoll))
		c := cross(at(s.o, octetArmA+3*row*side), force)
		c.add(spin)
		w := load3(s.col(side, colW))
		if c = s.apply(side, c); side == 0 {
			w.sub(c)
		} else {
			w.add(c)
		}
		w.store(s.col(side, colW))
	}
	force.add(scaled(at(s.o, octetNormal), loadRow(at(s.f, scratchRows))))
	s.thrust(force)
}

// along returns the sum of the tangents times two numbers.
func (s *solver) along(x, y reg.VecVirtual) vec {
	force := scaled(at(s.o, octetTangent), x)
	force.add(scaled(at(s.o, octetTangent+3*row), y))
	return force
}

// push is octet.push.
func (s *solver) push(soft bool) {
	n := load3(at(s.o, octetNormal))
	between := func(col int) reg.VecVirtual {
		v := load3(s.col(1, col))
		v.sub(s.col(0, col))
		return dot(v, n)
	}
	nearer, mass := at(s.f, scratchRows), at(s.f, scratchRows+row)
	VMOVUPS(between(colMoved), nearer)
	speed := between(colV)
	m := loadRow(at(s.o, octetInvMassA))
	VADDPS(at(s.o, octetInvMassB), m, m)
	VMOVUPS(m, mass)
	wa, wb := load3(s.col(0, colW)), load3(s.col(1, colW))
	total := zero()
	s.eachPoint("point", func(p reg.Register) {
		gap := loadRow(at(p, pointGap))
		VADDPS(nearer, gap, gap)
		for _, side := range []int{1, 0} {
			arm := at(p, pointArmA+3*row*side)
			w := wa
			if side == 1 {
				w = wb
			}
			turned, turns := YMM(), YMM()
			for i := range 3 {
				x := loadRow(arm.Offset(row * i))
				if i == 0 {
					VMULPS(s.col(side, colTurned), x, turned)
					VMULPS(w[0], x, turns)
					continue
				}
				t := YMM()
				VMULPS(s.col(side, colTurned+row*i), x, t)
				VADDPS(t, turned, turned)
				VMULPS(w[i], x, x)
				VADDPS(x, turns, turns)
			}
			if side == 1 {
				VADDPS(turned, gap, gap)
				v := YMM()
				VADDPS(turns, speed, v)
				VMOVUPS(v, at(s.f, scratchRows+2*row))
			} else {
				VSUBPS(turned, gap, gap)
				v := loadRow(at(s.f, scratchRows+2*row))
				VSUBPS(turns, v, v)
				VMOVUPS(v, at(s.f, scratchRows+2*row))
			}
		}
		s.act(p, soft, gap, loadRow(at(s.f, scratchRows+2*row)), speed, total, mass, func(change reg.VecVirtual) {
			wa.sub(scaled(at(p, pointTurnA), change))
			wb.sub(scaled(at(p, pointTurnB), change))
		})
	})
	wa.store(s.col(0, colW))
	wb.store(s.col(1, colW))
	for side := range 2 {
		t := YMM()
		VMULPS(at(s.o, octetInvMassA+row*side), total, t)
		v := load3(s.col(side, colV))
		if c := scaled(at(s.o, octetNormal), t); side == 0 {
			v.sub(c)
		} else {
			v.add(c)
		}
		v.store(s.col(side, colV))
	}
}

// act writes the impulse of a point whose gap and approach are known, consumes these, and adds what
// it changes to the speed of the approach and to the total of the impulses.
func (s *solver) act(p reg.Register, soft bool, gap, v, speed, total reg.VecVirtual, mass Mem, turn func(change reg.VecVirtual)) {
	apart, bias, none := YMM(), YMM(), zero()
	VCMPPS(less, gap, none, apart)
	VBROADCASTSS(parameter("rate"), bias)
	VMULPS(gap, bias, bias)
	if soft {
		VMULPS(at(s.o, octetBias), gap, gap)
		limit := YMM()
		VBROADCASTSS(parameter("pushSpeed"), limit)
		VXORPS(s.sign, limit, limit)
		VMAXPS(limit, gap, gap)
		VBLENDVPS(apart, bias, gap, bias)
	} else {
		VANDPS(apart, bias, bias)
	}
	VADDPS(bias, v, v)
	impulse := loadRow(at(p, pointImpulse))
	if soft {
		share := loadRow(at(s.o, octetShare))
		VBLENDVPS(apart, s.one, share, share)
		VMULPS(share, v, v)
	}
	VMULPS(at(p, pointMass), v, v)
	now := YMM()
	VSUBPS(v, impulse, now)
	if soft {
		VANDNPS(at(s.o, octetBack), apart, apart)
		VMULPS(impulse, apart, apart)
		VSUBPS(apart, now, now)
	}
	VMAXPS(none, now, now)
	VMOVUPS(now, at(p, pointImpulse))
	change, most := YMM(), loadRow(at(p, pointMost))
	VSUBPS(impulse, now, change)
	VMAXPS(now, most, most)
	VMOVUPS(most, at(p, pointMost))
	VADDPS(change, total, total)
	t := YMM()
	VMULPS(mass, change, t)
	VADDPS(t, speed, speed)
	turn(change)
}

// shorten returns the factor of shorten in package rigid, and consumes its arguments.
func (s *solver) shorten(square, most reg.VecVirtual) reg.VecVirtual {
	k := YMM()
	VMULPS(most, most, k)
	VCMPPS(less, square, k, k)
	VSQRTPS(square, square)
	VDIVPS(square, most, most)
	VMOVUPS(s.one, square)
	VBLENDVPS(k, most, square, k)
	return k
}

// slip is octet.slip of what is along the tangents. It consumes the velocity.
func (s *solver) slip(v0, v1 reg.VecVirtual, load Mem) (xy [2]reg.VecVirtual) {
	velocity := [2]reg.VecVirtual{v0, v1}
	for i, m := range [][2]int{{octetM00, octetM01}, {octetM01, octetM11}} {
		xy[i] = loadRow(at(s.o, octetTangential+row*i))
		for k, v := range velocity {
			t := YMM()
			VMULPS(at(s.o, m[k]), v, t)
			VSUBPS(t, xy[i], xy[i])
		}
	}
	factor := func(label string) reg.VecVirtual {
		square, t, limit := YMM(), YMM(), loadRow(load)
		VMOVAPS(xy[0], square)
		VMOVAPS(xy[1], t)
		s.scale(label, octetM00, square, t, limit)
		VMULPS(square, square, square)
		VMULPS(t, t, t)
		VADDPS(t, square, square)
		VMULPS(at(s.o, octetFriction), limit, limit)
		return s.shorten(square, limit)
	}
	k, slides, any := factor("stop"), YMM(), GP32()
	VCMPPS(less, s.one, k, slides)
	VMOVMSKPS(slides, any)
	TESTL(any, any)
	JZ(LabelRef("stopped"))
	{
		mass, share, t := loadRow(at(s.o, octetM00)), YMM(), YMM()
		VADDPS(at(s.o, octetM11), mass, share)
		share = s.reciprocal(share)
		VMULPS(at(s.o, octetM11), share, t)
		VMULPS(t, mass, mass)
		VMULPS(at(s.o, octetM01), share, share)
		VMULPS(at(s.o, octetM01), share, share)
		VSUBPS(share, mass, mass)
		VADDPS(mass, mass, mass)
		for i, v := range velocity {
			VMULPS(mass, v, v)
			VMOVUPS(at(s.o, octetTangential+row*i), t)
			VSUBPS(v, t, v)
			VBLENDVPS(slides, v, xy[i], xy[i])
		}
		VMOVUPS(factor("slide"), k)
	}
	Label("stopped")
	for _, x := range xy {
		VMULPS(k, x, x)
	}
	return xy
}

// relax is octet.brake, and octet.push of what is rigid.
func (s *solver) relax() {
	CMPB(at(s.o, octetBrakes), U8(0))
	JEQ(LabelRef("braked"))
	load, most := at(s.f, scratchRows), at(s.f, scratchRows+row)
	{
		sum, twisting := zero(), zero()
		s.eachPoint("loaded", func(p reg.Register) {
			impulse := loadRow(at(p, pointImpulse))
			VADDPS(impulse, sum, sum)
			VMULPS(at(p, pointLever), impulse, impulse)
			VADDPS(impulse, twisting, twisting)
		})
		VMOVUPS(sum, load)
		VMULPS(at(s.o, octetFriction), twisting, twisting)
		VMULPS(at(s.o, octetSpinning), sum, sum)
		VADDPS(sum, twisting, twisting)
		VMOVUPS(twisting, most)
	}
	turning := func() vec {
		w := load3(s.col(1, colW))
		w.sub(s.col(0, colW))
		return w
	}
	CMPB(at(s.o, octetRolls), U8(0))
	JEQ(LabelRef("rolled"))
	{
		w := turning()
		w.sub(scaled(at(s.o, octetNormal), dot(w, at(s.o, octetNormal))))
		w = scaled(w, loadRow(at(s.o, octetRollMass)))
		roll := load3(at(s.o, octetRoll))
		roll.sub(w)
		limit, short := loadRow(load), vec{YMM(), YMM(), YMM()}
		for i := range short {
			VMOVAPS(roll[i], short[i])
		}
		s.scale("roll", octetRollMass, short[0], short[1], short[2], limit)
		VMULPS(at(s.o, octetRolling), limit, limit)
		roll = scaled(roll, s.shorten(dot(short, short), limit))
		change := vec{YMM(), YMM(), YMM()}
		for i := range change {
			VSUBPS(at(s.o, octetRoll+row*i), roll[i], change[i])
		}
		roll.store(at(s.o, octetRoll))
		s.spin(change)
	}
	Label("rolled")
	{
		x := dot(turning(), at(s.o, octetNormal))
		old, limit, low := loadRow(at(s.o, octetTwist)), loadRow(most), YMM()
		VMULPS(at(s.o, octetTwistMass), x, x)
		VSUBPS(x, old, x)
		VXORPS(s.sign, limit, low)
		VMAXPS(low, x, x)
		VMINPS(limit, x, x)
		VMOVUPS(x, at(s.o, octetTwist))
		VSUBPS(old, x, x)
		s.spin(scaled(at(s.o, octetNormal), x))
	}
	v := load3(s.col(1, colV))
	// Against the order of cross, w×arm is wanted: the products are the same, and so are their
	// differences.
	v.add(cross(load3(s.col(1, colW)), at(s.o, octetArmB)))
	v.sub(s.col(0, colV))
	v.sub(cross(load3(s.col(0, colW)), at(s.o, octetArmA)))
	v0, v1 := dot(v, at(s.o, octetTangent)), dot(v, at(s.o, octetTangent+3*row))
	VSUBPS(at(s.o, octetSlide), v0, v0)
	VSUBPS(at(s.o, octetSlide+row), v1, v1)
	xy := s.slip(v0, v1, load)
	for i, x := range xy {
		old := loadRow(at(s.o, octetTangential+row*i))
		VMOVUPS(x, at(s.o, octetTangential+row*i))
		VSUBPS(old, x, x)
	}
	force := s.along(xy[0], xy[1])
	s.thrust(force)
	for side := range 2 {
		c := s.apply(side, cross(at(s.o, octetArmA+3*row*side), force))
		w := load3(s.col(side, colW))
		if side == 0 {
			w.sub(c)
		} else {
			w.add(c)
		}
		w.store(s.col(side, colW))
	}
	Label("braked")
	s.push(false)
}

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

// vec is a vector in three registers.
type vec [3]reg.VecVirtual

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

// span is a range of bytes of an octet or a point.
type span struct{ from, to int }

// ahead prefetches some parts of the next octet, and its bodies. The octets of a large pile exceed
// a second-level cache, and the processor does not follow the gaps between the parts. The indices
// of the bodies must be there by then: they are prefetched one octet earlier.
func (s *solver) ahead(size int, inert bool, parts []span) {
	prefetch(s.o, size, parts)
	CMPQ(s.left, U8(1))
	JEQ(LabelRef("last"))
	PREFETCHT0(at(s.o, 2*size))
	motions, inertias := Load(Param("motions"), GP64()), reg.Register(nil)
	if inert {
		inertias = Load(Param("inertias"), GP64())
	}
	// A loop, since these lines in full would be a tenth of the assembly.
	body, bodies, i := GP64(), GP64(), GP64()
	LEAQ(at(s.o, size), body)
	MOVQ(U32(16), bodies)
	Label("body")
	MOVL(at(body, 0), i.As32())
	SHLQ(U8(inertiaBytes), i)
	PREFETCHT0(indexed(motions, i, 2, 0))
	if inert {
		PREFETCHT0(indexed(inertias, i, 1, 0))
	}
	ADDQ(U8(4), body)
	DECQ(bodies)
	JNZ(LabelRef("body"))
	Label("last")
}

// prefetch prefetches the cache lines of some parts of what is some bytes further.
func prefetch(p reg.Register, bytes int, parts []span) {
	const line = 64
	for _, s := range parts {
		for i := s.from &^ (line - 1); i < s.to; i += line {
			PREFETCHT0(at(p, bytes+i))
		}
	}
}

// turn transposes four vectors of four numbers in each half of the registers.
func turn4(r [4]reg.VecVirtual) (c [4]reg.VecVirtual) {
	var t [4]reg.VecVirtual
	for i := range t {
		t[i], c[i] = YMM(), YMM()
	}
	VUNPCKLPS(r[1], r[0], t[0])
	VUNPCKHPS(r[1], r[0], t[1])
	VUNPCKLPS(r[3], r[2], t[2])
	VUNPCKHPS(r[3], r[2], t[3])
	VUNPCKLPD(t[2], t[0], c[0])
	VUNPCKHPD(t[2], t[0], c[1])
	VUNPCKLPD(t[3], t[1], c[2])
	VUNPCKHPD(t[3], t[1], c[3])
	return c
}

// quad is four numbers of an element of a list, from an offset on, that become rows of the frame.
type quad struct {
	from, col int
	last      bool // only the fourth is needed
}

// gatherColumns writes some numbers of each of eight elements of a list as rows to the frame.
func gatherColumns(base, index, to reg.Register, shift int, quads ...quad) {
	r := make([][4]reg.VecVirtual, len(quads))
	for l := range 4 {
		i, k := GP64(), GP64()
		MOVL(at(index, 4*l), i.As32())
		MOVL(at(index, 4*l+16), k.As32())
		SHLQ(U8(shift), i)
		SHLQ(U8(shift), k)
		for n, q := range quads {
			r[n][l] = YMM()
			VBROADCASTF128(indexed(base, i, 1, q.from), r[n][l])
			VINSERTF128(U8(1), indexed(base, k, 1, q.from), r[n][l], r[n][l])
		}
	}
	for n, q := range quads {
		if q.last {
			t, u := YMM(), YMM()
			VUNPCKHPS(r[n][1], r[n][0], t)
			VUNPCKHPS(r[n][3], r[n][2], u)
			VUNPCKHPD(u, t, t)
			VMOVUPS(t, at(to, q.col+3*row))
			continue
		}
		for k, c := range turn4(r[n]) {
			VMOVUPS(c, at(to, q.col+row*k))
		}
	}
}

// gather writes the columns of both sides' bodies to the frame.
func (s *solver) gather(moved, inert bool) {
	motions, inertias := Load(Param("motions"), GP64()), reg.Register(nil)
	if inert {
		inertias = Load(Param("inertias"), GP64())
	}
	index, to, sides := GP64(), GP64(), GP64()
	MOVQ(s.o, index)
	MOVQ(s.f, to)
	MOVQ(U32(2), sides)
	Label("gather")
	quads := []quad{{from: 0, col: colV}, {from: 16, col: colV + 4*row}}
	if moved {
		quads = append(quads, quad{from: 32, col: colV + 8*row, last: s.flat})
	}
	gatherColumns(motions, index, to, motionBytes, quads...)
	if inert {
		quads := []quad{{from: 0, col: colInertia, last: s.flat}}
		if !s.flat {
			quads = append(quads, quad{from: 16, col: colInertia + 4*row})
		}
		gatherColumns(inertias, index, to, inertiaBytes, quads...)
	}
	ADDQ(U8(octetB), index)
	ADDQ(U32(sideSize), to)
	DECQ(sides)
	JNZ(LabelRef("gather"))
}

// scatter writes the velocities in the frame to the dynamic bodies.
func (s *solver) scatter() {
	motions := Load(Param("motions"), GP64())
	index, from, mass, sides := GP64(), GP64(), GP64(), GP64()
	MOVQ(s.o, index)
	MOVQ(s.f, from)
	LEAQ(at(s.o, octetInvMassA), mass)
	MOVQ(U32(2), sides)
	Label("scatter")
	moves, mask := YMM(), GP32()
	VXORPS(moves, moves, moves)
	VCMPPS(less, at(mass, 0), moves, moves)
	VMOVMSKPS(moves, mask)
	TESTL(mask, mask)
	JZ(LabelRef("still"))
	var r [4]reg.VecVirtual
	for k := range r {
		r[k] = YMM()
		VMOVUPS(at(from, colV+row*k), r[k])
	}
	low := turn4(r)
	y, z, high := YMM(), YMM(), [2]reg.VecVirtual{YMM(), YMM()}
	VMOVUPS(at(from, colW+row), y)
	VMOVUPS(at(from, colW+2*row), z)
	VUNPCKLPS(z, y, high[0])
	VUNPCKHPS(z, y, high[1])
	for half := range 2 {
		for l := range 4 {
			i, h := GP64(), high[l/2].AsX()
			next := LabelRef("fixed" + string(rune('0'+4*half+l)))
			BTL(U8(4*half+l), mask)
			JCC(next)
			MOVL(at(index, 4*(4*half+l)), i.As32())
			SHLQ(U8(motionBytes), i)
			ADDQ(motions, i)
			VMOVUPS(low[l].AsX(), at(i, 0))
			if l%2 == 0 {
				VMOVLPS(h, at(i, 16))
			} else {
				VMOVHPS(h, at(i, 16))
			}
			Label(string(next))
		}
		if half == 0 {
			for _, v := range append(low[:], high[:]...) {
				VEXTRACTF128(U8(1), v, v.AsX())
			}
		}
	}
	Label("still")
	ADDQ(U8(octetB), index)
	ADDQ(U32(sideSize), from)
	ADDQ(U8(row), mass)
	DECQ(sides)
	JNZ(LabelRef("scatter"))
}

// col is the place of a column in the frame.
func (s *solver) col(side, offset int) Mem { return at(s.f, sideSize*side+offset) }

func load3(from Mem) (v vec) {
	for i := range v {
		v[i] = YMM()
		VMOVUPS(from.Offset(row*i), v[i])
	}
	return v
}

func (v *vec) store(to Mem) {
	for i := range v {
		VMOVUPS(v[i], to.Offset(row*i))
	}
}

// operand is a component of a vector in registers or in memory.
func operands(v any) (o [3]Op) {
	for i := range o {
		switch v := v.(type) {
		case Mem:
			o[i] = v.Offset(row * i)
		case vec:
			o[i] = v[i]
		}
	}
	return o
}

// dot returns v·w; w may be in memory.
func dot(v vec, w any) reg.VecVirtual {
	sum, t := YMM(), YMM()
	o := operands(w)
	VMULPS(o[0], v[0], sum)
	VMULPS(o[1], v[1], t)
	VADDPS(t, sum, sum)
	VMULPS(o[2], v[2], t)
	VADDPS(t, sum, sum)
	return sum
}

// cross returns v×w; v may be in memory.
func cross(v any, w vec) (c vec) {
	o := operands(v)
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = YMM()
		t := YMM()
		VMULPS(o[j], w[k], c[i])
		VMULPS(o[k], w[j], t)
		VSUBPS(t, c[i], c[i])
	}
	return c
}

// scaled returns v·s; v may be in memory.
func scaled(v any, s reg.VecVirtual) (c vec) {
	o := operands(v)
	for i := range c {
		c[i] = YMM()
		VMULPS(o[i], s, c[i])
	}
	return c
}

func (v vec) add(w any) {
	o := operands(w)
	for i := range v {
		VADDPS(o[i], v[i], v[i])
	}
}

func (v vec) sub(w any) {
	o := operands(w)
	for i := range v {
		VSUBPS(o[i], v[i], v[i])
	}
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

func zero() reg.VecVirtual {
	z := YMM()
	VXORPS(z, z, z)
	return z
}

func loadRow(from Mem) reg.VecVirtual {
	r := YMM()
	VMOVUPS(from, r)
	return r
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
		VORPS(hits, x, x)
		VMOVUPS(x, hits)
		k, exists := loadRow(index), YMM()
		VCMPPS(less, at(s.o, octetCount), k, exists)
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
	v.add(crossMem(load3(s.col(1, colW)), at(s.o, octetArmB)))
	v.sub(s.col(0, colV))
	v.sub(crossMem(load3(s.col(0, colW)), at(s.o, octetArmA)))
	v0, v1 := dot(v, at(s.o, octetTangent)), dot(v, at(s.o, octetTangent+3*row))
	VSUBPS(at(s.o, octetSlide), v0, v0)
	VSUBPS(at(s.o, octetSlide+row), v1, v1)
	var xy [2]reg.VecVirtual
	for i, m := range [][2]int{{octetM00, octetM01}, {octetM01, octetM11}} {
		xy[i] = loadRow(at(s.o, octetTangential+row*i))
		for k, v := range []reg.VecVirtual{v0, v1} {
			t := YMM()
			VMULPS(at(s.o, m[k]), v, t)
			VSUBPS(t, xy[i], xy[i])
		}
	}
	square, t, limit := YMM(), YMM(), loadRow(load)
	VMOVAPS(xy[0], square)
	VMOVAPS(xy[1], t)
	s.scale("slide", octetM00, square, t, limit)
	VMULPS(square, square, square)
	VMULPS(t, t, t)
	VADDPS(t, square, square)
	VMULPS(at(s.o, octetFriction), limit, limit)
	k := s.shorten(square, limit)
	for i, x := range xy {
		old := loadRow(at(s.o, octetTangential+row*i))
		VMULPS(k, x, x)
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

// crossMem returns v×w with w in memory.
func crossMem(v vec, w Mem) (c vec) {
	o := operands(w)
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = YMM()
		t := YMM()
		VMULPS(o[k], v[j], c[i])
		VMULPS(o[j], v[k], t)
		VSUBPS(t, c[i], c[i])
	}
	return c
}

package main

// The kernel of package rigid: octet.solve and octet.relax for octets one after the other, with the
// operations of those methods in the same order. Four lanes twice are the eight of an octet.

// Offsets in rigid.solverJob, octet, points, motion and inertia; a test in package rigid compares
// them with those of the compiler.
const (
	solverOctets, solverCount, solverMotions, solverInertias = 0, 4, 8, 12
	solverPushSpeed, solverRate, solverRelaxes               = 16, 20, 24

	octetA, octetB, octetN, octetBrakes, octetRolls = 0, 32, 64, 72, 73
	octetVast                                       = 80
	octetNormal, octetInvMassA, octetInvMassB       = 96, 192, 224
	octetBias, octetShare, octetBack                = 256, 288, 320
	octetTangent, octetArmA, octetArmB, octetSlide  = 384, 576, 672, 768
	octetM00, octetM01, octetM11, octetTangential   = 832, 864, 896, 928
	octetTwistMass, octetTwist, octetFriction       = 992, 1024, 1056
	octetRolling, octetSpinning                     = 1120, 1152
	octetRoll, octetRollMass                        = 1184, 1280
	octetPoints, octetSize                          = 1312, 3648

	pointArmA, pointArmB, pointTurnA, pointTurnB = 0, 96, 192, 288
	pointGap, pointMass, pointImpulse, pointMost = 384, 416, 448, 480
	pointLever, pointSize                        = 512, 576

	motionShift, motionW, inertiaShift = 6, 12, 5
)

// Those of scaleOf of package rigid.
const exponentBits, scaleBits = 0x7f800000, 0x7f000000

// vec is a vector of each of four lanes.
type vec [3]local

// bodyLanes is the bodies of four lanes on one side.
type bodyLanes struct {
	motion, inertia   [4]local // addresses
	v, w, moved, turn vec
	massOffset        int
	matrix            [6]local // xx, yy, zz, xy, xz, yz
}

// solver is the function and its variables.
type solver struct {
	*function
	octet, at  local // addresses of the octet, and of its first or last four lanes
	n, point   local
	normal     vec
	a, b       bodyLanes
	zero, ones local
}

func writeSolver() *function {
	s := solver{function: &function{}}
	s.octet, s.at, s.point, s.n = s.local(i32), s.local(i32), s.local(i32), s.local(i32)
	count, half := s.local(i32), s.local(i32)
	s.zero, s.ones = s.let(v128, splat(0)), s.let(v128, splat(1))
	s.a.massOffset, s.b.massOffset = octetInvMassA, octetInvMassB
	s.set(s.octet, i32Load.of(job, solverOctets))
	s.set(count, i32Load.of(job, solverCount))
	s.loop(func(again label) {
		s.set(half, i32Const(0))
		s.loop(func(other label) {
			s.set(s.at, i32Add.of(s.octet, half))
			s.four()
			s.set(half, i32Add.of(half, i32Const(16)))
			s.brIf(other, i32LtS.of(half, i32Const(32)))
		})
		s.set(s.octet, i32Add.of(s.octet, i32Const(octetSize)))
		s.set(count, i32Sub.of(count, i32Const(1)))
		s.brIf(again, count)
	})
	s.emit(i32Const(1).code())
	return s.function
}

// four solves four lanes.
func (s *solver) four() {
	s.set(s.n, i32Load.of(s.octet, octetN))
	s.normal = s.vec(s.at, octetNormal)
	s.gather(&s.a, octetA)
	s.gather(&s.b, octetB)
	s.either(i32Load.of(job, solverRelaxes), func() {
		s.when(i32Load8.of(s.octet, octetBrakes), s.brake)
		s.push(false)
	}, func() { s.push(true) })
	s.scatter(&s.a)
	s.scatter(&s.b)
}

func splat(x float32) expr { return f32x4Splat.of(f32Const(x)) }

func (s *solver) row(address expr, offset int) local {
	return s.let(v128, v128Load.of(address, offset))
}

func (s *solver) vec(address expr, offset int) vec {
	return vec{s.row(address, offset), s.row(address, offset+row), s.row(address, offset+2*row)}
}

func add(a, b expr) expr { return f32x4Add.of(a, b) }
func sub(a, b expr) expr { return f32x4Sub.of(a, b) }
func mul(a, b expr) expr { return f32x4Mul.of(a, b) }

// greater and lesser are those of package rigid.
func greater(x, y expr) expr { return f32x4Larger.of(y, x) }
func lesser(x, y expr) expr  { return f32x4Lesser.of(y, x) }

func dot(a, b vec) expr { return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2])) }

// each returns a vector whose components f gives.
func (s *solver) each(f func(i int) expr) (v vec) {
	for i := range v {
		v[i] = s.let(v128, f(i))
	}
	return v
}

func (s *solver) minus(a, b vec) vec { return s.each(func(i int) expr { return sub(a[i], b[i]) }) }
func (s *solver) plus(a, b vec) vec  { return s.each(func(i int) expr { return add(a[i], b[i]) }) }
func (s *solver) times(a vec, k local) vec {
	return s.each(func(i int) expr { return mul(a[i], k) })
}

func (s *solver) cross(a, b vec) vec {
	return s.each(func(i int) expr {
		j, k := (i+1)%3, (i+2)%3
		return sub(mul(a[j], b[k]), mul(a[k], b[j]))
	})
}

// become sets a vector.
func (s *solver) become(v, to vec) {
	for i := range v {
		s.set(v[i], to[i])
	}
}

// apply is inertia.apply.
func (s *solver) apply(b *bodyLanes, l vec) vec {
	rows := [3][3]int{{0, 3, 4}, {3, 1, 5}, {4, 5, 2}}
	return s.each(func(i int) expr {
		r := rows[i]
		return add(add(mul(b.matrix[r[0]], l[0]), mul(b.matrix[r[1]], l[1])), mul(b.matrix[r[2]], l[2]))
	})
}

// mix takes lanes of four bytes each from two vectors, of which the second has 4 to 7.
func mix(a, b expr, lanes ...byte) expr {
	o := vector(13)
	for _, l := range lanes {
		o = append(o, 4*l, 4*l+1, 4*l+2, 4*l+3)
	}
	return o.of(a, b)
}

// transpose exchanges the rows and the columns of four vectors.
func (s *solver) transpose(r [4]local) [4]local {
	low, high := s.let(v128, mix(r[0], r[1], 0, 4, 1, 5)), s.let(v128, mix(r[0], r[1], 2, 6, 3, 7))
	low2, high2 := s.let(v128, mix(r[2], r[3], 0, 4, 1, 5)), s.let(v128, mix(r[2], r[3], 2, 6, 3, 7))
	return [4]local{
		s.let(v128, mix(low, low2, 0, 1, 4, 5)), s.let(v128, mix(low, low2, 2, 3, 6, 7)),
		s.let(v128, mix(high, high2, 0, 1, 4, 5)), s.let(v128, mix(high, high2, 2, 3, 6, 7)),
	}
}

// columns loads 16 bytes at each of four addresses and returns them transposed.
func (s *solver) columns(addresses [4]local, offset int) [4]local {
	var r [4]local
	for i := range r {
		r[i] = s.row(addresses[i], offset)
	}
	return s.transpose(r)
}

// gather loads the motions of four bodies.
func (s *solver) gather(b *bodyLanes, bodies int) {
	for i := range b.motion {
		body := s.let(i32, i32Load.of(s.at, bodies+4*i))
		b.motion[i] = s.let(i32, i32Add.of(i32Load.of(job, solverMotions), i32Shl.of(body, i32Const(motionShift))))
		b.inertia[i] = s.let(i32, i32Add.of(i32Load.of(job, solverInertias), i32Shl.of(body, i32Const(inertiaShift))))
	}
	p, q, r := s.columns(b.motion, 0), s.columns(b.motion, 16), s.columns(b.motion, 32)
	b.v, b.w = vec{p[0], p[1], p[2]}, vec{p[3], q[0], q[1]}
	b.moved, b.turn = vec{q[2], q[3], r[0]}, vec{r[1], r[2], r[3]}
}

// scatter stores the velocities of the bodies that are dynamic.
func (s *solver) scatter(b *bodyLanes) {
	first := s.transpose([4]local{b.v[0], b.v[1], b.v[2], b.w[0]})
	rest := [2]local{s.let(v128, mix(b.w[1], b.w[2], 0, 4, 1, 5)), s.let(v128, mix(b.w[1], b.w[2], 2, 6, 3, 7))}
	for i := range b.motion {
		s.when(f32Gt.of(f32Load.of(s.at, b.massOffset+4*i), f32Const(0)), func() {
			s.store(v128Store, b.motion[i], 0, first[i])
			s.emit(b.motion[i].code(), rest[i/2].code(), v128Store64Lane.at(16).lane(byte(i%2)))
		})
	}
}

// eachPoint runs its body with s.point at four lanes of each point.
func (s *solver) eachPoint(body func()) {
	left := s.let(i32, s.n)
	s.set(s.point, i32Add.of(s.at, i32Const(octetPoints)))
	s.block(func(none label) {
		s.brIf(none, i32Eqz.of(left))
		s.loop(func(again label) {
			body()
			s.set(s.point, i32Add.of(s.point, i32Const(pointSize)))
			s.set(left, i32Sub.of(left, i32Const(1)))
			s.brIf(again, left)
		})
	})
}

// push is octet.push.
func (s *solver) push(soft bool) {
	a, b, n := &s.a, &s.b, s.normal
	invA, invB := s.row(s.at, octetInvMassA), s.row(s.at, octetInvMassB)
	mass := s.let(v128, add(invA, invB))
	speed := s.let(v128, dot(n, s.minus(b.v, a.v)))
	nearer := s.let(v128, dot(n, s.minus(b.moved, a.moved)))
	total := s.let(v128, s.zero)
	rate := s.let(v128, f32x4Splat.of(f32Load.of(job, solverRate)))
	var most, bias0, share0, back0 local
	if soft {
		most = s.let(v128, f32x4Neg.of(f32x4Splat.of(f32Load.of(job, solverPushSpeed))))
		bias0, share0, back0 = s.row(s.at, octetBias), s.row(s.at, octetShare), s.row(s.at, octetBack)
	}
	s.eachPoint(func() {
		p := s.point
		armA, armB := s.vec(p, pointArmA), s.vec(p, pointArmB)
		impulse := s.row(p, pointImpulse)
		gap := s.let(v128, sub(add(add(v128Load.of(p, pointGap), nearer), dot(armB, b.turn)), dot(armA, a.turn)))
		v := s.let(v128, sub(add(speed, dot(armB, b.w)), dot(armA, a.w)))
		apart := s.let(v128, f32x4Gt.of(gap, s.zero))
		near := mul(gap, rate)
		if !soft {
			s.set(v, add(v, bitselect.of(near, s.zero, apart)))
			now := s.let(v128, sub(impulse, mul(v128Load.of(p, pointMass), v)))
			s.pushed(now, impulse, total, speed, mass)
			return
		}
		s.set(v, add(v, bitselect.of(near, greater(mul(bias0, gap), most), apart)))
		s.set(v, mul(bitselect.of(s.ones, share0, apart), v))
		now := s.let(v128, sub(impulse, mul(v128Load.of(p, pointMass), v)))
		s.set(now, sub(now, mul(bitselect.of(s.zero, back0, apart), impulse)))
		s.pushed(now, impulse, total, speed, mass)
	})
	s.become(a.v, s.minus(a.v, s.times(n, s.let(v128, mul(total, invA)))))
	s.become(b.v, s.plus(b.v, s.times(n, s.let(v128, mul(total, invB)))))
}

// pushed stores the impulse of a point, which is not below 0, and applies its change.
func (s *solver) pushed(now, impulse, total, speed, mass local) {
	p := s.point
	s.set(now, greater(now, s.zero))
	change := s.let(v128, sub(now, impulse))
	s.store(v128Store, p, pointImpulse, now)
	s.store(v128Store, p, pointMost, greater(v128Load.of(p, pointMost), now))
	s.set(total, add(total, change))
	s.set(speed, add(speed, mul(change, mass)))
	s.become(s.a.w, s.minus(s.a.w, s.times(s.vec(p, pointTurnA), change)))
	s.become(s.b.w, s.minus(s.b.w, s.times(s.vec(p, pointTurnB), change)))
}

// shorten is shorten of package rigid.
func (s *solver) shorten(square, most expr) local {
	q, m := s.let(v128, square), s.let(v128, most)
	return s.let(v128, bitselect.of(f32x4Div.of(m, f32x4Sqrt.of(q)), s.ones, f32x4Gt.of(q, mul(m, m))))
}

// scaled multiplies numbers by scaleOf an effective mass if a lane has a vast one.
func (s *solver) scaled(mass int, numbers ...local) {
	s.when(i32Load.of(s.octet, octetVast), func() {
		exponent := v128And.of(v128Load.of(s.at, mass), i32x4Splat.of(i32Const(exponentBits)))
		scale := s.let(v128, i32x4Sub.of(i32x4Splat.of(i32Const(scaleBits)), exponent))
		for _, x := range numbers {
			s.set(x, mul(x, scale))
		}
	})
}

// slip is octet.slip. It consumes the velocity and the load.
func (s *solver) slip(old, v [2]local, load local) (x, y local) {
	m00, m01, m11 := s.row(s.at, octetM00), s.row(s.at, octetM01), s.row(s.at, octetM11)
	x = s.let(v128, sub(sub(old[0], mul(m00, v[0])), mul(m01, v[1])))
	y = s.let(v128, sub(sub(old[1], mul(m01, v[0])), mul(m11, v[1])))
	sx, sy := s.let(v128, x), s.let(v128, y)
	s.scaled(octetM00, sx, sy, load)
	most := s.let(v128, mul(v128Load.of(s.at, octetFriction), load))
	k := s.shorten(add(mul(sx, sx), mul(sy, sy)), most)
	slides := s.let(v128, f32x4Gt.of(s.ones, k))
	s.when(v128AnyTrue.of(slides), func() {
		share := s.let(v128, add(m00, m11))
		s.set(share, bitselect.of(f32x4Div.of(s.ones, share), s.zero, f32x4Gt.of(share, s.zero)))
		mass := s.let(v128, sub(mul(m00, mul(m11, share)), mul(m01, mul(m01, share))))
		s.set(mass, add(mass, mass))
		s.set(x, bitselect.of(sub(old[0], mul(mass, v[0])), x, slides))
		s.set(y, bitselect.of(sub(old[1], mul(mass, v[1])), y, slides))
		s.set(sx, x)
		s.set(sy, y)
		s.scaled(octetM00, sx, sy)
		s.set(k, s.shorten(add(mul(sx, sx), mul(sy, sy)), most))
	})
	s.set(x, mul(x, k))
	s.set(y, mul(y, k))
	return x, y
}

// turn applies an angular impulse to b, and its opposite to a.
func (s *solver) turn(change vec) {
	s.become(s.a.w, s.minus(s.a.w, s.apply(&s.a, change)))
	s.become(s.b.w, s.plus(s.b.w, s.apply(&s.b, change)))
}

// brake is octet.brake.
func (s *solver) brake() {
	a, b, n := &s.a, &s.b, s.normal
	for _, body := range []*bodyLanes{a, b} {
		p, q := s.columns(body.inertia, 0), s.columns(body.inertia, 16)
		body.matrix = [6]local{p[1], p[2], p[3], q[0], q[1], q[2]}
	}
	load, twisting := s.let(v128, s.zero), s.let(v128, s.zero)
	s.eachPoint(func() {
		impulse := s.row(s.point, pointImpulse)
		s.set(load, add(load, impulse))
		s.set(twisting, add(twisting, mul(impulse, v128Load.of(s.point, pointLever))))
	})
	s.when(i32Load8.of(s.octet, octetRolls), func() {
		w := s.minus(b.w, a.w)
		w = s.minus(w, s.times(n, s.let(v128, dot(n, w))))
		old := s.vec(s.at, octetRoll)
		roll := s.minus(old, s.times(w, s.row(s.at, octetRollMass)))
		short, limit := s.each(func(i int) expr { return roll[i] }), s.let(v128, load)
		s.scaled(octetRollMass, short[0], short[1], short[2], limit)
		roll = s.times(roll, s.shorten(dot(short, short), mul(v128Load.of(s.at, octetRolling), limit)))
		for i := range roll {
			s.store(v128Store, s.at, octetRoll+i*row, roll[i])
		}
		s.turn(s.minus(roll, old))
	})
	most := s.let(v128, add(mul(v128Load.of(s.at, octetFriction), twisting), mul(v128Load.of(s.at, octetSpinning), load)))
	old := s.row(s.at, octetTwist)
	twist := sub(old, mul(v128Load.of(s.at, octetTwistMass), dot(n, s.minus(b.w, a.w))))
	now := s.let(v128, lesser(greater(twist, f32x4Neg.of(most)), most))
	s.store(v128Store, s.at, octetTwist, now)
	s.turn(s.times(n, s.let(v128, sub(now, old))))

	armA, armB := s.vec(s.at, octetArmA), s.vec(s.at, octetArmB)
	t0, t1 := s.vec(s.at, octetTangent), s.vec(s.at, octetTangent+3*row)
	v := s.minus(s.minus(s.plus(b.v, s.cross(b.w, armB)), a.v), s.cross(a.w, armA))
	v0 := s.let(v128, sub(dot(t0, v), v128Load.of(s.at, octetSlide)))
	v1 := s.let(v128, sub(dot(t1, v), v128Load.of(s.at, octetSlide+row)))
	old0, old1 := s.row(s.at, octetTangential), s.row(s.at, octetTangential+row)
	x, y := s.slip([2]local{old0, old1}, [2]local{v0, v1}, load)
	s.store(v128Store, s.at, octetTangential, x)
	s.store(v128Store, s.at, octetTangential+row, y)
	force := s.plus(s.times(t0, s.let(v128, sub(x, old0))), s.times(t1, s.let(v128, sub(y, old1))))
	s.become(a.v, s.minus(a.v, s.times(force, s.row(s.at, octetInvMassA))))
	s.become(b.v, s.plus(b.v, s.times(force, s.row(s.at, octetInvMassB))))
	s.become(a.w, s.minus(a.w, s.apply(a, s.cross(armA, force))))
	s.become(b.w, s.plus(b.w, s.apply(b, s.cross(armB, force))))
}

package rigid

import (
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// lanes is how many constraints are solved at once.
const lanes = 8

// row is a number of each constraint of an octet, and rows is a vector of each.
type (
	row  [lanes]float32
	rows struct{ x, y, z row }
)

func (r *rows) at(l int) geom.Vec3 { return geom.Vec3{X: r.x[l&7], Y: r.y[l&7], Z: r.z[l&7]} }

func (r *rows) set(l int, v geom.Vec3) { r.x[l&7], r.y[l&7], r.z[l&7] = v.X, v.Y, v.Z }

// octet is up to eight constraints of one color, in lanes. Since they touch no dynamic body twice,
// AVX2 or NEON solves them at once, in the routines of simd.go. The methods here are the same for
// one lane: they are the specification, and what other processors run. Each operation is one of the
// instruction set, in the same order, so that the bits are the same; see greater and lesser.
//
// A constraint is a manifold as the solver takes it: no two shapes, but two bodies that must not
// approach each other at up to four points along a normal. Impulses act on b, and their opposites
// on a. A lane without a constraint is zero, and so are the points that a constraint does not have:
// what is computed for them changes nothing.
//
// The generator of the assembly has the offsets of the fields as numbers.
type octet struct {
	octetHead

	// Those from n on are of an earlier step.
	points [physics.MaxContactPoints]points
	_      [32]byte
}

// octetHead is an octet without its points.
type octetHead struct {
	a, b [lanes]int32 // bodies; 0: static

	n    int32 // the greatest number of points of a lane
	used int32 // the number of lanes
	// What any lane has: friction of a kind; rolling resistance; restitution.
	brakes, rolls, bounces bool
	// In a planar space: pushFlat and relaxFlat solve it.
	flat bool
	hits uint32 // set of lanes that met fast enough for a Hit or an impact
	vast uint32 // set of lanes with an effective mass above vastMass
	_    [12]byte

	normal             rows
	invMassA, invMassB row
	// The softness of a lane.
	bias, share, back row
	count             row // of points

	tangent    [2]rows
	armA, armB rows   // from the bodies' centres to the centre of the points
	slide      [2]row // target speed along the tangents
	// Inverse of the effective mass along both tangents, a symmetric matrix, and the impulse.
	m00, m01, m11                            row
	tangential                               [2]row
	twistMass                                row
	twist                                    row // angular impulse about the normal
	friction, restitution, rolling, spinning row
	roll                                     rows // angular impulse across the normal
	rollMass                                 row
}

// points is a contact point of each constraint. The normal impulse at it changes the angular
// velocities by −turnA and −turnB per N·s.
type points struct {
	armA, armB   rows // cross products of the arms and the normal
	turnA, turnB rows
	gap          row // at the start of the step; negative: depth
	mass         row // effective mass along the normal
	impulse      row
	most         row // greatest impulse of a substep
	lever        row // distance from the centre of the points
	speed        row // along the normal at the start of the step; negative: they approach
}

// greater returns the greater of two numbers, and y if they are equal or one is NaN, as the
// instruction does.
func greater(x, y float32) float32 {
	if x > y {
		return x
	}
	return y
}

// lesser is greater for the lesser one.
func lesser(x, y float32) float32 {
	if x < y {
		return x
	}
	return y
}

// reciprocal returns 1/x; 0 if that is not a number above 0.
func reciprocal(x float32) float32 { return reciprocalAbove(x, 0) }

// reciprocalAbove returns 1/x; 0 if that is not a number above another, which is not negative.
func reciprocalAbove(x, least float32) float32 {
	if x > least {
		return 1 / x
	}
	return 0
}

// vastMass is the effective mass, in kg, beyond which impulses are scaled before they are squared.
// Greater: impulses have squares out of the range of single precision.
const vastMass = 0x1p40

// exponentBits are those of the exponent of a float32, and scaleBits twice the exponent of 1.
const (
	exponentBits = 0x7f800000
	scaleBits    = 0x7f000000
)

// scaleOf returns the power of two by which a number comes to between 1 and 2. A product with it is
// exact.
func scaleOf(x float32) float32 {
	return math.Float32frombits(scaleBits - math.Float32bits(x)&exponentBits)
}

// across returns a unit vector at right angles to a unit vector.
func across(n geom.Vec3) geom.Vec3 {
	t := geom.Vec3{Y: n.Z, Z: -n.Y}
	if n.X > 0.6 || n.X < -0.6 {
		t = geom.Vec3{X: -n.Z, Z: n.X}
	}
	return t.Mul(1 / float32(math.Sqrt(float64(t.LenSq()))))
}

// weigh computes all that follows from a lane's bodies, mixture and normal; from the impulses of
// friction and rolling of the step before, which are in tangent[0] and roll; and from the arms of
// the points, which are in armA and armB of each.
func (o *octet) weigh(l int, ma, mb *motion, ia, ib *inertia, hitSpeed float32) {
	l &= 7
	n := o.normal.at(l)
	o.invMassA[l], o.invMassB[l] = ia.mass, ib.mass
	mass := ia.mass + ib.mass
	var armA, armB geom.Vec3
	for k := range o.points[:o.n] {
		p := &o.points[k]
		armA, armB = armA.Add(p.armA.at(l)), armB.Add(p.armB.at(l))
	}
	share := reciprocal(o.count[l])
	armA, armB = armA.Mul(share), armB.Mul(share)
	o.armA.set(l, armA)
	o.armB.set(l, armB)
	away := n.Dot(mb.v.Sub(ma.v))
	hits := false
	for k := range o.points[:o.n] {
		p := &o.points[k]
		p.lever[l] = float32(math.Sqrt(float64(p.armB.at(l).Sub(armB).LenSq())))
		ra, rb := p.armA.at(l).Cross(n), p.armB.at(l).Cross(n)
		p.armA.set(l, ra)
		p.armB.set(l, rb)
		ta, tb := ia.apply(ra), ib.apply(rb)
		p.turnA.set(l, ta)
		p.turnB.set(l, tb.Neg())
		speed := away + rb.Dot(mb.w) - ra.Dot(ma.w)
		p.speed[l], p.mass[l] = speed, 0
		if float32(k) < o.count[l] {
			p.mass[l] = reciprocal(mass + ra.Dot(ta) + rb.Dot(tb))
			hits = hits || speed <= -hitSpeed
		}
	}
	if hits {
		o.hits |= 1 << l
	}
	t0 := across(n)
	t1 := n.Cross(t0)
	o.m00[l], o.m01[l], o.m11[l] = tangentMass(armA, armB, t0, t1, ia, ib)
	if o.vast &^= 1 << l; o.m00[l] > vastMass {
		o.vast |= 1 << l
	}
	o.twistMass[l] = reciprocal(n.Dot(ia.apply(n).Add(ib.apply(n))))
	friction, roll := o.tangent[0].at(l), o.roll.at(l)
	o.tangential[0][l], o.tangential[1][l] = t0.Dot(friction), t1.Dot(friction)
	o.twist[l] = n.Dot(roll)
	o.tangent[0].set(l, t0)
	o.tangent[1].set(l, t1)
	if o.rolling[l] > 0 {
		o.roll.set(l, roll.Sub(n.Mul(o.twist[l])))
		o.weighRoll(l, ia, ib)
	} else {
		o.roll.set(l, geom.Vec3{})
		o.rollMass[l] = 0
	}
}

// weighRoll computes the effective mass against rolling, the least of both directions.
func (o *octet) weighRoll(l int, ia, ib *inertia) {
	s0, s1 := o.tangent[0].at(l), o.tangent[1].at(l)
	o.rollMass[l] = reciprocal(greater(s0.Dot(ia.apply(s0).Add(ib.apply(s0))), s1.Dot(ia.apply(s1).Add(ib.apply(s1)))))
}

// velocities are those of the two bodies of a lane.
type velocities struct{ va, wa, vb, wb geom.Vec3 }

func velocitiesOf(a, b *motion) velocities { return velocities{a.v, a.w, b.v, b.w} }

// set sets the velocities of the two bodies. Those that are not dynamic may be read at the same
// time by others, and are not written.
func (o *octet) set(l int, a, b *motion, u *velocities) {
	if o.invMassA[l&7] > 0 {
		a.v, a.w = u.va, u.wa
	}
	if o.invMassB[l&7] > 0 {
		b.v, b.w = u.vb, u.wb
	}
}

// thrust applies an impulse to the centres.
func (u *velocities) thrust(force geom.Vec3, invMassA, invMassB float32) {
	u.va, u.vb = u.va.Sub(force.Mul(invMassA)), u.vb.Add(force.Mul(invMassB))
}

// warmStart applies the impulses of the last step.
func (o *octet) warmStart(l int, a, b *motion, ia, ib *inertia) {
	l &= 7
	u := velocitiesOf(a, b)
	total := float32(0)
	for k := range o.points[:o.n] {
		p := &o.points[k]
		impulse := p.impulse[l]
		total += impulse
		u.wa = u.wa.Sub(p.turnA.at(l).Mul(impulse))
		u.wb = u.wb.Sub(p.turnB.at(l).Mul(impulse))
	}
	n := o.normal.at(l)
	force := o.tangent[0].at(l).Mul(o.tangential[0][l]).Add(o.tangent[1].at(l).Mul(o.tangential[1][l]))
	spin := n.Mul(o.twist[l]).Add(o.roll.at(l))
	u.wa = u.wa.Sub(ia.apply(o.armA.at(l).Cross(force).Add(spin)))
	u.wb = u.wb.Add(ib.apply(o.armB.at(l).Cross(force).Add(spin)))
	u.thrust(force.Add(n.Mul(total)), o.invMassA[l], o.invMassB[l])
	o.set(l, a, b, &u)
}

// solve pushes the bodies apart along the normal, softly where they overlap.
func (o *octet) solve(l int, a, b *motion, pushSpeed, rate float32) {
	u := velocitiesOf(a, b)
	if o.flat {
		o.pushFlat(l, a, b, &u, true, pushSpeed, rate)
	} else {
		o.push(l, a, b, &u, true, pushSpeed, rate)
	}
	o.set(l, a, b, &u)
}

// relax applies friction and removes the velocity that the softness of solve added.
func (o *octet) relax(l int, a, b *motion, ia, ib *inertia, rate float32) {
	u := velocitiesOf(a, b)
	if o.flat {
		o.relaxFlat(l, a, b, &u, ia, ib, rate)
	} else {
		if o.brakes {
			o.brake(l, &u, ia, ib)
		}
		o.push(l, a, b, &u, false, 0, rate)
	}
	o.set(l, a, b, &u)
}

// push solves the points along the normal, softly where they overlap, or else rigidly. Since they
// share it, the relative velocity of the centres is needed along the normal alone. Bodies that are
// apart may come as near in the substep as rate, its inverse, allows.
func (o *octet) push(l int, a, b *motion, u *velocities, soft bool, pushSpeed, rate float32) {
	l &= 7
	n := o.normal.at(l)
	wa, wb := u.wa, u.wb
	mass := o.invMassA[l] + o.invMassB[l]
	speed := n.Dot(u.vb.Sub(u.va))
	nearer := n.Dot(b.moved.Sub(a.moved))
	ta, tb := a.turned, b.turned
	total := float32(0)
	for k := range o.points[:o.n] {
		p := &o.points[k]
		armA, armB := p.armA.at(l), p.armB.at(l)
		impulse := p.impulse[l]
		gap := p.gap[l] + nearer + armB.Dot(tb) - armA.Dot(ta)
		v := speed + armB.Dot(wb) - armA.Dot(wa)
		bias, share, back := float32(gap*rate), float32(1), float32(0)
		if !(gap > 0) {
			if bias = 0; soft {
				bias, share, back = greater(float32(o.bias[l]*gap), -pushSpeed), o.share[l], o.back[l]
			}
		}
		v += bias
		if soft {
			v = float32(share * v)
		}
		now := impulse - float32(p.mass[l]*v)
		if soft {
			now -= float32(back * impulse)
		}
		now = greater(now, 0)
		change := now - impulse
		p.impulse[l] = now
		p.most[l] = greater(p.most[l], now)
		total += change
		speed += float32(change * mass)
		wa = wa.Sub(p.turnA.at(l).Mul(change))
		wb = wb.Sub(p.turnB.at(l).Mul(change))
	}
	u.wa, u.wb = wa, wb
	u.va = u.va.Sub(n.Mul(total * o.invMassA[l]))
	u.vb = u.vb.Add(n.Mul(total * o.invMassB[l]))
}

// brake applies friction at the centre of the points, against sliding and against twisting about
// the normal, and rolling resistance.
func (o *octet) brake(l int, u *velocities, ia, ib *inertia) {
	l &= 7
	n := o.normal.at(l)
	wa, wb := u.wa, u.wb
	load, twisting := float32(0), float32(0)
	for k := range o.points[:o.n] {
		p := &o.points[k]
		load += p.impulse[l]
		twisting += float32(p.impulse[l] * p.lever[l])
	}
	if o.rolls {
		old := o.roll.at(l)
		roll := o.resist(l, old, wb.Sub(wa), load)
		o.roll.set(l, roll)
		change := roll.Sub(old)
		wa, wb = wa.Sub(ia.apply(change)), wb.Add(ib.apply(change))
	}
	most := float32(o.friction[l]*twisting) + float32(o.spinning[l]*load)
	old := o.twist[l]
	twist := lesser(greater(old-float32(o.twistMass[l]*n.Dot(wb.Sub(wa))), -most), most)
	o.twist[l] = twist
	change := n.Mul(twist - old)
	wa, wb = wa.Sub(ia.apply(change)), wb.Add(ib.apply(change))
	armA, armB := o.armA.at(l), o.armB.at(l)
	t0, t1 := o.tangent[0].at(l), o.tangent[1].at(l)
	v := u.vb.Add(wb.Cross(armB)).Sub(u.va).Sub(wa.Cross(armA))
	v0, v1 := t0.Dot(v)-o.slide[0][l], t1.Dot(v)-o.slide[1][l]
	old0, old1 := o.tangential[0][l], o.tangential[1][l]
	x, y := o.slip(l, old0, old1, v0, v1, load)
	o.tangential[0][l], o.tangential[1][l] = x, y
	force := t0.Mul(x - old0).Add(t1.Mul(y - old1))
	u.thrust(force, o.invMassA[l], o.invMassB[l])
	u.wa, u.wb = wa.Sub(ia.apply(armA.Cross(force))), wb.Add(ib.apply(armB.Cross(force)))
}

// slip returns what an impulse of friction becomes, by the velocity along the surface and the
// normal impulses: what stops the bodies, unless that is more than Coulomb's law allows. Then they
// slide, and friction is against the velocity. The impulse that would stop them, shortened, is not:
// a crate that slides askew veered by up to 9°. Steps along the velocity have that limit. They
// converge soonest if the mass is by the mean of the largest and the least inverse mass along the
// surface (Richardson 1911).
func (o *octet) slip(l int, x, y, v0, v1, load float32) (float32, float32) {
	l &= 7
	m00, m01, m11, scale := o.m00[l], o.m01[l], o.m11[l], float32(1)
	if o.vast != 0 {
		scale = scaleOf(m00)
		load = float32(load * scale)
	}
	most := float32(o.friction[l] * load)
	stopX := x - float32(m00*v0) - float32(m01*v1)
	stopY := y - float32(m01*v0) - float32(m11*v1)
	k := shorten(squareOf(stopX, stopY, scale), most)
	if k < 1 && !o.flat { // in the plane there is one direction
		share := reciprocal(m00 + m11)
		mass := float32(m00*float32(m11*share)) - float32(m01*float32(m01*share))
		mass += mass
		stopX, stopY = x-float32(mass*v0), y-float32(mass*v1)
		k = shorten(squareOf(stopX, stopY, scale), most)
	}
	return float32(stopX * k), float32(stopY * k)
}

// squareOf returns the square of the length of a vector that is scaled.
func squareOf(x, y, scale float32) float32 {
	x, y = float32(x*scale), float32(y*scale)
	return float32(x*x) + float32(y*y)
}

// resist returns what the angular impulse of rolling resistance becomes, by the angular velocity of
// B against that of A and the normal impulses.
func (o *octet) resist(l int, roll, w geom.Vec3, load float32) geom.Vec3 {
	l &= 7
	n := o.normal.at(l)
	w = w.Sub(n.Mul(n.Dot(w)))
	roll = roll.Sub(w.Mul(o.rollMass[l]))
	short := roll
	if o.vast != 0 {
		scale := scaleOf(o.rollMass[l])
		short, load = short.Mul(scale), float32(load*scale)
	}
	return roll.Mul(shorten(short.LenSq(), float32(o.rolling[l]*load)))
}

// shorten returns the factor that limits a vector, of which the square of the length is given.
func shorten(square, most float32) float32 {
	if square > float32(most*most) {
		return most / float32(math.Sqrt(float64(square)))
	}
	return 1
}

const (
	// bounceSweeps is how often the points of an impact are solved at most. Fewer: what falls flat
	// turns, and a tower of 0.4 × 2 × 0.4 m, after one, bounces by 1.3 times its fall.
	bounceSweeps = 100
	// bounceShare is the share of the impulses by which the last sweep changes them at most.
	bounceShare = 0.0005
)

// restitute gives bodies back the share of the speed at which they met, if it was at least
// leastSpeed. Gravity accelerates B away from A along the normal, and changes their speed by half
// in half a substep. The speed is the one that a parabola through the start of the step has where
// they are now: a place that the semi-implicit Euler method comes to belongs to half a substep
// later than the speed that it has there. So what bounces by all its speed comes back to the same
// height again and again (dimforge/rapier#97, jrouwe/JoltPhysics#1286).
func (o *octet) restitute(l int, a, b *motion, gravity, half, leastSpeed float32) {
	l &= 7
	if !(o.restitution[l] > 0) {
		return
	}
	n := o.normal.at(l)
	wa, wb := a.w, b.w
	mass := o.invMassA[l] + o.invMassB[l]
	speed, apart := n.Dot(b.v.Sub(a.v)), n.Dot(b.moved.Sub(a.moved))
	total := float32(0)
	for range bounceSweeps {
		least, most := float32(0), float32(0)
		for k := range o.points[:o.n] {
			p := &o.points[k]
			met, impulse := p.speed[l]+half, p.impulse[l]
			if met < 0 {
				away := apart + p.armB.at(l).Dot(b.turned) - p.armA.at(l).Dot(a.turned)
				met = -float32(math.Sqrt(float64(greater(float32(met*met)+float32(2*gravity*away), 0))))
			}
			if met > -leastSpeed || p.most[l] == 0 {
				continue
			}
			v := speed + p.armB.at(l).Dot(wb) - p.armA.at(l).Dot(wa)
			now := greater(impulse-float32(p.mass[l]*(v+half+float32(o.restitution[l]*met))), 0)
			change := now - impulse
			p.impulse[l] = now
			p.most[l] = greater(p.most[l], now)
			least, most = lesser(least, change), greater(most, change)
			total += change
			speed += float32(change * mass)
			wa = wa.Sub(p.turnA.at(l).Mul(change))
			wb = wb.Sub(p.turnB.at(l).Mul(change))
		}
		if o.count[l] < 2 || most-least <= float32(bounceShare*total) {
			break
		}
	}
	o.set(l, a, b, &velocities{a.v.Sub(n.Mul(total * o.invMassA[l])), wa, b.v.Add(n.Mul(total * o.invMassB[l])), wb})
}

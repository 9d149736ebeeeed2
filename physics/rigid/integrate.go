package rigid

import (
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// weigh computes the inverse inertia of a body in world axes.
func (d *Dynamics) weigh(i int32) {
	n := &d.inertias[i]
	was := n.mass
	if !d.weighFlat(n, i) {
		*n = d.inertiaOf(i)
	}
	if n.mass != was {
		d.persistent.reweighs.Store(true)
	}
}

// inertiaOf returns the inverse inertia of a body in world axes, as it is turned now.
func (d *Dynamics) inertiaOf(i int32) inertia {
	b := &d.bodies[i]
	if !b.moves {
		return inertia{}
	}
	var flat inertia
	if d.weighFlat(&flat, i) {
		return flat
	}
	x, y, z := axes(product(d.motions[i].q, b.axes))
	inverse := b.inverse
	if b.least > 0 {
		most := 1 / b.least
		inverse = inverse.Min(geom.Vec3{X: most, Y: most, Z: most})
	}
	p, q, r := x.Mul(inverse.X), y.Mul(inverse.Y), z.Mul(inverse.Z)
	n := inertia{
		mass: b.solverInvMass(),
		xx:   float32(p.X*x.X) + float32(q.X*y.X) + float32(r.X*z.X),
		yy:   float32(p.Y*x.Y) + float32(q.Y*y.Y) + float32(r.Y*z.Y),
		zz:   float32(p.Z*x.Z) + float32(q.Z*y.Z) + float32(r.Z*z.Z),
		xy:   float32(p.X*x.Y) + float32(q.X*y.Y) + float32(r.X*z.Y),
		xz:   float32(p.X*x.Z) + float32(q.X*y.Z) + float32(r.X*z.Z),
		yz:   float32(p.Y*x.Z) + float32(q.Y*y.Z) + float32(r.Y*z.Z),
	}
	if b.set.Locked&(TurnX|TurnY|TurnZ) != 0 {
		n.lock(b.set.Locked)
	}
	return n
}

// lockedShare scales the inverse mass of a body that can turn but not move. 0: the solver would
// take the body for a static one, which does not turn. Greater: heavy bodies sink into it.
const lockedShare = 1e-6

// solverInvMass returns the inverse mass, in 1/kg, that contacts and joints are solved with.
func (b *body) solverInvMass() float32 {
	if all := MoveX | MoveY | MoveZ; b.set.Locked&all == all {
		return lockedShare * b.invMass
	}
	return b.invMass
}

// lock makes the inertia about some axes infinite: it takes the Schur complement of each.
func (n *inertia) lock(axes Axes) {
	m := [3][3]float32{{n.xx, n.xy, n.xz}, {n.xy, n.yy, n.yz}, {n.xz, n.yz, n.zz}}
	for k := range m {
		if axes>>(3+k)&1 == 0 || m[k][k] == 0 {
			continue
		}
		row := m[k]
		for i := range m {
			for j := range m {
				m[i][j] -= float32(row[i] * row[j] / row[k])
			}
		}
		for i := range m { // which rounding has left nearly so
			m[k][i], m[i][k] = 0, 0
		}
	}
	n.xx, n.yy, n.zz, n.xy, n.xz, n.yz = m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]
}

// axes returns the columns of the matrix of a rotation.
func axes(q geom.Quat) (x, y, z geom.Vec3) {
	xx, yy, zz := float32(q.X*q.X), float32(q.Y*q.Y), float32(q.Z*q.Z)
	xy, xz, yz := float32(q.X*q.Y), float32(q.X*q.Z), float32(q.Y*q.Z)
	wx, wy, wz := float32(q.W*q.X), float32(q.W*q.Y), float32(q.W*q.Z)
	return geom.Vec3{X: 1 - 2*(yy+zz), Y: 2 * (xy + wz), Z: 2 * (xz - wy)},
		geom.Vec3{X: 2 * (xy - wz), Y: 1 - 2*(xx+zz), Z: 2 * (yz + wx)},
		geom.Vec3{X: 2 * (xz + wy), Y: 2 * (yz - wx), Z: 1 - 2*(xx+yy)}
}

// drives is what acts on eight awake bodies in each substep, in lanes. The AVX2 and NEON routines
// take the simple ones: they are dynamic, and nothing acts on them but a constant acceleration and
// the gyroscopic torque, or what locks them to the plane of a planar space. The generator of the
// assembly has the offsets of the fields as numbers.
type drives struct {
	bodies          [lanes]int32
	simple, gyrates [lanes]uint32 // all ones of those that are, else 0
	// Of the octet: whether any lane is simple, and whether any is simple but not free, 1 or 0.
	anySimple, anyOther uint32
	all, slow           uint32 // sets of lanes: that have a body, that is not simple
	free, flat          uint32 // sets: simple, without a torque; the same, but locked to the plane
	_                   [8]byte
	change              rows // of velocity, in m/s
	// The velocities that the body would have without the impulses of its contacts in this substep:
	// what is missing is their sum, which the next one starts with.
	v, w rows
	// The principal moments and axes of those that gyrate.
	principal rows
	axes      [4]row
	locked    [lanes]uint32 // flat, all ones or 0
}

// substep is the numbers of a substep that the routines need.
type substep struct{ h, maxSpeed, maxSpin float32 }

// clear makes it one of no bodies.
func (g *drives) clear() {
	g.bodies, g.simple, g.gyrates, g.locked = [lanes]int32{}, [lanes]uint32{}, [lanes]uint32{}, [lanes]uint32{}
	g.anySimple, g.anyOther, g.all, g.slow, g.free, g.flat = 0, 0, 0, 0, 0, 0
}

// set fills a lane.
func (g *drives) set(l int, i int32, b *body, m *motion, change geom.Vec3, free, flat bool) {
	bit := uint32(1) << l
	g.all |= bit
	g.bodies[l] = i
	switch {
	case free && b.spins:
		g.gyrates[l], g.anyOther = math.MaxUint32, 1
		g.principal.set(l, b.principal)
		for k, x := range [4]float32{b.axes.X, b.axes.Y, b.axes.Z, b.axes.W} {
			g.axes[k][l] = x
		}
	case free:
		g.free |= bit
	case flat:
		g.flat |= bit
		g.locked[l], g.anyOther = math.MaxUint32, 1
	default:
		g.slow |= bit
	}
	if free || flat {
		g.simple[l], g.anySimple = math.MaxUint32, 1
	}
	g.change.set(l, change)
	g.v.set(l, m.v)
	g.w.set(l, m.w)
}

// drive fills a lane with what acts on a body.
func (d *Dynamics) drive(g *drives, l int, i int32) {
	b, m := &d.bodies[i], &d.motions[i]
	if !b.moves {
		g.set(l, i, b, m, geom.Vec3{}, false, false)
		return
	}
	o := d.orderOf(b)
	a := o.force.Mul(b.invMass).Add(d.fall(i))
	s := &b.set
	free := o.torque == (geom.Vec3{}) && s.LinearDamping == 0 && s.AngularDamping == 0 && s.MaxSpeed == 0 && s.MaxSpin == 0
	g.set(l, i, b, m, a.Mul(d.h), free && s.Locked == 0, free && !b.spins && s.Locked == Planar && d.space.IsPlanar())
}

// integrateVelocities begins a substep: it applies gravity, forces, damping and the gyroscopic
// torque, and then once more what the contacts did in the substep before. Since they act at the
// same arms in all substeps, that is their warm start without a look at any contact.
func (d *Dynamics) integrateVelocities(_, from, to int) {
	if useSIMD {
		accelerateSIMD(&d.drives[from], to-from, &d.motions[0], &d.substep)
	}
	for k := range d.drives[from:to] {
		g := &d.drives[from+k]
		for left := g.inGo(); left != 0; left &= left - 1 {
			d.accelerate(g, bits.TrailingZeros32(left))
		}
	}
}

// inGo returns the set of lanes that the routines do not take.
func (g *drives) inGo() uint32 {
	if useSIMD {
		return g.slow
	}
	return g.all
}

// integratePositions moves the bodies at their velocities for a substep.
func (d *Dynamics) integratePositions(_, from, to int) {
	if useSIMD {
		moveSIMD(&d.drives[from], to-from, &d.motions[0], &d.substep)
	}
	for k := range d.drives[from:to] {
		g := &d.drives[from+k]
		for left := g.inGo(); left != 0; left &= left - 1 {
			d.move(g, bits.TrailingZeros32(left))
		}
	}
}

// accelerate is integrateVelocities of a lane.
func (d *Dynamics) accelerate(g *drives, l int) {
	i := g.bodies[l&7]
	m := &d.motions[i]
	v, w := m.v.Sub(g.v.at(l)), m.w.Sub(g.w.at(l))
	if either := g.free | g.flat; either>>l&1 != 0 {
		m.v = m.v.Add(g.change.at(l))
		limit(&m.v, d.Settings.MaxSpeed, 0)
		limit(&m.w, d.Settings.MaxSpin, 0)
		if g.flat>>l&1 != 0 {
			m.lockFlat()
		}
	} else {
		d.act(i, g, l)
	}
	g.v.set(l, m.v)
	g.w.set(l, m.w)
	m.v, m.w = m.v.Add(v), m.w.Add(w)
}

// act applies to a body all that is no constraint.
func (d *Dynamics) act(i int32, g *drives, l int) {
	b, m, h := &d.bodies[i], &d.motions[i], d.h
	if !b.moves {
		return
	}
	m.v = m.v.Add(g.change.at(l))
	if o := d.orderOf(b); o.torque != (geom.Vec3{}) {
		m.w = m.w.Add(d.inertias[i].apply(o.torque).Mul(h))
	}
	if k := b.set.LinearDamping; k > 0 {
		m.v = m.v.Mul(1 / (1 + float32(h*k)))
	}
	if k := b.set.AngularDamping; k > 0 {
		m.w = m.w.Mul(1 / (1 + float32(h*k)))
	}
	limit(&m.v, d.Settings.MaxSpeed, b.set.MaxSpeed)
	limit(&m.w, d.Settings.MaxSpin, b.set.MaxSpin)
	b.lock(m)
}

// besideContacts runs a part of a substep that solves joints: what it does is not of the contacts.
func (d *Dynamics) besideContacts(part func(d *Dynamics)) {
	if len(d.jointed) == 0 {
		return
	}
	d.each(0, len(d.jointed), bodyChunk, func(d *Dynamics, _, from, to int) {
		for _, k := range d.jointed[from:to] {
			d.drives[k/lanes].hold(int(k%lanes), &d.motions[d.awake[k]])
		}
	})
	part(d)
	d.each(0, len(d.jointed), bodyChunk, func(d *Dynamics, _, from, to int) {
		for _, k := range d.jointed[from:to] {
			d.drives[k/lanes].release(int(k%lanes), &d.motions[d.awake[k]])
		}
	})
}

// hold and release enclose a change of the velocities that is not of the contacts.
func (g *drives) hold(l int, m *motion) {
	g.v.set(l, g.v.at(l).Sub(m.v))
	g.w.set(l, g.w.at(l).Sub(m.w))
}

func (g *drives) release(l int, m *motion) {
	g.v.set(l, g.v.at(l).Add(m.v))
	g.w.set(l, g.w.at(l).Add(m.w))
}

// fall returns by what gravity accelerates a body.
func (d *Dynamics) fall(i int32) geom.Vec3 {
	if b := &d.bodies[i]; b.moves && !b.set.Weightless {
		return d.Settings.Gravity.Mul(b.gravityScale())
	}
	return geom.Vec3{}
}

func (b *body) gravityScale() float32 {
	if b.set.GravityScale == 0 {
		return 1
	}
	return b.set.GravityScale
}

// limit shortens a vector to the lower of two lengths; the second counts unless it is 0.
func limit(v *geom.Vec3, most, own float32) {
	if own > 0 {
		most = min(most, own)
	}
	if s := v.LenSq(); s > float32(most*most) {
		*v = v.Mul(most / float32(math.Sqrt(float64(s))))
	}
}

// lock removes the velocity along and about the axes that are locked.
func (b *body) lock(m *motion) {
	if b.set.Locked == 0 {
		return
	}
	for k, x := range [...]*float32{&m.v.X, &m.v.Y, &m.v.Z, &m.w.X, &m.w.Y, &m.w.Z} {
		if b.set.Locked>>k&1 != 0 {
			*x = 0
		}
	}
}

// gyrate returns half of the change of a body's angular velocity by the gyroscopic torque: one step
// of Newton's method on the implicit midpoint rule in the principal axes. That keeps the energy to
// the second order, and then it is made exact. An explicit step gains energy, and the implicit
// Euler method (Catto 2015, "Numerical methods", GDC) brakes the spin: a box that turns at 10 rad/s
// loses a quarter of its energy in 20 s.
//
// Only the ratios of the moments count. In kg·m², the products of three would leave the numbers for
// bodies of a milligram, or of a hundred metres.
func (b *body) gyrate(m *motion, h float32) geom.Vec3 {
	if !b.spins || m.w == (geom.Vec3{}) {
		return geom.Vec3{}
	}
	x, y, z := axes(product(m.q, b.axes))
	w := geom.Vec3{X: x.Dot(m.w), Y: y.Dot(m.w), Z: z.Dot(m.w)}
	i := b.principal
	energy := i.Dot(w.MulVec(w))
	kx, ky, kz := float32(0.5*h*(i.Z-i.Y)), float32(0.5*h*(i.X-i.Z)), float32(0.5*h*(i.Y-i.X))
	f := geom.Vec3{X: float32(float32(kx*w.Y) * w.Z), Y: float32(float32(ky*w.Z) * w.X), Z: float32(float32(kz*w.X) * w.Y)}.Mul(2)
	// The Jacobian, by columns.
	c0 := geom.Vec3{X: i.X, Y: float32(ky * w.Z), Z: float32(kz * w.Y)}
	c1 := geom.Vec3{X: float32(kx * w.Z), Y: i.Y, Z: float32(kz * w.X)}
	c2 := geom.Vec3{X: float32(kx * w.Y), Y: float32(ky * w.X), Z: i.Z}
	n := c1.Cross(c2)
	det := c0.Dot(n)
	if det == 0 {
		return geom.Vec3{}
	}
	w = w.Sub(geom.Vec3{X: n.Dot(f), Y: c2.Cross(c0).Dot(f), Z: c0.Cross(c1).Dot(f)}.Mul(1 / det))
	if e := i.Dot(w.MulVec(w)); e > 0 {
		w = w.Mul(float32(math.Sqrt(float64(energy / e))))
	}
	return x.Mul(w.X).Add(y.Mul(w.Y)).Add(z.Mul(w.Z)).Sub(m.w).Mul(0.5)
}

// move is integratePositions of a lane.
func (d *Dynamics) move(g *drives, l int) {
	h, i := d.h, g.bodies[l&7]
	m := &d.motions[i]
	if g.free>>l&1 != 0 {
		m.move(h, m.w.Mul(h))
		return
	}
	g.hold(l, m)
	d.bodies[i].spin(m, h)
	g.release(l, m)
}

// spin is move of a body of which some axes are locked, or on which the gyroscopic torque acts. It
// is the torque at the velocity that the constraints have left: that at the velocity before them
// would lower the end of a top's axis by 0.1 m in two seconds. The rotation is by the mean of the
// velocities before and after.
func (b *body) spin(m *motion, h float32) {
	b.lock(m)
	swing := b.gyrate(m, h)
	if swing == (geom.Vec3{}) {
		m.move(h, m.w.Mul(h))
		return
	}
	m.w = m.w.Add(swing)
	b.lock(m)
	turn := m.w.Mul(h)
	m.move(h, turn)
	// The velocity stays as it is in the axes of the body.
	m.w = m.w.Add(swing)
	q := rotated(geom.QuatIdentity(), turn)
	var by way
	by.set(&q)
	m.w = m.w.Add(by.of(m.w))
	b.lock(m)
}

// move moves a body for h seconds.
func (m *motion) move(h float32, turn geom.Vec3) {
	m.moved = m.moved.Add(m.v.Mul(h))
	if turn != (geom.Vec3{}) {
		m.turned = m.turned.Add(turn)
		m.q = rotated(m.q, turn)
	}
}

// rotated returns a rotation followed by a turn: its axis times its angle in radians. The tangent
// of half the angle is taken to be x + x³/3, which is exact to 1 % up to 1.3 rad.
func rotated(q geom.Quat, turn geom.Vec3) geom.Quat {
	v := turn.Mul(0.5)
	v = v.Mul(1 + float32(v.LenSq()*(1.0/3)))
	p := geom.Quat{
		X: q.X + float32(v.X*q.W) + float32(v.Y*q.Z) - float32(v.Z*q.Y),
		Y: q.Y + float32(v.Y*q.W) + float32(v.Z*q.X) - float32(v.X*q.Z),
		Z: q.Z + float32(v.Z*q.W) + float32(v.X*q.Y) - float32(v.Y*q.X),
		W: q.W - float32(v.X*q.X) - float32(v.Y*q.Y) - float32(v.Z*q.Z),
	}
	s := float32(p.X*p.X) + float32(p.Y*p.Y) + float32(p.Z*p.Z) + float32(p.W*p.W)
	k := 1 / float32(math.Sqrt(float64(s)))
	return geom.Quat{X: float32(p.X * k), Y: float32(p.Y * k), Z: float32(p.Z * k), W: float32(p.W * k)}
}

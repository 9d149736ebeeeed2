package rigid

import "github.com/hitscan-go/hitscan/physics/geom"

// motorOctet is up to eight soft motors of one color that only turn their bodies, beside joints in
// octets: see Joint.turns and jointOctet. They act while velocities are solved, once a substep, and
// relaxation leaves them alone.
//
// The generator of the assembly has the offsets of the fields as numbers.
type motorOctet struct {
	a, b [lanes]int32 // bodies; 0: the world
	used int32        // the number of lanes
	_    [28]byte

	error              rows // rotation vector from where B should be
	invMassA, invMassB row
	frameA, frameB     quats
	bias, share, back  row    // the softness of a lane
	most               row    // of the length of the impulse
	impulse            rows   // angular
	torque             rows   // sum of the impulses of the substeps
	inverse            [6]row // of the effective mass, in the order of inertia
}

// fillMotor writes a motor to its lane.
func (d *Dynamics) fillMotor(c *member) {
	o, l := &d.motorOctets[c.at/lanes], int(c.at%lanes)
	x := &d.joints[c.joint]
	j := &x.set
	c.breaks = j.breaks()
	o.a[l], o.b[l] = c.a, c.b
	o.invMassA[l], o.invMassB[l] = d.jointInertias[c.a].mass, d.jointInertias[c.b].mass
	o.frameA.set(l, j.FrameA.Rotation.Normalize())
	o.frameB.set(l, j.FrameB.Rotation.Normalize())
	s := springOf(j.Hertz, j.Damping, d.h)
	o.bias[l], o.share[l], o.back[l] = s.bias, s.mass, s.impulse
	o.most[l] = float32(j.MaxTorque * d.h)
	o.impulse.set(l, x.turn)
}

// storeMotor keeps the impulse of a motor for the next step.
func (d *Dynamics) storeMotor(c *member) {
	o, l := &d.motorOctets[c.at/lanes], int(c.at%lanes)
	x := &d.joints[c.joint]
	x.linear, x.turn, x.rows, x.arms = geom.Vec3{}, o.impulse.at(l), [maxRows]float32{}, [2]float32{}
	x.force, x.torque = geom.Vec3{}, o.torque.at(l).Mul(1/d.Settings.Step)
}

// aim computes the error and the mass of a lane where the bodies are now, and applies the impulse
// of the last substep unless it is stale: see staleTurn.
func (o *motorOctet) aim(l int, a, b *motion, ia, ib *inertia, pass *jointPass) {
	l &= 7
	qa, qb := product(a.q, o.frameA.at(l)), product(b.q, o.frameB.at(l))
	o.error.set(l, rotationVector(product(qb, conjugate(qa))))
	k := inertia{
		xx: ia.xx + ib.xx, yy: ia.yy + ib.yy, zz: ia.zz + ib.zz, xy: ia.xy + ib.xy, xz: ia.xz + ib.xz, yz: ia.yz + ib.yz,
	}
	k = inverseOf(&k)
	for i, x := range [...]float32{k.xx, k.yy, k.zz, k.xy, k.xz, k.yz} {
		o.inverse[i][l] = x
	}
	impulse := o.impulse.at(l)
	wa, wb := a.w.Sub(ia.apply(impulse)), b.w.Add(ib.apply(impulse))
	spin := greater(a.w.LenSq(), b.w.LenSq())
	if greater(spin, float32(greater(wa.LenSq(), wb.LenSq())*throwShare)) > pass.stale {
		o.impulse.set(l, geom.Vec3{})
		return
	}
	o.set(l, a, b, wa, wb)
}

// set sets the angular velocities of the dynamic bodies.
func (o *motorOctet) set(l int, a, b *motion, wa, wb geom.Vec3) {
	if o.invMassA[l] > 0 {
		a.w = wa
	}
	if o.invMassB[l] > 0 {
		b.w = wb
	}
}

// solve solves a lane.
func (o *motorOctet) solve(l int, a, b *motion, ia, ib *inertia) {
	l &= 7
	bias := o.error.at(l).Mul(o.bias[l])
	bias = bias.Mul(shorten(bias.LenSq(), jointSpeed))
	old := o.impulse.at(l)
	k := &o.inverse
	inverse := inertia{xx: k[0][l], yy: k[1][l], zz: k[2][l], xy: k[3][l], xz: k[4][l], yz: k[5][l]}
	change := inverse.apply(b.w.Sub(a.w).Add(bias)).Mul(o.share[l])
	impulse := old.Sub(old.Mul(o.back[l])).Sub(change)
	impulse = impulse.Mul(shorten(impulse.LenSq(), o.most[l]))
	o.impulse.set(l, impulse)
	o.torque.set(l, o.torque.at(l).Add(impulse))
	change = impulse.Sub(old)
	o.set(l, a, b, a.w.Sub(ia.apply(change)), b.w.Add(ib.apply(change)))
}

// eachMotor calls a method for the octets of motors of each color, one color after the other.
func (d *Dynamics) eachMotor(do func(d *Dynamics, worker, from, to int)) {
	for c := range maxJointColors {
		d.each(int(d.motorColors[c]), int(d.motorColors[c+1]), octetChunk, do)
	}
}

func (d *Dynamics) aimMotors(_, from, to int) {
	if useSIMD {
		aimMotorsSIMD(&d.motorOctets[from], to-from, &d.motions[0], &d.jointInertias[0], &d.jointPasses[0])
		return
	}
	for i := from; i < to; i++ {
		o := &d.motorOctets[i]
		for l := range int(o.used) {
			a, b := o.a[l], o.b[l]
			o.aim(l, &d.motions[a], &d.motions[b], &d.jointInertias[a], &d.jointInertias[b], &d.jointPasses[0])
		}
	}
}

func (d *Dynamics) solveMotors(_, from, to int) {
	if useSIMD {
		solveMotorsSIMD(&d.motorOctets[from], to-from, &d.motions[0], &d.jointInertias[0], &d.jointPasses[0])
		return
	}
	for i := from; i < to; i++ {
		o := &d.motorOctets[i]
		for l := range int(o.used) {
			a, b := o.a[l], o.b[l]
			o.solve(l, &d.motions[a], &d.motions[b], &d.jointInertias[a], &d.jointInertias[b])
		}
	}
}

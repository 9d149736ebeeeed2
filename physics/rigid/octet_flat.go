package rigid

// In a planar space normals lie in the plane, bodies turn about Z, and of the two tangents the
// second is in the plane. What is left out here is 0 then.
//
// Friction comes after the push: its limit is the load that holds the bodies apart, without what
// pushed them out of each other. The other way round, a box that slides from tile to tile or along
// a chain comes to rest up to a tenth too early.

// pushFlat is push of a planar space.
func (o *octet) pushFlat(l int, a, b *motion, u *velocities, soft bool, pushSpeed, rate float32) {
	l &= 7
	nx, ny := o.normal.x[l], o.normal.y[l]
	wa, wb := u.wa.Z, u.wb.Z
	mass := o.invMassA[l] + o.invMassB[l]
	speed := float32(nx*(u.vb.X-u.va.X)) + float32(ny*(u.vb.Y-u.va.Y))
	nearer := float32(nx*(b.moved.X-a.moved.X)) + float32(ny*(b.moved.Y-a.moved.Y))
	ta, tb := a.turned.Z, b.turned.Z
	total := float32(0)
	for k := range o.points[:o.n] {
		p := &o.points[k]
		armA, armB := p.armA.z[l], p.armB.z[l]
		impulse := p.impulse[l]
		gap := p.gap[l] + nearer + float32(armB*tb) - float32(armA*ta)
		v := speed + float32(armB*wb) - float32(armA*wa)
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
		wa -= float32(p.turnA.z[l] * change)
		wb -= float32(p.turnB.z[l] * change)
	}
	u.wa.Z, u.wb.Z = wa, wb
	u.thrustFlat(nx, ny, total, o.invMassA[l], o.invMassB[l])
}

// thrustFlat applies an impulse along a direction in the plane to the centres.
func (u *velocities) thrustFlat(x, y, impulse, invMassA, invMassB float32) {
	a, b := float32(impulse*invMassA), float32(impulse*invMassB)
	u.va.X, u.va.Y = u.va.X-float32(x*a), u.va.Y-float32(y*a)
	u.vb.X, u.vb.Y = u.vb.X+float32(x*b), u.vb.Y+float32(y*b)
}

// relaxFlat is relax of a planar space.
func (o *octet) relaxFlat(l int, a, b *motion, u *velocities, ia, ib *inertia, rate float32) {
	o.pushFlat(l, a, b, u, false, 0, rate)
	if !o.brakes {
		return
	}
	l &= 7
	load := float32(0)
	for k := range o.points[:o.n] {
		load += o.points[k].impulse[l]
	}
	wa, wb := u.wa.Z, u.wb.Z
	if o.rolls {
		old := o.roll.z[l]
		roll := within(old-float32(o.rollMass[l]*(wb-wa)), float32(o.rolling[l]*load))
		o.roll.z[l] = roll
		change := roll - old
		wa, wb = wa-float32(ia.zz*change), wb+float32(ib.zz*change)
	}
	ax, ay, bx, by := o.armA.x[l], o.armA.y[l], o.armB.x[l], o.armB.y[l]
	tx, ty := o.tangent[1].x[l], o.tangent[1].y[l]
	vx := u.vb.X - float32(wb*by) - u.va.X + float32(wa*ay)
	vy := u.vb.Y + float32(wb*bx) - u.va.Y - float32(wa*ax)
	v := float32(tx*vx) + float32(ty*vy) - o.slide[1][l]
	old := o.tangential[1][l]
	now := within(old-float32(o.m11[l]*v), float32(o.friction[l]*load))
	o.tangential[1][l] = now
	change := now - old
	u.wa.Z = wa - float32(ia.zz*float32((float32(ax*ty)-float32(ay*tx))*change))
	u.wb.Z = wb + float32(ib.zz*float32((float32(bx*ty)-float32(by*tx))*change))
	u.thrustFlat(tx, ty, change, o.invMassA[l], o.invMassB[l])
}

// within returns the number nearest to x that is no further from 0 than most.
func within(x, most float32) float32 { return lesser(greater(x, -most), most) }

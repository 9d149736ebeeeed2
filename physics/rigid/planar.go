package rigid

import (
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// In a planar space bodies turn about Z alone. What a step does most is written here without the
// terms that are 0 then. All other terms, and their order, are those of the general methods, so
// the results are the same: TestFlatTwins. The solver's order differs: relaxFlat.

// isFlat reports whether a rotation is one about Z.
func isFlat(q geom.Quat) bool { return q.X == 0 && q.Y == 0 }

// weighFlat is weigh of a dynamic body that turns about Z. It reports false, and does nothing, of
// any other.
func (d *Dynamics) weighFlat(n *inertia, i int32) bool {
	b := &d.bodies[i]
	if !d.space.IsPlanar() || !b.moves || b.set.Locked&(TurnX|TurnY|TurnZ) != TurnX|TurnY || !isFlat(d.motions[i].q) || !isFlat(b.axes) {
		return false
	}
	inverse := b.inverse.Z
	if b.least > 0 {
		inverse = min(inverse, 1/b.least)
	}
	*n = inertia{mass: b.solverInvMass(), zz: inverse}
	return true
}

// lockFlat is body.lock of what a planar space locks.
func (m *motion) lockFlat() { m.v.Z, m.w.X, m.w.Y = 0, 0, 0 }

// flatWay is a turn about Z: its angle, and what way has of it.
type flatWay struct{ angle, cos, sin float32 }

// set makes it the turn to a rotation from another.
func (w *flatWay) set(q, from geom.Quat) {
	t := geom.Quat{
		Z: float32(q.Z*from.W) - float32(q.W*from.Z),
		W: float32(q.W*from.W) + float32(q.Z*from.Z),
	}
	z := 2 * t.Z
	w.cos, w.sin = -float32(t.Z*z), float32(t.W*z)
	if t.W < 0 { // as rotationVector does
		t.Z = -t.Z
	}
	w.angle = float32(t.Z * twiceAsin(float32(t.Z*t.Z)))
}

func (w *flatWay) of(v geom.Vec3) geom.Vec3 {
	return geom.Vec3{X: float32(w.cos*v.X) - float32(w.sin*v.Y), Y: float32(w.sin*v.X) + float32(w.cos*v.Y)}
}

// keepsFlat is keeps of bodies that turn about Z.
func (d *Dynamics) keepsFlat(c *start, m *memory, f *physics.Manifold, a, b *frame) bool {
	var p flatParting
	return p.set(m, a, b) && p.keeps(c, m, f, d.inertias[c.a].mass == 0, d.inertias[c.b].mass == 0)
}

// flatParting is parting of bodies that turn about Z.
type flatParting struct {
	a, b flatWay
	most float32 // how far anchors may part
	gap  [2]float32
}

// set is parting.set. It reports whether the anchors of all points have hardly parted.
func (p *flatParting) set(m *memory, a, b *frame) bool {
	reach, most := keptWay(a, b)
	p.a.set(a.q, m.qA)
	p.b.set(b.q, m.qB)
	turn := p.b.angle - p.a.angle
	if float32(p.a.angle*p.a.angle) > keptTurn*keptTurn || float32(p.b.angle*p.b.angle) > keptTurn*keptTurn ||
		float32(float32(turn*turn)*float32(reach*reach)) > float32(most*most) {
		return false
	}
	p.most = most
	apart := b.at.Sub(a.at)
	shift := p.a.of(m.points[0].armB.Sub(m.points[0].armA))
	way := flatWay{cos: p.b.cos - p.a.cos, sin: p.b.sin - p.a.sin}
	for i := range m.points[:m.n] {
		q := &m.points[i]
		x := apart.X + (q.armB.X - q.armA.X) + (shift.X + float32(way.cos*q.armB.X) - float32(way.sin*q.armB.Y))
		y := apart.Y + (q.armB.Y - q.armA.Y) + (shift.Y + float32(way.sin*q.armB.X) + float32(way.cos*q.armB.Y))
		if !(float32(x*x)+float32(y*y) <= float32(most*most)) {
			return false
		}
		p.gap[i] = q.gap + (float32(x*m.normal.X) + float32(y*m.normal.Y))
	}
	return true
}

// keeps is the rest of keepsFlat. Of what is fixed the arms have to be the present ones.
func (p *flatParting) keeps(c *start, m *memory, f *physics.Manifold, fixedA, fixedB bool) bool {
	if m.childA != f.ChildA || m.childB != f.ChildB || f.Normal.Dot(m.normal) < 1-keptTurn*keptTurn/2 {
		return false
	}
	deepest := float32(math.Inf(-1))
	for i := range m.points[:m.n] {
		q, to := &m.points[i], &c.points[i]
		*to = startPoint{q.impulse, q.armA, q.armB, p.gap[i]}
		deepest = greater(deepest, -p.gap[i])
		if fixedA {
			to.armA = q.armA.Add(p.a.of(q.armA))
		}
		if fixedB {
			to.armB = q.armB.Add(p.b.of(q.armB))
		}
	}
	err := deepest - f.Depth()
	return err <= float32(keptError*p.most) && -err <= float32(keptMiss*p.most)
}

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

// relaxFlat is relax of a planar space, where of the two tangents the second lies in the plane.
// Friction comes after the push: its limit is the load that holds the bodies apart, without what
// pushed them out of each other. The other way round, a box that slides from tile to tile or along
// a chain comes to rest up to a tenth too early. What the other lanes have must not matter, to the
// sign of a zero, since it must not matter which constraints are persistent.
func (o *octet) relaxFlat(l int, a, b *motion, u *velocities, ia, ib *inertia, rate float32) {
	o.pushFlat(l, a, b, u, false, 0, rate)
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
		wa, wb = wa-float32(ia.zz*(roll-old)), wb-float32(ib.zz*(old-roll))
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

package rigid

import (
	"math/bits"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The normal impulse of an impact comes and goes within a substep: the push at its end gives it,
// and that of the next substep, when the bodies have met, takes it back. The friction of relax is
// limited by the normal impulse at its beginning, and restitution comes after all substeps, so
// neither has the impulse of an impact. After both, bodies that met at impactSpeed or faster get
// the friction that is missing, up to the friction coefficient times all normal impulses of the
// step (Coulomb's law of impact), and the rolling resistance likewise. Bodies with joints are left
// out: the mass that stops them along a surface is that of their whole mechanism, which only the
// substeps find.

// impactSpeed is the least speed of such an impact, in m/s. Higher: a ball that bounces slowly
// keeps its spin. Lower: more bodies that settle are braked twice, at the cost of time.
const impactSpeed = 0.1

// bounceTurns is how often friction and restitution are applied in turns. Once: a rod that falls on
// its end, 10° from level, keeps 0.4 of its energy instead of 0.9.
const bounceTurns = 4

// slipTurns is how often the friction of an impact is applied: see octet.slip.
const slipTurns = 4

// impact is a constraint whose two bodies met in this step.
type impact struct {
	octet, lane int32
	last        float32    // the sum of the normal impulses of its points in the last substep
	load        float32    // the same of all substeps
	friction    [2]float32 // impulse of all substeps
	roll        geom.Vec3  // angular impulse of rolling resistance of all substeps
}

// listImpacts lists the constraints with friction or rolling resistance that met fast enough, and
// the landings.
func (d *Dynamics) listImpacts() {
	d.impacts, d.landings = d.impacts[:0], d.landings[:0]
	for c := range d.colors[:overflow+1] {
		if c < overflow {
			for i, to := d.persistent.octetsOf(c); i < to; i++ {
				d.listImpactsOf(i, uint32(d.persistent.hits[i]))
			}
		}
		for i := d.colors[c]; i < d.colors[c+1]; i++ {
			d.listImpactsOf(int(i), d.octets[i].hits)
		}
	}
	slices.SortStableFunc(d.landings, func(a, b landing) int { return int(a.octet - b.octet) })
}

// listImpactsOf lists those of a set of lanes of an octet.
func (d *Dynamics) listImpactsOf(i int, hits uint32) {
	for ; hits != 0; hits &= hits - 1 {
		o, l := &d.octets[i], bits.TrailingZeros32(hits)&7
		if d.bodies[o.a[l]].joints|d.bodies[o.b[l]].joints != 0 {
			continue
		}
		if o.landsFlat(l) {
			d.landings = append(d.landings, landing{int32(i), int32(l)})
		}
		if o.friction[l] > 0 || o.rolling[l] > 0 {
			d.impacts = append(d.impacts, impact{octet: int32(i), lane: int32(l)})
			o.moveArms(l, &d.inertias[o.a[l]], &d.inertias[o.b[l]])
		}
	}
}

// noteImpacts adds up the impulses of a substep.
func (d *Dynamics) noteImpacts() {
	for i := range d.impacts {
		x := &d.impacts[i]
		o, l := &d.octets[x.octet], x.lane&7
		x.last = o.normalImpulse(l)
		x.load += x.last
		x.friction[0] += o.tangential[0][l]
		x.friction[1] += o.tangential[1][l]
		if o.rolling[l] > 0 {
			x.roll = x.roll.Add(o.roll.at(int(l)))
		}
	}
}

// normalImpulse returns the sum of the normal impulses of a lane.
func (o *octet) normalImpulse(l int32) float32 {
	sum := float32(0)
	for k := range o.points[:o.n] {
		sum += o.points[k].impulse[l&7]
	}
	return sum
}

// brakeImpacts applies the friction and the rolling resistance of impacts. Where bodies bounce, it
// takes a part of the speed along the normal, which they get back, in turns.
func (d *Dynamics) brakeImpacts() {
	for turn := range bounceTurns {
		for i := range d.impacts {
			x := &d.impacts[i]
			o, l := &d.octets[x.octet], x.lane&7
			if turn > 0 {
				if !(o.restitution[l] > 0) {
					continue
				}
				d.restituteLane(o, int(l))
			}
			a, b, now := o.a[l], o.b[l], o.normalImpulse(l)
			x.load += now - x.last // the restitution
			x.last = now
			o.brakeImpact(x, &d.motions[a], &d.motions[b], &d.inertias[a], &d.inertias[b])
		}
	}
}

// moveArms moves the ends of a lane's arms to the surfaces, where they will meet. They were in the
// middle between the surfaces, which may be a margin apart: far outside of a small ball.
func (o *octet) moveArms(l int, ia, ib *inertia) {
	l &= 7
	gap := float32(0)
	for k := range o.points[:o.n] {
		gap += o.points[k].gap[l] // 0 of points that it does not have
	}
	half := o.normal.at(l).Mul(greater(float32(gap*reciprocal(o.count[l])), 0) / 2)
	armA, armB := o.armA.at(l).Sub(half), o.armB.at(l).Add(half)
	o.armA.set(l, armA)
	o.armB.set(l, armB)
	o.m00[l], o.m01[l], o.m11[l] = tangentMass(armA, armB, o.tangent[0].at(l), o.tangent[1].at(l), ia, ib)
}

// brakeImpact applies the friction and the rolling resistance that brake has not.
func (o *octet) brakeImpact(x *impact, a, b *motion, ia, ib *inertia) {
	l := int(x.lane & 7)
	armA, armB := o.armA.at(l), o.armB.at(l)
	t0, t1 := o.tangent[0].at(l), o.tangent[1].at(l)
	u := velocitiesOf(a, b)
	if o.rolling[l] > 0 {
		roll := o.resist(l, x.roll, u.wb.Sub(u.wa), x.load)
		change := roll.Sub(x.roll)
		x.roll = roll
		u.wa, u.wb = u.wa.Sub(ia.apply(change)), u.wb.Add(ib.apply(change))
	}
	turns := slipTurns
	if o.flat {
		turns = 1
	}
	for range turns {
		v := u.vb.Add(u.wb.Cross(armB)).Sub(u.va).Sub(u.wa.Cross(armA))
		f := x.friction
		f[0], f[1] = o.slip(l, f[0], f[1], t0.Dot(v)-o.slide[0][l], t1.Dot(v)-o.slide[1][l], x.load)
		force := t0.Mul(f[0] - x.friction[0]).Add(t1.Mul(f[1] - x.friction[1]))
		x.friction = f
		u.thrust(force, o.invMassA[l], o.invMassB[l])
		u.wa, u.wb = u.wa.Sub(ia.apply(armA.Cross(force))), u.wb.Add(ib.apply(armB.Cross(force)))
	}
	o.set(l, a, b, &u)
}

// tangentMass returns the inverse of the effective mass along two tangents at the ends of the arms
// of two bodies: a symmetric matrix.
func tangentMass(armA, armB, t0, t1 geom.Vec3, ia, ib *inertia) (m00, m01, m11 float32) {
	mass := ia.mass + ib.mass
	a0, a1 := armA.Cross(t0), armA.Cross(t1)
	b0, b1 := armB.Cross(t0), armB.Cross(t1)
	ta, tb := ia.apply(a0), ib.apply(b0)
	k00 := mass + a0.Dot(ta) + b0.Dot(tb)
	k01 := a1.Dot(ta) + b1.Dot(tb)
	k11 := mass + a1.Dot(ia.apply(a1)) + b1.Dot(ib.apply(b1))
	// Unless they are scaled, their product is below the range of single precision from 1e19 kg on.
	scale := scaleOf(k00 + k11)
	k00, k01, k11 = float32(k00*scale), float32(k01*scale), float32(k11*scale)
	det := float32(reciprocal(float32(k00*k11)-float32(k01*k01)) * scale)
	return float32(k11 * det), -float32(k01 * det), float32(k00 * det)
}

package rigid

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A contact is heavy if its load would accelerate the lighter body by more than heavyLoad, in m/s²,
// some 128 times gravity: a small body carries a large one, or a very high stack. A sweep over the
// constraints changes an impulse by no more than these two bodies need, so such loads build up too
// slowly. Heavy contacts get heavySweeps more sweeps a substep, one after the other. These allow
// them to be stiffer: their frequency is heavyStiffness times that of others.
const (
	heavyLoad      = 1250
	heavySweeps    = 8
	heavyStiffness = 2
)

// job is a constraint to prepare and to store: a manifold of a contact.
type job struct {
	contact *physics.Contact
	k       int32 // number of the manifold
	n       int32 // of points that the solver acts on
	color   int32
	at      int32 // octet and lane, as 8·octet + lane
	heavy   bool
	kept    bool // see keeps
}

// lane returns the octet and the lane of a constraint.
func (d *Dynamics) lane(j *job) (*octet, int) { return &d.octets[j.at/lanes], int(j.at % lanes) }

// arrange gives the jobs lanes by color: octets of one color, one color after the other. In a color,
// those with as many points are together.
func (d *Dynamics) arrange() {
	var counts [maxColors + 1][physics.MaxContactPoints + 1]int32
	for i := range d.jobs {
		j := &d.jobs[i]
		counts[j.color][j.n]++
	}
	end := int32(0) // of the lanes
	for c := range counts {
		d.colors[c] = end / lanes
		for n := range counts[c] {
			counts[c][n], end = end, end+counts[c][n]
		}
		end = (end + lanes - 1) / lanes * lanes
	}
	d.colors[overflow+1] = end / lanes
	d.order = slices.Grow(d.order[:0], int(end))[:end]
	for i := range d.order {
		d.order[i] = -1
	}
	d.octets = slices.Grow(d.octets[:0], int(end/lanes))[:end/lanes]
	d.heavy = d.heavy[:0]
	for i := range d.jobs {
		j := &d.jobs[i]
		j.at = counts[j.color][j.n]
		counts[j.color][j.n]++
		d.order[j.at] = int32(i)
		if j.heavy {
			d.heavy = append(d.heavy, j.at)
		}
	}
}

// prepare makes the constraints of some octets.
func (d *Dynamics) prepare(_, from, to int) {
	for i := from; i < to; i++ {
		o := &d.octets[i]
		*o = octet{}
		for l, at := range d.order[i*lanes : (i+1)*lanes] {
			if at >= 0 {
				d.fill(o, l, &d.jobs[at])
				o.used = int32(l) + 1
			}
		}
		for l := range int(o.used) {
			a, b := o.a[l], o.b[l]
			o.weigh(l, &d.motions[a], &d.motions[b], &d.inertias[a], &d.inertias[b], d.Settings.HitSpeed)
		}
		for l := range int(o.used) {
			if j := &d.jobs[d.order[i*lanes+l]]; d.contacts[j.contact.Slot].slides {
				d.slide(o, l, j.contact, &j.contact.Manifolds[j.k])
			}
		}
	}
}

// start is a manifold as the solver begins with it.
type start struct {
	n          int32
	normal     geom.Vec3
	gap        [physics.MaxContactPoints]float32
	impulse    [physics.MaxContactPoints]float32
	armA, armB [physics.MaxContactPoints]geom.Vec3 // from the bodies' centres to the points
}

// fill writes to a lane what weigh begins with.
func (d *Dynamics) fill(o *octet, l int, j *job) {
	t := j.contact
	x := &d.contacts[t.Slot]
	f := &t.Manifolds[j.k]
	o.a[l], o.b[l] = x.a, x.b
	m := x.mixture
	if x.layered {
		m = d.mixAt(t, f)
	}
	o.mix(l, m)
	s := &d.softness[0]
	if j.heavy {
		s = &d.softness[1]
	}
	o.bias[l], o.share[l], o.back[l] = s.bias, s.mass, s.impulse
	fa, fb := d.frame(x.a, t.A), d.frame(x.b, t.B)
	var c start
	var old *memory
	if j.kept = false; j.k < x.held {
		old = d.memory(x, j.k)
		j.kept = d.keeps(&c, x, old, f, &fa, &fb)
	}
	if j.kept {
		c.n, c.normal = old.n, old.normal
		for i := range old.points[:old.n] {
			c.impulse[i] = old.points[i].impulse
		}
	} else {
		c.n, c.normal = f.N, f.Normal
		for i := range f.ContactPoints() {
			q := &f.Points[i]
			at := q.PointA.Add(q.PointB).Mul(0.5)
			c.armA[i], c.armB[i] = at.Sub(fa.at), at.Sub(fb.at)
			c.gap[i] = -q.Depth
		}
		old = d.match(&c, x, j.k, f)
	}
	j.n = c.n
	o.n = max(o.n, c.n)
	o.count[l] = float32(c.n)
	o.normal.set(l, c.normal)
	for i := range c.n {
		p := &o.points[i]
		p.armA.set(l, c.armA[i])
		p.armB.set(l, c.armB[i])
		p.gap[l], p.impulse[l] = c.gap[i], c.impulse[i]
	}
	if old != nil {
		o.tangent[0].set(l, old.friction)
		o.roll.set(l, old.rolling)
	}
}

// mix sets the mixture of a lane.
func (o *octet) mix(l int, m mixture) {
	o.friction[l], o.restitution[l], o.rolling[l], o.spinning[l] = m.friction, m.restitution, m.rolling, m.spinning
	o.brakes = o.brakes || m.friction > 0 || m.spinning > 0 || m.rolling > 0
	o.rolls = o.rolls || m.rolling > 0
	o.bounces = o.bounces || m.restitution > 0
}

// slide sets the speed at which surfaces move what lies on them.
func (d *Dynamics) slide(o *octet, l int, t *physics.Contact, f *physics.Manifold) {
	v := d.surface(t.B, f.Points[0].TriangleB).Sub(d.surface(t.A, f.Points[0].TriangleA))
	o.slide[0][l], o.slide[1][l] = -o.tangent[0].at(l).Dot(v), -o.tangent[1].at(l).Dot(v)
}

// recall returns the memory of a contact point.
func (d *Dynamics) recall(x *contact, f *physics.Manifold, q *physics.ContactPoint) (*memory, int) {
	for k := range x.held {
		m := d.memory(x, k)
		if m.childA != f.ChildA || m.childB != f.ChildB {
			continue
		}
		for i := range m.points[:m.n] {
			p := &m.points[i]
			if p.featureA == q.FeatureA && p.featureB == q.FeatureB && p.triangleA == q.TriangleA && p.triangleB == q.TriangleB {
				return m, i
			}
		}
	}
	return nil, 0
}

// store keeps the impulses of some octets for the next step.
func (d *Dynamics) store(_, from, to int) {
	for i := from; i < to; i++ {
		o := &d.octets[i]
		for l := range int(o.used) {
			j := &d.jobs[d.order[i*lanes+l]]
			t, x := j.contact, &d.contacts[j.contact.Slot]
			if j.k == 0 {
				x.held = int32(len(t.Manifolds))
			}
			m := d.memory(x, j.k)
			if !j.kept {
				d.keep(j, x, m)
			}
			m.n = j.n // 0 if Adjust turned it off
			load := float32(0)
			for k := range m.points[:j.n] {
				impulse := o.points[k].impulse[l]
				m.points[k].impulse = impulse
				load += impulse
			}
			m.heavy = load*(o.invMassA[l]+o.invMassB[l]) > heavyLoad*d.h
			m.friction = o.tangent[0].at(l).Mul(o.tangential[0][l]).Add(o.tangent[1].at(l).Mul(o.tangential[1][l]))
			m.rolling = o.roll.at(l).Add(o.normal.at(l).Mul(o.twist[l]))
		}
	}
}

// warmStart applies the impulses of the last substep.
func (d *Dynamics) warmStart(_, from, to int) {
	for i := from; i < to; i++ {
		o := &d.octets[i]
		for l := range int(o.used) {
			a, b := o.a[l], o.b[l]
			o.warmStart(l, &d.motions[a], &d.motions[b], &d.inertias[a], &d.inertias[b])
		}
	}
}

// solve pushes the bodies apart along the normal, softly where they overlap.
func (d *Dynamics) solve(_, from, to int) {
	rate := 1 / d.h
	for i := from; i < to; i++ {
		o := &d.octets[i]
		for l := range int(o.used) {
			o.push(l, &d.motions[o.a[l]], &d.motions[o.b[l]], true, d.Settings.PushSpeed, rate)
		}
	}
}

// relax applies friction and removes the velocity that the softness of solve added.
func (d *Dynamics) relax(_, from, to int) {
	for i := from; i < to; i++ {
		o := &d.octets[i]
		for l := range int(o.used) {
			d.relaxLane(o, l)
		}
	}
}

func (d *Dynamics) relaxLane(o *octet, l int) {
	a, b := &d.motions[o.a[l]], &d.motions[o.b[l]]
	if o.brakes {
		o.brake(l, a, b, &d.inertias[o.a[l]], &d.inertias[o.b[l]])
	}
	o.push(l, a, b, false, 0, 1/d.h)
}

func (d *Dynamics) restitute(_, from, to int) {
	for i := from; i < to; i++ {
		o := &d.octets[i]
		if !o.bounces {
			continue
		}
		for l := range int(o.used) {
			o.restitute(l, &d.motions[o.a[l]], &d.motions[o.b[l]], d.Settings.BounceSpeed)
		}
	}
}

package rigid

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// wake wakes a body and the island that it slept with, and restarts its time of rest.
func (d *Dynamics) wake(i int32) {
	d.touchBody(i)
	d.bodies[i].still = 0
	if d.bodies[i].awake {
		return
	}
	for k := i; ; {
		b := &d.bodies[k]
		next := b.next
		d.rouse(k)
		if b.next = 0; next == 0 || next == i {
			return
		}
		k = next
	}
}

// rouse makes one body awake.
func (d *Dynamics) rouse(i int32) {
	d.touchBody(i)
	b := &d.bodies[i]
	b.awake, b.still = true, 0
	d.shifts++
	d.woken = append(d.woken, b.id)
}

// rest puts the islands to sleep whose bodies have all been at rest for long enough. An island
// is the dynamic bodies that are connected by contacts and joints.
func (d *Dynamics) rest() {
	s := &d.Settings
	if !(s.SleepSpeed > 0) {
		return
	}
	ripe := false
	for _, i := range d.awake {
		b, m := &d.bodies[i], &d.motions[i]
		if may := !b.set.NoSleep && !d.falls(b, m); !may || !d.isSlow(b, m) && !d.trembles(b, m) {
			drifts := may && d.drifts(b, m)
			b.still, b.restAt, b.restQ = 0, b.center, m.q
			if !drifts {
				continue
			}
			b.still = s.SleepTime
		}
		b.still += s.Step
		ripe = ripe || b.still >= s.SleepTime
	}
	if !ripe {
		return
	}
	d.islands = slices.Grow(d.islands[:0], len(d.bodies))[:len(d.bodies)]
	for _, i := range d.awake {
		d.islands[i] = i
	}
	for _, slot := range d.active {
		c := d.contacts.at(slot)
		d.connect(c.a, c.b)
	}
	for _, k := range d.live {
		g := &d.assemblies[k]
		for i := g.from; i < g.to; i++ {
			d.connect(d.chain[i].a, d.chain[i].b)
		}
	}
	for _, i := range d.sliding {
		if j := &d.jobs[i]; d.isCarried(j.kept, j.contact, j.k) {
			d.bodies[j.kept.a].still, d.bodies[j.kept.b].still = 0, 0
		}
	}
	// A root has the least time of rest of its island.
	for _, i := range d.awake {
		if root := d.root(i); d.bodies[i].moves {
			r := &d.bodies[root]
			r.still = min(r.still, d.bodies[i].still)
		}
	}
	for _, i := range d.awake {
		root := d.root(i)
		b := &d.bodies[i]
		if d.bodies[root].still < s.SleepTime {
			continue
		}
		b.awake = false
		d.shifts++
		m := &d.motions[i]
		m.v, m.w = geom.Vec3{}, geom.Vec3{}
		d.Slept = append(d.Slept, b.id)
		if i != root {
			r := &d.bodies[root]
			if r.next == 0 {
				r.next = root
			}
			b.next, r.next = r.next, i
		}
	}
}

// connect makes two bodies that act on each other sleep as one.
func (d *Dynamics) connect(i, k int32) {
	a, b := &d.bodies[i], &d.bodies[k]
	switch {
	case a.moves && b.moves:
		d.join(i, k)
	case a.moves && d.stirs(k): // on ground that moves
		a.still = 0
	case b.moves && d.stirs(i):
		b.still = 0
	}
}

// isSlow reports whether no point of a body moves faster than sleep allows.
func (d *Dynamics) isSlow(b *body, m *motion) bool { return b.isWithin(m, d.Settings.SleepSpeed) }

// isWithin reports whether no point of a body moves faster than a speed. A kinematic body may not
// move at all.
func (b *body) isWithin(m *motion, speed float32) bool {
	if !b.moves {
		return m.v == (geom.Vec3{}) && m.w == (geom.Vec3{})
	}
	most := float32(speed * speed)
	return m.v.LenSq() <= most && (float32(m.w.LenSq()*float32(b.reach*b.reach)) <= most || b.turns(m).LenSq() <= most)
}

// turns returns how fast its rotation moves any of a body along each of its axes, at most. A log of
// 50 m that rolls is slow. After Box3D (erincatto/box3d, src/solver.c, b3FinalizeBodiesTask).
func (b *body) turns(m *motion) geom.Vec3 {
	w, h := m.q.Inverse().Rotate(m.w).Abs(), b.half
	return geom.V(float32(w.Y*h.Z)+float32(w.Z*h.Y), float32(w.Z*h.X)+float32(w.X*h.Z), float32(w.X*h.Y)+float32(w.Y*h.X))
}

// falls reports whether gravity moves a body that nothing holds, as a feather: however slow it is,
// it would hang in the air if it slept.
func (d *Dynamics) falls(b *body, m *motion) bool {
	return b.moves && b.colors == 0 && b.joints == 0 && !b.set.Weightless && m.v.Dot(d.Settings.Gravity) != 0
}

// trembling is how many times SleepSpeed a body may be fast that stays where it is. In piles of
// 10,000 crates or 500 ragdolls some 50 bodies never rest: contacts that come and go, or a joint
// that holds a limb into its neighbour, shake them at up to 0.35 m/s, and move them by less than
// 5 mm in a second. A body that bounces at 0.4 m/s rises by 8 mm.
const trembling = 8

// trembles reports whether a body is not much faster than sleep allows, and no further from where
// it last was faster than half of SleepSpeed takes it in the time of rest. Jolt decides by
// distances too (jrouwe/JoltPhysics, Physics/Body/Body.cpp, UpdateSleepStateInternal).
func (d *Dynamics) trembles(b *body, m *motion) bool {
	if !b.moves || !b.isWithin(m, trembling*d.Settings.SleepSpeed) {
		return false
	}
	far := float32(d.Settings.SleepSpeed*d.Settings.SleepTime) * 0.5
	far *= far
	q := geom.Quat{X: m.q.X - b.restQ.X, Y: m.q.Y - b.restQ.Y, Z: m.q.Z - b.restQ.Z, W: m.q.W - b.restQ.W}
	// The chord of half the angle, squared.
	chord := float32(q.X*q.X) + float32(q.Y*q.Y) + float32(q.Z*q.Z) + float32(q.W*q.W)
	return b.center.Sub(b.restAt).LenSq() <= far && float32(4*chord*float32(b.reach*b.reach)) <= far
}

// drifts reports whether a body that has left the place where it trembled took at least two times
// of rest for that: its mean speed is at most a quarter of what sleep allows. It rests at the next
// place, for one time of rest so far.
func (d *Dynamics) drifts(b *body, m *motion) bool {
	return b.still >= 2*d.Settings.SleepTime && b.moves && b.isWithin(m, trembling*d.Settings.SleepSpeed)
}

// join unites two islands; the lower root stays.
func (d *Dynamics) join(a, b int32) {
	a, b = d.root(a), d.root(b)
	if a != b {
		d.islands[max(a, b)] = min(a, b)
	}
}

// root returns the root of a body's island, and halves the path to it.
func (d *Dynamics) root(i int32) int32 {
	for p := d.islands; p[i] != i; i = p[i] {
		p[i] = p[p[i]]
	}
	return i
}

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

// rest puts the islands to sleep of which all bodies have been at rest for long enough. An island
// is the dynamic bodies that are connected by contacts and joints.
func (d *Dynamics) rest() {
	s := &d.Settings
	if !(s.SleepSpeed > 0) {
		return
	}
	ripe := false
	for _, i := range d.awake {
		b, m := &d.bodies[i], &d.motions[i]
		if d.creeps(b, m) || b.set.NoSleep {
			b.still = 0
			continue
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

// creeps reports whether a point of a body may have moved by more than sleep allows since the last
// SleepTime began. It counts where the body is, not its speed: what is jammed between limits and
// the ground shakes at 0.1 m/s about one place, and a ball that rolls at 0.01 m/s travels.
func (d *Dynamics) creeps(b *body, m *motion) bool {
	if !b.moves {
		return m.v != (geom.Vec3{}) || m.w != (geom.Vec3{})
	}
	s := &d.Settings
	b.drift, b.turned = b.drift.Add(m.moved), b.turned.Add(m.turned)
	b.window += s.Step
	way := b.drift.Len() + float32(b.turned.Len()*b.reach)
	creeps := !(way <= s.SleepSpeed*max(s.SleepTime, s.Step))
	if creeps || b.window >= s.SleepTime {
		b.drift, b.turned, b.window = geom.Vec3{}, geom.Vec3{}, 0
	}
	return creeps
}

// moves reports whether a body is not at rest.
func (d *Dynamics) moves(i int32) bool {
	b, m := &d.bodies[i], &d.motions[i]
	return b.still == 0 && m.v.Len()+float32(m.w.Len()*b.reach) > d.Settings.SleepSpeed
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

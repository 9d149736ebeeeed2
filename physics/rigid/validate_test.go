package rigid

import (
	"fmt"
	"slices"
)

// Validate returns what is inconsistent after a step: of bodies and joints, an index that is not
// used once, a list of joints, or a number that is not finite; of contacts, a color that two
// constraints of a dynamic body have, or memory that is not used once; a lane of an octet that is
// not of one constraint; or an island that is not one ring of sleeping bodies.
func (d *Dynamics) Validate() error {
	if err := d.validateBodies(); err != nil {
		return err
	}
	if err := d.validateJoints(); err != nil {
		return err
	}
	if d.unbound {
		return nil // the next step binds the contacts
	}
	if err := d.validateLanes(); err != nil {
		return err
	}
	colors := make([]uint32, len(d.bodies))
	used := map[int32]bool{}
	for _, at := range d.freeMemories {
		if used[at] {
			return fmt.Errorf("memory %d is free twice", at)
		}
		used[at] = true
	}
	taken := make([]bool, d.contacts.n)
	for _, t := range d.tracker.All {
		taken[t.Slot] = true
		c := d.contacts.at(t.Slot)
		if a, b := d.owner(t.A).body, d.owner(t.B).body; c.solid && (c.a != a || c.b != b) {
			return fmt.Errorf("contact %d is of bodies %d and %d, not %d and %d", t.Slot, c.a, c.b, a, b)
		}
		n := int32(0)
		for at := c.first; at != 0; at, n = d.memories.at(at-1).next, n+1 {
			if used[at] {
				return fmt.Errorf("memory %d of contact %d is used twice", at, t.Slot)
			}
			used[at] = true
			color := d.memories.at(at - 1).color
			if n >= c.colored || color == overflow {
				continue
			}
			for _, i := range [...]int32{c.a, c.b} {
				if !d.bodies[i].moves {
					continue
				}
				if colors[i]>>color&1 != 0 {
					return fmt.Errorf("body %d has color %d twice", i, color)
				}
				colors[i] |= 1 << color
			}
		}
		if n < c.colored || c.held > n {
			return fmt.Errorf("contact %d has %d colors and %d manifolds, but %d memories", t.Slot, c.colored, c.held, n)
		}
	}
	if len(used) != int(d.memories.n) {
		return fmt.Errorf("%d memories are used or free, of %d", len(used), d.memories.n)
	}
	for slot := range d.contacts.n {
		if c := d.contacts.at(slot); !taken[slot] && *c != (contact{}) {
			return fmt.Errorf("slot %d is of no contact, and is not empty", slot)
		}
	}
	for i := range d.bodies {
		b := &d.bodies[i]
		if b.moves && b.colors != colors[i] {
			return fmt.Errorf("body %d has the colors %#x, its constraints %#x", i, b.colors, colors[i])
		}
		for k, n := b.next, 0; k != 0 && k != int32(i); k, n = d.bodies[k].next, n+1 {
			if n > len(d.bodies) || d.bodies[k].awake || d.bodies[k].next == 0 {
				return fmt.Errorf("the island of body %d is no ring of sleeping bodies", i)
			}
		}
	}
	return nil
}

// validateBodies checks the indices, colliders and numbers of bodies.
func (d *Dynamics) validateBodies() error {
	count := 0
	free := map[int32]bool{}
	for _, i := range d.free {
		if free[i] || d.bodies[i].alive {
			return fmt.Errorf("body %d is free twice, or not at all", i)
		}
		free[i] = true
	}
	for i := range d.bodies {
		b, m := &d.bodies[i], &d.motions[i]
		if !b.alive {
			continue
		}
		count++
		if b.id.index() != i {
			return fmt.Errorf("body %d has the ID %v", i, b.id)
		}
		for _, p := range b.parts {
			// One that has left the space may have left its index to another.
			_, there := d.space.Collider(p.collider)
			if o := d.owner(p.collider); there && o.body != int32(i) {
				return fmt.Errorf("%v of body %d is of body %d", p.collider, i, o.body)
			}
		}
		lost := !b.center.IsFinite()
		if lost && b.awake {
			return fmt.Errorf("body %d is lost and awake", i)
		}
		if !lost && !(m.q.IsFinite() && m.v.IsFinite() && m.w.IsFinite()) {
			return fmt.Errorf("the rotation or velocity of body %d is not finite: %v", i, *m)
		}
	}
	if count != d.count {
		return fmt.Errorf("%d bodies are counted, of %d", d.count, count)
	}
	return nil
}

// validateJoints checks the indices of joints, and the lists of the bodies.
func (d *Dynamics) validateJoints() error {
	count, links := 0, 0
	for i := range d.joints {
		if x := &d.joints[i]; x.alive {
			count++
			for side, body := range x.bodies {
				if id := [2]BodyID{x.set.A, x.set.B}[side]; body != 0 {
					if links++; d.bodies[body].id != id {
						return fmt.Errorf("%v is of %v, and in the list of %v", x.id, id, d.bodies[body].id)
					}
				}
			}
		}
	}
	free := map[int32]bool{}
	for _, i := range d.freeJoints {
		if free[i] || d.joints[i].alive {
			return fmt.Errorf("joint %d is free twice, or not at all", i)
		}
		free[i] = true
	}
	if count != d.jointCount {
		return fmt.Errorf("%d joints are counted, of %d", d.jointCount, count)
	}
	for body := range d.bodies {
		for link := d.bodies[body].joints; link != 0; links-- {
			x, side := &d.joints[(link-1)/2], (link-1)%2
			if !x.alive || x.bodies[side] != int32(body) || links == 0 {
				return fmt.Errorf("the list of body %d has a joint of others, or one twice", body)
			}
			link = x.next[side]
		}
	}
	if links != 0 {
		return fmt.Errorf("%d joints are missing in the lists of bodies", links)
	}
	return nil
}

// validateLanes checks that each constraint of the last step that a seam does not hide has a lane
// of its own in an octet of its color, and no octet a dynamic body twice.
func (d *Dynamics) validateLanes() error {
	lane := map[int32]bool{}
	last := make([]int32, d.colors[overflow+1]) // the lane after the last that is used
	manifolds := map[int32]int{}
	p, persists := &d.persistent, 0
	for at := range int32(len(p.seats)) {
		x := &p.seats[at]
		if x.contact == nil {
			continue
		}
		persists++
		c, o, l := d.contacts.at(x.slot), &d.octets[at/lanes], at%lanes
		color := d.memories.at(x.memory).color
		from, to := p.octetsOf(int(color))
		switch {
		case x.contact != d.tracker.Contact(x.slot) || p.lanes[x.slot] != at+1 || x.memory != c.first-1 || p.anchors[at/lanes].used>>l&1 == 0:
			return fmt.Errorf("persistent lane %d is not that of its contact", at)
		case int(at/lanes) < from || int(at/lanes) >= to:
			return fmt.Errorf("persistent lane %d is not of color %d", at, color)
		case o.a[l] != c.a || o.b[l] != c.b:
			return fmt.Errorf("persistent lane %d is of bodies %d and %d, not %d and %d", at, o.a[l], o.b[l], c.a, c.b)
		}
		lane[at] = true
		manifolds[x.slot]++
	}
	if persists != p.n {
		return fmt.Errorf("%d lanes are persistent, not %d", persists, p.n)
	}
	for i := range d.jobs {
		j := &d.jobs[i]
		if manifolds[j.contact.Slot]++; j.hidden {
			continue // it has none
		}
		o, l := d.lane(j)
		at := j.at / lanes
		c := d.contacts.at(j.contact.Slot)
		switch {
		case lane[j.at] || at < d.colors[j.color] || at >= d.colors[j.color+1]:
			return fmt.Errorf("lane %d is of two constraints, or not of color %d", j.at, j.color)
		case o.a[l] != c.a || o.b[l] != c.b:
			return fmt.Errorf("lane %d is of bodies %d and %d, not %d and %d", j.at, o.a[l], o.b[l], c.a, c.b)
		}
		lane[j.at] = true
		last[at] = max(last[at], int32(l)+1)
	}
	if d.grouped == d.shifts && !d.unbound && len(d.passing) == 0 {
		var active []int32
		for _, t := range d.tracker.All {
			if d.sifted(t.Slot) > 0 {
				active = append(active, t.Slot)
			}
		}
		if !slices.Equal(active, d.active) {
			return fmt.Errorf("the active contacts are %v, not %v", d.active, active)
		}
	}
	for _, slot := range d.active {
		if t := d.tracker.Contact(slot); t == nil || manifolds[slot] != len(t.Manifolds) {
			return fmt.Errorf("the contact of slot %d has %d constraints", slot, manifolds[slot])
		}
	}
	for at := range last {
		o := &d.octets[at]
		if at >= int(p.octets) && o.used != last[at] {
			return fmt.Errorf("octet %d has %d lanes, not %d", at, o.used, last[at])
		}
		for l := range int32(lanes) {
			if !lane[int32(at)*lanes+l] && (o.a[l] != 0 || o.b[l] != 0 || o.count[l] != 0) {
				return fmt.Errorf("lane %d of octet %d has no constraint, but bodies %d and %d", l, at, o.a[l], o.b[l])
			}
		}
		if int32(at) < d.colors[overflow] {
			if body := d.twice(&o.a, &o.b); body != 0 {
				return fmt.Errorf("octet %d has body %d twice", at, body)
			}
		}
	}
	return d.validateJointOctets()
}

// validateJointOctets checks that each joint in an octet has a lane of its own, of its color.
func (d *Dynamics) validateJointOctets() error {
	type place struct {
		motor bool
		at    int32
	}
	taken, used := map[place]bool{}, map[place]int32{}
	for _, k := range d.live {
		g := &d.assemblies[k]
		for i := g.from; i < g.singles; i++ {
			c := &d.chain[i]
			at, l := c.at/lanes, c.at%lanes
			colors, a, b := &d.jointColors, int32(0), int32(0)
			if c.turns {
				colors, a, b = &d.motorColors, d.motorOctets[at].a[l], d.motorOctets[at].b[l]
			} else {
				a, b = d.jointOctets[at].a[l], d.jointOctets[at].b[l]
			}
			if taken[place{c.turns, c.at}] || at < colors[c.color] || at >= colors[c.color+1] || a != c.a || b != c.b {
				return fmt.Errorf("lane %d is of two joints, or not of joint %d", c.at, c.joint)
			}
			taken[place{c.turns, c.at}] = true
			used[place{c.turns, at}]++
		}
	}
	for at := range d.jointOctets {
		o, n := &d.jointOctets[at], used[place{false, int32(at)}]
		if body := d.twice(&o.a, &o.b); body != 0 || o.used != n {
			return fmt.Errorf("joint octet %d has %d lanes, not %d, or body %d twice", at, o.used, n, body)
		}
	}
	for at := range d.motorOctets {
		o, n := &d.motorOctets[at], used[place{true, int32(at)}]
		if body := d.twice(&o.a, &o.b); body != 0 || o.used != n {
			return fmt.Errorf("motor octet %d has %d lanes, not %d, or body %d twice", at, o.used, n, body)
		}
	}
	return nil
}

// twice returns a dynamic body that lanes have twice, 0 if there is none.
func (d *Dynamics) twice(a, b *[lanes]int32) int32 {
	seen := map[int32]bool{}
	for _, side := range [2]*[lanes]int32{a, b} {
		for _, body := range side {
			if d.bodies[body].moves && seen[body] {
				return body
			}
			seen[body] = true
		}
	}
	return 0
}

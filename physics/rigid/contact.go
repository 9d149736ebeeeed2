package rigid

import (
	"math/bits"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// contact is what the solver keeps of a pair of colliders that touch, from begin to end, by the
// slot of the tracker.
type contact struct {
	a, b              int32 // bodies; 0: static
	solid             bool  // the solver acts on it: a body of it is dynamic, and it has manifolds
	slides            bool  // a material has a surface velocity
	colored           int32 // the number of constraints that have a color
	held              int32 // the number of manifolds in memory
	friction          float32
	restitution       float32
	rolling, spinning float32
	materials         [2]int32
	first             [1]memory
	more              []memory // the others
}

// memory is what is kept of a manifold from step to step.
type memory struct {
	childA, childB int32
	n              int32
	color          int32 // of the constraint of the same number
	points         [physics.MaxContactPoints]pointMemory
	friction       geom.Vec3 // impulse, N·s
	rolling        geom.Vec3 // angular impulse, N·m·s
}

// pointMemory is the impulse of a contact point and what it is found again by.
type pointMemory struct {
	featureA, featureB   physics.Feature
	triangleA, triangleB int32
	impulse              float32
}

// memory returns the memory of a manifold by its number.
func (c *contact) memory(k int32) *memory {
	if k == 0 {
		return &c.first[0]
	}
	for int(k) > len(c.more) {
		c.more = append(c.more, memory{})
	}
	return &c.more[k-1]
}

// A constraint has a color that no other constraint of its dynamic bodies has. So constraints of
// the same color can be solved in any order, and at the same time. Each keeps its color while it
// lasts. Contacts with static or kinematic bodies have colors of their own, which are solved last,
// so that nothing is pushed into the ground; where these are taken, they have one of the others.
// What finds no color is solved at the very end, one by one. The graph coloring is that of Box2D 3.
const (
	maxColors    = 32
	staticColors = 0xff000000 // a set
	overflow     = maxColors
)

// paint gives a constraint of two bodies a color.
func (d *Dynamics) paint(a, b int32) int32 {
	p, q := &d.bodies[a], &d.bodies[b]
	free := ^(p.colors | q.colors)
	c := int32(overflow)
	if both := p.moves && q.moves; both {
		if free &^= staticColors; free != 0 {
			c = int32(bits.TrailingZeros32(free))
		}
	} else if free != 0 {
		c = 31 - int32(bits.LeadingZeros32(free))
	}
	if c != overflow {
		if p.moves {
			p.colors |= 1 << c
		}
		if q.moves {
			q.colors |= 1 << c
		}
	}
	return c
}

// unpaint takes the colors of a contact's constraints from the n-th on.
func (d *Dynamics) unpaint(c *contact, n int32) {
	for k := n; k < c.colored; k++ {
		if color := c.memory(k).color; color != overflow {
			d.bodies[c.a].colors &^= 1 << color
			d.bodies[c.b].colors &^= 1 << color
		}
	}
	c.colored = min(c.colored, n)
}

// bind sets which bodies and materials a contact is of.
func (d *Dynamics) bind(t *physics.Contact) {
	c := d.contact(t.Slot)
	a, b := d.owner(t.A), d.owner(t.B)
	if a.body != c.a || b.body != c.b {
		d.unpaint(c, 0)
		c.held = 0
	}
	c.a, c.b = a.body, b.body
	c.solid = !t.Sensor && (d.bodies[c.a].moves || d.bodies[c.b].moves) && c.a != c.b
	if !c.solid {
		d.unpaint(c, 0)
		return
	}
	p, q := d.material(a), d.material(b)
	c.materials = [2]int32{a.material, b.material}
	c.friction = combine(p.Friction, q.Friction, p.CombineFriction, q.CombineFriction)
	c.restitution = combine(p.Restitution, q.Restitution, p.CombineRestitution, q.CombineRestitution)
	c.rolling = max(p.RollingResistance, q.RollingResistance)
	c.spinning = max(p.SpinningResistance, q.SpinningResistance)
	c.slides = p.SurfaceVelocity != (geom.Vec3{}) || q.SurfaceVelocity != (geom.Vec3{})
}

func (d *Dynamics) contact(slot int32) *contact {
	for int(slot) >= len(d.contacts) {
		d.contacts = append(d.contacts, contact{})
	}
	return &d.contacts[slot]
}

// job is a constraint to prepare: a manifold of a contact.
type job struct {
	contact int32 // index in tracker.All
	k       int32 // number of the manifold
	color   int32
	at      int32 // index of the constraint
}

// meet finds the contacts, wakes what they wake, and lists the constraints of this step by color.
func (d *Dynamics) meet() {
	for i := range d.tracker.Ended {
		c := d.contact(d.tracker.Ended[i].Slot)
		d.unpaint(c, 0)
		if c.solid {
			d.wakeSleeping(c.a)
			d.wakeSleeping(c.b)
		}
		c.held, c.solid = 0, false
	}
	all := d.tracker.All
	if d.unbound {
		for i := range all {
			d.bind(all[i])
		}
		d.unbound = false
	} else {
		for i := range d.tracker.Began {
			d.bind(d.tracker.Began[i])
		}
	}
	for woke := true; woke; {
		woke = false
		for i := range all {
			c := &d.contacts[all[i].Slot]
			if !c.solid {
				continue
			}
			// What is at rest on something that moved, also if that is no body, may fall.
			stirred := !all[i].Still && !d.rebased || d.stirs(c.a) || d.stirs(c.b)
			if stirred && (d.wakeSleeping(c.a) || d.wakeSleeping(c.b)) {
				woke = true
			}
		}
	}
	d.rebased = false // it changes all colliders, and moves none against another
	d.jobs = d.jobs[:0]
	var counts [maxColors + 1]int32
	for i := range all {
		c := &d.contacts[all[i].Slot]
		if !c.solid || !d.bodies[c.a].awake && !d.bodies[c.b].awake {
			continue
		}
		n := int32(len(all[i].Manifolds))
		if n < c.colored {
			d.unpaint(c, n)
		}
		for ; c.colored < n; c.colored++ {
			c.memory(c.colored).color = d.paint(c.a, c.b)
		}
		for k := range n {
			d.press(c, &all[i].Manifolds[k])
			color := c.memory(k).color
			d.jobs = append(d.jobs, job{contact: int32(i), k: k, color: color})
			counts[color]++
		}
	}
	d.colors[0] = 0
	for k, n := range counts {
		d.colors[k+1] = d.colors[k] + n
		counts[k] = d.colors[k]
	}
	for i := range d.jobs {
		j := &d.jobs[i]
		j.at = counts[j.color]
		counts[j.color]++
	}
}

// stirs reports whether a body wakes what touches it.
func (d *Dynamics) stirs(i int32) bool {
	b := &d.bodies[i]
	return b.awake && (b.moves || d.motions[i].v != (geom.Vec3{}) || d.motions[i].w != (geom.Vec3{}))
}

// wakeSleeping wakes a dynamic body; it reports whether it slept.
func (d *Dynamics) wakeSleeping(i int32) bool {
	if b := &d.bodies[i]; !b.moves || b.awake {
		return false
	}
	d.wake(i)
	return true
}

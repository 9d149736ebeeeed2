package rigid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/brief"
)

// Explanation is why a body moves or rests as it does: see [Dynamics.Explain].
type Explanation struct {
	Body  BodyID
	Awake bool
	// Speed is that of the fastest point of the body, at most, in m/s.
	Speed float32
	// Rest is for how long no body of the island was faster than sleep allows, in seconds.
	Rest float32
	// Reasons is why the body does not sleep, or why it does not move or collide, in words.
	Reasons []string
	// Weight is the force of gravity in N.
	Weight geom.Vec3
	// Pushes is what touches the body, in the order of contacts.
	Pushes []Push
	// Pulls is what joints do to the body, those added last first.
	Pulls []Pull
}

// Pull is what a joint does to a body.
type Pull struct {
	Joint JointID
	Kind  JointKind
	Body  BodyID // the other; 0: the world
	// Force and Torque are the mean of the last step, in N and N·m.
	Force, Torque geom.Vec3
	Disabled      bool
}

// Push is what one manifold does to a body.
type Push struct {
	Collider physics.ColliderID // of the body
	Other    physics.ColliderID
	Body     BodyID // of Other; 0: static
	Point    geom.Vec3
	// Normal is the unit vector from Other to the body.
	Normal geom.Vec3
	Depth  float32 // the largest, in metres
	// Force is along the normal and Friction across it, in N, in the last substep.
	Force    float32
	Friction geom.Vec3
	Sensor   bool // a sensor: no force
	Passes   bool // through a one-way surface: no force
	Joined   bool // a joint connects the bodies, and its Collide is not set: no force
}

// Explain returns why a body is awake or asleep, and what pushes it. It is for debugging: its time
// is proportional to the number of contacts. It reports false if there is no such body.
func (d *Dynamics) Explain(id BodyID) (Explanation, bool) {
	d.writeBack()
	i := d.find(id)
	if i == 0 {
		return Explanation{}, false
	}
	b, m := &d.bodies[i], &d.motions[i]
	e := Explanation{Body: id, Awake: b.awake, Speed: m.v.Len() + float32(m.w.Len()*b.reach), Rest: b.still}
	if b.moves && !b.set.Weightless {
		e.Weight = d.Settings.Gravity.Mul(b.gravityScale() / b.invMass)
	}
	for _, t := range d.Contacts() {
		a, o := d.owner(t.A).body, d.owner(t.B).body
		if a == i || o == i {
			e.Pushes = d.appendPushes(e.Pushes, t, a == i)
		}
	}
	d.jointsOf(i, func(j, other int32) bool {
		x := &d.joints[j]
		p := Pull{x.id, x.set.Kind, d.bodies[other].id, x.force, x.torque, x.set.Disabled}
		if x.bodies[0] == i {
			p.Force, p.Torque = p.Force.Neg(), p.Torque.Neg()
		}
		e.Pulls = append(e.Pulls, p)
		return true
	})
	d.reason(&e, i)
	return e, true
}

func (d *Dynamics) appendPushes(dst []Push, t *physics.Contact, first bool) []Push {
	p := Push{Collider: t.A, Other: t.B, Body: d.BodyOf(t.B), Sensor: t.Sensor}
	sign := float32(-1)
	if !first {
		p.Collider, p.Other, p.Body, sign = t.B, t.A, d.BodyOf(t.A), 1
	}
	if t.Sensor {
		return append(dst, p)
	}
	c := d.contacts.at(t.Slot)
	p.Passes, p.Joined = c.passes, d.isExempt(c.a, c.b)
	rate := float32(d.Settings.Substeps) / d.Settings.Step
	for k := range t.Manifolds {
		f := &t.Manifolds[k]
		p.Normal, p.Depth, p.Force, p.Friction = f.Normal.Mul(sign), f.Depth(), 0, geom.Vec3{}
		p.Point = f.Points[0].PointA
		if int32(k) < c.held && c.solid {
			memory := d.memory(c, int32(k))
			for _, q := range memory.points[:memory.n] {
				p.Force += float32(q.impulse * rate)
			}
			p.Friction = memory.friction.Mul(sign * rate)
		}
		dst = append(dst, p)
	}
	return dst
}

// reason finds the reasons.
func (d *Dynamics) reason(e *Explanation, i int32) {
	b, s := &d.bodies[i], &d.Settings
	say := func(format string, a ...any) { e.Reasons = append(e.Reasons, fmt.Sprintf(format, a...)) }
	for _, p := range b.parts {
		switch c, ok := d.space.Collider(p.collider); {
		case !ok:
			say("%v was removed from the space", p.collider)
		case d.space.IsNowhere(p.collider):
			say("%v is nowhere: a number in its state was NaN or infinite", p.collider)
		case c.Sensor:
			say("%v is a sensor, which collides with nothing", p.collider)
		}
	}
	if !b.awake {
		if b.center.IsFinite() { // else it is lost
			say("it sleeps, since its island was at rest for %g s", s.SleepTime)
		}
		return
	}
	carriers := d.carriers()
	switch {
	case !(s.SleepSpeed > 0):
		say("Settings.SleepSpeed is %g: nothing sleeps", s.SleepSpeed)
	case b.set.NoSleep:
		say("NoSleep is set")
	case d.falls(b, &d.motions[i]):
		say("it falls, and nothing holds it")
	case b.still == 0 && !d.isSlow(b, &d.motions[i]):
		say("it moves at up to %.3g m/s; sleep begins below %g", e.Speed, s.SleepSpeed)
	case carriers[i] != 0:
		say("the surface of %v moves it", carriers[i])
	}
	for _, k := range d.island(i) {
		o := &d.bodies[k]
		switch {
		case k == i:
		case !o.moves && d.stirs(k):
			say("%v, on which its island rests, moves", o.id)
		case o.set.NoSleep:
			say("%v of its island has NoSleep set", o.id)
		case o.moves && o.still == 0 && !d.isSlow(o, &d.motions[k]):
			say("%v of its island moves", o.id)
		case o.moves && carriers[k] != 0:
			say("the surface of %v moves %v of its island", carriers[k], o.id)
		}
	}
	if len(e.Reasons) == 0 {
		say("its island has been slow for %.2f s of %g", b.still, s.SleepTime)
	}
}

// carriers returns, by body, a collider whose surface carries it.
func (d *Dynamics) carriers() map[int32]physics.ColliderID {
	brief.Complete(&d.tracker)
	by := map[int32]physics.ColliderID{}
	for _, slot := range d.active {
		c, t := d.contacts.at(slot), d.tracker.Contact(slot)
		for k := range t.Manifolds {
			if c.slides && d.isCarried(c, t, int32(k)) {
				by[c.a], by[c.b] = t.B, t.A
			}
		}
	}
	return by
}

// island returns the bodies of an awake body's island, with the kinematic ones that touch it or are
// connected with it, in no order that means anything.
func (d *Dynamics) island(i int32) []int32 {
	found, seen := []int32{i}, map[int32]bool{i: true, 0: true}
	for k := 0; k < len(found); k++ {
		if !d.bodies[found[k]].moves {
			continue
		}
		for _, slot := range d.active {
			c := d.contacts.at(slot)
			for _, pair := range [...][2]int32{{c.a, c.b}, {c.b, c.a}} {
				if pair[0] == found[k] && !seen[pair[1]] {
					seen[pair[1]] = true
					found = append(found, pair[1])
				}
			}
		}
		d.jointsOf(found[k], func(j, other int32) bool {
			if d.connects(j) && !seen[other] {
				seen[other] = true
				found = append(found, other)
			}
			return true
		})
	}
	return found
}

// exemption returns in words which joint keeps two bodies from colliding.
func (d *Dynamics) exemption(a, b int32) (why string) {
	d.jointsOf(a, func(j, other int32) bool {
		if other == b && !d.joints[j].set.Collide && !d.joints[j].set.Disabled {
			why = fmt.Sprintf("%v connects their bodies, and its Collide is not set", d.joints[j].id)
		}
		return why == ""
	})
	return why
}

// String returns the explanation in words, a line for each reason and push.
func (e Explanation) String() string {
	var s strings.Builder
	state := "asleep"
	if e.Awake {
		state = "awake"
	}
	fmt.Fprintf(&s, "%v is %s, at %.3g m/s, at rest for %.2f s, weight %.4g N", e.Body, state, e.Speed, e.Rest, e.Weight.Len())
	for _, r := range e.Reasons {
		s.WriteString("\n  " + r)
	}
	for _, p := range e.Pushes {
		who := p.Other.String()
		if p.Body != 0 {
			who = p.Body.String() + ", " + who
		}
		switch {
		case p.Sensor:
			fmt.Fprintf(&s, "\n  overlaps %s, of which one is a sensor", who)
		case p.Passes:
			fmt.Fprintf(&s, "\n  passes %s from behind its one-way surface", who)
		case p.Joined:
			fmt.Fprintf(&s, "\n  overlaps %s, with which a joint connects it", who)
		default:
			fmt.Fprintf(&s, "\n  %s pushes with %.4g N along %v, friction %.4g N, depth %.2g mm", who, p.Force, p.Normal, p.Friction.Len(), 1000*p.Depth)
		}
	}
	for _, p := range e.Pulls {
		who := "the world"
		if p.Body != 0 {
			who = p.Body.String()
		}
		if p.Disabled {
			fmt.Fprintf(&s, "\n  %v with %s, a %v, is disabled", p.Joint, who, p.Kind)
			continue
		}
		fmt.Fprintf(&s, "\n  %v with %s, a %v, pulls with %.4g N and %.4g N·m", p.Joint, who, p.Kind, p.Force.Len(), p.Torque.Len())
	}
	return s.String()
}

// ExplainPair returns in words why the solver does not keep two colliders apart, or that it does.
// It is for debugging.
func (d *Dynamics) ExplainPair(a, b physics.ColliderID) string {
	x, okA := d.space.Collider(a)
	y, okB := d.space.Collider(b)
	o, p := d.owner(a).body, d.owner(b).body
	filled := func(l, otherwise physics.Layers) physics.Layers {
		if l == 0 {
			return otherwise
		}
		return l
	}
	lx, mx := filled(x.Layer, physics.DefaultLayer), filled(x.Mask, physics.AllLayers)
	ly, my := filled(y.Layer, physics.DefaultLayer), filled(y.Mask, physics.AllLayers)
	switch {
	case !okA:
		return fmt.Sprintf("%v is not in the space", a)
	case !okB:
		return fmt.Sprintf("%v is not in the space", b)
	case a == b:
		return "they are the same collider"
	case d.space.IsNowhere(a):
		return fmt.Sprintf("%v is nowhere: its shape is empty, or a number in it is NaN or infinite", a)
	case d.space.IsNowhere(b):
		return fmt.Sprintf("%v is nowhere: its shape is empty, or a number in it is NaN or infinite", b)
	case o == p && o != 0:
		return fmt.Sprintf("both are parts of %v", d.bodies[o].id)
	case !d.bodies[o].moves && !d.bodies[p].moves:
		return "neither is part of a dynamic body"
	case x.Static && y.Static:
		return "both are declared Static"
	case mx&ly == 0:
		return fmt.Sprintf("the Mask %#x of %v has none of the layers %#x of %v", mx, a, ly, b)
	case my&lx == 0:
		return fmt.Sprintf("the Mask %#x of %v has none of the layers %#x of %v", my, b, lx, a)
	case d.isExempt(o, p):
		return d.exemption(o, p)
	case x.Sensor:
		return fmt.Sprintf("%v is a sensor", a)
	case y.Sensor:
		return fmt.Sprintf("%v is a sensor", b)
	}
	for _, t := range d.Contacts() {
		if t.Pair() == (physics.Pair{A: min(a, b), B: max(a, b)}) {
			if d.contacts.at(t.Slot).passes {
				return "one passes through the other from behind its one-way surface"
			}
			unless := ""
			if d.Adjust != nil {
				unless = ", unless Adjust switches that off"
			}
			return fmt.Sprintf("they touch, and the solver keeps them apart%s: depth %.2g mm", unless, 1000*t.Depth())
		}
	}
	if slices.Contains(d.space.OverlapShape(nil, physics.Placed{Shape: x.Shape, Transform: x.Transform}, filterOf(&x)), b) {
		return "they touch only since the last step: the next one finds that"
	}
	return fmt.Sprintf("they are more than %g m apart", d.Settings.Margin)
}

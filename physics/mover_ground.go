package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// What a mover touches where it is: the ground under it, what has moved into it, and what carries
// it.

// near writes to w.contacts what is no further from the mover than a distance.
func (w *walker) near(distance float64) {
	w.contacts = w.contacts[:0]
	box := w.swept(geom.DVec3{})
	w.gather(&box)
	feet, head := w.reach(w.up)
	half := (head - feet) / 2
	under := false
	for _, in := range [2]*surroundings{w.static, &w.moving} {
		for _, i := range in.near(&box) {
			if !touches(&box, &in.boxes[i].AABB) || !w.isSeen(in, i) {
				continue
			}
			o := &in.list[i]
			if o.solid < 0 && !o.plane && o.face.Normal != (geom.DVec3{}) {
				if least, greatest := w.heights(&o.face, w.at); least > distance || -greatest > distance {
					continue
				}
			}
			n := len(w.contacts)
			if n == cap(w.contacts) {
				w.contacts = slices.Grow(w.contacts, 1)
			}
			w.contacts = w.contacts[:n+1]
			c := &w.contacts[n]
			if c.in, c.i = in, i; !w.gap(&c.Gap, in, i, w.at, distance) || !(c.Distance <= distance) {
				w.contacts = w.contacts[:n]
			} else if in == &w.moving && -c.Distance > half && c.Normal.Dot(w.up) > 0 {
				under = true
			}
		}
	}
	if under && slices.ContainsFunc(w.contacts, func(c contact) bool { return w.isFloor(&c) }) {
		w.turnOver(half)
	}
}

// isFloor reports whether a contact is with static ground.
func (w *walker) isFloor(c *contact) bool { return c.in == w.static && c.Normal.Dot(w.up) >= w.leastUp }

// turnOver makes what would lift a mover by more than half its height off static ground press it
// down instead: it came from above, and is so thin or so far down that the way out on its upper
// side is shorter by now.
func (w *walker) turnOver(half float64) {
	for i := range w.contacts {
		c := &w.contacts[i]
		o := c.obstacle()
		if c.in != &w.moving || o.solid < 0 || !(-c.Distance > half && c.Normal.Dot(w.up) > 0) {
			continue
		}
		_, head := w.reach(w.up)
		bottom := -c.in.solids[o.solid].Reach(w.up.Neg())
		c.Normal, c.Distance = w.up.Neg(), bottom-head-w.at.Dot(w.up)
	}
}

// findFloors makes the floors those of the contacts that can be stood on.
func (w *walker) findFloors() {
	w.floors = w.floors[:0]
	for i := range w.contacts {
		c := &w.contacts[i]
		if n, ok := w.standable(c); ok {
			w.floors = append(w.floors, n)
		}
	}
}

// leastHold is how much of the normal of an edge must be along up so that the edge holds the mover.
const leastHold = 0.2

// standable returns the normal of what is stood on at a contact, if a mover stands on that: the
// surface, or the edge itself.
func (w *walker) standable(c *contact) (geom.DVec3, bool) {
	up := c.Normal.Dot(w.up)
	if !(up >= leastHold) {
		return geom.DVec3{}, false
	}
	if n := w.surface(c); n.Dot(w.up) >= w.leastUp {
		return n, true
	}
	return c.Normal, up >= w.leastUp && !w.isWithin(c)
}

// isWithin reports whether the edge at a contact is one within a steep surface, of which a nearer
// part bears the mover. Such an edge leans to wherever the mover is, which may look like something
// to stand on.
func (w *walker) isWithin(c *contact) bool {
	for i := range w.contacts {
		d := &w.contacts[i]
		if d.Distance < c.Distance && d.Normal.Dot(w.up) < w.leastUp && math.Abs(d.Normal.Dot(c.Point.Sub(d.Point))) <= w.slop {
			return true
		}
	}
	return false
}

// surface returns the normal of what a contact is on. On a face that is the contact's own; that of
// an edge leans to wherever the shape is.
func (w *walker) surface(c *contact) geom.DVec3 {
	o := c.obstacle()
	n := o.face.Normal
	switch {
	case o.plane:
		return c.Normal
	case o.solid >= 0:
		if c.Normal.Dot(w.up) >= w.leastUp {
			return c.Normal
		}
		return w.surfaceOfSolid(c)
	case n == geom.DVec3{}:
		return c.Normal
	}
	// The side on which the middle is.
	if least, greatest := w.heights(&o.face, w.at); least+greatest < 0 {
		n = n.Neg()
	}
	return n
}

// surfaceOfSolid casts a ray down at a solid, a little inward of an edge.
func (w *walker) surfaceOfSolid(c *contact) geom.DVec3 {
	inward := c.Normal.AddMul(-c.Normal.Dot(w.up), w.up).Normalize()
	in := max(w.size/30, float64(8*w.ulp))
	high := float64(5 * in)
	from := c.Point.AddMul(high, w.up).AddMul(-in, inward)
	rec := &w.space.records[c.in.owners[c.obstacle().owner].record]
	r := geom.Ray{Origin: from.Narrow(), Dir: w.up.Neg().Narrow(), MaxT: float32(10 * in)}
	f := Filter{Start: geom.Ignore}
	var h geom.Hit
	if rec.castSubshape(&h, &rec.subshapes()[c.obstacle().at], &r, &f) {
		return h.Normal.Wide()
	}
	return c.Normal
}

// drop lets the mover down onto what is no more than a length below it, and writes to w.contacts
// what it touches then. It returns false if there is nothing.
func (w *walker) drop(length float64) bool {
	var h impact
	down := w.up.Mul(-length)
	if !w.cast(&h, down) {
		return false
	}
	// Along what is steep the way back to the full gap is long, and may lead beyond the edge.
	w.at = w.at.AddMul(max(h.t, h.least-4*w.slop/length), down)
	w.near(w.offset + w.slop)
	return true
}

// find chooses what is stood on among the contacts, and returns whether it can be stood on.
func (w *walker) find() bool {
	w.ground = support{}
	var best *contact
	most := 0.0
	for i := range w.contacts {
		c := &w.contacts[i]
		lean := c.Normal.Dot(w.up)
		if !(lean > 0.02) {
			continue
		}
		n, ok := w.standable(c)
		state := OnSteepGround
		up := lean
		if ok {
			state, up = OnGround, 1+n.Dot(w.up)
		} else {
			n = c.Normal
		}
		if best == nil || up > most || up == most && c.order(best) < 0 {
			o := c.obstacle()
			best, most = c, up
			w.ground = support{state, c.Point, n, c.in.owners[o.owner].record, o.child, o.triangle()}
		}
	}
	if w.ground.state == OnSteepGround && w.isWedged() {
		w.ground.state, w.ground.normal = OnGround, w.up
	}
	return w.ground.state == OnGround
}

// isWedged reports whether what the mover touches, though none of it can be stood on, leaves no way
// down. It could not get out of there if it did not stand.
func (w *walker) isWedged() bool {
	var normals [maxSlides]geom.DVec3
	n := 0
next:
	for i := range w.contacts {
		c := &w.contacts[i]
		for _, known := range normals[:n] {
			if known.Dot(c.Normal) > 0.999 {
				continue next
			}
		}
		if n < len(normals) {
			normals[n] = c.Normal
			n++
		}
	}
	return clip(w.up.Neg(), normals[:n]).Len() < 0.1
}

// deepest returns how deep the mover is in any of the contacts.
func (w *walker) deepest() (d float64) {
	for i := range w.contacts {
		d = max(d, -w.contacts[i].Distance)
	}
	return d
}

// pushOut moves the mover out of what is nearer than it may be: what was moved there, or it was put
// into. Where there is no room it ends on static ground if there is some, else in the middle. It
// leaves in w.contacts what the mover touches then.
func (w *walker) pushOut() {
	const rounds = 8
	for range rounds {
		w.near(w.offset + w.slop)
		most := math.Inf(1)
		for i := range w.contacts {
			most = min(most, w.contacts[i].Distance)
		}
		if most >= w.offset-2*w.slop {
			return
		}
		slices.SortFunc(w.contacts, func(a, b contact) int { return a.order(&b) })
		out := w.wayOut()
		w.at = w.at.Add(out)
		if w.isHair(out) {
			return
		}
	}
	w.near(w.offset + w.slop)
}

// wayOut returns a short way after which no contact is nearer than it may be, as far as their
// planes tell; where there is none, a way to where those that are left balance each other, but on
// static ground if there is some: nothing presses a mover into that.
func (w *walker) wayOut() (way geom.DVec3) {
	lack := func(c *contact) float64 { return w.offset - c.Distance - c.Normal.Dot(way) }
	// Out of one after the other (Kaczmarz 1937).
	for range 16 {
		most := 0.0
		for i := range w.contacts {
			if l := lack(&w.contacts[i]); l > 0 {
				way = way.AddMul(l, w.contacts[i].Normal)
				most = max(most, l)
			}
		}
		if most <= w.slop/4 {
			return way
		}
	}
	for i := range w.contacts {
		// The edges within a floor lean to wherever the mover is, which must not let it slip out
		// sideways.
		if c := &w.contacts[i]; w.isFloor(c) {
			if n := w.surface(c); n.Dot(w.up) >= w.leastUp {
				c.Normal = n
			}
		}
	}
	way = geom.DVec3{}
	for range 32 {
		var sum geom.DVec3
		n := 0
		for i := range w.contacts {
			if c := &w.contacts[i]; !w.isFloor(c) {
				if l := lack(c); l > 0 {
					sum = sum.AddMul(l, c.Normal)
					n++
				}
			}
		}
		if n > 0 {
			way = way.AddMul(1/float64(n), sum)
		}
		onto := 0.0
		for i := range w.contacts {
			if c := &w.contacts[i]; w.isFloor(c) {
				if l := lack(c); l > 0 {
					way = way.AddMul(l, c.Normal)
					onto = max(onto, l)
				}
			}
		}
		if n == 0 && onto == 0 {
			break
		}
	}
	return way
}

// platform is what a mover stood on at the end of its last move, and how that has moved since.
type platform struct {
	id       ColliderID
	way      geom.DVec3 // of the mover, if it goes along
	velocity geom.DVec3
	turn     geom.Quat // about up
	turns    bool
}

// platform returns how what the mover stands on has moved since its last move.
func (w *walker) platform(st *MoverState, seconds float64) (p platform) {
	r := w.space.lookup(st.GroundCollider)
	if r == nil || r.sensor || r.where == nowhere {
		return p
	}
	p.id = r.id
	from, to := st.GroundTransform, w.space.transform(r.id.index())
	if from == to || !from.IsFinite() || !st.GroundPoint.IsFinite() || !w.isBy(st.GroundPoint.Wide()) {
		return p
	}
	// Where the mover would be if it were fixed to it. A scale that changes does not count.
	arm := w.at.Sub(from.Position.Wide())
	if turn := to.Rotation.Mul(from.Rotation.Inverse()); from.Rotation != to.Rotation && w.isTurned(r) {
		arm = rotate(turn, arm)
		// The part of the turn that is about up.
		t := geom.DVec3{X: float64(turn.X), Y: float64(turn.Y), Z: float64(turn.Z)}.Dot(w.up)
		u := w.up.Mul(t).Narrow()
		p.turn = geom.Quat{X: u.X, Y: u.Y, Z: u.Z, W: turn.W}
		p.turns = u != geom.Vec3{}
	}
	p.way = to.Position.Wide().Add(arm).Sub(w.at)
	p.velocity = p.way.Mul(1 / seconds)
	return p
}

// isBy reports whether a point is where the ground may be that the mover came to stand on. Who was
// put elsewhere since is not by it; a push by others leads away from it by no more than the size of
// a mover.
func (w *walker) isBy(p geom.DVec3) bool {
	bound := w.size + w.offset
	if w.round {
		a, d := w.p.Add(w.at), w.q.Sub(w.p)
		t := 0.0
		if l := d.Dot(d); l > 0 {
			t = max(0, min(p.Sub(a).Dot(d)/l, 1))
		}
		return p.Sub(a.AddMul(t, d)).Len() <= w.radius+bound
	}
	spot := narrow.Sphere(geom.Sphere{Center: p.Narrow()})
	mine := w.shape.Moved(w.at)
	return narrow.Distance(&spot, &mine, math.Inf(1)).Distance <= bound
}

// isTurned reports whether the rotation of a collider has a part in where it is.
func (w *walker) isTurned(r *record) bool {
	_, isBox := w.space.details[r.id.index()].shape.(geom.AABB)
	return !isBox
}

// rotate turns a vector without narrowing it.
func rotate(q geom.Quat, v geom.DVec3) geom.DVec3 {
	u, s := geom.DVec3{X: float64(q.X), Y: float64(q.Y), Z: float64(q.Z)}, float64(q.W)
	l := u.Dot(u) + float64(s*s)
	if !(l > 0) {
		return v
	}
	c := u.Cross(v)
	return v.AddMul(2/l, u.Cross(c).AddMul(s, c))
}

// carry moves the mover along with what it stands on, as far as nothing else is in the way.
func (w *walker) carry(p *platform, st *MoverState) {
	w.skip = p.id
	w.slide(p.way)
	w.skip = 0
	if p.turns {
		st.Transform.Rotation = p.turn.Mul(st.Transform.Rotation)
	}
}

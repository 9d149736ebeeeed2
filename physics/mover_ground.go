package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// The contacts of a mover at its place: the ground under it, obstacles that have moved into it, and
// a platform that carries it.

// near writes the contacts with obstacles that are no further from the mover than a distance.
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
		w.pressDown(half)
	}
}

// isFloor reports whether a contact is with ground that does not give way: it is static, or the
// mover stood on it and it has not moved since.
func (w *walker) isFloor(c *contact) bool {
	return (c.in == w.static || w.isFooting(c)) && c.Normal.Dot(w.up) >= w.leastUp
}

func (w *walker) isFooting(c *contact) bool {
	return w.firm && c.in.owners[c.obstacle().owner].id == w.stoodOn
}

// pressDown makes moving obstacles that would lift a mover off its floor by more than half its
// height press it down instead: they came from above, and are so thin or so far down that the way
// out on their upper side is the shorter one by now.
func (w *walker) pressDown(half float64) {
	for i := range w.contacts {
		c := &w.contacts[i]
		o := c.obstacle()
		if c.in != &w.moving || w.isFooting(c) || o.solid < 0 || !(-c.Distance > half && c.Normal.Dot(w.up) > 0) {
			continue
		}
		_, head := w.reach(w.up)
		bottom := -c.in.solids[o.solid].Reach(w.up.Neg())
		c.Normal, c.Distance = w.up.Neg(), bottom-head-w.at.Dot(w.up)
	}
}

// findFloors sets the floors: the normals of the contacts that the mover can stand on.
func (w *walker) findFloors() {
	w.floors = w.floors[:0]
	for i := range w.contacts {
		c := &w.contacts[i]
		if n, ok := w.standable(c); ok {
			w.floors = append(w.floors, n)
		}
	}
}

// leastHold is the least component of an edge's normal along up with which the edge holds the
// mover.
const leastHold = 0.2

// standable returns the normal of the surface or the edge at a contact, and whether the mover can
// stand on it.
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

// isWithin reports whether the edge at a contact is inside a steep surface that touches the mover
// nearer by. The normal of such an edge points to wherever the mover is, and may look like ground.
func (w *walker) isWithin(c *contact) bool {
	for i := range w.contacts {
		d := &w.contacts[i]
		if d.Distance < c.Distance && d.Normal.Dot(w.up) < w.leastUp && math.Abs(d.Normal.Dot(c.Point.Sub(d.Point))) <= w.slop {
			return true
		}
	}
	return false
}

// surface returns the normal of the surface at a contact. On a face it is the contact's own normal;
// at an edge the contact's normal points to wherever the shape is, and the surface has another.
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
		return w.surfaceOfConvex(c)
	case n == geom.DVec3{}:
		return c.Normal
	}
	// The side of the mover's middle.
	if least, greatest := w.heights(&o.face, w.at); least+greatest < 0 {
		n = n.Neg()
	}
	return n
}

// surfaceOfConvex casts a ray down at a convex shape, a little inward of an edge.
func (w *walker) surfaceOfConvex(c *contact) geom.DVec3 {
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

// drop moves the mover down onto an obstacle no more than a length below it, and writes its
// contacts there. It returns false if there is none.
func (w *walker) drop(length float64) bool {
	var h impact
	down := w.up.Mul(-length)
	if !w.cast(&h, down) {
		return false
	}
	// On a steep surface the way back to the full gap is long, and may lead beyond the edge.
	w.at = w.at.AddMul(max(h.t, h.least-4*w.slop/length), down)
	w.near(w.offset + w.slop)
	return true
}

// findGround chooses the ground among the contacts, and returns whether the mover can stand on it.
func (w *walker) findGround() bool {
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
		switch {
		case ok:
			state, up = OnGround, 1+n.Dot(w.up)
		case w.isWithin(c):
			continue // a wall of triangles is no ground at the edges below the mover's middle
		default:
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

// isWedged reports whether the contacts leave no way down, though the mover can stand on none of
// them. If it did not stand there, it could never leave.
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

// pushOut moves the mover out of obstacles that are nearer than the offset, since they have moved
// or the caller has put it there. Where there is no space it ends on static ground if there is
// some, and otherwise in the middle. It writes the contacts at its end.
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
		if w.isNegligible(out) {
			return
		}
	}
	w.near(w.offset + w.slop)
}

// wayOut returns a short way to where no contact is nearer than the offset, by the planes of the
// contacts. If there is none, it returns a way to where the rest balance each other, on static
// ground if there is some: no obstacle presses a mover into that.
func (w *walker) wayOut() (way geom.DVec3) {
	lack := func(c *contact) float64 { return w.offset - c.Distance - c.Normal.Dot(way) }
	// Projection on one plane after the other (Kaczmarz 1937).
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
		// The normals of edges inside a floor point to wherever the mover is; it must not slip out
		// sideways along them.
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

// platform is the motion of the ground, and along its surface, since the last move of a mover that
// stands on it.
type platform struct {
	id       ColliderID
	way      geom.DVec3 // of the mover, if it is carried along
	velocity geom.DVec3
	turn     geom.Quat // about up
	turns    bool
}

// carryRate is how many times its size the ground may move in a second, and carry movers: what is
// faster was teleported. Higher: a platform that is put back to its start takes along what stands
// on it. Lower: small fast platforms lose what stands on them.
const carryRate = 60

// platform returns the motion of the ground since the mover's last move, and along its surface.
func (w *walker) platform(st *MoverState, seconds float64) (p platform) {
	r := w.space.lookup(st.GroundCollider)
	if r == nil || r.sensor || r.where == nowhere {
		return p
	}
	p.id = r.id
	from, to := st.GroundTransform, w.space.transform(r.id.index())
	if from == to && st.SurfaceVelocity == (geom.Vec3{}) || !from.IsFinite() || !st.GroundPoint.IsFinite() || !w.isBy(st.GroundPoint.Wide()) {
		return p
	}
	if from != to {
		// The place of the mover if it were fixed to the ground, without changes of scale.
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
		b := r.bounds()
		if far := b.Max.Wide().Sub(b.Min.Wide()).Len() + w.size; p.way.Len() > far*max(1, seconds*carryRate) {
			p.way, p.turns = geom.DVec3{}, false
		}
	}
	v, n := st.SurfaceVelocity.Wide(), st.GroundNormal.Wide()
	p.way = p.way.AddMul(seconds, v.AddMul(-v.Dot(n), n))
	p.velocity = p.way.Mul(1 / seconds)
	return p
}

// isBy reports whether the point of the ground at the last move is still at the mover. It is
// not if the caller has teleported the mover; a push moves it by no more than its size.
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

// isTurned reports whether the rotation of a collider turns its shape.
func (w *walker) isTurned(r *record) bool {
	_, isBox := w.space.details[r.id.index()].shape.(geom.AABB)
	return !isBox
}

// rotate rotates a vector in double precision.
func rotate(q geom.Quat, v geom.DVec3) geom.DVec3 {
	u, s := geom.DVec3{X: float64(q.X), Y: float64(q.Y), Z: float64(q.Z)}, float64(q.W)
	l := u.Dot(u) + float64(s*s)
	if !(l > 0) {
		return v
	}
	c := u.Cross(v)
	return v.AddMul(2/l, u.Cross(c).AddMul(s, c))
}

// carry moves the mover along with the ground, as far as no other obstacle is in the way.
func (w *walker) carry(p *platform, st *MoverState) {
	w.skip = p.id
	w.slide(p.way)
	w.skip = 0
	if p.turns {
		st.Transform.Rotation = p.turn.Mul(st.Transform.Rotation)
	}
}

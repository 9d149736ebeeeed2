package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// constraint keeps two colliders apart along a direction in which they overlap.
type constraint struct {
	normal geom.DVec3 // unit, from the body to the other
	depth  float64    // without the pushes
}

// update computes the contacts of some bodies where one of the two has moved.
func (p *Separator) update(_, from, to int) {
	bodies, c := &p.bodies, &p.nearby[from/bodyChunk]
	w := takeScratch()
	defer w.give()
	c.active, c.violated = c.active[:0], false
	for i := range c.pairs {
		x := &c.pairs[i]
		if !p.looked || bodies.moved[x.body] || bodies.moved[x.other] {
			x.to = x.from
			if isWithinOf(&bodies.bounds[x.body], &bodies.bounds[x.other], 0) {
				p.findPair(c, w, x)
			}
		}
		if x.from < x.to {
			c.active = append(c.active, int32(i))
			c.violated = c.violated || p.violates(c, x, bodies.between(x))
		}
	}
	clear(bodies.blocked[from:to])
	for i := range c.obstacles {
		x := &c.obstacles[i]
		if !p.looked || bodies.moved[x.body] {
			p.findObstacle(c, w, x, bodies.push[x.body])
		}
		if x.from < x.to {
			bodies.blocked[x.body], bodies.involved[x.body] = true, true
			c.violated = c.violated || p.violates(c, &x.nearPair, bodies.push[x.body])
		}
	}
}

// isViolated reports whether any body is deeper than Slop in something.
func (p *Separator) isViolated() bool {
	chunks := p.chunks()
	for i := range chunks {
		if chunks[i].violated {
			return true
		}
	}
	return false
}

// violates reports whether a body and a collider near it are deeper in each other than Slop after a
// push.
func (p *Separator) violates(c *nearby, x *nearPair, push geom.DVec3) bool {
	for k := x.from; k < x.to; k++ {
		if c.constraints[k].depthAfter(push) > p.slop {
			return true
		}
	}
	return false
}

// depthAfter returns the depth once one is pushed relative to the other.
func (r *constraint) depthAfter(push geom.DVec3) float64 { return r.depth + push.Dot(r.normal) }

// findObstacle computes the contacts of a pushed body with an obstacle.
func (p *Separator) findObstacle(c *nearby, w *scratch, x *obstaclePair, push geom.DVec3) {
	x.to = x.from
	if r := &p.space.records[x.other]; !x.ground && p.bodies.bounds[x.body].OverlapsAABB(*r.bounds()) {
		x.from = int32(len(c.constraints))
		w.manifolds = w.collide(w.manifolds[:0], p.bodies.subshapes(p.space, x.body), r.subshapes(), 0)
		for i := range w.manifolds {
			m := &w.manifolds[i]
			if n, depth, ok := p.direction(m.Normal, m.Depth()); ok {
				c.constraints = append(c.constraints, constraint{n, depth - push.Dot(n)})
			}
		}
		x.to = int32(len(c.constraints))
	}
}

// findPair computes the contacts of two bodies.
func (p *Separator) findPair(c *nearby, w *scratch, x *nearPair) {
	b := &p.bodies
	x.from = int32(len(c.constraints))
	if n, depth, ok, simple := b.collideSimple(x); simple {
		if ok {
			p.addConstraint(c, x, n, depth)
		}
	} else {
		w.manifolds = w.collide(w.manifolds[:0], b.subshapes(p.space, x.body), b.subshapes(p.space, x.other), 0)
		for i := range w.manifolds {
			p.addConstraint(c, x, w.manifolds[i].Normal, w.manifolds[i].Depth())
		}
	}
	x.to = int32(len(c.constraints))
}

// addConstraint adds a contact of two bodies. One that is above the other is pushed off it.
func (p *Separator) addConstraint(c *nearby, x *nearPair, normal geom.Vec3, depth float32) {
	b := &p.bodies
	n, far, ok := p.direction(normal, depth)
	if !ok {
		n = p.aside(&b.bounds[x.body], &b.bounds[x.other])
	}
	c.constraints = append(c.constraints, constraint{n, far - b.between(x).Dot(n)})
}

// direction returns the direction and the distance to move two colliders apart. With Up set, it
// returns false if one is above the other.
func (p *Separator) direction(along geom.Vec3, far float32) (normal geom.DVec3, depth float64, ok bool) {
	normal, depth = along.Wide(), float64(far)
	if !p.flat {
		return normal, depth, true
	}
	level := normal.AddMul(-normal.Dot(p.up), p.up)
	l := level.Len()
	if float64(l*l) < 0.5 {
		return geom.DVec3{}, depth, false
	}
	return level.Mul(1 / l), depth / l, true
}

// aside returns a level direction in which a movable above another is pushed off it.
func (p *Separator) aside(a, b *geom.AABB) geom.DVec3 {
	d := b.Center().Wide().Sub(a.Center().Wide())
	level := d.AddMul(-d.Dot(p.up), p.up)
	if level.Len() > 1e-4*a.HalfExtents().Wide().Len() {
		return level.Normalize()
	}
	across := geom.DVec3{X: 1}
	if math.Abs(p.up.X) > 0.6 {
		across = geom.DVec3{Z: 1}
	}
	return across.AddMul(-across.Dot(p.up), p.up).Normalize()
}

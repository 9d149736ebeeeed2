package physics

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// finish writes the pushes of some bodies.
func (p *Separator) finish(_, from, to int) {
	c := &p.nearby[from/bodyChunk]
	w := takeScratch()
	defer w.give()
	stands := c.stands
	for i := int32(from); i < int32(to); i++ {
		n := 0
		for n < len(stands) && stands[n].body == i {
			n++
		}
		if push := &p.bodies.push[i]; *push != (geom.DVec3{}) {
			p.restrain(c, w, i, push, stands[:n])
			p.movables[p.bodies.all[i].movable].Push = push.Narrow()
		}
		stands = stands[n:]
	}
}

// restrain shortens the push of a body that would get deeper into an obstacle, or past one.
func (p *Separator) restrain(c *nearby, w *scratch, i int32, push *geom.DVec3, stands []stand) {
	for range 4 {
		pressed := false
		for i := range stands {
			p.findStand(c, w, &stands[i], *push)
			pressed = pressed || p.presses(c, &stands[i].abut, *push)
		}
		if !pressed {
			break
		}
		p.pushOut(c, push, stands)
		p.bodies.weights[i].confine(push)
		p.bodies.follow(i)
	}
	for range 3 {
		if p.mayGo(w, i, stands) {
			return
		}
		*push = push.Mul(0.5)
		p.bodies.follow(i)
	}
	if !p.mayGo(w, i, stands) {
		*push = geom.DVec3{}
	}
}

// mayGo reports whether a body, after its push, is no deeper in any obstacle than it was, and on
// the same side of it.
func (p *Separator) mayGo(w *scratch, i int32, stands []stand) bool {
	s, r := p.space, &p.space.records[p.bodies.all[i].record]
	if p.bodies.simple && isAllGround(stands) {
		from, to := r.bounds().Center(), p.bodies.bounds[i].Center()
		return !slices.ContainsFunc(stands, func(x stand) bool { return s.records[x.other].isBetween(from, to) })
	}
	before, after := r.subshapes(), p.bodies.subshapes(s, i)
	if len(before) != len(after) {
		return false // a child overflowed float32
	}
	for i := range stands {
		r := &s.records[stands[i].other]
		if !stands[i].ground {
			if depth := p.depth(w, after, r, false); depth > p.slop && depth > p.depth(w, before, r, true) {
				return false
			}
		}
		for k := range after {
			if r.isBetween(before[k].Bounds.Center(), after[k].Bounds.Center()) {
				return false
			}
		}
	}
	return true
}

// isBetween reports whether the surface of a collider is between two points. A body that starts on
// a surface may move to either side.
func (r *record) isBetween(from, to geom.Vec3) bool {
	ray := geom.Ray{Origin: from, Dir: to.Sub(from), MinT: 0.001, MaxT: 1}
	return ray.IsValid() && r.castAnySubshape(&ray, &Filter{Start: geom.Ignore})
}

// depth returns the depth of a body in an obstacle; ground counts only on request.
func (p *Separator) depth(w *scratch, subshapes []placed.Subshape, r *record, ground bool) float64 {
	deepest := 0.0
	w.manifolds = w.collide(w.manifolds[:0], subshapes, r.subshapes(), 0)
	for i := range w.manifolds {
		if _, depth, ok := p.way(w.manifolds[i].Normal, w.manifolds[i].Depth()); ok || ground {
			deepest = max(deepest, depth)
		}
	}
	return deepest
}

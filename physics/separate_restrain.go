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
	obstacles := c.obstacles
	for i := int32(from); i < int32(to); i++ {
		n := 0
		for n < len(obstacles) && obstacles[n].body == i {
			n++
		}
		if push := &p.bodies.push[i]; *push != (geom.DVec3{}) {
			p.restrain(c, w, i, push, obstacles[:n])
			p.movables[p.bodies.all[i].movable].Push = push.Narrow()
		}
		obstacles = obstacles[n:]
	}
}

// restrain shortens the push of a body that would get deeper into an obstacle, or past one.
func (p *Separator) restrain(c *nearby, w *scratch, i int32, push *geom.DVec3, obstacles []obstaclePair) {
	for range 4 {
		violated := false
		for i := range obstacles {
			p.findObstacle(c, w, &obstacles[i], *push)
			violated = violated || p.violates(c, &obstacles[i].nearPair, *push)
		}
		if !violated {
			break
		}
		p.pushOut(c, push, obstacles)
		p.bodies.weights[i].limitPush(push)
		p.bodies.follow(i)
	}
	for range 3 {
		if p.isAllowed(w, i, obstacles) {
			return
		}
		*push = push.Mul(0.5)
		p.bodies.follow(i)
	}
	if !p.isAllowed(w, i, obstacles) {
		*push = geom.DVec3{}
	}
}

// isAllowed reports whether a body, after its push, is no deeper in any obstacle than it was, and
// on the same side of it.
func (p *Separator) isAllowed(w *scratch, i int32, obstacles []obstaclePair) bool {
	s, r := p.space, &p.space.records[p.bodies.all[i].record]
	if p.bodies.simple && isAllGround(obstacles) {
		from, to := r.bounds().Center(), p.bodies.bounds[i].Center()
		return !slices.ContainsFunc(obstacles, func(x obstaclePair) bool { return s.records[x.other].isBetween(from, to) })
	}
	before, after := r.subshapes(), p.bodies.subshapes(s, i)
	if len(before) != len(after) {
		return false // a child overflowed float32
	}
	for i := range obstacles {
		r := &s.records[obstacles[i].other]
		if !obstacles[i].ground {
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
		if _, depth, ok := p.direction(w.manifolds[i].Normal, w.manifolds[i].Depth()); ok || ground {
			deepest = max(deepest, depth)
		}
	}
	return deepest
}

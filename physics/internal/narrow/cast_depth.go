package narrow

import "github.com/hitscan-go/hitscan/physics/geom"

// depth returns the minimum translation vector of the core of a, as direction and depth: moved by
// it, the core only touches that of b, which it overlaps or touches. Of equal depths, it is the one
// most against the motion. inexact is set if there may be a lesser one. The search has found how
// the cores lie.
func (c *pair) depth(g *search) (n geom.DVec3, depth float64, inexact bool) {
	var r relation
	sure := true
	if c.a.isFew() && c.b.isFew() {
		r = separateFew(c.a, c.b, g.at, c.m, c.tolerance, 0)
	} else {
		g.motion = c.m
		r, sure = expand(g)
	}
	return r.n.Neg(), max(0, -r.dist), !sure
}

package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The motion of a mover along obstacles.

// maxSlides bounds the number of surfaces that turn one move.
const maxSlides = 8

// slide moves the mover along a way, and along the obstacles that block it, floors or walls.
func (w *walker) slide(way geom.DVec3) {
	var planes [maxSlides]geom.DVec3
	rest := way
	for n := range maxSlides {
		d := clip(rest, planes[:n])
		if w.isNegligible(d) {
			return
		}
		var h impact
		if !w.cast(&h, d) {
			w.at = w.at.Add(d)
			return
		}
		w.at = w.at.AddMul(h.t, d)
		rest = rest.Mul(1 - h.t)
		planes[n] = h.Normal
	}
}

// clip returns the part of a motion in the air that the planes met so far leave. Surfaces too steep
// to stand on are not climbed: the horizontal component into them is lost.
func (w *walker) clip(v geom.DVec3) geom.DVec3 {
	for _, n := range w.planes {
		if up := n.Dot(w.up); up > 0 && up < w.leastUp && v.Dot(n) < 0 {
			side := n.AddMul(-up, w.up).Normalize()
			if into := v.Dot(side); into < 0 {
				v = v.AddMul(-into, side)
			}
		}
	}
	return clip(v, w.planes)
}

// clip returns the vector nearest to v that leads into none of some planes, given by their normals.
func clip(v geom.DVec3, normals []geom.DVec3) geom.DVec3 {
	within := func(u geom.DVec3) bool {
		for _, n := range normals {
			if u.Dot(n) < -1e-9*v.Len() {
				return false
			}
		}
		return true
	}
	if within(v) {
		return v
	}
	var best geom.DVec3
	most := 0.0 // largest u·v, the square of the length of the projection
	try := func(u geom.DVec3) {
		if l := u.Dot(v); l > most && within(u) {
			best, most = u, l
		}
	}
	for i, n := range normals {
		if d := v.Dot(n); d < 0 {
			try(v.AddMul(-d, n))
		}
		for _, m := range normals[:i] {
			if c := n.Cross(m); c.Dot(c) > 1e-12 {
				try(c.Mul(v.Dot(c) / c.Dot(c)))
			}
		}
	}
	return best
}

// hitOf returns the hit of an obstacle that stopped the mover.
func (w *walker) hitOf(h *impact, rest geom.DVec3) MoverHit {
	o := h.obstacle()
	r := &w.space.records[h.in.owners[o.owner].record]
	return MoverHit{
		Collider: r.id, User: r.user, Child: o.child, Triangle: o.triangle(),
		Point: h.Point.Narrow(), Normal: unsigned(h.Normal).Narrow(), Motion: rest.Narrow(), Position: w.at.Narrow(),
	}
}

// unsigned returns v without negative zeros.
func unsigned(v geom.DVec3) geom.DVec3 { return v.Add(geom.DVec3{}) }

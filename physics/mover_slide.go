package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The motion of a mover along obstacles.

// maxSlides bounds the number of surfaces that turn one move.
const maxSlides = 8

// fly moves a mover in the air. It returns true if the mover has landed, and walks.
func (w *walker) fly(motion geom.DVec3) bool {
	rest := motion
	for range maxSlides {
		way := w.clip(rest)
		if w.isHair(way) {
			return false
		}
		var h impact
		if !w.cast(&h, way) {
			w.at = w.at.Add(way)
			return false
		}
		w.at = w.at.AddMul(h.t, way)
		rest = rest.Mul(1 - h.t)
		w.hits = append(w.hits, w.met(&h, rest))
		if up := h.Normal.Dot(w.up); up >= w.leastUp && rest.Dot(w.up) <= 0 {
			w.floors = append(w.floors[:0], h.Normal)
			w.walk(rest.AddMul(-rest.Dot(w.up), w.up))
			return true
		}
		w.planes = append(w.planes, h.Normal)
	}
	return false
}

// slide moves the mover along a way, and along the obstacles that block it, floors or walls.
func (w *walker) slide(way geom.DVec3) {
	var planes [maxSlides]geom.DVec3
	rest := way
	for n := range maxSlides {
		d := clip(rest, planes[:n])
		if w.isHair(d) {
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

// walk moves a mover on the ground by a horizontal motion: along walls, up and down slopes, and up
// steps.
func (w *walker) walk(motion geom.DVec3) {
	rest := motion
	w.walls = w.walls[:0]
	for range maxSlides {
		way, ok := w.along(rest)
		if !ok || w.isHair(way) {
			return
		}
		var h impact
		if !w.cast(&h, way) {
			w.at = w.at.Add(way)
			return
		}
		w.at = w.at.AddMul(h.t, way)
		rest = rest.Mul(1 - h.t)
		if h.Normal.Dot(w.up) >= w.leastUp {
			w.floors = append(w.floors, h.Normal)
			continue
		}
		met := w.met(&h, rest) // before the step, which may gather other obstacles
		// The step gets the motion that the walls met so far leave.
		flat := way.AddMul(-way.Dot(w.up), w.up).Mul(1 - h.t)
		if left, ok := w.step(h.Normal, h.Point, flat); ok {
			rest, w.walls = left, w.walls[:0]
			continue
		}
		w.hits = append(w.hits, met)
		w.walls = append(w.walls, h.Normal)
	}
}

// along returns the way of a horizontal motion on the floors and between the walls met so far;
// false if there is none.
func (w *walker) along(motion geom.DVec3) (geom.DVec3, bool) {
	// The floor that rises most decides, so that nothing leads into the others.
	floor, rise := w.floor(motion)
	flat := motion
	if len(w.walls) > 0 {
		var sides [maxSlides]geom.DVec3
		n := 0
		for _, wall := range w.walls {
			// A wall blocks a walker across the line where it meets the floor; on a level floor, by
			// its horizontal component.
			side := wall.AddMul(-wall.Dot(w.up)/floor.Dot(w.up), floor)
			if side = side.AddMul(-side.Dot(w.up), w.up); !(side.Len() > 1e-3) {
				return geom.DVec3{}, false // the wall lies on the floor like a lid
			}
			sides[n] = side.Normalize()
			n++
		}
		flat = clip(motion, sides[:n])
		flat = flat.AddMul(-flat.Dot(w.up), w.up)
		_, rise = w.floor(flat)
	}
	return flat.AddMul(rise, w.up), true
}

// floor returns the normal of the floor on which a horizontal motion rises most, and the rise.
func (w *walker) floor(motion geom.DVec3) (normal geom.DVec3, rise float64) {
	normal = w.up
	for i, n := range w.floors {
		if r := -n.Dot(motion) / n.Dot(w.up); i == 0 || r > rise {
			normal, rise = n, r
		}
	}
	return normal, rise
}

// met returns the hit of an obstacle that stopped the mover.
func (w *walker) met(h *impact, rest geom.DVec3) MoverHit {
	o := h.obstacle()
	r := &w.space.records[h.in.owners[o.owner].record]
	return MoverHit{
		Collider: r.id, User: r.user, Child: o.child, Triangle: o.triangle(),
		Point: h.Point.Narrow(), Normal: unsigned(h.Normal).Narrow(), Motion: rest.Narrow(), Position: w.at.Narrow(),
	}
}

// unsigned returns v without negative zeros.
func unsigned(v geom.DVec3) geom.DVec3 { return v.Add(geom.DVec3{}) }

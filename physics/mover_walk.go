package physics

import "github.com/hitscan-go/hitscan/physics/geom"

// fly moves a mover in the air. It returns true if the mover has landed, and walks.
func (w *walker) fly(motion geom.DVec3) bool {
	rest := motion
	for range maxSlides {
		way := w.clip(rest)
		if w.isNegligible(way) {
			return false
		}
		var h impact
		if !w.cast(&h, way) {
			w.at = w.at.Add(way)
			return false
		}
		w.at = w.at.AddMul(h.t, way)
		rest = rest.Mul(1 - h.t)
		w.hits = append(w.hits, w.hitOf(&h, rest))
		if up := h.Normal.Dot(w.up); up >= w.leastUp && rest.Dot(w.up) <= 0 {
			w.floors = append(w.floors[:0], h.Normal)
			w.walk(rest.AddMul(-rest.Dot(w.up), w.up))
			return true
		}
		w.planes = append(w.planes, h.Normal)
	}
	return false
}

// walk moves a mover on the ground by a horizontal motion: along walls, up and down slopes, and up
// steps.
func (w *walker) walk(motion geom.DVec3) {
	rest := motion
	w.walls = w.walls[:0]
	for range maxSlides {
		way, ok := w.along(rest)
		if !ok || w.isNegligible(way) {
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
		met := w.hitOf(&h, rest) // before the step, which may gather other obstacles
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

// stayOnGround finds the ground that the mover stands on, and follows the ground down if it walks.
// It returns false if there is none.
func (w *walker) stayOnGround(walks bool) bool {
	w.near(w.offset + w.slop)
	if w.findGround() || !walks {
		return w.ground.state == OnGround
	}
	if w.isOnFront() {
		w.ground.state = OnGround
		return true
	}
	if w.snapDistance == 0 {
		return false
	}
	before, steep := w.at, w.ground
	if w.drop(w.snapDistance) {
		if w.findGround() {
			return true
		}
		if w.isOnFront() {
			w.ground.state = OnGround
			return true
		}
	}
	w.at, w.ground = before, steep
	w.near(w.offset + w.slop)
	return false
}

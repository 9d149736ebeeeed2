package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Walking over a step: a stair, a kerb or a low rock. The front of a step may be steeper than
// MaxSlope, upright or overhanging. While there is ground to stand on close above the front, or
// below it, the mover walks on the front itself.

// step walks over an obstacle at a point with a normal by the rest of a horizontal motion: up,
// forward and down again. It returns what is then left of the motion. If there is no step that it
// can walk over, it returns false and the mover stays.
func (w *walker) step(n, point, rest geom.DVec3) (left geom.DVec3, ok bool) {
	length := rest.Len()
	if w.stepHeight == 0 || w.isNegligible(rest) {
		return rest, false
	}
	start := w.at
	if rise := w.raise(n); rise > 4*w.slop {
		p := probe{normal: n, point: point, start: start, high: start.AddMul(rise, w.up), rise: rise, begins: len(w.floors) > 0}
		left, ok = w.stepOn(&p, rest)
		if along := p.along; !ok && along.Dot(w.into(n)) > 0.02*length {
			wall := p.wall
			if left, ok = w.stepOn(&p, along); ok {
				w.hits = append(w.hits, wall)
			}
		}
		if ok {
			w.findFloors()
			return left, true
		}
	}
	w.at = start
	return rest, false
}

// raise returns how far the mover can move up at an obstacle.
func (w *walker) raise(n geom.DVec3) (rise float64) {
	// Somewhat more than the step, so that a step of the full height is not in the way.
	most := w.stepHeight + 2*w.slop
	if n.Dot(w.up) > -0.01 {
		return w.free(w.up, most)
	}
	// It is under an overhang: back, up, and forward again.
	start, into := w.at, w.into(n)
	least, greatest := w.reach(into)
	back := w.free(into.Neg(), (greatest-least)/2)
	w.at = start.AddMul(-back, into)
	rise = w.free(w.up, most)
	if w.at = w.at.AddMul(rise, w.up); w.free(into, back) < back-w.slop {
		rise = 0
	}
	w.at = start
	return rise
}

// free returns how far the mover can move in a direction, up to a length.
func (w *walker) free(dir geom.DVec3, length float64) float64 {
	var h impact
	if w.cast(&h, dir.Mul(length)) {
		return h.t * length
	}
	return length
}

// probe is the input and the state of a test for a step.
type probe struct {
	normal, point geom.DVec3 // of the obstacle
	start, high   geom.DVec3 // the place of the mover, and its place when raised
	rise          float64    // between these
	begins        bool       // from ground, not from the front of a step

	along geom.DVec3 // the motion that a wall beside the step leaves; zero if there is no wall
	wall  MoverHit
}

// stepOn is step from the raised place. It also finds a wall beside the step.
func (w *walker) stepOn(p *probe, rest geom.DVec3) (left geom.DVec3, ok bool) {
	length := rest.Len()
	dir := rest.Mul(1 / length)
	// Depth is across the front, to which the motion may be oblique.
	depth := w.stepDepth / max(dir.Dot(w.into(p.normal)), 0.5)
	on := max(length, w.leastStep())
	free := max(on, depth)
	w.at = p.high
	var h impact
	if w.cast(&h, dir.Mul(free)) {
		free *= h.t
		if side := w.into(h.Normal); free < depth {
			p.along = rest.AddMul(-max(0, rest.Dot(side)), side)
			p.wall = w.hitOf(&h, rest)
			p.wall.Position = p.start.Narrow()
		}
	}
	if p.begins && free < depth {
		return left, false
	}
	on = min(on, free)
	if !(w.lands(p, dir.Mul(on)) && w.isDeep(p, dir, 0, on, free, depth)) && !w.isFront(p) {
		return left, false
	}
	// By the motion, or, if that is too short to get onto the step, by the least step.
	for _, l := range [2]float64{min(length, free), on} {
		if w.lower(p.high.AddMul(l, dir), p.rise) && !w.isAtFoot(p) && (w.findGround() || w.ground.state != InAir) {
			return dir.Mul(max(0, length-l)), true
		}
	}
	return left, false
}

// into returns the horizontal direction into a surface, zero if it is level.
func (w *walker) into(n geom.DVec3) geom.DVec3 {
	v := w.up.Mul(n.Dot(w.up)).Sub(n)
	if !(v.Len() > 1e-3) {
		return geom.DVec3{}
	}
	return v.Normalize()
}

// leastStep returns the least way onto an upright step at which its edge holds the mover.
func (w *walker) leastStep() float64 { return max(w.stepDepth/4, 0.03*w.radius) }

// lower puts the mover on the ground below a place to which it was raised. It returns false if
// there is none.
func (w *walker) lower(at geom.DVec3, rise float64) bool {
	w.at = at
	return w.drop(rise + w.snapDistance)
}

// lands lowers the mover at a way from its raised place, and returns whether it can stand there,
// beyond the obstacle or above it.
func (w *walker) lands(p *probe, way geom.DVec3) bool {
	return w.lower(p.high.Add(way), p.rise) && w.findGround() && w.heightOver(p.start) <= w.stepHeight+2*w.slop && !w.isAtFoot(p)
}

// isAtFoot reports whether the mover is no higher than before, and still touches the obstacle.
func (w *walker) isAtFoot(p *probe) bool {
	if w.at.Sub(p.start).Dot(w.up) > w.slop {
		return false
	}
	for i := range w.contacts {
		if w.contacts[i].Normal.Dot(p.normal) > 0.99 {
			return true
		}
	}
	return false
}

// isFront reports whether the obstacle is the front of a step: whether there is ground to stand on
// above it, no further than the front may extend.
func (w *walker) isFront(p *probe) bool {
	into := w.into(p.normal)
	if into == (geom.DVec3{}) {
		return false
	}
	far := w.frontLength(p.rise)
	free := far + w.stepDepth
	w.at = p.high
	var h impact
	if w.cast(&h, into.Mul(free)) {
		free *= h.t
		if h.Normal.Dot(p.normal) > 0.999 && math.Abs(h.Point.Sub(p.point).Dot(p.normal)) <= w.slop {
			return false // the front continues upward
		}
	}
	far = min(far, free)
	stride := w.stride(into, far)
	for from := 0.0; from < far; {
		to := min(from+stride, far)
		if w.lands(p, into.Mul(to)) {
			return w.isDeep(p, into, from, to, free, w.stepDepth)
		}
		from = to
	}
	return false
}

// frontLength returns the longest horizontal extent of the front of a step of some height: a longer
// one is not steeper than MaxSlope.
func (w *walker) frontLength(height float64) float64 {
	return float64(height*w.leastUp)/math.Sqrt(1-float64(w.leastUp*w.leastUp)) + w.leastStep()
}

// stride returns the distance between the places at which a way is tested for ground: a quarter of
// the mover's width, so that no ground is missed, but no more than 16 places.
func (w *walker) stride(dir geom.DVec3, way float64) float64 {
	least, greatest := w.reach(dir)
	return max((greatest-least)/4, w.leastStep(), way/16)
}

// isDeep reports whether the mover could move on by a depth from where it first lands on a step,
// which is between the lengths from and to of a way that is free up to the length free.
func (w *walker) isDeep(p *probe, dir geom.DVec3, from, to, free, depth float64) bool {
	if !p.begins {
		return true
	}
	for free < to+depth && to-from > w.leastStep() {
		if mid := (from + to) / 2; w.lands(p, dir.Mul(mid)) {
			to = mid
		} else {
			from = mid
		}
	}
	return free >= from+depth
}

// isOnFront reports whether the mover, which touches no ground that it can stand on, is on the
// front of a step: on its way up, or on its way down to ground that is no more than SnapDistance
// below.
func (w *walker) isOnFront() bool {
	g := w.ground
	into := w.into(g.normal)
	if g.state != OnSteepGround || into == (geom.DVec3{}) {
		return false
	}
	here := w.at
	found := false
	switch along := into.Dot(w.flat); {
	case along > 1e-3*w.flat.Len():
		if w.stepHeight > 0 {
			p := probe{normal: g.normal, point: g.point, start: here, rise: w.raise(g.normal)}
			p.high = here.AddMul(p.rise, w.up)
			found = w.isFront(&p)
		}
	case along < -1e-3*w.flat.Len():
		out := into.Neg()
		far := w.free(out, w.frontLength(w.snapDistance))
		stride := w.stride(out, far)
		for to := 0.0; to < far && !found; {
			to = min(to+stride, far)
			found = w.lower(here.AddMul(to, out), 0) && w.findGround()
		}
	}
	w.at, w.ground = here, g
	w.near(w.offset + w.slop)
	return found
}

// heightOver returns the height of the ground at the mover over the ground at a mover at a place.
func (w *walker) heightOver(at geom.DVec3) float64 {
	feet, _ := w.reach(w.up)
	return w.ground.point.Sub(at).Dot(w.up) - feet + w.offset
}

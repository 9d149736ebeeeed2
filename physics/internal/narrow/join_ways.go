package narrow

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// isWayOut reports whether the direction of the contacts of a part alone is a way out of the
// surface, and of that of the other mesh if there is one.
func (j *Joiner) isWayOut(p *part) bool {
	if p.free {
		return true
	}
	t := &j.of[0]
	q := &t.faces[p.a]
	switch p.stand {
	case wrong:
		return false
	case overFace:
		// Where nothing overlaps, the shape is on the side where it is. Else it leaves the surface
		// to the side of its middle, also where the tip of it that is within is near another
		// triangle.
		if q.side != 0 && p.n.Dot(q.u)*float64(q.side) <= 0 {
			return false
		}
	case overRim:
		// The edge of a part of a longer edge is no rim.
		for _, c := range j.alone(p) {
			if c.Depth >= p.depth-j.rounding && t.isBelow(p.a, c.PointA, p.n) {
				if !q.thin {
					q.edges[p.at] = 0
				}
				return false
			}
		}
	default:
		if !t.standsAt(p.a, p.stand, int(p.at), p.n, j.extent) {
			return false
		}
	}
	return p.b < 0 || j.of[1].hasWay(p.b, p.n.Neg(), j.extent)
}

// leastWay finds the least way out of the surface at a triangle. It returns false if there is none,
// or if along it the shape is further than the margin.
func (j *Joiner) leastWay(p *part, w *way) bool {
	j.tries = j.tries[:0]
	q := &j.of[0].faces[p.a]
	if q.thin {
		return false
	}
	side := float64(q.side)
	convex, any := [3]bool{}, p.b >= 0
	for i, b := range q.edges {
		convex[i] = q.edges.isOpen(i) || float64(b)*side > 0
		any = any || convex[i]
	}
	if w.n, w.depth = q.u.Mul(side), math.Inf(1); p.b >= 0 {
		j.try(p, w, w.n)
	} else {
		w.depth = j.over(p, w.n)
	}
	if any {
		j.tryFeatures(p, w, &convex)
		slices.SortStableFunc(j.tries, func(a, b way) int { return cmp.Compare(a.depth, b.depth) })
		for _, t := range j.tries {
			if !j.hasWay(p, t.n) {
				continue
			}
			if c, ok := j.touch(&t); ok {
				j.touches = append(j.touches, c)
				*w, w.touch = t, int32(len(j.touches))
				break
			}
		}
	}
	return w.depth >= -j.margin && w.depth < math.Inf(1)
}

// try adds a direction that is shorter than the triangle's normal.
func (j *Joiner) try(p *part, w *way, n geom.DVec3) {
	if d := j.over(p, n); d < w.depth-j.rounding {
		j.tries = append(j.tries, way{n, d, p.index, 0})
	}
}

// hasWay reports whether a direction is a way out of the surface at a triangle, and at that of the
// other mesh.
func (j *Joiner) hasWay(p *part, n geom.DVec3) bool {
	return j.of[0].hasWay(p.a, n, j.extent) && (p.b < 0 || j.of[1].hasWay(p.b, n.Neg(), j.extent))
}

// tryFeatures tries the directions in which a least way out over the convex edges can be.
func (j *Joiner) tryFeatures(p *part, w *way, convex *[3]bool) {
	_, s := j.pair(p)
	t, q := &j.of[0], &j.of[0].faces[p.a]
	polytope := s.kind != KindSphere && s.kind != KindCapsule && s.kind != KindRound
	if polytope {
		for i := range s.numFaces() {
			n, _ := s.face(i)
			j.try(p, w, n.Neg())
		}
	}
	if p.b >= 0 {
		for i := range 3 {
			n := j.of[1].edgeOn(p.b, i)
			j.try(p, w, n)
			j.try(p, w, n.Neg())
		}
	}
	for i := range q.c {
		if !convex[i] {
			continue
		}
		a, b := q.c[i], q.c[(i+1)%3]
		along := b.Sub(a)
		j.try(p, w, t.edgeOn(p.a, i))
		if polytope {
			for k := range s.numArcs() {
				f := s.arc(k)
				x, y := f.a.Dot(along), f.b.Dot(along)
				if float64(x*y) > 0 {
					continue
				}
				n := f.e.Cross(along)
				if l := n.Len(); l > parallelAxes*f.e.Len()*along.Len() {
					if n = n.Mul(1 / l); n.Dot(f.out) > 0 {
						n = n.Neg()
					}
					j.try(p, w, n)
				}
			}
		}
		if !polytope || p.depth < 0 {
			var edge Shape
			edge.setCapsule(a, b, 0)
			j.tryAlone(p, w, &edge, s)
			for _, c := range [2]geom.DVec3{a, b} {
				edge.setSphere(c, 0)
				j.tryAlone(p, w, &edge, s)
			}
		}
	}
}

// tryAlone tries the way out of a part of a triangle alone.
func (j *Joiner) tryAlone(p *part, w *way, t, s *Shape) {
	var r relation
	a, b := t, s
	exchanged := !before(t, s)
	if exchanged {
		a, b = s, t
	}
	if relate(&r, a, b, math.Inf(1), askDepth) {
		if exchanged {
			r.n = r.n.Neg()
		}
		j.try(p, w, r.n)
	}
}

package narrow

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// isWayOut reports whether the direction of a triangle's contacts alone is a way out of the surface.
func (j *Joiner) isWayOut(p *part) bool {
	switch p.stand {
	case overFace:
		// What is apart is on the side where it is; what overlaps leaves to the side of its middle.
		return p.free || p.depth < 0 || p.n.Dot(p.u)*float64(p.side) > 0
	case overEdge:
		return !j.leadsPast(p, p.n)
	case overRim:
		// The edge of a part of a longer edge is no rim.
		for _, c := range j.of(p) {
			if c.Depth >= p.depth-j.rounding && j.isBelow(p, c.PointA, p.n) {
				if !p.thin {
					p.edges[p.at] = 0
				}
				return false
			}
		}
		return true
	case overCorner:
		return j.isSummit(p, int(p.at), p.n)
	}
	return false
}

// isSummit reports whether no triangle around a corner of another rises above the plane across a
// direction there.
func (j *Joiner) isSummit(p *part, corner int, n geom.DVec3) bool {
	at := p.c[corner]
	around := j.stars.around(j, p, corner)
	for _, i := range around {
		if j.rises(&j.parts[i], at, n) {
			return false
		}
	}
	open := false
	for _, i := range around {
		q := &j.parts[i]
		for k := range q.edges {
			if q.thin || q.c[k] != at && q.c[(k+1)%3] != at {
				continue
			}
			if q.edges.isOpen(k) {
				open = true
			} else if j.beyond(q, k) == nil && !q.edges.allows(k, &q.c, q.u, n) {
				return false // over a triangle that is not touched
			}
		}
	}
	if open {
		return !j.isBelow(p, at, n)
	}
	return !j.leadsPast(p, n)
}

// beyond returns another part at an edge of a part, nil if there is none.
func (j *Joiner) beyond(p *part, edge int) *part {
	s := &j.stars
	around := s.around(j, p, edge)
	b := s.ids[3*int(p.index)+(edge+1)%3]
	for _, i := range around {
		if q := s.ids[3*i : 3*i+3]; i != p.index && (q[0] == b || q[1] == b || q[2] == b) && !j.parts[i].thin {
			return &j.parts[i]
		}
	}
	return nil
}

// rises reports whether a triangle rises above the plane across a direction at a place of it.
func (j *Joiner) rises(q *part, at, n geom.DVec3) bool {
	for i := range q.c {
		if d := q.c[i].Sub(at); d.Dot(n) > float64(leaning*d.Len())+j.rounding {
			return true
		}
	}
	return false
}

// isBelow reports whether a triangle other than p rises above the plane across a direction at a
// place that lies on it.
func (j *Joiner) isBelow(p *part, at, n geom.DVec3) bool {
	return j.stars.visitOn(j, at, func(q *part) bool { return q != p && !q.thin && j.rises(q, at, n) })
}

// leastWay finds the least way out of the surface at a triangle. It returns false if there is none,
// or if along it the shape is further than the margin.
func (j *Joiner) leastWay(p *part, w *way) bool {
	j.tries = j.tries[:0]
	if p.thin {
		return false
	}
	side := float64(p.side)
	w.n = p.u.Mul(side)
	w.depth = j.over(p, w.n)
	convex, any := [3]bool{}, false
	for i, b := range p.edges {
		convex[i] = p.edges.isOpen(i) || float64(b)*side > 0
		any = any || convex[i]
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
	return w.depth >= -j.margin
}

// try adds a direction that is shorter than the triangle's normal.
func (j *Joiner) try(p *part, w *way, n geom.DVec3) {
	if d := j.over(p, n); d < w.depth-j.rounding {
		j.tries = append(j.tries, way{n, d, p.index, 0})
	}
}

// hasWay reports whether a direction is a way out of the surface at a triangle.
func (j *Joiner) hasWay(p *part, n geom.DVec3) bool {
	switch s, at := p.edges.stand(&p.c, p.u, n); s {
	case wrong:
		return false
	case overFace:
		return n.Dot(p.u)*float64(p.side) > 0
	case overEdge:
		return !j.leadsPast(p, n)
	case overCorner:
		return j.isSummit(p, at, n)
	}
	return true
}

// leadsPast reports whether a way out leads the middle of the shape through the surface: the middle
// is behind the plane across the way. A flat shape may lie behind it as a whole.
func (j *Joiner) leadsPast(p *part, n geom.DVec3) bool {
	s := j.facing(p)
	return max(p.c[0].Dot(n), p.c[1].Dot(n), p.c[2].Dot(n))-j.middle.Dot(n) > pastMiddle*s.extent
}

// tryFeatures tries the directions in which a least way out over the convex edges can be.
func (j *Joiner) tryFeatures(p *part, w *way, convex *[3]bool) {
	s := j.facing(p)
	polytope := s.kind != KindSphere && s.kind != KindCapsule && s.kind != KindRound
	if polytope {
		for i := range s.numFaces() {
			n, _ := s.face(i)
			j.try(p, w, n.Neg())
		}
	}
	for i := range p.c {
		if !convex[i] {
			continue
		}
		a, b := p.c[i], p.c[(i+1)%3]
		along := b.Sub(a)
		out := along.Cross(p.u).Normalize()
		if p.edges.isOpen(i) {
			j.try(p, w, out)
		} else if q := j.beyond(p, i); q != nil {
			j.try(p, w, q.u.Mul(float64(q.side)))
		} else { // to the normal of the triangle beyond
			cos, sin := p.edges.turn(i)
			j.try(p, w, p.u.Mul(cos).AddMul(sin, out).Mul(float64(p.side)))
		}
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

// takeSides decides on which side of each triangle the shape is. If triangles that share an edge
// disagree, those nearest to the middle of the shape decide for all that are connected with them: a
// crate on a block that overhangs its side is behind the plane of that side, and yet outside.
func (j *Joiner) takeSides() {
	front, back, overlap := false, false, false
	for i := range j.parts {
		p := &j.parts[i]
		if p.thin || p.free {
			continue
		}
		front, back, overlap = front || p.side > 0, back || p.side < 0, overlap || p.depth >= 0
	}
	if !front || !back || !overlap {
		return
	}
	s := &j.stars
	s.near = s.near[:0]
	for i := range j.parts {
		p := &j.parts[i]
		if p.thin {
			continue
		}
		at := onTriangle(j.middle, p.c[0], p.c[1], p.c[2])
		s.near = append(s.near, nearPart{j.middle.Sub(at).Len(), math.Abs(j.middle.Sub(p.c[0]).Dot(p.u)), int32(i), p.triangle})
	}
	first := slices.MinFunc(s.near, nearPart.compare)
	s.taken = append(s.taken[:0], make([]bool, len(j.parts))...)
	if s.left = len(s.near); j.spread(j.seed(s.near, &first)) == 0 {
		return
	}
	slices.SortFunc(s.near, nearPart.compare)
	for i := range s.near {
		n := &s.near[i]
		if s.taken[n.part] {
			continue
		}
		end := i + 1
		for end < len(s.near) && s.near[end].distance <= float64(n.distance*(1+asNearMiddle)) {
			end++
		}
		if j.spread(j.seed(s.near[i:end], n)) == 0 {
			return
		}
	}
}

// seed returns the part that decides on the side, of those as near to the middle as one: that which
// the middle is furthest above.
func (j *Joiner) seed(list []nearPart, nearest *nearPart) int32 {
	limit := float64(nearest.distance * (1 + asNearMiddle))
	best := nearest
	for k := range list {
		if n := &list[k]; n.distance <= limit && !j.stars.taken[n.part] && n.height > best.height {
			best = n
		}
	}
	return best.part
}

// spread takes the side of a part for all parts that are connected with it, and returns how many are
// left.
func (j *Joiner) spread(seed int32) int {
	s := &j.stars
	s.take(seed)
	s.stack = append(s.stack[:0], seed)
	for len(s.stack) > 0 {
		i := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		p := &j.parts[i]
		for k := range p.c {
			next, side, n := int32(-1), int8(0), 0
			around := s.around(j, p, k)
			a, b := s.ids[3*i+int32(k)], s.ids[3*i+int32(k+1)%3]
			for _, o := range around {
				if o == i || j.parts[o].thin {
					continue
				}
				for m, c := range s.ids[3*o : 3*o+3] {
					switch d := s.ids[3*o+int32(m+1)%3]; {
					case c == b && d == a:
						next, side, n = o, p.side, n+1
					case c == a && d == b:
						next, side, n = o, -p.side, n+1
					}
				}
			}
			if n == 1 && !s.taken[next] {
				j.parts[next].side = side
				s.take(next)
				s.stack = append(s.stack, next)
			}
		}
	}
	return s.left
}

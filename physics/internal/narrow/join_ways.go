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
		// Beyond a rim each triangle may have it on another side.
		if q.side != 0 && p.n.Dot(q.u)*float64(q.side) <= 0 && !(t.pastRim && p.n.Dot(t.middle.Sub(q.c[0])) > 0) {
			return false
		}
	case overRim:
		// The edge of a part of a longer edge is no rim.
		j.turnTo(p.n)
		for _, c := range j.along(p, &way{n: p.n, depth: p.depth, part: p.index}) {
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
	convex, any := j.convex(p)
	w.n, w.depth = q.u.Mul(float64(q.side)), math.Inf(1)
	if p.b >= 0 {
		j.try(p, w, w.n)
	} else {
		low := j.whole.lowest(w.n)
		w.reach = -low.Dot(w.n)
		w.depth = j.over(p, w.n, w.reach)
		j.leaveOut(q, w, low, &convex)
	}
	if any {
		j.tryFeatures(p, w, &convex)
		slices.SortStableFunc(j.tries, func(a, b way) int { return cmp.Compare(a.depth, b.depth) })
		least, longest := -1, 0.0 // of those that are tried, and of what is preferred to it
		for i := range j.tries {
			t := &j.tries[i]
			if !j.hasWay(p, t.n) {
				continue
			}
			if least < 0 {
				least, longest = i, float64(muchLonger*t.depth)+j.rounding
			}
			if t.depth > longest {
				break
			}
			if t.lands = j.lands(t); t.lands {
				*w = *t
				break
			}
		}
		// In a valley the shape may be moved past each slope, into the other one, and where a rim
		// bends inward past both of its edges.
		if least >= 0 && !w.lands {
			if w.lands = w.depth <= longest && j.lands(w); !w.lands {
				*w = j.tries[least]
			}
		}
	}
	return w.depth >= -j.margin && w.depth < math.Inf(1)
}

// convex reports over which edges of a triangle there may be ways out, and whether there may be any
// besides that along its normal.
func (j *Joiner) convex(p *part) (over [3]bool, any bool) {
	q := &j.of[0].faces[p.a]
	any = p.b >= 0
	for i, b := range q.edges {
		over[i] = q.edges.isOpen(i) || float64(b)*float64(q.side) > 0
		any = any || over[i]
	}
	return over, any
}

// lands reports whether the shape, moved along a way out, touches the surface.
func (j *Joiner) lands(w *way) bool {
	_, ok := j.touch(w, float64(besideEdge*j.size))
	return ok
}

// lowest returns the support point of a shape against a unit vector.
func (s *Shape) lowest(n geom.DVec3) geom.DVec3 {
	hint := 0
	p, _ := s.support(n.Neg(), &hint)
	return p.AddMul(-s.radius, n)
}

// leaveOut marks the convex edges as not convex over which no way out is shorter than that along
// the normal. The shape's lowest point is as deep as the latter below the triangle's plane, and
// inward of an edge by m. Along a direction that leans over this edge by an angle θ, it is deep by
// depth·cos θ + m·sin θ, which is no less than the depth as long as m is no less than
// depth·tan(θ/2).
func (j *Joiner) leaveOut(q *face, w *way, low geom.DVec3, convex *[3]bool) {
	for i, b := range q.edges {
		if convex[i] && !q.edges.isOpen(i) {
			out := q.c[(i+1)%3].Sub(q.c[i]).Cross(q.u)
			convex[i] = -out.Dot(low.Sub(q.c[i])) < float64(w.depth*math.Abs(float64(b)))*out.Len()
		}
	}
}

// try adds a direction that is shorter than the triangle's normal, unless the bends at the
// triangle's own edges exclude it.
func (j *Joiner) try(p *part, w *way, n geom.DVec3) { j.tryReach(p, w, n, j.against(n)) }

func (j *Joiner) tryReach(p *part, w *way, n geom.DVec3, reach float64) {
	if d := j.over(p, n, reach); d < w.depth-j.rounding && j.of[0].mayHaveWay(p.a, n, j.extent) {
		j.tries = append(j.tries, way{n: n, depth: d, reach: reach, part: p.index})
	}
}

// hasWay reports whether a direction is a way out of the surface at a triangle, and at that of the
// other mesh.
func (j *Joiner) hasWay(p *part, n geom.DVec3) bool {
	return j.of[0].hasWay(p.a, n, j.extent) && (p.b < 0 || j.of[1].hasWay(p.b, n.Neg(), j.extent))
}

// tryFeatures tries the directions in which a least way out can be: those of the shape's faces, and
// those over the convex edges.
func (j *Joiner) tryFeatures(p *part, w *way, convex *[3]bool) {
	_, s := j.pair(p)
	t, q := &j.of[0], &j.of[0].faces[p.a]
	polytope := s.hasFaces()
	if p.b >= 0 {
		j.sides, j.arcs = j.sides[:0], j.arcs[:0]
	}
	if polytope {
		j.takeSides(s)
		j.takeArcs(s)
		for i := range j.sides {
			j.tryReach(p, w, j.sides[i].n, j.sides[i].reach)
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
			over := q.over(i)
			for k := range j.arcs {
				f := &j.arcs[k]
				if x, y := f.a.Dot(along), f.b.Dot(along); float64(x*y) > 0 {
					continue
				}
				n := f.e.Cross(along)
				if n.Dot(f.out) > 0 {
					n = n.Neg()
				}
				if l := total(n); !over.mayHold(n, l) || !(l > parallelAxes*f.e.Len()*along.Len()) {
					continue
				}
				j.try(p, w, n.Mul(1/n.Len()))
			}
		} else {
			var edge Shape
			edge.setCapsule(a, b, 0)
			j.tryAlone(p, w, &edge, s)
		}
	}
	if !polytope {
		for _, c := range q.c {
			var corner Shape
			corner.setSphere(c, 0)
			j.tryAlone(p, w, &corner, s)
		}
		if s.kind == KindRound && s.caps {
			j.tryCone(p, w, s, convex)
		}
	}
}

// wedge holds the directions over an edge of a triangle that the surface has there.
type wedge struct {
	out, u   geom.DVec3 // across the edge, in the plane of the triangle, and its normal
	cos, sin float64    // of the angle by which the surface turns down
	open     bool
}

func (f *face) over(edge int) wedge {
	w := wedge{out: f.c[(edge+1)%3].Sub(f.c[edge]).Cross(f.u).Normalize(), u: f.u, open: f.edges.isOpen(edge)}
	w.cos, w.sin = f.edges.turn(edge)
	return w
}

// mayHold is false only for a vector of about a length whose direction is not in the wedge.
func (w *wedge) mayHold(n geom.DVec3, length float64) bool {
	slack := float64(leaning * length)
	high := w.out.Dot(n)
	return high >= -slack && (w.open || float64(w.cos*high) <= float64(w.sin*w.u.Dot(n))+slack)
}

// tryAlone tries the way out of a part of a triangle alone.
func (j *Joiner) tryAlone(p *part, w *way, t, s *Shape) {
	var r relation
	a, b, exchanged := inOrder(t, s)
	if relate(&r, a, b, math.Inf(1), askDepth) {
		if exchanged {
			r.n = r.n.Neg()
		}
		j.try(p, w, r.n)
	}
}

// lookBeside adds ways along the normals of triangles that the shape is apart from and faces, where
// its nearest point is past an edge at which the surface turns up steeply: the low corner of a
// plate along a wall has sunk into the floor, while the rest of it is over the wall. It does the
// same for the edges of a pillar that end at the floor: see besideFoot. Only contacts over the
// triangles count, and with a gap: what is behind them without an overlap is elsewhere.
func (j *Joiner) lookBeside() {
	for i := range j.parts {
		p := &j.parts[i]
		f := &j.of[0].faces[p.a]
		if p.stand != wrong || p.near || p.free || f.thin || f.side == 0 {
			continue
		}
		if f.turnsUp() {
			j.addBeside(p, f.u.Mul(float64(f.side)))
		}
		if p.b >= 0 {
			continue
		}
		for edge, b := range f.edges {
			if float64(b)*float64(f.side) > steepEdge && !f.edges.isOpen(edge) {
				j.besideFoot(p, edge)
			}
		}
	}
}

// addBeside adds a way along a unit vector, unless there is one, or another way separates the
// triangle from the shape. A way of addBeside with a positive depth separates nothing: the shape is
// beside its triangle, and behind the plane of that.
func (j *Joiner) addBeside(p *part, n geom.DVec3) {
	w := way{n: n, part: p.index, beside: true}
	if len(j.ways) == MaxNormals || slices.ContainsFunc(j.ways, func(v way) bool {
		return v.n.Dot(n) >= sameNormal || !(v.beside && v.depth > 0) && j.isSeparated(p, &v)
	}) {
		return
	}
	w.reach = j.against(n)
	if w.depth = j.over(p, n, w.reach); w.depth >= -j.margin && (p.b < 0 || j.of[1].hasWay(p.b, n.Neg(), j.extent)) {
		j.ways = append(j.ways, w)
	}
}

// besideFoot adds the way over a convex edge to the shape where the edge ends at a foot: a triangle
// there turns up steeply. The edge is taken on past this end, as a shape that has sunk into the
// floor is nearest to it there.
func (j *Joiner) besideFoot(p *part, edge int) {
	t, f := &j.of[0], &j.of[0].faces[p.a]
	a, b := f.c[edge], f.c[next[edge]]
	on := b.Sub(a).Normalize().Mul(j.extent)
	low, high := t.isFoot(p.a, edge), t.isFoot(p.a, next[edge])
	if !low && !high {
		return
	}
	if low {
		a = a.Sub(on)
	}
	if high {
		b = b.Add(on)
	}
	var e Shape
	e.setCapsule(a, b, 0)
	over := f.over(edge)
	x := Distance(&e, j.whole, j.margin)
	if x.Distance > 0 && x.Distance <= j.margin && over.mayHold(x.Normal, 1) && !t.leadsPast(p.a, x.Normal, j.extent) {
		j.addBeside(p, x.Normal)
	}
}

// isFoot reports whether a triangle at a corner of another turns up steeply at an edge there.
func (t *triangles) isFoot(i int32, corner int) bool {
	at := t.faces[i].c[corner]
	for _, k := range t.around(i, corner) {
		f := &t.faces[k]
		for e, b := range f.edges {
			if float64(b)*float64(f.side) < -steepEdge && !f.edges.isOpen(e) && !f.thin && (f.c[e] == at || f.c[next[e]] == at) {
				return true
			}
		}
	}
	return false
}

// turnsUp reports whether the surface turns up steeply at an edge, on the other shape's side.
func (f *face) turnsUp() bool {
	for i, b := range f.edges {
		if float64(b)*float64(f.side) < -steepEdge && !f.edges.isOpen(i) {
			return true
		}
	}
	return false
}

package narrow

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The contacts of a way out: those of all triangles that it separates from the shape, with points
// on both surfaces.

// collect collects the contacts along a way out, of all triangles that contribute to it.
func (j *Joiner) collect(w *way) {
	j.points = j.points[:0]
	j.setJoins(false)
	j.joined = j.joined[:0]
	for i := range j.parts {
		if j.contributes(&j.parts[i], w) {
			j.joined = append(j.joined, int32(i))
		}
	}
	j.setJoins(true)
	j.turnTo(w.n)
	deepest := math.Inf(-1)
	for _, i := range j.joined {
		p := &j.parts[i]
		if w.part != p.index && !j.hasCorner(p, w) {
			continue
		}
		from, bends := len(j.contacts), j.bends(p)
		all := j.along(p, w)
		for i := range all {
			c := &all[i]
			if deepest = max(deepest, c.Depth); !bends && j.isWithin(p, c) || w.beside && c.Depth > j.rounding {
				continue
			}
			if c.Depth < 0 && j.isHidden(p, c, w.n) {
				if c.Depth < w.depth-j.rounding {
					continue
				}
				j.points = j.points[:0]
				return
			}
			to := j.nextPoint()
			to.PointA, to.PointB, to.Depth = c.PointB.AddMul(c.Depth, w.n), c.PointB, c.Depth
			to.FeatureA, to.FeatureB, to.Triangle = c.FeatureA, c.FeatureB, p.number
		}
		j.contacts = j.contacts[:from]
	}
	if w.beside {
		// What is below is behind the triangle. Once it is moved past others, it may be in it.
		j.unsure = j.unsure || w.depth > j.rounding && j.mayBeTip()
	} else if deepest < w.depth-j.rounding {
		if c, ok := j.touch(w, max(j.same, float64(besideEdge*j.size))); ok {
			c.PointB = c.PointA.AddMul(-w.depth, w.n)
			j.points = append(j.points, c)
			return
		}
		j.unsure = j.mayBeTip()
		if len(j.points) > 0 {
			j.lack(w.depth)
		} else if w.lost = j.unsure; !w.lost {
			j.touchAny(w)
		}
	}
}

// isHidden reports whether a triangle of which the shape's middle is on another side is between the
// two points of a contact with a gap, or rises into there from the lower one. The shape is then
// beside a sharp edge of the mesh, over one triangle and behind the other.
func (j *Joiner) isHidden(p *part, c *ContactPoint, n geom.DVec3) bool {
	t := &j.of[0]
	for i := range t.faces {
		f := &t.faces[i]
		if f.side == t.faces[p.a].side || f.thin {
			continue
		}
		up := f.u.Mul(float64(f.side))
		a, b := c.PointA.Sub(f.c[0]).Dot(up), c.PointB.Sub(f.c[0]).Dot(up)
		touches := math.Abs(a) <= j.rounding
		if touches && b > j.rounding && t.rises(f, c.PointA, n) || !touches && float64(a*b) < 0 && math.Abs(b) > j.rounding {
			at := c.PointA.AddMul(a/(a-b), c.PointB.Sub(c.PointA))
			if onTriangle(at, f.c[0], f.c[1], f.c[2]).Sub(at).Len() <= j.rounding {
				return true
			}
		}
	}
	return false
}

// setJoins marks the triangles of the parts that contribute to a way out.
func (j *Joiner) setJoins(joins bool) {
	for _, i := range j.joined {
		p := &j.parts[i]
		j.of[0].faces[p.a].joins = joins
		if p.b >= 0 {
			j.of[1].faces[p.b].joins = joins
		}
	}
}

// nextPoint adds a point, which has to be filled in.
func (j *Joiner) nextPoint() *MeshContact {
	j.points = slices.Grow(j.points, 1)[:len(j.points)+1]
	return &j.points[len(j.points)-1]
}

// turnTo finds the patch of the other shape, if it is no mesh, that faces a way out.
func (j *Joiner) turnTo(n geom.DVec3) {
	if j.face.align = -1; j.whole != nil && j.whole.kind != KindHalfSpace {
		j.whole.patch(n.Neg(), &j.face)
	}
}

// hasCorner is false only for a triangle within a flat surface that no corner of the shape's face
// is over: the face goes on over all its edges.
func (j *Joiner) hasCorner(p *part, w *way) bool {
	t := &j.of[0]
	if j.face.align < faceOn || !t.goesOn(p.a, 0) || !t.goesOn(p.a, 1) || !t.goesOn(p.a, 2) {
		return true
	}
	q := &t.faces[p.a]
	for i := range j.face.n {
		at, in := j.face.c[i].p, true
		for k := range q.c {
			out := q.c[(k+1)%3].Sub(q.c[k]).Cross(w.n).Mul(float64(q.side))
			in = in && out.Dot(at.Sub(q.c[k])) <= float64(j.rounding*out.Len())
		}
		if in {
			return true
		}
	}
	return false
}

// contributes reports whether a triangle has contacts along a way out: it has a way of its own that
// agrees, or it faces along it and is separated from the shape by it.
func (j *Joiner) contributes(p *part, w *way) bool {
	switch {
	case w.part == p.index, p.stand != wrong && !p.near && p.n.Dot(w.n) >= sameNormal:
		return true
	case p.free:
		return false
	}
	faces := j.of[0].faces[p.a].faces(w.n) || p.b >= 0 && (j.of[1].faces[p.b].faces(w.n) || j.of[1].faces[p.b].faces(w.n.Neg()))
	return faces && j.isSeparated(p, w)
}

// isWithin reports whether a contact is where the shape's face or edge goes on over the next
// triangle of a flat surface. Of a box on a floor only its corners are contacts then, and not the
// places at which its sides cross the edges of triangles.
func (j *Joiner) isWithin(p *part, c *ContactPoint) bool {
	if p.free {
		return false
	}
	if p.b >= 0 && j.of[1].isWithin(p.b, c.FeatureB) {
		return true
	}
	return !c.FeatureB.IsVertex() && j.of[0].isWithin(p.a, c.FeatureA)
}

// bends is true only for a triangle over none of whose edges the surface goes on flat: isWithin is
// false for all its contacts.
func (j *Joiner) bends(p *part) bool {
	e := &j.of[0].faces[p.a].edges
	return p.b < 0 && e[0] != 0 && e[1] != 0 && e[2] != 0
}

// along adds the contacts of a part along a way out, to which turnTo has been called, and returns
// them. They are as deep as the part alone if this is its direction, and as the way where two edges
// cross for which it was found.
func (j *Joiner) along(p *part, w *way) []ContactPoint {
	own := p.stand != wrong && !p.near && p.n.Dot(w.n) >= sameWay
	if own && p.from < p.to {
		return j.contacts[p.from:p.to]
	}
	f, from := &j.one, len(j.contacts)
	t, s := j.pair(p)
	f.Normal, f.N, f.edges.found = w.n, 0, false
	ps := &j.face
	if p.b >= 0 {
		ps = &f.patchB
		s.patch(w.n.Neg(), ps)
	}
	if !j.clip(t, s, ps, j.margin) {
		f.onEdges(t, s, j.margin)
		j.contacts = append(j.contacts, f.Contacts()...)
		j.trim(t, s, w.n, from)
	}
	r := relation{dist: -w.depth, n: w.n}
	if own {
		r.dist = -p.depth
	} else if w.part != p.index {
		return j.contacts[from:]
	}
	if slices.ContainsFunc(j.contacts[from:], func(c ContactPoint) bool { return c.Depth >= -r.dist-j.rounding }) {
		return j.contacts[from:]
	}
	pa, pb, ok := f.edges.crossing(t, s, &r)
	if !ok && own {
		if pa, pb, ok = j.lowestOver(p, s, &r); !ok {
			pa, pb = f.edges.witnesses(t, s, &r)
		}
	}
	if ok || own {
		j.contacts = append(j.contacts, ContactPoint{pa, pb, -r.dist, t.featureAlong(r.n), s.featureAlong(r.n.Neg())})
	}
	return j.contacts[from:]
}

// lowestOver returns the witness points of a relation along the normal of a triangle if the lowest
// point of a round shape is over it.
func (j *Joiner) lowestOver(p *part, s *Shape, r *relation) (pa, pb geom.DVec3, ok bool) {
	if p.stand != overFace || s.kind != KindRound {
		return pa, pb, false
	}
	c := &j.of[0].faces[p.a].c
	pb = s.lowest(r.n)
	pa = pb.AddMul(-r.dist, r.n)
	return pa, pb, onTriangle(pa, c[0], c[1], c[2]).Sub(pa).Len() <= j.rounding
}

// clip adds all contacts of a triangle and a patch of which one is a face across the finder's
// normal. Only four of them may lack a corner of the shape that no other triangle touches. It
// returns false if neither is such a face.
func (j *Joiner) clip(t, s *Shape, ps *patch, margin float64) bool {
	f := &j.one
	pt := &f.patchA
	t.patch(f.Normal, pt)
	ref, inc, slack := pt, ps, float64(touching*t.size)
	exchanged := pt.align < faceOn || pt.align < ps.align-facePreferred
	if exchanged {
		ref, inc, slack = ps, pt, float64(touching*s.size)
	}
	if ref.align < faceOn {
		return false
	}
	spots, from := f.clip(ref, inc, margin, slack, exchanged), len(j.contacts)
	j.contacts = slices.Grow(j.contacts, len(spots))[:from+len(spots)]
	for i := range spots {
		spots[i].write(&j.contacts[from+i], f.Normal, exchanged)
	}
	if !s.hasFaces() {
		j.trim(t, s, f.Normal, from)
	}
	return true
}

// touchAny adds the contact of a way out at the place of the surface that is nearest to the shape,
// moved along it. The way of a tip leads back to there then, unless it is all but there.
func (j *Joiner) touchAny(w *way) {
	c, ok := j.touch(w, math.Inf(1))
	if !ok {
		return
	}
	by := c.PointA.Sub(c.PointB)
	off := by.AddMul(-w.depth, w.n).Len()
	if l := by.Len(); w.depth > 0 && l > j.rounding && off > float64(samePlace*j.extent) && j.mayBeTip() {
		w.n, w.depth, c.Depth = by.Mul(1/l), l, l
	} else {
		c.PointB = c.PointA.AddMul(-w.depth, w.n)
	}
	j.points = append(j.points, c)
}

// touch returns the contact of a way out at the point at which the shape, moved along it, only
// touches the surface, and false if it does not touch it. The triangle for which the way was found
// need not have that point: its edge, or its plane, may go on in others.
func (j *Joiner) touch(w *way, within float64) (c MeshContact, ok bool) {
	by, own, least := w.n.Mul(w.depth), -1, within
	var moved Shape
	if j.whole != nil {
		moved = j.whole.Moved(by)
	}
	for i := range j.parts {
		p := &j.parts[i]
		if p.free || int(w.part) != i && (math.Abs(j.over(p, w.n, w.reach)-w.depth) > j.rounding || !j.hasWay(p, w.n)) {
			continue
		}
		t, s := j.pair(p)
		if p.b >= 0 {
			moved = s.Moved(by)
		}
		if x := Distance(t, &moved, least); x.Distance < least || !ok && x.Distance <= least {
			least, ok = x.Distance, true
			c = MeshContact{ContactPoint{x.PointA, x.PointB.Sub(by), w.depth, t.featureAlong(w.n), s.featureAlong(w.n.Neg())}, p.number}
			if int(w.part) == i {
				own = i
			}
		}
	}
	if own >= 0 {
		j.turnTo(w.n)
		p := &j.parts[own]
		from := len(j.contacts)
		all := j.along(p, w)
		j.contacts = j.contacts[:from]
		for i := range all {
			if all[i].Depth >= w.depth-j.rounding {
				return MeshContact{all[i], p.number}, true
			}
		}
	}
	return c, ok
}

// trim removes the contacts from a number on whose points are not on both shapes. Those of edges
// that are all but parallel are beside them. Those of a capsule or a cone that leans are within it,
// and are moved to its surface.
func (j *Joiner) trim(t, s *Shape, n geom.DVec3, from int) {
	if s.kind == KindSphere {
		return // its only contact is at the witness points
	}
	corners := t.triangle()
	all := j.contacts[from:]
	k := 0
	for i := range all {
		c := &all[i]
		at := onTriangle(c.PointA, corners[0], corners[1], corners[2])
		beside := at.Sub(c.PointA).Len() > besideEdge*s.size
		if beside {
			c.PointA = at
		}
		if s.kind == KindCapsule {
			at, ok := s.under(c.PointA, n)
			if !ok {
				continue
			}
			c.PointB, c.Depth = at, c.PointA.Sub(at).Dot(n)
		} else if s.isOnSide(c.FeatureB) {
			if !s.moveOnto(c, n, beside) {
				continue
			}
		} else if beside {
			continue
		}
		all[k] = *c
		k++
	}
	j.contacts = j.contacts[:from+k]
}

// under returns the point at which a line along n, through a point, enters a capsule. It returns
// false if it misses the capsule.
func (s *Simple) under(at, n geom.DVec3) (geom.DVec3, bool) {
	d := at.Sub(s.p)
	l := s.e.Dot(s.e)
	first := math.Inf(1)
	// The cylinder, across its axis.
	axial, far := n.Dot(s.e)/l, d.Dot(s.e)/l
	v, w := n.AddMul(-axial, s.e), d.AddMul(-far, s.e)
	if t, ok := enters(v.Dot(v), v.Dot(w), w.Dot(w)-float64(s.radius*s.radius)); ok {
		if at := far + float64(t*axial); at >= 0 && at <= 1 {
			first = t
		}
	}
	for _, end := range [2]geom.DVec3{d, d.Sub(s.e)} {
		if t, ok := enters(1, n.Dot(end), end.Dot(end)-float64(s.radius*s.radius)); ok {
			first = min(first, t)
		}
	}
	return at.AddMul(first, n), first < math.Inf(1)
}

// enters returns the lesser root t of a·t² + 2b·t + c.
func enters(a, b, c float64) (t float64, ok bool) {
	root := float64(b*b) - float64(a*c)
	if !(root >= 0) || !(a > 0) {
		return 0, false
	}
	return (-b - math.Sqrt(root)) / a, true
}

package narrow

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A tip that is deep in a bend, where sides of the surface rise above each other, is moved past
// each of them into the next by the normal of one alone. No contact along that normal is as deep as
// the way out and has its points on both surfaces: below the tip along the normal there is no
// surface, but the next side. By definition, the depth is the least translation that frees the
// shape. It fulfils the planes of all sides at once, and leads along a positive combination of
// their normals, all of which are normals of the bend on the shape's side.

// parting is a half-space of translations that part the shape from a triangle: those of at least a
// depth along a unit vector. No point of the triangle is further along that than a height.
type parting struct {
	n             geom.DVec3
	depth, height float64
	part          int
}

// mayBeTip reports whether the other shape has tips, such as the rim of a cone. What is round all
// over touches each side of a bend.
func (j *Joiner) mayBeTip() bool {
	return j.whole == nil || j.whole.hasFaces() || j.whole.kind == KindRound && j.whole.caps
}

// joinBend appends the manifold of a bend, if the least translation along the normals of all
// manifolds from a number on by their depths leaves the shape in some triangles, or ways out that
// touch nowhere are longer. Its contact leads along the least translation out of all.
func (j *Joiner) joinBend(dst []MeshManifold, from int) []MeshManifold {
	var all [maxPartings]parting
	n := 0
	for i := range dst[from:] {
		m := &dst[from+i]
		p := parting{n: m.Normal, depth: math.Inf(-1)}
		for k := range m.N {
			if c := &m.Points[k]; c.Depth > p.depth {
				p.depth, p.height = c.Depth, c.PointA.Dot(p.n)
			}
		}
		if n == maxPartings {
			return dst
		}
		all[n] = p
		n++
	}
	own := n
	for i := range j.ways {
		if w := &j.ways[i]; w.lost {
			if n == maxPartings {
				return dst
			}
			all[n] = parting{w.n, w.depth, j.of[0].faces[j.parts[w.part].a].reach(w.n), int(w.part)}
			n++
		}
	}
	if n == 0 {
		return dst
	}
	for {
		by, ok := least(all[:n])
		if !ok || by.Dot(by) > float64(bendLonger*bendLonger)*j.extent*j.extent {
			return dst
		}
		p, in := j.deepest(by)
		if !in { // a thin shape may pass between two sides, where both only touch it
			p, in = j.deepest(by.Mul(1 + ahead))
			in = in && p.depth-p.n.Dot(by) > j.rounding+float64(leftDeep*by.Len())
		}
		if !in {
			if n > own {
				dst = j.bendAlong(dst, from, by, all[:n], own)
			}
			return dst
		}
		if n == maxPartings {
			return dst
		}
		all[n] = p
		n++
	}
}

// bendAlong appends the manifold that leads along what a tip needs alone, if that leads to the
// surface: the lowest point of one of the partings from a number on, or that at which the shape,
// moved by a vector, touches the surface, at a triangle of these or else at any. Contacts elsewhere
// may have a part in the vector. Else it leads along the vector to the latter point, or to what is
// nearest. It appends none where a manifold leads as far along that already.
func (j *Joiner) bendAlong(dst []MeshManifold, from int, by geom.DVec3, all []parting, own int) []MeshManifold {
	for i := own; i < len(all); i++ {
		p := &j.parts[all[i].part]
		_, s := j.pair(p)
		tip := s.lowest(all[i].n)
		if end, p := j.landing(tip, all, p.b); p != nil && !isThere(dst[from:], end.Sub(tip), leftDeep) {
			return j.appendBend(dst, tip, end, p)
		}
	}
	var at, gap geom.DVec3
	less := float64(leftDeep)
	touched, off := -1, max(j.same, float64(besideEdge*j.size))
	touch := func(i int) {
		t, s := j.pair(&j.parts[i])
		moved := s.Moved(by)
		if x := Distance(t, &moved, off); x.Distance < off || x.Distance == off && touched < 0 {
			off, touched, at, gap = x.Distance, i, x.PointA, x.PointB.Sub(x.PointA)
		}
	}
	for i := own; i < len(all); i++ {
		touch(all[i].part)
	}
	for i := 0; i < len(j.parts) && touched < 0; i++ {
		touch(i)
	}
	if touched < 0 {
		less, off = ahead, float64(ahead*by.Len())
		for i := range j.parts {
			touch(i)
		}
		if touched < 0 {
			return dst
		}
		by = by.Sub(gap)
	}
	p := &j.parts[touched]
	tip := at.Sub(by)
	if end, q := j.landing(tip, all, p.b); q != nil && !isThere(dst[from:], end.Sub(tip), leftDeep) {
		at, p = end, q
	} else if isThere(dst[from:], by, less) {
		return dst
	}
	return j.appendBend(dst, tip, at, p)
}

// appendBend appends the manifold with a contact that leads from a point of the shape to one of the
// triangle of a part.
func (j *Joiner) appendBend(dst []MeshManifold, from, to geom.DVec3, p *part) []MeshManifold {
	t, s := j.pair(p)
	by := to.Sub(from)
	m := MeshManifold{Normal: by.Normalize(), N: 1}
	c := &m.Points[0]
	c.PointA, c.PointB, c.Depth, c.Triangle = to, from, by.Len(), p.number
	c.FeatureA, c.FeatureB = t.featureAlong(m.Normal), s.featureAlong(m.Normal.Neg())
	return append(dst, m)
}

// landing returns where the least translation in all partings leads a point of the shape, and the
// part of the triangle there, nil if that is beside the surface. Of two meshes, the triangle of the
// other one is given.
func (j *Joiner) landing(tip geom.DVec3, all []parting, of int32) (end geom.DVec3, p *part) {
	var here [maxPartings]parting
	for i, a := range all {
		a.depth = a.height - tip.Dot(a.n)
		here[i] = a
	}
	by, ok := least(here[:len(all)])
	if !ok {
		return end, nil
	}
	end = tip.Add(by)
	for i := range j.parts {
		q, f := &j.parts[i], &j.of[0].faces[j.parts[i].a].c
		if q.b == of && onTriangle(end, f[0], f[1], f[2]).Sub(end).Len() <= float64(besideEdge*j.size) {
			return end, q
		}
	}
	return end, nil
}

// isThere reports whether one of some manifolds leads as far as a vector along it already, or less
// far by a part of it.
func isThere(list []MeshManifold, by geom.DVec3, less float64) bool {
	n, depth := by.Normalize(), by.Len()
	return slices.ContainsFunc(list, func(m MeshManifold) bool {
		return m.Normal.Dot(n) >= sameNormal && m.Points[0].Depth >= float64((1-less)*depth)
	})
}

// deepest returns the parting of the triangle in which the shape is deepest once it is moved by a
// vector, and false if it is in none by more than leftDeep.
func (j *Joiner) deepest(by geom.DVec3) (parting, bool) {
	var most Penetration
	part, deepest := -1, j.rounding+float64(leftDeep*by.Len())
	for i := range j.parts {
		p := &j.parts[i]
		if p.free || p.depth-by.Dot(p.n) <= deepest || j.isLess(p, by, deepest) {
			continue
		}
		t, s := j.pair(p)
		moved := s.Moved(by)
		if x, in := j.one.Penetrate(t, &moved); in && x.Depth > deepest {
			most, deepest, part = x, x.Depth, i
		}
	}
	if part < 0 {
		return parting{}, false
	}
	// Of the ways out of the triangle, the one that is the least on from there.
	p, w := &j.parts[part], way{part: int32(part)}
	a := parting{n: most.Normal, depth: most.Depth + most.Normal.Dot(by), part: part}
	if f := &j.of[0].faces[p.a]; !f.thin && !j.hasWay(p, a.n) {
		j.leastWay(p, &w)
		a.n = f.u.Mul(float64(f.side))
		a.depth = j.over(p, a.n, j.against(a.n))
		for i := range j.tries {
			if t := &j.tries[i]; t.depth-t.n.Dot(by) < a.depth-a.n.Dot(by) && j.hasWay(p, t.n) {
				a.n, a.depth = t.n, t.depth
			}
		}
	}
	a.height = j.of[0].faces[p.a].reach(a.n)
	return a, true
}

// isLess reports whether the shape, moved by a vector, is in a triangle by no more than a depth
// along one of the ways: then it is so along the least way out of it too, which takes longer.
func (j *Joiner) isLess(p *part, by geom.DVec3, depth float64) bool {
	for i := range j.ways {
		if w := &j.ways[i]; j.over(p, w.n, w.reach)-by.Dot(w.n) <= depth {
			return true
		}
	}
	return false
}

// least returns the shortest translation that is in all of some half-spaces, and false if none was
// found: it is on the planes of one, two or three of them.
func least(all []parting) (best geom.DVec3, ok bool) {
	shortest := math.Inf(1)
	try := func(by geom.DVec3) {
		l := by.Dot(by)
		if !(l < shortest) {
			return
		}
		for i := range all {
			if all[i].n.Dot(by) < all[i].depth-float64(partingOff*math.Abs(all[i].depth)) {
				return
			}
		}
		best, shortest, ok = by, l, true
	}
	for i := range all {
		a := &all[i]
		if a.depth > 0 {
			try(a.n.Mul(a.depth))
		}
		for k := range i {
			b := &all[k]
			cos := a.n.Dot(b.n)
			if det := 1 - float64(cos*cos); det > parallelSides {
				try(a.n.Mul((a.depth-float64(cos*b.depth))/det).AddMul((b.depth-float64(cos*a.depth))/det, b.n))
			}
			across := a.n.Cross(b.n)
			for m := range k {
				c := &all[m]
				if det := across.Dot(c.n); math.Abs(det) > parallelSides {
					try(b.n.Cross(c.n).Mul(a.depth/det).AddMul(b.depth/det, c.n.Cross(a.n)).AddMul(c.depth/det, across))
				}
			}
		}
	}
	return best, ok
}

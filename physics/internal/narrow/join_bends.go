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

// joinBend looks whether the shape, moved by the least translation along the normals of all
// manifolds from a number on by their depths, is in no triangle, and by no more than it has to be.
// If it is left in some, or ways out that touch nowhere are longer, it appends the manifold of a
// bend, whose contact leads along the least translation out of all. If a shorter one is out of all,
// its ways out make the manifolds.
func (j *Joiner) joinBend(dst []MeshManifold, from int) []MeshManifold {
	var held [maxPartings]parting
	n, deepest := 0, 0.0
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
		deepest = max(deepest, p.depth)
		held[n] = p
		n++
	}
	slack := float64(shallowBend * j.extent)
	// Of two meshes, triangles alone are less deep than the meshes, and no answer is known to be
	// the least.
	if !j.unsure && (j.whole == nil || n < 2 || deepest <= slack) {
		return dst
	}
	by, ok := least(held[:n])
	left, limit := !ok, float64(bendLonger*j.extent)
	if ok {
		l := by.Len()
		if left = !j.findsAll(by) || j.leftIn(by, l) >= 0; !left {
			if limit = min(limit, l-slack); j.whole == nil || limit <= j.alone {
				return dst
			}
		}
	}
	j.list = j.list[:0]
	var first exit
	if j.whole == nil { // on from what there is, which takes less time
		j.list = append(j.list, held[:n]...)
		for i := range j.list {
			of := dst[from+i].Points[0].Triangle
			j.list[i].part = slices.IndexFunc(j.parts, func(p part) bool { return p.number == of })
		}
		for i := range j.ways {
			if w := &j.ways[i]; w.lost {
				j.list = append(j.list, parting{w.n, w.depth, j.of[0].faces[j.parts[w.part].a].reach(w.n), int(w.part)})
			}
		}
		if first.n = len(j.list); first.n > maxPartings {
			return dst
		}
		for i := range first.n {
			first.held[i] = int32(i)
		}
		if first.by, ok = least(j.list); !ok {
			return dst
		}
		first.length = first.by.Len()
	}
	out, all := j.leave(first, limit)
	if len(all) == 0 {
		return dst
	}
	// What is deepest of a round side may be over another triangle: its manifold is there.
	if j.whole != nil && j.whole.kind == KindRound && len(all) == 1 &&
		slices.ContainsFunc(dst[from:], func(m MeshManifold) bool { return m.Normal.Dot(all[0].n) >= sameNormal }) {
		return dst
	}
	j.lack(out.Len())
	if !left || !j.fulfils(held[:n], out) {
		dst = dst[:from]
		for i := range all {
			p := &all[i]
			w := way{n: p.n, depth: p.depth, part: int32(p.part), reach: j.against(p.n)}
			if j.collect(&w); len(j.points) > 0 && !slices.ContainsFunc(dst[from:], func(m MeshManifold) bool { return m.Normal.Dot(p.n) >= sameNormal }) {
				dst = j.reduce(dst, w.n)
			}
		}
	}
	return j.bendAlong(dst, from, out, all)
}

// fulfils reports whether a translation is in some half-spaces, up to a part of its length.
func (j *Joiner) fulfils(all []parting, by geom.DVec3) bool {
	slack := j.rounding + float64(leftDeep*by.Len())
	return !slices.ContainsFunc(all, func(p parting) bool { return p.n.Dot(by) < p.depth-slack })
}

// leadAlong reports whether the least translation along some manifolds is a given one, up to a part
// of its length.
func (j *Joiner) leadAlong(list []MeshManifold, by geom.DVec3) bool {
	var held [maxPartings]parting
	if len(list) > maxPartings {
		return true
	}
	for i := range list {
		held[i] = parting{n: list[i].Normal, depth: list[i].Points[0].Depth}
	}
	t, ok := least(held[:len(list)])
	return ok && t.Sub(by).Len() <= j.rounding+float64(leftDeep*by.Len())
}

// exit is a translation: the least that is in some of the half-spaces in a list.
type exit struct {
	by     geom.DVec3
	length float64
	held   [maxPartings]int32
	n      int
}

// leave returns the least translation that takes the shape out of all triangles, if it is shorter
// than a limit, and the ways out that it is the least of. A translation that leaves the shape in a
// triangle has to be along one of the ways out of that too. Of all that were found the shortest one
// is looked at first, so that the first one that takes the shape out is the least.
func (j *Joiner) leave(first exit, limit float64) (geom.DVec3, []parting) {
	j.exits = append(j.exits[:0], first)
	for i := range j.parts {
		j.parts[i].listed = false
	}
	nodes := maxNodes
	if j.whole == nil {
		nodes = meshNodes
	}
	for range nodes {
		k := -1
		for i := range j.exits {
			if e := &j.exits[i]; e.length < limit && (k < 0 || e.length < j.exits[k].length) {
				k = i
			}
		}
		if k < 0 {
			break
		}
		e := j.exits[k]
		j.exits[k].length = math.Inf(1)
		var held [maxPartings]parting
		for i, at := range e.held[:e.n] {
			held[i] = j.list[at]
		}
		i := j.leftIn(e.by, e.length)
		if i < 0 {
			from := len(j.list)
			for i := range e.n { // those that decide on it
				if p := &held[i]; p.n.Dot(e.by) <= p.depth+j.rounding {
					j.list = append(j.list, *p)
				}
			}
			return e.by, j.list[from:]
		}
		if e.n == maxPartings {
			continue
		}
		j.listAround(i, limit)
		for i := range j.list {
			held[e.n] = j.list[i]
			if held[e.n].n.Dot(e.by) >= held[e.n].depth-j.rounding {
				continue
			}
			if by, ok := least(held[:e.n+1]); ok && by.Len() < limit {
				next := exit{by, by.Len(), e.held, e.n + 1}
				next.held[e.n] = int32(i)
				if !slices.ContainsFunc(j.exits, func(o exit) bool { return o.by.Sub(by).Len() <= j.rounding }) {
					j.exits = append(j.exits, next)
				}
			}
		}
	}
	return geom.DVec3{}, nil
}

// listAround lists the ways out of a triangle and of those around it, unless they are listed.
func (j *Joiner) listAround(i int, limit float64) {
	c := &j.of[0].faces[j.parts[i].a].c
	for i := range j.parts {
		p := &j.parts[i]
		if f := &j.of[0].faces[p.a]; p.listed || p.free || !f.has(c[0]) && !f.has(c[1]) && !f.has(c[2]) {
			continue
		}
		p.listed = true
		from := len(j.list)
		j.list = j.partings(j.list, i, limit)
		n := from
		for _, p := range j.list[from:] {
			if !slices.ContainsFunc(j.list[:n], func(o parting) bool { return math.Abs(p.depth-o.depth) <= j.rounding && p.n.Dot(o.n) >= sameWay }) {
				j.list[n] = p
				n++
			}
		}
		j.list = j.list[:n]
	}
}

// partings appends to a list the half-spaces of the ways out of a triangle that are shorter than a
// limit.
func (j *Joiner) partings(list []parting, i int, limit float64) []parting {
	p := &j.parts[i]
	f := &j.of[0].faces[p.a]
	add := func(n geom.DVec3, depth float64) {
		if depth < limit {
			list = append(list, parting{n: n, depth: depth, height: f.reach(n), part: i})
		}
	}
	if f.thin || j.hasWay(p, p.n) {
		add(p.n, j.over(p, p.n, j.against(p.n)))
	}
	if f.thin {
		return list
	}
	up := f.u.Mul(float64(f.side))
	add(up, j.over(p, up, j.against(up)))
	j.tries = j.tries[:0]
	w := way{n: up, depth: limit, part: int32(i)}
	convex, any := j.convex(p)
	if any {
		j.tryFeatures(p, &w, &convex)
	}
	for i := range j.tries {
		if t := &j.tries[i]; j.hasWay(p, t.n) {
			add(t.n, t.depth)
		}
	}
	return list
}

// bendAlong appends what manifolds from a number on lack to lead along a vector. The lowest point
// of one of the partings has a contact that leads to the surface: others may have a part in the
// vector elsewhere. The last contact leads along the vector, to the point at which the shape, moved
// by it, touches the surface.
func (j *Joiner) bendAlong(dst []MeshManifold, from int, by geom.DVec3, all []parting) []MeshManifold {
	for i := range all {
		if len(dst)-from == MaxNormals || j.leadAlong(dst[from:], by) {
			return dst
		}
		_, s := j.pair(&j.parts[all[i].part])
		tip := s.lowest(all[i].n)
		if end, p := j.landing(tip, all, j.parts[all[i].part].b); p != nil && !isThere(dst[from:], end.Sub(tip), leftDeep) {
			dst = j.appendBend(dst, tip, end, p)
		}
	}
	if len(dst)-from == MaxNormals || j.leadAlong(dst[from:], by) {
		return dst
	}
	touched, off := -1, float64(ahead*by.Len())
	var tip, end geom.DVec3
	for i := range j.parts {
		t, s := j.pair(&j.parts[i])
		moved := s.Moved(by)
		if x := Distance(t, &moved, off); (x.Distance < off || x.Distance == off && touched < 0) && !j.of[0].isInward(x.PointA, by.Normalize(), j.extent) {
			off, touched, tip, end = x.Distance, i, x.PointB.Sub(by), x.PointA
		}
	}
	if touched < 0 {
		return dst
	}
	return j.appendBend(dst, tip, end, &j.parts[touched])
}

// isInward reports whether a unit vector leads into the surface at a place on it.
func (t *triangles) isInward(at, n geom.DVec3, extent float64) bool {
	return !t.pastRim && t.visitOn(at, func(i int32) bool {
		f := &t.faces[i]
		return !f.thin && !f.edges.HasRim() && n.Dot(f.u)*float64(f.side) < -leaning && !t.hasWay(i, n, extent)
	})
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

// findsAll reports whether a translation is as long along the ways out that touch nothing as these.
func (j *Joiner) findsAll(by geom.DVec3) bool {
	return !slices.ContainsFunc(j.ways, func(w way) bool { return w.lost && w.n.Dot(by) < w.depth-j.rounding })
}

// leftIn returns the part of a triangle in which the shape is left, moved by a vector of a length,
// and −1 if it is in none.
func (j *Joiner) leftIn(by geom.DVec3, length float64) int {
	slack := j.rounding + float64(leftDeep*length)
	if i := j.deepest(by, slack); i >= 0 {
		return i
	}
	// A thin shape may pass between two sides, where both only touch it.
	i := j.deepest(by.Mul(1+ahead), slack)
	if i >= 0 {
		from := len(j.list)
		all := j.partings(j.list, i, float64(bendLonger*j.extent))[from:]
		if slices.ContainsFunc(all, func(p parting) bool { return p.n.Dot(by) >= p.depth-slack }) {
			return -1
		}
	}
	return i
}

// deepest returns the part of the triangle in which the shape is deepest once it is moved by a
// vector, and −1 if it is in none by more than a depth.
func (j *Joiner) deepest(by geom.DVec3, deepest float64) int {
	part := -1
	for i := range j.parts {
		p := &j.parts[i]
		if p.free || p.depth-by.Dot(p.n) <= deepest || j.isLess(p, by, deepest) {
			continue
		}
		t, s := j.pair(p)
		moved := s.Moved(by)
		if x, in := j.one.Penetrate(t, &moved); in && x.Depth > deepest {
			deepest, part = x.Depth, i
		}
	}
	return part
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

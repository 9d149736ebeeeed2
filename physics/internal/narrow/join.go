package narrow

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// MeshContact is a contact with a triangle of a mesh.
type MeshContact struct {
	ContactPoint
	Triangle int32
}

// MeshManifold is the contact manifold of a shape with the triangles of a mesh that it touches in
// one direction. It is a [Manifold] from the mesh to the shape, with the triangle of each contact.
// The first contact is the deepest, or less deep than that by no more than 10⁻⁴ of the extent of
// the contacts.
type MeshManifold struct {
	Normal geom.DVec3
	Points [maxContacts]MeshContact
	N      int
}

// Joiner finds the few manifolds that a shape has with many triangles of a mesh.
//
// A direction is a way out of the surface at a triangle if the surface around the triangle's
// support point does not rise above the plane across the direction: it is then in the surface's
// normal cone there. The minimum translation vector of a triangle alone is never longer than that
// of a convex solid with this face. So where it is a way out it is exact, and a triangle of which
// it is none belongs to another one's contact. It is dropped if it is apart from the shape, as the
// other one is nearer, or if a way out that was found separates it from the shape too. For the
// triangles that are left, the least way out is searched for among the directions in which it can
// be: the normals of the faces, and those across pairs of edges.
//
// Ways out whose directions agree within 1° share a manifold along that of the deepest. All
// triangles that this direction separates from the shape contribute their contacts along it. Four
// of the contacts are kept: one of the deepest, the one furthest from it, the one that makes the
// largest triangle with these, and the one furthest outside of that triangle. What is less deep has
// to be further away, as in Jolt's manifold reduction: see shallower. Depths within 10⁻⁴ of the
// extent of the contacts are the same, so that a box on a floor has its corners for contacts,
// whatever the triangles of the floor.
//
// The answer does not depend on the order in which triangles are added, as long as each is added
// once. Of more than [MaxNormals] manifolds the shallowest are dropped. The zero Joiner is ready
// for use; used again, it allocates nothing once it has grown.
type Joiner struct {
	parts    []part
	of       [2]triangles   // of the mesh, and of the second mesh if there is one
	whole    *Shape         // the other shape, if it is no mesh
	two      [2]Shape       // triangles of a part
	contacts []ContactPoint // of parts
	ways     []way
	points   []MeshContact // of the manifold that is being made
	flat     []flatPoint   // the same
	margin   float64
	reach    float64
	lacks    float64 // see Joiner.Lacks
	looked   bool    // ways out were also searched for around the triangles that are touched
	same     float64 // in metres: places no further apart are one
	size     float64 // the largest coordinate, in metres
	extent   float64 // of the other shape, in metres
	rounding float64 // of coordinates, in metres
	joined   []int32 // parts that contribute to the way out that is being collected
	left     []int32 // parts that no way out separates from the shape
	tries    []way   // of the part for which a way out is searched for
	sides    []way   // across the faces of the other shape, if they were needed
	arcs     []arc   // of the other shape, the same
	inward   float64 // see Joiner.AddFlat and Joiner.AddShallow, in metres
	one      Finder
	low      geom.DVec3 // the support point of the core against its normal, and the vertex there
	vertex   int
	height   float64         // of the shape's middle over the triangle's plane
	shallow  []geom.Triangle // see Joiner.BeginShallow
	four     fourFaces       // of the list
	lane     int             // the place among these of the triangle that is being added, or −1
	hint     int
	steep    bool      // an edge of a triangle bends by more than steepEdge
	face     patch     // of the other shape, along the way out that is being collected
	kept     []way     // what gather makes the ways
	alone    float64   // the least translation out of all triangles is no less, in metres
	list     []parting // see Joiner.leave
	exits    []exit    // the same
	unsure   bool      // all ways out together may not free the shape: see joinBend
}

// part is a triangle that is touched, by the other shape or by a triangle of another mesh.
type part struct {
	n        geom.DVec3 // the direction of the contacts of both alone, and their depth
	depth    float64
	low      geom.DVec3 // the support point of the shape: see Joiner.goesOn
	from, to int32      // these contacts, if they were needed for the direction; else see alone
	number   int32      // the order of parts
	index    int32      // among the parts
	a, b     int32      // the triangle, and that of the other mesh or −1
	stand    stand
	at       int8 // the edge or corner of the stand
	free     bool // not limited by edges
	near     bool // beyond the margin, within reach
	unsure   bool // see Joiner.classify
	split    bool // the same
	listed   bool // see Joiner.leave
}

// way is a way out: a unit vector, and the depth by which the shape has to move along it.
type way struct {
	n      geom.DVec3
	depth  float64
	reach  float64 // the support function of the other shape against n, if it is no mesh
	part   int32   // the part that it was found for
	beside bool    // see Joiner.lookBeside
	lands  bool    // the shape, moved along it, is known to touch the surface
	needed bool    // it frees the shape of a triangle of which no other way out frees it
	lost   bool    // moved along it, the shape touches none of the triangles that it leaves
}

// Reset drops all triangles and keeps the memory. The middle of the other shape decides on which
// side of the surface it is. Triangles within a reach, in metres, of the shape are kept for the
// directions of the surface around those that are touched: see [Joiner.Lacks].
func (j *Joiner) Reset(middle geom.DVec3, reach float64) {
	j.parts, j.contacts, j.sides, j.arcs, j.joined, j.whole = j.parts[:0], j.contacts[:0], j.sides[:0], j.arcs[:0], j.joined[:0], nil
	j.unsure, j.reach, j.lacks, j.looked, j.margin, j.size, j.extent = false, reach, 0, false, 0, 0, 0
	j.of[0].reset(middle, true)
	j.of[1].reset(geom.DVec3{}, false)
}

// Collide adds a triangle, whose number in the mesh is given, for its contacts with a shape within
// a margin in metres. The shape is kept until [Joiner.Join], and must be the same for all
// triangles, or a half-space. See also [Joiner.CollideTriangles].
func (j *Joiner) Collide(triangle int32, e *Edges, t, s *Shape, margin float64) {
	if p, ok := j.relate(e, t, s, margin); ok {
		p.number, p.a, p.b = triangle, j.of[0].add(triangle, e, t), -1
		j.whole = s
		j.parts = append(j.parts, p)
	}
}

// CollideTriangles adds two triangles of two meshes, with their numbers in these, and the number of
// the pair.
func (j *Joiner) CollideTriangles(pair, a, b int32, ea, eb *Edges, t, s *Shape, margin float64) {
	// A triangle that touches none of the other mesh belongs to the surface around one that does.
	i, k := j.of[0].addOnce(a, ea, t), j.of[1].addOnce(b, eb, s)
	if p, ok := j.relate(ea, t, s, margin); ok {
		p.number, p.a, p.b = pair, i, k
		j.parts = append(j.parts, p)
	}
}

// relate makes the part of a triangle and a shape. It returns false if they are too far apart.
func (j *Joiner) relate(e *Edges, t, s *Shape, margin float64) (p part, ok bool) {
	f := &j.one
	f.N = 0
	a, b, exchanged := inOrder(t, s)
	var r relation
	limit := max(margin, j.reach)
	if !relate(&r, a, b, limit, askContacts) {
		return p, false
	}
	p.free, p.from = s.kind == KindHalfSpace, int32(len(j.contacts))
	// Of what is apart only the contacts show whether and where they touch.
	if r.least {
		if f.related(a, b, &r, limit); f.N == 0 {
			return p, false
		}
		r.n, r.dist = f.Normal, -f.Points[f.Deepest()].Depth
	}
	p.n, p.depth, p.near = r.n, -r.dist, -r.dist < -margin
	if exchanged {
		p.n = p.n.Neg()
	}
	switch {
	case p.free:
		p.stand = overFace
	case t.IsThin():
		p.stand = overRim
	default:
		c, at := t.triangle(), 0
		p.stand, at = e.stand(&c, t.u, p.n)
		p.at = int8(at)
	}
	if p.stand != wrong && !p.near && !s.hasFaces() {
		f.related(a, b, &r, margin)
		if exchanged {
			f.flip()
		}
		j.contacts = append(j.contacts, f.Contacts()...)
		j.trim(t, s, p.n, int(p.from))
	}
	p.to = int32(len(j.contacts))
	j.margin, j.size, j.extent = margin, max(j.size, t.size, s.size), max(j.extent, s.extent)
	return p, true
}

// pair returns the two shapes of a part, until the next call.
func (j *Joiner) pair(p *part) (t, s *Shape) {
	t, s = &j.two[0], j.whole
	j.of[0].faces[p.a].shape(t)
	if p.b >= 0 {
		s = &j.two[1]
		j.of[1].faces[p.b].shape(s)
	}
	return t, s
}

// against returns the support function of the other shape against a unit vector, and 0 if it is a
// mesh.
func (j *Joiner) against(n geom.DVec3) float64 {
	if j.whole == nil {
		return 0
	}
	return j.whole.Reach(n.Neg())
}

// over returns the depth of the shape in a triangle along a unit vector.
func (j *Joiner) over(p *part, n geom.DVec3, reach float64) float64 {
	depth := j.of[0].faces[p.a].reach(n) + reach
	if p.b >= 0 {
		depth += j.of[1].faces[p.b].reach(n.Neg())
	}
	return depth
}

// Join appends the manifolds of what was added since [Joiner.Reset] to dst, the deepest first, and
// returns the longer slice.
func (j *Joiner) Join(dst []MeshManifold) []MeshManifold {
	if len(j.parts) == 0 {
		return dst
	}
	if p := &j.parts[0]; len(j.parts) == 1 && p.stand == overFace && p.from < p.to && j.isWayOut(p) {
		return append(dst, j.only(p))
	}
	j.arrange()
	j.setRounding()
	overlap := slices.ContainsFunc(j.parts, func(p part) bool { return p.depth >= 0 && !p.free })
	for i := range j.of {
		if t := &j.of[i]; overlap && t.sided {
			t.takeSides()
			// The middle of a flat box is on its surface, and may be on either side of a triangle.
			t.decided = j.whole != nil && (!j.whole.isBox() || j.whole.isSolid())
		}
	}
	j.ways = j.ways[:0]
	for i := range j.parts {
		if p := &j.parts[i]; p.b >= 0 && !p.near && p.stand != wrong {
			j.of[1].takeSide(p.b, p.n.Neg(), j.extent)
		}
	}
	// The least depths of ways out, and of those that depend on triangles that are missing.
	least, partial := math.Inf(1), math.Inf(1)
	for i := range j.parts {
		p := &j.parts[i]
		if p.near {
			continue
		}
		j.of[0].partial = false
		if j.isWayOut(p) {
			j.ways, least = append(j.ways, way{n: p.n, depth: p.depth, part: int32(i)}), min(least, p.depth)
		} else {
			p.stand = wrong
		}
		if j.of[0].partial {
			partial = min(partial, p.depth)
		}
	}
	if partial <= least && partial < math.Inf(1) {
		j.lack(partial)
	}
	j.alone = 0
	for i := range j.parts {
		if p := &j.parts[i]; !p.free {
			j.alone = max(j.alone, p.depth)
		}
	}
	j.gather()
	j.search()
	j.lookBeside()
	return j.manifolds(dst)
}

// setRounding sets the tolerances, which depend on the coordinates of all that was added.
func (j *Joiner) setRounding() {
	j.rounding = float64(sameCoordinate * j.size)
	j.same = j.rounding + float64(samePlace*j.extent)
	for i := range j.of {
		j.of[i].rounding, j.of[i].same = j.rounding, j.same
	}
}

// manifolds appends those of all ways out.
func (j *Joiner) manifolds(dst []MeshManifold) []MeshManifold {
	from := len(dst)
	for i := range j.ways {
		w := &j.ways[i]
		if p := &j.parts[w.part]; p.stand == overFace && p.from == p.to && j.whole != nil && j.whole.kind == KindSphere {
			dst = append(dst, j.under(p))
		} else if j.collect(w); len(j.points) > 0 {
			dst = j.reduce(dst, w.n)
		}
	}
	if (j.unsure || j.mayBeTip()) && len(dst)-from < MaxNormals {
		dst = j.joinBend(dst, from)
	}
	for i := 0; i < len(j.ways) && len(dst) == from; i++ {
		if w := &j.ways[i]; w.lost {
			j.points = j.points[:0]
			if j.touchAny(w); len(j.points) > 0 {
				dst = j.reduce(dst, w.n)
			}
		}
	}
	slices.SortStableFunc(dst[from:], func(a, b MeshManifold) int { return cmp.Compare(b.Points[0].Depth, a.Points[0].Depth) })
	return dst
}

// only returns the manifold of the only part, which has up to four contacts of its own.
func (j *Joiner) only(p *part) MeshManifold {
	m := MeshManifold{Normal: p.n}
	for _, c := range j.contacts[p.from:min(p.to, p.from+maxContacts)] {
		m.Points[m.N] = MeshContact{c, p.number}
		if m.N++; c.Depth > m.Points[0].Depth {
			m.Points[0], m.Points[m.N-1] = m.Points[m.N-1], m.Points[0]
		}
	}
	return m
}

// under returns the manifold of a sphere with the face of a triangle below its middle.
func (j *Joiner) under(p *part) MeshManifold {
	m, at := MeshManifold{Normal: p.n, N: 1}, j.whole.p.AddMul(-j.whole.radius, p.n)
	m.Points[0] = MeshContact{ContactPoint{at.AddMul(p.depth, p.n), at, p.depth, faceKind, vertexKind}, p.number}
	if j.of[0].faces[p.a].side < 0 {
		m.Points[0].FeatureA |= 1
	}
	return m
}

// arrange sorts the parts and the triangles, so that the order in which they came does not matter.
func (j *Joiner) arrange() {
	order := func(a, b part) int { return cmp.Compare(a.number, b.number) }
	if !slices.IsSortedFunc(j.parts, order) {
		slices.SortFunc(j.parts, order)
	}
	a, b := j.of[0].arrange(), j.of[1].arrange()
	for i := range j.parts {
		p := &j.parts[i]
		p.index = int32(i)
		if a != nil {
			p.a = a[p.a]
		}
		if b != nil && p.b >= 0 {
			p.b = b[p.b]
		}
	}
}

// gather keeps the deepest ways, in order, and unites those that agree.
func (j *Joiner) gather() {
	j.kept = j.kept[:0]
	for len(j.ways) > 0 && len(j.kept) < MaxNormals {
		best := 0
		for i := range j.ways {
			if v, w := &j.ways[i], &j.ways[best]; v.depth > w.depth || v.depth == w.depth && v.part < w.part {
				best = i
			}
		}
		w := j.ways[best]
		if w.reach == 0 {
			w.reach = j.against(w.n)
		}
		j.kept = append(j.kept, w)
		k := 0
		for i := range j.ways {
			if i == best || w.n.Dot(j.ways[i].n) >= sameNormal {
				continue
			}
			if k < i {
				j.ways[k] = j.ways[i]
			}
			k++
		}
		j.ways = j.ways[:k]
	}
	j.ways, j.kept = j.kept, j.ways
}

// isSeparated reports whether a way out separates a triangle from the shape, besides that for which
// it was found.
func (j *Joiner) isSeparated(p *part, w *way) bool {
	return j.over(p, w.n, w.reach) <= w.depth+j.rounding
}

// isSeparatedByAny reports whether a way out separates a triangle from the shape.
func (j *Joiner) isSeparatedByAny(p *part) bool {
	for i := range j.ways {
		if j.isSeparated(p, &j.ways[i]) {
			return true
		}
	}
	return false
}

// search adds ways out for the triangles that none separates from the shape.
func (j *Joiner) search() {
	from, least := len(j.ways), 0.0
	if from == 0 {
		least = math.Inf(-1)
		// Rounding may turn each of two triangles of a floor so that the other one seems nearer.
		for i := range j.parts {
			if p := &j.parts[i]; !p.near {
				least = max(least, p.depth-j.rounding)
			}
		}
		least = min(least, 0)
	}
	j.left = j.left[:0]
	for i := range j.parts {
		p := &j.parts[i]
		if p.near || p.depth < least || p.stand != wrong || slices.ContainsFunc(j.ways[:from], func(w way) bool { return j.isSeparated(p, &w) }) {
			continue
		}
		j.left = append(j.left, int32(i))
	}
	if len(j.left) == 0 {
		return
	}
	j.unsure = j.mayBeTip()
	lacking := j.reach > 0
	look := func(parts []int32) {
		for _, i := range parts {
			p, w := &j.parts[i], way{part: i}
			if j.leastWay(p, &w) && (w.lands || !j.isFreed(p, &w, from)) {
				j.ways = append(j.ways, w)
			}
			if len(j.tries) > 0 {
				lacking = true
				j.lack(w.depth)
			}
		}
	}
	if look(j.left); lacking {
		j.looked = true
		own := len(j.ways)
		look(j.around(j.left))
		j.dropLonger(from, own)
	}
	// The shallowest way out comes first. A triangle that it separates from the shape, or frees of
	// it, needs no other, unless the shape enters another triangle on the way. Ways that land come
	// before all others, unless they are much longer than the way out of each triangle alone.
	longest := 0.0
	for _, i := range j.left {
		longest = max(longest, float64(muchLonger*j.parts[i].depth)+j.rounding)
	}
	found := j.ways[from:]
	slices.SortFunc(found, func(a, b way) int {
		return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.part, b.part))
	})
	for _, landing := range [2]bool{true, false} {
		for k := range found {
			w := &found[k]
			enters, asked := false, false
			frees := func(i int32) bool {
				p := &j.parts[i]
				if j.isSeparated(p, w) {
					return true
				}
				if j.whole == nil || p.depth < 0 || enters || !j.isLeft(p, found[k:k+1]) {
					return false
				}
				if !asked { // once: it looks at all triangles
					enters, asked = j.enters(w), true
				}
				return !enters
			}
			if slices.ContainsFunc(j.left, frees) && (!landing || w.depth <= longest && (w.lands || j.lands(w))) {
				j.left = slices.DeleteFunc(j.left, frees)
				w.needed = true
			}
		}
	}
	n := from
	for _, w := range found {
		if w.needed && n < from+MaxNormals {
			j.ways[n] = w
			n++
		}
	}
	if j.ways = j.ways[:n]; n == 0 {
		// Shapes that overlap are in contact.
		for _, i := range j.left {
			if p := &j.parts[i]; p.depth >= 0 && (len(j.ways) == 0 || p.depth < j.ways[0].depth) {
				j.ways = append(j.ways[:0], way{n: p.n, depth: p.depth, part: i})
			}
		}
	}
	j.gather()
}

// dropLonger drops those of the ways out from a number on that are longer than all from another
// number up to it, if there are any: ways out of triangles around those that the shape is in are
// looked for as they may be shorter. The end of a wall is none, however deep the shape is behind
// it, where another wall is the way out.
func (j *Joiner) dropLonger(from, own int) {
	if own == from {
		return
	}
	longest := slices.MaxFunc(j.ways[from:own], func(a, b way) int { return cmp.Compare(a.depth, b.depth) }).depth
	n := own
	for _, w := range j.ways[own:] {
		if w.depth <= longest+j.rounding {
			j.ways[n] = w
			n++
		}
	}
	j.ways = j.ways[:n]
}

// enters reports whether the shape, moved along a way out, overlaps a triangle that it is apart
// from, and that the way does not separate from it.
func (j *Joiner) enters(w *way) bool {
	s := j.whole.Moved(w.n.Mul(w.depth))
	for i := range j.parts {
		if p := &j.parts[i]; p.depth < 0 && !p.free && !j.isSeparated(p, w) && !j.isClear(p, &s) {
			return true
		}
	}
	return false
}

// isFreed reports whether a triangle needs no way out that leads past the surface, over the rim of
// which the shape hangs: one of the first few ways frees it of the shape.
func (j *Joiner) isFreed(p *part, w *way, n int) bool {
	return j.whole != nil && n > 0 && j.isLeft(p, j.ways[:n]) && !j.lands(w)
}

// lack notes that triangles further away, but no further than the way out is long, may shorten it.
func (j *Joiner) lack(depth float64) {
	if j.reach == 0 && len(j.parts) <= maxReaching {
		j.lacks = max(j.lacks, min(depth, reaching*j.extent))
	}
}

// around returns the parts that are apart from the shape and connected with the given ones; of two
// meshes, all that are apart.
func (j *Joiner) around(parts []int32) []int32 {
	t := &j.of[0]
	apart := func(p *part) bool { return p.near || p.depth < 0 && p.stand == wrong }
	if t.stack = t.stack[:0]; j.whole == nil {
		for i := range j.parts {
			if apart(&j.parts[i]) {
				t.stack = append(t.stack, int32(i))
			}
		}
		return t.stack
	}
	// Each triangle has one part, with the same index.
	t.stack = append(t.stack, parts...)
	t.taken = append(t.taken[:0], make([]bool, len(j.parts))...)
	for _, i := range parts {
		t.taken[i] = true
	}
	for k := 0; k < len(t.stack); k++ {
		for corner := range 3 {
			for _, i := range t.around(t.stack[k], corner) {
				if apart(&j.parts[i]) && !t.taken[i] {
					t.taken[i] = true
					t.stack = append(t.stack, i)
				}
			}
		}
	}
	return t.stack[len(parts):]
}

// Has reports whether the triangle of a number is among those that touch the shape or are near it,
// after [Joiner.Join].
func (j *Joiner) Has(triangle int32) bool {
	_, ok := slices.BinarySearchFunc(j.of[0].faces, triangle, func(f face, n int32) int { return cmp.Compare(f.number, n) })
	return ok
}

// IsWithin reports whether [Joiner.Collide] adds a triangle if the reach, in metres, is not 0.
func (j *Joiner) IsWithin(t, s *Shape, reach float64) bool {
	j.reach = reach
	_, ok := j.relate(&Edges{}, t, s, 0)
	return ok
}

// LookedAround reports whether [Joiner.Join] has looked at all triangles that were added. If so, a
// reach within which there are no others changes nothing.
func (j *Joiner) LookedAround() bool { return j.looked }

// Lacks returns the reach, in metres, with which [Joiner.Join] may find a shorter way out, and 0 if
// it needs none. A flat shape may be a millimetre below a corner, and touch none of the triangles
// over whose edges it leaves.
func (j *Joiner) Lacks() float64 { return j.lacks }

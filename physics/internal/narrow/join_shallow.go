package narrow

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A shape that lies on a curved surface touches most triangles nowhere, and the others mostly with
// one vertex over the face. One support point a triangle shows both.
//
// Around a triangle the normals of the surface go from its own, along an arc of the unit sphere
// over each convex edge, to that of the triangle beyond. The directions in which one vertex of a
// convex shape is the support point are a convex set of the sphere, and great circles across the
// edges of the shape bound it. So if the vertex is the same at both ends of all arcs of a triangle,
// the triangle has a way out of its own only where that vertex is over it. Else the arcs that cross
// show which edges do, and which of the shape's faces may touch a corner. The support point of a
// round shape moves on along an arc, and passes the edge where there is a way out over it: see
// crossRound. What is left, such as a sphere over an edge, is compared as [Joiner.Collide] does.
//
// All ways out that are found are local: each touches both surfaces once the shape has been moved
// along it. Of those the shallowest are kept, until one of them separates each triangle that the
// shape overlaps from it, or frees it of the shape.

// BeginShallow drops all triangles, and sets a shape that [Joiner.Approaches], [Joiner.AddShallow]
// and [Joiner.JoinShallow] look at within a margin in metres, and the list of triangles, in the
// world, until they have. It returns false for flat shapes and half-spaces, and for other shapes
// than spheres and capsules near too many triangles.
func (j *Joiner) BeginShallow(s *Shape, list []geom.Triangle, margin float64) bool {
	switch {
	case s.kind == KindSphere, s.kind == KindCapsule:
	case s.kind != KindHull && !s.isSolid() && !s.isRoundSolid(), len(list) > maxShallow:
		return false
	}
	j.Reset(s.Center(), 0)
	j.whole, j.margin, j.size, j.extent, j.inward, j.hint = s, margin, s.size, s.extent, math.Inf(1), 0
	j.shallow, j.lane, j.steep, j.ways, j.tries = list, -1, false, j.ways[:0], j.tries[:0]
	return true
}

// Approaches reports whether a triangle, given by its place in the list, may be within the margin
// of the shape. If so, AddShallow adds it. Each comes after the one before it in the list. It
// returns false for ok if [Joiner.Join] has to decide: the triangle is thin, or the shape's middle
// is all but in its plane or on another side than of the first.
func (j *Joiner) Approaches(i int) (near, ok bool) {
	f, p := j.nextFace(), j.nextPart()
	if useSIMD && j.whole.isBox() {
		if j.lane = i & 3; j.lane == 0 {
			j.four.measure(j.shallow[i:], j.whole, j.margin)
		}
		near, ok = j.four.face(j, j.lane, f, p)
	} else {
		near, ok = j.measure(&j.shallow[i], f, p)
	}
	if !near || !ok {
		return false, ok
	}
	if faces := j.of[0].faces; math.Abs(j.height) > pastMiddle*j.extent && (len(faces) == 0 || faces[0].side == f.side) {
		return true, true
	}
	var r relation
	t := &j.two[0]
	f.shape(t)
	t, s, _ := inOrder(t, j.whole)
	near = relate(&r, t, s, j.margin, askContacts)
	return near, !near
}

// IsBeside is true only for a box that a triangle is further from than a margin in metres.
func (s *Shape) IsBeside(t *geom.Triangle, margin float64) bool {
	if !s.isBox() {
		return false
	}
	c := [3]geom.DVec3{t.A.Wide(), t.B.Wide(), t.C.Wide()}
	if in := s.along(c[0].Sub(s.p)); s.inward(&in) >= -margin { // most, below what is large
		return false
	}
	return s.gap(&c, s.p) > margin
}

// Clear returns a distance, in metres, that a shape is at least from a triangle: that along the
// triangle's normal, or of a box along its axes. It is 0 or less if these do not separate them.
func (s *Shape) Clear(t *geom.Triangle) float64 {
	c := [3]geom.DVec3{t.A.Wide(), t.B.Wide(), t.C.Wide()}
	n := c[1].Sub(c[0]).Cross(c[2].Sub(c[0])).Normalize()
	if n.Dot(s.Center().Sub(c[0])) < 0 {
		n = n.Neg()
	}
	far := s.lowest(n).Sub(c[0]).Dot(n)
	if n == (geom.DVec3{}) {
		far = 0
	}
	if s.isBox() {
		far = max(far, s.gap(&c, s.p))
	}
	return far
}

// nextFace returns the place of the next face, past the end of the list, until it grows.
func (j *Joiner) nextFace() *face {
	t := &j.of[0]
	t.faces = slices.Grow(t.faces, 1)
	return &t.faces[:len(t.faces)+1][len(t.faces)]
}

// nextPart is nextFace for parts.
func (j *Joiner) nextPart() *part {
	j.parts = slices.Grow(j.parts, 1)
	return &j.parts[:len(j.parts)+1][len(j.parts)]
}

// gap returns how far a triangle is from a box with its middle at a place, along the axis of the
// box that separates them most. It is negative if none does.
func (s *Shape) gap(c *[3]geom.DVec3, at geom.DVec3) float64 {
	a, b, d := c[0].Sub(at), c[1].Sub(at), c[2].Sub(at)
	x, y, z := a.Dot(s.x), b.Dot(s.x), d.Dot(s.x)
	most := max(min(x, y, z), -max(x, y, z)) - s.half.X
	x, y, z = a.Dot(s.y), b.Dot(s.y), d.Dot(s.y)
	most = max(most, max(min(x, y, z), -max(x, y, z))-s.half.Y)
	x, y, z = a.Dot(s.z), b.Dot(s.z), d.Dot(s.z)
	return max(most, max(min(x, y, z), -max(x, y, z))-s.half.Z)
}

// AddShallow adds the triangle for which Approaches has returned true, with its number and edges.
// Numbers rise.
func (j *Joiner) AddShallow(number int32, e *Edges) {
	f, p := j.nextFace(), j.nextPart()
	j.of[0].faces, j.parts = j.of[0].faces[:len(j.parts)+1], j.parts[:len(j.parts)+1]
	f.edges, f.number, f.thin, f.joins = *e, number, false, false
	p.number, p.a, p.b, p.index, p.low = number, int32(len(j.parts)-1), -1, int32(len(j.parts)-1), j.low
	p.from, p.to, p.stand, p.at, p.free, p.near, p.unsure, p.split = 0, 0, wrong, 0, false, false, false, false
	j.size, j.steep = max(j.size, f.size), j.steep || e.isSteep()
	j.classify(f, p)
}

// bent is an edge of a triangle.
type bent struct {
	along    geom.DVec3
	out      geom.DVec3 // across the edge, in the plane of the triangle, as long as the edge
	length   float64
	cos, sin float64 // of the angle by which the surface turns down, times a factor
}

// allows reports whether the triangle beyond the edge does not rise above the plane across a unit
// vector, whose product with the normal is up.
func (b *bent) allows(n geom.DVec3, up float64) bool {
	return float64(b.cos*b.out.Dot(n)) <= float64((float64(b.sin*up)+leaning)*b.length)
}

// classify adds the ways out of a triangle along its normal, or across a convex edge of it and an
// edge of the shape, and tries those along the normals of the shape's faces. A part of which there
// may be others is unsure. One of which arcs cross is split.
func (j *Joiner) classify(f *face, p *part) {
	rounding := float64(sameCoordinate * j.size)
	up := p.n
	core := j.whole.radius - p.depth // the height of the core's support point
	above, below := max(0, core), max(0, -core)
	over, within := 1, 1 // the triangle; what the arcs over its edges sweep
	lands := 1           // on the triangle, once the shape is moved along its normal
	var edges [3]bent
	for i := range f.c {
		b := float64(f.edges[i]) * float64(f.side)
		along := f.c[(i+1)%3].Sub(f.c[i])
		out, l, in := j.edge(f, i, along)
		if b > sharpBend || f.edges.isOpen(i) {
			// The way out over an edge that the shape is inward of is no shorter than the shape is
			// inward.
			far := f.c[i].Dot(out)/l - j.whole.Reach(out.Mul(1/l))
			if j.inward = min(j.inward, far); far <= rounding {
				p.unsure = true
				return
			}
			b = 0
		}
		slack := float64(rounding * l)
		e := &edges[i]
		e.along, e.out, e.length, e.cos, e.sin = along, out, l, 1-float64(b*b), 2*b
		// No branches, which are hard to predict at the edges of hills.
		inward := one(in >= -slack)
		convex := one(b > 0)
		lands &= inward
		// See leaveOut: above its plane the triangle is nearest to what is over it, below it to
		// what is inward of the bisector as well.
		over &= inward&^convex | one(in >= float64(below*b*l))&convex
		within &= inward&^convex | one(float64((in+slack)*e.cos) >= -float64(above*e.sin*l))&convex
	}
	if over != 0 {
		p.stand = overFace
		j.ways = append(j.ways, way{n: p.n, depth: p.depth, part: p.index})
		return
	}
	round := j.whole.kind == KindRound
	if p.unsure = within != 0 && !round; lands != 0 {
		// Over an edge the support point alone would leave by less, but the shape need not.
		j.ways = append(j.ways, way{n: p.n, depth: p.depth, part: p.index})
	}
	for i := range edges {
		e := &edges[i]
		if !j.whole.isBox() && !(e.sin > 0) {
			continue
		}
		beyond := up.Mul(float64(e.cos*e.length)).AddMul(e.sin, e.out)
		if round {
			j.crossRound(f.c[i], p, e, up, beyond)
		} else if vertex := j.whole.vertexAlong(beyond.Neg(), &j.hint); one(e.sin > 0)&one(vertex != j.vertex) != 0 {
			p.split = true
			j.cross(f, p, i, e, up, beyond, vertex)
		}
	}
	if p.split && j.whole.hasFaces() {
		j.summit(f, p, &edges, up)
	}
}

// one returns 1 if a condition holds and 0 if not, without a branch.
func one(holds bool) (i int) {
	if holds {
		i = 1
	}
	return i
}

// vertexAlong returns the number of the support vertex.
func (s *Shape) vertexAlong(d geom.DVec3, hint *int) int {
	if s.isBox() {
		return signs(s.along(d))
	}
	_, vertex := s.extreme(d, hint)
	return vertex
}

// cross adds the ways out across a convex edge and the edges of the shape whose arcs, on the unit
// sphere of normals, may cross that from the normal of the triangle to that of the one beyond: to
// the other side of the great circle across the shape's edge.
func (j *Joiner) cross(f *face, p *part, i int, e *bent, up, beyond geom.DVec3, vertex int) {
	s := j.whole
	switch s.kind {
	case KindCapsule:
		j.crossEdge(f.c[i], p, e, up, s.p, s.e)
	case KindHull:
		j.takeArcs(s)
		for k := range j.arcs {
			a := &j.arcs[k]
			if x, y := a.e.Dot(up), a.e.Dot(beyond); float64(x*y) > 0 {
				continue
			}
			if x, y := a.a.Dot(e.along), a.b.Dot(e.along); float64(x*y) > 0 {
				continue
			}
			if n := a.e.Cross(e.along); float64(n.Dot(a.out)*n.Dot(up)) <= 0 {
				j.crossEdge(f.c[i], p, e, up, a.p, a.e)
			}
		}
	default:
		for axes := vertex ^ j.vertex; axes != 0; axes &= axes - 1 {
			axis := bits.TrailingZeros(uint(axes))
			d := s.axis(axis).Mul(2 * component(s.half, axis))
			n := d.Cross(e.along)
			at, v := s.support(negIf(n, one(n.Dot(up) > 0)), &j.hint)
			d = negIf(d, v>>axis&1)
			j.crossEdge(f.c[i], p, e, up, at, d)
		}
	}
}

// negIf returns the opposite of a vector if the number is 1, and the vector if it is 0.
func negIf(v geom.DVec3, opposite int) geom.DVec3 {
	sign := uint64(opposite) << 63
	return geom.DVec3{X: math.Float64frombits(math.Float64bits(v.X) ^ sign), Y: math.Float64frombits(math.Float64bits(v.Y) ^ sign), Z: math.Float64frombits(math.Float64bits(v.Z) ^ sign)}
}

// crossEdge adds the way out across a convex edge of a triangle, from a corner, and an edge d of
// the shape, from a point, if the surface has this direction, and they cross once the shape is
// moved.
func (j *Joiner) crossEdge(corner geom.DVec3, p *part, e *bent, up, at, d geom.DVec3) {
	across := d.Cross(e.along)
	nn, dd := across.Dot(across), d.Dot(d)
	if !(nn > float64(parallelAxes*parallelAxes*dd)*float64(e.length*e.length)) {
		p.unsure = true
		return
	}
	l := math.Sqrt(nn)
	n := across.Mul(1 / l)
	n = negIf(n, one(n.Dot(up) < 0))
	from := at.Sub(corner)
	depth := j.whole.radius - from.Dot(n)
	if one(depth < -j.margin)|one(e.out.Dot(n) < -float64(leaning*e.length))|one(!e.allows(n, n.Dot(up))) != 0 {
		return
	}
	// Where the lines are nearest to each other, in their lengths.
	x, y := -from.Cross(d).Dot(across)/nn, -from.Cross(e.along).Dot(across)/nn
	long := math.Sqrt(dd)
	off, rounding := max(max(-x, x-1)*e.length, max(-y, y-1)*long), float64(sameCoordinate*j.size)
	switch {
	case off <= rounding:
		j.take(p, n, depth, overEdge)
	case float64(off*l) <= 2*max(0, j.whole.radius-depth)*e.length*long:
		p.unsure = true // an end of one of them may be nearest
	}
}

// take adds a way out of a part.
func (j *Joiner) take(p *part, n geom.DVec3, depth float64, s stand) {
	if p.stand == wrong || depth > p.depth {
		p.n, p.depth, p.stand = n, depth, s
	}
	j.ways = append(j.ways, way{n: n, depth: depth, part: p.index})
}

// summit tries the normals of faces of the shape that touch a corner of the triangle.
func (j *Joiner) summit(f *face, p *part, edges *[3]bent, up geom.DVec3) {
	j.takeSides(j.whole)
	step := 1
	if j.whole.kind != KindHull { // faces come in pairs, of which one is opposite to the other
		step = 2
	}
	for i := 0; i < len(j.sides); i += step {
		k, high := i, j.sides[i].n.Dot(up)
		if step == 2 && high < 0 {
			k, high = i+1, -high
		}
		if high < tiltedFace {
			continue
		}
		n, reach := j.sides[k].n, j.sides[k].reach
		c, most := 0, f.c[0].Dot(n)
		for i := 1; i < 3; i++ {
			if d := f.c[i].Dot(n); d > most {
				c, most = i, d
			}
		}
		depth := most + reach
		if depth < -j.margin || !edges[c].allows(n, high) || !edges[(c+2)%3].allows(n, high) {
			continue
		}
		at := f.c[c].AddMul(-depth, n)
		if !slices.ContainsFunc(j.sides, func(o way) bool { return -o.n.Dot(at) > o.reach+float64(sameCoordinate*j.size) }) {
			j.tries = append(j.tries, way{n: n, depth: depth, reach: reach, part: p.index})
		}
	}
}

// takeSides takes the faces of the shape for those across which ways out are tried.
func (j *Joiner) takeSides(s *Shape) {
	if len(j.sides) > 0 {
		return
	}
	if s.isBox() {
		for i, n := range [3]geom.DVec3{s.u, s.v, s.w} { // as Shape.face has them
			h, at := float64(n.Dot(*s.axis(i))*component(s.half, i)), n.Dot(s.p)
			j.sides = append(j.sides, way{n: n, reach: h - at}, way{n: n.Neg(), reach: h + at})
		}
		return
	}
	for i := range s.numFaces() { // a hull's vertices lie in its planes only to single precision
		n, _ := s.face(i)
		j.sides = append(j.sides, way{n: n.Neg(), reach: j.against(n.Neg())})
	}
}

// takeArcs takes its edges. Those of a hull have the normals that takeSides has found.
func (j *Joiner) takeArcs(s *Shape) {
	if len(j.arcs) > 0 {
		return
	}
	if s.kind == KindHull {
		j.takeSides(s)
		edges := s.hull.Edges()
		j.arcs = slices.Grow(j.arcs, len(edges))[:len(edges)]
		for i := range edges {
			e := &edges[i]
			s.setHullArc(&j.arcs[i], i, j.sides[e.Left].n.Neg(), j.sides[e.Right].n.Neg())
		}
		return
	}
	for i := range s.numArcs() {
		j.arcs = append(j.arcs, s.arc(i))
	}
}

// JoinShallow appends the manifolds of the shape with the triangles that were added, and returns
// the longer slice. It returns false if [Joiner.Join] has to decide: the shape overlaps a triangle
// from which no way out that was found separates it, or which it may leave over an open edge.
func (j *Joiner) JoinShallow(dst []MeshManifold) ([]MeshManifold, bool) {
	j.setRounding()
	least := math.Inf(1)
	for i := range j.ways {
		least = min(least, j.ways[i].depth)
	}
	for i := range j.tries {
		w := &j.tries[i]
		p := &j.parts[w.part]
		if j.of[0].partial = false; j.of[0].hasWay(p.a, w.n, j.extent) {
			j.take(p, w.n, w.depth, overCorner)
		} else if j.of[0].partial && w.depth < least-j.rounding {
			return dst, false
		}
	}
	none := len(j.ways) == 0 // what does not overlap may be nearest where no two edges cross
	for i := range j.parts {
		if p := &j.parts[i]; (p.unsure || none && p.split) && p.stand == wrong {
			if j.compare(p); p.stand != wrong {
				j.ways = append(j.ways, way{n: p.n, depth: p.depth, part: p.index})
			}
		}
	}
	// What a shallower way out parts needs no other.
	slices.SortFunc(j.ways, func(a, b way) int { return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.part, b.part)) })
	all := j.ways
	j.ways = j.ways[:0]
	for _, w := range all {
		if w.reach = j.against(w.n); !j.isSeparatedByAny(&j.parts[w.part]) {
			j.ways = append(j.ways, w)
		}
	}
	j.gather()
	for i := range j.ways {
		if w := &j.ways[i]; w.depth > j.rounding && !j.crosses(w) {
			return dst, false
		}
	}
	for i := range j.parts {
		p := &j.parts[i]
		if p.stand == wrong && (p.depth >= 0 || j.goesOn(p)) && !j.isSeparatedByAny(p) && (p.depth < 0 || !j.isLeft(p, j.ways)) {
			return dst, false
		}
	}
	if j.alone = 0; len(j.ways) > 0 {
		j.alone = j.ways[0].depth
	}
	if j.alone > j.inward {
		return dst, false
	}
	if j.steep {
		j.lookBeside()
	}
	return j.manifolds(dst), true
}

// goesOn reports whether a triangle may have no way out only because of rounding, as the surface
// goes on flat in another triangle. Of an edge of the shape along both, rounding may choose as the
// support point for each triangle the end that is over the other one. If both have the same support
// point, it is over neither.
func (j *Joiner) goesOn(p *part) bool {
	for i := range j.parts {
		if q := &j.parts[i]; math.Abs(q.depth-p.depth) <= j.rounding && q.low != p.low && q.stand == wrong && q.n.Dot(p.n) >= sameNormal {
			return true
		}
	}
	return false
}

// crosses reports whether the shape overlaps the triangle of a way out. If it does not, the part of
// it below the triangle's plane is beside the triangle. Mostly the line from the support point to
// the middle of the shape shows an overlap.
func (j *Joiner) crosses(w *way) bool {
	p := &j.parts[w.part]
	f := &j.of[0].faces[p.a]
	low, middle := j.whole.lowest(w.n), j.of[0].middle
	x, y := low.Sub(f.c[0]).Dot(f.u), middle.Sub(f.c[0]).Dot(f.u)
	if float64(x*y) < 0 {
		at, in := low.AddMul(x/(x-y), middle.Sub(low)), true
		for i, c := range f.c {
			in = in && f.c[(i+1)%3].Sub(c).Cross(f.u).Dot(at.Sub(c)) <= 0
		}
		if in {
			return true
		}
	}
	return !j.isLeft(p, nil)
}

// isLeft reports whether the shape, moved along one of some ways out, overlaps a triangle no more,
// or whether it does not overlap it at all.
func (j *Joiner) isLeft(p *part, ways []way) bool {
	if s, f := j.whole, &j.of[0].faces[p.a]; s.isBox() {
		if s.gap(&f.c, s.p) >= -j.rounding {
			return true
		}
		for i := range ways {
			if w := &ways[i]; s.gap(&f.c, s.p.AddMul(w.depth, w.n)) >= -j.rounding {
				return true
			}
		}
	}
	// Half the rounding leaves the other half to isClear, so that both agree.
	if p.stand == wrong && areSeparated(p.depth, p.n, ways, j.rounding/2) {
		return true
	}
	if j.whole.kind == KindHull && j.isSeparatedByFace(p, ways) {
		return true
	}
	if !j.isPierced(p) && j.isClear(p, j.whole) {
		return true
	}
	for i := range ways {
		if s := j.whole.Moved(ways[i].n.Mul(ways[i].depth)); j.isClear(p, &s) {
			return true
		}
	}
	return false
}

// isSeparatedByFace is true only for a triangle that a hull, moved along one of some ways out or
// not at all, does not overlap: a face of it, or the triangle itself, separates them. Deciding by
// half the rounding leaves the other half to isClear, so that both agree.
func (j *Joiner) isSeparatedByFace(p *part, ways []way) bool {
	j.takeSides(j.whole)
	f := &j.of[0].faces[p.a]
	for k := range j.sides {
		s := &j.sides[k]
		if areSeparated(f.reach(s.n)+s.reach, s.n, ways, j.rounding/2) {
			return true
		}
	}
	up := f.u.Mul(float64(f.side))
	return !f.thin && areSeparated(j.over(p, up, j.against(up)), up, ways, j.rounding/2)
}

// areSeparated reports whether shapes that are deep in each other by a depth along a direction,
// which may be negative, are so by no more than a slack once one of them is moved, or as they are.
func areSeparated(depth float64, n geom.DVec3, ways []way, slack float64) bool {
	if depth <= slack {
		return true
	}
	for i := range ways {
		if depth-float64(ways[i].depth*ways[i].n.Dot(n)) <= slack {
			return true
		}
	}
	return false
}

// isPierced is true only for a triangle that overlaps a box or a hull: its point nearest to the
// middle is further inward of all faces than the rounding. Of a hull, takeSides has been called.
func (j *Joiner) isPierced(p *part) bool {
	s := j.whole
	if s.kind != KindHull && !s.isBox() {
		return false
	}
	c := &j.of[0].faces[p.a].c
	at := onTriangle(j.of[0].middle, c[0], c[1], c[2])
	if s.isBox() {
		at = s.along(at.Sub(s.p))
		return s.inward(&at) > 2*j.rounding
	}
	for k := range j.sides {
		if s := &j.sides[k]; !(at.Dot(s.n)+s.reach > 2*j.rounding) {
			return false
		}
	}
	return true
}

// isClear reports whether a shape does not overlap a triangle.
func (j *Joiner) isClear(p *part, s *Shape) bool {
	t := &j.two[0]
	j.of[0].faces[p.a].shape(t)
	var r relation
	a, b, _ := inOrder(t, s)
	if s.kind == KindRound && isDeeper(a, b, j.rounding) {
		return false
	}
	return !relate(&r, a, b, 0, askContacts) || r.dist >= -j.rounding
}

// compare finds the way out of a triangle alone, and whether it is one of the surface.
func (j *Joiner) compare(p *part) {
	t := &j.two[0]
	f := &j.of[0].faces[p.a]
	f.shape(t)
	q, ok := j.relate(&f.edges, t, j.whole, j.margin)
	if !ok {
		p.depth = math.Inf(-1)
		return
	}
	p.n, p.depth, p.stand, p.at, p.from, p.to = q.n, q.depth, q.stand, q.at, q.from, q.to
	if !j.isWayOut(p) {
		p.stand = wrong
	}
}

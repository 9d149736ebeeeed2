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

// MeshManifold is the contact manifold of a shape with the triangles of a mesh that face the same
// way. It is a [Manifold] from the mesh to the shape, with the triangle of each contact. The first
// contact is the deepest, or less deep than that by no more than 10⁻⁴ of the extent of the
// contacts.
type MeshManifold struct {
	Normal geom.DVec3
	Points [maxContacts]MeshContact
	N      int
}

// Joiner reduces the many manifolds that a shape has with the triangles of a mesh to few.
//
// Triangles whose normals agree within 1° share one manifold, whose normal is that of the deepest.
// A place that several of them touch, as on an edge they share, counts once, with the lowest
// triangle. Four of the contacts are kept: one of the deepest, the one furthest from it, the one
// that makes the largest triangle with these, and the one furthest outside of that triangle. Depths
// within 10⁻⁴ of the extent of the contacts are the same, so that a box on a floor has its corners
// for contacts, whatever the triangles of the floor. Bullet's btPersistentManifold and Jolt's
// manifold reduction do the like.
//
// A contact of a triangle along another direction than its normal is dropped if a triangle that is
// touched along its own normal, at least as deep, holds the shape off: the contact's place is on
// that triangle, or on its plane. That removes the ghost contacts of neighbours that share only a
// part of an edge, which [Edges] cannot relate. Terdiman ("Contact generation for meshes", 2013)
// voids the vertices of triangles in that way; here it is places.
//
// If the edges of a mesh allow no direction along which a shape touches, as deep in a ridge from
// both sides, one contact is kept: shapes that overlap are in contact.
//
// The answer does not depend on the order in which triangles are added, as long as each is added
// once. Of more than [MaxNormals] normals the shallowest are dropped. The zero Joiner is ready for
// use; used again, it allocates nothing once it has grown.
type Joiner struct {
	parts    []part
	contacts []ContactPoint // of all parts
	order    []int32        // of parts, the deepest first
	faces    []int32        // parts along their own normals, by their least x
	points   []MeshContact  // of the manifold that is being made
	same     float64        // in metres: places no further apart are one
	one      Finder         // of the triangle that is being added
	lones    int            // number of lone parts
	last     lost           // the contact if there is no other
}

// part is the contacts of one triangle: a range of the contacts of all.
type part struct {
	normal   geom.DVec3
	from, to int32
	triangle int32
	group    int32 // −1: none
	face     bool  // along the triangle's own normal
	lone     bool  // at a corner, along the direction that the triangle has alone
	deepest  float64
	forced   forced
	a, b, c  geom.DVec3
}

// lost is a contact of a triangle that is touched along no direction that its edges allow.
type lost struct {
	MeshContact
	normal geom.DVec3
	forced bool // along the direction that they force
}

// Reset drops all triangles and keeps the memory.
func (j *Joiner) Reset() {
	j.parts, j.contacts, j.lones = j.parts[:0], j.contacts[:0], 0
	j.last.Depth = math.Inf(-1)
}

// Collide adds the contacts of a triangle, whose number in the mesh is given, with a shape, for a
// margin in metres. They are those along the directions that the edges allow, before they are
// reduced to four. There may be none.
func (j *Joiner) Collide(triangle int32, e *Edges, t, s *Shape, margin float64) {
	f := &j.one
	was, touched := e.collide(f, t, s, margin)
	if !touched {
		return
	}
	from, lone := len(j.contacts), false
	switch {
	case f.N == 0:
		at, k := t.support(was.normal, new(int))
		c := ContactPoint{PointA: at, PointB: at.AddMul(-was.depth, was.normal), Depth: was.depth}
		j.lose(triangle, s, &c, was.normal, k, false)
		if lone = was.lean == overCorner && was.normal.Dot(was.to) < sameNormal; lone {
			f.Normal, was.depth = was.normal, math.Inf(-1)
			j.contacts = append(j.contacts, c)
			j.lones++
		}
		at, k = t.support(was.to, new(int))
		p, _ := s.support(was.to.Neg(), new(int))
		p = p.AddMul(-s.radius, was.to)
		c = ContactPoint{PointB: p, Depth: at.Sub(p).Dot(was.to)}
		if c.PointA = p.AddMul(c.Depth, was.to); c.Depth >= -margin {
			j.lose(triangle, s, &c, was.to, k, true)
		}
	case f.N < maxContacts || !j.addAll(t, s, margin):
		j.contacts = append(j.contacts, f.Contacts()...)
	}
	j.add(triangle, t, f.Normal, from, was) // also without contacts, for isSummit
	j.parts[len(j.parts)-1].lone = lone
}

// lose completes a contact at a corner of a triangle, and keeps it as the last if it is the
// shallowest along a forced direction, which moves the shape out of a bulge, or else the deepest
// along any.
func (j *Joiner) lose(triangle int32, s *Shape, c *ContactPoint, n geom.DVec3, corner int, forced bool) {
	c.FeatureA, c.FeatureB = vertexKind|Feature(corner), s.featureAlong(n.Neg())
	l := &j.last
	better := forced != l.forced && forced
	if forced == l.forced {
		better = c.Depth > l.Depth != forced || c.Depth == l.Depth && triangle < l.Triangle
	}
	if better || l.Depth == math.Inf(-1) {
		*l = lost{MeshContact{*c, triangle}, n, forced}
	}
}

// addAll adds all contacts of two faces. Only four of them may lack a corner of the shape that no
// other triangle touches. It returns false if two faces do not touch.
func (j *Joiner) addAll(t, s *Shape, margin float64) bool {
	f := &j.one
	pt, ps := &f.patchA, &f.patchB
	t.patch(f.Normal, pt)
	s.patch(f.Normal.Neg(), ps)
	ref, inc, slack := pt, ps, float64(touching*t.size)
	exchanged := pt.align < faceOn || pt.align < ps.align-facePreferred
	if exchanged {
		ref, inc, slack = ps, pt, float64(touching*s.size)
	}
	if ref.align < faceOn || inc.n <= 2 {
		return false
	}
	spots := f.clip(ref, inc, margin, slack, exchanged)
	for i := range spots {
		j.contacts = append(j.contacts, ContactPoint{})
		spots[i].write(&j.contacts[len(j.contacts)-1], f.Normal, exchanged)
	}
	return len(spots) > 0
}

// add adds a triangle whose contacts are those from an index on.
func (j *Joiner) add(triangle int32, t *Shape, normal geom.DVec3, from int, f forced) {
	c := t.triangle()
	p := part{normal: normal, forced: f, from: int32(from), to: int32(len(j.contacts)), triangle: triangle, a: c[0], b: c[1], c: c[2]}
	p.face = math.Abs(t.u.Dot(normal)) >= sameNormal && !t.IsThin()
	p.deepest = math.Inf(-1)
	for _, c := range j.of(&p) {
		p.deepest = max(p.deepest, c.Depth)
	}
	j.parts = append(j.parts, p)
}

func (j *Joiner) of(p *part) []ContactPoint { return j.contacts[p.from:p.to] }

// Join appends the manifolds of what was added since [Joiner.Reset] to dst, the deepest first, and
// returns the longer slice.
func (j *Joiner) Join(dst []MeshManifold) []MeshManifold {
	if len(j.contacts) == 1 && j.lones == 0 {
		i := 0
		for j.parts[i].from == j.parts[i].to {
			i++
		}
		p := &j.parts[i]
		return append(dst, MeshManifold{Normal: p.normal, N: 1, Points: [maxContacts]MeshContact{{j.contacts[0], p.triangle}}})
	}
	j.order = j.order[:0]
	for i := range j.parts {
		j.order = append(j.order, int32(i))
	}
	slices.SortFunc(j.order, func(a, b int32) int {
		p, q := &j.parts[a], &j.parts[b]
		return cmp.Or(cmp.Compare(q.deepest, p.deepest), cmp.Compare(p.triangle, q.triangle))
	})
	j.measure()
	j.dropLone()
	j.dropCovered()
	j.dropForced()

	var normals [MaxNormals]geom.DVec3
	n := 0
	for _, i := range j.order {
		p := &j.parts[i]
		if p.group = -1; p.from == p.to {
			continue
		}
		for k := range n {
			if normals[k].Dot(p.normal) >= sameNormal {
				p.group = int32(k)
				break
			}
		}
		if p.group < 0 && n < MaxNormals {
			normals[n], p.group = p.normal, int32(n)
			n++
		}
	}
	if n == 0 && j.last.Depth > math.Inf(-1) {
		return append(dst, MeshManifold{Normal: j.last.normal, N: 1, Points: [maxContacts]MeshContact{j.last.MeshContact}})
	}
	for k := range n {
		dst = append(dst, MeshManifold{Normal: normals[k]})
		j.reduce(&dst[len(dst)-1], int32(k))
	}
	return dst
}

// measure sets the distance up to which places are the same.
func (j *Joiner) measure() {
	inf := math.Inf(1)
	lo, hi, size := geom.DVec3{X: inf, Y: inf, Z: inf}, geom.DVec3{X: -inf, Y: -inf, Z: -inf}, 0.0
	for i := range j.contacts {
		p := j.contacts[i].PointA
		lo = geom.DVec3{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = geom.DVec3{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
		size = max(size, big(p))
	}
	j.same = float64(sameCoordinate*size) + float64(samePlace*big(hi.Sub(lo)))
}

// dropLone decides on contacts at the corners of triangles. Each edge of a triangle limits how far
// a normal may lean, but at a corner the surface may allow more: at a cube's corner, which six
// triangles share, none of them allows the cube's diagonal, and none is touched along a direction
// that it allows. The contact that a triangle has alone is right there if no triangle at the corner
// rises above the plane across the normal, and is dropped otherwise. It is right at the point of a
// mesh that is nearest to a shape.
func (j *Joiner) dropLone() {
	if j.lones == 0 {
		return
	}
	for i := range j.parts {
		if p := &j.parts[i]; p.lone && !j.isSummit(p) {
			p.to = p.from
		}
	}
}

// isSummit reports whether no triangle at the support corner of a part along its normal rises above
// the plane there.
func (j *Joiner) isSummit(p *part) bool {
	at := p.a
	for _, c := range [2]geom.DVec3{p.b, p.c} {
		if c.Sub(at).Dot(p.normal) > 0 {
			at = c
		}
	}
	for i := range j.parts {
		q := &j.parts[i]
		if !q.mayHold(at, j.same) || onTriangle(at, q.a, q.b, q.c).Sub(at).Len() > j.same {
			continue
		}
		for _, c := range [3]geom.DVec3{q.a, q.b, q.c} {
			if d := c.Sub(at); d.Dot(p.normal) > float64(rising*d.Len())+j.same {
				return false
			}
		}
	}
	return true
}

// mayHold reports whether a place is in the bounds of a triangle, grown by the slack.
func (p *part) mayHold(at geom.DVec3, slack float64) bool {
	within := func(x, a, b, c float64) bool { return x >= min(a, b, c)-slack && x <= max(a, b, c)+slack }
	return within(at.X, p.a.X, p.b.X, p.c.X) && within(at.Y, p.a.Y, p.b.Y, p.c.Y) && within(at.Z, p.a.Z, p.b.Z, p.c.Z)
}

// dropForced drops contacts along a direction forced by edges, if no other triangle has that
// direction unforced and another triangle holds the shape off as this one would alone. Otherwise a
// crate under the lower end of a wall, with its centre behind the wall, would touch the wall's
// lower corners and be pushed out through the wall.
func (j *Joiner) dropForced() {
	for i := range j.parts {
		p := &j.parts[i]
		if p.forced.depth == math.Inf(-1) {
			continue
		}
		confirmed, held := false, false
		for k := range j.parts {
			q := &j.parts[k]
			if q.from == q.to || q.forced.depth != math.Inf(-1) {
				continue
			}
			c := q.normal.Dot(p.forced.normal)
			confirmed = confirmed || q.normal.Dot(p.normal) >= sameNormal
			held = held || c >= agreeing && q.deepest >= float64(p.forced.depth*c)-j.same
		}
		if held && !confirmed {
			p.to = p.from
		}
	}
}

// dropCovered drops contacts that are not along their triangle's normal, if triangles that are
// touched along their own normals hold the shape off there.
func (j *Joiner) dropCovered() {
	j.faces = j.faces[:0]
	var planes [maxPlanes]*part
	n, widest := 0, 0.0
	for _, i := range j.order {
		p := &j.parts[i]
		if !p.face {
			continue
		}
		j.faces = append(j.faces, i)
		widest = max(widest, max(p.a.X, p.b.X, p.c.X)-p.least())
		known := func(q *part) bool {
			return q.normal.Dot(p.normal) > samePlane && math.Abs(p.a.Sub(q.a).Dot(q.normal)) <= j.same
		}
		if n < maxPlanes && !slices.ContainsFunc(planes[:n], known) {
			planes[n] = p
			n++
		}
	}
	if len(j.faces) == 0 || len(j.faces) == len(j.parts) {
		return
	}
	slices.SortFunc(j.faces, func(a, b int32) int { return cmp.Compare(j.parts[a].least(), j.parts[b].least()) })
	for i := range j.parts {
		p := &j.parts[i]
		if p.face {
			continue
		}
		k := p.from
		for _, c := range j.of(p) {
			onPlane := func(q *part) bool {
				return math.Abs(c.PointA.Sub(q.a).Dot(q.normal)) <= j.same && j.holds(q, p.normal, c.Depth)
			}
			if !slices.ContainsFunc(planes[:n], onPlane) && !j.onFace(c.PointA, p.normal, c.Depth, widest) {
				j.contacts[k] = c
				k++
			}
		}
		p.to = k
	}
}

// holds reports whether the contacts of a triangle along its own normal hold off a contact of a
// depth along another direction.
func (j *Joiner) holds(p *part, normal geom.DVec3, depth float64) bool {
	c := p.normal.Dot(normal)
	return c > opposing && p.deepest >= float64(depth*c)-j.same
}

// least returns where the triangle begins along x.
func (p *part) least() float64 { return min(p.a.X, p.b.X, p.c.X) }

// onFace reports whether a place lies on a triangle that holds the shape off.
func (j *Joiner) onFace(at, normal geom.DVec3, depth, widest float64) bool {
	end, _ := slices.BinarySearchFunc(j.faces, at.X+j.same, func(i int32, x float64) int {
		if j.parts[i].least() <= x {
			return -1
		}
		return 1
	})
	for k := end - 1; k >= 0; k-- {
		p := &j.parts[j.faces[k]]
		if p.least() < at.X-j.same-widest {
			break
		}
		if j.holds(p, normal, depth) && onTriangle(at, p.a, p.b, p.c).Sub(at).Len() <= j.same {
			return true
		}
	}
	return false
}

// reduce writes the contacts of a group.
func (j *Joiner) reduce(m *MeshManifold, group int32) {
	n := m.Normal
	j.points = j.points[:0]
	deepest := math.Inf(-1)
	for _, i := range j.order {
		p := &j.parts[i]
		if p.group != group {
			continue
		}
		for _, c := range j.of(p) {
			deepest = max(deepest, c.Depth)
			j.points = append(j.points, MeshContact{c, p.triangle})
		}
	}
	// Of all the deepest, the one furthest from a point beside their middle: a corner, and mostly
	// the same one from tick to tick.
	d := across(n)
	e := n.Cross(d)
	inf := math.Inf(1)
	lo, hi := [2]float64{inf, inf}, [2]float64{-inf, -inf}
	deep := func(k *MeshContact) bool { return k.Depth >= deepest-j.same }
	for i := range j.points {
		if k := &j.points[i]; deep(k) {
			x, y := k.PointB.Dot(d), k.PointB.Dot(e)
			lo, hi = [2]float64{min(lo[0], x), min(lo[1], y)}, [2]float64{max(hi[0], x), max(hi[1], y)}
		}
	}
	x, y := lo[0]+float64(0.4*(hi[0]-lo[0])), lo[1]+float64(0.3*(hi[1]-lo[1]))
	first, most := 0, -1.0
	for i := range j.points {
		if k := &j.points[i]; deep(k) {
			u, v := k.PointB.Dot(d)-x, k.PointB.Dot(e)-y
			if l := float64(u*u) + float64(v*v); l > most {
				first, most = i, l
			}
		}
	}
	j.keep(m, first)
	o := m.Points[0].PointB

	second := -1
	most = j.same
	for i := range j.points {
		if l := flat(j.points[i].PointB.Sub(o), n).Len(); l > most {
			second, most = i, l
		}
	}
	if second < 0 {
		return
	}
	p := j.points[second].PointB
	third := -1
	most = float64(j.same * most)
	for i := range j.points {
		if a := math.Abs(turn(o, p, j.points[i].PointB, n)); a > most {
			third, most = i, a
		}
	}
	j.keep(m, second)
	if third < 0 {
		return
	}
	q := j.points[third].PointB
	j.keep(m, third)
	if turn(o, p, q, n) < 0 {
		p, q = q, p
	}
	fourth := -1
	most = float64(j.same * flat(p.Sub(o), n).Len())
	for i := range j.points {
		r := j.points[i].PointB
		if a := max(-turn(o, p, r, n), -turn(p, q, r, n), -turn(q, o, r, n)); a > most {
			fourth, most = i, a
		}
	}
	if fourth >= 0 {
		j.keep(m, fourth)
	}
}

// flat returns the component of v across n.
func flat(v, n geom.DVec3) geom.DVec3 { return v.AddMul(-v.Dot(n), n) }

// turn returns twice the signed area of a triangle seen against n; it is negative if it is
// clockwise.
func turn(a, b, c, n geom.DVec3) float64 { return n.Dot(b.Sub(a).Cross(c.Sub(a))) }

// keep adds a contact to a manifold, along the manifold's normal. Of the contacts at the same place
// it takes the first in order, so that rounding does not choose.
func (j *Joiner) keep(m *MeshManifold, i int) {
	at := &j.points[i]
	best := at
	for k := range j.points {
		c := &j.points[k]
		if math.Abs(c.Depth-at.Depth) <= j.same && c.PointB.Sub(at.PointB).Len() <= j.same && c.before(best) {
			best = c
		}
	}
	m.Points[m.N] = *best
	c := &m.Points[m.N]
	c.PointA = c.PointB.AddMul(c.Depth, m.Normal)
	m.N++
}

// before is the order of contacts at the same place: vertices of the shape before edges before
// faces, then by triangle, and faces of it before edges.
func (c *MeshContact) before(d *MeshContact) bool {
	return cmp.Or(cmp.Compare(c.FeatureB>>featureBits, d.FeatureB>>featureBits), cmp.Compare(c.Triangle, d.Triangle), cmp.Compare(d.FeatureA, c.FeatureA), cmp.Compare(c.FeatureB, d.FeatureB)) < 0
}

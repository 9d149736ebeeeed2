package narrow

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Joint is a contact with a triangle of a mesh.
type Joint struct {
	Contact
	Triangle int32
}

// Joined is where a shape touches the triangles of a mesh that face the same way: a [Manifold] from
// the mesh to the shape, whose contacts tell their triangles. The first contact is the deepest, but
// for rounding.
type Joined struct {
	Normal geom.DVec3
	Points [maxContacts]Joint
	N      int
}

// Joiner makes few manifolds of the many that a shape has with the triangles of a mesh.
//
// Triangles whose normals agree within 1° share one manifold, whose normal is that of the deepest.
// A place that several of them touch, as on an edge they share, counts once, with the lowest
// triangle. Of the contacts four are kept: one that is deepest, the one furthest from it, the one
// that makes the largest triangle with these, and the one furthest outside of that triangle. Depths
// that differ by rounding are the same, so that a box on a floor has its corners for contacts,
// whatever the triangles of the floor. Bullet's btPersistentManifold and Jolt's manifold reduction
// keep the like.
//
// A contact of a triangle along another direction than its normal is dropped where the shape is
// already held off: where its place is on another triangle that is touched along its own normal, or
// on the plane of one, and at least as deep. That does away with the ghosts where neighbours don't
// have whole edges in common, so that [Edges] know nothing of each other. Terdiman ("Contact
// generation for meshes", 2013) voids the vertices of triangles so; here it is places.
//
// Where edges leave a shape no direction at all along which it touches, as if it is deep in a ridge
// from both sides, there is one contact all the same: what overlaps is in contact.
//
// The answer does not depend on the order in which triangles are added, as long as each is added
// once. Of more than [MaxNormals] normals the shallowest are dropped. The zero Joiner is ready for
// use; used again, it allocates nothing once it has grown.
type Joiner struct {
	parts    []part
	contacts []Contact // of all parts
	order    []int32   // of parts, the deepest first
	faces    []int32   // parts along their own normals, by their least x
	joints   []Joint   // of the manifold that is being made
	same     float64   // places no further apart are one
	one      Finder    // of the triangle that is being added
	lones    int       // how many parts are lone
	last     lost      // what is left if there are no contacts at all
}

// part is what one triangle gives: contacts from one to another.
type part struct {
	normal   geom.DVec3
	from, to int32
	triangle int32
	group    int32 // −1: none
	face     bool  // along the triangle's own normal
	lone     bool  // at a corner, as the triangle would have it alone
	deepest  float64
	forced   forced // what its edges forced it off
	a, b, c  geom.DVec3
}

// lost is a contact of a triangle that is touched, and not along any direction that its edges
// allow.
type lost struct {
	Joint
	normal geom.DVec3
	forced bool // along the direction that they force
}

// Reset forgets all triangles.
func (j *Joiner) Reset() {
	j.parts, j.contacts, j.lones = j.parts[:0], j.contacts[:0], 0
	j.last.Depth = math.Inf(-1)
}

// Collide adds the contacts of a triangle, whose number in the mesh is given, with a shape: those
// of [Edges.Collide], and where they are four, all of which these were chosen. There may be none.
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
		c := Contact{PointA: at, PointB: at.AddMul(-was.depth, was.normal), Depth: was.depth}
		j.lose(triangle, s, &c, was.normal, k, false)
		if lone = was.lean == overCorner && was.normal.Dot(was.to) < sameNormal; lone {
			f.Normal, was.depth = was.normal, math.Inf(-1)
			j.contacts = append(j.contacts, c)
			j.lones++
		}
		at, k = t.support(was.to, new(int))
		p, _ := s.support(was.to.Neg(), new(int))
		p = p.AddMul(-s.radius, was.to)
		c = Contact{PointB: p, Depth: at.Sub(p).Dot(was.to)}
		if c.PointA = p.AddMul(c.Depth, was.to); c.Depth >= -margin {
			j.lose(triangle, s, &c, was.to, k, true)
		}
	case f.N < maxContacts || !j.addAll(t, s, margin):
		j.contacts = append(j.contacts, f.Contacts()...)
	}
	j.add(triangle, t, f.Normal, from, was) // also without contacts, for isSummit
	j.parts[len(j.parts)-1].lone = lone
}

// lose completes a contact that is at a corner of a triangle, and keeps it as the last if it is the
// shallowest along a forced direction, which takes the shape out of what bulges there, or else the
// deepest along any.
func (j *Joiner) lose(triangle int32, s *Shape, c *Contact, n geom.DVec3, corner int, forced bool) {
	c.FeatureA, c.FeatureB = vertexKind|Feature(corner), s.featureAlong(n.Neg())
	l := &j.last
	better := forced != l.forced && forced
	if forced == l.forced {
		better = c.Depth > l.Depth != forced || c.Depth == l.Depth && triangle < l.Triangle
	}
	if better || l.Depth == math.Inf(-1) {
		*l = lost{Joint{*c, triangle}, n, forced}
	}
}

// addAll adds all contacts of two faces. Four of them may leave out a corner of the shape which no
// other triangle has.
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
		j.contacts = append(j.contacts, Contact{})
		spots[i].write(&j.contacts[len(j.contacts)-1], f.Normal, exchanged)
	}
	return len(spots) > 0
}

// add adds a triangle that has the contacts from a place on.
func (j *Joiner) add(triangle int32, t *Shape, normal geom.DVec3, from int, f forced) {
	p := part{normal: normal, forced: f, from: int32(from), to: int32(len(j.contacts)), triangle: triangle, a: t.p, b: t.q, c: t.x}
	p.face = math.Abs(t.u.Dot(normal)) >= sameNormal && !t.IsThin()
	p.deepest = math.Inf(-1)
	for _, c := range j.of(&p) {
		p.deepest = max(p.deepest, c.Depth)
	}
	j.parts = append(j.parts, p)
}

func (j *Joiner) of(p *part) []Contact { return j.contacts[p.from:p.to] }

// Join appends the manifolds of what was added since [Joiner.Reset] to dst, the deepest first, and
// returns the longer slice.
func (j *Joiner) Join(dst []Joined) []Joined {
	if len(j.contacts) == 1 && j.lones == 0 {
		i := 0
		for j.parts[i].from == j.parts[i].to {
			i++
		}
		p := &j.parts[i]
		return append(dst, Joined{Normal: p.normal, N: 1, Points: [maxContacts]Joint{{j.contacts[0], p.triangle}}})
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
		return append(dst, Joined{Normal: j.last.normal, N: 1, Points: [maxContacts]Joint{j.last.Joint}})
	}
	for k := range n {
		dst = append(dst, Joined{Normal: normals[k]})
		j.reduce(&dst[len(dst)-1], int32(k))
	}
	return dst
}

// measure tells up to which distance places are the same.
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

// dropLone decides at the corners of triangles. A triangle knows how far each of its edges lets a
// normal lean, and at a corner the surface may let it lean further: on a cube's corner that six
// triangles share none of them allows the cube's diagonal, and none is touched along what they
// allow. What a triangle has alone there is right if no triangle at that corner rises above the
// plane across the normal; all else is dropped. Of the place of a mesh that is nearest to a shape,
// it is right.
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

// isSummit reports whether no triangle at the corner with which one reaches furthest along its
// normal rises above the plane there.
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

// mayHold reports whether a place is in the bounds of a triangle, grown by a little.
func (p *part) mayHold(at geom.DVec3, slack float64) bool {
	within := func(x, a, b, c float64) bool { return x >= min(a, b, c)-slack && x <= max(a, b, c)+slack }
	return within(at.X, p.a.X, p.b.X, p.c.X) && within(at.Y, p.a.Y, p.b.Y, p.c.Y) && within(at.Z, p.a.Z, p.b.Z, p.c.Z)
}

// dropForced drops what a triangle was forced to, along a direction that no other triangle has of
// its own accord, where another one holds the shape off as the triangle alone would have. A crate
// under a wall that stands on nothing touches the wall's lower corners, and with its middle behind
// the wall it would be pushed out through it.
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

// dropCovered drops the contacts that are not along their triangle's normal where the shape is held
// off by triangles that are touched along theirs.
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

// holds reports whether what a triangle gives along its own normal does for a contact along another
// direction.
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
func (j *Joiner) reduce(m *Joined, group int32) {
	n := m.Normal
	j.joints = j.joints[:0]
	deepest := math.Inf(-1)
	for _, i := range j.order {
		p := &j.parts[i]
		if p.group != group {
			continue
		}
		for _, c := range j.of(p) {
			deepest = max(deepest, c.Depth)
			j.joints = append(j.joints, Joint{c, p.triangle})
		}
	}
	// Of all that are as deep, the one furthest from a point beside their middle: a corner, and
	// mostly the same one from tick to tick.
	d := across(n)
	e := n.Cross(d)
	inf := math.Inf(1)
	lo, hi := [2]float64{inf, inf}, [2]float64{-inf, -inf}
	deep := func(k *Joint) bool { return k.Depth >= deepest-j.same }
	for i := range j.joints {
		if k := &j.joints[i]; deep(k) {
			x, y := k.PointB.Dot(d), k.PointB.Dot(e)
			lo, hi = [2]float64{min(lo[0], x), min(lo[1], y)}, [2]float64{max(hi[0], x), max(hi[1], y)}
		}
	}
	x, y := lo[0]+float64(0.4*(hi[0]-lo[0])), lo[1]+float64(0.3*(hi[1]-lo[1]))
	first, most := 0, -1.0
	for i := range j.joints {
		if k := &j.joints[i]; deep(k) {
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
	for i := range j.joints {
		if l := flat(j.joints[i].PointB.Sub(o), n).Len(); l > most {
			second, most = i, l
		}
	}
	if second < 0 {
		return
	}
	p := j.joints[second].PointB
	third := -1
	most = float64(j.same * most)
	for i := range j.joints {
		if a := math.Abs(turn(o, p, j.joints[i].PointB, n)); a > most {
			third, most = i, a
		}
	}
	j.keep(m, second)
	if third < 0 {
		return
	}
	q := j.joints[third].PointB
	j.keep(m, third)
	if turn(o, p, q, n) < 0 {
		p, q = q, p
	}
	fourth := -1
	most = float64(j.same * flat(p.Sub(o), n).Len())
	for i := range j.joints {
		r := j.joints[i].PointB
		if a := max(-turn(o, p, r, n), -turn(p, q, r, n), -turn(q, o, r, n)); a > most {
			fourth, most = i, a
		}
	}
	if fourth >= 0 {
		j.keep(m, fourth)
	}
}

// flat returns the part of v across n.
func flat(v, n geom.DVec3) geom.DVec3 { return v.AddMul(-v.Dot(n), n) }

// turn returns twice the area of a triangle seen against n, negative if it goes clockwise.
func turn(a, b, c, n geom.DVec3) float64 { return n.Dot(b.Sub(a).Cross(c.Sub(a))) }

// keep adds a contact to a manifold, along the manifold's normal: the first of those at its place,
// so that rounding does not choose.
func (j *Joiner) keep(m *Joined, i int) {
	at := &j.joints[i]
	best := at
	for k := range j.joints {
		c := &j.joints[k]
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
func (c *Joint) before(d *Joint) bool {
	return cmp.Or(cmp.Compare(c.FeatureB>>featureBits, d.FeatureB>>featureBits), cmp.Compare(c.Triangle, d.Triangle), cmp.Compare(d.FeatureA, c.FeatureA), cmp.Compare(c.FeatureB, d.FeatureB)) < 0
}

package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// ContactPoint is a pair of points at which two shapes touch, or nearly do.
type ContactPoint struct {
	// PointA is on the surface of the first shape and PointB on that of the second: PointA − PointB
	// is Depth times the manifold's Normal.
	PointA, PointB geom.DVec3
	// Depth is the penetration depth here, in metres; it is negative where there is still a gap.
	Depth float64
	// FeatureA and FeatureB are the vertices, edges or faces that touch. They stay the same from
	// tick to tick while the same parts touch, and no two contacts of a manifold have the same
	// pair.
	FeatureA, FeatureB Feature
}

// Manifold is the contact manifold of two shapes: up to four contacts, which share a normal.
type Manifold struct {
	// Normal is the unit vector from the first shape to the second. The second, moved along it by
	// the largest Depth, only touches the first.
	Normal geom.DVec3
	Points [maxContacts]ContactPoint
	N      int
}

// Contacts returns the contacts. The slice is part of the manifold.
func (m *Manifold) Contacts() []ContactPoint { return m.Points[:m.N] }

// Deepest returns the number of the contact with the largest Depth, the first of equals; −1 if
// there is none.
func (m *Manifold) Deepest() int {
	best := -1
	for i := range m.N {
		if best < 0 || m.Points[i].Depth > m.Points[best].Depth {
			best = i
		}
	}
	return best
}

// flip exchanges the two shapes.
func (m *Manifold) flip() {
	m.Normal = m.Normal.Neg()
	for i := range m.N {
		c := &m.Points[i]
		c.PointA, c.PointB = c.PointB, c.PointA
		c.FeatureA, c.FeatureB = c.FeatureB, c.FeatureA
	}
}

// Finder is a manifold with the scratch memory to compute one. A Finder that is used again need not
// be cleared, which would take as long as some closed forms. The zero Finder is ready for use.
type Finder struct {
	Manifold
	// Apart, if there are no contacts, is a direction of any length along which the second shape is
	// further from the first than the margin, or will be than that of Closing; or it is unchanged.
	Apart geom.DVec3
	// Closing, unless it is nil, rules out contacts of shapes that will not come near enough, but
	// not of two boxes.
	Closing *Closing
	// Sunk is set by Collide of a segment of a chain, if it is in the other shape.
	Sunk           Sunk
	patchA, patchB patch
	spots, spare   [maxClipped]spot
	edges          edgePair
	axes           boxAxes
	clipped        boxClip
}

// Closing is how two shapes will move until they are compared again. One that is nil parts nothing.
type Closing struct {
	Way   geom.DVec3 // of the second shape, as seen from the first
	Limit float64    // in metres; shapes whose gap stays larger need no contacts
}

// parts reports whether shapes that are a distance apart along n, a unit vector from the first to
// the second, stay further apart along it than the limit.
func (c *Closing) parts(dist float64, n geom.DVec3) bool {
	return c != nil && dist+min(0, c.Way.Dot(n)) > c.Limit
}

// flip exchanges the two shapes.
func (c *Closing) flip() {
	if c != nil {
		c.Way = c.Way.Neg()
	}
}

// Collide finds the contacts of two shapes that touch or are no further apart than margin, in
// metres, which is not negative. The deepest contact is as deep as [Penetrate] returns, or as far
// apart as [Distance] does. A sphere or an ellipsoid has one contact; a capsule that lies on a face
// two; a box, a triangle or a hull that does up to four, which span about as large an area as any
// four. Two half-spaces have none.
//
// Contacts share one direction: that of the minimum translation vector, or the way between the
// witness points. It is the normal of a face if one touches, so that a shape which slides over a
// face keeps its normal. What is beyond the contacts, and the Normal if there are none, is
// undefined.
func (f *Finder) Collide(a, b *Shape, margin float64) {
	if before(a, b) {
		f.collide(a, b, margin)
	} else {
		f.Closing.flip()
		f.collide(b, a, margin)
		f.Closing.flip()
		f.flip()
		f.Apart = f.Apart.Neg()
	}
}

func (f *Finder) collide(a, b *Shape, margin float64) {
	if (a.planar || b.planar) && f.planar(a, b, margin) {
		return
	}
	if b.kind <= KindCapsule && a.kind != KindNothing {
		f.simple(&a.Simple, &b.Simple, margin)
		return
	}
	f.N = 0
	if a.kind == KindHalfSpace {
		return
	}
	if a.kind >= KindAABB && b.kind <= KindBox {
		f.boxes(a, b, margin)
		return
	}
	if b.kind == KindHalfSpace && f.onHalfSpace(a, &Plane{Normal: b.u, Point: b.p}, margin) {
		return
	}
	r := relation{closing: f.Closing}
	if relate(&r, a, b, margin, askContacts) && !f.Closing.parts(r.dist, r.n) {
		f.related(a, b, &r, margin)
	} else {
		f.Apart = r.n
	}
}

// related writes the contacts of a pair in order whose relation is known.
func (f *Finder) related(a, b *Shape, r *relation, margin float64) {
	f.fill(a, b, r, margin)
	f.settle(a, b, r, margin)
}

// settle makes the contacts of fill as deep as the relation.
func (f *Finder) settle(a, b *Shape, r *relation, margin float64) {
	if r.least && !f.reaches(a, b, r) {
		// Either two edges cross, or the contacts are not at the witness points.
		if pa, pb, ok := f.edges.crossing(a, b, r); ok {
			r.pa, r.pb, r.unseen = pa, pb, false
		} else {
			f.N, f.Normal = 0, geom.DVec3{}
			if !relateGeneral(r, a, b, margin, askDepth) {
				return
			}
			f.fill(a, b, r, margin)
		}
	}
	f.complete(a, b, r)
}

// reaches reports whether the deepest contact is as deep as the relation.
func (m *Manifold) reaches(a, b *Shape, r *relation) bool {
	i := m.Deepest()
	return i >= 0 && m.Points[i].Depth >= -r.dist-float64(sameDepth*max(a.size, b.size))
}

// fill writes the contacts of a pair in order.
func (f *Finder) fill(a, b *Shape, r *relation, margin float64) {
	f.Normal, f.edges.found = r.n, false
	switch {
	case a.kind == KindSphere, a.isBall(), b.isBall():
		f.single(a, b, r)
		return
	case b.kind == KindHalfSpace:
		f.onPlane(a, b, margin)
		return
	}
	pa, pb, away := &f.patchA, &f.patchB, r.n.Neg()
	a.facing(r.n, pa)
	b.facing(away, pb)
	if pa.align < faceOn && pb.align < faceOn {
		f.onEdges(a, b, margin)
		return
	}
	a.corners(r.n, pa)
	b.corners(away, pb)
	if pa.align >= faceOn && pa.align >= pb.align-facePreferred {
		f.onFace(pa, pb, margin, touching*a.size, false)
	} else {
		f.onFace(pb, pa, margin, touching*b.size, true)
	}
}

// single writes one contact, at the witness points of the relation.
func (m *Manifold) single(a, b *Shape, r *relation) {
	m.only(r, a.featureAlong(r.n), b.featureAlong(r.n.Neg()))
}

func (m *Manifold) only(r *relation, fa, fb Feature) {
	c := &m.Points[0]
	c.PointA, c.PointB, c.Depth, c.FeatureA, c.FeatureB = r.pa, r.pb, -r.dist, fa, fb
	m.N = 1
}

// onPlane writes the contacts of a shape with a half-space.
func (f *Finder) onPlane(a, b *Shape, margin float64) {
	p := &f.patchA
	a.patch(f.Normal, p)
	n := 0
	for i := range p.n {
		c := &p.c[i]
		if depth := -c.p.Sub(b.p).Dot(b.u); depth >= -margin {
			f.spots[n] = spot{p: c.p, inc: vertexKind | Feature(c.vertex), ref: faceKind, depth: depth}
			n++
		}
	}
	f.write(f.spots[:n], true)
}

// onFace writes the contacts of a patch with a reference face opposite. If exchanged, the face
// belongs to the second shape. The sides of the face are closed: points beyond them by no more than
// the slack, which is rounding, count as on them.
func (f *Finder) onFace(ref, inc *patch, margin, slack float64, exchanged bool) {
	f.write(f.clip(ref, inc, margin, slack, exchanged), exchanged)
}

// clip returns the corners of a patch that is clipped by a face, those of them that are deep
// enough.
func (f *Finder) clip(ref, inc *patch, margin, slack float64, exchanged bool) (s []spot) {
	n := f.Normal
	if exchanged {
		n = n.Neg()
	}
	if inc.n <= 2 {
		s = clipSegment(f.spots[:2], inc, ref, n, slack)
	} else {
		s = clip(f.spots[:], f.spare[:], inc, ref, n, slack)
	}
	return s[:measure(s, ref, margin)]
}

// measure finds the depths of the spots behind a face, and keeps those that are deep enough. It
// returns their number.
func measure(s []spot, ref *patch, margin float64) (k int) {
	for i := range s {
		s[i].depth = (ref.d - ref.normal.Dot(s[i].p)) / ref.align
		if s[i].depth >= -margin {
			if k < i {
				s[k] = s[i]
			}
			k++
		}
	}
	return k
}

// write writes up to four of the spots as contacts. If exchanged, they are on the first shape, and
// the reference face is on the second.
func (m *Manifold) write(spots []spot, exchanged bool) {
	m.N = reduce(spots, m.Normal)
	for i := range m.N {
		spots[i].write(&m.Points[i], m.Normal, exchanged)
	}
}

func (s *spot) write(c *ContactPoint, n geom.DVec3, exchanged bool) {
	c.Depth = s.depth
	if exchanged {
		c.PointA, c.PointB = s.p, s.p.AddMul(-s.depth, n)
		c.FeatureA, c.FeatureB = s.inc, s.ref
	} else {
		c.PointA, c.PointB = s.p.AddMul(s.depth, n), s.p
		c.FeatureA, c.FeatureB = s.ref, s.inc
	}
}

// edgePair is two edges, one of each shape, that face each other along a direction.
type edgePair struct {
	a, b  side
	found bool // the edges have been looked for
	ok    bool // both shapes have one
}

func (e *edgePair) find(a, b *Shape, n geom.DVec3) bool {
	if !e.found {
		e.found = true
		e.ok = a.edgeAlong(n, &e.a) && b.edgeAlong(n.Neg(), &e.b)
	}
	return e.ok
}

// onEdges writes the two contacts of two edges that run side by side, if there are such edges.
func (f *Finder) onEdges(a, b *Shape, margin float64) {
	if e := &f.edges; e.find(a, b, f.Normal) {
		f.sideBySide(&e.a, &e.b, margin)
		if e.a.round != e.b.round {
			f.moveOnto(a, b)
		}
	}
}

// moveOnto moves the contacts with a sharp edge onto the side of the round solid beside it.
func (f *Finder) moveOnto(a, b *Shape) {
	n := 0
	for i := range f.N {
		c := f.Points[i]
		on := true
		if b.isOnSide(c.FeatureB) {
			on = b.moveOnto(&c, f.Normal, false)
		} else if a.isOnSide(c.FeatureA) {
			c.PointA, c.PointB = c.PointB, c.PointA
			on = a.moveOnto(&c, f.Normal.Neg(), false)
			c.PointA, c.PointB = c.PointB, c.PointA
		}
		if on {
			f.Points[n] = c
			n++
		}
	}
	f.N = n
}

// sideBySide writes the two contacts of two edges, if they run side by side.
func (m *Manifold) sideBySide(ea, eb *side, margin float64) {
	if !(ea.flatness <= edgeOn && eb.flatness <= edgeOn) {
		return
	}
	d, e := ea.q.Sub(ea.p), eb.q.Sub(eb.p)
	if mayBeParallel(d, e) && d.Cross(e).Len() <= parallel*d.Len()*e.Len() {
		m.alongEdges(ea, eb, margin)
	}
}

// mayBeParallel is false only for directions that are not parallel. It takes no root.
func mayBeParallel(d, e geom.DVec3) bool {
	n := d.Cross(e)
	return n.Dot(n) <= float64(parallel*parallel*(1+parallelSlack)*d.Dot(d))*e.Dot(e)
}

// alongEdges writes the contacts at both ends of the stretch that two edges share.
func (m *Manifold) alongEdges(ea, eb *side, margin float64) {
	d, e := ea.q.Sub(ea.p), eb.q.Sub(eb.p)
	dd := d.Dot(d)
	from, to := eb.p.Sub(ea.p).Dot(d)/dd, eb.q.Sub(ea.p).Dot(d)/dd
	vf, vt := eb.vp, eb.vq
	if from > to {
		from, to, vf, vt = to, from, vt, vf
	}
	ends := [2]struct {
		t      float64
		fa, fb Feature
	}{{from, edgeKind | Feature(ea.id), vertexKind | Feature(vf)}, {to, edgeKind | Feature(ea.id), vertexKind | Feature(vt)}}
	if from < 0 {
		ends[0].t, ends[0].fa, ends[0].fb = 0, vertexKind|Feature(ea.vp), edgeKind|Feature(eb.id)
	}
	if to > 1 {
		ends[1].t, ends[1].fa, ends[1].fb = 1, vertexKind|Feature(ea.vq), edgeKind|Feature(eb.id)
	}
	if !(ends[0].t < ends[1].t) {
		return
	}
	var pairs [2][2]geom.DVec3
	for i, end := range ends {
		pa := ea.p.AddMul(end.t, d)
		pb := eb.p.AddMul(clamp(pa.Sub(eb.p).Dot(e)/e.Dot(e)), e)
		beside := flat(pb.Sub(pa), m.Normal)
		if !ea.round && !eb.round && beside.Dot(beside) > float64(apartSides*apartSides*dd) {
			return // they cross, and touch only there
		}
		pairs[i] = [2]geom.DVec3{pa, pb}
	}
	for i, end := range ends {
		if pa, pb := pairs[i][0], pairs[i][1]; pa.Sub(pb).Dot(m.Normal) >= -margin {
			m.put(pa, pb, end.fa, end.fb, ea.round, eb.round)
		}
	}
}

// put adds the contact of two points. A small angle between edges may have put them beside each
// other. The contact is at the one on a sharp edge, or else at their middle: a round edge bends
// away from it by the square only.
func (m *Manifold) put(pa, pb geom.DVec3, fa, fb Feature, roundA, roundB bool) {
	depth := pa.Sub(pb).Dot(m.Normal)
	switch {
	case roundA == roundB:
		mid := pa.Add(pb).Mul(0.5)
		pa, pb = mid.AddMul(depth/2, m.Normal), mid.AddMul(-depth/2, m.Normal)
	case roundA:
		pa = pb.AddMul(depth, m.Normal)
	default:
		pb = pa.AddMul(-depth, m.Normal)
	}
	m.Points[m.N] = ContactPoint{pa, pb, depth, fa, fb}
	m.N++
}

// complete adds a contact if the manifold is not as deep as the relation: faces with many corners
// are clipped without some of them, and two vertices have no face or edge in common.
func (f *Finder) complete(a, b *Shape, r *relation) {
	if f.reaches(a, b, r) {
		return
	}
	pa, pb := r.pa, r.pb
	if r.unseen {
		pa, pb = f.edges.witnesses(a, b, r)
	}
	var fa, fb Feature
	if e := &f.edges; e.found && e.ok {
		fa, fb = a.featureOf(r.n, &f.patchA, &e.a), b.featureOf(r.n.Neg(), &f.patchB, &e.b)
	} else {
		fa, fb = a.featureAlong(r.n), b.featureAlong(r.n.Neg())
	}
	f.deepest(ContactPoint{pa, pb, -r.dist, fa, fb})
}

// deepest adds a contact that is deeper than the present ones.
func (m *Manifold) deepest(c ContactPoint) {
	for i, old := range m.Contacts() {
		if old.FeatureA == c.FeatureA && old.FeatureB == c.FeatureB {
			m.Points[i] = c // the same contact, more exact: faces are flat only within a tolerance
			return
		}
	}
	if m.N == maxContacts {
		m.N--
	}
	copy(m.Points[1:], m.Points[:m.N])
	m.Points[0] = c
	m.N++
}

// witnesses returns the witness points of two shapes for a separating axis: where the edges across
// the axis cross, or else where the shapes touch once they have moved along it until they only do.
func (e *edgePair) witnesses(a, b *Shape, r *relation) (pa, pb geom.DVec3) {
	if pa, pb, ok := e.crossing(a, b, r); ok {
		return pa, pb
	}
	g := search{a: a, b: b, at: a.p.Sub(b.p).AddMul(r.dist+a.radius+b.radius, r.n)}
	zero := float64(touching * max(a.size, b.size))
	g.run(r.n.Neg(), zero, zero, math.Inf(1))
	pa = a.p.Add(g.s.witness()).AddMul(a.radius, r.n)
	return pa, pa.AddMul(r.dist, r.n)
}

// crossing returns where the edges across an axis cross, and false if they do not: only where they
// cross is the distance along the axis the distance of the shapes.
func (e *edgePair) crossing(a, b *Shape, r *relation) (pa, pb geom.DVec3, ok bool) {
	if !e.find(a, b, r.n) {
		return pa, pb, false
	}
	pa, pb = nearestOnSegments(e.a.p, e.a.q.Sub(e.a.p), e.b.p, e.b.q.Sub(e.b.p))
	if off := pb.Sub(pa).AddMul(-r.dist, r.n).Len(); off > sameDepth*max(a.size, b.size) {
		return pa, pb, false
	}
	return pa, pa.AddMul(r.dist, r.n), true
}

// flat returns the component of v across n.
func flat(v, n geom.DVec3) geom.DVec3 { return v.AddMul(-v.Dot(n), n) }

package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// This file holds the separating axes of a hull and another polytope. A sphere within each shape
// rules out most of them. Along a unit vector n from a to b, the shapes are n·(vb − va) apart,
// where va is the support point of a along n and vb that of b against n. The sphere in b keeps vb
// at least its radius below the plane through its centre cb, so they are no more than n·(cb − va)
// less that radius apart. On the normal of a face every vertex of the face is va, and on the arc of
// an edge both its ends, so that this upper bound takes no search for a support point. An axis is
// tried only if its bound exceeds the best separation so far. Of two dodecahedra 5 cm deep in each
// other that leaves about three of 24 faces and 20 of 900 pairs of edges.
//
// Of shapes that lie on each other the best axis mostly is the normal of a face, and the vertex
// below it proves that: see isBest. Then no other axis is looked at.

// axesWithin is a search over axes that ends where two shapes are further apart than a limit.
type axesWithin struct {
	axes
	limit   float64
	closing *Closing
}

// hullAxes is a search over the axes of a hull and another polytope.
type hullAxes struct {
	axesWithin
	loose    float64              // the bounds may be too low by this, in metres
	ofA, ofB [maxPruned]float64   // heights of the centre of the other sphere over each face
	a, b     [maxEdgesLeft]uint16 // the edges that are left
}

// isPrunable reports whether a hull has so few faces, and a map so like a rotation, that its axes
// can be pruned.
func (s *Shape) isPrunable() bool {
	_, r := s.hull.InnerSphere()
	return s.even && !s.flip && r > 0 && s.hull.NumFaces() <= maxPruned
}

// relateHull tries the axes of a hull b and a, which is a hull, a box, a parallelepiped or a
// triangle. It leaves the pair to GJK and EPA where the spheres rule out too few.
func relateHull(rel *relation, a, b *Shape, limit float64, q question) bool {
	isHull := a.kind == KindHull
	if q < askDepth || !b.isPrunable() || isHull && !a.isPrunable() {
		return relateGeneral(rel, a, b, limit, q)
	}
	ca, ra := a.innerSphere()
	cb, rb := b.innerSphere()
	gap := b.p.Sub(a.p)
	x := hullAxes{axesWithin: axesWithin{axes{most: math.Inf(-1)}, limit, rel.closing}}
	x.loose = float64(evenHeights * (a.extent + b.extent + total(gap)))

	// The best faces, by their bounds, come first. One point may show that there is no better axis.
	topA := -1
	switch a.kind {
	case KindHull:
		topA = a.heights(&x.ofA, gap.Add(cb))
	case KindAABB, KindBox:
		topA = a.faceBelow(gap.Add(cb))
	}
	if topA >= 0 {
		s, n, p := a.faceAxis(topA, b)
		if !x.tryFace(s, n) {
			return x.apart(rel)
		}
		if a.isBest(topA, s, p.Sub(a.p), x.loose) {
			return x.resolve(rel, a, b, limit, q)
		}
	}
	topB := b.heights(&x.ofB, ca.Sub(gap))
	s, n, p := b.faceAxis(topB, a)
	if !x.tryFace(s, n.Neg()) {
		return x.apart(rel)
	}
	if s == x.most && b.isBest(topB, s, p.Sub(b.p), x.loose) {
		return x.resolve(rel, a, b, limit, q)
	}
	at := gap.Add(cb).Add(a.p)
	for i := range a.numFaces() {
		if i == topA {
			continue
		}
		if isHull {
			if !(x.ofA[i]-rb > x.most-x.loose) {
				continue
			}
		} else if n, d := a.face(i); !(n.Dot(at)-d-rb > x.most-x.loose) {
			continue
		}
		if s, n, _ := a.faceAxis(i, b); !x.tryFace(s, n) {
			return x.apart(rel)
		}
	}
	for i := range b.hull.NumFaces() {
		if i == topB || !(x.ofB[i]-ra > x.most-x.loose) {
			continue
		}
		if s, n, _ := b.faceAxis(i, a); !x.tryFace(s, n.Neg()) {
			return x.apart(rel)
		}
	}
	x.slack = edgeBias * max(a.size, b.size)
	kb := b.edgesAbove(&x.b, &x.ofB, x.most+ra-x.loose)
	if !isHull {
		if kb > maxEdgesLeft {
			return relateGeneral(rel, a, b, limit, q)
		}
		if !x.tryDirections(a, b, x.b[:kb]) {
			return x.apart(rel)
		}
		return x.resolve(rel, a, b, limit, q)
	}
	ka := a.edgesAbove(&x.a, &x.ofA, x.most+rb-x.loose)
	if ka > maxEdgesLeft || kb > maxEdgesLeft || ka*kb > maxPairsLeft {
		return relateGeneral(rel, a, b, limit, q)
	}
	if !x.tryEdges(a, b, x.a[:ka], x.b[:kb]) {
		return x.apart(rel)
	}
	return x.resolve(rel, a, b, limit, q)
}

// apart writes the axis along which two shapes are further apart than a limit.
func (x *hullAxes) apart(rel *relation) bool {
	rel.n = x.n
	return false
}

// innerSphere returns a sphere within the shape, its centre relative to p.
func (s *Shape) innerSphere() (c geom.DVec3, r float64) {
	switch s.kind {
	case KindAABB, KindBox:
		return geom.DVec3{}, min(s.half.X, s.half.Y, s.half.Z)
	case KindTriangle:
		return s.e.Add(s.f).Mul(1. / 3), 0
	case KindHull:
		c, r = s.hull.InnerSphere()
		return s.image(c.Sub(s.f)), r * s.x.Len()
	}
	return geom.DVec3{}, 0
}

// heights writes the height over each face of a hull of a point relative to p, in metres and as if
// the map scaled all directions alike. It returns the face over which the point is highest.
func (s *Shape) heights(to *[maxPruned]float64, p geom.DVec3) (top int) {
	k := s.x.Dot(s.x)
	p = s.along(p).Mul(1 / k).Add(s.f)
	k = math.Sqrt(k)
	most := math.Inf(-1)
	for i := range s.hull.NumFaces() {
		n, d := s.hull.Plane(i)
		h := float64((n.Dot(p) - d) * k)
		to[i&(maxPruned-1)] = h
		if h > most {
			top, most = i, h
		}
	}
	return top
}

// faceAxis returns how far the plane of a face separates another polytope from the hull, and its
// normal.
func (s *Shape) faceAxis(i int, other *Shape) (dist float64, n, p geom.DVec3) {
	n, d := s.face(i)
	hint := 0
	p, _ = other.support(n.Neg(), &hint)
	return p.Dot(n) - d, n, p
}

// faceBelow returns the face of a box over which a point relative to p is highest.
func (s *Shape) faceBelow(p geom.DVec3) int {
	l := s.along(p)
	x, y, z := math.Abs(l.X)-s.half.X, math.Abs(l.Y)-s.half.Y, math.Abs(l.Z)-s.half.Z
	axis, v := 0, l.X
	if y > x {
		axis, v, x = 1, l.Y, y
	}
	if z > x {
		axis, v = 2, l.Z
	}
	if v < 0 {
		return 2 * axis
	}
	return 2*axis + 1
}

// isBest reports whether the normal of a face of a box or a hull is the axis along which another
// shape is furthest from it, or overlaps least: whether the point p of the other, relative to the
// origin of s, shows that. It is the lowest point over the face, at a distance.
//
// If p is within s and nearest to the face, then it, and all the more the other shape, is no less
// deep along any other direction. If p is above the face and the face is nearest to it, then along
// no direction is p further from s, nor then the other shape. Both take p, or the point of the face
// below it, to be lower over each other face than over this one.
func (s *Shape) isBest(face int, dist float64, p geom.DVec3, loose float64) bool {
	least := min(dist, 0) - loose
	if s.kind != KindHull {
		l := s.along(p)
		for i := range 3 {
			half := component(s.half, i)
			h := math.Abs(component(l, i)) - half
			if i == face/2 {
				h = -dist - float64(2*half) // over the face opposite
			}
			if !(h < least) {
				return false
			}
		}
		return true
	}
	k := s.x.Dot(s.x)
	p = s.along(p).Mul(1 / k).Add(s.f)
	k = 1 / math.Sqrt(k)
	if dist > 0 {
		n, _ := s.hull.Plane(face)
		p = p.AddMul(-dist*k, n)
	}
	least *= k
	for i := range s.hull.NumFaces() {
		n, d := s.hull.Plane(i)
		if n.Dot(p)-d >= least && i != face {
			return false
		}
	}
	return true
}

// tryFace tries the normal of a face and reports whether the shapes may be within the limit.
func (x *axesWithin) tryFace(s float64, n geom.DVec3) bool {
	x.face(s, n)
	if s > x.limit || x.closing.parts(s, n) {
		x.n = n
		return false
	}
	return true
}

// edgesAbove lists the edges of a hull over whose arc a point is higher than least, where the
// heights over the faces are given. It returns their number, more than there is memory for if that
// is too little.
func (s *Shape) edgesAbove(to *[maxEdgesLeft]uint16, heights *[maxPruned]float64, least float64) (n int) {
	edges := s.hull.Edges()
	// Between the normals the point may be higher than over both: its height is the length of the
	// projection on their plane then. The nearer normal is within half of the angle between them.
	never := math.Inf(-1)
	if least > 0 {
		never = float64(least * s.hull.Bluntness() * (1 - rootSlack))
	}
	for i := range edges {
		e := &edges[i]
		l, r := heights[e.Left&(maxPruned-1)], heights[e.Right&(maxPruned-1)]
		if l <= never && r <= never {
			continue
		}
		if l <= least && r <= least {
			nl, _ := s.hull.Plane(int(e.Left))
			nr, _ := s.hull.Plane(int(e.Right))
			c := nl.Dot(nr)
			if l <= c*r || r <= c*l || least > 0 && float64(l*l)+float64(r*r)-float64(2*c*l*r) <= float64(least*least)*(1-float64(c*c)) {
				continue
			}
		}
		if n == maxEdgesLeft {
			return n + 1
		}
		to[n] = uint16(i)
		n++
	}
	return n
}

// tryDirections tries the axes across the edges of a hull b and those of a shape a that has few
// directions of edges. The support function of a is a closed form.
func (x *axesWithin) tryDirections(a, b *Shape, left []uint16) bool {
	list, count := a.directions()
	h := b.hull
	edges := h.Edges()
	for k := range count {
		d := list[k]
		dd := d.Dot(d)
		// Products with normals of the hull's local space are those of this vector.
		in := geom.DVec3{X: b.u.Dot(d), Y: b.v.Dot(d), Z: b.w.Dot(d)}
		for _, j := range left {
			f := &edges[j]
			l, _ := h.Plane(int(f.Left))
			r, _ := h.Plane(int(f.Right))
			cl, cr := l.Dot(in), r.Dot(in)
			if float64(cl*cr) > 0 {
				continue // the directions across both are not on the arc of the edge
			}
			p := h.Vertex(int(f.A))
			e := b.image(h.Vertex(int(f.B)).Sub(p))
			n := e.Cross(d)
			if cl > cr {
				n = n.Neg()
			}
			ll := n.Dot(n)
			if !(ll > float64(parallelAxes*parallelAxes*dd)*e.Dot(e)) {
				continue
			}
			_, reach := a.span(n)
			g := b.p.Add(b.image(p.Sub(b.f))).Sub(a.p).Dot(n) - reach
			if x.mayBeBy(g, ll) && !x.edgePair(g, ll, n) {
				return false
			}
		}
	}
	return true
}

// tryEdges tries the pairs of the edges that are left of two hulls.
func (x *axesWithin) tryEdges(a, b *Shape, leftA, leftB []uint16) bool {
	toB := b.normalsOf(a)
	for _, i := range leftA {
		if !x.tryEdge(a, b, &toB, i, leftB) {
			return false
		}
	}
	return true
}

// normalsOf returns the map of the normals of another hull to the space of this one.
func (s *Shape) normalsOf(a *Shape) [3]geom.DVec3 {
	return [3]geom.DVec3{s.along(a.u), s.along(a.v), s.along(a.w)}
}

// tryEdge tries an edge of a hull with those edges of another whose arcs cross its arc on the Gauss
// map: see [axes.arcs].
func (x *axesWithin) tryEdge(a, b *Shape, toB *[3]geom.DVec3, i uint16, leftB []uint16) bool {
	h := b.hull
	edges := h.Edges()
	e := &a.hull.Edges()[i]
	na, _ := a.hull.Plane(int(e.Left))
	nb, _ := a.hull.Plane(int(e.Right))
	p := a.hull.Vertex(int(e.A))
	d := a.image(a.hull.Vertex(int(e.B)).Sub(p))
	in := geom.DVec3{X: b.u.Dot(d), Y: b.v.Dot(d), Z: b.w.Dot(d)}
	inA := toB[0].Mul(na.X).AddMul(na.Y, toB[1]).AddMul(na.Z, toB[2])
	inB := toB[0].Mul(nb.X).AddMul(nb.Y, toB[1]).AddMul(nb.Z, toB[2])
	for _, j := range leftB {
		f := &edges[j]
		l, _ := h.Plane(int(f.Left))
		r, _ := h.Plane(int(f.Right))
		q := h.Vertex(int(f.A))
		v := h.Vertex(int(f.B)).Sub(q)
		if !crossed(inA.Dot(v), inB.Dot(v), l.Dot(in), r.Dot(in)) {
			continue
		}
		v = b.image(v)
		n := d.Cross(v)
		if n.Dot(a.outOf(na, nb)) < 0 {
			n = n.Neg()
		}
		ll := n.Dot(n)
		if !(ll > float64(parallelAxes*parallelAxes*d.Dot(d))*v.Dot(v)) {
			continue
		}
		g := b.image(q.Sub(b.f)).Sub(a.p.Add(a.image(p.Sub(a.f))).Sub(b.p)).Dot(n)
		if x.mayBeBy(g, ll) && !x.edgePair(g, ll, n) {
			return false
		}
	}
	return true
}

// crossed is cross without branches, which are hard to predict. It is also true of some arcs that
// only touch: their axis is the normal of a face.
func crossed(av, bv, cu, du float64) bool {
	a, b, c, d := math.Float64bits(av), math.Float64bits(bv), math.Float64bits(cu), math.Float64bits(du)
	return int64((c^d)&(a^b)&^(a^c)) < 0
}

// edgePair tries the axis n with the squared length ll. g is the separation along it times its
// length. It returns false if the separation is more than the limit.
func (x *axesWithin) edgePair(g, ll float64, n geom.DVec3) bool {
	l := math.Sqrt(ll)
	s := g / l
	if x.isBetter(s) {
		x.most, x.slack = s, 0
		x.n = n.Mul(1 / l)
	}
	return !(s > x.limit)
}

package narrow

import "github.com/hitscan-go/hitscan/physics/geom"

// Boxes, parallelepipeds, triangles and hulls as polytopes: faces, vertices and edges by number.
// The vertex of a box has one bit an axis, set on the positive side; face 2i is the lower one
// across axis i and face 2i + 1 the upper. A triangle has the face 0 on the side of its normal and
// the face 1 on the other.

// boxFaces holds the vertices around each face of a box, counter-clockwise from outside, and
// boxSides the edges from each to the next.
var boxFaces = [6][4]uint16{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}

var boxSides = func() (sides [6][4]uint16) {
	for f, corners := range boxFaces {
		for k, v := range corners {
			sides[f][k] = boxEdgeOf(v, corners[(k+1)%4])
		}
	}
	return sides
}()

// boxEdge is an edge of a box: its lower vertex, the axis it runs along and the two faces it joins.
type boxEdge struct {
	from, to uint16
	axis     int
	faces    [2]int
}

// boxEdges holds the edge 4i + k along axis i. The bits of k are its sides along the other two
// axes.
var boxEdges = func() (edges [12]boxEdge) {
	for i := range 3 {
		j, l := (i+1)%3, (i+2)%3
		for k := range 4 {
			from := uint16(k&1<<j | k>>1<<l)
			edges[4*i+k] = boxEdge{from, from | 1<<i, i, [2]int{2*j + k&1, 2*l + k>>1}}
		}
	}
	return edges
}()

func boxEdgeOf(v, w uint16) uint16 {
	for i, e := range boxEdges {
		if e.from == min(v, w) && e.to == max(v, w) {
			return uint16(i)
		}
	}
	panic("narrow: no such edge")
}

// boxVertex returns a vertex of a box.
func (s *Shape) boxVertex(i uint16) geom.DVec3 {
	x, y, z := -s.half.X, -s.half.Y, -s.half.Z
	if i&1 != 0 {
		x = s.half.X
	}
	if i&2 != 0 {
		y = s.half.Y
	}
	if i&4 != 0 {
		z = s.half.Z
	}
	return s.p.Add(s.image(geom.DVec3{X: x, Y: y, Z: z}))
}

// vertex returns a vertex of a polytope.
func (s *Shape) vertex(i uint16) geom.DVec3 {
	switch {
	case s.kind == KindHull:
		return s.p.Add(s.hullVertex(int(i)))
	case s.kind == KindTriangle:
		return s.triangle()[i]
	}
	return s.boxVertex(i)
}

// hasFaces reports whether it is a triangle, a box or a hull.
func (s *Shape) hasFaces() bool { return s.kind > KindCapsule && s.kind <= KindHull }

func (s *Shape) numFaces() int {
	switch s.kind {
	case KindHull:
		return s.hull.NumFaces()
	case KindTriangle:
		return 2
	case KindSphere, KindCapsule:
		return 0
	}
	return 6
}

// face returns the plane of a face: unit normal, and n·p of its points.
func (s *Shape) face(i int) (n geom.DVec3, d float64) {
	switch s.kind {
	case KindHull:
		m, e := s.hull.Plane(i)
		n = s.normal(m)
		l := n.Len()
		n = geom.DVec3{X: n.X / l, Y: n.Y / l, Z: n.Z / l}
		return n, float64(s.volume*(e-m.Dot(s.f)))/l + n.Dot(s.p)
	case KindTriangle:
		if i == 0 {
			return s.u, s.u.Dot(s.p)
		}
		return s.u.Neg(), -s.u.Dot(s.p)
	}
	var h float64
	switch i / 2 {
	case 0:
		n, h = s.u, float64(s.u.Dot(s.x)*s.half.X)
	case 1:
		n, h = s.v, float64(s.v.Dot(s.y)*s.half.Y)
	default:
		n, h = s.w, float64(s.w.Dot(s.z)*s.half.Z)
	}
	if i%2 == 0 {
		n = n.Neg()
	}
	return n, n.Dot(s.p) + h
}

// normal returns the image of a normal of a hull's local space; it is not unit.
func (s *Shape) normal(n geom.DVec3) geom.DVec3 {
	return s.u.Mul(n.X).AddMul(n.Y, s.v).AddMul(n.Z, s.w)
}

// arc is an edge of a polytope with the unit normals of the two faces that it joins. On the Gauss
// map, the sphere of directions, it is the shorter arc between the normals: the edge is the support
// of the polytope along each direction on the arc.
type arc struct {
	p, e geom.DVec3 // a point on the edge, and the edge, running along a×b
	a, b geom.DVec3
	// out has a positive product with each direction on the arc. So does the sum of a and b, except
	// for rounding if they are almost opposite, as at the rim of a hull that is scaled flat.
	out geom.DVec3
}

// isSegment reports whether it is the core of a capsule, which joins no faces: its arc is the whole
// circle of directions across it.
func (e *arc) isSegment() bool { return e.a == geom.DVec3{} }

func (s *Shape) numArcs() int {
	switch s.kind {
	case KindSphere:
		return 0
	case KindCapsule:
		return 1
	case KindHull:
		return s.hull.NumEdges()
	case KindTriangle:
		return 6
	}
	return 12
}

// arc returns an edge. Each edge of a triangle has two arcs: from the normal of one side to the
// direction outward of the edge, and from there to the normal of the other side.
func (s *Shape) arc(i int) arc {
	switch s.kind {
	case KindCapsule:
		return arc{p: s.p, e: s.e}
	case KindHull:
		e := &s.hull.Edges()[i]
		l, _ := s.hull.Plane(int(e.Left))
		r, _ := s.hull.Plane(int(e.Right))
		var a arc
		s.setHullArc(&a, i, unit(s.normal(l)), unit(s.normal(r)))
		return a
	case KindTriangle:
		p, q := s.vertex(uint16(i/2)), s.vertex(uint16(i/2+1)%3)
		e := q.Sub(p)
		a := arc{p: p, e: e, a: s.u, b: e.Cross(s.u).Normalize()}
		if i%2 == 1 {
			a.a, a.e = s.u.Neg(), e.Neg()
		}
		a.out = a.a.Add(a.b)
		return a
	}
	e := boxEdges[i]
	p := s.boxVertex(e.from)
	a, _ := s.face(e.faces[0])
	b, _ := s.face(e.faces[1])
	along := s.boxVertex(e.to).Sub(p)
	if (e.faces[0]+e.faces[1])%2 != 0 != s.flip {
		along = along.Neg()
	}
	return arc{p, along, a, b, a.Add(b)}
}

// setHullArc makes a an edge of a hull, given the unit normals of the faces on the left and right.
func (s *Shape) setHullArc(a *arc, i int, left, right geom.DVec3) {
	e := &s.hull.Edges()[i]
	p := s.vertex(e.A)
	l, _ := s.hull.Plane(int(e.Left))
	r, _ := s.hull.Plane(int(e.Right))
	along := s.vertex(e.B).Sub(p)
	if s.flip {
		along = along.Neg()
	}
	a.p, a.e, a.a, a.b, a.out = p, along, left, right, s.outOf(l, r)
}

// outOf returns the out of an arc between two unit normals of a hull's local space, where they are
// never opposite. Products with the image of their sum have the sign of those with the sum itself.
func (s *Shape) outOf(a, b geom.DVec3) geom.DVec3 {
	sum := a.Add(b)
	return s.image(sum)
}

package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// separate finds the axis along which a core and a hull are furthest apart, or overlap least. The
// core is a point, a segment or a polytope. It tries the faces of both, and the pairs of edges
// whose arcs cross on the Gauss map (Gregorius 2013): only these are faces of the Minkowski
// difference.
func separate(a, b *Shape) relation {
	x := axes{most: math.Inf(-1), slack: edgeBias * max(a.size, b.size)}
	hint := 0
	for i := range a.numFaces() {
		n, d := a.face(i)
		p, _ := b.support(n.Neg(), &hint)
		x.face(p.Dot(n)-d, n)
	}
	if a.kind == KindTriangle {
		// The directions outward of its edges, in its plane: its arcs end there, and cross finds
		// only crossings within arcs.
		for i := 0; i < a.numArcs(); i += 2 {
			e := a.arc(i)
			p, _ := b.support(e.b.Neg(), &hint)
			x.face(p.Sub(e.p).Dot(e.b), e.b)
		}
	}
	hint = 0
	for i := range b.numFaces() {
		n, d := b.face(i)
		p, _ := a.support(n.Neg(), &hint)
		x.face(p.Dot(n)-d, n.Neg())
	}
	for i := range a.numArcs() {
		x.arcs(a.arc(i), b)
	}
	return relation{dist: x.most, n: x.n, unseen: true}
}

// arcs tries the axes of an edge of the first polytope with all edges of the hull. Whether arcs
// cross is decided by the signs of products of normals with edges, which an affine map keeps; so
// the one edge is transformed into the hull's local space, and the hull's many edges are not
// transformed.
func (x *axes) arcs(e arc, b *Shape) {
	// Normals transform to the hull's space by the transpose, and the edge by the map of normals.
	na := geom.DVec3{X: b.x.Dot(e.a), Y: b.y.Dot(e.a), Z: b.z.Dot(e.a)}
	nb := geom.DVec3{X: b.x.Dot(e.b), Y: b.y.Dot(e.b), Z: b.z.Dot(e.b)}
	along := geom.DVec3{X: b.u.Dot(e.e), Y: b.v.Dot(e.e), Z: b.w.Dot(e.e)}
	if b.flip { // a mirror reverses the cross product of two normals
		na, nb = nb, na
	}
	h := b.hull
	edges := h.Edges()
	for j := range edges {
		f := &edges[j]
		l, _ := h.Plane(int(f.Left))
		r, _ := h.Plane(int(f.Right))
		cu, du := l.Dot(along), r.Dot(along)
		if float64(cu*du) >= 0 {
			continue
		}
		v := h.Vertex(int(f.B)).Sub(h.Vertex(int(f.A)))
		if e.isSegment() {
			e.out = b.outOf(l, r).Neg()
		} else if !cross(na.Dot(v), nb.Dot(v), cu, du) {
			continue
		}
		x.edges(e, arc{p: b.vertex(f.A), e: b.image(v)})
	}
}

// cross reports whether the arc from a to b on the Gauss map, of an edge u along a×b, crosses the
// arc from −c to −d, of an edge v along c×d: the ends of each are on different sides of the other's
// plane, and both on the same side of the sphere. av and bv are the products of a and b with v, cu
// and du those of c and d with u.
func cross(av, bv, cu, du float64) bool {
	return float64(cu*du) < 0 && float64(av*bv) < 0 && float64(av*cu) > 0
}

// edges tries the axis across two edges.
func (x *axes) edges(e, f arc) {
	n := e.e.Cross(f.e)
	l := n.Len()
	if !(l > parallelAxes*e.e.Len()*f.e.Len()) {
		return
	}
	n = n.Mul(1 / l)
	if n.Dot(e.out) < 0 {
		n = n.Neg() // away from the first
	}
	if s := n.Dot(f.p.Sub(e.p)); s > x.most+x.slack {
		x.most, x.n, x.slack = s, n, 0
	}
}

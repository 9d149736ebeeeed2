package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// vertex is a point w = a − b of the Minkowski difference of two cores, and the point a of the
// first core that it came from. Both are relative to the origins of the shapes.
type vertex struct{ w, a geom.DVec3 }

// set sets both points. A literal would be made on the stack and copied.
func (v *vertex) set(w, a geom.DVec3) { v.w, v.a = w, a }

// simplex is a point, a segment, a triangle or a tetrahedron in the Minkowski difference of two
// cores.
type simplex struct {
	v      [4]vertex
	weight [4]float64 // of the nearest point; none is negative, their sum is 1
	n      int
}

// has reports whether w is a vertex already.
func (s *simplex) has(w geom.DVec3) bool {
	for i := range s.n {
		if s.v[i].w == w {
			return true
		}
	}
	return false
}

func (s *simplex) add(w, a geom.DVec3) {
	s.v[s.n&3].set(w, a)
	s.n++
}

// nearest returns the point of the simplex, moved by a shift, that is nearest to the origin, and
// keeps only the vertices of the face that it is on. All four are kept if the origin is inside.
func (s *simplex) nearest(shift geom.DVec3) geom.DVec3 {
	p := s.solve(shift)
	s.keep()
	return p
}

// solve returns the nearest point, and sets the weights of the vertices in it.
func (s *simplex) solve(shift geom.DVec3) geom.DVec3 {
	weight := &s.weight
	a := s.v[0].w.Add(shift)
	switch s.n {
	case 1:
		weight[0] = 1
		return a
	case 2:
		b := s.v[1].w.Add(shift)
		e := b.Sub(a)
		t := onEdge(a.Dot(e), e.Dot(e))
		weight[0], weight[1] = 1-t, t
		return a.AddMul(t, b.Sub(a))
	case 3:
		b, c := s.v[1].w.Add(shift), s.v[2].w.Add(shift)
		u, v := nearestInTriangle(a, b, c)
		weight[0], weight[1], weight[2] = 1-u-v, u, v
		return inTriangle(a, b, c, u, v)
	}
	return s.solveFour(shift)
}

// solveFour is solve for a tetrahedron.
func (s *simplex) solveFour(shift geom.DVec3) geom.DVec3 {
	y := [4]geom.DVec3{s.v[0].w.Add(shift), s.v[1].w.Add(shift), s.v[2].w.Add(shift), s.v[3].w.Add(shift)}
	if p, ok := s.onFaces(&y, false, math.Inf(1)); ok {
		return p
	}
	// The origin is inside. Of a needle the weights of the four corners are mostly rounding, while
	// those of a face may not be.
	weight := &s.weight
	*weight = inside(&y)
	p := y[0].Mul(weight[0]).AddMul(weight[1], y[1]).AddMul(weight[2], y[2]).AddMul(weight[3], y[3])
	reach := max(y[0].Dot(y[0]), y[1].Dot(y[1]), y[2].Dot(y[2]), y[3].Dot(y[3]))
	if off := p.Dot(p); off > float64(insideOff*reach) {
		if q, ok := s.onFaces(&y, true, off); ok {
			return q
		}
	}
	return p
}

// onFaces returns the point nearest to the origin of those faces of a tetrahedron that the origin
// is beyond, or of all faces, and sets the weights if the square of its distance is less than a
// least one; ok is false if there is no such face. Faces are compared by the distance of the point
// that is computed for them. Rounding may spoil the weights of a face that is almost a line, but
// cannot make it seem nearer than it is: whatever the weights, the point is one of the simplex.
func (s *simplex) onFaces(y *[4]geom.DVec3, all bool, least float64) (best geom.DVec3, ok bool) {
	for i := range faces {
		a, b, c, top := y[faces[i][0]], y[faces[i][1]], y[faces[i][2]], y[faces[i][3]]
		// The origin is beyond a face if the top is on the other side. Rounding decides that if the
		// height is almost 0; then the face counts.
		n, up := b.Sub(a).Cross(c.Sub(a)), top.Sub(a)
		height, origin := n.Dot(up), -n.Dot(a)
		if !all && float64(height*origin) > 0 && math.Abs(height) > flatTetrahedron*total(n)*total(up) {
			continue
		}
		ok = ok || !all // of what overflows too
		u, v := nearestInTriangle(a, b, c)
		p := inTriangle(a, b, c, u, v)
		if l := p.Dot(p); l < least {
			best, least, ok = p, l, true
			s.weight = [4]float64{}
			s.weight[faces[i][0]], s.weight[faces[i][1]], s.weight[faces[i][2]] = 1-u-v, u, v
		}
	}
	return best, ok
}

// faces are the corners of the faces of a tetrahedron, and the one that is left.
var faces = [4][4]uint8{{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}

// inside returns the weights of the corners in the origin, if it is in the tetrahedron.
func inside(y *[4]geom.DVec3) [4]float64 {
	bc, ad := y[1].Cross(y[2]), y[0].Cross(y[3])
	w := [4]float64{
		math.Abs(bc.Dot(y[3])), math.Abs(y[2].Dot(ad)), math.Abs(y[1].Dot(ad)), math.Abs(bc.Dot(y[0])),
	}
	sum := w[0] + w[1] + w[2] + w[3]
	if !(sum > 0) {
		return [4]float64{1}
	}
	return [4]float64{w[0] / sum, w[1] / sum, w[2] / sum, w[3] / sum}
}

// keep leaves only the vertices that have a weight.
func (s *simplex) keep() {
	n := 0
	for i := range s.n {
		if w := s.weight[i&3]; w > 0 {
			if n < i {
				s.v[n&3], s.weight[n&3] = s.v[i&3], w
			}
			n++
		}
	}
	s.n = n
}

// witness returns the witness point of the first core, relative to its origin.
func (s *simplex) witness() (a geom.DVec3) {
	for i := range s.n {
		a = a.AddMul(s.weight[i], s.v[i].a)
	}
	return a
}

// onEdge returns t from 0 to 1 for which a + t·e is nearest to the origin, given a·e and e·e.
func onEdge(ae, ee float64) float64 {
	t := -ae / ee
	switch {
	case !(ee > 0) || t <= 0:
		return 0
	case t >= 1:
		return 1
	}
	return t
}

// nearestInTriangle returns the weights of b and c in the point of a triangle nearest to the
// origin: the foot of the perpendicular, if it is inside of all edges, or else the nearest of the
// edges that it is outside of. The products that decide it start with the edges, which are as small
// as the triangle, so that a small triangle far away is as exact as one nearby.
func nearestInTriangle(a, b, c geom.DVec3) (u, v float64) {
	ab, ac, bc := b.Sub(a), c.Sub(a), c.Sub(b)
	n := ab.Cross(ac)
	ab2, ac2, bc2 := ab.Dot(ab), ac.Dot(ac), bc.Dot(bc)
	flat := n.Dot(n) <= lineSquare*ab2*ac2
	// Rounding may have turned the plane of a thinner triangle, and moved the foot along it by far:
	// the foot must then be nearer than all edges.
	// None is negative, so the integers order like the numbers, and take no branch.
	longest := math.Float64frombits(max(math.Float64bits(ab2), math.Float64bits(ac2), math.Float64bits(bc2)))
	thin := n.Dot(n) <= needle*longest*longest
	// The weights of c, b and a at the foot, times |n|².
	wc, wb, wa := n.Dot(a.Cross(ab)), n.Dot(ac.Cross(a)), n.Dot(b.Cross(bc))
	least := math.Inf(1)
	if !flat && wa >= 0 && wb >= 0 && wc >= 0 {
		sum := wa + wb + wc
		if u, v = wb/sum, wc/sum; !thin {
			return u, v
		}
		p := a.AddMul(u, ab).AddMul(v, ac)
		least = p.Dot(p)
	}
	if thin || wc < 0 {
		t := onEdge(a.Dot(ab), ab2)
		if p := a.AddMul(t, ab); p.Dot(p) < least {
			u, v, least = t, 0, p.Dot(p)
		}
	}
	if thin || wb < 0 {
		t := onEdge(a.Dot(ac), ac2)
		if p := a.AddMul(t, ac); p.Dot(p) < least {
			u, v, least = 0, t, p.Dot(p)
		}
	}
	if thin || wa < 0 {
		t := onEdge(b.Dot(bc), bc2)
		if p := b.AddMul(t, bc); p.Dot(p) < least {
			u, v = 1-t, t
		}
	}
	return u, v
}

// inTriangle returns the point with the weights u and v. Inside a triangle that is no sliver it is
// computed from the plane, whose direction is exact however near the origin is.
func inTriangle(a, b, c geom.DVec3, u, v float64) geom.DVec3 {
	ab, ac := b.Sub(a), c.Sub(a)
	if u > 0 && v > 0 && u+v < 1 {
		n := ab.Cross(ac)
		if nn := n.Dot(n); nn > sliver*ab.Dot(ab)*ac.Dot(ac) {
			return n.Mul(n.Dot(a) / nn)
		}
	}
	return a.AddMul(u, ab).AddMul(v, ac)
}

// plane returns the vector from the origin to the plane of the simplex if that is a sliver and the
// vector agrees with v, its nearest point, to sliverAgrees; zero otherwise. For other triangles
// that vector is v itself.
func (s *simplex) plane(shift, v geom.DVec3) geom.DVec3 {
	if s.n != 3 {
		return geom.DVec3{}
	}
	a := s.v[0].w.Add(shift)
	e, f := s.v[1].w.Sub(s.v[0].w), s.v[2].w.Sub(s.v[0].w)
	n := e.Cross(f)
	nn := n.Dot(n)
	if nn > sliver*e.Dot(e)*f.Dot(f) {
		return geom.DVec3{}
	}
	p := n.Mul(n.Dot(a) / nn)
	if off := p.Sub(v); off.Dot(off) < sliverAgrees*v.Dot(v) {
		return p
	}
	return geom.DVec3{}
}

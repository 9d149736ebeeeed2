package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// separateFew is separate for boxes, parallelepipeds and triangles. They have so few faces and
// directions of edges that trying every pair takes less than pruning pairs.
func separateFew(a, b *Shape) relation {
	var na, nb, ea, eb [3]geom.DVec3
	ka, kb := a.directions(&na, &ea), b.directions(&nb, &eb)
	x := axes{most: math.Inf(-1)}
	for _, n := range na[:ka] {
		x.both(a, b, n)
	}
	for _, n := range nb[:kb] {
		x.both(a, b, n)
	}
	x.slack = edgeBias * max(a.size, b.size)
	for _, d := range ea {
		for _, e := range eb {
			n := d.Cross(e)
			if l := n.Len(); l > parallelAxes*d.Len()*e.Len() {
				x.both(a, b, n.Mul(1/l))
			}
		}
	}
	return relation{dist: x.most, n: x.n, unseen: true}
}

// directions writes the unit normals of the faces and the directions of the edges, and returns how
// many normals there are.
func (s *Shape) directions(n, e *[3]geom.DVec3) int {
	if s.kind == KindTriangle {
		n[0] = s.u
		*e = [3]geom.DVec3{s.e, s.f.Sub(s.e), s.f}
		return 1
	}
	*n, *e = [3]geom.DVec3{s.u, s.v, s.w}, [3]geom.DVec3{s.x, s.y, s.z}
	return 3
}

// both tries a unit vector and its opposite. The first pair of edges must be better than all faces
// by the slack.
func (x *axes) both(a, b *Shape, n geom.DVec3) {
	fromA, toA := a.span(n)
	fromB, toB := b.span(n)
	s := fromB - toA
	if t := fromA - toB; t > s {
		s, n = t, n.Neg()
	}
	if s > x.most+x.slack {
		x.most, x.n = s, n
		if x.slack > 0 {
			x.slack = 0
		}
	}
}

// span returns the interval of a triangle, a box or a parallelepiped along n.
func (s *Shape) span(n geom.DVec3) (from, to float64) {
	c := s.p.Dot(n)
	if s.kind == KindTriangle {
		e, f := s.e.Dot(n), s.f.Dot(n)
		return c + min(0, e, f), c + max(0, e, f)
	}
	h := math.Abs(float64(s.half.X*s.x.Dot(n))) + math.Abs(float64(s.half.Y*s.y.Dot(n))) + math.Abs(float64(s.half.Z*s.z.Dot(n)))
	return c - h, c + h
}

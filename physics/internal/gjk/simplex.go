package gjk

import "github.com/hitscan-go/hitscan/physics/geom"

// vertex is a point w of the difference of two bodies, with the points a and b of the bodies it came from: w = a − b.
type vertex struct{ w, a, b geom.DVec3 }

// simplex is a point, a segment, a triangle or a tetrahedron in the difference of two bodies, with its point nearest to
// the origin.
type simplex struct {
	v      [4]vertex
	weight [4]float64 // of the vertices in point; not negative, their sum is 1
	n      int
	point  geom.DVec3
}

func (s *simplex) start(a, b geom.DVec3) {
	s.v[0] = vertex{a.Sub(b), a, b}
	s.weight[0], s.n = 1, 1
	s.point = s.v[0].w
}

// has reports whether w is a vertex already: the walk has come round.
func (s *simplex) has(w geom.DVec3) bool {
	for i := range s.n {
		if s.v[i].w == w {
			return true
		}
	}
	return false
}

// candidate is a face that contains the new vertex, and its point nearest to the origin: q + s·e(i) + t·e(j) + u·e(k),
// where q is the new vertex and e leads from it to the others. Unused indices are −1.
type candidate struct {
	i, j, k int
	s, t, u float64
	p       geom.DVec3
	lenSq   float64
}

// add puts in a vertex and keeps only the face nearest to the origin. It reports false and changes nothing if no face is
// nearer than what was held.
//
// The nearest face contains the new vertex, or the new vertex is of no use; that leaves at most three edges, three
// triangles and the inside. Each is tried and judged by the length of the point that comes out and by nothing else. So a
// flat or tiny face, for which rounding makes the weights worthless, can lose but cannot deceive: every candidate's
// weights are positive and sum to one, which makes its point a point of the body whatever the weights are.
func (s *simplex) add(w, a, b geom.DVec3) bool {
	q := w
	best := candidate{i: -1, j: -1, k: -1, p: q, lenSq: q.Dot(q)}
	try := func(c candidate) {
		if c.lenSq = c.p.Dot(c.p); c.lenSq < best.lenSq {
			best = c
		}
	}
	var e [3]geom.DVec3
	for i := range s.n {
		e[i] = s.v[i].w.Sub(q)
		if l := e[i].Dot(e[i]); l > 0 {
			if t := min(-q.Dot(e[i])/l, 1); t > 0 {
				try(candidate{i: i, j: -1, k: -1, s: t, p: q.AddMul(t, e[i])})
			}
		}
	}
	for i := range s.n {
		for j := range i {
			n := e[i].Cross(e[j])
			l := n.Dot(n)
			face := candidate{i: i, j: j, k: -1, p: q}
			for range 2 {
				face.s += n.Dot(e[j].Cross(face.p)) / l // NaN if the triangle is flat, which no comparison lets by
				face.t += n.Dot(face.p.Cross(e[i])) / l
				face.p = q.AddMul(face.s, e[i]).AddMul(face.t, e[j])
			}
			if face.s >= 0 && face.t >= 0 && face.s+face.t <= 1 {
				try(face)
			}
		}
	}
	if s.n == 3 {
		// The origin is inside. Cramer's rule, and once more for what rounding left.
		n0, n1, n2 := e[1].Cross(e[2]), e[2].Cross(e[0]), e[0].Cross(e[1])
		det := e[0].Dot(n0)
		in := candidate{i: 0, j: 1, k: 2, p: q}
		for range 2 {
			in.s -= in.p.Dot(n0) / det
			in.t -= in.p.Dot(n1) / det
			in.u -= in.p.Dot(n2) / det
			in.p = q.AddMul(in.s, e[0]).AddMul(in.t, e[1]).AddMul(in.u, e[2])
		}
		if in.s >= 0 && in.t >= 0 && in.u >= 0 && in.s+in.t+in.u <= 1 {
			try(in)
		}
	}
	if best.lenSq >= s.point.Dot(s.point) {
		return false
	}
	s.keep(best, vertex{w, a, b})
	return true
}

// keep replaces the vertices by those of a face.
func (s *simplex) keep(c candidate, newest vertex) {
	old := s.v
	s.n, s.point = 0, c.p
	put := func(v vertex, weight float64) {
		s.v[s.n], s.weight[s.n] = v, weight
		s.n++
	}
	if c.i >= 0 && c.s > 0 {
		put(old[c.i], c.s)
	}
	if c.j >= 0 && c.t > 0 {
		put(old[c.j], c.t)
	}
	if c.k >= 0 && c.u > 0 {
		put(old[c.k], c.u)
	}
	if rest := 1 - c.s - c.t - c.u; rest > 0 {
		put(newest, rest)
	}
}

// witnesses returns the points of the two bodies whose difference is the simplex's point.
func (s *simplex) witnesses() (a, b geom.DVec3) {
	for i := range s.n {
		a = a.AddMul(s.weight[i], s.v[i].a)
		b = b.AddMul(s.weight[i], s.v[i].b)
	}
	return a, b
}

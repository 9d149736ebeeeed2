package narrow

import "github.com/hitscan-go/hitscan/physics/geom"

// vertex is a point w = b − a of the Minkowski difference of two cores, with the points a and b of
// the cores.
type vertex struct{ w, a, b geom.DVec3 }

// simplex is a point, a segment, a triangle or a tetrahedron in the Minkowski difference of two
// cores, with its point nearest to the origin.
type simplex struct {
	v      [4]vertex
	weight [4]float64 // of the vertices in point; positive, their sum is 1
	n      int
	point  geom.DVec3
	lenSq  float64
}

func (s *simplex) start(v vertex) {
	s.v[0], s.weight[0], s.n = v, 1, 1
	s.point, s.lenSq = v.w, v.w.Dot(v.w)
}

func (s *simplex) has(w geom.DVec3) bool {
	for i := range s.n {
		if s.v[i].w == w {
			return true
		}
	}
	return false
}

// candidate is a face that contains the new vertex q, and its point nearest to the origin: q + Σ
// c[i]·(v[i] − q).
type candidate struct {
	c     [3]float64
	p     geom.DVec3
	lenSq float64
}

func (c *candidate) offer(weights [3]float64, p geom.DVec3) {
	if l := p.Dot(p); l < c.lenSq {
		c.c, c.p, c.lenSq = weights, p, l
	}
}

// add adds a vertex and keeps only the face nearest to the origin. It returns false and changes
// nothing if no face is nearer than the present point.
//
// The nearest face contains the new vertex, or the new vertex is of no use; that leaves at most
// three edges, three triangles and the inside. Faces are compared only by the distance of the point
// that is computed for them. Rounding may spoil the weights of a flat or tiny face, but it cannot
// make the face seem nearer than it is: weights are positive and sum to 1, so the point computed is
// a point of the Minkowski difference whatever they are.
func (s *simplex) add(v vertex) bool {
	q := v.w
	best := candidate{p: q, lenSq: q.Dot(q)}
	var e [3]geom.DVec3
	for i := range s.n {
		e[i] = s.v[i].w.Sub(q)
		if along := -q.Dot(e[i]); along > 0 {
			t := min(along/e[i].Dot(e[i]), 1)
			var c [3]float64
			c[i] = t
			best.offer(c, q.AddMul(t, e[i]))
		}
	}
	for i := 1; i < s.n; i++ {
		for j := range i {
			n := e[i].Cross(e[j])
			l := n.Dot(n)
			// The second round removes the rounding of the first. A flat triangle gives NaN, which
			// fails every comparison.
			x := q
			var t, u float64
			for range 2 {
				t += n.Dot(e[j].Cross(x)) / l
				u += n.Dot(x.Cross(e[i])) / l
				if !(t > -straying && u > -straying && t+u < 1+straying) {
					break
				}
				x = q.AddMul(t, e[i]).AddMul(u, e[j])
			}
			if t >= 0 && u >= 0 && t+u <= 1 {
				var c [3]float64
				c[i], c[j] = t, u
				best.offer(c, x)
			}
		}
	}
	if s.n == 3 {
		// The origin may be inside: Cramer's rule, with a second round against rounding.
		n0, n1, n2 := e[1].Cross(e[2]), e[2].Cross(e[0]), e[0].Cross(e[1])
		det := e[0].Dot(n0)
		x := q
		var c [3]float64
		for range 2 {
			c[0] -= x.Dot(n0) / det
			c[1] -= x.Dot(n1) / det
			c[2] -= x.Dot(n2) / det
			if !(c[0] > -straying && c[1] > -straying && c[2] > -straying && c[0]+c[1]+c[2] < 1+straying) {
				break
			}
			x = q.AddMul(c[0], e[0]).AddMul(c[1], e[1]).AddMul(c[2], e[2])
		}
		if c[0] >= 0 && c[1] >= 0 && c[2] >= 0 && c[0]+c[1]+c[2] <= 1 {
			best.offer(c, x)
		}
	}
	if !(best.lenSq < s.lenSq) {
		return false
	}
	s.keep(&best, v)
	return true
}

// keep replaces the vertices by those of a face.
func (s *simplex) keep(c *candidate, newest vertex) {
	n, rest := 0, 1.0
	for i := range s.n {
		if t := c.c[i]; t > 0 {
			s.v[n], s.weight[n] = s.v[i], t
			n++
			rest -= t
		}
	}
	if rest > 0 {
		s.v[n], s.weight[n] = newest, rest
		n++
	}
	s.n, s.point, s.lenSq = n, c.p, c.lenSq
}

// witnesses returns the witness points: those of the two cores whose difference is the simplex's
// point.
func (s *simplex) witnesses() (a, b geom.DVec3) {
	for i := range s.n {
		a = a.AddMul(s.weight[i], s.v[i].a)
		b = b.AddMul(s.weight[i], s.v[i].b)
	}
	return a, b
}

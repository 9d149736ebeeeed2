package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// relateAABBs is exact: along each axis two boxes are apart or overlap on their own.
func relateAABBs(r *relation, a, b *Shape, q question) bool {
	d := b.p.Sub(a.p)
	gap := [3]float64{
		math.Abs(d.X) - a.half.X - b.half.X, math.Abs(d.Y) - a.half.Y - b.half.Y, math.Abs(d.Z) - a.half.Z - b.half.Z}
	axis := 0
	for i := 1; i < 3; i++ {
		if gap[i] > gap[axis] {
			axis = i
		}
	}
	x, ax, bx := overlap(a.p.X, a.half.X, b.p.X, b.half.X)
	y, ay, by := overlap(a.p.Y, a.half.Y, b.p.Y, b.half.Y)
	z, az, bz := overlap(a.p.Z, a.half.Z, b.p.Z, b.half.Z)
	pa, pb := geom.DVec3{X: ax, Y: ay, Z: az}, geom.DVec3{X: bx, Y: by, Z: bz}
	if gap[axis] > 0 && max(0, gap[0])+max(0, gap[1])+max(0, gap[2]) > gap[axis] {
		return r.between(pa, pb, geom.DVec3{})
	}
	*r = relation{dist: gap[axis], n: [3]geom.DVec3{{X: 1}, {Y: 1}, {Z: 1}}[axis]}
	if [3]float64{d.X, d.Y, d.Z}[axis] < 0 {
		r.n = r.n.Neg()
	}
	m := geom.DVec3{X: x, Y: y, Z: z}
	if r.dist <= 0 && q == askDistance {
		r.dist, r.pa, r.pb = 0, m, m
		return true
	}
	// The middle of what both share on the other axes; on this one their faces.
	r.pa = m.AddMul(a.p.AddMul(a.half.Dot(absolute(r.n)), r.n).Sub(m).Dot(r.n), r.n)
	r.pb = r.pa.AddMul(r.dist, r.n)
	return true
}

// overlap returns, along one axis, the middle of what two intervals share or of what is between them, and the points of each
// nearest to it.
func overlap(a, ha, b, hb float64) (mid, onA, onB float64) {
	lo, hi := max(a-ha, b-hb), min(a+ha, b+hb)
	mid = float64((lo + hi) / 2)
	return mid, max(a-ha, min(mid, a+ha)), max(b-hb, min(mid, b+hb))
}

func absolute(v geom.DVec3) geom.DVec3 {
	return geom.DVec3{X: math.Abs(v.X), Y: math.Abs(v.Y), Z: math.Abs(v.Z)}
}

// bias is how much less an edge against an edge must overlap than a face to be taken for the way out, as a fraction of the
// largest coordinate: what single precision rounds off a position. So boxes that lie on each other do so on their faces.
const bias = 2e-7

// axes collects separating axes and keeps the one along which two shapes are furthest apart, or overlap least.
type axes struct {
	most  float64
	n     geom.DVec3
	slack float64 // by how much the first edge must be better
}

// face offers an axis of unit length, from a to b.
func (x *axes) face(s float64, n geom.DVec3) {
	if s > x.most {
		x.most, x.n = s, n
	}
}

// relateBoxes tries the 15 axes that can part two boxes (Gottschalk, Lin and Manocha 1996, "OBBTree"), and searches only if they
// are apart.
func relateBoxes(rel *relation, a, b *Shape, limit float64, q question) bool {
	u, v := [3]geom.DVec3{a.x, a.y, a.z}, [3]geom.DVec3{b.x, b.y, b.z}
	ha, hb := [3]float64{a.half.X, a.half.Y, a.half.Z}, [3]float64{b.half.X, b.half.Y, b.half.Z}
	gap := b.p.Sub(a.p)
	var t [3]float64
	var r, abs [3][3]float64
	x := axes{most: math.Inf(-1)}
	for i := range 3 {
		t[i] = gap.Dot(u[i])
		for j := range 3 {
			r[i][j] = u[i].Dot(v[j])
			abs[i][j] = math.Abs(r[i][j])
		}
		s := math.Abs(t[i]) - ha[i] - (float64(hb[0]*abs[i][0]) + float64(hb[1]*abs[i][1]) + float64(hb[2]*abs[i][2]))
		if s > limit {
			return false
		}
		if s > x.most {
			x.most, x.n = s, u[i].Mul(math.Copysign(1, t[i]))
		}
	}
	for j := range 3 {
		d := gap.Dot(v[j])
		s := math.Abs(d) - hb[j] - (float64(ha[0]*abs[0][j]) + float64(ha[1]*abs[1][j]) + float64(ha[2]*abs[2][j]))
		if s > limit {
			return false
		}
		if s > x.most {
			x.most, x.n = s, v[j].Mul(math.Copysign(1, d))
		}
	}
	x.slack = bias * max(a.size, b.size)
	for i := range 3 {
		i1, i2 := (i+1)%3, (i+2)%3
		for j := range 3 {
			ll := 1 - float64(r[i][j]*r[i][j])
			if ll < 1e-6 {
				// Cancellation; and edges that are all but parallel add nothing to the faces.
				if n := u[i].Cross(v[j]); n.Len() > 1e-8 {
					ll = n.Dot(n)
				} else {
					continue
				}
			}
			j1, j2 := (j+1)%3, (j+2)%3
			// With L = u[i] × v[j]: gap·L, and how far each box reaches along L.
			d := float64(t[i2]*r[i1][j]) - float64(t[i1]*r[i2][j])
			reach := float64(ha[i1]*abs[i2][j]) + float64(ha[i2]*abs[i1][j]) + float64(hb[j1]*abs[i][j2]) + float64(hb[j2]*abs[i][j1])
			l := math.Sqrt(ll)
			s := (math.Abs(d) - reach) / l
			if s > limit {
				return false
			}
			if s > x.most+x.slack {
				x.most, x.slack = s, 0
				x.n = u[i].Cross(v[j]).Mul(math.Copysign(1/l, d))
			}
		}
	}
	return x.resolve(rel, a, b, limit, q)
}

// resolve makes a relation of the best axis. If that parts the shapes, the search tells how far they are apart in truth; where contacts
// are asked for, these may show that it is no further, and save the search.
func (x *axes) resolve(rel *relation, a, b *Shape, limit float64, q question) bool {
	if q == askOverlap {
		rel.dist = x.most
		return x.most <= limit
	}
	if q == askDistance || x.most > faint*max(a.size, b.size) && q != askContacts {
		return x.search(rel, a, b, limit, q)
	}
	*rel = relation{dist: x.most, n: x.n, unseen: true, least: x.most > 0}
	return true
}

// search finds how far two shapes are apart, or a point in both. Axes and search are each exact to some last digits only; where these
// decide, the axes are believed, which are asked whether the two overlap.
func (x *axes) search(rel *relation, a, b *Shape, limit float64, q question) bool {
	if !relateGeneral(rel, a, b, limit, q) {
		return x.most <= 0 && x.settle(rel)
	}
	if x.most <= 0 || rel.dist <= 0 {
		return x.settle(rel)
	}
	return true
}

func (x *axes) settle(rel *relation) bool {
	if x.most <= 0 {
		rel.dist, rel.n, rel.pb = 0, geom.DVec3{}, rel.pa
	} else {
		rel.dist, rel.n, rel.pb = x.most, x.n, rel.pa.AddMul(x.most, x.n)
	}
	return true
}

// relateBoxTriangle tries the 13 axes that can part a box and a triangle (Akenine-Möller 2001, "Fast 3D triangle-box overlap
// testing"), and searches only if they are apart.
func relateBoxTriangle(rel *relation, a, b *Shape, limit float64, q question) bool {
	h := [3]float64{a.half.X, a.half.Y, a.half.Z}
	u := [3]geom.DVec3{a.x, a.y, a.z}
	corners := [3]geom.DVec3{a.toBox(b.p), a.toBox(b.q), a.toBox(b.x)}
	n := geom.DVec3{X: a.x.Dot(b.u), Y: a.y.Dot(b.u), Z: a.z.Dot(b.u)}
	x := axes{most: math.Inf(-1)}

	// The triangle's own plane, from both sides; from the one on which the box has more of itself the way is shorter.
	d := n.Dot(corners[0])
	s := math.Abs(d) - (float64(h[0]*math.Abs(n.X)) + float64(h[1]*math.Abs(n.Y)) + float64(h[2]*math.Abs(n.Z)))
	if s > limit {
		return false
	}
	x.face(s, b.u.Mul(math.Copysign(1, d)))

	for i := range 3 {
		c := [3]float64{component(corners[0], i), component(corners[1], i), component(corners[2], i)}
		up, down := min(c[0], c[1], c[2])-h[i], -max(c[0], c[1], c[2])-h[i]
		if up > limit || down > limit {
			return false
		}
		x.face(up, u[i])
		x.face(down, u[i].Neg())
	}
	x.slack = bias * max(a.size, b.size)
	for k := range 3 {
		e := corners[(k+1)%3].Sub(corners[k])
		ee := e.Dot(e)
		for i := range 3 {
			// L = axis × e, of which one component is 0.
			var l geom.DVec3
			switch i {
			case 0:
				l = geom.DVec3{Y: -e.Z, Z: e.Y}
			case 1:
				l = geom.DVec3{X: e.Z, Z: -e.X}
			default:
				l = geom.DVec3{X: -e.Y, Y: e.X}
			}
			ll := l.Dot(l)
			if !(ll > 1e-15*ee) {
				continue
			}
			p, o := l.Dot(corners[k]), l.Dot(corners[(k+2)%3])
			reach := float64(h[0]*math.Abs(l.X)) + float64(h[1]*math.Abs(l.Y)) + float64(h[2]*math.Abs(l.Z))
			length := math.Sqrt(ll)
			up, down := (min(p, o)-reach)/length, (-max(p, o)-reach)/length
			s, sign := up, 1/length
			if down > up {
				s, sign = down, -1/length
			}
			if s > limit {
				return false
			}
			if s > x.most+x.slack {
				x.most, x.slack = s, 0
				x.n = a.x.Mul(l.X*sign).AddMul(l.Y*sign, a.y).AddMul(l.Z*sign, a.z)
			}
		}
	}
	return x.resolve(rel, a, b, limit, q)
}

func component(v geom.DVec3, i int) float64 {
	switch i {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}

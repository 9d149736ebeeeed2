package narrow

import (
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// relateAABBs is exact: along each axis the boxes are intervals.
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
	// Along the other axes, the middle of what both share; along this one, their faces.
	r.pa = m.AddMul(a.p.AddMul(a.half.Dot(absolute(r.n)), r.n).Sub(m).Dot(r.n), r.n)
	r.pb = r.pa.AddMul(r.dist, r.n)
	return true
}

// overlap returns, along one axis, the middle of what two intervals share or of the gap between
// them, and the points of each nearest to it.
func overlap(a, ha, b, hb float64) (mid, onA, onB float64) {
	lo, hi := max(a-ha, b-hb), min(a+ha, b+hb)
	mid = float64((lo + hi) / 2)
	return mid, max(a-ha, min(mid, a+ha)), max(b-hb, min(mid, b+hb))
}

func absolute(v geom.DVec3) geom.DVec3 {
	return geom.DVec3{X: math.Abs(v.X), Y: math.Abs(v.Y), Z: math.Abs(v.Z)}
}

// axes is a search over separating axes. It keeps the one along which two shapes are furthest
// apart, or overlap least.
type axes struct {
	most  float64
	n     geom.DVec3
	slack float64 // by how much the first pair of edges must be better
}

// face tries the normal of a face: n is a unit vector from a to b, and s the distance along it.
func (x *axes) face(s float64, n geom.DVec3) {
	if s > x.most {
		x.most, x.n = s, n
	}
}

// boxAxes is a search over the 15 axes that can separate two boxes (Gottschalk, Lin and Manocha
// 1996, "OBBTree"). Nine numbers are in rows, one for each axis of a.
type boxAxes struct {
	r    [9]float64 // the cosines between the axes
	t, d geom.DVec3 // from the centre of a to that of b, along the axes of a and of b
	// The distances of the boxes along the axes across pairs of edges, and of their centres along
	// these, times the lengths of the axes. The assembly writes rows of four.
	gaps    [9]float64
	_       float64
	middles [9]float64
	_       float64

	axes
	axis int // the best: 0 to 2 is that of a face of a, 3 to 5 of b, 6 + 3i + j of edges
	// close is the pair of edges that is best of those that are better than the best face by less
	// than the slack; 0 if there is none. Along its axis, the boxes are beside apart.
	close  int
	beside float64
	// scale makes the cross product of the pair of edges that is the best, or close, a unit vector
	// from a to b.
	scale float64
}

// relateBoxes finds the best axis of two boxes, and runs GJK only if they are apart.
func relateBoxes(rel *relation, a, b *Shape, limit float64, q question) bool {
	var x boxAxes
	return x.find(a, b, limit) && x.resolve(rel, a, b, limit, q)
}

// find finds the best axis. It returns false if two boxes are further apart than a limit.
func (x *boxAxes) find(a, b *Shape, limit float64) bool {
	found := int32(0)
	if useSIMD {
		found = measureSIMD(x, a, b, limit)
	} else {
		found = x.measure(a, b, limit)
	}
	if found < 0 {
		return false
	}
	x.axis, x.close, x.slack = int(found>>axisBits), 0, edgeBias*max(a.size, b.size)
	for left := uint32(found) & (1<<axisBits - 1); left != 0; left &= left - 1 {
		if !x.boxEdge(a, b, bits.TrailingZeros32(left), limit) {
			return false
		}
	}
	switch {
	case x.axis < 3:
		x.n = a.axis(x.axis).Mul(math.Copysign(1, component(x.t, x.axis)))
	case x.axis < 6:
		x.n = b.axis(x.axis - 3).Mul(math.Copysign(1, component(x.d, x.axis-3)))
	default:
		x.n = x.acrossEdges(a, b, x.axis)
	}
	return true
}

// axisBits is where the result of measure has the number of an axis.
const axisBits = 16

// measure computes the cosines, the distances along all axes and the best axis of a face. It
// returns −1 if the boxes are further apart than a limit along the axis of a face, and else a bit
// for each pair of edges whose axis may be better than that, with the axis from axisBits on.
func (x *boxAxes) measure(a, b *Shape, limit float64) int32 {
	gap := b.p.Sub(a.p).Add(geom.DVec3{}) // −0 has become 0, so that its sign decides nothing
	x.t = a.along(gap)
	rows := [3]geom.DVec3{b.along(a.x), b.along(a.y), b.along(a.z)}
	x.r = [9]float64{rows[0].X, rows[0].Y, rows[0].Z, rows[1].X, rows[1].Y, rows[1].Z, rows[2].X, rows[2].Y, rows[2].Z}
	r := [3]geom.DVec3{absolute(rows[0]), absolute(rows[1]), absolute(rows[2])}
	ha, hb := a.half, b.half
	x.most, x.axis = math.Abs(x.t.X)-ha.X-hb.Dot(r[0]), 0
	x.boxFace(1, math.Abs(x.t.Y)-ha.Y-hb.Dot(r[1]))
	x.boxFace(2, math.Abs(x.t.Z)-ha.Z-hb.Dot(r[2]))
	if x.most > limit {
		return -1
	}
	x.d = b.along(gap)
	reach := r[0].Mul(ha.X).AddMul(ha.Y, r[1]).AddMul(ha.Z, r[2])
	x.boxFace(3, math.Abs(x.d.X)-hb.X-reach.X)
	x.boxFace(4, math.Abs(x.d.Y)-hb.Y-reach.Y)
	x.boxFace(5, math.Abs(x.d.Z)-hb.Z-reach.Z)
	if x.most > limit {
		return -1
	}
	t, h := triple(x.t), triple(ha)
	left := int32(x.axis) << axisBits
	for i := range 3 {
		left |= x.measureEdges(i, &rows, &r, &t, &h, &hb)
	}
	return left
}

// measureEdges is measure for the pairs of the edges along axis i of a. The rows of the cosines are
// given, the same without signs, the way between the centres and the half extents along the axes of
// a, and the half extents of b.
func (x *boxAxes) measureEdges(i int, rows, absolutes *[3]geom.DVec3, way, ha *[3]float64, hb *geom.DVec3) int32 {
	i1, i2 := next[i], next[i+1] // the two axes of a after i
	u, v, r, r1, r2 := &rows[i1], &rows[i2], &absolutes[i], &absolutes[i1], &absolutes[i2]
	t1, t2, h1, h2 := way[i1], way[i2], ha[i1], ha[i2]
	mid := geom.DVec3{
		X: float64(u.X*t2) - float64(v.X*t1),
		Y: float64(u.Y*t2) - float64(v.Y*t1),
		Z: float64(u.Z*t2) - float64(v.Z*t1),
	}
	// For L = the axis of a × each of b's: gap·L, less the extent of both boxes along L.
	g := geom.DVec3{
		X: math.Abs(mid.X) - (float64(r2.X*h1) + float64(h2*r1.X) + float64(hb.Y*r.Z) + float64(hb.Z*r.Y)),
		Y: math.Abs(mid.Y) - (float64(r2.Y*h1) + float64(h2*r1.Y) + float64(hb.Z*r.X) + float64(hb.X*r.Z)),
		Z: math.Abs(mid.Z) - (float64(r2.Z*h1) + float64(h2*r1.Z) + float64(hb.X*r.Y) + float64(hb.Y*r.X)),
	}
	to, at := x.middles[3*i:][:3], x.gaps[3*i:][:3]
	to[0], to[1], to[2] = mid.X, mid.Y, mid.Z
	at[0], at[1], at[2] = g.X, g.Y, g.Z
	bound := min(x.most, 0)
	if g.X <= bound && g.Y <= bound && g.Z <= bound {
		return 0
	}
	square := float64(float64(bound*bound) * (1 + rootSlack))
	may := mayBeBetter(g.X, r.X, bound, square) | mayBeBetter(g.Y, r.Y, bound, square)<<1 | mayBeBetter(g.Z, r.Z, bound, square)<<2
	return may << (3 * i)
}

// mayBeBetter returns 1 unless a pair of edges certainly separates two boxes no further than a
// face, by bound or more. g is the distance along its axis times the length of the axis, of which
// cos² is 1 less the square. No axis is longer than 1, so that a negative distance along it is no
// more than g.
func mayBeBetter(g, cos, bound, square float64) int32 {
	ll := 1 - float64(cos*cos)
	if g <= bound || g <= 0 && float64(g*g) >= float64(square*ll) && ll >= cancelling {
		return 0
	}
	return 1
}

// along returns the components of a vector along the axes of a box.
func (s *Shape) along(d geom.DVec3) geom.DVec3 {
	return geom.DVec3{X: s.x.Dot(d), Y: s.y.Dot(d), Z: s.z.Dot(d)}
}

// axis returns an axis of a box.
func (s *Shape) axis(i int) *geom.DVec3 {
	switch i {
	case 0:
		return &s.x
	case 1:
		return &s.y
	}
	return &s.z
}

// boxFace tries the normal of a face, along which two boxes are s apart.
func (x *boxAxes) boxFace(axis int, s float64) {
	if s > x.most {
		x.most, x.axis = s, axis
	}
}

// isBetter reports whether a pair of edges along whose axis the shapes are s apart is preferred to
// the best axis: it is better by the slack, or the first to separate the shapes.
func (x *axes) isBetter(s float64) bool { return s > x.most+x.slack || s > 0 && x.most <= 0 }

// mayBeBy reports whether a pair of edges may give the best axis, or one along which the distance
// is more than a limit that is not negative. g is the distance along its axis times the axis's
// length, of which ll is the square. It takes no root; rounding puts the squares off by less than
// rootSlack.
func (x *axes) mayBeBy(g, ll float64) bool {
	t := x.most + x.slack
	return !(g <= 0 && (t >= 0 || g*g >= t*t*ll*(1+rootSlack)))
}

// boxEdge tries the axis across a pair of edges. It returns false if the distance along it is more
// than the limit.
func (x *boxAxes) boxEdge(a, b *Shape, pair int, limit float64) bool {
	i, j := pair/3, pair%3
	cos := x.r[pair]
	ll := 1 - float64(cos*cos)
	if ll < cancelling {
		// Here 1 − cos² has cancelled. Edges that are almost parallel add nothing to the faces.
		n := a.axis(i).Cross(*b.axis(j))
		if !(n.Len() > parallelAxes) {
			return true
		}
		ll = n.Dot(n)
	}
	l := math.Sqrt(ll)
	s := x.gaps[pair] / l
	if x.isBetter(s) {
		x.most, x.slack, x.axis, x.close, x.scale = s, 0, 6+pair, 0, math.Copysign(1/l, x.middles[pair])
	} else if s > x.most && x.axis < 6 && (x.close == 0 || s > x.beside) {
		x.close, x.beside, x.scale = 6+pair, s, math.Copysign(1/l, x.middles[pair])
	}
	return !(s > limit)
}

// acrossEdges returns the axis of the pair of edges that is the best, or close.
func (x *boxAxes) acrossEdges(a, b *Shape, axis int) geom.DVec3 {
	return a.axis((axis - 6) / 3).Cross(*b.axis((axis - 6) % 3)).Mul(x.scale)
}

// resolve makes a relation of the best axis. If that separates the shapes, their distance may be
// more than along it, and GJK finds it; for contacts, the clipped faces may prove that it is no
// more, which saves the search.
func (x *axes) resolve(rel *relation, a, b *Shape, limit float64, q question) bool {
	if q == askOverlap {
		rel.dist = x.most
		return x.most <= limit
	}
	if q == askDistance || x.most > faint*max(a.size, b.size) && q != askContacts {
		return x.search(rel, a, b, limit, q)
	}
	rel.dist, rel.n, rel.unseen, rel.least, rel.apart, rel.inexact = x.most, x.n, true, x.most > 0, false, false
	return true
}

// search finds the distance of two shapes, or a point in both, by GJK. Axes and GJK are each
// rounded; where they disagree on whether the shapes overlap, the axes decide, as they do in
// Overlaps.
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

// relateBoxTriangle tries the 13 axes that can separate a box and a triangle (Akenine-Möller 2001,
// "Fast 3D triangle-box overlap testing"), and runs GJK only if they are apart.
func relateBoxTriangle(rel *relation, a, b *Shape, limit float64, q question) bool {
	h := [3]float64{a.half.X, a.half.Y, a.half.Z}
	u := [3]geom.DVec3{a.x, a.y, a.z}
	o, e, f := a.toBox(b.p), a.along(b.e), a.along(b.f)
	corners := [3]geom.DVec3{o, o.Add(e), o.Add(f)}
	n := geom.DVec3{X: a.x.Dot(b.u), Y: a.y.Dot(b.u), Z: a.z.Dot(b.u)}
	x := axes{most: math.Inf(-1)}

	// The triangle's plane, from the side on which more of the box is: there the way out is
	// shorter.
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
	x.slack = edgeBias * max(a.size, b.size)
	// A corner of the triangle within the box is no less deep along any other axis.
	if in := max(a.inward(&corners[0]), a.inward(&corners[1]), a.inward(&corners[2])); in > x.slack && -in <= x.most+float64(x.slack/2) {
		return x.resolve(rel, a, b, limit, q)
	}
	for k := range 3 {
		c, o := &corners[k], &corners[(k+2)%3]
		e := corners[(k+1)%3].Sub(*c)
		ee := e.Dot(e)
		// For L = each axis of the box × e: the edge and the third corner along L.
		d, pc, po := triple(e), triple(e.Cross(*c)), triple(e.Cross(*o))
		for i := range 3 {
			i1, i2 := next[i], next[i+1]
			e1, e2 := d[i1], d[i2]
			ll := float64(e1*e1) + float64(e2*e2)
			if !(ll > alongAxis*ee) {
				continue
			}
			p, o := pc[i], po[i]
			reach := float64(h[i1]*math.Abs(e2)) + float64(h[i2]*math.Abs(e1))
			up, down := min(p, o)-reach, -max(p, o)-reach
			if !x.mayBeBy(max(up, down), ll) {
				continue
			}
			length := math.Sqrt(ll)
			up, down = up/length, down/length
			s, sign := up, 1/length
			if down > up {
				s, sign = down, -1/length
			}
			if s > limit {
				return false
			}
			if x.isBetter(s) {
				x.most, x.slack = s, 0
				x.n = u[i2].Mul(e1*sign).AddMul(-e2*sign, u[i1])
			}
		}
	}
	return x.resolve(rel, a, b, limit, q)
}

// inward returns how far a point in a box's own space is inward of its nearest face.
func (s *Shape) inward(p *geom.DVec3) float64 {
	return min(s.half.X-math.Abs(p.X), s.half.Y-math.Abs(p.Y), s.half.Z-math.Abs(p.Z))
}

func triple(v geom.DVec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

func component(v geom.DVec3, i int) float64 {
	switch i {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}

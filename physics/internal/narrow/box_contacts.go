package narrow

import (
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// This file holds the contacts of two boxes, the most frequent pair. They are those of
// Finder.related, in the frame of the box whose face is the reference: there its sides are pairs of
// lines along the axes, and the cosines that the search over axes has computed place the other box.

// boxes finds the contacts of two boxes in order.
func (f *Finder) boxes(a, b *Shape, margin float64) {
	x := &f.axes
	if b.kind == KindAABB {
		if !x.findAligned(a, b) {
			var r relation
			if relate(&r, a, b, margin, askContacts) {
				f.related(a, b, &r, margin)
			}
			return
		}
		if x.most > margin || f.aligned(a, b, x) {
			return
		}
	} else if !x.find(a, b, margin) {
		return
	}
	// The normal along the axes of both.
	var la, lb [3]float64
	switch {
	case x.axis < 3:
		sign := math.Copysign(1, component(x.t, x.axis))
		row := x.r[3*x.axis:][:3]
		la[x.axis] = sign
		lb = [3]float64{-float64(sign * row[0]), -float64(sign * row[1]), -float64(sign * row[2])}
	case x.axis < 6:
		j := x.axis - 3
		sign := math.Copysign(1, component(x.d, j))
		la = [3]float64{float64(sign * x.r[j]), float64(sign * x.r[j+3]), float64(sign * x.r[j+6])}
		lb[j] = -sign
	default:
		la, lb = alongBoth(a, b, x.n)
	}
	f.facing(a, b, x, x.n, &la, &lb, margin)
	r := relation{dist: x.most, n: x.n, unseen: true, least: x.most > 0}
	if f.reaches(a, b, &r) || x.close != 0 && f.resettle(a, b, x, &r, margin) {
		return
	}
	f.settle(a, b, &r, margin)
}

// alongBoth returns a direction along the axes of a box, and the opposite along those of another.
func alongBoth(a, b *Shape, n geom.DVec3) (la, lb [3]float64) {
	return triple(a.along(n)), triple(b.along(n).Neg())
}

// facing writes the contacts of the faces of two boxes through which the normal leads, or of edges
// if no face is across it. The normal is given along the axes of both too.
func (f *Finder) facing(a, b *Shape, x *boxAxes, n geom.DVec3, la, lb *[3]float64, margin float64) {
	faceA, alignA := a.boxFacing(la)
	faceB, alignB := b.boxFacing(lb)
	f.Normal, f.N, f.edges.found = n, 0, false
	switch {
	case alignA < faceOn && alignB < faceOn:
		if x.axis < 6 || !f.crossed(a, b, x, la, lb) {
			f.onEdges(a, b, margin)
		}
	case alignA >= faceOn && alignA >= alignB-facePreferred:
		f.clipBoxFaces(x, a, b, faceA, faceB, la, margin, false)
	default:
		f.clipBoxFaces(x, b, a, faceB, faceA, lb, margin, true)
	}
}

// resettle is settle for two boxes whose contacts on a face are not as deep as the face's axis,
// while the axis of two edges is better by less than the slack. Then the boxes touch where these
// edges cross. It returns false if they do not.
func (f *Finder) resettle(a, b *Shape, x *boxAxes, r *relation, margin float64) bool {
	n := x.acrossEdges(a, b, x.close)
	la, lb := alongBoth(a, b, n)
	if !r.least {
		// They cross once b is moved out of a.
		p, off, ok := x.cross(a, b, x.close, &la, &lb, r.n.Mul(-r.dist))
		if !ok || off.Dot(off) > float64(x.slack*x.slack) {
			return false
		}
		r.pa, r.pb, r.unseen = p, p.AddMul(r.dist, r.n), false
	} else {
		p, _, ok := x.cross(a, b, x.close, &la, &lb, geom.DVec3{})
		if !ok {
			return false
		}
		*r = relation{dist: x.beside, n: n, pa: p, pb: p.AddMul(x.beside, n)}
		f.facing(a, b, x, n, &la, &lb, margin)
	}
	f.complete(a, b, r)
	return true
}

// findAligned is find for two boxes along the axes of the world. It returns false if they are apart
// along more than one.
func (x *boxAxes) findAligned(a, b *Shape) bool {
	*x = boxAxes{}
	x.t = b.p.Sub(a.p).Add(geom.DVec3{}) // as in measure
	x.d = x.t
	x.r[0], x.r[4], x.r[8] = 1, 1, 1
	g := absolute(x.t).Sub(a.half).Sub(b.half)
	x.most = g.X
	x.boxFace(1, g.Y)
	x.boxFace(2, g.Z)
	*[3]*float64{&x.n.X, &x.n.Y, &x.n.Z}[x.axis] = math.Copysign(1, component(x.t, x.axis))
	return max(g.X, 0)+max(g.Y, 0)+max(g.Z, 0) <= max(x.most, 0)
}

// aligned writes the contacts of two boxes along the axes of the world, and returns false if either
// has no area across their axis. Their faces share a rectangle, whose corners are the contacts.
func (f *Finder) aligned(a, b *Shape, x *boxAxes) bool {
	i := x.axis
	d, ha, hb := [3]float64{x.t.X, x.t.Y, x.t.Z}, triple(a.half), triple(b.half)
	j, k := next[i], next[i+1]
	if !(ha[j] > 0 && ha[k] > 0 && hb[j] > 0 && hb[k] > 0) {
		return false
	}
	up := math.Copysign(1, d[i])
	faceA, faceB := 2*i, 2*i+1
	upper := 0 // the bit of i in the vertices of a's face
	if up > 0 {
		faceA, faceB, upper = faceB, faceA, 1<<i
	}
	slack := float64(touching * a.size)
	o := triple(a.p)
	for q, v := range &boxFaces[faceB] {
		p := o
		p[i] += float64(up * ha[i])
		// Along each axis of the face, the corner of b, or the side of a that it is beyond.
		at, beyond := upper, 0
		for _, axis := range [2]int{j, k} {
			sign := float64(v>>axis&1)*2 - 1
			c := d[axis] + float64(sign*hb[axis])
			if float64(sign*c) > ha[axis]+slack {
				c = float64(sign * ha[axis])
				beyond |= 1 << axis
			}
			at |= int(v) & (1 << axis)
			p[axis] += c
		}
		c := &f.Points[q]
		switch beyond {
		case 0:
			c.FeatureA, c.FeatureB = faceKind|Feature(faceA), vertexKind|Feature(v)
		case 1 << j:
			c.FeatureA, c.FeatureB = edgeKind|Feature(boxEdgeAt(at, k)), edgeKind|Feature(boxEdgeAt(int(v), j))
		case 1 << k:
			c.FeatureA, c.FeatureB = edgeKind|Feature(boxEdgeAt(at, j)), edgeKind|Feature(boxEdgeAt(int(v), k))
		default:
			c.FeatureA, c.FeatureB = vertexKind|Feature(at), faceKind|Feature(faceB)
		}
		c.PointA, c.Depth = geom.DVec3{X: p[0], Y: p[1], Z: p[2]}, -x.most
		c.PointB = c.PointA.AddMul(x.most, x.n)
	}
	f.Normal, f.N = x.n, maxContacts
	return true
}

// crossed writes the one contact of the edges whose axis is the best, and returns false if they do
// not cross, or if they run side by side.
func (f *Finder) crossed(a, b *Shape, x *boxAxes, la, lb *[3]float64) bool {
	pa, _, ok := x.cross(a, b, x.axis, la, lb, geom.DVec3{})
	if !ok {
		return false
	}
	p := &f.Points[0]
	p.PointA, p.PointB, p.Depth = pa, pa.AddMul(x.most, x.n), -x.most
	p.FeatureA = edgeKind | Feature(boxEdgeAt(signsOf(la), (x.axis-6)/3))
	p.FeatureB = edgeKind | Feature(boxEdgeAt(signsOf(lb), (x.axis-6)%3))
	f.N = 1
	return true
}

// cross returns the point of an edge of a that is nearest to an edge of b, moved by a vector, and
// the way from there to that edge. The edges are those of an axis that face the directions la and
// lb, given along the axes of a and of b. It returns false if they do not cross, if they run side
// by side, or if other edges face the same way.
func (x *boxAxes) cross(a, b *Shape, axis int, la, lb *[3]float64, by geom.DVec3) (pa, off geom.DVec3, ok bool) {
	i, j := (axis-6)/3, (axis-6)%3
	c := x.r[3*i+j]
	free := 1 - float64(c*c)
	i1, i2, j1, j2 := next[i], next[i+1], next[j], next[j+1]
	if !(free > parallel*parallel*(1+parallelSlack)) || math.Abs(la[i1]) < onFeature || math.Abs(la[i2]) < onFeature ||
		math.Abs(lb[j1]) < onFeature || math.Abs(lb[j2]) < onFeature {
		return pa, off, false
	}
	// From the middle of one edge to that of the other, and where they are nearest.
	u, v := a.axis(i), b.axis(j)
	ma := a.p.AddMul(math.Copysign(component(a.half, i1), la[i1]), *a.axis(i1)).AddMul(math.Copysign(component(a.half, i2), la[i2]), *a.axis(i2))
	mb := b.p.AddMul(math.Copysign(component(b.half, j1), lb[j1]), *b.axis(j1)).AddMul(math.Copysign(component(b.half, j2), lb[j2]), *b.axis(j2))
	w := mb.Sub(ma).Add(by)
	wu, wv := w.Dot(*u), w.Dot(*v)
	s := (wu - float64(c*wv)) / free
	t := float64(s*c) - wv
	ok = math.Abs(s) <= component(a.half, i) && math.Abs(t) <= component(b.half, j)
	return ma.AddMul(s, *u), w.AddMul(t, *v).AddMul(-s, *u), ok
}

func signsOf(l *[3]float64) int { return signs(geom.DVec3{X: l[0], Y: l[1], Z: l[2]}) }

// boxFacing is facing for a box and a direction along its axes.
func (s *Shape) boxFacing(l *[3]float64) (face int, align float64) {
	i := 0
	if math.Abs(l[1]) > math.Abs(l[i]) {
		i = 1
	}
	if math.Abs(l[2]) > math.Abs(l[i]) {
		i = 2
	}
	return s.boxFace(i, l[i])
}

// boxFace returns the face of a box across an axis, on the side of the sign of l, and the magnitude
// of l; −1 if the face has no area.
func (s *Shape) boxFace(axis int, l float64) (face int, align float64) {
	face, align = 2*axis, math.Abs(l)
	if !(l < 0) {
		face++
	}
	if h := &s.half; !(h.X > 0 && h.Y > 0 && h.Z > 0) && !(component(*h, next[axis]) > 0 && component(*h, next[axis+1]) > 0) {
		align = -1
	}
	return face, align
}

// clipBoxFaces writes the contacts of the reference face, of the box ref, with the incident face,
// of the box inc. Along the axes of ref, the normal that leads out of it is l. If exchanged, ref is
// the second of the two boxes whose axes were searched.
func (f *Finder) clipBoxFaces(x *boxAxes, ref, inc *Shape, refFace, incFace int, l *[3]float64, margin float64, exchanged bool) {
	// In the frame of ref, the centre of inc is at t, and component i of axis m of inc is
	// r[i·strideI + m·strideM].
	t, r, strideI, strideM := x.t, &x.r, 3, 1
	if exchanged {
		t, strideI, strideM = x.d.Neg(), 1, 3
	}
	i, m := refFace/2, incFace/2
	j, k := next[i], next[i+1]
	m1, m2 := next[m], next[m+1]
	up, align, h, hi := float64(refFace&1)*2-1, math.Abs(l[i]), triple(ref.half), triple(inc.half)
	// Places are projected to the face along the normal: x and y within it, and depth below it.
	tx, ty, td := float64(up*l[j])/align, float64(up*l[k])/align, -up/align
	place := func(x, y, z, scale float64) geom.DVec3 {
		return geom.DVec3{X: float64((x - float64(z*tx)) * scale), Y: float64((y - float64(z*ty)) * scale), Z: float64(float64(z*td) * scale)}
	}
	row := func(m int, scale float64) geom.DVec3 {
		m *= strideM
		return place(r[j*strideI+m], r[k*strideI+m], r[i*strideI+m], scale)
	}
	slack := float64(touching * ref.size)
	clip, c := &f.clipped, triple(t)
	clip.mid = place(c[j], c[k], c[i]-float64(up*h[i]), 1).Add(row(m, float64(incFace&1)*2-1).Mul(hi[m]))
	clip.e, clip.g = row(m1, hi[m1]), row(m2, hi[m2])
	clip.x, clip.y, clip.margin = h[j]+slack, h[k]+slack, margin
	left := clip.run()
	if bits.OnesCount32(left) > maxContacts {
		left = clip.reduce(left)
	}
	u, v, out := ref.axis(j), ref.axis(k), f.Normal
	if exchanged {
		out = out.Neg()
	}
	o := ref.p.AddMul(float64(up*h[i]), *ref.axis(i))
	onInc, onRef := &boxFeatures[incFace].incident, &boxFeatures[refFace].reference
	n := 0
	for ; left != 0; left &= left - 1 {
		q := bits.TrailingZeros32(left)
		depth := clip.at[2][q]
		on := o.AddMul(clip.at[0][q], *u).AddMul(clip.at[1][q], *v)
		rim := clip.rims[q]
		if rim < noRim {
			q |= 4 // a side, also where it begins
		}
		c := &f.Points[n]
		c.Depth = depth
		if exchanged {
			c.PointA, c.PointB, c.FeatureA, c.FeatureB = on.AddMul(-depth, out), on, onInc[q], onRef[rim]
		} else {
			c.PointA, c.PointB, c.FeatureA, c.FeatureB = on, on.AddMul(-depth, out), onRef[rim], onInc[q]
		}
		n++
	}
	f.N = n
}

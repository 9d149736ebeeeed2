package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// This file holds the contacts of two boxes, the most frequent pair. They are those of
// Finder.related, in the frame of the box whose face is the reference: there its sides are pairs of
// lines along the axes, and the cosines that the search over axes has computed place the other box.

// rim is a side of a box's face: along the axis of the face, 0 or 1, the face ends at the half
// extent with this sign.
type rim struct {
	axis, bit int // bit is that of beyondRims
	sign      float64
}

// boxRims holds the sides of each face of a box in the order of boxFaces.
var boxRims = func() (rims [6][4]rim) {
	for f, corners := range boxFaces {
		for k, v := range corners {
			w := corners[(k+1)%4]
			for axis := range 2 {
				if at := next[f/2+axis]; v>>at&1 == w>>at&1 {
					side := int(v >> at & 1)
					rims[f][k] = rim{axis, 2*axis + side, float64(side)*2 - 1}
				}
			}
		}
	}
	return rims
}()

// boxPatches holds the faces of a box as patches without places.
var boxPatches = func() (patches [6]patch) {
	for f, corners := range boxFaces {
		p := &patches[f]
		p.n, p.face = len(corners), f
		for k, v := range corners {
			p.c[k].vertex, p.c[k].edge = v, boxSides[f][k]
		}
	}
	return patches
}()

// boxes finds the contacts of two boxes in order.
func (f *Finder) boxes(a, b *Shape, margin float64) {
	var x boxAxes
	if b.kind == KindAABB {
		if !x.findAligned(a, b) {
			var r relation
			if relate(&r, a, b, margin, askContacts) {
				f.related(a, b, &r, margin)
			}
			return
		}
		if x.most > margin || f.aligned(a, b, &x) {
			return
		}
	} else if !x.find(a, b, margin) {
		return
	}
	var r relation
	r.dist, r.n, r.unseen, r.least = x.most, x.n, true, x.most > 0
	// The normal along the axes of both, and the faces that it leads through.
	var la, lb [3]float64
	var faceA, faceB int
	alignA, alignB := -1.0, -1.0
	switch {
	case x.axis < 3:
		sign := math.Copysign(1, component(x.t, x.axis))
		la[x.axis] = sign
		row := &x.r[x.axis]
		lb = [3]float64{-float64(sign * row.X), -float64(sign * row.Y), -float64(sign * row.Z)}
		faceA, alignA = a.boxFace(x.axis, sign)
		faceB, alignB = b.boxFacing(&lb)
	case x.axis < 6:
		j := x.axis - 3
		sign := math.Copysign(1, component(x.d, j))
		lb[j] = -sign
		la = [3]float64{float64(sign * component(x.r[0], j)), float64(sign * component(x.r[1], j)), float64(sign * component(x.r[2], j))}
		faceA, alignA = a.boxFacing(&la)
		faceB, alignB = b.boxFace(j, -sign)
	default:
		u, v := a.along(x.n), b.along(x.n)
		la, lb = [3]float64{u.X, u.Y, u.Z}, [3]float64{-v.X, -v.Y, -v.Z}
		if isAlong(&la) || isAlong(&lb) {
			faceA, alignA = a.boxFacing(&la)
			faceB, alignB = b.boxFacing(&lb)
		}
	}
	f.Normal, f.N, f.edges.found = x.n, 0, false
	switch {
	case alignA < faceOn && alignB < faceOn:
		if x.axis >= 6 && f.crossed(a, b, &x, &la, &lb) {
			return
		}
		f.onEdges(a, b, margin)
	case alignA >= faceOn && alignA >= alignB-facePreferred:
		t := [3]float64{x.t.X, x.t.Y, x.t.Z}
		to := [3][3]float64{{x.r[0].X, x.r[1].X, x.r[2].X}, {x.r[0].Y, x.r[1].Y, x.r[2].Y}, {x.r[0].Z, x.r[1].Z, x.r[2].Z}}
		f.onBox(a, faceA, alignA, b, faceB, &t, &to, &la, x.n, margin, false)
	default:
		t := [3]float64{-x.d.X, -x.d.Y, -x.d.Z}
		to := [3][3]float64{{x.r[0].X, x.r[0].Y, x.r[0].Z}, {x.r[1].X, x.r[1].Y, x.r[1].Z}, {x.r[2].X, x.r[2].Y, x.r[2].Z}}
		f.onBox(b, faceB, alignB, a, faceA, &t, &to, &lb, x.n.Neg(), margin, true)
	}
	if x.close != 0 && !f.reaches(a, b, &r) && f.resettle(a, b, &x, &r, margin) {
		return
	}
	f.settle(a, b, &r, margin)
}

// resettle is settle for two boxes whose contacts on a face are not as deep as the face's axis,
// while the axis of two edges is better by less than the slack. Then the boxes touch where these
// edges cross. It returns false if they do not.
func (f *Finder) resettle(a, b *Shape, x *boxAxes, r *relation, margin float64) bool {
	n := x.acrossEdges(a, b, x.close)
	u, v := a.along(n), b.along(n)
	la, lb := [3]float64{u.X, u.Y, u.Z}, [3]float64{-v.X, -v.Y, -v.Z}
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
		f.fill(a, b, r, margin)
	}
	f.complete(a, b, r)
	return true
}

// findAligned is find for two boxes along the axes of the world. It returns false if they are apart
// along more than one.
func (x *boxAxes) findAligned(a, b *Shape) bool {
	x.t = b.p.Sub(a.p).Add(geom.DVec3{}) // as in find
	x.d = x.t
	x.r[0].X, x.r[1].Y, x.r[2].Z = 1, 1, 1
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
	c := component(x.r[i], j)
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

// isAlong reports whether a direction along the axes of a box is so nearly along one of them that
// its face makes the contacts.
func isAlong(l *[3]float64) bool {
	return math.Abs(l[0]) >= faceOn || math.Abs(l[1]) >= faceOn || math.Abs(l[2]) >= faceOn
}

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

// onBox writes the contacts of a face of the box ref with a face of the box inc. If exchanged, ref
// is the second shape. The normal that leads out of ref is out. In the frame of ref it is l, the
// centre of inc is at t and its axes are to.
func (f *Finder) onBox(ref *Shape, refFace int, align float64, inc *Shape, incFace int, t *[3]float64, to *[3][3]float64, l *[3]float64, out geom.DVec3, margin float64, exchanged bool) {
	i, m := refFace/2, incFace/2
	j, k := next[i], next[i+1]
	up, h := float64(refFace&1)*2-1, [3]float64{ref.half.X, ref.half.Y, ref.half.Z}
	// Places are projected to the face along the normal: x and y within it, and depth below it.
	tx, ty, td := float64(up*l[j])/align, float64(up*l[k])/align, -up/align
	place := func(v *[3]float64, scale float64) geom.DVec3 {
		z := v[i]
		return geom.DVec3{X: float64((v[j] - float64(z*tx)) * scale), Y: float64((v[k] - float64(z*ty)) * scale), Z: float64(float64(z*td) * scale)}
	}
	hi := [3]float64{inc.half.X, inc.half.Y, inc.half.Z}
	c := [3]float64{t[0], t[1], t[2]}
	c[i] -= float64(up * h[i])
	mid := place(&c, 1).Add(place(&to[m], float64(incFace&1)*2-1).Mul(hi[m]))
	m1, m2 := next[m], next[m+1]
	e, g := place(&to[m1], hi[m1]), place(&to[m2], hi[m2])
	s, spare := f.spots[:4], f.spare[:]
	onRef, onInc := &boxPatches[refFace], &boxPatches[incFace]
	for q := range s {
		c := &onInc.c[q]
		p := mid.Sub(e)
		if c.vertex>>m1&1 != 0 {
			p = mid.Add(e)
		}
		if c.vertex>>m2&1 != 0 {
			p = p.Add(g)
		} else {
			p = p.Sub(g)
		}
		s[q].of(c, onRef)
		s[q].p = p
	}
	slack := float64(touching * ref.size)
	half := [2]float64{h[j], h[k]}
	if beyond := beyondRims(s, half[0]+slack, half[1]+slack); beyond != 0 && !isWithin(s, half[0]+slack, half[1]+slack, margin) {
		for q, r := range &boxRims[refFace] {
			if beyond>>r.bit&1 != 0 && isCutByRim(s, r, half[r.axis], slack) {
				left := cut(spare, s, q, onInc, onRef, slack)
				s, spare = spare[:left], s[:maxClipped]
			}
		}
	}
	if len(s) > maxContacts {
		kept := 0
		for q := range s {
			if s[q].depth = s[q].p.Z; s[q].depth >= -margin {
				if kept < q {
					s[kept] = s[q]
				}
				kept++
			}
		}
		s = s[:reduce(s[:kept], geom.DVec3{Z: 1})]
	}
	x, y := ref.axis(j), ref.axis(k)
	o := ref.p.AddMul(float64(up*h[i]), *ref.axis(i))
	n := 0
	for q := range s {
		p := &s[q]
		depth := p.p.Z
		if !(depth >= -margin) {
			continue
		}
		on := o.AddMul(p.p.X, *x).AddMul(p.p.Y, *y)
		c := &f.Points[n]
		c.Depth = depth
		if exchanged {
			c.PointA, c.PointB, c.FeatureA, c.FeatureB = on.AddMul(-depth, out), on, p.inc, p.ref
		} else {
			c.PointA, c.PointB, c.FeatureA, c.FeatureB = on, on.AddMul(-depth, out), p.ref, p.inc
		}
		n++
	}
	f.N = n
}

// beyondRims returns a bit for each of the sides −x, x, −y and y of a face that a polygon is
// beyond.
func beyondRims(s []spot, x, y float64) (bits int) {
	for i := range s {
		p := &s[i].p
		if p.X < -x {
			bits |= 1
		}
		if p.X > x {
			bits |= 2
		}
		if p.Y < -y {
			bits |= 4
		}
		if p.Y > y {
			bits |= 8
		}
	}
	return bits
}

// isWithin reports whether the part of a polygon that is within the margin of a face is over the
// face. Nothing that gives a contact is clipped then.
func isWithin(s []spot, x, y, margin float64) bool {
	a := &s[len(s)-1].p
	for i := range s {
		b := &s[i].p
		from, to := a.Z >= -margin, b.Z >= -margin
		if to && (math.Abs(b.X) > x || math.Abs(b.Y) > y) {
			return false
		}
		if from != to {
			t := (a.Z + margin) / (a.Z - b.Z)
			if math.Abs(a.X+float64(t*(b.X-a.X))) > x || math.Abs(a.Y+float64(t*(b.Y-a.Y))) > y {
				return false
			}
		}
		a = b
	}
	return true
}

// isCutByRim is isCut for a side of a box's face.
func isCutByRim(s []spot, r rim, half, slack float64) bool {
	beyond := false
	for i := range s {
		p := &s[i]
		at := p.p.X
		if r.axis == 1 {
			at = p.p.Y
		}
		p.depth = float64(r.sign*at) - half
		beyond = beyond || p.depth > slack
	}
	return beyond
}

package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// HullAxes keeps the axes of two hulls that may be the best while the hulls move little against
// each other, for a tracker that compares the pair each tick. It is a Verlet list (Verlet 1967):
// particles within a distance that is larger than needed are listed, and the list serves until
// something has moved further.
//
// No point of the second hull, as seen from the first, is further from where it was than some
// distance. So along no direction has the separation of the hulls changed by more. When the list is
// filled it gets each face that separates the hulls better than some least separation, and each
// pair of edges that does or that a small rotation makes do so. Later the best axis is on the list
// if a face of the list separates by more than that least separation and the distance together.
//
// The answer is that of relateHull to the bit, and so does not depend on what is kept. The zero
// HullAxes is ready for use.
type HullAxes struct {
	a, b   *hull.Hull
	scale  float64  // of a
	pose   hullPose // when the list was filled, or of the comparison before
	filled bool
	uses   int        // answers from the list
	reach  float64    // by how much a face of the list may be worse than the best, in metres
	turn   float64    // how far b may be rotated, in radians
	least  float64    // no other axis separates by more
	faces  []keptFace // of a, then of b
	best   int        // of the faces
	pairs  []keptPair // in the order in which relateHull tries them
}

// keptFace is a face of the first hull, or of the second by its complement, and by how much it
// separated the hulls when the list was filled.
type keptFace struct {
	number int32
	most   float64
}

// keptPair is an edge of each hull. No direction that lies across both after a rotation by an angle
// separated the hulls by more than most and the product of the angle and perRadian.
type keptPair struct {
	a, b            uint16
	most, perRadian float64
}

const (
	// keptReach is the reach of a list, as a multiple of the radii of both hulls over the number of
	// their faces. More: the list is longer, and serves for longer.
	keptReach = 2
	// keptShare is the fraction of the reach that a pair may move from one comparison to the next
	// for a list to be filled. More: it is filled for pairs that soon need another.
	keptShare = 1. / 8
	// keptUses is how many answers a list has to give to be filled again at once, which takes as
	// long as one and a half comparisons. Less: what moves fast takes longer than without a list.
	keptUses = 4
	// maxKeptFaces and maxKeptPairs are the most faces and pairs of edges of a list. A pair that
	// needs more gets half the reach.
	maxKeptFaces, maxKeptPairs = 24, 48
	// keptAngle is the squared sine of the angle between two edges below which their axis may turn
	// so far that they are always listed.
	keptAngle = 0.01
)

// hullPose is the map of one hull as seen by another, in metres, and the middle of the other as
// seen by the one.
type hullPose struct{ x, y, z, p, middle geom.DVec3 }

// away returns a bound on how far a point within a radius, in the hull's own space, or the other's
// middle is from where it was; and one on the rotation times the hull's scale.
func (p *hullPose) away(o *hullPose, radius float64) (far, turned float64) {
	x, y, z := p.x.Sub(o.x), p.y.Sub(o.y), p.z.Sub(o.z)
	// The Frobenius norm exceeds the spectral one.
	turned = math.Sqrt(x.Dot(x) + y.Dot(y) + z.Dot(z))
	return max(p.p.Sub(o.p).Len()+float64(turned*radius), p.middle.Sub(o.middle).Len()), turned
}

// relate finds the relation of two shapes, if they are hulls of which the list has the best axis.
func (k *HullAxes) relate(rel *relation, a, b *Shape, limit float64) bool {
	if a.kind != KindHull || b.kind != KindHull || a.planar || b.planar || !a.isPrunable() || !b.isPrunable() {
		return false
	}
	scaleA, scaleB := a.x.Len(), b.x.Len()
	gap := b.p.Sub(a.p)
	ca, _ := a.innerSphere()
	p := hullPose{a.along(b.x).Mul(1 / scaleA), a.along(b.y).Mul(1 / scaleA), a.along(b.z).Mul(1 / scaleA), a.along(gap).Mul(1 / scaleA), b.along(ca.Sub(gap)).Mul(1 / scaleB)}
	radius := b.hull.Bounds().HalfExtents().Wide().Len()
	if a.hull != k.a || b.hull != k.b || math.Abs(scaleA-k.scale) > evenScale*scaleA {
		k.a, k.b, k.scale, k.pose, k.filled = a.hull, b.hull, scaleA, p, false
		radiusA := a.hull.Bounds().HalfExtents().Wide().Len()
		k.reach = keptReach * (float64(radiusA*scaleA) + float64(radius*scaleB)) / float64(a.hull.NumFaces()+b.hull.NumFaces())
		return false
	}
	far, turned := p.away(&k.pose, radius)
	turned /= scaleB
	if k.filled && turned <= k.turn && k.try(rel, a, b, limit, far, turned) {
		k.uses++
		return true
	}
	fills := k.filled && k.uses >= keptUses || !k.filled && far <= keptShare*k.reach
	k.pose, k.uses = p, 0
	k.turn = k.reach / 2 / float64(radius*scaleB)
	k.filled = fills && k.fill(a, b, limit)
	return k.filled && k.try(rel, a, b, limit, 0, 0)
}

// roundingOf returns how far the bounds that prune the axes of two hulls may be off: see
// evenHeights.
func roundingOf(a, b *Shape) float64 {
	return float64(evenHeights * (a.extent + b.extent + total(b.p.Sub(a.p))))
}

// try finds the best axis of those on the list, and reports whether no other is better where the
// hulls have moved by up to a distance, and turned by up to an angle.
func (k *HullAxes) try(rel *relation, a, b *Shape, limit, far, turned float64) bool {
	x := axesWithin{axes{most: math.Inf(-1)}, limit}
	far += float64(2 * roundingOf(a, b))
	least, across := k.face(k.best, a, b)
	for i := range k.faces {
		s, n := least, across
		if i != k.best {
			if k.faces[i].most+far < least {
				continue
			}
			s, n = k.face(i, a, b)
		}
		if !x.tryFace(s, n) {
			return false
		}
	}
	if !(x.most > k.least+far) {
		return false
	}
	x.slack = edgeBias * max(a.size, b.size)
	toB := b.normalsOf(a)
	var partners [maxKeptPairs]uint16
	left, most := 0, x.most-far
	for i := range k.pairs {
		p := &k.pairs[i]
		if p.most+float64(p.perRadian*turned) >= most {
			partners[left] = p.b
			left++
		}
		if left > 0 && (i+1 == len(k.pairs) || k.pairs[i+1].a != p.a) {
			if !x.tryEdge(a, b, &toB, p.a, partners[:left]) {
				return false
			}
			left = 0
		}
	}
	return x.resolve(rel, a, b, limit, askContacts)
}

// face returns how far a face of the list separates the hulls, and the direction from a to b.
func (k *HullAxes) face(i int, a, b *Shape) (s float64, n geom.DVec3) {
	if f := k.faces[i].number; f >= 0 {
		return a.faceAxis(int(f), b)
	} else {
		s, n = b.faceAxis(int(^f), a)
		return s, n.Neg()
	}
}

// fill fills the list for the present pose. It returns false if the hulls are further apart than a
// limit, or if the list would be long.
func (k *HullAxes) fill(a, b *Shape, limit float64) bool {
	var x hullAxes
	x.loose = roundingOf(a, b)
	ca, ra := a.innerSphere()
	cb, rb := b.innerSphere()
	gap := b.p.Sub(a.p)
	topA, topB := a.heights(&x.ofA, gap.Add(cb)), b.heights(&x.ofB, ca.Sub(gap))
	sa, _ := a.faceAxis(topA, b)
	sb, _ := b.faceAxis(topB, a)
	most := max(sa, sb)
	k.faces = k.faces[:0]
	add := func(of *[maxPruned]float64, s, other *Shape, radius float64, sign int32) {
		for i := range s.hull.NumFaces() {
			if of[i&(maxPruned-1)]-radius > most-k.reach-x.loose {
				by, _ := s.faceAxis(i, other)
				most = max(most, by)
				k.faces = append(k.faces, keptFace{int32(i) ^ sign, by})
			}
		}
	}
	add(&x.ofA, a, b, rb, 0)
	add(&x.ofB, b, a, ra, -1)
	if most > limit {
		return false
	}
	k.least = most - k.reach
	kept := k.faces[:0]
	for _, f := range k.faces {
		if f.most > k.least {
			if f.most == most {
				k.best = len(kept)
			}
			kept = append(kept, f)
		}
	}
	k.faces = kept
	na, nb := a.edgesAbove(&x.a, &x.ofA, k.least+rb-x.loose), b.edgesAbove(&x.b, &x.ofB, k.least+ra-x.loose)
	// With so few edges relateHull tries all of those that it has left, which are among these.
	if na > maxEdgesLeft || nb > maxEdgesLeft || na*nb > maxPairsLeft || len(k.faces) > maxKeptFaces || !k.fillEdges(a, b, x.a[:na], x.b[:nb]) {
		k.reach /= 2
		return false
	}
	return true
}

// fillEdges lists those pairs of edges that may cross after a rotation by up to the turn and then
// separate the hulls by more than the least separation.
func (k *HullAxes) fillEdges(a, b *Shape, leftA, leftB []uint16) bool {
	k.pairs = k.pairs[:0]
	toB := b.normalsOf(a)
	// The products of edges with the normals of faces are sines times these and the edges' lengths.
	ofA, ofB := a.x.Dot(a.x), b.x.Dot(b.x)
	for _, i := range leftA {
		e := &a.hull.Edges()[i]
		na, _ := a.hull.Plane(int(e.Left))
		nb, _ := a.hull.Plane(int(e.Right))
		p, q := a.hullVertex(int(e.A)), a.hullVertex(int(e.B))
		d, p := q.Sub(p), p.Add(q).Mul(0.5)
		dd := d.Dot(d)
		in := geom.DVec3{X: b.u.Dot(d), Y: b.v.Dot(d), Z: b.w.Dot(d)}
		inA := toB[0].Mul(na.X).AddMul(na.Y, toB[1]).AddMul(na.Z, toB[2])
		inB := toB[0].Mul(nb.X).AddMul(nb.Y, toB[1]).AddMul(nb.Z, toB[2])
		out := a.outOf(na, nb)
		for _, j := range leftB {
			f := &b.hull.Edges()[j]
			l, _ := b.hull.Plane(int(f.Left))
			r, _ := b.hull.Plane(int(f.Right))
			u := b.hull.Vertex(int(f.B)).Sub(b.hull.Vertex(int(f.A)))
			v := b.image(u)
			vv := v.Dot(v)
			slackA, slackB := float64(k.turn*ofA)*math.Sqrt(vv), float64(k.turn*ofB)*math.Sqrt(dd)
			if !mayCross(inA.Dot(u), inB.Dot(u), l.Dot(in), r.Dot(in), slackA, slackB) {
				continue
			}
			n := d.Cross(v)
			ll, pair := n.Dot(n), keptPair{i, j, math.Inf(1), 0}
			perRadian := 2 * math.Sqrt(float64(dd*vv))
			if above := n.Dot(out); ll > float64(keptAngle*dd)*vv && math.Abs(above) > float64(k.turn*perRadian)*out.Len() {
				if above < 0 {
					n = n.Neg()
				}
				s, l := b.p.Add(b.hullVertex(int(f.A))).AddMul(0.5, v).Sub(a.p.Add(p)), math.Sqrt(ll)
				if pair.most, pair.perRadian = s.Dot(n)/l, float64(perRadian*s.Len())/l; pair.most+float64(pair.perRadian*k.turn) <= k.least {
					continue
				}
			}
			if len(k.pairs) == maxKeptPairs {
				return false
			}
			k.pairs = append(k.pairs, pair)
		}
	}
	return true
}

// mayCross reports whether [cross] may be true of products that are off by up to these slacks.
func mayCross(av, bv, cu, du, slackA, slackB float64) bool {
	sure := func(x, slack float64) float64 {
		if math.Abs(x) <= slack {
			return 0
		}
		return x
	}
	av, bv, cu, du = sure(av, slackA), sure(bv, slackA), sure(cu, slackB), sure(du, slackB)
	return float64(cu*du) <= 0 && float64(av*bv) <= 0 && float64(av*cu) >= 0 && float64(bv*du) >= 0
}

package narrow

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A floor without edges nearby is the most frequent surface. Over a flat surface that goes on
// around a shape, all ways out are along its normal, so that there is one manifold, and the corners
// of the shape's lowest face, or its ends, are its contacts. That takes no comparison with single
// triangles.

// BeginFlat drops all triangles, and sets a shape that [Joiner.AddFlat] and [Joiner.JoinFlat] look
// at within a margin in metres. It returns false for half-spaces.
func (j *Joiner) BeginFlat(s *Shape, margin float64) bool {
	if s.kind == KindNothing || s.kind > KindRound {
		return false
	}
	j.Reset(s.Center(), 0)
	j.whole, j.margin, j.size, j.extent = s, margin, s.size, s.extent
	return true
}

// AddFlat adds a triangle with its number, the corners in the world, and its edges. It returns
// false unless it is in the plane of the first, and the surface goes on flat over all its edges or
// the shape is so far inward of an edge that no way out over it, or over its ends, is shorter than
// that along the normal. Numbers rise.
//
// If the shape is inward of the edge by twice its depth and its middle is over the plane by as
// much, a direction that leans over the edge by an angle θ is that of a way out of at least
// depth·cos θ + 2·depth·sin θ, by the lowest point, and −2·depth·cos θ + 2·depth·sin θ, by the
// middle: one of them is no less than the depth.
func (j *Joiner) AddFlat(number int32, e *Edges, t *geom.Triangle) bool {
	faces, f := j.of[0].faces, j.nextFace()
	if f.size = sizeOf(t); f.size-f.size != 0 {
		return false
	}
	f.c[0], f.c[1], f.c[2] = t.A.Wide(), t.B.Wide(), t.C.Wide()
	f.number, f.side = number, 1
	ab, ac := f.c[1].Sub(f.c[0]), f.c[2].Sub(f.c[0])
	j.size = max(j.size, f.size)
	rounding := float64(sameCoordinate * j.size)
	if len(faces) == 0 {
		var s Shape
		if s.SetTriangle(*t); s.IsThin() {
			return false
		}
		// A shape whose middle is all but in the plane may leave it to either side.
		f.u = s.u
		h := j.of[0].middle.Sub(f.c[0]).Dot(f.u)
		if h < 0 {
			f.u, f.side = f.u.Neg(), -1
		}
		j.inward = 2 * max(0, f.c[0].Sub(j.whole.lowest(f.u)).Dot(f.u))
		if !(math.Abs(h) > pastMiddle*j.extent) {
			return false
		} else if math.Abs(h) < j.inward {
			j.inward = math.Inf(1)
		}
	} else {
		o := &faces[0]
		for i := range f.c {
			if math.Abs(f.c[i].Sub(o.c[0]).Dot(o.u)) > rounding {
				return false
			}
		}
		if f.u = o.u; ab.Cross(ac).Dot(f.u) < 0 {
			f.side = -1
		}
	}
	for i, b := range e {
		if b == 0 {
			continue
		}
		out := f.c[(i+1)%3].Sub(f.c[i]).Cross(f.u).Mul(float64(f.side)).Normalize()
		if !(j.whole.Reach(out) < f.c[i].Dot(out)-j.inward-rounding) {
			return false
		}
	}
	j.of[0].faces = j.of[0].faces[:len(faces)+1]
	return true
}

// JoinFlat appends the manifold of the shape with the triangles that were added, if they touch, and
// returns the longer slice. It returns false if [Joiner.Join] has to decide: the shape does not
// face the surface, or a corner that touches is over none of the triangles.
func (j *Joiner) JoinFlat(dst []MeshManifold) ([]MeshManifold, bool) {
	faces := j.of[0].faces
	n := faces[0].u
	j.turnTo(n)
	if j.face.align < faceOn && j.whole.hasFaces() {
		return dst, false
	}
	j.rounding = float64(sameCoordinate * j.size)
	j.points = j.points[:0]
	for i := range j.face.n {
		c := &j.face.c[i]
		if !j.addFlatPoint(c.p, vertexKind|Feature(c.vertex)) {
			return dst, false
		}
	}
	if s := j.whole; s.kind == KindRound && j.face.n > 2 {
		// The lowest point of a flat end that leans is between its corners.
		low := s.lowest(n)
		found := slices.ContainsFunc(j.points, func(c MeshContact) bool { return c.PointB.Sub(low).Dot(n) <= j.rounding })
		if !found && !j.addFlatPoint(low, s.featureAlong(n.Neg())) {
			return dst, false
		}
	}
	if len(j.points) > 0 {
		dst = j.reduce(dst, n)
	}
	return dst, true
}

// addFlatPoint adds the contact at a place of the shape that is within the margin of the surface.
// It returns false if the place is over none of the triangles.
func (j *Joiner) addFlatPoint(at geom.DVec3, feature Feature) bool {
	faces, s := j.of[0].faces, j.whole
	n := faces[0].u
	depth := faces[0].c[0].Sub(at).Dot(n)
	if depth < -j.margin {
		return true
	}
	k := 0
	for k < len(faces) && !faces[k].isUnder(at) {
		k++
	}
	if k == len(faces) {
		return false
	}
	m := j.nextPoint()
	m.PointA, m.PointB, m.Depth = at.AddMul(depth, n), at, depth
	m.FeatureA, m.FeatureB, m.Triangle = faceKind, feature, faces[k].number
	if faces[k].side < 0 {
		m.FeatureA |= 1
	}
	// The lowest point of an end is within a capsule or a cone that leans.
	ok := true
	if s.kind == KindCapsule {
		m.PointB, ok = s.under(m.PointA, n)
		m.Depth = m.PointA.Sub(m.PointB).Dot(n)
	} else if s.isOnSide(feature) {
		ok = s.moveOnto(&m.ContactPoint, n, false)
	}
	return ok
}

// isUnder reports whether a place is over a triangle that AddFlat added.
func (f *face) isUnder(at geom.DVec3) bool {
	slack := float64(touching * f.size)
	side := f.u.Mul(float64(f.side))
	for i := range f.c {
		along := f.c[next[i]].Sub(f.c[i])
		out := along.Cross(side).Dot(at.Sub(f.c[i]))
		if out > 0 && float64(out*out) > float64(slack*slack)*along.Dot(along) {
			return false
		}
	}
	return true
}

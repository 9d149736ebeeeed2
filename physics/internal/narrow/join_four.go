package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Most of the time that a box on hilly triangles takes is spent on the same measures of each
// triangle. They are taken of four at once, a triangle a lane.

// fourFaces holds what Joiner.measure and Joiner.edge find of four triangles, in lanes.
type fourFaces struct {
	c                           [3][3][4]float64 // corners
	u                           [3][4]float64
	size, volume, height, depth [4]float64
	low                         [3][4]float64
	out                         [3][3][4]float64 // see bent
	length, in                  [3][4]float64
	seen                        uint32 // four bits for each of the following
}

// Places of bits in fourFaces.seen.
const (
	farLanes   = 0 // further along an axis of the box than the margin
	solidLanes = 4 // not thin
	aboveLanes = 8 // deep by less than −margin
	backLanes  = 12
	signLanes  = 16 // of the support point's direction along the three axes of the box
)

// at returns the vector of a lane.
func at(v *[3][4]float64, lane int) geom.DVec3 {
	lane &= 3
	return geom.DVec3{X: v[0][lane], Y: v[1][lane], Z: v[2][lane]}
}

// measure measures up to four triangles, as a box within a margin of them sees them.
func (q *fourFaces) measure(t []geom.Triangle, s *Shape, margin float64) {
	if len(t) < 4 {
		var few [4]geom.Triangle
		copy(few[:], t)
		t = few[:]
	}
	q.seen = facesSIMD(q, &t[0], s, margin)
}

// face is Joiner.measure for a lane.
func (q *fourFaces) face(j *Joiner, lane int, f *face, p *part) (near, ok bool) {
	seen := q.seen >> (lane & 3)
	switch {
	case seen>>farLanes&1 != 0:
		return false, true
	case seen>>solidLanes&1 == 0:
		return false, false
	case seen>>aboveLanes&1 != 0:
		return false, true
	}
	lane &= 3
	for i := range f.c {
		f.c[i] = at(&q.c[i], lane)
	}
	f.u, f.size, f.volume = at(&q.u, lane), q.size[lane], q.volume[lane]
	f.side, p.n = 1, f.u
	if seen>>backLanes&1 != 0 {
		f.side, p.n = -1, f.u.Neg()
	}
	p.depth = q.depth[lane]
	signs := ^seen >> signLanes
	j.height, j.low, j.vertex = q.height[lane], at(&q.low, lane), int(signs&1|signs>>3&2|signs>>6&4)
	return true, true
}

// edge returns the direction outward of an edge of a triangle, in its plane and as long as the
// edge, the edge's length, and how far the shape's support point is inward of it, times the length.
func (j *Joiner) edge(f *face, i int, along geom.DVec3) (out geom.DVec3, l, in float64) {
	if j.lane >= 0 {
		q, lane := &j.four, j.lane&3
		return at(&q.out[i], lane), q.length[i][lane], q.in[i][lane]
	}
	out = along.Cross(f.u)
	return out, along.Len(), -out.Dot(j.low.Sub(f.c[i]))
}

// measure writes a triangle, given by its corners in the world, as the shape sees it, with the
// depth of the shape's support point. It returns false for near if the triangle is certainly not
// within the margin, and false for ok if it is thin.
func (j *Joiner) measure(at *geom.Triangle, f *face, p *part) (near, ok bool) {
	f.c[0], f.c[1], f.c[2] = at.A.Wide(), at.B.Wide(), at.C.Wide()
	f.size = sizeOf(at)
	switch s := j.whole; s.kind {
	case KindSphere:
		d := s.p.Sub(onTriangle(s.p, f.c[0], f.c[1], f.c[2]))
		if reach := s.radius + j.margin; d.Dot(d) > float64(reach*reach)*(1+rootSlack) {
			return false, true
		}
	case KindAABB, KindBox:
		if f.size-f.size == 0 && s.gap(&f.c, s.p) > j.margin {
			return false, true
		}
	}
	ab, ac := f.c[1].Sub(f.c[0]), f.c[2].Sub(f.c[0])
	n, bc := ab.Cross(ac), ac.Sub(ab)
	l := n.Dot(n)
	if least := float64(thinTriangle * f.size); !(l > float64(least*least)*max(ab.Dot(ab), ac.Dot(ac), bc.Dot(bc))) || l-l != 0 {
		return false, false
	}
	l = math.Sqrt(l)
	f.u, f.volume = geom.DVec3{X: n.X / l, Y: n.Y / l, Z: n.Z / l}, l
	j.height = j.of[0].middle.Sub(f.c[0]).Dot(f.u)
	f.side, p.n = 1, f.u
	if j.height < 0 {
		f.side, p.n = -1, f.u.Neg()
	}
	j.low, j.vertex = j.whole.support(p.n.Neg(), &j.hint)
	p.depth = f.c[0].Sub(j.low).Dot(p.n) + j.whole.radius
	return p.depth >= -j.margin, true
}

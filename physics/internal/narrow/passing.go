package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Passing is a hull on its way. The margin of what moves fast is as wide as it moves, in all
// directions: a log that rolls on hills is within it of many triangles and comes near to few.
type Passing struct {
	s      *Shape
	pivot  geom.DVec3 // its way
	points []passingPoint
	sides  []way // outward; how far the hull reaches on its way, and the margin. See isBeside
	margin float64
	last   int // the point that came near a triangle last
}

// passingPoint is a vertex before and after the motion.
type passingPoint struct{ now, then geom.DVec3 }

// passingSlack is what contact points in single precision are off, as a share of the coordinates.
const passingSlack = 1e-6

// Set takes a hull that moves by a shift and turns about a place, both linear in time, the way of a
// pivot that counts for all of it, and a margin in metres. It returns false if the shape is no
// hull. The shape must not change until the next call.
func (p *Passing) Set(s *Shape, margin float64, about, shift, turn, pivot geom.DVec3) bool {
	if s.kind != KindHull {
		return false
	}
	p.s, p.pivot, p.margin, p.last = s, pivot, margin+float64(passingSlack*s.size), 0
	p.points, p.sides = p.points[:0], p.sides[:0]
	for i := range s.hull.NumVertices() {
		now := s.p.Add(s.hullVertex(i))
		p.points = append(p.points, passingPoint{now, now.Add(shift).Add(turn.Cross(now.Sub(about)))})
	}
	return true
}

// Avoids is true only for a triangle that the hull does not come within the margin of, on its way
// or moved as the pivot is, as the plane of the triangle shows, or one of the hull's faces. So it
// has no contact with the triangle's face, nor with an edge or corner of which it avoids all
// triangles: the normals of such a contact are between those of these.
func (p *Passing) Avoids(t *geom.Triangle) bool {
	a := t.A.Wide()
	n := t.B.Wide().Sub(a).Cross(t.C.Wide().Sub(a)).Normalize()
	if n.Dot(p.s.Center().Sub(a)) < 0 {
		n = n.Neg()
	}
	least := a.Dot(n) + p.margin
	now := least - min(0, p.pivot.Dot(n))
	near := func(q *passingPoint) bool { return !(q.now.Dot(n) > now && q.then.Dot(n) > least) }
	if near(&p.points[p.last]) {
		return p.isBeside(t)
	}
	for i := range p.points {
		if near(&p.points[i]) {
			p.last = i
			return p.isBeside(t)
		}
	}
	return true
}

// isBeside reports whether all of a triangle is further out along the normal of a face than the
// hull reaches on its way.
func (p *Passing) isBeside(t *geom.Triangle) bool {
	if len(p.sides) == 0 {
		p.takeSides()
	}
	a, b, c := t.A.Wide(), t.B.Wide(), t.C.Wide()
	for i := range p.sides {
		w := &p.sides[i]
		if min(a.Dot(w.n), b.Dot(w.n), c.Dot(w.n)) > w.reach {
			return true
		}
	}
	return false
}

func (p *Passing) takeSides() {
	for i := range p.s.numFaces() {
		n, _ := p.s.face(i)
		lead, reach := max(0, p.pivot.Dot(n)), math.Inf(-1)
		for k := range p.points {
			reach = max(reach, p.points[k].now.Dot(n)+lead, p.points[k].then.Dot(n))
		}
		p.sides = append(p.sides, way{n: n, reach: reach + p.margin})
	}
}

package narrow

import "github.com/hitscan-go/hitscan/physics/geom"

// Passing is a hull on its way. The margin of what moves fast is as wide as it moves, in all
// directions: a log that rolls on hills is within it of many triangles and comes near to few.
type Passing struct {
	center geom.DVec3
	pivot  geom.DVec3 // its way
	points []passingPoint
	margin float64
	last   int // the point that came near a triangle last
}

// passingPoint is a vertex before and after the motion.
type passingPoint struct{ now, then geom.DVec3 }

// Set takes a hull that moves by a shift and turns about a place, both linear in time, the way of a
// pivot that counts for all of it, and a margin in metres. It returns false if the shape is no
// hull.
func (p *Passing) Set(s *Shape, margin float64, about, shift, turn, pivot geom.DVec3) bool {
	if s.kind != KindHull {
		return false
	}
	p.center, p.pivot, p.margin, p.last = s.Center(), pivot, margin+float64(passingSlack*s.size), 0
	p.points = p.points[:0]
	for i := range s.hull.NumVertices() {
		now := s.p.Add(s.hullVertex(i))
		p.points = append(p.points, passingPoint{now, now.Add(shift).Add(turn.Cross(now.Sub(about)))})
	}
	return true
}

// passingSlack is what contact points in single precision are off, as a share of the coordinates.
const passingSlack = 1e-6

// Avoids is true only for a triangle whose plane the hull does not come within the margin of, on
// its way or moved as the pivot is. So it has no contact with its face, nor with an edge or corner
// of which it avoids all triangles: the normals of such a contact are between those of these.
func (p *Passing) Avoids(t *geom.Triangle) bool {
	a := t.A.Wide()
	n := t.B.Wide().Sub(a).Cross(t.C.Wide().Sub(a)).Normalize()
	if n.Dot(p.center.Sub(a)) < 0 {
		n = n.Neg()
	}
	least := a.Dot(n) + p.margin
	now := least - min(0, p.pivot.Dot(n))
	near := func(q *passingPoint) bool { return !(q.now.Dot(n) > now && q.then.Dot(n) > least) }
	if near(&p.points[p.last]) {
		return false
	}
	for i := range p.points {
		if near(&p.points[i]) {
			p.last = i
			return false
		}
	}
	return true
}

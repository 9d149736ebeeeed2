package narrow

import (
	"fmt"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Feature names a vertex, an edge or a face of a shape, so that a contact can be known again in the next tick. Spheres and
// ellipsoids have the one vertex 0; capsules the vertices 0 and 1 at their ends and the edge 0 between; a half-space the face 0; a
// triangle, boxes and hulls what one would count on them.
type Feature uint32

const (
	featureBits         = 30
	vertexKind  Feature = 0 << featureBits
	edgeKind    Feature = 1 << featureBits
	faceKind    Feature = 2 << featureBits
)

// Index returns the number of the vertex, edge or face.
func (f Feature) Index() int { return int(f & (1<<featureBits - 1)) }

// IsVertex reports whether the feature is a vertex.
func (f Feature) IsVertex() bool { return f>>featureBits == vertexKind>>featureBits }

// IsEdge reports whether the feature is an edge.
func (f Feature) IsEdge() bool { return f>>featureBits == edgeKind>>featureBits }

// IsFace reports whether the feature is a face.
func (f Feature) IsFace() bool { return f>>featureBits == faceKind>>featureBits }

// String returns "vertex 3", "edge 3" or "face 3".
func (f Feature) String() string {
	return fmt.Sprintf("%s %d", [4]string{"vertex", "edge", "face", "feature"}[f>>featureBits], f.Index())
}

// maxCorners is up to how many corners of a face are looked at. A face with more is taken for one with every second of them, or
// every third, which lies within it. More would cost time where there are fewer, as arrays are cleared; of all that is left four are
// kept.
const maxCorners = 8

// corner is a vertex of a patch.
type corner struct {
	p      geom.DVec3
	vertex uint16
	edge   uint16 // to the next corner
}

// patch is the part of a surface that faces a direction most: one point, a segment or a face, counter-clockwise seen against the
// direction.
type patch struct {
	c      [maxCorners]corner
	n      int
	face   int
	normal geom.DVec3 // of a face: its plane
	d      float64
	align  float64 // of a face: cosine of the angle between its normal and the direction; −1 for all else, and if it has no area
}

// patch finds the patch that faces the unit vector dir. Of polytopes that is a face around the vertex that lies furthest.
func (s *Shape) patch(dir geom.DVec3, p *patch) {
	p.align, p.n = -1, 1
	switch {
	case s.kind == KindSphere:
		p.c[0].p = s.p.AddMul(s.radius, dir)
	case s.kind == KindCapsule || s.kind == KindRound:
		out := dir.Mul(s.radius)
		if s.kind == KindRound {
			out = s.bulge(dir)
		}
		p.c[0] = corner{p: s.p.Add(out)}
		if s.q != s.p {
			p.c[1] = corner{p: s.q.Add(out), vertex: 1}
			p.n = 2
		}
	case s.kind == KindTriangle:
		p.n, p.face = 3, s.faceNumber(dir)
		p.c[0] = corner{s.p, 0, 0}
		p.c[1] = corner{s.q, 1, 1}
		p.c[2] = corner{s.x, 2, 2}
		if p.face == 1 {
			p.c[1], p.c[2] = corner{s.x, 2, 1}, corner{s.q, 1, 0}
			p.c[0].edge = 2
		}
		if p.normal, p.d = s.face(p.face); s.volume > 0 {
			p.align = p.normal.Dot(dir)
		}
	case s.kind == KindHull:
		s.hullPatch(dir, p)
	default:
		p.face = s.faceNumber(dir)
		p.normal, p.d = s.face(p.face)
		p.n = 4
		if i := p.face / 2; min(component(s.half, (i+1)%3), component(s.half, (i+2)%3)) > 0 {
			p.align = p.normal.Dot(dir)
		}
		for k, v := range boxFaces[p.face] {
			p.c[k] = corner{s.boxVertex(v), v, boxSides[p.face][k]}
		}
		if s.flip {
			p.reverse()
		}
	}
}

// faceNumber returns the face of a polytope that faces dir most; of a hull, of those around the vertex that lies furthest.
func (s *Shape) faceNumber(dir geom.DVec3) int {
	switch s.kind {
	case KindTriangle:
		if s.u.Dot(dir) < 0 {
			return 1
		}
		return 0
	case KindHull:
		hint, best, most := 0, 0, math.Inf(-1)
		s.support(dir, &hint)
		for _, f := range s.hull.FacesAround(hint) {
			if n, _ := s.face(int(f)); n.Dot(dir) > most {
				best, most = int(f), n.Dot(dir)
			}
		}
		return best
	}
	x, y, z := s.u.Dot(dir), s.v.Dot(dir), s.w.Dot(dir)
	best, most := 1, x
	for i, c := range [6]float64{-x, x, -y, y, -z, z} {
		if c > most {
			best, most = i, c
		}
	}
	return best
}

func (s *Shape) faceAlong(dir geom.DVec3) (n geom.DVec3, d float64) { return s.face(s.faceNumber(dir)) }

func (s *Shape) hullPatch(dir geom.DVec3, p *patch) {
	p.face = s.faceNumber(dir)
	p.normal, p.d = s.face(p.face)
	p.align = p.normal.Dot(dir)
	corners, sides := s.hull.Face(p.face), s.hull.FaceEdges(p.face)
	p.n = min(len(corners), maxCorners)
	first := 0
	if p.n < len(corners) {
		hint := 0
		s.support(dir, &hint)
		first = slices.Index(corners, uint16(hint)) // the furthest is never left out
	}
	for k := range p.n {
		i := (first + k*len(corners)/p.n) % len(corners)
		p.c[k] = corner{s.world(s.hull.Vertex(int(corners[i]))), corners[i], sides[i]}
	}
	if s.flip {
		p.reverse()
	}
}

// reverse makes the corners go around the other way.
func (p *patch) reverse() {
	for i, j := 0, p.n-1; i < j; i, j = i+1, j-1 {
		p.c[i], p.c[j] = p.c[j], p.c[i]
	}
	first := p.c[0].edge
	for i := range p.n - 1 {
		p.c[i].edge = p.c[i+1].edge
	}
	p.c[p.n-1].edge = first
}

// side is an edge of a shape, from one end to the other.
type side struct {
	p, q     geom.DVec3
	vp, vq   uint16
	id       uint16
	flatness float64 // sine of the angle between the edge and the plane across the direction
}

// edgeAlong finds the edge that faces the unit vector dir: of those at the vertex which lies furthest, the one most nearly across it. It
// reports false for shapes that have none.
func (s *Shape) edgeAlong(dir geom.DVec3) (e side, ok bool) {
	e.flatness = math.Inf(1)
	longest := 0.0
	offer := func(p, q geom.DVec3, vp, vq, id uint16) {
		d := q.Sub(p)
		l := d.Len()
		// Of two alike the longer: a triangle may be a line.
		if f := math.Abs(d.Dot(dir)) / l; f < e.flatness-1e-9 || f < e.flatness+1e-9 && l > longest {
			e, longest = side{p, q, vp, vq, id, f}, l
		}
	}
	hint := 0
	_, v := s.support(dir, &hint)
	switch {
	case s.kind == KindSphere || s.kind == KindRound && s.p == s.q:
		return e, false
	case s.kind == KindCapsule:
		out := dir.Mul(s.radius)
		offer(s.p.Add(out), s.q.Add(out), 0, 1, 0)
	case s.kind == KindRound:
		out := s.bulge(dir)
		offer(s.p.Add(out), s.q.Add(out), 0, 1, 0)
	case s.kind == KindTriangle:
		c := [3]geom.DVec3{s.p, s.q, s.x}
		for i := range 3 {
			if j := (i + 1) % 3; i == v || j == v {
				offer(c[i], c[j], uint16(i), uint16(j), uint16(i))
			}
		}
	case s.kind == KindHull:
		for _, i := range s.hull.EdgesAround(v) {
			h := s.hull.Edges()[i]
			offer(s.vertex(h.A), s.vertex(h.B), h.A, h.B, i)
		}
	default:
		for i := range 3 {
			from := uint16(v) &^ (1 << i)
			j, l := (i+1)%3, (i+2)%3
			id := 4*i + v>>j&1 + (v>>l&1)*2
			offer(s.boxVertex(from), s.boxVertex(from|1<<i), from, from|1<<i, uint16(id))
		}
	}
	return e, e.flatness <= 1
}

// featureAlong returns the feature whose points lie furthest along the unit vector dir.
func (s *Shape) featureAlong(dir geom.DVec3) Feature {
	const little = 1e-7
	switch s.kind {
	case KindSphere:
		return vertexKind
	case KindHalfSpace:
		return faceKind
	case KindCapsule, KindRound:
	case KindAABB, KindBox:
		x, y, z := s.x.Dot(dir), s.y.Dot(dir), s.z.Dot(dir)
		v := signs(geom.DVec3{X: x, Y: y, Z: z})
		flat, count := 0, 0
		for i, c := range [3]float64{x, y, z} {
			if math.Abs(c) < little {
				flat |= 1 << i
				count++
			}
		}
		switch count {
		case 0:
			return vertexKind | Feature(v)
		case 1:
			i := flat >> 1 // 1, 2, 4 are the axes 0, 1, 2
			return edgeKind | Feature(4*i+v>>((i+1)%3)&1+(v>>((i+2)%3)&1)*2)
		}
		i := (7 &^ flat) >> 1
		return faceKind | Feature(2*i+v>>i&1)
	default:
		var p patch
		if s.patch(dir, &p); p.align > 1-little*little {
			return faceKind | Feature(p.face)
		}
	}
	if e, ok := s.edgeAlong(dir); ok && e.flatness < little {
		return edgeKind | Feature(e.id)
	}
	hint := 0
	_, v := s.support(dir, &hint)
	return vertexKind | Feature(v)
}

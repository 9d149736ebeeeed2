package narrow

import (
	"fmt"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Feature is a vertex, an edge or a face of a shape. It identifies a contact from tick to tick.
// Spheres and ellipsoids have the vertex 0; capsules the vertices 0 and 1 at their ends and the
// edge 0 between, and so do cones and tapered capsules, whose edge is the line along the side; the
// flat ends of a cone are the faces 0 and 1, with the vertices 2 to 17 around them; a half-space
// has the face 0; triangles, boxes and hulls their vertices, edges and faces.
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

// corner is a vertex of a patch.
type corner struct {
	p      geom.DVec3
	vertex uint16
	edge   uint16 // to the next corner
}

// patch is the part of a surface that faces a direction: a point, a segment, or a face that is
// counter-clockwise against the direction.
type patch struct {
	c      [maxCorners]corner
	n      int
	face   int
	normal geom.DVec3 // of a face: its plane
	d      float64
	// cosine of the angle between a face's normal and the direction; −1 if there is no face with an
	// area
	align float64
}

// after returns the corner after another.
func (p *patch) after(i int) int {
	if i+1 == p.n {
		return 0
	}
	return i + 1
}

// patch finds the patch that faces the unit vector dir. For polytopes it is a face around the
// support vertex.
func (s *Shape) patch(dir geom.DVec3, p *patch) {
	s.facing(dir, p)
	s.corners(dir, p)
}

// facing finds the face of the patch that faces dir, and its angle to dir.
func (s *Shape) facing(dir geom.DVec3, p *patch) {
	p.align = -1
	switch s.kind {
	case KindSphere, KindCapsule, KindRound:
		if s.kind == KindRound && s.caps {
			s.cap(dir, p)
		}
		return
	}
	p.face = s.faceNumber(dir)
	p.normal, p.d = s.face(p.face)
	area := true
	switch s.kind {
	case KindTriangle:
		area = s.volume > 0
	case KindAABB, KindBox, KindParallelepiped:
		i := p.face / 2
		area = component(s.half, next[i]) > 0 && component(s.half, next[i+1]) > 0
	}
	if area {
		p.align = p.normal.Dot(dir)
	}
}

// corners writes the corners of the patch whose face is known.
func (s *Shape) corners(dir geom.DVec3, p *patch) {
	switch s.kind {
	case KindSphere:
		p.c[0], p.n = corner{p: s.p.AddMul(s.radius, dir)}, 1
	case KindRound:
		if s.caps && p.align >= faceOn {
			s.capCorners(p)
			return
		}
		a, b := s.atEnds(dir)
		p.c[0], p.n = corner{p: a}, 1
		if s.e != (geom.DVec3{}) {
			p.c[1], p.n = corner{p: b, vertex: 1}, 2
		}
	case KindCapsule:
		out := dir.Mul(s.radius)
		p.c[0], p.n = corner{p: s.p.Add(out)}, 1
		if s.e != (geom.DVec3{}) {
			p.c[1], p.n = corner{p: s.end().Add(out), vertex: 1}, 2
		}
	case KindTriangle:
		p.n = 3
		p.c[0] = corner{s.p, 0, 0}
		p.c[1] = corner{s.end(), 1, 1}
		p.c[2] = corner{s.p.Add(s.f), 2, 2}
		if p.face == 1 {
			p.c[1], p.c[2] = corner{p.c[2].p, 2, 1}, corner{p.c[1].p, 1, 0}
			p.c[0].edge = 2
		}
	case KindHull:
		s.hullCorners(dir, p)
	default:
		p.n = 4
		for k, v := range &boxFaces[p.face] {
			c := &p.c[k]
			c.p, c.vertex, c.edge = s.boxVertex(v), v, boxSides[p.face][k]
		}
		if s.flip {
			p.reverse()
		}
	}
}

// faceNumber returns the face of a polytope that is closest to facing dir; of a hull, the closest
// of those around the support vertex.
func (s *Shape) faceNumber(dir geom.DVec3) int {
	switch s.kind {
	case KindTriangle:
		if s.u.Dot(dir) < 0 {
			return 1
		}
		return 0
	case KindHull:
		return s.faceAt(s.hull.Support(s.along(dir), 0), dir)
	}
	x, y, z := s.u.Dot(dir), s.v.Dot(dir), s.w.Dot(dir)
	best, most := 0, x
	if math.Abs(y) > math.Abs(most) {
		best, most = 2, y
	}
	if math.Abs(z) > math.Abs(most) {
		best, most = 4, z
	}
	if most < 0 {
		return best
	}
	return best + 1
}

// faceAt returns the face of those around a vertex of a hull that is closest to facing dir.
func (s *Shape) faceAt(vertex int, dir geom.DVec3) int {
	best, most := 0, math.Inf(-1)
	// The product of the image of a normal with dir is that of the normal itself with this.
	local := geom.DVec3{X: s.u.Dot(dir), Y: s.v.Dot(dir), Z: s.w.Dot(dir)}
	for _, f := range s.hull.FacesAround(vertex) {
		n, _ := s.hull.Plane(int(f))
		facing := n.Dot(local)
		if !s.even {
			facing /= s.normal(n).Len()
		}
		if facing > most {
			best, most = int(f), facing
		}
	}
	return best
}

func (s *Shape) faceAlong(dir geom.DVec3) (n geom.DVec3, d float64) { return s.face(s.faceNumber(dir)) }

func (s *Shape) hullCorners(dir geom.DVec3, p *patch) {
	corners, sides := s.hull.Face(p.face), s.hull.FaceEdges(p.face)
	p.n = min(len(corners), maxCorners)
	first := 0
	if p.n < len(corners) {
		hint := 0
		s.support(dir, &hint)
		first = slices.Index(corners, uint16(hint)) // the support vertex is never left out
	}
	for k := range p.n {
		i := (first + k*len(corners)/p.n) % len(corners)
		p.c[k] = corner{s.vertex(corners[i]), corners[i], sides[i]}
	}
	if s.flip {
		p.reverse()
	}
}

// reverse reverses the order of the corners.
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
	round    bool    // of a capsule, a scaled one or a cone, where it is no sharp edge
	flatness float64 // sine of the angle between the edge and the plane across the direction
}

// edgeAlong writes the edge that faces the unit vector dir: of those at the support vertex, the one
// most nearly perpendicular to dir. It returns false for shapes without edges.
func (s *Shape) edgeAlong(dir geom.DVec3, e *side) bool {
	switch s.kind {
	case KindCapsule:
		s.side(e, dir.Mul(s.radius), dir)
		return e.flatness <= 1
	case KindRound:
		s.side(e, s.ellipsoidSupport(dir), dir)
		if s.isTapered() {
			e.p, e.q = s.atEnds(dir)
			e.flatness = math.Abs(e.q.Sub(e.p).Dot(dir)) / e.q.Sub(e.p).Len()
		}
		return e.flatness <= 1 // not if both ends are one
	case KindAABB, KindBox:
		return s.boxEdgeAlong(dir, e)
	}
	e.flatness = math.Inf(1)
	longest := 0.0
	offer := func(p, q geom.DVec3, vp, vq, id uint16) {
		d := q.Sub(p)
		l := d.Len()
		// Of two that are alike, the longer: a triangle may be a line.
		if f := math.Abs(d.Dot(dir)) / l; f < e.flatness-sameFlatness || f < e.flatness+sameFlatness && l > longest {
			*e, longest = side{p: p, q: q, vp: vp, vq: vq, id: id, flatness: f}, l
		}
	}
	hint := 0
	at, v := s.support(dir, &hint)
	switch s.kind {
	case KindSphere:
		return false
	case KindTriangle:
		c := s.triangle()
		for i := range 3 {
			if j := (i + 1) % 3; i == v || j == v {
				offer(c[i], c[j], uint16(i), uint16(j), uint16(i))
			}
		}
	case KindHull:
		for _, i := range s.hull.EdgesAround(v) {
			if h := &s.hull.Edges()[i]; int(h.A) == v {
				offer(at, s.vertex(h.B), h.A, h.B, i)
			} else {
				offer(s.vertex(h.A), at, h.A, h.B, i)
			}
		}
	default:
		for i := range 3 {
			from := uint16(v) &^ (1 << i)
			offer(s.boxVertex(from), s.boxVertex(from|1<<i), from, from|1<<i, boxEdgeAt(v, i))
		}
	}
	return e.flatness <= 1
}

// side writes the edge of a capsule or a scaled capsule that faces the unit vector dir: its core
// moved by out.
func (s *Simple) side(e *side, out, dir geom.DVec3) {
	e.p, e.q, e.vp, e.vq, e.id, e.round = s.p.Add(out), s.end().Add(out), 0, 1, 0, true
	e.flatness = math.Abs(s.e.Dot(dir)) / s.e.Len()
}

// boxEdgeAlong is edgeAlong for a box, which needs its axes only.
func (s *Shape) boxEdgeAlong(dir geom.DVec3, e *side) bool {
	l := geom.DVec3{X: s.x.Dot(dir), Y: s.y.Dot(dir), Z: s.z.Dot(dir)}
	axis, longest, flat := 0, 0.0, math.Inf(1)
	for i := range 3 {
		// Of two that are alike, the longer; an edge without length is none.
		f, h := math.Abs(component(l, i)), component(s.half, i)
		if h > 0 && (f < flat-sameFlatness || f < flat+sameFlatness && h > longest) {
			axis, longest, flat = i, h, f
		}
	}
	if !(flat <= 1) {
		return false
	}
	v := signs(l)
	from := uint16(v) &^ (1 << axis)
	to := from | 1<<axis
	e.p, e.q, e.vp, e.vq, e.id, e.round, e.flatness = s.boxVertex(from), s.boxVertex(to), from, to, boxEdgeAt(v, axis), false, flat
	return true
}

// boxEdgeAt returns the number of a box's edge along an axis, at a vertex.
func boxEdgeAt(vertex, axis int) uint16 {
	j, l := next[axis], next[axis+1]
	return uint16(4*axis + vertex>>j&1 + vertex>>l&1<<1)
}

// next holds the axes that follow an axis.
var next = [4]int{1, 2, 0, 1}

// featureAlong is that of a shape. The ends of a scaled capsule are its vertices, as a capsule's
// are.
func (s *Simple) featureAlong(dir geom.DVec3) Feature {
	if s.kind == KindSphere {
		return vertexKind
	}
	switch along := s.e.Dot(dir); {
	case float64(along*along) < float64(onFeature*onFeature*s.e.Dot(s.e)):
		return edgeKind
	case along > 0:
		return vertexKind | 1
	}
	return vertexKind
}

// featureAlong returns the support feature along the unit vector dir.
func (s *Shape) featureAlong(dir geom.DVec3) Feature {
	switch s.kind {
	case KindSphere, KindCapsule, KindRound:
		if s.isTapered() {
			return s.taperFeature(dir)
		}
		return s.Simple.featureAlong(dir)
	case KindHalfSpace:
		return faceKind
	case KindAABB, KindBox:
		l := geom.DVec3{X: s.x.Dot(dir), Y: s.y.Dot(dir), Z: s.z.Dot(dir)}
		v := signs(l)
		flat := 0 // a bit an axis
		if math.Abs(l.X) < onFeature {
			flat = 1
		}
		if math.Abs(l.Y) < onFeature {
			flat |= 2
		}
		if math.Abs(l.Z) < onFeature {
			flat |= 4
		}
		switch flat {
		case 0:
			return vertexKind | Feature(v)
		case 1, 2, 4:
			return edgeKind | Feature(boxEdgeAt(v, flat>>1)) // the axes 0, 1, 2
		}
		i := (7 &^ flat) >> 1
		return faceKind | Feature(2*i+v>>i&1)
	}
	var p patch
	var e side
	s.facing(dir, &p)
	if !(p.align > 1-onFeature*onFeature) && !s.edgeAlong(dir, &e) {
		e.flatness = 1
	}
	return s.featureOf(dir, &p, &e)
}

// featureOf is featureAlong for a shape whose face and edge that face the direction are known. The
// face decides before the edge, which need not be known then.
func (s *Shape) featureOf(dir geom.DVec3, p *patch, e *side) Feature {
	switch {
	case s.kind < KindTriangle || s.kind > KindHull:
		return s.featureAlong(dir)
	case p.align > 1-onFeature*onFeature:
		return faceKind | Feature(p.face)
	case e.flatness < onFeature:
		return edgeKind | Feature(e.id)
	}
	hint := 0
	_, v := s.support(dir, &hint)
	return vertexKind | Feature(v)
}

package hull

import (
	"errors"
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// MaxVertices is the largest number of vertices a [Hull] can have; New may be given any number of
// points. It lets vertices, edges and faces be named by 16 bits. What collides every tick should
// have far fewer: some dozens.
const MaxVertices = 16384

// ErrFlat is what the error of [New] wraps if the points span no volume: there are fewer than four,
// or all of them lie in one plane, on one line or in one place.
var ErrFlat = errors.New("no volume")

// Hull is an immutable convex solid with flat faces: the convex hull of points, in its own space.
// Make one with [New]; the zero Hull is empty and nothing touches it. It is safe to use from many
// goroutines.
//
// It has at least four vertices. Vertices, faces and edges are numbered from 0; the numbers do not
// change.
type Hull struct {
	vertices  []geom.Vec3
	wide      []geom.DVec3 // the same
	planes    []plane
	starts    []uint32 // of each face's corners, and the end
	corners   []uint16 // vertices around the faces, counter-clockwise from outside
	sides     []uint16 // the edge from each corner to the next
	edges     []Edge
	ringStart []uint32 // of each vertex's neighbours, and the end
	ring      []uint16
	fanStart  []uint32 // of the faces around each vertex, and of the edges, of which there are as many; and the end
	fan       []uint16
	spokes    []uint16
	tolerance float64

	bounds geom.AABB
	center geom.DVec3
	volume float64
}

// plane is what a face lies in: normal·p = d. The normal is unit and points out of the hull, and no
// vertex is beyond.
type plane struct {
	normal geom.DVec3
	d      float64
}

// Edge is where two faces of a [Hull] meet. From vertex A to vertex B the face Left is on the left,
// seen from outside.
type Edge struct{ A, B, Left, Right uint16 }

// tolerance is how far a point may be from the plane of a face to count as a corner of that face,
// as a fraction of the largest coordinate: what single precision rounds off a point that was turned
// and moved. More would let a smooth surface of a few hundred points lose some of them.
const tolerance = 4 * 0x1p-24

// New returns the convex hull of points, which it copies. Their order, duplicates and points inside
// do not matter, and may be of any number.
//
// Triangles in one plane make one face. Points count as in one plane, and points of an edge as on
// it, if they are within what single precision can tell there: 1/4,000,000 of the largest
// coordinate. Therefore a point may be outside of the hull by that much. The vertices of the hull
// are points given, in the order given; the hull of these is the same hull again.
//
// The error names what is wrong: a point that is NaN or infinite, no volume (it wraps [ErrFlat]),
// or more than [MaxVertices] vertices.
func New(points []geom.Vec3) (*Hull, error) {
	h, err := newHull(points)
	if err != nil {
		return nil, fmt.Errorf("hull: New: %w", err)
	}
	return h, nil
}

func newHull(points []geom.Vec3) (*Hull, error) {
	for i, p := range points {
		if !p.IsFinite() {
			return nil, fmt.Errorf("point %d: %v is not finite", i, p)
		}
	}
	if len(points) < 4 {
		return nil, fmt.Errorf("%d points: a hull takes four: %w", len(points), ErrFlat)
	}
	// With all that rounding makes of points in one plane taken for flat, the hull has the faces
	// that are meant. Should they not fit together, as may be where a shape is hardly thicker than
	// the tolerance, then only what is flat to the last bit; that may leave out points, without
	// which the faces may fit after all.
	for {
		h, err := passes(points, tolerance)
		if err != nil {
			return nil, err
		}
		if h.validate() == nil {
			return h, nil
		}
		if h, err = passes(points, 0); err != nil {
			return nil, err
		}
		if h.NumVertices() == len(points) {
			if err := h.validate(); err != nil {
				return nil, fmt.Errorf("%d points: no faces fit: %w", len(points), err)
			}
			return h, nil
		}
		points = h.vertices
	}
}

// passes makes hulls until one has all points left for vertices.
func passes(points []geom.Vec3, fraction float64) (*Hull, error) {
	for {
		h, kept, err := pass(points, fraction)
		if h != nil || err != nil {
			return h, err
		}
		points = kept
	}
}

// pass makes the hull of points. If some of them turn out to be no vertices, it returns the others
// instead: the hull of these is made anew, so that all parts of a hull come from its vertices
// alone.
func pass(points []geom.Vec3, fraction float64) (h *Hull, kept []geom.Vec3, err error) {
	p := make([]geom.DVec3, len(points))
	largest := 0.0
	for i, v := range points {
		p[i] = v.Wide()
		largest = max(largest, math.Abs(p[i].X), math.Abs(p[i].Y), math.Abs(p[i].Z))
	}
	corners, far := extremes(p)
	var facets []facet
	if flat := largest * tolerance; far[0] > flat && far[1] > flat && far[2] > flat {
		facets, _ = build(p, corners)
	}
	if facets == nil {
		return nil, nil, fmt.Errorf("%d points, all within %g of one %s: %w", len(points), far[dimension(far, largest*tolerance)],
			[]string{"point", "line", "plane"}[dimension(far, largest*tolerance)], ErrFlat)
	}
	s := surface{p: p, facets: facets, tolerance: fraction * largest, weld: tolerance * largest}
	s.group()
	if keep := s.vertices(); len(keep) < len(points) {
		kept = make([]geom.Vec3, len(keep))
		for i, v := range keep {
			kept[i] = points[v]
		}
		return nil, kept, nil
	}
	if len(points) > MaxVertices {
		return nil, nil, fmt.Errorf("%d vertices: at most %d can be held", len(points), MaxVertices)
	}
	return s.hull(append([]geom.Vec3(nil), points...), largest*tolerance), points, nil
}

// dimension returns in how many dimensions the points extend.
func dimension(far [3]float64, flat float64) int {
	for i, d := range far[:2] {
		if d <= flat {
			return i
		}
	}
	return 2
}

// NumVertices returns the number of vertices.
func (h *Hull) NumVertices() int { return len(h.vertices) }

// NumFaces returns the number of faces.
func (h *Hull) NumFaces() int { return len(h.planes) }

// NumEdges returns the number of edges.
func (h *Hull) NumEdges() int { return len(h.edges) }

// Vertices returns the hull's own vertices, which must not be changed.
func (h *Hull) Vertices() []geom.Vec3 { return h.vertices }

// Edges returns the hull's own edges, which must not be changed.
func (h *Hull) Edges() []Edge { return h.edges }

// Vertex returns the vertex i in double precision. Panics if there is no such vertex.
func (h *Hull) Vertex(i int) geom.DVec3 { return h.wide[i] }

// Face returns the vertices around the face i, counter-clockwise seen from outside. It is the
// hull's own slice, which must not be changed. Panics if there is no such face.
func (h *Hull) Face(i int) []uint16 { return h.corners[h.starts[i]:h.starts[i+1]] }

// FaceEdges returns the edges around the face i, the first one from its first vertex to its second.
// It is the hull's own slice, which must not be changed. Panics if there is no such face.
func (h *Hull) FaceEdges(i int) []uint16 { return h.sides[h.starts[i]:h.starts[i+1]] }

// Plane returns the plane of the face i: a point p is outside of it if normal·p > d. The normal is
// unit. No vertex is outside of any plane. Panics if there is no such face.
func (h *Hull) Plane(i int) (normal geom.DVec3, d float64) { return h.planes[i].normal, h.planes[i].d }

// neighbors returns vertices that are joined to the vertex i by edges, and by diagonals of faces:
// enough of them that every vertex but the furthest in a direction has one that is further.
func (h *Hull) neighbors(i int) []uint16 { return h.ring[h.ringStart[i]:h.ringStart[i+1]] }

// IsEmpty reports whether the hull has no point: only the zero Hull has none.
func (h *Hull) IsEmpty() bool { return len(h.vertices) == 0 }

// Bounds returns the smallest box around the hull; empty for the zero Hull.
func (h *Hull) Bounds() geom.AABB {
	if h.IsEmpty() {
		return geom.EmptyAABB()
	}
	return h.bounds
}

// Volume returns the volume of the hull, in cubic units.
func (h *Hull) Volume() float64 { return h.volume }

// CenterOfMass returns the centre of mass of the hull filled evenly; the origin for the zero Hull.
func (h *Hull) CenterOfMass() geom.Vec3 { return h.center.Narrow() }

// FacesAround returns the faces that have the vertex i for a corner, in no particular order. It is
// the hull's own slice, which must not be changed. Panics if there is no such vertex.
func (h *Hull) FacesAround(i int) []uint16 { return h.fan[h.fanStart[i]:h.fanStart[i+1]] }

// EdgesAround returns the edges that end at the vertex i, in no particular order. It is the hull's
// own slice, which must not be changed. Panics if there is no such vertex.
func (h *Hull) EdgesAround(i int) []uint16 { return h.spokes[h.fanStart[i]:h.fanStart[i+1]] }

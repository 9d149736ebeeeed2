package hull

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// MaxVertices is the largest number of vertices of a [Hull]; [New] accepts any number of points.
// With it, 16 bits are enough for the indices of vertices, edges and faces. A shape that collides
// every tick should have far fewer: some dozens.
const MaxVertices = 16384

// ErrFlat is wrapped by the error of [New] if the points span no volume: there are fewer than four,
// or all of them are in one plane, on one line or at one point.
var ErrFlat = errors.New("no volume")

// Hull is an immutable convex solid with flat faces: the convex hull of points, in its own space.
// [New] returns one; the zero Hull is empty and nothing touches it. It is safe for concurrent use.
//
// It has at least four vertices. Vertices, faces and edges are numbered from 0.
type Hull struct {
	vertices []geom.Vec3
	wide     []geom.DVec3 // the vertices in double precision
	planes   []plane      // one a face
	edges    []Edge

	// The vertices and edges of face i are at faceStart[i] to faceStart[i+1].
	faceStart    []uint32
	faceVertices []uint16 // counter-clockwise from outside
	faceEdges    []uint16 // the edge from each vertex to the next

	// The faces and edges around vertex i, as many of each, are at aroundStart[i] to
	// aroundStart[i+1].
	aroundStart []uint32
	faceAround  []uint16
	edgeAround  []uint16

	// The neighbours of vertex i are at adjacentStart[i] to adjacentStart[i+1].
	adjacentStart []uint32
	adjacent      []uint16

	// In the directions of octant i, whose bits are set for negative coordinates, the furthest
	// vertex is one of octants[octantStart[i]:octantStart[i+1]]; with too many vertices there are
	// none.
	octantStart [9]uint16
	octants     []uint16

	tolerance float64 // the constant times the largest coordinate
	bounds    geom.AABB
	center    geom.DVec3
	inner     float64 // see InnerSphere
	blunt     float64 // see Bluntness
	corners   int     // of a polygon: see Corners
	volume    float64
}

// plane is the plane of a face: normal·p = d. The normal is unit and points out of the hull. No
// vertex is outside of the plane.
type plane struct {
	normal geom.DVec3
	d      float64
}

// Edge is an edge of a [Hull]: the indices of its vertices A and B, and of the two faces that meet
// there. Seen from outside, along the edge from A to B, the face Left is on the left.
type Edge struct{ A, B, Left, Right uint16 }

// tolerance is the largest distance from the plane of a face at which a point counts as a vertex of
// that face, as a fraction of the largest coordinate: the rounding error, in single precision, of a
// point that was rotated and translated. With a larger one, a smooth surface of a few hundred
// points would lose some of them.
const tolerance = 4 * 0x1p-24

// New returns the convex hull of points, which it copies. There may be any number of points, in any
// order, with duplicates and points inside.
//
// Coplanar triangles are merged to one face. Points count as coplanar, and a point counts as on an
// edge, within the resolution of single precision: 1/4,000,000 of the largest coordinate. Therefore
// a point may be outside of the hull by up to four times that. The vertices of the hull are a
// subset of points, in the same order; the hull of these vertices is the same hull.
//
// The error names the cause: a point that is NaN or infinite, no volume (it wraps [ErrFlat]), or
// more than [MaxVertices] vertices. The method is quickhull (Barber, Dobkin and Huhdanpaa 1996)
// with exact predicates (Shewchuk 1997).
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
	// With the tolerance, the hull has the intended faces in spite of rounding. If these faces do
	// not form a closed surface, or end short of a tip, which is possible for a shape hardly
	// thicker than the tolerance, only exactly coplanar triangles are merged. That may leave out
	// points, and without them the faces may form a closed surface.
	for {
		h, err := passes(points, tolerance)
		if err != nil {
			return nil, err
		}
		closed := h.validate() == nil
		if closed && h.reaches(points) {
			return h, nil
		}
		exact, err := passes(points, 0)
		if err != nil {
			return nil, err
		}
		if exact.NumVertices() == len(points) {
			switch err := exact.validate(); {
			case err == nil:
				return exact, nil
			case closed:
				return h, nil
			default:
				return nil, fmt.Errorf("%d points: no faces fit: %w", len(points), err)
			}
		}
		points = exact.vertices
	}
}

// reaches reports whether all points are in the bounds of the hull, within four times its
// tolerance.
func (h *Hull) reaches(points []geom.Vec3) bool {
	bounds := h.bounds.Grow(float32(4 * h.tolerance))
	return !slices.ContainsFunc(points, func(p geom.Vec3) bool { return !bounds.Contains(p) })
}

// passes computes hulls until all remaining points are vertices.
func passes(points []geom.Vec3, fraction float64) (*Hull, error) {
	for {
		h, kept, err := pass(points, fraction)
		if h != nil || err != nil {
			return h, err
		}
		points = kept
	}
}

// pass computes the hull of points. If some of them are not vertices, it returns the others
// instead: the hull is computed again from these, so that all parts of a hull depend on its
// vertices alone.
func pass(points []geom.Vec3, fraction float64) (h *Hull, kept []geom.Vec3, err error) {
	p := make([]geom.DVec3, len(points))
	largest := 0.0
	for i, v := range points {
		p[i] = v.Wide()
		largest = max(largest, math.Abs(p[i].X), math.Abs(p[i].Y), math.Abs(p[i].Z))
	}
	corners, far := extremes(p)
	var triangles []triangle
	if flat := largest * tolerance; far[0] > flat && far[1] > flat && far[2] > flat {
		triangles, _ = build(p, corners)
	}
	if triangles == nil {
		return nil, nil, fmt.Errorf("%d points, all within %g of one %s: %w", len(points), far[dimension(far, largest*tolerance)],
			[]string{"point", "line", "plane"}[dimension(far, largest*tolerance)], ErrFlat)
	}
	s := surface{p: p, triangles: triangles, tolerance: fraction * largest, weld: tolerance * largest}
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

// dimension returns the number of dimensions in which the points extend.
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

// Vertices returns the vertices. The slice is the hull's own and must not be changed.
func (h *Hull) Vertices() []geom.Vec3 { return h.vertices }

// Edges returns the edges. The slice is the hull's own and must not be changed.
func (h *Hull) Edges() []Edge { return h.edges }

// Vertex returns the position of vertex i in double precision. Panics if there is no such vertex.
func (h *Hull) Vertex(i int) geom.DVec3 { return h.wide[i] }

// Face returns the vertices around face i, counter-clockwise seen from outside. The slice is the
// hull's own and must not be changed. Panics if there is no such face.
func (h *Hull) Face(i int) []uint16 { return h.faceVertices[h.faceStart[i]:h.faceStart[i+1]] }

// FaceEdges returns the edges around face i, the first from its first vertex to its second. The
// slice is the hull's own and must not be changed. Panics if there is no such face.
func (h *Hull) FaceEdges(i int) []uint16 { return h.faceEdges[h.faceStart[i]:h.faceStart[i+1]] }

// Plane returns the plane of face i: a point p is outside of it if normal·p > d. The normal is a
// unit vector. No vertex is outside of any plane. Panics if there is no such face.
func (h *Hull) Plane(i int) (normal geom.DVec3, d float64) { return h.planes[i].normal, h.planes[i].d }

// neighbors returns vertices that are joined to vertex i by edges, and by diagonals of faces. Every
// vertex except the furthest in a direction has a neighbour that is further.
func (h *Hull) neighbors(i int) []uint16 { return h.adjacent[h.adjacentStart[i]:h.adjacentStart[i+1]] }

// IsEmpty reports whether the hull contains no point: only the zero Hull is empty.
func (h *Hull) IsEmpty() bool { return len(h.vertices) == 0 }

// Bounds returns the smallest box around the hull; [geom.EmptyAABB] for the zero Hull.
func (h *Hull) Bounds() geom.AABB {
	if h.IsEmpty() {
		return geom.EmptyAABB()
	}
	return h.bounds
}

// Volume returns the volume of the hull, in cubic metres; 0 for the zero Hull.
func (h *Hull) Volume() float64 { return h.volume }

// CenterOfMass returns the centre of mass of the hull with uniform density; the origin for the zero
// Hull.
func (h *Hull) CenterOfMass() geom.Vec3 { return h.center.Narrow() }

// InnerSphere returns the largest sphere around the centre of mass that is within the hull.
func (h *Hull) InnerSphere() (center geom.DVec3, radius float64) { return h.center, h.inner }

// Bluntness returns the cosine of half the largest angle between the normals of two faces that meet
// at an edge: 0.71 for a box, nearly 1 for a smooth solid; 0 for the zero Hull.
func (h *Hull) Bluntness() float64 { return h.blunt }

// FacesAround returns the faces at vertex i, in no particular order. The slice is the hull's own
// and must not be changed. Panics if there is no such vertex.
func (h *Hull) FacesAround(i int) []uint16 { return h.faceAround[h.aroundStart[i]:h.aroundStart[i+1]] }

// EdgesAround returns the edges at vertex i, in no particular order. The slice is the hull's own
// and must not be changed. Panics if there is no such vertex.
func (h *Hull) EdgesAround(i int) []uint16 { return h.edgeAround[h.aroundStart[i]:h.aroundStart[i+1]] }

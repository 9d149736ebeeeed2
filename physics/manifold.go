package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Feature is a vertex, an edge or a face of a shape. It identifies a [ContactPoint] from tick to
// tick. A sphere has the vertex 0; a capsule or cone the vertices 0 and 1 at its ends and the edge
// 0 between; a cone the faces 0 and 1 at its ends, with the vertices 2 to 17 around them; a plane
// the face 0; triangles, boxes and hulls their vertices, edges and faces.
type Feature uint32

// Index returns the number of the vertex, edge or face.
func (f Feature) Index() int { return narrow.Feature(f).Index() }

// IsVertex reports whether the feature is a vertex.
func (f Feature) IsVertex() bool { return narrow.Feature(f).IsVertex() }

// IsEdge reports whether the feature is an edge.
func (f Feature) IsEdge() bool { return narrow.Feature(f).IsEdge() }

// IsFace reports whether the feature is a face.
func (f Feature) IsFace() bool { return narrow.Feature(f).IsFace() }

// String returns "vertex 3", "edge 3" or "face 3".
func (f Feature) String() string { return narrow.Feature(f).String() }

// ContactPoint is a pair of points at which two shapes touch, or nearly do, in world space.
type ContactPoint struct {
	// PointA is on the surface of A and PointB on that of B: PointA − PointB is Depth times the
	// manifold's Normal, to rounding.
	PointA, PointB geom.Vec3
	// Depth is the penetration depth here, in metres; it is negative where there is still a gap.
	Depth float32
	// FeatureA and FeatureB are the features that touch. TriangleA and TriangleB are the triangles
	// of meshes, −1 for other shapes. All four stay the same from tick to tick while the same parts
	// touch, and no two points of a manifold have the same four. So a solver can find the impulses
	// of the last tick by them, for a warm start.
	FeatureA, FeatureB   Feature
	TriangleA, TriangleB int32
}

// MaxContactPoints is the largest number of contact points in a [Manifold].
const MaxContactPoints = 4

// Manifold is a contact manifold of A and B: up to four contact points that share a normal. Two
// convex shapes have at most one. A mesh has one for each direction in which it is touched, and a
// [Compound] for each child.
type Manifold struct {
	// Normal is the unit vector from A to B, in world space. B, moved along it by the largest
	// Depth, only touches A here.
	Normal geom.Vec3
	// Points holds the contact points: the first N are valid. See [Manifold.ContactPoints].
	Points [MaxContactPoints]ContactPoint
	N      int32
	// ChildA and ChildB are the numbers of the children of a [Compound] that touch, and −1 for
	// other shapes.
	ChildA, ChildB int32
}

// ContactPoints returns the valid contact points. The slice is part of the manifold.
func (m *Manifold) ContactPoints() []ContactPoint { return m.Points[:m.N] }

// Depth returns the largest Depth of any contact point, in metres; −Inf if there is none.
func (m *Manifold) Depth() float32 {
	deepest := float32(math.Inf(-1))
	for i := range m.ContactPoints() {
		deepest = max(deepest, m.Points[i].Depth)
	}
	return deepest
}

// Flipped returns the manifold with A and B exchanged.
func (m *Manifold) Flipped() Manifold {
	f := *m
	f.flip()
	return f
}

// flip exchanges A and B.
func (m *Manifold) flip() {
	m.Normal, m.ChildA, m.ChildB = m.Normal.Neg(), m.ChildB, m.ChildA
	for i := range m.ContactPoints() {
		c := &m.Points[i]
		c.PointA, c.PointB = c.PointB, c.PointA
		c.FeatureA, c.FeatureB = c.FeatureB, c.FeatureA
		c.TriangleA, c.TriangleB = c.TriangleB, c.TriangleA
	}
}

// set converts a contact point of two convex parts.
func (c *ContactPoint) set(n *narrow.ContactPoint, k placed.Parts) {
	c.PointA, c.PointB, c.Depth = n.PointA.Narrow(), n.PointB.Narrow(), float32(n.Depth)
	c.FeatureA, c.FeatureB, c.TriangleA, c.TriangleB = Feature(n.FeatureA), Feature(n.FeatureB), k.A(), k.B()
}

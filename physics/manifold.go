package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Feature names a vertex, an edge or a face of a shape, so that a [ContactPoint] can be known again
// in the next tick. A sphere has the one vertex 0; a capsule the vertices 0 and 1 at its ends and
// the edge 0 between; a plane the face 0; a triangle, a box and a hull what one would count on
// them.
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

// ContactPoint is a place where two shapes touch, or nearly do, in world space.
type ContactPoint struct {
	// PointA is on the surface of A and PointB on that of B: PointA − PointB is Depth times the
	// manifold's Normal, but for rounding.
	PointA, PointB geom.Vec3
	// Depth is how deep, in metres, the shapes are in each other here; negative where there is
	// still a gap.
	Depth float32
	// FeatureA and FeatureB tell what touches what, and of a mesh TriangleA and TriangleB on which
	// triangle; −1 of every other shape. Together they stay the same from tick to tick for as long
	// as it is the same place, and no two contacts of a manifold have all four alike. So they serve
	// to find again what a solver knew of a contact.
	FeatureA, FeatureB   Feature
	TriangleA, TriangleB int32
}

// MaxContactPoints is the largest number of contacts in a [Manifold].
const MaxContactPoints = 4

// Manifold is where A and B touch in one direction: up to four contacts, which share a normal.
// Between two convex shapes there is one at most. A mesh that is touched in several directions has
// one for each, and a [Compound] for each child.
type Manifold struct {
	// Normal is the unit vector, in world space, from A to B: moved along it by the largest Depth,
	// B only touches A here.
	Normal geom.Vec3
	// Points holds the contacts, of which the first N count. See [Manifold.ContactPoints].
	Points [MaxContactPoints]ContactPoint
	N      int32
	// ChildA and ChildB are the numbers of the children of a [Compound] that touch, and −1 of every
	// other shape.
	ChildA, ChildB int32
}

// ContactPoints returns the contacts. The slice is part of the manifold.
func (m *Manifold) ContactPoints() []ContactPoint { return m.Points[:m.N] }

// Depth returns the largest Depth of any contact; −Inf if there is none.
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
	f.Normal, f.ChildA, f.ChildB = m.Normal.Neg(), m.ChildB, m.ChildA
	for i := range f.ContactPoints() {
		c := &f.Points[i]
		c.PointA, c.PointB = c.PointB, c.PointA
		c.FeatureA, c.FeatureB = c.FeatureB, c.FeatureA
		c.TriangleA, c.TriangleB = c.TriangleB, c.TriangleA
	}
	return f
}

// set takes over what was found between two facets.
func (c *ContactPoint) set(n *narrow.ContactPoint, k placed.Parts) {
	c.PointA, c.PointB, c.Depth = n.PointA.Narrow(), n.PointB.Narrow(), float32(n.Depth)
	c.FeatureA, c.FeatureB, c.TriangleA, c.TriangleB = Feature(n.FeatureA), Feature(n.FeatureB), k.A(), k.B()
}

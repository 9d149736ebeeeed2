// Package placed holds shapes that are placed in the world, without a space around them: the shape
// of a collider or one child of its compound, made ready when it is placed so that queries only
// read. It casts rays and bodies at one such shape, tests what overlaps it, finds its closest point
// and divides it into the convex parts that package narrow compares.
package placed

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Subshape is one shape in the world: that of a collider, or one placed child of its compound.
//
// While the world shape is still one that package geom has, that shape is kept and queried
// directly, which is fast, and exact far from the origin. That holds for every box without shear
// and for every uniformly scaled sphere and capsule. For all others the query is taken into the
// shape's own space.
type Subshape struct {
	Kind   Kind
	Planar bool      // in a planar space
	Hidden uint8     // sides of a box there: see narrow.Simple.SetHidden; or Segment.Joints
	Child  int32     // number of the child in a compound; −1 for any other shape
	Bounds geom.AABB // in the world
	Local  *Local    // of the kinds that are queried in their own space
	prim   primitive
}

// primitive holds a box, a sphere, a capsule or a cone in the same memory, as a subshape is at most
// one of them.
type primitive struct {
	a, b geom.Vec3 // centre and half extents of a box, centre of a sphere, ends of the others
	q    geom.Quat // rotation of a box; X is the radius of the others, at the first end
}

// Box returns the box of a KindBox, in the world, or of a KindLocalBox, in its own space.
func (p *Subshape) Box() geom.Box {
	return geom.Box{Center: p.prim.a, HalfExtents: p.prim.b, Rotation: p.prim.q}
}

// IsFlatBox reports whether it is a box that narrow.Manifold.CollideFlat takes.
func (p *Subshape) IsFlatBox() bool { return p.Kind == KindBox && p.Planar && p.Hidden == 0 }

// SetFlatBox sets f to the box, or to what CollideFlat does not take if IsFlatBox is false.
func (p *Subshape) SetFlatBox(f *narrow.FlatBox) {
	if p.IsFlatBox() {
		f.Set(p.prim.a, p.prim.b, p.prim.q)
	} else {
		f.Unset()
	}
}

// Sphere returns the sphere of a KindSphere, in the world, or of a KindEllipsoid, in its own space.
func (p *Subshape) Sphere() geom.Sphere {
	return geom.Sphere{Center: p.prim.a, Radius: p.prim.q.X}
}

// Capsule returns the capsule of a KindCapsule, in the world, or of a KindLocalCapsule, in its own
// space.
func (p *Subshape) Capsule() geom.Capsule {
	return geom.Capsule{A: p.prim.a, B: p.prim.b, Radius: p.prim.q.X}
}

// Cone returns the cone of a KindCone, in its own space.
func (p *Subshape) Cone() geom.Cone {
	return geom.Cone{A: p.prim.a, B: p.prim.b, RadiusA: p.prim.q.X, RadiusB: p.prim.q.Y}
}

// TaperedCapsule returns the tapered capsule of a KindTaperedCapsule, in its own space.
func (p *Subshape) TaperedCapsule() geom.TaperedCapsule { return geom.TaperedCapsule(p.Cone()) }

func (p *Subshape) setBox(b geom.Box) {
	p.prim.a, p.prim.b, p.prim.q = b.Center, b.HalfExtents, b.Rotation
}

func (p *Subshape) setSphere(b geom.Sphere) { p.prim.a, p.prim.q.X = b.Center, b.Radius }

func (p *Subshape) setCapsule(c geom.Capsule) {
	p.prim.a, p.prim.b, p.prim.q.X = c.A, c.B, c.Radius
}

func (p *Subshape) setTaper(a, b geom.Vec3, radiusA, radiusB float32) {
	p.prim.a, p.prim.b, p.prim.q.X, p.prim.q.Y = a, b, radiusA, radiusB
}

// Kind says what a subshape is, and whether it is queried in the world or in its own space.
type Kind uint8

const (
	KindNowhere        Kind = iota
	KindAABB                // Bounds is the shape
	KindBox                 // a box in the world
	KindSphere              // a sphere in the world
	KindCapsule             // a capsule in the world
	KindSegment             // a segment of a chain, in a planar space
	KindLocalBox            // a sheared box; queried in its own space, as are all below
	KindEllipsoid           // a non-uniformly scaled sphere
	KindLocalCapsule        // a non-uniformly scaled capsule
	KindCone                // also a cylinder or a frustum of a cone
	KindTaperedCapsule      // the hull of two balls
	KindHull
	KindPlane
	KindMesh
	KindCompound // of a collider with several subshapes, never of a subshape
)

// Local is the part of a subshape that is queried in its own space.
type Local struct {
	back    geom.InverseAffine // world to own space
	Mesh    *mesh.Mesh
	*Planar             // of a plane alone
	strays  bool        // see Subshape.Strays
	same    bool        // own space is the world
	slack   float32     // bound on the rounding error of back, as a fraction of the distances
	To      geom.Affine // own space to world
	Hull    *hull.Hull
	_       [16]byte // pads to three cache lines, of which a ray that misses reads two
}

// Planar is a plane, in its own space and in the world.
type Planar struct {
	plane  geom.Plane
	Normal geom.DVec3 // in the world, unit, towards the front
	Point  geom.DVec3 // in the world
}

// CopyFrom copies from to l, or to new memory if l is nil, and returns the copy. The two share no
// memory. It returns nil if from is nil.
func (l *Local) CopyFrom(from *Local) *Local {
	if from == nil {
		return nil
	}
	if l == nil {
		l = new(Local)
	}
	own := l.Planar
	*l = *from
	if from.Planar != nil {
		if own == nil {
			own = new(Planar)
		}
		*own = *from.Planar
		l.Planar = own
	}
	return l
}

// Forget drops the shape, if l is not nil, and keeps the memory. Place would not overwrite these
// pointers, and they would keep the shape alive.
func (l *Local) Forget() {
	if l != nil {
		l.Mesh, l.Hull = nil, nil
	}
}

// Triangle returns a triangle of the mesh in world space.
func (l *Local) Triangle(i int) geom.Triangle {
	t := l.Mesh.Triangle(i)
	if l.same {
		return t
	}
	return l.Placed(t)
}

// TakeTriangles makes dst, of the same length, the first triangles of parts, in world space. Where
// the mesh is not moved it copies each but once: a copy of what was just written stalls.
func (l *Local) TakeTriangles(dst []geom.Triangle, parts []Parts) {
	for i, k := range parts {
		if l.same {
			dst[i] = l.Mesh.Triangle(int(k.A()))
		} else {
			dst[i] = l.Triangle(int(k.A()))
		}
	}
}

// TakeKept is TakeTriangles for triangles that are kept, at some places.
func (l *Local) TakeKept(dst []geom.Triangle, n *mesh.Near, places []int32) {
	for i, k := range places {
		if l.same {
			dst[i] = n.Triangle(k)
		} else {
			dst[i] = l.Placed(n.Triangle(k))
		}
	}
}

// Placed returns a triangle of the shape's own space in world space.
func (l *Local) Placed(t geom.Triangle) geom.Triangle {
	if l.same {
		return t
	}
	return geom.Triangle{A: l.To.Point(t.A), B: l.To.Point(t.B), C: l.To.Point(t.C)}
}

// turns reports whether axes of the shape's own space are not along those of the world.
func (l *Local) turns() bool {
	x, y, z := &l.To.X, &l.To.Y, &l.To.Z
	return x.Y != 0 || x.Z != 0 || y.X != 0 || y.Z != 0 || z.X != 0 || z.Y != 0
}

// BoundsIn returns a box in the shape's own space around a box in the world, with slack for the
// rounding of the map between them.
func (p *Subshape) BoundsIn(b geom.AABB) geom.AABB {
	l := p.Local
	slack := float32(l.slack * max(Largest(b.Min), Largest(b.Max), p.farthest()))
	if l.same {
		return b.Grow(2 * slack)
	}
	h := b.HalfExtents().Add(geom.Vec3{X: slack, Y: slack, Z: slack})
	box := geom.Affine{
		X:      l.back.Vector(geom.Vec3{X: 1}),
		Y:      l.back.Vector(geom.Vec3{Y: 1}),
		Z:      l.back.Vector(geom.Vec3{Z: 1}),
		Origin: l.back.Point(b.Center()),
	}.Bounds(geom.AABB{Min: h.Neg(), Max: h})
	if !box.Min.IsFinite() || !box.Max.IsFinite() {
		// The shape is so flat that the inverse overflows: all of it may be near.
		inf := float32(math.Inf(1))
		return geom.AABB{Min: geom.V(-inf, -inf, -inf), Max: geom.V(inf, inf, inf)}
	}
	return box.Grow(float32(l.slack * max(Largest(box.Min), Largest(box.Max))))
}

// reachIn returns the part of the mesh's bounds, in its own space, that a shape in the world, grown
// by a gap in metres, reaches along the axes of that space, and false if there is none. The gap
// covers all rounding but that of the result.
func (p *Subshape) reachIn(s *narrow.Shape, gap float64) (in geom.AABB, ok bool) {
	in = p.Local.Mesh.Bounds()
	m := &p.Local.To
	x, y, z := m.X.Wide(), m.Y.Wide(), m.Z.Wide()
	o := s.Origin().Sub(m.Origin.Wide())
	u, v, w := y.Cross(z), z.Cross(x), x.Cross(y)
	inverse := 1 / x.Dot(u)
	if !clipTo(&in.Min.X, &in.Max.X, s, o, u.Mul(inverse), gap) || !clipTo(&in.Min.Y, &in.Max.Y, s, o, v.Mul(inverse), gap) {
		return in, false
	}
	return in, clipTo(&in.Min.Z, &in.Max.Z, s, o, w.Mul(inverse), gap)
}

// clipTo clips an interval to what a shape with its origin at o, grown by a gap, reaches along a
// vector, and reports whether anything is left. Where numbers overflow, it clips nothing.
func clipTo(lo, hi *float32, s *narrow.Shape, o, along geom.DVec3, gap float64) bool {
	at, g := o.Dot(along), float64(gap*along.Len())
	least, most := s.Span(along)
	least, most = at+least-g, at+most+g
	if sum := least + most; sum-sum == 0 {
		*lo = max(*lo, float32(least-float64(RelativeSlack*math.Abs(least))))
		*hi = min(*hi, float32(most+float64(RelativeSlack*math.Abs(most))))
	}
	return *lo <= *hi
}

// farthest returns the largest coordinate that enters the placement of a subshape with a Local. Its
// rounding error bounds that of the whole.
func (p *Subshape) farthest() float32 {
	return max(Largest(p.Bounds.Min), Largest(p.Bounds.Max), Largest(p.Local.To.Origin))
}

// Extent returns the largest coordinate that enters the placement of any subshape; 0 of a plane,
// which rounds no more than the shape that it is compared with.
func (p *Subshape) Extent() float32 {
	switch {
	case p.Kind == KindPlane:
		return 0
	case p.Local != nil && p.Kind >= KindLocalBox:
		return p.farthest()
	}
	return max(Largest(p.Bounds.Min), Largest(p.Bounds.Max))
}

// DistanceTo returns the distance in metres between a box and a plane, or the bounds of any other
// subshape.
func (p *Subshape) DistanceTo(b *geom.AABB) float64 {
	if p.Kind != KindPlane {
		return boundsDistance(&p.Bounds, b)
	}
	n := p.Local.Normal
	lo, hi := b.Min.Wide(), b.Max.Wide()
	c, h := lo.Add(hi).Mul(0.5), hi.Sub(lo).Mul(0.5)
	reach := math.Abs(float64(h.X*n.X)) + math.Abs(float64(h.Y*n.Y)) + math.Abs(float64(h.Z*n.Z))
	if d := math.Abs(n.Dot(c.Sub(p.Local.Point))) - reach; d > 0 {
		return d
	}
	return 0 // also where an infinite box makes the difference NaN
}

// boundsDistance returns the distance between two boxes.
func boundsDistance(a, b *geom.AABB) float64 {
	gap := func(lo, hi, lo2, hi2 float32) float64 {
		return max(0, float64(lo2)-float64(hi), float64(lo)-float64(hi2))
	}
	return geom.DVec3{
		X: gap(a.Min.X, a.Max.X, b.Min.X, b.Max.X),
		Y: gap(a.Min.Y, a.Max.Y, b.Min.Y, b.Max.Y),
		Z: gap(a.Min.Z, a.Max.Z, b.Min.Z, b.Max.Z),
	}.Len()
}

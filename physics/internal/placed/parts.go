package placed

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Package narrow compares convex shapes only. So two subshapes are compared by their convex parts:
// each triangle of a mesh, the half-space behind a plane, and any other subshape as a whole.

// Parts names one convex part of each of two subshapes by the numbers of their triangles. Parts are
// in the order of the first number, then of the second.
type Parts uint64

// PartsOf returns the parts of two numbers, each that of a triangle or [Whole].
func PartsOf(a, b int32) Parts { return Parts(uint32(a))<<32 | Parts(uint32(b)) }

// A returns the triangle of the first subshape, −1 if that is no mesh.
func (k Parts) A() int32 { return int32(k >> 32) }

// B returns the triangle of the second subshape, −1 if that is no mesh.
func (k Parts) B() int32 { return int32(k) }

// Whole is the number of the one part of a subshape that is no mesh.
const Whole = int32(-1)

// Shapes makes x and y the two parts, in the world.
func (k Parts) Shapes(x, y *narrow.Shape, a, b *Subshape) {
	if a.Kind == KindPlane {
		b.SetPart(y, k.B())
		a.behind(x, y)
		return
	}
	a.SetPart(x, k.A())
	if b.Kind == KindPlane {
		b.behind(y, x)
	} else {
		b.SetPart(y, k.B())
	}
}

// SetPart makes s a convex part of a subshape that is no plane.
func (p *Subshape) SetPart(s *narrow.Shape, triangle int32) {
	switch p.Kind {
	case KindAABB:
		s.SetAABB(p.Bounds)
	case KindBox:
		s.SetBox(p.Box())
	case KindSphere:
		s.SetSphere(p.Sphere())
	case KindCapsule:
		s.SetCapsule(p.Capsule())
	case KindSegment:
		p.setSegment(s)
		return
	case KindLocalBox:
		s.SetShearedBox(p.Box(), p.Local.To)
	case KindEllipsoid:
		s.SetEllipsoid(p.Sphere(), p.Local.To)
	case KindLocalCapsule:
		s.SetScaledCapsule(p.Capsule(), p.Local.To)
	case KindCone:
		s.SetCone(p.Cone(), p.Local.To)
	case KindTaperedCapsule:
		s.SetTaperedCapsule(p.TaperedCapsule(), p.Local.To)
	case KindHull:
		s.SetHull(p.Local.Hull, p.Local.To)
	case KindMesh:
		s.SetTriangle(p.Local.Triangle(int(triangle)))
	default:
		s.SetNothing()
	}
	if s.SetPlanar(p.Planar); p.Planar {
		s.SetHidden(p.Hidden)
	}
}

// behind makes s the half-space behind a plane, seen from the centre of another shape: a plane is a
// surface with two sides, as a mesh is.
func (p *Subshape) behind(s, other *narrow.Shape) { p.SetBehind(s, other.Center()) }

// SetBehind makes s the half-space behind a KindPlane, seen from a point.
func (p *Subshape) SetBehind(s *narrow.Shape, from geom.DVec3) {
	b := p.Behind(from)
	s.SetHalfSpace(b.Normal, b.Point)
}

// Behind returns the plane of a KindPlane with the normal towards a point.
func (p *Subshape) Behind(center geom.DVec3) narrow.Plane {
	n := p.Local.Normal
	if n.Dot(center.Sub(p.Local.Point)) < 0 {
		n = n.Neg()
	}
	return narrow.Plane{Normal: n, Point: p.Local.Point}
}

// Plane returns the plane of a KindPlane, whose normal leads to its front.
func (p *Subshape) Plane() narrow.Plane {
	return narrow.Plane{Normal: p.Local.Normal, Point: p.Local.Point}
}

// pad returns a margin plus the distance by which rounding may separate the bounds of two subshapes
// that touch.
func pad(a, b *Subshape, margin float32) float32 {
	return margin + float32(RelativeSlack*max(a.Extent(), b.Extent()))
}

// Pad returns a margin plus the distance by which rounding may separate the bounds of any two
// subshapes of two lists that touch.
func Pad(a, b []Subshape, margin float32) float32 {
	most := float32(0)
	for i := range a {
		most = max(most, a[i].Extent())
	}
	for i := range b {
		most = max(most, b[i].Extent())
	}
	return margin + float32(RelativeSlack*most)
}

// IsConvex reports whether a subshape is one convex shape or a plane.
func (p *Subshape) IsConvex() bool { return p.Kind != KindMesh && p.Kind != KindCompound }

// IsSimple reports whether a subshape is a sphere or a capsule in the world: see [narrow.Simple].
func (p *Subshape) IsSimple() bool { return p.Kind == KindSphere || p.Kind == KindCapsule }

// SetSimple makes s a subshape that IsSimple.
func (p *Subshape) SetSimple(s *narrow.Simple) {
	if p.Kind == KindSphere {
		s.SetSphere(p.Sphere())
	} else {
		s.SetCapsule(p.Capsule())
	}
}

// MayTouch reports whether two subshapes may be within a margin of each other, by their bounds. Two
// planes never are.
func MayTouch(a, b *Subshape, margin float32) bool {
	switch {
	case a.Kind == KindPlane && b.Kind == KindPlane:
		return false
	case a.Kind == KindPlane:
		a, b = b, a
	}
	// The pad is computed only where the margin does not decide.
	if b.Kind == KindPlane {
		d := b.DistanceTo(&a.Bounds)
		return d <= float64(margin) || d <= float64(pad(a, a, margin))
	}
	v, w := &a.Bounds, &b.Bounds
	if v.Min.X-margin <= w.Max.X && v.Min.Y-margin <= w.Max.Y && v.Min.Z-margin <= w.Max.Z &&
		w.Min.X <= v.Max.X+margin && w.Min.Y <= v.Max.Y+margin && w.Min.Z <= v.Max.Z+margin {
		return true
	}
	return v.Grow(pad(a, b, margin)).OverlapsAABB(*w)
}

// PartsNear appends the parts of two subshapes that may be within a margin of each other, by their
// bounds, in no particular order.
func PartsNear(dst []Parts, a, b *Subshape, margin float32) []Parts {
	switch {
	case !MayTouch(a, b, margin):
	case a.Kind == KindMesh && b.Kind == KindMesh:
		dst = trianglesNear(dst, a, b, margin)
	case a.Kind == KindMesh:
		a.visitNear(b, margin, func(i int) bool {
			dst = append(dst, PartsOf(int32(i), Whole))
			return true
		})
	case b.Kind == KindMesh:
		b.visitNear(a, margin, func(i int) bool {
			dst = append(dst, PartsOf(Whole, int32(i)))
			return true
		})
	default:
		dst = append(dst, PartsOf(Whole, Whole))
	}
	return dst
}

// visitNear visits the triangles of a mesh that may be within a margin of a subshape that is no
// mesh.
func (p *Subshape) visitNear(o *Subshape, margin float32, visit func(triangle int) bool) {
	if o.Kind != KindPlane {
		g := pad(p, o, margin)
		var s narrow.Shape
		if p.Local.turns() {
			o.SetPart(&s, Whole)
		}
		p.visitTriangles(&s, o, o.Bounds.Grow(g), float64(g), visit)
		return
	}
	limit := float64(pad(p, p, margin))
	p.Local.Mesh.VisitNearest(limit,
		func(box geom.AABB) float64 {
			b := p.Local.To.Bounds(box)
			return o.DistanceTo(&b)
		},
		func(i int) float64 {
			visit(i)
			return limit
		})
}

// visitTriangles visits the triangles of a mesh that may be within a gap, in metres, of a convex
// shape: those whose bounds in the mesh's own space are near its bounds there. Bounds are those of
// the shape in the world, grown by the gap. The shape need not be set if the mesh does not turn,
// and its subshape is nil if it is a triangle.
func (p *Subshape) visitTriangles(s *narrow.Shape, o *Subshape, bounds geom.AABB, gap float64, visit func(triangle int) bool) {
	in, ok := p.around(s, bounds, gap)
	if !ok {
		return
	}
	m := p.Local.Mesh
	f := p.beyond(s, o, &in, gap)
	if !f.turns {
		m.VisitAABB(in, visit)
		return
	}
	m.VisitAABB(in, func(i int) bool {
		t := m.Triangle(i)
		return f.misses(&t) || visit(i)
	})
}

// beyond is what misses many triangles beside a shape, in the own space of a mesh that turns, whose
// bounds touch those of the shape: a ball around a sphere, and a plane beside another one. It
// misses none of a mesh that does not turn.
type beyond struct {
	turns, round bool
	ball         ball
	plane        plane
}

func (p *Subshape) beyond(s *narrow.Shape, o *Subshape, in *geom.AABB, gap float64) beyond {
	switch {
	case !p.Local.turns():
		return beyond{}
	case o != nil && o.Kind == KindSphere:
		return beyond{turns: true, round: true, ball: p.ballIn(o, gap)}
	}
	return beyond{turns: true, plane: p.planeBetween(s, in, gap)}
}

func (f *beyond) misses(t *geom.Triangle) bool {
	if f.round {
		return f.ball.misses(t)
	}
	return f.plane.isBeyond(t)
}

// ball is a ball around a sphere as a mesh's own space sees it.
type ball struct {
	c      geom.DVec3
	square float64 // of the radius
}

// ballIn returns the ball around a sphere, grown by a gap in metres.
func (p *Subshape) ballIn(o *Subshape, gap float64) ball {
	c, m := o.Sphere(), &p.Local.To
	x, y, z := m.X.Wide(), m.Y.Wide(), m.Z.Wide()
	u, v, w := y.Cross(z), z.Cross(x), x.Cross(y)
	inverse, at := 1/x.Dot(u), c.Center.Wide().Sub(m.Origin.Wide())
	// The map to the mesh makes no vector longer than by the root of this (Gershgorin 1931).
	most := max(u.Dot(u), v.Dot(v), w.Dot(w)) + math.Abs(u.Dot(v)) + math.Abs(v.Dot(w)) + math.Abs(w.Dot(u))
	r := float64((float64(c.Radius) + gap) * inverse)
	return ball{geom.DVec3{X: u.Dot(at), Y: v.Dot(at), Z: w.Dot(at)}.Mul(inverse), float64(r*r) * most * (1 + RelativeSlack)}
}

// misses is true only for triangles outside of the ball: those that the plane across the way to
// their middle separates from it.
func (b *ball) misses(t *geom.Triangle) bool {
	p, q, r := t.A.Wide().Sub(b.c), t.B.Wide().Sub(b.c), t.C.Wide().Sub(b.c)
	out := p.Add(q).Add(r)
	least := min(p.Dot(out), q.Dot(out), r.Dot(out))
	return least > 0 && float64(least*least) > float64(b.square*out.Dot(out))
}

// around returns the bounds in the mesh's own space of what is visited, and false if there are
// none.
func (p *Subshape) around(s *narrow.Shape, bounds geom.AABB, gap float64) (geom.AABB, bool) {
	if p.Local.turns() {
		return p.reachIn(s, gap)
	}
	return p.BoundsIn(bounds), true
}

// aheadIn clips bounds in the mesh's own space to others in the world, grown by a slack, unless
// these are nil: where a shape goes that has the margin on its way alone. It returns false if none
// are left.
func (p *Subshape) aheadIn(in, ahead *geom.AABB, slack float32) bool {
	if ahead == nil {
		return true
	}
	way := p.BoundsIn(ahead.Grow(slack))
	in.Min, in.Max = in.Min.Max(way.Min), in.Max.Min(way.Max)
	return !in.IsEmpty()
}

// plane is a plane in a mesh's own space.
type plane struct {
	n geom.DVec3
	d float64
}

// planeBetween returns the plane beyond which a shape does not reach, grown by a gap in metres,
// across the way to the middle of the bounds that are to be visited. It separates many triangles
// from the shape whose bounds touch those.
func (p *Subshape) planeBetween(s *narrow.Shape, in *geom.AABB, gap float64) plane {
	m := &p.Local.To
	out := m.Point(in.Center()).Wide().Sub(s.Center()).Normalize()
	return plane{
		n: geom.DVec3{X: m.X.Wide().Dot(out), Y: m.Y.Wide().Dot(out), Z: m.Z.Wide().Dot(out)},
		d: s.Reach(out) + gap - m.Origin.Wide().Dot(out),
	}
}

func (f *plane) isBeyond(t *geom.Triangle) bool {
	return min(t.A.Wide().Dot(f.n), t.B.Wide().Dot(f.n), t.C.Wide().Dot(f.n)) > f.d
}

// KeepsNear reports whether PlacesNear finds what is kept, without a walk of the mesh's tree.
func KeepsNear(n *mesh.Near, a, b *Subshape, margin float32) bool {
	g := pad(a, b, margin)
	var s narrow.Shape
	if a.Local.turns() {
		b.SetPart(&s, Whole)
	}
	in, ok := a.around(&s, b.Bounds.Grow(g), float64(g))
	return ok && n.Keeps(a.Local.Mesh, in)
}

// ClearNear returns how far a mesh, which must scale all directions alike, is at least from the
// bounds of a convex subshape, by what is kept of it; 0 or less if that shows nothing.
func ClearNear(n *mesh.Near, a, b *Subshape) float64 {
	return float64(n.Clear(a.Local.Mesh, a.BoundsIn(b.Bounds))) * a.Local.To.X.Wide().Len()
}

// PlacesNear is PartsNear for a mesh and a convex subshape that is no plane, by what is kept of the
// mesh. It appends the places of their triangles, in the order of these, and counts those that
// touch the bounds, as [mesh.Mesh.VisitBound] does. It returns false if they are not kept. It may
// set a shape to the subshape. See aheadIn for the bounds ahead.
func PlacesNear(places []int32, n *mesh.Near, a, b *Subshape, s *narrow.Shape, margin float32, ahead *geom.AABB) (near []int32, touched int, ok bool) {
	g := pad(a, b, margin)
	if a.Local.turns() {
		b.SetPart(s, Whole)
	}
	in, ok := a.around(s, b.Bounds.Grow(g), float64(g))
	if ok = ok && a.aheadIn(&in, ahead, g-margin); !ok {
		return places, 0, true
	}
	from := len(places)
	places, ok = n.Visit(places, a.Local.Mesh, in)
	touched = len(places) - from
	if f := a.beyond(s, b, &in, float64(g)); f.turns {
		left := slices.DeleteFunc(places[from:], func(i int32) bool {
			t := n.Triangle(i)
			return f.misses(&t)
		})
		places = places[:from+len(left)]
	}
	return places, touched, ok
}

// PartsBound is PartsNear for a mesh and a convex subshape that may touch, without the parts that a
// bound misses, unless few is 0: see [mesh.Mesh.VisitBound]. It may set a shape to the subshape.
// See aheadIn for the bounds ahead, which are nil if few is 0.
func PartsBound(dst []Parts, a, b *Subshape, s *narrow.Shape, margin float32, ahead *geom.AABB, few int, bound func() *wide.Bound) []Parts {
	g := pad(a, b, margin)
	if a.Local.turns() {
		b.SetPart(s, Whole)
	}
	add := func(i int) bool {
		dst = append(dst, PartsOf(int32(i), Whole))
		return true
	}
	if few == 0 {
		a.visitTriangles(s, b, b.Bounds.Grow(g), float64(g), add)
		return dst
	}
	in, ok := a.around(s, b.Bounds.Grow(g), float64(g))
	if !ok || !a.aheadIn(&in, ahead, g-margin) {
		return dst
	}
	m, f := a.Local.Mesh, a.beyond(s, b, &in, float64(g))
	m.VisitBound(in, few, bound, func(i int) {
		if f.turns {
			if t := m.Triangle(i); f.misses(&t) {
				return
			}
		}
		add(i)
	})
	return dst
}

// trianglesNear visits the triangles of the smaller mesh that are near the other mesh and, for
// each, the near triangles of that mesh.
func trianglesNear(dst []Parts, a, b *Subshape, margin float32) []Parts {
	if a.Local.Mesh.NumTriangles() > b.Local.Mesh.NumTriangles() {
		n := len(dst)
		dst = trianglesNear(dst, b, a, margin)
		for i := n; i < len(dst); i++ {
			dst[i] = PartsOf(dst[i].B(), dst[i].A())
		}
		return dst
	}
	g := pad(a, b, margin)
	var s narrow.Shape
	a.Local.Mesh.VisitAABB(a.BoundsIn(b.Bounds.Grow(g)), func(i int) bool {
		t := a.Local.Triangle(i)
		s.SetTriangle(t)
		b.visitTriangles(&s, nil, t.Bounds().Grow(g), float64(g), func(j int) bool {
			dst = append(dst, PartsOf(int32(i), int32(j)))
			return true
		})
		return true
	})
	return dst
}

// VisitNearest visits the parts of two subshapes in no particular order, except those that are
// further apart than a limit, in metres, which visit may lower. Two planes have no such parts.
func VisitNearest(a, b *Subshape, limit *float32, visit func(k Parts)) {
	switch {
	case a.Kind == KindPlane && b.Kind == KindPlane:
	case a.Kind == KindMesh && b.Kind == KindMesh:
		a.visitNearest(&b.Bounds, nil, limit, func(i int) {
			around := a.Local.Triangle(i).Bounds()
			b.visitNearest(&around, nil, limit, func(j int) { visit(PartsOf(int32(i), int32(j))) })
		})
	case a.Kind == KindMesh:
		a.visitNearest(&b.Bounds, b, limit, func(i int) { visit(PartsOf(int32(i), Whole)) })
	case b.Kind == KindMesh:
		b.visitNearest(&a.Bounds, a, limit, func(i int) { visit(PartsOf(Whole, int32(i))) })
	default:
		visit(PartsOf(Whole, Whole))
	}
}

// visitNearest visits the triangles of a mesh by their distance from a box, or from other if that
// is a plane, up to a limit that visit may lower.
func (p *Subshape) visitNearest(box *geom.AABB, other *Subshape, limit *float32, visit func(triangle int)) {
	slack := float32(RelativeSlack * p.Extent())
	if isPlane := other != nil && other.Kind == KindPlane; !isPlane {
		other = nil
		slack = float32(RelativeSlack * max(p.Extent(), Largest(box.Min), Largest(box.Max)))
	}
	p.Local.Mesh.VisitNearest(float64(JustBeyond(*limit)),
		func(node geom.AABB) float64 {
			b := p.Local.To.Bounds(node).Grow(slack)
			if other != nil {
				return other.DistanceTo(&b) * (1 - RelativeSlack)
			}
			return boundsDistance(&b, box) * (1 - RelativeSlack)
		},
		func(i int) float64 {
			visit(i)
			return float64(JustBeyond(*limit))
		})
}

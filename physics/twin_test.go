package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// twin is the brute-force reference: the same colliders in a plain map, placed again for each query
// and tested one by one with package geom.
type twin map[ColliderID]Collider

// part is a shape of a collider and the chain of transforms it hangs on.
type part struct {
	shape    Shape
	child    int32
	to       geom.Affine
	rotation geom.Quat
	scale    geom.Vec3
	sheared  bool
}

func partsOf(c Collider) []part {
	root := part{shape: c.Shape, child: -1,
		to: c.Transform.Affine(), rotation: c.Transform.Rotation, scale: c.Transform.Factors()}
	compound, ok := c.Shape.(*Compound)
	if !ok {
		return []part{root}
	}
	parts := []part{}
	for i := range compound.NumChildren() {
		child := compound.Child(i)
		p := part{shape: child.Shape, child: int32(i)}
		p.to = root.to.Mul(child.Transform.Affine())
		p.scale = root.scale.MulVec(child.Transform.Factors())
		p.rotation, p.sheared = root.turned(child.Transform.Rotation)
		parts = append(parts, p)
	}
	return parts
}

// turned composes the part's rotation with that of its shape, if the scale allows it.
func (p part) turned(q geom.Quat) (rotation geom.Quat, sheared bool) {
	if q.X == 0 && q.Y == 0 && q.Z == 0 {
		return p.rotation, p.sheared
	}
	flip := func(a, b float32) float32 {
		if (a < 0) != (b < 0) {
			return -1
		}
		return 1
	}
	s := p.scale
	mirrored := geom.Quat{X: q.X * flip(s.Y, s.Z), Y: q.Y * flip(s.Z, s.X), Z: q.Z * flip(s.X, s.Y), W: q.W}
	return p.rotation.Mul(mirrored), p.sheared || !p.even()
}

func (p part) even() bool {
	s := p.scale.Abs()
	return !p.sheared && s.X == s.Y && s.Y == s.Z
}

// world returns the part as a shape of geom in the world if there is one, and otherwise as the
// shape in its own space. ok is false if it is nowhere.
func (p part) world() (shape Shape, back geom.InverseAffine, local, ok bool) {
	s := p.scale
	if !p.to.IsFinite() || !s.IsFinite() || !p.rotation.IsFinite() {
		return nil, back, false, false
	}
	back, invertible := p.to.Inverse()
	if x, y, z := p.to.X.Wide().Len(), p.to.Y.Wide().Len(), p.to.Z.Wide().Len(); p.sheared &&
		!(math.Abs(p.to.Det())/(x*y*z) >= placed.Flattest) {
		invertible = false
	}
	switch shape := p.shape.(type) {
	case geom.AABB:
		if shape.IsEmpty() {
			return nil, back, false, false
		}
		at := func(o, s, lo float32) float32 { return float32(float64(o) + float64(float64(s)*float64(lo))) }
		a := geom.V(at(p.to.Origin.X, s.X, shape.Min.X), at(p.to.Origin.Y, s.Y, shape.Min.Y), at(p.to.Origin.Z, s.Z, shape.Min.Z))
		b := geom.V(at(p.to.Origin.X, s.X, shape.Max.X), at(p.to.Origin.Y, s.Y, shape.Max.Y), at(p.to.Origin.Z, s.Z, shape.Max.Z))
		w := geom.AABB{Min: a.Min(b), Max: a.Max(b)}
		return w, back, false, !w.IsEmpty() && w.Min.IsFinite() && w.Max.IsFinite()
	case geom.Box:
		if rotation, sheared := p.turned(shape.Rotation); !sheared {
			w := geom.Box{Center: p.to.Point(shape.Center), HalfExtents: shape.HalfExtents.MulVec(s.Abs()), Rotation: rotation}
			return w, back, false, !shape.IsEmpty() && !w.IsEmpty() && w.Bounds().Max.IsFinite() && w.Bounds().Min.IsFinite()
		}
		return shape, back, true, invertible && !shape.IsEmpty()
	case geom.Sphere:
		if p.even() {
			w := geom.Sphere{Center: p.to.Point(shape.Center), Radius: shape.Radius * s.Abs().X}
			return w, back, false, !w.IsEmpty()
		}
		return shape, back, true, invertible && !shape.IsEmpty()
	case geom.Capsule:
		if p.even() {
			w := geom.Capsule{A: p.to.Point(shape.A), B: p.to.Point(shape.B), Radius: shape.Radius * s.Abs().X}
			return w, back, false, !w.IsEmpty()
		}
		return shape, back, true, invertible && !shape.IsEmpty()
	case geom.Cone:
		return shape, back, true, invertible && !shape.IsEmpty()
	case geom.TaperedCapsule:
		return shape, back, true, invertible && !shape.IsEmpty()
	case geom.Plane:
		return shape, back, true, invertible && !shape.IsEmpty()
	case *hull.Hull:
		return shape, back, true, invertible && !shape.IsEmpty()
	case *mesh.Mesh:
		return shape, back, true, invertible
	}
	panic("unknown shape")
}

func (p part) castAll(r geom.Ray, f Filter) []geom.Hit {
	shape, back, local, ok := p.world()
	if !ok {
		return nil
	}
	ray := r
	if local {
		ray = back.Ray(r)
	}
	var hits []geom.Hit
	switch shape := shape.(type) {
	case interface {
		CastRayIn(*geom.InverseAffine, geom.Ray, geom.StartMode) (geom.Hit, bool)
	}:
		if h, ok := shape.CastRayIn(&back, r, f.Start); ok {
			return []geom.Hit{h}
		}
	case interface {
		CastRay(geom.Ray, geom.StartMode) (geom.Hit, bool)
	}:
		if h, ok := shape.CastRay(ray, f.Start); ok {
			hits = append(hits, h)
		}
	case geom.Plane:
		if h, ok := shape.CastRay(ray, f.Cull); ok {
			hits = append(hits, h)
		}
	case *mesh.Mesh:
		hits = shape.CastRayAll(nil, ray, f.Cull)
	}
	for i := range hits {
		if !local {
			continue
		}
		if h := &hits[i]; h.Inside {
			h.Point, h.Normal = r.At(h.T), r.Dir.Normalize().Neg()
		} else {
			h.Point, h.Normal = p.to.Point(h.Point), back.Normal(h.Normal)
		}
	}
	return hits
}

func (w twin) sees(id ColliderID, f Filter) bool {
	c := w[id]
	layer, mask := c.Layer, c.Mask
	if layer == 0 {
		layer = DefaultLayer
	}
	if mask == 0 {
		mask = math.MaxUint32
	}
	switch {
	case c.Sensor && !f.Sensors, f.Mask != 0 && f.Mask&layer == 0, f.OwnLayer != 0 && f.OwnLayer&mask == 0:
		return false
	case slices.Contains(f.Exclude, id):
		return false
	}
	return f.Predicate == nil || f.Predicate(id)
}

// castAll uses the space only for the bounds of sheared shapes and non-uniformly scaled hulls,
// outside of which a hit does not count.
func (w twin) castAll(space *Space, r geom.Ray, f Filter) []Hit {
	hits := []Hit{}
	for id, c := range w {
		if !w.sees(id, f) {
			continue
		}
		for _, p := range partsOf(c) {
			for _, h := range p.castAll(r, f) {
				_, isHull := p.shape.(*hull.Hull)
				if (p.sheared || isHull && !p.even()) && !space.lookup(id).isInBounds(&r, &h) {
					continue
				}
				hits = append(hits, Hit{Hit: h, Collider: id, Child: p.child, User: c.User})
			}
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		for _, d := range []float64{
			float64(a.T) - float64(b.T), float64(a.Collider) - float64(b.Collider),
			float64(a.Child - b.Child), float64(a.Triangle - b.Triangle),
		} {
			if d != 0 {
				return int(math.Copysign(1, d))
			}
		}
		return 0
	})
	return hits
}

// surface returns the unit normal of a plane in the world and a point on it.
func (p part) surface(pl geom.Plane) (normal, point geom.DVec3) {
	x, y, z := p.to.X.Wide(), p.to.Y.Wide(), p.to.Z.Wide()
	n := pl.Normal.Wide()
	normal = y.Cross(z).Mul(n.X).AddMul(n.Y, z.Cross(x)).AddMul(n.Z, x.Cross(y)).Normalize()
	if p.to.Det() < 0 {
		normal = normal.Neg()
	}
	o := n.Mul(float64(pl.D) / n.Dot(n))
	return normal, p.to.Origin.Wide().AddMul(o.X, x).AddMul(o.Y, y).AddMul(o.Z, z)
}

func (p part) triangles(m *mesh.Mesh) []geom.Triangle {
	triangles := make([]geom.Triangle, m.NumTriangles())
	for i := range triangles {
		t := m.Triangle(i)
		triangles[i] = geom.Triangle{A: p.to.Point(t.A), B: p.to.Point(t.B), C: p.to.Point(t.C)}
	}
	return triangles
}

// solid returns a part that is queried in its own space as a convex shape in the world.
func (p part) solid() narrow.Shape {
	switch shape := p.shape.(type) {
	case geom.Box:
		return narrow.ShearedBox(shape, p.to)
	case geom.Sphere:
		return narrow.Ellipsoid(shape, p.to)
	case geom.Capsule:
		return narrow.ScaledCapsule(shape, p.to)
	case geom.Cone:
		return narrow.Cone(shape, p.to)
	case geom.TaperedCapsule:
		return narrow.TaperedCapsule(shape, p.to)
	case *hull.Hull:
		return narrow.Hull(shape, p.to)
	}
	panic("not convex")
}

// query is the volume of an overlap query: one of geom.AABB, geom.Box and geom.Sphere.
type query interface {
	OverlapsTriangle(geom.Triangle) bool
	OverlapsCapsule(geom.Capsule) bool
	Bounds() geom.AABB
}

// solidOf returns a volume, or a part that is queried in the world, as a convex shape.
func solidOf(v any) narrow.Shape {
	switch v := v.(type) {
	case geom.AABB:
		return narrow.AABB(v)
	case geom.Box:
		return narrow.Box(v)
	case geom.Sphere:
		return narrow.Sphere(v)
	case geom.Capsule:
		return narrow.Capsule(v)
	}
	panic("no volume")
}

func (p part) overlaps(v query) bool {
	shape, _, local, ok := p.world()
	if !ok {
		return false
	}
	a := solidOf(v)
	switch shape := shape.(type) {
	case geom.Plane:
		normal, point := p.surface(shape)
		back, front := narrow.HalfSpace(normal, point), narrow.HalfSpace(normal.Neg(), point)
		return narrow.Overlaps(&a, &back) && narrow.Overlaps(&a, &front)
	case *mesh.Mesh:
		return slices.ContainsFunc(p.triangles(shape), v.OverlapsTriangle)
	}
	if local {
		b := p.solid()
		return narrow.Overlaps(&a, &b)
	}
	_, isBox := v.(geom.Box)
	_, isBall := v.(geom.Sphere)
	// Where there are two ways, the one the space goes.
	if _, toBox := shape.(geom.Box); isBox || toBox && !isBall {
		b := solidOf(shape)
		return narrow.Overlaps(&a, &b)
	}
	switch shape := shape.(type) {
	case geom.AABB:
		if ball, ok := v.(geom.Sphere); ok {
			return shape.OverlapsSphere(ball)
		}
		return shape.OverlapsAABB(v.(geom.AABB))
	case geom.Box:
		return shape.OverlapsSphere(v.(geom.Sphere))
	case geom.Sphere:
		return v.(interface{ OverlapsSphere(geom.Sphere) bool }).OverlapsSphere(shape)
	case geom.Capsule:
		return v.OverlapsCapsule(shape)
	}
	panic("unknown shape")
}

func (w twin) overlap(v query, f Filter) []ColliderID {
	ids := []ColliderID{}
	for id, c := range w {
		if w.sees(id, f) && slices.ContainsFunc(partsOf(c), func(p part) bool { return p.overlaps(v) }) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (p part) closest(at geom.Vec3) []Nearest {
	shape, _, local, ok := p.world()
	if !ok {
		return nil
	}
	near := func(point geom.Vec3, triangle int) Nearest {
		n := Nearest{Closest: Closest{
			Distance: at.Distance(point), PointA: point, PointB: at, ChildA: p.child, ChildB: -1, TriangleA: int32(triangle), TriangleB: -1,
		}}
		if n.Distance > 0 {
			n.Normal = at.Wide().Sub(point.Wide()).Normalize().Narrow()
		}
		return n
	}
	switch shape := shape.(type) {
	case geom.Plane:
		normal, point := p.surface(shape)
		return []Nearest{near(at.Wide().AddMul(-at.Wide().Sub(point).Dot(normal), normal).Narrow(), -1)}
	case *mesh.Mesh:
		var all []Nearest
		for i, t := range p.triangles(shape) {
			all = append(all, near(t.ClosestPoint(at), i))
		}
		return all
	}
	if local {
		a, b := narrow.Sphere(geom.Sphere{Center: at}), p.solid()
		c := narrow.Distance(&a, &b, math.Inf(1))
		if c.Distance == 0 {
			return []Nearest{near(at, -1)}
		}
		return []Nearest{near(c.PointB.Narrow(), -1)}
	}
	return []Nearest{near(shape.(interface{ ClosestPoint(geom.Vec3) geom.Vec3 }).ClosestPoint(at), -1)}
}

func (w twin) closest(at geom.Vec3, maxDistance float32, f Filter) (best Nearest, found bool) {
	for id, c := range w {
		if !w.sees(id, f) {
			continue
		}
		for _, p := range partsOf(c) {
			for _, n := range p.closest(at) {
				n.Collider, n.User = id, c.User
				if n.Distance > maxDistance {
					continue
				}
				if !found || n.Distance < best.Distance || n.Distance == best.Distance && (n.Collider < best.Collider ||
					n.Collider == best.Collider && (n.ChildA < best.ChildA || n.ChildA == best.ChildA && n.TriangleA < best.TriangleA)) {
					best, found = n, true
				}
			}
		}
	}
	return best, found
}

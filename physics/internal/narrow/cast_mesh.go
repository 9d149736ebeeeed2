package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// Caster casts one moving body at many triangles, in world space. [Caster.Reset] prepares it.
type Caster struct {
	body     Shape
	path     Path
	triangle Shape
	found    meeting
}

// Reset prepares k for a body and a path. It returns false if no hit is possible.
func (k *Caster) Reset(a *Shape, p *Path) bool {
	k.body, k.path = *a, *p
	return !a.IsEmpty() && p.IsValid()
}

// Release drops references to the points of the body.
func (k *Caster) Release() { k.body.cloud, k.body.points, k.body.hull = nil, nil, nil }

// Place sets the triangle for the other methods. It may be a line or a point.
func (k *Caster) Place(a, b, c geom.DVec3) { k.triangle.setCorners(a, b, c) }

// Time returns the T at which the body first touches the triangle, if that is no more than limit.
// starts is true if it touches or overlaps it already at the start of the path. The limit saves
// work and changes nothing else.
func (k *Caster) Time(limit float64) (t float64, starts, ok bool) {
	limit = min(limit, k.path.Max)
	if k.staysOff(limit) {
		return 0, false, false
	}
	c := newPair(&k.body, &k.triangle, &k.path)
	c.hi = limit
	k.found = meeting{}
	ok = c.meetTriangle(&k.found)
	return k.found.t, k.found.starts, ok
}

// staysOff reports whether the body stays on one side of the triangle's plane up to a T, by more
// than the tolerance of any search. It rules out most triangles near the path of a body, at a
// fraction of the cost of a search.
func (k *Caster) staysOff(limit float64) bool {
	b := &k.triangle
	n := b.e.Cross(b.f)
	at := k.body.p.Sub(b.p).AddMul(k.path.Min, k.path.Motion)
	least, greatest := k.body.Span(n)
	height, rise := at.Dot(n), n.Dot(k.path.Motion)
	// The triangle's own extent along n is rounding, unless it is a line, for which n is any
	// vector.
	e, f := b.e.Dot(n), b.f.Dot(n)
	low, high := height+least-max(0, e, f), height+greatest-min(0, e, f)
	if way := float64(rise * (limit - k.path.Min)); rise < 0 {
		low += way
	} else {
		high += way // NaN from 0·∞ fails both comparisons
	}
	off := float64(offPlane*total(n)) * (total(at) + k.body.extent + k.body.radius + b.extent)
	return low > off || high < -off
}

// Plane returns the vector and the number of [Caster.Front] for the plane of the last hit. ok is
// false if there is none, as for a hit at the start of the path.
func (k *Caster) Plane() (v geom.DVec3, front float64, ok bool) {
	rate := k.found.n.Dot(k.path.Motion)
	if k.found.starts || !(rate < 0) {
		return v, 0, false
	}
	v, front = k.Front(k.found.n.Mul(1 / rate))
	return v, front, true
}

// Front returns v and front for a vector v with v·Motion = 1: the body does not touch a point p
// before T = v·p − front, at which it reaches the plane through p across v.
func (k *Caster) Front(v geom.DVec3) (geom.DVec3, float64) {
	_, front := k.body.Span(v)
	return v, front + k.body.p.Dot(v)
}

// Ahead is [Caster.Front] for the planes across the motion.
func (k *Caster) Ahead() (v geom.DVec3, front float64) {
	return k.Front(k.path.Motion.Mul(1 / k.path.Motion.Dot(k.path.Motion)))
}

// Size returns a bound of the distance of the body's points from its origin, in metres.
func (k *Caster) Size() float64 { return k.body.extent + k.body.radius }

// IsFar reports whether the path is longer than the size of the body.
func (k *Caster) IsFar() bool {
	return (k.path.Max-k.path.Min)*k.path.Motion.Len() > k.body.extent+k.body.radius
}

// Beside returns two vectors v across the motion and each other, and for each the greatest p·v and
// p·−v of the points p that the body sweeps.
func (k *Caster) Beside() (v [2]geom.DVec3, greatest [2][2]float64) {
	m := k.path.Motion
	v[0] = across(m).Mul(1 / m.Len())
	v[1] = m.Cross(v[0]).Mul(1 / m.Len())
	for i := range v {
		lo, hi := k.body.Span(v[i])
		at := k.body.p.Dot(v[i])
		greatest[i] = [2]float64{hi + at, -lo - at}
	}
	return v, greatest
}

// Impact returns the hit whose T [Caster.Time] returned last. It returns false if the path's Start
// mode makes it a miss.
func (k *Caster) Impact() (Impact, bool) {
	if k.found.starts {
		k.triangle.setNormal()
	}
	c := newPair(&k.body, &k.triangle, &k.path)
	return c.impact(&k.found, k.path.Start)
}

// BackFace reports whether the body hits the last triangle from behind: it moves along the
// triangle's normal or, if it moves parallel to the triangle, its origin is behind.
func (k *Caster) BackFace() bool {
	n := k.triangle.e.Cross(k.triangle.f)
	along := n.Dot(k.path.Motion)
	return along > 0 || along == 0 && n.Dot(k.body.p.Sub(k.triangle.p)) < 0
}

// Within returns the body's origin o, its motion d, and its extents low and high relative to the
// origin, in the local space of a tree: x, y and z are the rows of the matrix into that space, and
// origin is its origin in the world. pad bounds the rounding of all of these along each axis.
func (k *Caster) Within(x, y, z, origin geom.DVec3) (o, d, low, high, pad geom.DVec3) {
	from := k.body.p.Sub(origin)
	o = geom.DVec3{X: x.Dot(from), Y: y.Dot(from), Z: z.Dot(from)}
	d = geom.DVec3{X: x.Dot(k.path.Motion), Y: y.Dot(k.path.Motion), Z: z.Dot(k.path.Motion)}
	low.X, high.X = k.body.Span(x)
	low.Y, high.Y = k.body.Span(y)
	low.Z, high.Z = k.body.Span(z)
	size := k.body.extent + k.body.radius + total(from)
	pad = geom.DVec3{X: size * total(x), Y: size * total(y), Z: size * total(z)}.Mul(padding)
	pad = geom.DVec3{X: max(pad.X, math.Abs(o.X)*padding), Y: max(pad.Y, math.Abs(o.Y)*padding), Z: max(pad.Z, math.Abs(o.Z)*padding)}
	return o, d, low, high, pad
}

// meetTriangle is meet for a second body that is a triangle.
func (c *pair) meetTriangle(m *meeting) bool {
	if c.a.kind == KindSphere && c.hi < math.MaxFloat64 && c.passes(c.hi) {
		return false
	}
	return c.meet(m)
}

// Body describes the body as [Shape.Body] does, with its motion, but no box that is not turned: its
// bounds are exact.
func (k *Caster) Body(b *wide.Body) bool {
	b.Motion = k.path.Motion
	return !k.body.isAligned() && k.body.Body(b)
}

// Body describes the shape, around a center in the world that becomes b.Origin, as far as b
// describes bodies by themselves. It returns false for shapes that are curved but no sphere or
// capsule, and for those of many points.
func (s *Shape) Body(b *wide.Body) bool {
	b.Origin, b.Radius, b.Size, b.Half, b.Points = s.p, s.radius, s.extent, [3]geom.DVec3{}, b.Points[:0]
	switch s.kind {
	case KindSphere:
	case KindCapsule:
		b.Half[0] = s.e.Mul(0.5)
		b.Origin, b.Size = s.p.Add(b.Half[0]), 0.5*s.extent
	case KindAABB, KindBox:
		b.Size = s.half.Len()
		fallthrough
	case KindParallelepiped:
		b.Half = [3]geom.DVec3{s.x.Mul(s.half.X), s.y.Mul(s.half.Y), s.z.Mul(s.half.Z)}
	case KindHull, kindCloud:
		points := s.cloud
		if s.kind == KindHull {
			points = s.hull.Vertices()
		}
		if len(points) > wide.MaxBodyPoints {
			return false
		}
		b.Size = 0
		for _, p := range points {
			q := s.image(p.Wide().Sub(s.f))
			b.Points, b.Size = append(b.Points, q), max(b.Size, q.Len())
		}
	default:
		return false
	}
	b.Size += b.Radius
	return true
}

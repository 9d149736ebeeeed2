package geom_test

import (
	"math"
	"math/rand/v2"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// volume is any of the six kinds of shape.
type volume interface {
	pointShape
	OverlapsPlane(geom.Plane) bool
}

// solid is any of the four kinds with an interior.
type solid interface {
	volume
	SignedDistance(geom.Vec3) float32
}

// overlaps calls the method for the two kinds, which only one of the two kinds has.
func overlaps(a, b volume) bool {
	switch b := b.(type) {
	case geom.AABB:
		if a, ok := a.(geom.AABB); ok {
			return a.OverlapsAABB(b)
		}
	case geom.Box:
		if a, ok := a.(interface{ OverlapsBox(geom.Box) bool }); ok {
			return a.OverlapsBox(b)
		}
	case geom.Sphere:
		if a, ok := a.(interface{ OverlapsSphere(geom.Sphere) bool }); ok {
			return a.OverlapsSphere(b)
		}
	case geom.Capsule:
		if a, ok := a.(interface{ OverlapsCapsule(geom.Capsule) bool }); ok {
			return a.OverlapsCapsule(b)
		}
	case geom.Triangle:
		if a, ok := a.(interface{ OverlapsTriangle(geom.Triangle) bool }); ok {
			return a.OverlapsTriangle(b)
		}
	case geom.Plane:
		return a.OverlapsPlane(b)
	}
	return overlaps(b, a)
}

// ulps returns the error of n roundings to single precision of numbers up to size, half a unit in
// the last place each.
func ulps(n, size float64) float64 { return n * size * 0x1p-24 }

// body is a bounded shape with a second description for the reference tests: the convex hull of
// spheres of one radius around a few points.
type body struct {
	volume
	points []geom.DVec3
	radius float64
}

func bodyOf(s volume) body {
	b := body{volume: s}
	add := func(p ...geom.Vec3) {
		for _, p := range p {
			b.points = append(b.points, p.Wide())
		}
	}
	switch s := s.(type) {
	case geom.AABB:
		for i := range 8 {
			p := s.Min
			for axis := range 3 {
				if i>>axis&1 != 0 {
					p = p.WithAxis(geom.Axis(axis), s.Max.Axis(geom.Axis(axis)))
				}
			}
			add(p)
		}
	case geom.Box:
		x, y, z := s.Axes()
		for _, p := range bodyOf(geom.AABB{Min: s.HalfExtents.Neg(), Max: s.HalfExtents}).points {
			b.points = append(b.points, s.Center.Wide().AddMul(p.X, x).AddMul(p.Y, y).AddMul(p.Z, z))
		}
	case geom.Sphere:
		add(s.Center)
		b.radius = float64(s.Radius)
	case geom.Capsule:
		add(s.A, s.B)
		b.radius = float64(s.Radius)
	case geom.Triangle:
		add(s.A, s.B, s.C)
	}
	return b
}

// extent returns the distance of the body's furthest point from p.
func (b body) extent(p geom.DVec3) float64 {
	most := 0.0
	for _, q := range b.points {
		most = max(most, q.Sub(p).Len())
	}
	return most + b.radius
}

// furthest returns the support function of the body: its extent along a unit vector.
func (b body) furthest(d geom.DVec3) float64 {
	most := math.Inf(-1)
	for _, p := range b.points {
		most = max(most, p.Dot(d))
	}
	return most + b.radius
}

// sample returns a random point of the body.
func (b body) sample(r *rand.Rand) geom.Vec3 {
	var p geom.DVec3
	total := 0.0
	for _, q := range b.points {
		w := r.ExpFloat64()
		p, total = p.AddMul(w, q), total+w
	}
	return p.Mul(1/total).AddMul(b.radius*r.Float64(), randomVec(r).Wide().Normalize()).Narrow()
}

// shape returns the body as a shape of package narrow. A box becomes a sheared one, for which
// narrow does not use the separating axes of this package.
func (b body) shape() narrow.Shape {
	switch s := b.volume.(type) {
	case geom.AABB:
		return narrow.AABB(s)
	case geom.Box:
		return narrow.ShearedBox(s, geom.AffineIdentity())
	case geom.Sphere:
		return narrow.Sphere(s)
	case geom.Capsule:
		return narrow.Capsule(s)
	case geom.Triangle:
		return narrow.Triangle(s)
	}
	panic("no such shape")
}

// gap returns the distance between two shapes, without the code under test.
func gap(a, b volume) float64 {
	p, ok := a.(geom.Plane)
	if q, both := b.(geom.Plane); ok && both {
		n, m := p.Normal.Wide(), q.Normal.Wide()
		if n.Normalize().Cross(m.Normalize()).Len() > 1e-12 {
			return 0
		}
		foot := n.Mul(float64(p.D) / n.Dot(n))
		return math.Abs(foot.Dot(m)-float64(q.D)) / m.Len()
	}
	if ok {
		a, b = b, a
	}
	if p, ok := b.(geom.Plane); ok {
		n := p.Normal.Wide().Normalize()
		d := float64(p.D) / p.Normal.Wide().Len()
		body := bodyOf(a)
		return max(0, -body.furthest(n.Neg())-d, d-body.furthest(n))
	}
	x, y := bodyOf(a).shape(), bodyOf(b).shape()
	return narrow.Distance(&x, &y, math.Inf(1)).Distance
}

func randomVec(r *rand.Rand) geom.Vec3 {
	f := func() float32 { return float32(r.NormFloat64()) }
	return geom.V(f(), f(), f())
}

// randomShapes returns one of each bounded shape, around the origin and with sizes around 1.
func randomShapes(r *rand.Rand) []body {
	q := randomVec(r)
	radius := float32(r.ExpFloat64())
	return []body{
		bodyOf(geom.AABBAround(randomVec(r), randomVec(r).Abs())),
		bodyOf(geom.Box{Center: randomVec(r), HalfExtents: randomVec(r).Abs(),
			Rotation: geom.Quat{X: q.X, Y: q.Y, Z: q.Z, W: float32(r.NormFloat64())}.Normalize()}),
		bodyOf(geom.Sphere{Center: randomVec(r), Radius: radius}),
		bodyOf(geom.Capsule{A: randomVec(r), B: randomVec(r), Radius: radius / 2}),
		bodyOf(geom.Triangle{A: randomVec(r), B: randomVec(r), C: randomVec(r)}),
	}
}

// solidCase is a solid with its second description.
type solidCase struct {
	solid
	body body
}

func (s solidCase) sample(r *rand.Rand) geom.Vec3 { return s.body.sample(r) }

// solidsOf returns those of the bodies that are solid.
func solidsOf(bodies []body) []solidCase {
	var s []solidCase
	for _, b := range bodies {
		if v, ok := b.volume.(solid); ok {
			s = append(s, solidCase{v, b})
		}
	}
	return s
}

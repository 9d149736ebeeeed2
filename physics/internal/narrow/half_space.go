package narrow

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// CollidePlane is [Finder.Collide] for a sphere or a capsule and the half-space behind a plane.
func (m *Manifold) CollidePlane(a *Simple, b Plane, margin float64) {
	if m.N = 0; a.kind == KindNothing {
		return
	}
	m.Normal = b.Normal.Neg()
	at := a.p.Sub(b.Point).Dot(b.Normal)
	m.roundOnPlane(a.p, at-a.radius, a.radius, vertexKind, margin)
	if a.kind == KindCapsule {
		m.roundOnPlane(a.end(), at+a.e.Dot(b.Normal)-a.radius, a.radius, vertexKind|1, margin)
	}
	if m.N == 0 {
		m.Normal = geom.DVec3{}
	}
}

// roundOnPlane adds the contact of a sphere whose lowest point is so high over the plane, if it is
// within the margin.
func (m *Manifold) roundOnPlane(center geom.DVec3, height, radius float64, feature Feature, margin float64) {
	if height > margin {
		return
	}
	c := &m.Points[m.N]
	c.PointA, c.PointB = center.AddMul(radius, m.Normal), center.AddMul(radius+height, m.Normal)
	c.Depth, c.FeatureA, c.FeatureB = -height, feature, faceKind
	m.N++
}

// CollidePlane is [Finder.Collide] for any shape and the half-space behind a plane.
func (f *Finder) CollidePlane(a *Shape, b Plane, margin float64) {
	if !f.onHalfSpace(a, &b, margin) {
		var s Shape
		s.SetHalfSpace(b.Normal, b.Point)
		f.collide(a, &s, margin)
	}
}

// onHalfSpace is CollidePlane for the shapes that have a method of their own, and returns false for
// all others.
func (f *Finder) onHalfSpace(a *Shape, b *Plane, margin float64) bool {
	switch a.kind {
	case KindSphere, KindCapsule:
		f.Manifold.CollidePlane(&a.Simple, *b, margin)
		return true
	case KindAABB, KindBox:
		f.N, f.Normal = 0, b.Normal.Neg()
		f.boxOnPlane(a, b, margin)
	case KindHull:
		f.N, f.Normal = 0, b.Normal.Neg()
		f.hullOnPlane(a, b, margin)
	default:
		return false
	}
	if f.N == 0 {
		f.Normal = geom.DVec3{}
	}
	return true
}

// boxOnPlane writes as contacts the corners of the face of a box that faces the plane.
func (f *Finder) boxOnPlane(a *Shape, b *Plane, margin float64) {
	l := a.along(b.Normal)
	up, half := [3]float64{l.X, l.Y, l.Z}, [3]float64{a.half.X, a.half.Y, a.half.Z}
	i := 0
	if math.Abs(up[1]) > math.Abs(up[i]) {
		i = 1
	}
	if math.Abs(up[2]) > math.Abs(up[i]) {
		i = 2
	}
	j, k := next[i], next[i+1]
	down := -math.Copysign(half[i], up[i])
	height := a.p.Sub(b.Point).Dot(b.Normal) + float64(down*up[i])
	hj, hk := float64(half[j]*up[j]), float64(half[k]*up[k])
	if height-math.Abs(hj)-math.Abs(hk) > margin {
		return
	}
	mid, x, y := a.p.AddMul(down, *a.axis(i)), a.axis(j).Mul(half[j]), a.axis(k).Mul(half[k])
	face := 2 * i
	if !math.Signbit(down) {
		face++
	}
	for _, v := range &boxFaces[face] {
		sj, sk := float64(int(v>>j&1)*2-1), float64(int(v>>k&1)*2-1)
		h := height + float64(sj*hj) + float64(sk*hk)
		if h > margin {
			continue
		}
		c := &f.Points[f.N]
		c.PointA = mid.AddMul(sj, x).AddMul(sk, y)
		c.PointB, c.Depth = c.PointA.AddMul(h, f.Normal), -h
		c.FeatureA, c.FeatureB = vertexKind|Feature(v), faceKind
		f.N++
	}
}

// hullOnPlane is boxOnPlane for a hull.
func (f *Finder) hullOnPlane(a *Shape, b *Plane, margin float64) {
	up := a.along(b.Normal)
	o := a.p.Sub(b.Point).Dot(b.Normal) - up.Dot(a.f)
	low := a.hull.Support(up.Neg(), 0)
	if o+a.hull.Vertex(low).Dot(up) <= margin {
		f.hullFaceOnPlane(a, low, a.faceAt(low, f.Normal), up, o, margin)
	}
}

// CollideHullPlane is [Finder.CollidePlane] for the image of a hull under m, which is not singular
// and scales all directions alike, and a plane with two sides: the half-space is the side away from
// the centre of mass. It takes half the time that a shape does.
func (f *Finder) CollideHullPlane(h *hull.Hull, m *geom.Affine, b Plane, margin float64) {
	var a Shape
	a.kind, a.hull, a.x, a.y, a.z = KindHull, h, m.X.Wide(), m.Y.Wide(), m.Z.Wide()
	bounds := h.Bounds()
	a.f = bounds.Min.Wide().Add(bounds.Max.Wide()).Mul(0.5)
	a.p = m.Origin.Wide().Add(a.image(a.f))
	up := a.along(b.Normal)
	o := a.p.Sub(b.Point).Dot(b.Normal) - up.Dot(a.f)
	if o+h.CenterOfMass().Wide().Dot(up) < 0 {
		b.Normal, up, o = b.Normal.Neg(), up.Neg(), -o
	}
	f.N = 0
	down := up.Neg()
	low := h.Support(down, 0)
	if o+h.Vertex(low).Dot(up) > margin {
		return
	}
	face, most := 0, math.Inf(-1)
	for _, i := range h.FacesAround(low) {
		n, _ := h.Plane(int(i))
		if facing := n.Dot(down); facing > most {
			face, most = int(i), facing
		}
	}
	f.Normal = b.Normal.Neg()
	f.hullFaceOnPlane(&a, low, face, up, o, margin)
}

// CollideConePlane is [Finder.CollidePlane] for the image of a cone under to, and a plane with two
// sides: the half-space is the side away from the middle of the cone. It takes a third of the time,
// and returns false if CollidePlane must decide: a flat end may face the plane, or rounding decides
// whether the cone is within the margin.
func (m *Manifold) CollideConePlane(c geom.Cone, to *geom.Affine, b Plane, margin float64) bool {
	axis, x, z := coneAxes(&c, to)
	p := apply(*to, c.A)
	n := b.Normal.Normalize() // as that of a Shape
	if !(b.Normal.Dot(p.AddMul(0.5, axis).Sub(b.Point)) < 0) {
		n = n.Neg()
	}
	u, tx, tz := x.Cross(z), x.Dot(n), z.Dot(n)
	up, square := u.Dot(n), float64(tx*tx)+float64(tz*tz)
	if !(float64(up*up) < float64(faceOn*faceOn*(1-rootSlack))*u.Dot(u)) || !(square > 0) || axis == (geom.DVec3{}) {
		return false
	}
	// The lowest points of both rims.
	l := math.Sqrt(square)
	out := x.Mul(tx/l).AddMul(tz/l, z)
	ends := [2]geom.DVec3{p.Add(out.Mul(float64(c.RadiusA))), p.Add(axis).Add(out.Mul(float64(c.RadiusB)))}
	depths := [2]float64{ends[0].Sub(b.Point).Dot(n), ends[1].Sub(b.Point).Dot(n)}
	over := max(depths[0], depths[1]) + margin
	if !(math.Abs(over) > float64(sameDepth*(total(p)+total(ends[0])+total(ends[1])+total(b.Point)))) {
		return false
	}
	m.Normal, m.N = n, 0
	for i, depth := range depths {
		if depth >= -margin {
			m.Points[m.N] = ContactPoint{ends[i], ends[i].AddMul(-depth, n), depth, vertexKind | Feature(i), faceKind}
			m.N++
		}
	}
	return true
}

// hullFaceOnPlane writes as contacts the corners of a face of a hull around its lowest vertex. A
// point p of the hull's own space is p·up + o over the plane.
func (f *Finder) hullFaceOnPlane(a *Shape, low, face int, up geom.DVec3, o, margin float64) {
	h := a.hull
	corners := h.Face(face)
	n, first := min(len(corners), maxCorners), 0
	if n < len(corners) {
		first = slices.Index(corners, uint16(low)) // it is never left out
	}
	kept := 0
	for k := range n {
		v := corners[(first+k*len(corners)/n)%len(corners)]
		if height := o + h.Vertex(int(v)).Dot(up); height <= margin {
			s := &f.spots[kept]
			s.p, s.depth, s.inc, s.ref = a.p.Add(a.hullVertex(int(v))), -height, vertexKind|Feature(v), faceKind
			kept++
		}
	}
	f.write(f.spots[:kept], true)
}

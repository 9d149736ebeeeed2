package narrow

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
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

// hullOnPlane is boxOnPlane for a hull. Heights are measured in its own space.
func (f *Finder) hullOnPlane(a *Shape, b *Plane, margin float64) {
	h := a.hull
	up := a.along(b.Normal)
	o := a.p.Sub(b.Point).Dot(b.Normal) - up.Dot(a.f)
	lowest := h.Support(up.Neg(), 0)
	if o+h.Vertex(lowest).Dot(up) > margin {
		return
	}
	corners := h.Face(a.faceAt(lowest, f.Normal))
	n, first := min(len(corners), maxCorners), 0
	if n < len(corners) {
		first = slices.Index(corners, uint16(lowest)) // it is never left out
	}
	kept := 0
	for k := range n {
		v := corners[(first+k*len(corners)/n)%len(corners)]
		if height := o + h.Vertex(int(v)).Dot(up); height <= margin {
			s := &f.spots[kept]
			s.p, s.depth, s.inc, s.ref = a.vertex(v), -height, vertexKind|Feature(v), faceKind
			kept++
		}
	}
	f.write(f.spots[:kept], true)
}

package placed

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/toi"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// SetBody makes b the body of a shape that is cast, placed as a collider's shape is. It returns
// false if the shape is nowhere, nil or none that can be cast.
func SetBody(b *toi.Body, s any, t *geom.Transform) bool {
	if setUnturned(b, s, t) {
		return true
	}
	var f Frame
	f.Set(t)
	*b = bodyOf(s, &f)
	return f.isFinite() && !b.IsEmpty()
}

// setUnturned does what bodyOf does for capsules and spheres that are not rotated and uniformly
// scaled, in a fraction of the time. For any other shape it reports false and does nothing.
func setUnturned(b *toi.Body, s any, t *geom.Transform) bool {
	f, q := t.Factors(), t.Rotation
	scale := f.Abs()
	if !(IsIdentity(q) && Finite(q.W) && scale.X == scale.Y && scale.Y == scale.Z && Finite(scale.X) && t.Position.IsFinite()) {
		return false
	}
	o := t.Position.Wide()
	place := func(p geom.Vec3) geom.Vec3 { // as geom.Affine.Point does
		return geom.Vec3{
			X: float32(float64(float64(f.X)*float64(p.X)) + 0 + o.X),
			Y: float32(float64(float64(f.Y)*float64(p.Y)) + 0 + o.Y),
			Z: float32(float64(float64(f.Z)*float64(p.Z)) + 0 + o.Z),
		}
	}
	switch s := s.(type) {
	case geom.Sphere:
		if s.IsEmpty() {
			return false
		}
		*b = toi.Sphere(geom.Sphere{Center: place(s.Center), Radius: s.Radius * scale.X})
	case geom.Capsule:
		if s.IsEmpty() {
			return false
		}
		*b = toi.Capsule(geom.Capsule{A: place(s.A), B: place(s.B), Radius: s.Radius * scale.X})
	default:
		return false
	}
	return !b.IsEmpty()
}

// bodyOf returns the body of a shape; it is empty if the shape is nowhere or cannot be cast.
func bodyOf(s any, f *Frame) toi.Body {
	var p Subshape
	switch s := s.(type) {
	case geom.AABB:
		p.placeAABB(s, f)
	case geom.Box:
		if !f.keepsAngles(s.Rotation) {
			return shearedBox(s, &f.affine)
		}
		p.placeBox(s, f)
	case geom.Sphere:
		if !f.isUniform() {
			return toi.Stretched(geom.Capsule{A: s.Center, B: s.Center, Radius: s.Radius}, f.affine)
		}
		p.placeSphere(s, f)
	case geom.Capsule:
		if !f.isUniform() {
			return toi.Stretched(s, f.affine)
		}
		p.placeCapsule(s, f)
	case *hull.Hull:
		if s != nil {
			return toi.HullOfPoints(s.Vertices(), f.affine, 0)
		}
	}
	return p.Body()
}

func shearedBox(b geom.Box, to *geom.Affine) toi.Body {
	return toi.Parallelepiped(b.HalfExtents, to.Mul(geom.Transform{Position: b.Center, Rotation: b.Rotation}.Affine()))
}

// Body returns a bounded convex subshape as a body, and the empty body for any other.
func (p *Subshape) Body() toi.Body {
	switch p.Kind {
	case KindAABB:
		return toi.AABB(p.Bounds)
	case KindBox:
		return toi.Box(p.Box())
	case KindSphere:
		return toi.Sphere(p.Sphere())
	case KindCapsule:
		return toi.Capsule(p.Capsule())
	case KindLocalBox:
		return shearedBox(p.Box(), &p.Local.To)
	case KindEllipsoid:
		s := p.Sphere()
		return toi.Stretched(geom.Capsule{A: s.Center, B: s.Center, Radius: s.Radius}, p.Local.To)
	case KindLocalCapsule:
		return toi.Stretched(p.Capsule(), p.Local.To)
	case KindHull:
		return toi.ConvexHull(p.Local.Hull, p.Local.To)
	}
	return toi.Body{}
}

// CastBody returns where a body that moves along a path first touches a subshape.
func (p *Subshape) CastBody(b *toi.Body, path *toi.Path, cull geom.Cull) (toi.Impact, bool) {
	switch p.Kind {
	case KindNowhere:
		return toi.Impact{}, false
	case KindMesh:
		onMesh := meshPath(path)
		h, ok := p.Local.Mesh.CastConvex((*mesh.Convex)(b), &onMesh, p.Local.To, cull)
		return toi.Impact(h), ok
	case KindPlane:
		return p.Local.castPlane(b, path, cull)
	}
	own := p.Body()
	return toi.Cast(b, &own, path)
}

// CastBodyAny reports whether a body touches a subshape on its path.
func (p *Subshape) CastBodyAny(b *toi.Body, path *toi.Path, cull geom.Cull) (ok bool) {
	if p.Kind == KindMesh {
		onMesh := meshPath(path)
		return p.Local.Mesh.CastConvexAny((*mesh.Convex)(b), &onMesh, p.Local.To, cull)
	}
	_, ok = p.CastBody(b, path, cull)
	return ok
}

// CastBodyAll appends all hits of a body: each triangle of a mesh, and at most one of any other
// shape.
func (p *Subshape) CastBodyAll(dst []mesh.Impact, b *toi.Body, path *toi.Path, cull geom.Cull) []mesh.Impact {
	if p.Kind == KindMesh {
		onMesh := meshPath(path)
		return p.Local.Mesh.CastConvexAll(dst, (*mesh.Convex)(b), &onMesh, p.Local.To, cull)
	}
	if h, ok := p.CastBody(b, path, cull); ok {
		dst = append(dst, mesh.Impact(h))
	}
	return dst
}

func meshPath(p *toi.Path) mesh.Path {
	return mesh.Path{Motion: p.Motion, Min: p.Min, Max: p.Max, Start: mesh.StartMode(p.Start)}
}

func (l *Local) castPlane(b *toi.Body, path *toi.Path, cull geom.Cull) (toi.Impact, bool) {
	h, ok := toi.CastPlane(b, toi.Plane{Normal: l.Normal, Point: l.Point}, path)
	if !ok {
		return h, false
	}
	along := l.Normal.Dot(path.Motion)
	h.BackFace = along > 0 || along == 0 && h.Normal.Dot(l.Normal) < 0
	return h, !cull.Culls(h.BackFace)
}

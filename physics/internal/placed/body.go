package placed

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// SetBody makes b the body of a shape that is cast, placed as a collider's shape is. It returns
// false if the shape is nowhere, nil or none that can be cast.
func SetBody(b *narrow.Shape, s any, t *geom.Transform) bool {
	if setUnturned(b, s, t) {
		return true
	}
	var f Frame
	f.Set(t)
	setTurned(b, s, &f)
	return f.isFinite() && !b.IsEmpty()
}

// setUnturned does what setTurned does for capsules and spheres that are not rotated and uniformly
// scaled, in a fraction of the time. For any other shape it reports false and does nothing.
func setUnturned(b *narrow.Shape, s any, t *geom.Transform) bool {
	f, q := t.Factors(), t.Rotation
	scale := f.Abs()
	if !(IsIdentity(q) && Finite(q.W) && scale.X == scale.Y && scale.Y == scale.Z && Finite(scale.X) && t.Position.IsFinite()) {
		return false
	}
	o := t.Position.Wide()
	switch s := s.(type) {
	case geom.Sphere:
		if s.IsEmpty() {
			return false
		}
		b.SetSphere(geom.Sphere{Center: unturned(o, f, s.Center), Radius: s.Radius * scale.X})
	case geom.Capsule:
		if s.IsEmpty() {
			return false
		}
		b.SetCapsule(geom.Capsule{A: unturned(o, f, s.A), B: unturned(o, f, s.B), Radius: s.Radius * scale.X})
	default:
		return false
	}
	return !b.IsEmpty()
}

// setTurned makes b the body of a shape; it is empty if the shape is nowhere or cannot be cast.
func setTurned(b *narrow.Shape, s any, f *Frame) {
	var p Subshape
	switch s := s.(type) {
	case geom.AABB:
		p.placeAABB(s, f)
	case geom.Box:
		if !f.keepsAngles(s.Rotation) {
			b.SetShearedBox(s, f.affine)
			return
		}
		p.placeBox(s, f)
	case geom.Sphere:
		if !f.isUniform() {
			b.SetEllipsoid(s, f.affine)
			return
		}
		p.placeSphere(s, f)
	case geom.Capsule:
		if !f.isUniform() {
			b.SetScaledCapsule(s, f.affine)
			return
		}
		p.placeCapsule(s, f)
	case geom.Cone:
		b.SetCone(s, f.affine)
		return
	case geom.TaperedCapsule:
		b.SetTaperedCapsule(s, f.affine)
		return
	case *hull.Hull:
		if s != nil {
			// A Shape that holds the hull would move s to the heap.
			b.SetCloud(s.Vertices(), f.affine, 0)
			return
		}
	}
	p.SetPart(b, Whole)
}

// CastBody returns where a body that moves along a path first touches a subshape.
func (p *Subshape) CastBody(b *narrow.Shape, path *narrow.Path, cull geom.Cull) (narrow.Impact, bool) {
	switch p.Kind {
	case KindNowhere:
		return narrow.Impact{}, false
	case KindMesh:
		onMesh := meshPath(path)
		h, ok := p.Local.Mesh.CastConvex((*mesh.Convex)(b), &onMesh, p.Local.To, cull)
		return narrow.Impact(h), ok
	case KindPlane:
		return p.Local.castPlane(b, path, cull)
	}
	var own narrow.Shape
	p.SetPart(&own, Whole)
	return narrow.Cast(b, &own, path)
}

// CastBodyAny reports whether a body touches a subshape on its path.
func (p *Subshape) CastBodyAny(b *narrow.Shape, path *narrow.Path, cull geom.Cull) (ok bool) {
	if p.Kind == KindMesh {
		onMesh := meshPath(path)
		return p.Local.Mesh.CastConvexAny((*mesh.Convex)(b), &onMesh, p.Local.To, cull)
	}
	_, ok = p.CastBody(b, path, cull)
	return ok
}

// CastBodyAll appends all hits of a body: each triangle of a mesh, and at most one of any other
// shape.
func (p *Subshape) CastBodyAll(dst []mesh.Impact, b *narrow.Shape, path *narrow.Path, cull geom.Cull) []mesh.Impact {
	if p.Kind == KindMesh {
		onMesh := meshPath(path)
		return p.Local.Mesh.CastConvexAll(dst, (*mesh.Convex)(b), &onMesh, p.Local.To, cull)
	}
	if h, ok := p.CastBody(b, path, cull); ok {
		dst = append(dst, mesh.Impact(h))
	}
	return dst
}

func meshPath(p *narrow.Path) mesh.Path {
	return mesh.Path{Motion: p.Motion, Min: p.Min, Max: p.Max, Start: mesh.StartMode(p.Start)}
}

func (l *Local) castPlane(b *narrow.Shape, path *narrow.Path, cull geom.Cull) (narrow.Impact, bool) {
	h, ok := narrow.CastPlane(b, narrow.Plane{Normal: l.Normal, Point: l.Point}, path)
	if !ok {
		return h, false
	}
	along := l.Normal.Dot(path.Motion)
	h.BackFace = along > 0 || along == 0 && h.Normal.Dot(l.Normal) < 0
	return h, !cull.Culls(h.BackFace)
}

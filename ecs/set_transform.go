package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// SetTransform places an entity in world space, whether it has a parent or not, as a gizmo or a
// drag does. It writes the [Transform], and the component that [Sync] makes it from: the
// [WorldPosition] or, of an entity that follows a [Parent], the [LocalTransform], by [LocalOf]. The
// entity's own children follow at the next Sync.
//
// It uses the present Transform of the parent. Of several entities that move together set parents
// before their children, or parents only.
//
// It reports false, and does nothing, if the entity is dead or has no Transform, or [LocalOf]
// reports false. It may be called in a locked world that was initialised or synced before.
func SetTransform(w *ecs.World, e ecs.Entity, t Transform) bool {
	s := resourceOf(w, NewSpace)
	s.bind(w)
	if !t.IsFinite() || !alive(w, e) || !w.HasUnchecked(e, s.ids.transform) {
		return false
	}
	if parent := s.parentTransform(e); parent != nil {
		local, m := (*LocalTransform)(w.GetUnchecked(e, s.ids.local)), parent.Affine()
		if is := local.in(parent, &m); !sameTransform(&is, &t) { // else keep the bits
			l, ok := LocalOf(*parent, t)
			if !ok {
				return false
			}
			*local, t = l, l.in(parent, &m)
		}
	} else if w.HasUnchecked(e, s.ids.position) {
		p, origin := (*WorldPosition)(w.GetUnchecked(e, s.ids.position)), s.physics.Origin()
		if t.Position != geom.DVec3(*p).Sub(origin).Narrow() { // else it keeps its precision
			*p = WorldPosition(origin.Add(t.Position.Wide()))
		}
		t.Position = geom.DVec3(*p).Sub(origin).Narrow()
	}
	*(*Transform)(w.GetUnchecked(e, s.ids.transform)) = t
	return true
}

// LocalOf returns the [LocalTransform] with which a child of a parent stands at t in world space,
// up to rounding: to give an entity another parent without moving it.
//
// There always is one, since rotated children of parents of non-uniform scale are not sheared,
// except where a scale of the parent is 0: all children lie in one plane then, so the child is
// moved into that plane and keeps its own scale 1 along that axis. ok is false, and the
// LocalTransform zero, if a number is NaN or infinite, or becomes so because the parent is too
// small.
func LocalOf(parent, t Transform) (l LocalTransform, ok bool) {
	if !parent.IsFinite() || !t.IsFinite() {
		return l, false
	}
	s, axes := parent.Factors(), geom.Transform{Rotation: parent.Rotation}.Affine()
	d := t.Position.Wide().Sub(parent.Position.Wide())
	l.Position = geom.DVec3{
		X: over(d.Dot(axes.X.Wide()), s.X, 0), Y: over(d.Dot(axes.Y.Wide()), s.Y, 0), Z: over(d.Dot(axes.Z.Wide()), s.Z, 0),
	}.Narrow()
	if q := parent.Rotation.Inverse().Mul(t.Rotation); t.Rotation != parent.Rotation && (q.X != 0 || q.Y != 0 || q.Z != 0) {
		l.Rotation = mirrored(q, s)
	}
	k := t.Factors().Wide()
	l.Scale = geom.DVec3{X: over(k.X, s.X, 1), Y: over(k.Y, s.Y, 1), Z: over(k.Z, s.Z, 1)}.Narrow()
	switch l.Scale {
	case geom.Vec3{X: 1, Y: 1, Z: 1}:
		l.Scale = geom.Vec3{}
	case geom.Vec3{}: // which would mean 1
		l.Scale.X = 1e-45
	}
	if !geom.Transform(l).IsFinite() {
		return LocalTransform{}, false
	}
	return l, true
}

// over returns a/b, or what is set for it where b is 0.
func over(a float64, b float32, flat float64) float64 {
	if b == 0 {
		return flat
	}
	return a / float64(b)
}

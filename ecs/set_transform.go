package physecs

import (
	"cmp"
	"math"

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
	s := resourceOr(w, NewSpace)
	s.bind(w)
	at := s.transform(w, e)
	if at == nil || !t.IsFinite() {
		return false
	}
	if parent := s.parentTransform(e); parent != nil {
		local, m := s.ids.local.of(w, e), parent.Affine()
		if is := local.in(parent, &m); !sameTransform(&is, &t) { // else keep the bits
			l, ok := LocalOf(*parent, t)
			if !ok {
				return false
			}
			*local, t = l, l.in(parent, &m)
		}
	} else if p := s.ids.position.of(w, e); p != nil {
		origin := s.physics.Origin()
		if t.Position != geom.DVec3(*p).Sub(origin).Narrow() { // else it keeps its precision
			*p = WorldPosition(origin.Add(t.Position.Wide()))
		}
		t.Position = geom.DVec3(*p).Sub(origin).Narrow()
	}
	*at = t
	return true
}

// LocalOf returns the [LocalTransform] with which a child of a parent stands at t in world space,
// up to rounding: to give an entity another parent without moving it.
//
// There always is one, since rotated children of parents of non-uniform scale are not sheared. ok
// is false, and the LocalTransform zero, if a number is NaN or infinite, or becomes so because the
// parent is too small.
func LocalOf(parent, t Transform) (l LocalTransform, ok bool) {
	if !parent.IsFinite() || !t.IsFinite() {
		return l, false
	}
	s, axes := parent.Factors(), geom.Transform{Rotation: parent.Rotation}.Affine()
	d := t.Position.Wide().Sub(parent.Position.Wide())
	f := s.Wide()
	l.Position = geom.DVec3{X: d.Dot(axes.X.Wide()) / f.X, Y: d.Dot(axes.Y.Wide()) / f.Y, Z: d.Dot(axes.Z.Wide()) / f.Z}.Narrow()
	if q := parent.Rotation.Inverse().Mul(t.Rotation); t.Rotation != parent.Rotation && (q.X != 0 || q.Y != 0 || q.Z != 0) {
		l.Rotation = q.Mirrored(s)
	}
	k := t.Factors().Wide()
	// A quotient that underflows to 0 would mean 1.
	over := func(a, b float64) float32 {
		return cmp.Or(float32(a/b), math.SmallestNonzeroFloat32)
	}
	if l.Scale = geom.V(over(k.X, f.X), over(k.Y, f.Y), over(k.Z, f.Z)); l.Scale == (geom.Vec3{X: 1, Y: 1, Z: 1}) {
		l.Scale = geom.Vec3{}
	}
	if !geom.Transform(l).IsFinite() {
		return LocalTransform{}, false
	}
	return l, true
}

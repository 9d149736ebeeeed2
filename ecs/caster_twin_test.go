package physecs

import (
	"slices"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// casting is the result of a caster.
type casting struct {
	caster        ecs.Entity
	rays          []Hit
	shapes        []ShapeHit
	blocked, sees bool
	swept         bool
}

// ancestorsOf returns an entity and its ancestors.
func (p *casterGame) ancestorsOf(e ecs.Entity) []ecs.Entity {
	var all []ecs.Entity
	for !e.IsZero() && alive(p.World, e) && !slices.Contains(all, e) {
		all = append(all, e)
		if !p.Has(e, p.parent) {
			break
		}
		e = p.parents.Get(e).Entity
	}
	return all
}

// ignored is the brute-force twin of castRules.ignores.
func (p *casterGame) ignored(caster, e, except ecs.Entity, ignore Ignore) bool {
	up, other := p.ancestorsOf(caster), p.ancestorsOf(e)
	switch {
	case e == except:
		return true
	case ignore == IgnoreParents:
		return slices.Contains(up, e)
	case ignore == IgnoreFamily: // both paths upward end in the same entities
		return slices.Contains(up, other[len(other)-1]) && slices.Contains(other, up[len(up)-1])
	}
	return ignore != IgnoreNone && e == caster
}

// check compares all casters, after a cast, with a twin that casts each alone, and returns the
// results.
func (p *casterGame) check(t require.TestingT) []casting {
	hits := ecs.GetResource[CasterHits](p.World)
	var all []casting
	filter := ecs.All(p.transform)
	query := p.Query(&filter)
	for query.Next() {
		e := query.Entity()
		at := *(*Transform)(query.Get(p.transform))
		got := casting{
			caster: e, rays: slices.Collect(hits.RayHits(e)), shapes: slices.Collect(hits.ShapeHits(e)),
			blocked: hits.RayBlocked(e), sees: hits.Sees(e), swept: hits.ShapeBlocked(e),
		}
		want := casting{caster: e}
		if p.Has(e, p.ray) && !p.rays.Get(e).Disabled {
			p.alone(&want, *p.rays.Get(e), at)
		}
		if p.Has(e, p.shape) && !p.shapes.Get(e).Disabled {
			p.aloneShape(&want, *p.shapes.Get(e), at)
		}
		require.Equal(t, want, got)
		all = append(all, got)
		if h, ok := hits.Ray(e); ok {
			require.Equal(t, want.rays[0], h)
		}
		if h, ok := hits.Shape(e); ok {
			require.Equal(t, want.shapes[0], h)
		}
	}
	slices.SortFunc(all, func(a, b casting) int { return compareEntities(a.caster, b.caster) })
	type one struct {
		e   ecs.Entity
		hit any
	}
	var want, got []one
	for i := range all {
		for _, h := range all[i].rays {
			want = append(want, one{all[i].caster, h})
		}
	}
	for i := range all {
		for _, h := range all[i].shapes {
			want = append(want, one{all[i].caster, h})
		}
	}
	for e, h := range hits.Rays() {
		got = append(got, one{e, h})
	}
	for e, h := range hits.Shapes() {
		got = append(got, one{e, h})
	}
	require.Equal(t, want, got)
	return all
}

func (p *casterGame) alone(want *casting, c RayCaster, at Transform) {
	switch c.Follow {
	case FollowPosition:
		at.Rotation, at.Scale = geom.Quat{}, geom.Vec3{}
	case FollowNothing:
		at = Transform{}
	}
	r := c.Ray
	r.Origin, r.Dir = at.Point(r.Origin), at.Affine().Vector(r.Dir)
	there := !c.Target.IsZero()
	if there {
		if !alive(p.World, c.Target) || !p.Has(c.Target, p.transform) {
			return
		}
		r.MaxT, r.Dir = 1, p.transforms.Get(c.Target).Point(c.TargetPoint).Sub(r.Origin)
	}
	f := Filter{
		OwnLayer: c.OwnLayer, Mask: c.Mask, Sensors: c.Sensors, Start: c.Start, Cull: c.Cull,
		Predicate: func(e ecs.Entity) bool {
			return !p.ignored(want.caster, e, c.Except, c.Ignore) && (c.Mode != CastAny || e != c.Target)
		},
	}
	first, ok := p.space().CastRay(r, f)
	want.blocked = ok
	want.sees = there && r.Origin.IsFinite() && r.Dir.IsFinite() && (!ok || first.Entity == c.Target) && (r.Dir == geom.Vec3{} || r.MinT <= 1)
	switch c.Mode {
	case CastClosest:
		if ok {
			want.rays = []Hit{first}
		}
	case CastAll:
		if want.rays = p.space().CastRayAll(nil, r, f); c.Limit > 0 && len(want.rays) > int(c.Limit) {
			want.rays = want.rays[:c.Limit]
		}
	}
}

func (p *casterGame) aloneShape(want *casting, c ShapeCaster, at Transform) {
	switch c.Follow {
	case FollowPosition:
		at.Rotation, at.Scale = geom.Quat{}, geom.Vec3{}
	case FollowNothing:
		at = Transform{}
	}
	shape, _ := c.Shape.shape(ecs.GetResource[Meshes](p.World))
	switch shape.(type) {
	case geom.AABB, geom.Box, geom.Sphere, geom.Capsule, *hull.Hull:
	default:
		return
	}
	cast := physics.ShapeCast{Shape: shape, Transform: at, Motion: at.Affine().Vector(c.Motion), MinT: c.MinT, MaxT: c.MaxT, Start: c.Start}
	f := Filter{
		OwnLayer: c.OwnLayer, Mask: c.Mask, Sensors: c.Sensors, Cull: c.Cull,
		Predicate: func(e ecs.Entity) bool { return !p.ignored(want.caster, e, c.Except, c.Ignore) },
	}
	first, ok := p.space().CastShape(cast, f)
	want.swept = ok
	switch c.Mode {
	case CastClosest:
		if ok {
			want.shapes = []ShapeHit{first}
		}
	case CastAll:
		if want.shapes = p.space().CastShapeAll(nil, cast, f); c.Limit > 0 && len(want.shapes) > int(c.Limit) {
			want.shapes = want.shapes[:c.Limit]
		}
	}
}

// After any sequence of changes each caster hits what it hits alone.
func TestCastersAnything(t *testing.T) { rapid.Check(t, castersAnything) }

func FuzzCasters(f *testing.F) { f.Fuzz(rapid.MakeFuzz(castersAnything)) }

func castersAnything(t *rapid.T) {
	p := newCasterGame()
	var live, dead []ecs.Entity
	first := map[ecs.Entity]ecs.Entity{} // at the last tick
	pick := func(t *rapid.T) ecs.Entity {
		if len(live) == 0 { // an action without effect, not a skipped one, on which rapid gives up
			live = append(live, p.add(Transform{}, Sphere(1)))
		}
		return rapid.SampledFrom(live).Draw(t, "entity")
	}
	anybody := func(t *rapid.T, name string) ecs.Entity {
		return rapid.SampledFrom(append(append([]ecs.Entity{{}}, live...), dead...)).Draw(t, name)
	}
	small := rapid.Float32Range(-3, 3)
	vec := func(t *rapid.T, name string) geom.Vec3 {
		return geom.V(small.Draw(t, name+".x"), small.Draw(t, name+".y"), small.Draw(t, name+".z"))
	}
	tick := func(t *rapid.T) {
		hits := p.tick()
		now := map[ecs.Entity]ecs.Entity{}
		for _, c := range p.check(t) {
			if len(c.rays) > 0 {
				now[c.caster] = c.rays[0].Entity
			}
		}
		changed := map[ecs.Entity]CasterChange{}
		for e, was := range first {
			if now[e] != was {
				changed[e] = CasterChange{e, was, now[e]}
			}
		}
		for e, is := range now {
			if first[e] != is {
				changed[e] = CasterChange{e, first[e], is}
			}
		}
		require.True(t, slices.IsSortedFunc(hits.RaysChanged, func(a, b CasterChange) int { return compareEntities(a.Caster, b.Caster) }))
		require.Len(t, hits.RaysChanged, len(changed))
		for _, c := range hits.RaysChanged {
			require.Equal(t, changed[c.Caster], c)
		}
		first = now
	}
	tick(t)
	t.Repeat(map[string]func(*rapid.T){
		"add":       func(t *rapid.T) { live = append(live, p.add(drawTransform(t), drawCollider(t))) },
		"add again": func(t *rapid.T) { live = append(live, p.add(drawTransform(t), drawCollider(t))) },
		"remove": func(t *rapid.T) {
			e := pick(t)
			p.RemoveEntity(e)
			live, dead = slices.DeleteFunc(live, func(o ecs.Entity) bool { return o == e }), append(dead, e)
		},
		"move": func(t *rapid.T) {
			if e := pick(t); p.Has(e, p.transform) {
				*p.transforms.Get(e) = drawTransform(t)
			}
		},
		"adopt": func(t *rapid.T) {
			p.adopt(pick(t), anybody(t, "parent"), LocalTransform(drawTransform(t)))
		},
		"alter": func(t *rapid.T) {
			e := pick(t)
			if id := rapid.SampledFrom([]ecs.ID{p.transform, p.collider, p.ray, p.shape, p.parent}).Draw(t, "component"); p.Has(e, id) {
				p.Remove(e, id)
			} else {
				p.Add(e, id)
			}
		},
		"cast ray": func(t *rapid.T) {
			c := RayCaster{
				Ray:     geom.Ray{Origin: vec(t, "origin"), Dir: vec(t, "dir")},
				Except:  anybody(t, "except"),
				Mask:    rapid.SampledFrom([]physics.Layers{0, 1, 2}).Draw(t, "mask"),
				Limit:   int32(rapid.IntRange(0, 2).Draw(t, "limit")),
				Mode:    CastMode(rapid.IntRange(0, 2).Draw(t, "mode")),
				Follow:  Follow(rapid.IntRange(0, 2).Draw(t, "follow")),
				Ignore:  Ignore(rapid.IntRange(0, 3).Draw(t, "ignore")),
				Start:   geom.StartMode(rapid.IntRange(0, 2).Draw(t, "inside")),
				Sensors: rapid.Bool().Draw(t, "sensors"), Disabled: rapid.IntRange(0, 9).Draw(t, "disabled") == 0,
			}
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				c.Target, c.TargetPoint = anybody(t, "target"), vec(t, "point")
			case 1:
				c.Ray.MinT, c.Ray.MaxT = small.Draw(t, "min"), small.Draw(t, "max")
			case 2:
				c.Target, c.Ray.Origin = anybody(t, "target"), geom.Vec3{}
			}
			p.onRay(pick(t), c)
		},
		"cast shape": func(t *rapid.T) {
			p.onShape(pick(t), ShapeCaster{
				Shape: drawCollider(t), Motion: vec(t, "motion"), MaxT: float32(rapid.IntRange(0, 4).Draw(t, "max")),
				Except:  anybody(t, "except"),
				Limit:   int32(rapid.IntRange(0, 2).Draw(t, "limit")),
				Start:   physics.ShapeStartMode(rapid.IntRange(0, 2).Draw(t, "start")),
				Mode:    CastMode(rapid.IntRange(0, 2).Draw(t, "mode")),
				Follow:  Follow(rapid.IntRange(0, 2).Draw(t, "follow")),
				Ignore:  Ignore(rapid.IntRange(0, 3).Draw(t, "ignore")),
				Sensors: rapid.Bool().Draw(t, "sensors"), Disabled: rapid.IntRange(0, 9).Draw(t, "disabled") == 0,
			})
		},
		"mesh": func(t *rapid.T) {
			meshes := ecs.GetResource[Meshes](p.World)
			meshes.Set(MeshID(rapid.IntRange(1, 2).Draw(t, "mesh")), quad(t))
			if rapid.Bool().Draw(t, "hull") {
				meshes.SetHull(1, wedge(t))
			} else {
				meshes.SetHull(1, crate(t))
			}
		},
		"reset": func(t *rapid.T) {
			if rapid.IntRange(0, 9).Draw(t, "really") == 0 {
				p.Reset()
				dead, live = append(dead, live...), live[:0]
				clear(first)
				tick(t)
			}
		},
		"tick":       tick,
		"tick again": tick,
	})
	tick(t)
}

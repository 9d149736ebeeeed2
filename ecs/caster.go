package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// RayCaster is the component of an entity that casts a ray every tick: a ground probe, a car's
// sensor, a line of sight. [CasterSystem] casts it and [CasterHits] holds its hits. The entity
// needs a [Transform], and no [Collider]. For several rays give it children with a [Parent] and a
// [LocalTransform], each with a RayCaster.
//
// A ray that is zero, NaN or infinite in world space misses.
type RayCaster struct {
	// Ray is in the entity's space, unless Follow is set. T counts multiples of Dir, so that a
	// scaled Transform scales the reach; MaxT 0 means no limit.
	Ray geom.Ray
	// Target, unless zero, is the entity that the ray goes to: T is 0 at the Origin and 1 at the
	// TargetPoint, and Dir and MaxT are not read. [CasterHits.Sees] reports whether anything is
	// between. If the target is dead or has no Transform the ray misses.
	Target ecs.Entity
	// TargetPoint is the end of the ray, in the target's space.
	TargetPoint geom.Vec3
	Except      ecs.Entity // one more entity that the ray passes; zero: none
	// The layers that the ray is on, seen by colliders whose Mask has one; 0: those of the entity's
	// Collider, or all if it has none.
	OwnLayer physics.Layers
	Mask     physics.Layers // layers looked at; 0: all
	Limit    int32          // of CastAll: number of hits to keep; 0: all
	Mode     CastMode       // which hits are wanted; zero: the closest
	// How the Transform places the ray; zero: position, rotation and scale.
	Follow   Follow
	Ignore   Ignore         // which of its relatives the ray passes; zero: the entity itself
	Start    geom.StartMode // of a ray that starts in a solid; zero: Solid
	Cull     geom.Cull      // of meshes and planes; zero: both sides
	Sensors  bool           // see sensors too
	Disabled bool           // cast nothing
}

// ShapeCaster is the component of an entity that casts a shape every tick, as [Queries.CastShape]
// does. [CasterSystem] casts it and [CasterHits] holds its hits. The entity needs a [Transform],
// and no [Collider].
//
// A shape or a motion that is empty, NaN or infinite in world space misses.
type ShapeCaster struct {
	// Shape is the shape, described as a Collider of which only the shape is read. It must be
	// convex and bounded: a plane, a mesh or a compound hits nothing.
	Shape Collider
	// Motion is the displacement of the shape at T = 1, in the entity's space, unless Follow is
	// set. With the zero Motion the shape stands still and hits what it overlaps; see
	// [physics.ShapeCast].
	Motion     geom.Vec3
	MinT, MaxT float32                // range of T, as of a ray; MaxT 0: no limit
	Except     ecs.Entity             // one more entity that the shape passes; zero: none
	OwnLayer   physics.Layers         // as of a RayCaster
	Mask       physics.Layers         // layers looked at; 0: all
	Limit      int32                  // of CastAll: number of hits to keep; 0: all
	Start      physics.ShapeStartMode // overlaps where the path begins; zero: StartReport
	Mode       CastMode               // which hits are wanted; zero: the closest
	Follow     Follow                 // how the Transform places both; zero: completely
	// Which of its relatives the shape passes; zero: the entity itself.
	Ignore   Ignore
	Cull     geom.Cull // of meshes and planes; zero: both sides
	Sensors  bool      // see sensors too
	Disabled bool      // cast nothing
}

// CastMode says which hits a caster keeps.
type CastMode uint8

// The modes of a [RayCaster] and a [ShapeCaster]. An unknown mode counts as CastClosest.
const (
	CastClosest CastMode = iota // the first hit
	// Only whether there is a hit, the fastest; see CasterHits.RayBlocked.
	CastAny
	CastAll // all hits or, with a Limit, the first of them
)

// Follow says how a [Transform] places the cast of an entity.
type Follow uint8

// The ways to follow a Transform. An unknown value counts as FollowTransform.
const (
	FollowTransform Follow = iota // scaled, rotated and moved with the entity
	FollowPosition                // moved with it, along the axes of the world, however it rotates
	FollowNothing                 // in world space
)

// Ignore says which entities a caster passes besides its Except. Parents are those named by a
// [Parent], with or without a [LocalTransform].
type Ignore uint8

// The relatives that a caster passes. An unknown value counts as IgnoreSelf.
const (
	IgnoreSelf    Ignore = iota // the entity that casts
	IgnoreParents               // itself, its parent, the parent's parent and so on
	IgnoreFamily                // those with the same top ancestor: the whole car
	IgnoreNone                  // none
)

// place returns the Transform that a caster follows.
func (f Follow) place(t *Transform) Transform {
	switch f {
	case FollowPosition:
		return Transform{Position: t.Position}
	case FollowNothing:
		return Transform{}
	}
	return *t
}

// castRules are the conditions of a ray's or a shape's cast.
type castRules struct {
	caster, except, target ecs.Entity
	top                    ecs.Entity // with IgnoreFamily: the caster's
	layer, mask            physics.Layers
	limit                  int32
	mode                   CastMode
	ignore                 Ignore
	start                  geom.StartMode
	cull                   geom.Cull
	sensors                bool
}

func (c *RayCaster) rules(e ecs.Entity) castRules {
	return castRules{
		caster: e, except: c.Except, target: c.Target, layer: c.OwnLayer, mask: c.Mask, limit: c.Limit,
		mode: c.Mode, ignore: c.Ignore, start: c.Start, cull: c.Cull, sensors: c.Sensors,
	}
}

func (c *ShapeCaster) rules(e ecs.Entity) castRules {
	return castRules{
		caster: e, except: c.Except, layer: c.OwnLayer, mask: c.Mask, limit: c.Limit,
		mode: c.Mode, ignore: c.Ignore, cull: c.Cull, sensors: c.Sensors,
	}
}

// filter returns the part of the conditions that many casts share: all but the entities that the
// cast passes.
func (g *castRules) filter() physics.Filter {
	return physics.Filter{OwnLayer: g.layer, Mask: g.mask, Sensors: g.sensors, Start: g.start, Cull: g.cull}
}

// key orders castRules so that those that can share a batch are neighbours.
func (g *castRules) key() (layers uint64, rest uint32) {
	rest = uint32(g.start)<<16 | uint32(g.cull)<<8
	if g.sensors {
		rest |= 2
	}
	if g.mode == CastAny {
		rest |= 1
	}
	return uint64(g.layer)<<32 | uint64(g.mask), rest
}

// ignores reports whether a cast passes an entity, which must be alive.
func (g *castRules) ignores(s *Space, e ecs.Entity) bool {
	if e == g.except || g.mode == CastAny && e == g.target { // a target does not block CastAny
		return true
	}
	switch g.ignore {
	case IgnoreNone:
		return false
	case IgnoreFamily:
		return s.topAncestor(e) == g.top
	case IgnoreParents:
		return s.isWithin(g.caster, e)
	}
	return e == g.caster
}

// isPlain reports whether all entities that a cast passes have no collider, so that the cast needs
// no predicate.
func (g *castRules) isPlain(s *Space) bool {
	if s.holds(g.except) || g.mode == CastAny && s.holds(g.target) {
		return false
	}
	switch g.ignore {
	case IgnoreNone:
		return true
	case IgnoreFamily:
		return false
	case IgnoreParents:
		plain := true
		s.visitAncestors(g.caster, func(a ecs.Entity) bool { plain = !s.holds(a); return plain })
		return plain
	}
	return !s.holds(g.caster)
}

// holds reports whether an entity has a collider in the physics space.
func (s *Space) holds(e ecs.Entity) bool {
	_, ok := s.Collider(e)
	return ok
}

package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// RayCaster is the component of an entity that casts a ray every tick: a probe for the ground, a
// sensor of a car, a line of sight. [CasterSystem] casts it and [CasterHits] holds what it hit. The
// entity needs a [Transform], and no [Collider]. One that needs several rays has children with a
// [Parent] and a [LocalTransform], each with a RayCaster.
//
// A ray that is zero, NaN or infinite where it has been placed in the world misses.
type RayCaster struct {
	// Ray is in the entity's own space, unless Follow says otherwise. T counts multiples of Dir, so
	// that a scaled Transform scales the reach; MaxT 0 is no limit.
	Ray geom.Ray
	// Target, unless zero, is whom the ray goes to: T is 0 at the Origin and 1 at the TargetPoint,
	// Dir and MaxT are not read, and [CasterHits.Sees] tells whether anything lies between. If the
	// target is gone or has no Transform the ray misses.
	Target ecs.Entity
	// TargetPoint is where on the Target, in the target's own space.
	TargetPoint geom.Vec3
	Except      ecs.Entity     // one entity more that the ray goes through; zero: none
	OwnLayer    physics.Layers // layers the ray is on, seen by colliders whose Mask has one; 0: all
	Mask        physics.Layers // layers looked at; 0: all
	Limit       int32          // of CastAll: how many hits to keep; 0: all
	Mode        CastMode       // which hits are wanted; zero: the closest
	Follow      Follow         // how the Transform places the ray; zero: wholly
	Ignore      Ignore         // whom of its own family the ray goes through; zero: the entity itself
	Start       geom.StartMode // of a ray that starts in a solid; zero: Solid
	Cull        geom.Cull      // of meshes and planes; zero: both sides
	Sensors     bool           // see sensors too
	Disabled    bool           // cast nothing
}

// ShapeCaster is the component of an entity that casts a shape every tick, as [CastShape] does.
// [CasterSystem] casts it and [CasterHits] holds what it hit. The entity needs a [Transform], and
// no [Collider].
//
// A shape or a motion that is empty, NaN or infinite where it has been placed in the world misses.
type ShapeCaster struct {
	// Shape is what is cast, described as a Collider is, of which only the shape is read. It must
	// be convex and have an end: a plane, a mesh or a compound hits nothing.
	Shape Collider
	// Motion is the way that the shape has gone when T is 1, in the entity's own space unless
	// Follow says otherwise. If zero the shape stands still and hits what it overlaps; see
	// [physics.ShapeCast].
	Motion     geom.Vec3
	MinT, MaxT float32                // range of T, as of a ray; MaxT 0: no limit
	Except     ecs.Entity             // one entity more that the shape goes through; zero: none
	OwnLayer   physics.Layers         // layers the shape is on, seen by colliders whose Mask has one; 0: all
	Mask       physics.Layers         // layers looked at; 0: all
	Limit      int32                  // of CastAll: how many hits to keep; 0: all
	Start      physics.ShapeStartMode // of what it overlaps where the way begins; zero: StartReport
	Mode       CastMode               // which hits are wanted; zero: the closest
	Follow     Follow                 // how the Transform places the shape and its motion; zero: wholly
	Ignore     Ignore                 // whom of its own family the shape goes through; zero: the entity itself
	Cull       geom.Cull              // of meshes and planes; zero: both sides
	Sensors    bool                   // see sensors too
	Disabled   bool                   // cast nothing
}

// CastMode says which hits of a caster are wanted.
type CastMode uint8

// The modes of a [RayCaster] and a [ShapeCaster]. One that is unknown is CastClosest.
const (
	CastClosest CastMode = iota // the first hit
	CastAny                     // only whether there is a hit, which is the cheapest; see CasterHits.RayBlocked
	CastAll                     // all hits or, with a Limit, the first of them
)

// Follow says how a [Transform] places what an entity casts.
type Follow uint8

// What a caster follows. One that is unknown is FollowTransform.
const (
	FollowTransform Follow = iota // scaled, turned and moved with the entity
	FollowPosition                // moved with it, along the axes of the world: down is down however the entity is turned
	FollowNothing                 // in world space
)

// Ignore says whom a caster goes through besides its Except. What counts as a parent is what a
// [Parent] names, with or without a [LocalTransform].
type Ignore uint8

// Whom a caster goes through. One that is unknown is IgnoreSelf.
const (
	IgnoreSelf    Ignore = iota // the entity that casts
	IgnoreParents               // that, its parent, the parent's parent and so on
	IgnoreFamily                // all that have the same eldest ancestor: the whole car, whichever of its parts casts
	IgnoreNobody
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

// glance is what a cast sees, of a ray as of a shape.
type glance struct {
	caster, except, target ecs.Entity
	eldest                 ecs.Entity // with IgnoreFamily: the caster's
	layer, mask            physics.Layers
	limit                  int32
	mode                   CastMode
	ignore                 Ignore
	inside                 geom.StartMode
	cull                   geom.Cull
	sensors                bool
}

func (c *RayCaster) glance(e ecs.Entity) glance {
	return glance{
		caster: e, except: c.Except, target: c.Target, layer: c.OwnLayer, mask: c.Mask, limit: c.Limit,
		mode: c.Mode, ignore: c.Ignore, inside: c.Start, cull: c.Cull, sensors: c.Sensors,
	}
}

func (c *ShapeCaster) glance(e ecs.Entity) glance {
	return glance{
		caster: e, except: c.Except, layer: c.OwnLayer, mask: c.Mask, limit: c.Limit,
		mode: c.Mode, ignore: c.Ignore, cull: c.Cull, sensors: c.Sensors,
	}
}

// filter returns what the space beneath is asked with, of which all but those ignored is the same
// for many casts.
func (g *glance) filter() physics.Filter {
	return physics.Filter{OwnLayer: g.layer, Mask: g.mask, Sensors: g.sensors, Start: g.inside, Cull: g.cull}
}

// key orders glances so that those which may share a batch are neighbours.
func (g *glance) key() (layers uint64, rest uint32) {
	rest = uint32(g.inside)<<16 | uint32(g.cull)<<8
	if g.sensors {
		rest |= 2
	}
	if g.mode == CastAny {
		rest |= 1
	}
	return uint64(g.layer)<<32 | uint64(g.mask), rest
}

// ignores reports whether a cast goes through an entity that is alive.
func (g *glance) ignores(s *Space, e ecs.Entity) bool {
	if e == g.except || g.mode == CastAny && e == g.target { // of any hit, that of the target hides nothing
		return true
	}
	switch g.ignore {
	case IgnoreNobody:
		return false
	case IgnoreFamily:
		return s.eldest(e) == g.eldest
	case IgnoreParents:
		return s.isWithin(g.caster, e)
	}
	return e == g.caster
}

// isPlain reports whether a cast ignores nobody that the space knows, so that it needs no
// predicate.
func (g *glance) isPlain(s *Space) bool {
	if s.holds(g.except) || g.mode == CastAny && s.holds(g.target) {
		return false
	}
	switch g.ignore {
	case IgnoreNobody:
		return true
	case IgnoreFamily:
		return false
	case IgnoreParents:
		plain := true
		s.lineage(g.caster, func(a ecs.Entity) bool { plain = !s.holds(a); return plain })
		return plain
	}
	return !s.holds(g.caster)
}

// holds reports whether an entity has a collider in the space beneath.
func (s *Space) holds(e ecs.Entity) bool {
	_, ok := s.Collider(e)
	return ok
}

// lineage visits an entity that is alive, its parent and so on, as long as visit returns true. In a
// cycle of parents it visits each entity at least once and ends.
func (s *Space) lineage(e ecs.Entity, visit func(ecs.Entity) bool) {
	slow := e // advances at half the speed, and is met by e in a cycle (Floyd)
	for n := 1; visit(e); n++ {
		if e = s.liveParent(e); e.IsZero() || e == slow {
			return
		}
		if n%2 == 0 {
			slow = s.liveParent(slow)
		}
	}
}

// isWithin reports whether an entity that is alive is another, or one of its descendants.
func (s *Space) isWithin(e, other ecs.Entity) (found bool) {
	s.lineage(e, func(a ecs.Entity) bool { found = a == other; return !found })
	return found
}

// eldest returns the ancestor of an entity that has no parent. Where the ancestors form a cycle it
// is the lowest entity of the cycle.
func (s *Space) eldest(e ecs.Entity) ecs.Entity {
	last := e
	s.lineage(e, func(a ecs.Entity) bool { last = a; return true })
	if s.liveParent(last).IsZero() {
		return last
	}
	lowest := last // in the cycle, of which the entities that lead to it are no part
	for a := s.liveParent(last); a != last; a = s.liveParent(a) {
		if compareEntities(a, lowest) < 0 {
			lowest = a
		}
	}
	return lowest
}

// parent returns the entity that another, which is alive, follows by its Parent, and false if it has
// none. The parent may be dead.
func (s *Space) parent(e ecs.Entity) (ecs.Entity, bool) {
	p := (*Parent)(s.world.GetUnchecked(e, s.ids.parent))
	if p == nil || p.Entity.IsZero() {
		return ecs.Entity{}, false
	}
	return p.Entity, true
}

// liveParent returns the parent of an entity that is alive, zero if there is none that is alive.
func (s *Space) liveParent(e ecs.Entity) ecs.Entity {
	if p, ok := s.parent(e); ok && alive(s.world, p) {
		return p
	}
	return ecs.Entity{}
}

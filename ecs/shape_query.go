package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
)

// OverlapShape appends the entities that a shape touches to dst, each once, by rising entity ID,
// and returns the longer slice. Touching counts. A shape that is nowhere touches nothing. Panics if
// the world has no [Space], or as [physics.Space.OverlapShape] does.
func OverlapShape(w *ecs.World, dst []ecs.Entity, p physics.Placed, f Filter) []ecs.Entity {
	return sight{spaceOf(w, "OverlapShape"), &f}.overlapShape(dst, p)
}

// OverlapShape is [OverlapShape] as of the snapshot.
func (s *Snapshot) OverlapShape(dst []ecs.Entity, p physics.Placed, f Filter) []ecs.Entity {
	return s.sight(&f, "OverlapShape").overlapShape(dst, p)
}

func (v sight) overlapShape(dst []ecs.Entity, p physics.Placed) []ecs.Entity {
	l := v.lists.take()
	l.ids = v.physics.OverlapShape(l.ids, p, v.filter.physics(nil))
	return v.entities(dst, l)
}

// ShapeNearest is the entity nearest to a shape; A is the entity, B the shape.
type ShapeNearest struct {
	physics.Closest
	Entity ecs.Entity
	User   uint64 // of the Collider
}

// ClosestShape returns the entity that is nearest to a shape, with the points of both that are
// nearest to each other, and false if there is none within maxDistance, in metres. Panics if the
// world has no [Space], or as [physics.Space.NearestToShape] does.
func ClosestShape(w *ecs.World, p physics.Placed, maxDistance float32, f Filter) (ShapeNearest, bool) {
	return sight{spaceOf(w, "ClosestShape"), &f}.closestShape(p, maxDistance)
}

// ClosestShape is [ClosestShape] as of the snapshot.
func (s *Snapshot) ClosestShape(p physics.Placed, maxDistance float32, f Filter) (ShapeNearest, bool) {
	return s.sight(&f, "ClosestShape").closestShape(p, maxDistance)
}

func (v sight) closestShape(p physics.Placed, maxDistance float32) (ShapeNearest, bool) {
	n, ok := v.physics.NearestToShape(p, maxDistance, v.filter.physics(v.sees))
	if !ok {
		return ShapeNearest{}, false
	}
	return ShapeNearest{n.Closest, v.owner(n.Collider), n.User}, true
}

// ShapeManifold is where an entity and a shape touch; A is the entity and B the shape, so that
// Normal points from the entity to the shape.
type ShapeManifold struct {
	physics.Manifold
	Entity ecs.Entity
	User   uint64 // of the Collider
}

// CollideShape appends to dst where a shape touches entities, or is no further from them than
// margin, in metres, and returns the longer slice, by rising entity ID. Panics if the world has no
// [Space], or as [physics.Space.CollideShape] does.
func CollideShape(w *ecs.World, dst []ShapeManifold, p physics.Placed, margin float32, f Filter) []ShapeManifold {
	return sight{spaceOf(w, "CollideShape"), &f}.collideShape(dst, p, margin)
}

// CollideShape is [CollideShape] as of the snapshot.
func (s *Snapshot) CollideShape(dst []ShapeManifold, p physics.Placed, margin float32, f Filter) []ShapeManifold {
	return s.sight(&f, "CollideShape").collideShape(dst, p, margin)
}

func (v sight) collideShape(dst []ShapeManifold, p physics.Placed, margin float32) []ShapeManifold {
	l := v.lists.take()
	l.touch = v.physics.CollideShape(l.touch, p, margin, v.filter.physics(v.sees))
	n := len(dst)
	for i := range l.touch {
		m := &l.touch[i]
		dst = append(dst, ShapeManifold{m.Manifold, v.owner(m.Collider), m.User})
	}
	v.lists.give(l)
	slices.SortStableFunc(dst[n:], func(a, b ShapeManifold) int { return compareEntities(a.Entity, b.Entity) })
	return dst
}

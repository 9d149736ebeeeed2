package physecs

import (
	"iter"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// CasterHits is the resource that holds what each [RayCaster] and each [ShapeCaster] hit at the
// last update of the [CasterSystem].
//
// Nothing that has gone since is returned: of a caster that has died or lost its component there
// are no hits, and a hit of an entity that has died or lost its Collider or Transform is left out.
// After a World.Reset an old CasterHits returns nothing.
//
// All methods may be called in a locked world and from many goroutines while none changes the
// world, and allocate nothing.
type CasterHits struct {
	// RaysChanged and ShapesChanged are the casters whose first hit is another entity than at the
	// update before, in the order of their entity IDs: a wheel that leaves the ground, a guard who
	// catches sight of somebody. They are valid until the next update. One with CastAny knows of no
	// entity and is never among them.
	RaysChanged, ShapesChanged []CasterChange

	world  *ecs.World
	id     ecs.ResID
	space  *Space
	ids    casterIDs
	filter Filter // the system's

	rayCasters, shapeCasters ecs.Mask // with a Transform

	rays   casts[geom.Ray, Hit]
	shapes casts[physics.ShapeCast, ShapeHit]

	batch []int32 // rays that are for a batch, by what they see
	cast  []geom.Ray
	found []Hit
	any   []bool

	// What a ShapeCaster describes is made a shape once, and kept while one describes it.
	cache        shapeCache
	meshes       *Meshes
	version      uint64 // of meshes
	held, before []int32
}

// casterIDs are the numbers of the casters' components in one world.
type casterIDs struct{ ray, shape ecs.ID }

// CasterChange says that a caster's first hit is another entity than at the update before. An
// entity that has been removed is called what it was; its ID may belong to another by now.
type CasterChange struct {
	Caster ecs.Entity
	Before ecs.Entity // zero: it hit nothing, or was no caster
	Now    ecs.Entity // zero: it hits nothing, or is a caster no more
}

// Ray returns the first hit of an entity's RayCaster, and false if there is none. With CastAny
// there never is.
func (h *CasterHits) Ray(e ecs.Entity) (Hit, bool) {
	for hit := range h.RayHits(e) {
		return hit, true
	}
	return Hit{}, false
}

// RayHits returns the hits of an entity's RayCaster front to back: one at most unless its mode is
// CastAll.
func (h *CasterHits) RayHits(e ecs.Entity) iter.Seq[Hit] {
	return func(yield func(Hit) bool) { h.rayHits(e, yield) } // short, to be inlined: then it allocates nothing
}

func (h *CasterHits) rayHits(e ecs.Entity, yield func(Hit) bool) {
	if r := h.rays.find(e); r != nil && h.casts(e, h.ids.ray) {
		h.yieldRays(r, yield)
	}
}

// Rays returns all hits of all RayCasters with the entities that cast, by rising entity ID and
// front to back.
func (h *CasterHits) Rays() iter.Seq2[ecs.Entity, Hit] {
	return func(yield func(ecs.Entity, Hit) bool) {
		for i := range h.rays.results {
			r := &h.rays.results[i]
			if h.casts(r.caster, h.ids.ray) && !h.yieldRays(r, func(hit Hit) bool { return yield(r.caster, hit) }) {
				return
			}
		}
	}
}

func (h *CasterHits) yieldRays(r *result, yield func(Hit) bool) bool {
	for i := r.start; i < r.end; i++ {
		if hit := &h.rays.hits[i]; h.space.has(hit.Entity) && !yield(*hit) {
			return false
		}
	}
	return true
}

// Shape returns the first hit of an entity's ShapeCaster, and false if there is none. With CastAny
// there never is.
func (h *CasterHits) Shape(e ecs.Entity) (ShapeHit, bool) {
	for hit := range h.ShapeHits(e) {
		return hit, true
	}
	return ShapeHit{}, false
}

// ShapeHits returns the hits of an entity's ShapeCaster in their order: one at most unless its mode
// is CastAll.
func (h *CasterHits) ShapeHits(e ecs.Entity) iter.Seq[ShapeHit] {
	return func(yield func(ShapeHit) bool) { h.shapeHits(e, yield) }
}

func (h *CasterHits) shapeHits(e ecs.Entity, yield func(ShapeHit) bool) {
	if r := h.shapes.find(e); r != nil && h.casts(e, h.ids.shape) {
		h.yieldShapes(r, yield)
	}
}

// Shapes returns all hits of all ShapeCasters with the entities that cast, by rising entity ID and
// in the order of the hits.
func (h *CasterHits) Shapes() iter.Seq2[ecs.Entity, ShapeHit] {
	return func(yield func(ecs.Entity, ShapeHit) bool) {
		for i := range h.shapes.results {
			r := &h.shapes.results[i]
			if h.casts(r.caster, h.ids.shape) && !h.yieldShapes(r, func(hit ShapeHit) bool { return yield(r.caster, hit) }) {
				return
			}
		}
	}
}

func (h *CasterHits) yieldShapes(r *result, yield func(ShapeHit) bool) bool {
	for i := r.start; i < r.end; i++ {
		if hit := &h.shapes.hits[i]; h.space.has(hit.Entity) && !yield(*hit) {
			return false
		}
	}
	return true
}

// RayBlocked reports whether an entity's RayCaster hit anything at the last update, in whichever
// mode, even if that has gone since.
func (h *CasterHits) RayBlocked(e ecs.Entity) bool {
	r := h.rays.find(e)
	return r != nil && r.blocked && h.casts(e, h.ids.ray)
}

// ShapeBlocked reports whether an entity's ShapeCaster hit anything at the last update. See
// [CasterHits.RayBlocked].
func (h *CasterHits) ShapeBlocked(e ecs.Entity) bool {
	r := h.shapes.find(e)
	return r != nil && r.blocked && h.casts(e, h.ids.shape)
}

// Sees reports whether an entity's RayCaster saw its Target at the last update: whether nothing
// that the ray sees lay before it. The Target itself may have a Collider or not. False if the
// target or the caster has gone since.
func (h *CasterHits) Sees(e ecs.Entity) bool {
	r := h.rays.find(e)
	return r != nil && r.sees && h.casts(e, h.ids.ray) && alive(h.world, r.target)
}

// casts reports whether an entity is alive and a caster still, in a world that was not reset since.
func (h *CasterHits) casts(e ecs.Entity, id ecs.ID) bool {
	return h.world.Resources().Get(h.id) == any(h) && alive(h.world, e) && h.world.HasUnchecked(e, id)
}

// result is what became of one caster.
type result struct {
	caster, target ecs.Entity
	first          ecs.Entity // that was hit; zero: none
	start, end     int32      // of its hits
	blocked, sees  bool
}

// find returns the result of an entity, nil if it cast nothing.
func (c *casts[C, H]) find(e ecs.Entity) *result {
	i, ok := slices.BinarySearchFunc(c.results, e, func(r result, e ecs.Entity) int { return compareEntities(r.caster, e) })
	if !ok {
		return nil
	}
	return &c.results[i]
}

// change appends to dst whose first hit has changed.
func (c *casts[C, H]) change(dst []CasterChange) []CasterChange {
	now, before := c.results, c.before
	for len(now) > 0 || len(before) > 0 {
		order := 0
		switch {
		case len(now) == 0:
			order = 1
		case len(before) == 0:
			order = -1
		default:
			order = compareEntities(now[0].caster, before[0].caster)
		}
		var change CasterChange
		if order <= 0 {
			change.Caster, change.Now, now = now[0].caster, now[0].first, now[1:]
		}
		if order >= 0 {
			change.Caster, change.Before, before = before[0].caster, before[0].first, before[1:]
		}
		if change.Before != change.Now {
			dst = append(dst, change)
		}
	}
	return dst
}

package physecs

import (
	"iter"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// CasterHits is the resource that holds the hits of each [RayCaster] and each [ShapeCaster] at the
// last update of the [CasterSystem].
//
// It returns nothing that has gone since: no hits of a caster that has died or lost its component,
// and no hit of an entity that has died or lost its Collider or Transform. After a World.Reset an
// old CasterHits returns nothing.
//
// All methods may be called in a locked world, and from many goroutines while none changes the
// world. They allocate nothing.
type CasterHits struct {
	// RaysChanged and ShapesChanged are the casters whose first hit is another entity than at the
	// update before, by rising entity ID: a wheel that leaves the ground, a guard that sees
	// somebody. They are valid until the next update. Casters with CastAny have no first hit and
	// are never among them.
	RaysChanged, ShapesChanged []CasterChange

	world  *ecs.World
	id     ecs.ResID
	space  *Space
	ids    casterIDs
	filter Filter // the system's

	rayCasters, shapeCasters componentFilter

	rays   casts[geom.Ray, Hit]
	shapes casts[physics.ShapeCast, ShapeHit]

	batch []int32 // indices of rays that share a batch, sorted by their conditions
	cast  []geom.Ray
	found []Hit
	any   []bool

	// The shapes of ShapeCasters are made once, and kept as long as a ShapeCaster has them.
	cache        shapeCache
	meshes       *Meshes
	version      uint64 // of meshes
	held, before []int32
}

// casterIDs are the components of casters in one world.
type casterIDs struct {
	ray   key[RayCaster]
	shape key[ShapeCaster]
}

// CasterChange is a caster whose first hit is another entity than at the update before. The ID of
// an entity that has been removed may belong to another one by now.
type CasterChange struct {
	Caster ecs.Entity
	Before ecs.Entity // zero: it hit nothing, or was no caster
	Now    ecs.Entity // zero: it hits nothing, or is no caster any more
}

// Ray returns the first hit of an entity's RayCaster, and false if there is none, as always with
// CastAny.
func (h *CasterHits) Ray(e ecs.Entity) (Hit, bool) {
	for hit := range h.RayHits(e) {
		return hit, true
	}
	return Hit{}, false
}

// RayHits returns the hits of an entity's RayCaster front to back: at most one unless its mode is
// CastAll.
func (h *CasterHits) RayHits(e ecs.Entity) iter.Seq[Hit] {
	return func(yield func(Hit) bool) { h.rayHits(e, yield) } // short, to be inlined: no allocation
}

func (h *CasterHits) rayHits(e ecs.Entity, yield func(Hit) bool) {
	if r := h.rays.find(e); r != nil && h.casts(e, h.ids.ray.id) {
		h.yieldRays(r, yield)
	}
}

// Rays returns the hits of all RayCasters with the entities that cast them, by rising entity ID and
// front to back.
func (h *CasterHits) Rays() iter.Seq2[ecs.Entity, Hit] {
	return func(yield func(ecs.Entity, Hit) bool) {
		for i := range h.rays.results {
			r := &h.rays.results[i]
			if h.casts(r.caster, h.ids.ray.id) && !h.yieldRays(r, func(hit Hit) bool { return yield(r.caster, hit) }) {
				return
			}
		}
	}
}

// WorldRays returns the rays that all RayCasters have cast, in world space, with the entities that
// cast them, by rising entity ID: those that hit nothing too, so that all can be drawn.
func (h *CasterHits) WorldRays() iter.Seq2[ecs.Entity, geom.Ray] {
	return func(yield func(ecs.Entity, geom.Ray) bool) {
		for _, k := range h.rays.keys {
			if j := &h.rays.jobs[uint32(k)]; h.casts(j.caster, h.ids.ray.id) && !yield(j.caster, j.cast) {
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

// Shape returns the first hit of an entity's ShapeCaster, and false if there is none, as always
// with CastAny.
func (h *CasterHits) Shape(e ecs.Entity) (ShapeHit, bool) {
	for hit := range h.ShapeHits(e) {
		return hit, true
	}
	return ShapeHit{}, false
}

// ShapeHits returns the hits of an entity's ShapeCaster in their order: at most one unless its mode
// is CastAll.
func (h *CasterHits) ShapeHits(e ecs.Entity) iter.Seq[ShapeHit] {
	return func(yield func(ShapeHit) bool) { h.shapeHits(e, yield) }
}

func (h *CasterHits) shapeHits(e ecs.Entity, yield func(ShapeHit) bool) {
	if r := h.shapes.find(e); r != nil && h.casts(e, h.ids.shape.id) {
		h.yieldShapes(r, yield)
	}
}

// Shapes returns the hits of all ShapeCasters with the entities that cast them, by rising entity ID
// and in the order of the hits.
func (h *CasterHits) Shapes() iter.Seq2[ecs.Entity, ShapeHit] {
	return func(yield func(ecs.Entity, ShapeHit) bool) {
		for i := range h.shapes.results {
			r := &h.shapes.results[i]
			if h.casts(r.caster, h.ids.shape.id) && !h.yieldShapes(r, func(hit ShapeHit) bool { return yield(r.caster, hit) }) {
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

// RayBlocked reports whether an entity's RayCaster hit anything at the last update, in any mode,
// even if the entity hit has gone since.
func (h *CasterHits) RayBlocked(e ecs.Entity) bool {
	r := h.rays.find(e)
	return r != nil && r.blocked && h.casts(e, h.ids.ray.id)
}

// ShapeBlocked reports whether an entity's ShapeCaster hit anything at the last update. See
// [CasterHits.RayBlocked].
func (h *CasterHits) ShapeBlocked(e ecs.Entity) bool {
	r := h.shapes.find(e)
	return r != nil && r.blocked && h.casts(e, h.ids.shape.id)
}

// Sees reports whether an entity's RayCaster saw its Target at the last update: nothing that the
// ray sees was between them. The Target need not have a Collider. It is false if the target or the
// caster has gone since.
func (h *CasterHits) Sees(e ecs.Entity) bool {
	r := h.rays.find(e)
	return r != nil && r.sees && h.casts(e, h.ids.ray.id) && alive(h.world, r.target)
}

// casts reports whether an entity is alive and still a caster, in a world that was not reset.
func (h *CasterHits) casts(e ecs.Entity, id ecs.ID) bool {
	return h.world.Resources().Get(h.id) == any(h) && alive(h.world, e) && hasUnchecked(h.world, e, id)
}

// result is the result of one caster.
type result struct {
	caster, target ecs.Entity
	first          ecs.Entity // the first entity hit; zero: none
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

// change appends the casters whose first hit has changed to dst.
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

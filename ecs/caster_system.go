package physecs

import (
	"cmp"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// CasterSystem casts every [RayCaster] and every [ShapeCaster], on all processors, and writes their
// hits to [CasterHits]. Run it after [SyncSystem]: colliders are where the last [Sync] saw them,
// casters where their Transforms are now.
//
// Rays with the same conditions are cast together, as [Queries.CastRays] does; rays of entities
// with a Collider of their own, or that pass entities with one, are cast one by one. The hits
// depend neither on this nor on the number of processors.
type CasterSystem struct {
	// Filter limits what all casters see, besides their own fields. With, Without, Exclude and
	// the predicates count; the other fields are the casters'. The predicates are called from
	// several goroutines at once.
	Filter Filter
}

// Initialize adds [Space], [Meshes] and [CasterHits] unless the world has them, and registers the
// components. Panics in a locked world.
func (s *CasterSystem) Initialize(w *ecs.World) {
	h := resourceOf[CasterHits](w)
	h.bind(w)
}

// Update writes [CasterHits]. It may be called in a locked world, and allocates nothing once the
// buffers have grown to the number of casters and hits, unless there are new shapes. Panics if a
// Predicate does; CasterHits keeps the hits of the update before.
func (s *CasterSystem) Update(w *ecs.World) {
	h := resourceOf[CasterHits](w)
	h.bind(w)
	h.space.updates(s, "CasterSystem", 0, &s.Filter)
	h.filter = s.Filter
	h.collectRays()
	h.collectShapes(resourceOf[Meshes](w))

	h.castBatch()
	h.rays.castAlone()
	h.shapes.castAlone()

	h.rays.gather(h.found, func(h *Hit) ecs.Entity { return h.Entity })
	h.shapes.gather(nil, func(h *ShapeHit) ecs.Entity { return h.Entity })
	h.RaysChanged = h.rays.change(h.RaysChanged[:0])
	h.ShapesChanged = h.shapes.change(h.ShapesChanged[:0])
	h.filter = Filter{}
}

// Finalize does nothing. The resource stays, to be read.
func (s *CasterSystem) Finalize(*ecs.World) {}

// bind prepares the resource for a world.
func (h *CasterHits) bind(w *ecs.World) {
	h.space = initialize(w)
	if h.world == w {
		return
	}
	*h = CasterHits{world: w, id: ecs.ResourceID[CasterHits](w), space: h.space, cache: newShapeCache(h.space.physics)}
	h.ids.ray, h.ids.shape = keyOf[RayCaster](w), keyOf[ShapeCaster](w)
	h.rays.one, h.shapes.one = castRayJob, castShapeJob
}

// collectRays places the rays of all RayCasters in world space.
func (h *CasterHits) collectRays() {
	w, s, c := h.world, h.space, &h.rays
	c.reset()
	c.space, c.filter, h.batch = s, &h.filter, h.batch[:0]
	query := h.rayCasters.query(w, s.ids.transform.id, h.ids.ray.id)
	for query.Next() {
		r := h.ids.ray.at(&query)
		if r.Disabled {
			continue
		}
		e := query.Entity()
		j := job[geom.Ray]{castRules: r.rules(e), chunk: -1}
		j.layer = cmp.Or(j.layer, s.layerOf(e))
		j.cast, j.aimed = r.placed(s, s.ids.transform.at(&query))
		i := int32(len(c.jobs))
		if j.ignore == IgnoreFamily {
			j.top = s.topAncestor(e)
		}
		if j.mode != CastAll && (j.mode != CastAny || j.isPlain(s)) {
			h.batch = append(h.batch, i)
		} else {
			c.alone = append(c.alone, i)
		}
		c.jobs = append(c.jobs, j)
	}
}

// placed returns the ray of a caster in world space, and whether it leads to a target that can be
// seen.
func (c *RayCaster) placed(s *Space, t *Transform) (r geom.Ray, aimed bool) {
	to := c.Follow.place(t).Affine()
	r = c.Ray
	r.Origin = to.Point(r.Origin)
	if c.Target.IsZero() {
		r.Dir = to.Vector(r.Dir)
		return r, false
	}
	r.Dir, r.MaxT = geom.Vec3{}, 1
	target := s.transform(s.world, c.Target)
	if target == nil {
		return r, false
	}
	goal := target.Point(c.TargetPoint)
	r.Dir = goal.Sub(r.Origin)
	return r, r.IsValid() || r.Origin.IsFinite() && goal == r.Origin // nothing is between
}

// collectShapes places the shapes of all ShapeCasters in world space.
func (h *CasterHits) collectShapes(meshes *Meshes) {
	if h.meshes != meshes || h.version != meshes.version {
		h.cache.resolveNamed(meshes)
		h.meshes, h.version = meshes, meshes.version
	}
	w, s, c := h.world, h.space, &h.shapes
	c.reset()
	c.space, c.filter = s, &h.filter
	h.held, h.before = h.before[:0], h.held
	query := h.shapeCasters.query(w, s.ids.transform.id, h.ids.shape.id)
	for query.Next() {
		r := h.ids.shape.at(&query)
		if r.Disabled {
			continue
		}
		e := query.Entity()
		j := job[physics.ShapeCast]{castRules: r.rules(e), chunk: -1}
		j.layer = cmp.Or(j.layer, s.layerOf(e))
		if shape := h.shape(&r.Shape); shape != nil {
			at := r.Follow.place(s.ids.transform.at(&query))
			j.cast = physics.ShapeCast{
				Shape: shape, Transform: at, Motion: at.Affine().Vector(r.Motion), MinT: r.MinT, MaxT: r.MaxT, Start: r.Start,
			}
			if j.ignore == IgnoreFamily {
				j.top = s.topAncestor(e)
			}
			c.alone = append(c.alone, int32(len(c.jobs)))
		}
		c.jobs = append(c.jobs, j)
	}
	// After this update's are added, so that shapes in use are kept.
	for _, entry := range h.before {
		h.cache.drop(entry)
	}
}

// shape returns the shape of a Collider, nil if it cannot be cast.
func (h *CasterHits) shape(c *Collider) physics.Shape {
	switch c.Kind {
	case KindPlane, KindMesh, KindCompound:
		return nil
	}
	bare := *c
	bare.User, bare.Layer, bare.Mask, bare.Sensor = 0, 0, 0, false
	entry := h.cache.add(&bare, h.meshes)
	h.held = append(h.held, entry)
	return h.cache.entries[entry].shape
}

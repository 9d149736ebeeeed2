package physecs

import (
	"sync"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Filter says which entities a query sees. The zero Filter sees every entity that has a [Transform]
// and a [Collider] that is not a sensor.
type Filter struct {
	With    ecs.Mask     // components that an entity must all have; make it with ecs.All
	Without ecs.Mask     // components of which an entity must have none
	Exclude []ecs.Entity // entities left out, such as the one that casts
	// Predicate leaves out entities for which it returns false. It is called last, may read the
	// world and query, and must not change them.
	Predicate func(e ecs.Entity) bool
	// HitPredicate lets a ray go on behind hits for which it returns false, as through a hole in a
	// texture: see [physics.Filter]. It may do what Predicate may. Only queries with rays use it,
	// those of the pointer too.
	HitPredicate func(h Hit) bool

	OwnLayer physics.Layers // of the query, seen by colliders with one in Mask; 0: all
	Mask     physics.Layers // layers looked at; 0: all
	Sensors  bool           // see sensors too
	Start    geom.StartMode // of rays that start in a solid; zero: Solid
	Cull     geom.Cull      // of casts at meshes and planes; zero: both sides
}

// physics returns the filter for the physics space, with a predicate for the fields that the
// physics space has no counterpart of.
func (f *Filter) physics(predicate func(physics.ColliderID) bool) physics.Filter {
	return physics.Filter{
		OwnLayer: f.OwnLayer, Mask: f.Mask, Sensors: f.Sensors, Start: f.Start, Cull: f.Cull,
		Predicate: predicate,
	}
}

// isPlain reports whether the physics space can apply all of the filter by itself.
func (f *Filter) isPlain() bool {
	return f.Predicate == nil && f.HitPredicate == nil && len(f.Exclude) == 0 && f.With.IsZero() && f.Without.IsZero()
}

// scratch is the memory of a query that is too large for the stack, or must outlive the call: the
// answers of the physics space before they become entities, and a filter that several goroutines
// use.
type scratch struct {
	ids       []physics.ColliderID
	hits      []physics.Hit
	nearest   []physics.Nearest
	shapeHits []physics.ShapeHit
	manifolds []physics.ShapeManifold
	crossings []physics.Crossing

	queries *Queries
	filter  Filter
	space   *Space     // set: leave out entities that the pointer ignores too
	held    ecs.Entity // left out with all its descendants; zero: none
	accepts func(physics.ColliderID) bool
	// acceptsHit is query.acceptsHit of queries and filter.
	acceptsHit func(physics.Hit) bool
}

// predicate returns a function that reports whether q sees a collider through f, valid until the
// scratch memory is given back. Unlike query.sees it may be kept on the heap without an allocation.
func (w *scratch) predicate(q *Queries, f *Filter) func(physics.ColliderID) bool {
	w.queries, w.space, w.filter = q, nil, *f
	return w.accepts
}

// pointerPredicate is predicate, without the entities that the pointer ignores.
func (w *scratch) pointerPredicate(s *Space, f *Filter) func(physics.ColliderID) bool {
	w.queries, w.space, w.filter = &s.Queries, s, *f
	return w.accepts
}

// onRays returns f with the filter's predicate of hits: see predicate.
func (w *scratch) onRays(f physics.Filter) physics.Filter {
	if w.filter.HitPredicate != nil {
		f.HitPredicate = w.acceptsHit
	}
	return f
}

// scratchPool keeps scratch memory for the next query. A sync.Pool would drop it at every garbage
// collection.
type scratchPool struct {
	mutex sync.Mutex
	free  []*scratch
}

func (p *scratchPool) take() *scratch {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	n := len(p.free)
	if n == 0 {
		w := new(scratch)
		w.acceptsHit = func(h physics.Hit) bool { return query{w.queries, &w.filter}.acceptsHit(h) }
		w.accepts = func(id physics.ColliderID) bool {
			v, e := query{w.queries, &w.filter}, w.queries.owner(id)
			return (w.space == nil || v.has(e) && w.space.pointerSees(e, w.filter.Sensors)) && v.seesEntity(e) &&
				(w.held.IsZero() || !w.space.isWithin(e, w.held))
		}
		return w
	}
	w := p.free[n-1]
	p.free = p.free[:n-1]
	return w
}

func (p *scratchPool) give(w *scratch) {
	w.ids, w.hits, w.nearest = w.ids[:0], w.hits[:0], w.nearest[:0]
	w.shapeHits, w.manifolds, w.crossings = w.shapeHits[:0], w.manifolds[:0], w.crossings[:0]
	w.queries, w.space, w.held, w.filter = nil, nil, ecs.Entity{}, Filter{}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.free = append(p.free, w)
}

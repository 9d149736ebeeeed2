package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics"
)

// DefaultDT is the DT of a [ProjectileSystem] or a [MoverSystem] that says none, in seconds.
const DefaultDT = float32(1) / 60

// ProjectileSystem moves every entity with a [Transform] and a [Projectile] through a tick, on all
// processors, and writes what befell them to [ProjectileHits]. Projectiles meet what the [Space]
// held at the last [Sync], not each other's new places; so what they do depends neither on their
// order nor on the number of processors. Let it run after [SyncSystem].
//
// Of an entity with a [WorldPosition] that is written too. One that follows a [Parent] is not meant
// to be a projectile: the next Sync puts it back.
//
// An entity with Projectile.Remove is still there, to be read, until the end of the update after
// the one in which it ended.
type ProjectileSystem struct {
	// DT is the length of an update in seconds; 0 means [DefaultDT].
	DT float32
	// Filter says what projectiles hit, besides what each says itself. With Sensors they tell of
	// the sensors they pass. A Predicate is asked from several goroutines at once.
	Filter Filter

	run *projectileRun
}

// Initialize adds [Space], [Meshes] and [ProjectileHits] unless the world has them, and registers
// the components. Panics in a locked world.
func (s *ProjectileSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf(w, zero[ProjectileHits])
}

// Update moves the projectiles. It allocates nothing once there is room for as many projectiles and
// hits as there are. In a locked world it removes no entity; the next update will.
func (s *ProjectileSystem) Update(w *ecs.World) {
	space, hits := initialize(w), resourceOf(w, zero[ProjectileHits])
	if s.run == nil {
		s.run = newProjectileRun()
	}
	r := s.run
	r.gather(w, space)
	r.space, r.filter, r.step = space, s.Filter, s.DT
	if r.step == 0 {
		r.step = DefaultDT
	}
	defer r.forget()
	hits.List = hits.List[:0]
	r.move()
	hits.List = r.collect(hits.List)
	if !w.IsLocked() {
		for _, e := range r.over {
			w.RemoveEntity(e)
		}
		if len(r.over) > 0 {
			hits.List = slices.DeleteFunc(hits.List, func(h ProjectileHit) bool { return !h.Entity.IsZero() && !alive(w, h.Entity) })
		}
	}
}

// Finalize does nothing. The resource stays, to be read.
func (s *ProjectileSystem) Finalize(*ecs.World) {}

// projectileJob is one projectile to be moved. The pointers lead into the world's columns, which
// stay where they are until entities come or go, and that is after all moves.
type projectileJob struct {
	entity     ecs.Entity
	transform  *Transform
	projectile *Projectile
	position   *WorldPosition // nil without one
}

// projectileHits is where the hits of one projectile lie that has some.
type projectileHits struct {
	entity       ecs.Entity
	worker, from int32
	number       int32
}

// projectileWorker is the scratch memory of one worker.
type projectileWorker struct {
	exclude []physics.ColliderID
	hits    []physics.ProjectileHit
	found   []projectileHits

	self, owner ecs.Entity                    // of the projectile that is being moved
	sees        func(physics.ColliderID) bool // also leaves out what these carry; made once
}

// newWorker makes the scratch memory of one more worker.
func (r *projectileRun) newWorker() *projectileWorker {
	w := new(projectileWorker)
	w.sees = func(id physics.ColliderID) bool {
		s := r.space
		carried := false
		if e := s.owner(id); s.has(e) {
			s.lineage(e, func(a ecs.Entity) bool {
				carried = a == w.self || a == w.owner
				return !carried
			})
		}
		return !carried && r.sees(id)
	}
	return w
}

// projectileRun is an update of a system.
type projectileRun struct {
	space  *Space
	filter Filter
	step   float32
	below  physics.Filter       // filter, for the space beneath
	shared []physics.ColliderID // of filter.Exclude

	flying  ecs.Mask // here, since a query takes it to the heap
	jobs    []projectileJob
	over    []ecs.Entity // to be removed
	workers []*projectileWorker
	found   []projectileHits

	loop par.Loop[*projectileRun]
	sees func(physics.ColliderID) bool
}

func newProjectileRun() *projectileRun {
	r := new(projectileRun)
	r.sees = func(id physics.ColliderID) bool { return query{&r.space.Queries, &r.filter}.sees(id) }
	return r
}

// projectileBatch is how many projectiles a worker claims at a time.
const projectileBatch = 64

// gather lists the projectiles that fly, and those that are to be removed.
func (r *projectileRun) gather(w *ecs.World, space *Space) {
	r.flying = ecs.All(space.ids.transform, space.ids.projectile)
	query := w.Query(&r.flying)
	for query.Next() {
		p := (*Projectile)(query.Get(space.ids.projectile))
		if p.Done {
			if p.Remove {
				r.over = append(r.over, query.Entity())
			}
			continue
		}
		job := projectileJob{entity: query.Entity(), transform: (*Transform)(query.Get(space.ids.transform)), projectile: p}
		if query.Has(space.ids.position) {
			job.position = (*WorldPosition)(query.Get(space.ids.position))
		}
		r.jobs = append(r.jobs, job)
	}
}

// move moves all projectiles.
func (r *projectileRun) move() {
	r.below = r.filter.physics(r.sees)
	for _, e := range r.filter.Exclude {
		r.shared = r.appendCollider(r.shared, e)
	}
	n := par.Workers(len(r.jobs), projectileBatch)
	for len(r.workers) < n {
		r.workers = append(r.workers, r.newWorker())
	}
	r.loop.Run(r, n, len(r.jobs), projectileBatch, (*projectileRun).some)
}

func (r *projectileRun) appendCollider(dst []physics.ColliderID, e ecs.Entity) []physics.ColliderID {
	if id, ok := r.space.Collider(e); ok {
		return append(dst, id)
	}
	return dst
}

// some moves the projectiles from start to end.
func (r *projectileRun) some(worker, start, end int) {
	w := r.workers[worker]
	for i := start; i < end; i++ {
		from := len(w.hits)
		r.one(w, &r.jobs[i])
		if n := len(w.hits) - from; n > 0 {
			w.found = append(w.found, projectileHits{r.jobs[i].entity, int32(worker), int32(from), int32(n)})
		}
	}
}

// one moves a projectile.
func (r *projectileRun) one(w *projectileWorker, job *projectileJob) {
	p := job.projectile
	f := r.below
	w.exclude = r.appendCollider(append(w.exclude[:0], r.shared...), job.entity)
	w.exclude = r.appendCollider(w.exclude, p.Owner)
	f.Exclude = w.exclude
	if r.space.stats.Children > 0 {
		w.self, w.owner, f.Predicate = job.entity, p.Owner, w.sees
	}
	if p.OwnLayer != 0 {
		f.OwnLayer = p.OwnLayer
	}
	if p.Mask != 0 {
		f.Mask = p.Mask
	}
	body := p.body(job.transform.Position)
	w.hits = body.Move(w.hits, r.space.physics, r.step, f)
	p.take(&body)
	if body.Position == job.transform.Position {
		return
	}
	job.transform.Position = body.Position
	if job.position != nil {
		*job.position = WorldPosition(r.space.physics.Origin().Add(body.Position.Wide()))
	}
}

// collect appends the hits of all workers in the order of their projectiles.
func (r *projectileRun) collect(dst []ProjectileHit) []ProjectileHit {
	for i := range r.workers {
		r.found = append(r.found, r.workers[i].found...)
	}
	slices.SortFunc(r.found, func(a, b projectileHits) int { return compareEntities(a.entity, b.entity) })
	for _, f := range r.found {
		hits := r.workers[f.worker].hits[f.from : f.from+f.number]
		for i := range hits {
			h := &hits[i]
			dst = append(dst, ProjectileHit{
				Projectile: f.entity, ShapeHit: r.space.shapeHitOf(&h.ShapeHit), Event: h.Event, Position: h.Position,
				VelocityIn: h.VelocityIn, VelocityOut: h.VelocityOut,
			})
		}
	}
	return dst
}

// forget lets go of all that belongs to a world.
func (r *projectileRun) forget() {
	clear(r.jobs)
	r.jobs, r.over, r.shared, r.found = r.jobs[:0], r.over[:0], r.shared[:0], r.found[:0]
	r.space, r.filter, r.below = nil, Filter{}, physics.Filter{}
	for _, w := range r.workers {
		w.hits, w.found = w.hits[:0], w.found[:0]
	}
}

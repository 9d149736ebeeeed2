package physecs

import (
	"cmp"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// DefaultDT is the default DT of a [ProjectileSystem] and a [MoverSystem], in seconds.
const DefaultDT = float32(1) / 60

// ProjectileSystem moves every entity with a [Transform] and a [Projectile] through a tick, on all
// processors, and writes their events to [ProjectileHits]. Projectiles collide with the [Space] of
// the last [Sync], not with each other's new positions, so that the results depend neither on their
// order nor on the number of processors. Run it after [SyncSystem].
//
// A [Body] that is hit gets the momentum that the projectile loses, if that has a Mass.
//
// It writes the [WorldPosition] of entities that have one too. An entity that follows a [Parent]
// cannot be a projectile: the next Sync moves it back.
//
// An entity with Projectile.Remove is there, to be read, until the end of the update after the one
// in which it ended.
type ProjectileSystem struct {
	// DT is the length of an update in seconds; 0 means [DefaultDT].
	DT float32
	// Filter limits what all projectiles hit; a projectile's OwnLayer and Mask, unless 0, replace
	// those here. With Sensors there are events for the sensors they pass. A Predicate is called
	// from several goroutines at once.
	Filter Filter

	run *projectileRun
}

// Initialize adds [Space], [Meshes] and [ProjectileHits] unless the world has them, and registers
// the components. Panics in a locked world.
func (s *ProjectileSystem) Initialize(w *ecs.World) {
	initialize(w)
	resourceOf[ProjectileHits](w)
}

// Update moves the projectiles. It allocates nothing once the buffers have grown to the number of
// projectiles and hits. In a locked world it removes no entity; the next update does.
func (s *ProjectileSystem) Update(w *ecs.World) {
	space, hits := initialize(w), resourceOf[ProjectileHits](w)
	if s.run == nil {
		s.run = newProjectileRun()
	}
	r := s.run
	r.gather(w, space)
	r.space, r.filter, r.step = space, s.Filter, s.DT
	if r.step == 0 {
		r.step = DefaultDT
	}
	space.updates(s, "ProjectileSystem", r.step, &s.Filter)
	defer r.forget()
	hits.List = hits.List[:0]
	r.move()
	hits.List = r.collect(hits.List)
	if d := space.bodies; d != nil {
		r.strike(d, hits.List, space)
	}
	if !w.IsLocked() {
		// New entities get the IDs of removed ones by the order of removal, which must not be that
		// of Arche's tables: a world that was loaded has another one.
		slices.SortFunc(r.over, compareEntities)
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

// projectileJob is one projectile to move. The pointers into Arche's columns are valid until
// entities come or go, which is after all moves.
type projectileJob struct {
	entity     ecs.Entity
	transform  *Transform
	projectile *Projectile
	position   *WorldPosition // nil if it has none
}

// projectileHits is the range of one projectile's hits in the buffer of a worker.
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

	self, owner ecs.Entity                    // of the current projectile
	sees        func(physics.ColliderID) bool // also passes descendants of these; made once
}

// newWorker makes the scratch memory of one more worker.
func (r *projectileRun) newWorker() *projectileWorker {
	w := new(projectileWorker)
	w.sees = func(id physics.ColliderID) bool {
		s := r.space
		carried := false
		if e := s.owner(id); s.has(e) {
			s.visitAncestors(e, func(a ecs.Entity) bool {
				carried = a == w.self || a == w.owner
				return !carried
			})
		}
		return !carried && r.sees(id)
	}
	return w
}

// projectileRun is the state of an update.
type projectileRun struct {
	space  *Space
	filter Filter
	step   float32
	below  physics.Filter       // filter, for the physics space
	shared []physics.ColliderID // the colliders of filter.Exclude

	flying  componentFilter
	jobs    []projectileJob
	over    []ecs.Entity // entities to be removed
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
	query := r.flying.query(w, space.ids.transform.id, space.ids.projectile.id)
	for query.Next() {
		p := space.ids.projectile.at(&query)
		if p.Done {
			if p.Remove {
				r.over = append(r.over, query.Entity())
			}
			continue
		}
		job := projectileJob{entity: query.Entity(), transform: space.ids.transform.at(&query), projectile: p}
		job.position = space.ids.position.maybe(&query)
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
	r.loop.Run(r, n, len(r.jobs), projectileBatch, (*projectileRun).moveSome)
}

func (r *projectileRun) appendCollider(dst []physics.ColliderID, e ecs.Entity) []physics.ColliderID {
	if id, ok := r.space.Collider(e); ok {
		return append(dst, id)
	}
	return dst
}

// moveSome moves the projectiles from start to end.
func (r *projectileRun) moveSome(worker, start, end int) {
	w := r.workers[worker]
	for i := start; i < end; i++ {
		from := len(w.hits)
		r.moveOne(w, &r.jobs[i])
		if n := len(w.hits) - from; n > 0 {
			w.found = append(w.found, projectileHits{r.jobs[i].entity, int32(worker), int32(from), int32(n)})
		}
	}
}

// moveOne moves one projectile.
func (r *projectileRun) moveOne(w *projectileWorker, job *projectileJob) {
	p := job.projectile
	f := r.below
	w.exclude = r.appendCollider(append(w.exclude[:0], r.shared...), job.entity)
	w.exclude = r.appendCollider(w.exclude, p.Owner)
	f.Exclude = w.exclude
	if r.space.stats.Children > 0 {
		w.self, w.owner, f.Predicate = job.entity, p.Owner, w.sees
	}
	f.OwnLayer = cmp.Or(p.OwnLayer, f.OwnLayer, r.space.layerOf(job.entity))
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
			dst = append(dst, ProjectileHit{hits[i], f.entity, r.space.owner(hits[i].Collider)})
		}
	}
	return dst
}

// strike gives the bodies that were hit the impulses of projectiles with a Mass.
func (r *projectileRun) strike(d *Dynamics, hits []ProjectileHit, space *Space) {
	for i := range hits {
		h := &hits[i]
		p := space.ids.projectile.of(space.world, h.Projectile)
		if lost := h.VelocityIn.Sub(h.VelocityOut); p.Mass > 0 && lost != (geom.Vec3{}) {
			d.ApplyImpulseAt(h.Entity, lost.Mul(p.Mass), h.Point)
		}
	}
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

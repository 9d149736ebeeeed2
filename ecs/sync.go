package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
)

// Sync brings the world's [Space] up to date with its entities, adding the resource if there is none, and returns it.
// Queries see what was changed before it. [SyncSystem] calls it once a tick; game code may at any time, in a locked world
// too if it was initialised or synced before.
//
// It compares every entity with what it copied last, instead of listening for events, of which Arche has none for a value
// that changes. So it notices everything that can happen to a world: entities and components added and removed one by one
// or in batches, recycled IDs, World.Reset, a world filled from a file; and it leaves the world's one listener to the game.
// It allocates nothing unless there are new entities or shapes.
func Sync(w *ecs.World) *Space {
	s := resourceOf(w, NewSpace)
	s.sync(w, resourceOf(w, zero[Meshes]))
	return s
}

// bind looks up the components of a world. In a locked world it panics, as Arche does, if they are not yet registered.
func (s *Space) bind(w *ecs.World) {
	if s.world == w {
		return
	}
	s.ids = ids{
		transform:  ecs.ComponentID[Transform](w),
		collider:   ecs.ComponentID[Collider](w),
		static:     ecs.ComponentID[Static](w),
		unpickable: ecs.ComponentID[Unpickable](w),
	}
	s.filter = ecs.All(s.ids.transform, s.ids.collider)
	s.world = w
}

func (s *Space) sync(w *ecs.World, meshes *Meshes) {
	s.bind(w)
	renamed := s.meshes != meshes || s.version != meshes.version
	s.meshes, s.version = meshes, meshes.version
	s.stats = Stats{Nowhere: s.stats.Nowhere}

	n := 0
	query := w.Query(&s.filter)
	for query.Next() {
		e := query.Entity()
		if n == len(s.rows) || s.rows[n].entity != e {
			s.place(n, e)
		}
		r := &s.rows[n]
		n++
		t := (*Transform)(query.Get(s.ids.transform))
		c := (*Collider)(query.Get(s.ids.collider))
		static := query.Has(s.ids.static)
		switch {
		case !r.copied || !sameCollider(c, &r.collider) || static != r.static || renamed && c.isNamed():
			r.transform, r.collider, r.static = *t, *c, static
			s.put(r)
		case !sameTransform(t, &r.transform):
			r.transform = *t
			s.stats.Moved++
			if r.id != 0 {
				s.physics.SetTransform(r.id, *t)
				s.setFault(r, s.numbers(r.id))
			}
		}
	}
	for i := n; i < len(s.rows); i++ { // not met in the walk: gone
		s.take(&s.rows[i])
	}
	s.rows = s.rows[:n]
	s.stats.Colliders = n
}

// place makes row i the row of e, which was not met in this walk before. It changes places with whatever row is there,
// so that rows still to be met stay beyond i and those that are left over at the end of the walk are those that have gone.
func (s *Space) place(i int, e ecs.Entity) {
	id := e.ID()
	if int(id) >= len(s.index) {
		s.index = append(s.index, make([]int32, int(id)+1-len(s.index))...)
	}
	j := s.find(id)
	if j < 0 {
		j = len(s.rows)
		s.rows = append(s.rows, row{entity: e})
	} else if s.rows[j].entity != e { // the ID was recycled
		s.take(&s.rows[j])
		s.rows[j] = row{entity: e}
	}
	s.rows[i], s.rows[j] = s.rows[j], s.rows[i]
	s.index[s.rows[j].entity.ID()] = int32(j + 1)
	s.index[id] = int32(i + 1)
}

// put copies a row whose components have changed into the space beneath.
func (s *Space) put(r *row) {
	if r.copied {
		s.stats.Changed++
	} else {
		s.stats.Added++
	}
	r.copied = true
	shape, fault := r.collider.shape(s.meshes)
	if fault != FaultNone {
		if r.id != 0 {
			s.physics.Remove(r.id)
			r.id = 0
		}
		s.setFault(r, fault)
		return
	}
	c := physics.Collider{
		Shape:     shape,
		Transform: r.transform,
		Layer:     r.collider.Layer,
		Mask:      r.collider.Mask,
		Sensor:    r.collider.Sensor,
		Static:    r.static,
		User:      uint64(r.entity.ID()),
	}
	if r.id == 0 {
		r.id = s.physics.Add(c)
	} else {
		s.physics.Set(r.id, c)
	}
	s.setFault(r, s.numbers(r.id))
}

// take removes what a row has in the space beneath.
func (s *Space) take(r *row) {
	if r.id != 0 {
		s.physics.Remove(r.id)
	}
	s.setFault(r, FaultNone)
	s.index[r.entity.ID()] = 0
	s.stats.Removed++
}

func (s *Space) numbers(id physics.ColliderID) Fault {
	if s.physics.IsNowhere(id) {
		return FaultBadNumbers
	}
	return FaultNone
}

func (s *Space) setFault(r *row, f Fault) {
	if r.fault != FaultNone {
		s.stats.Nowhere--
	}
	if f != FaultNone {
		s.stats.Nowhere++
	}
	r.fault = f
}

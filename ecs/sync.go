package physecs

import (
	"slices"
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
)

// Sync brings the world's [Space] up to date with its entities and returns it; it adds the resource
// if there is none. Queries see the changes that were made before it. [SyncSystem] calls it once a
// tick; game code may call it at any time, even in a locked world that was initialised or synced
// before.
//
// It first writes the Transforms that are made from a [WorldPosition], or from [Parent] and
// [LocalTransform]. At the end it refits the tree of the physics space, so that the first query
// need not.
//
// It compares every entity with the last copy of it, instead of listening to events: there is none
// for a value that is written through a pointer. So it notices whatever happens to a world:
// entities and components added and removed one by one or in batches, recycled IDs, World.Reset, a
// world loaded from a file; and listeners are left to the game. It allocates nothing unless there
// are new entities or shapes.
func Sync(w *ecs.World) *Space {
	s := resourceOr(w, NewSpace)
	s.sync(w, resourceOf[Meshes](w))
	return s
}

// bind looks up the component IDs of a world. Panics in a locked world, as Arche does, if they are
// not registered.
func (s *Space) bind(w *ecs.World) {
	if s.world == w {
		return
	}
	s.ids = ids{
		transform:  keyOf[Transform](w),
		collider:   keyOf[Collider](w),
		static:     keyOf[Static](w),
		unpickable: keyOf[Unpickable](w),
		parent:     keyOf[Parent](w),
		local:      keyOf[LocalTransform](w),
		position:   keyOf[WorldPosition](w),
		mover:      keyOf[Mover](w),
		moverState: keyOf[MoverState](w),
		projectile: keyOf[Projectile](w),
		pickable:   keyOf[Pickable](w),
		movable:    keyOf[Movable](w),
		body:       keyOf[Body](w),
		velocity:   keyOf[Velocity](w),
		material:   keyOf[Material](w),
		joint:      keyOf[Joint](w),
		draggable:  keyOf[Draggable](w),
	}
	s.world, s.anchors = w, nil
}

func (s *Space) sync(w *ecs.World, meshes *Meshes) {
	start := time.Now()
	s.syncs++
	s.bind(w)
	renamed := s.meshes != meshes || s.version != meshes.version
	s.meshes, s.version = meshes, meshes.version
	if renamed {
		s.shapes.resolveNamed(meshes)
	}
	s.stats = Stats{Nowhere: s.stats.Nowhere}
	s.transforms(w)
	s.walk(w, renamed)
	s.physics.Update()
	s.stats.Elapsed = time.Since(start)
}

// transforms writes every Transform that is made from other components.
func (s *Space) transforms(w *ecs.World) {
	s.putPositions(w)
	f := &s.hierarchy
	f.update(w, &s.ids)
	s.stats.Children, s.stats.Orphans = len(f.children)-f.orphans-f.free, f.orphans
}

// walk compares the entities with their rows and copies those that differ.
func (s *Space) walk(w *ecs.World, renamed bool) {
	n := 0
	query := s.filter.query(w, &s.ids)
	for query.Next() {
		e := query.Entity()
		if n == len(s.rows) || s.rows[n].entity != e {
			s.place(n, e)
		}
		r := &s.rows[n]
		n++
		t := s.ids.rowTransform(&query)
		c := s.ids.rowCollider(&query)
		static := s.ids.rowStatic(&query)
		// sameCollider, inlined by hand.
		f := &s.shapes.colliders[r.shape]
		v, w := c.words(), f.words()
		different := differ(&v[0], &w[0]) | differ(&v[1], &w[1]) | differLast(c, f)
		switch {
		case different != 0 || r.shape == 0 || static != r.static || renamed && c.isNamed():
			moved := !sameTransform(t, &r.transform)
			r.transform, r.static = *t, static
			s.put(n, c, moved)
		case !sameTransform(t, &r.transform):
			rescaled := t.Scale != r.transform.Scale
			r.transform = *t
			s.stats.Moved++
			if r.id != 0 && (r.role == ground || !s.bodies.teleport(r, rescaled)) {
				s.physics.SetTransform(r.id, *t)
				if r.fault != FaultNone || !r.bounded || !isBoundedTransform(t) {
					s.setFault(r, s.numbers(r.id))
				}
			}
		}
	}
	for i := n; i < len(s.rows); i++ { // not visited by the query: gone
		s.take(&s.rows[i])
	}
	s.rows = s.rows[:n]
	s.stats.Colliders = n
	s.exchange()
}

// exchange removes and adds colliders in the order of entities, so that their IDs, by which bodies
// and equal hits are ordered, do not depend on Arche's archetypes.
func (s *Space) exchange() {
	if s.bodies != nil && len(s.gone)+len(s.fresh) > 0 {
		s.bodies.makes.relink = true
	}
	if len(s.gone) > 0 {
		slices.SortFunc(s.gone, func(a, b goneRow) int { return compareEntities(a.entity, b.entity) })
		for _, g := range s.gone {
			s.physics.Remove(g.id)
			s.unlink(g.id, g.entity)
		}
		s.gone = s.gone[:0]
	}
	if len(s.fresh) > 0 {
		slices.SortFunc(s.fresh, func(a, b int32) int { return compareEntities(s.rows[a].entity, s.rows[b].entity) })
		for _, i := range s.fresh {
			r := &s.rows[i]
			r.id = s.physics.Add(s.collider(r))
			s.link(r.id, r.entity)
			s.setFault(r, s.numbers(r.id))
			if s.bodies != nil {
				s.bodies.note(r.entity)
			}
		}
		s.fresh = s.fresh[:0]
	}
}

// collider returns the physics collider of a row.
func (s *Space) collider(r *row) physics.Collider {
	c := &s.shapes.colliders[r.shape]
	return physics.Collider{
		Shape:     s.shapes.entries[r.shape].shape,
		Transform: r.transform,
		Layer:     c.Layer,
		Mask:      c.Mask,
		Sensor:    c.Sensor,
		Static:    r.static,
		User:      c.User,
	}
}

// place makes row i the row of e, which this walk has not visited before. It swaps it with the
// present row i, so that the rows not visited yet stay behind i; those left at the end of the walk
// are of entities that have gone.
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

// put copies a changed entity, of the row before the n-th, into the physics space.
func (s *Space) put(n int, c *Collider, moved bool) {
	r := &s.rows[n-1]
	entry := s.shapes.add(c, s.meshes)
	if r.shape == 0 {
		s.stats.Added++
	} else {
		s.stats.Changed++
		s.shapes.drop(r.shape)
	}
	f := &s.shapes.entries[entry]
	r.shape, r.bounded = entry, f.bounded
	if r.role != ground {
		s.bodies.note(r.entity)
	}
	switch {
	case f.fault != FaultNone:
		s.remove(r)
		s.setFault(r, f.fault)
	case r.id == 0:
		s.fresh = append(s.fresh, int32(n-1))
	default:
		p := s.collider(r)
		if old, _ := s.physics.Collider(r.id); r.role != ground && !moved {
			p.Transform = old.Transform // not that of the entity while DynamicsSystem interpolates
		}
		s.physics.Set(r.id, p)
		s.setFault(r, s.numbers(r.id))
		if r.role != ground && moved {
			s.bodies.teleport(r, true)
		}
	}
}

// take removes a row's collider, shape and index.
func (s *Space) take(r *row) {
	s.remove(r)
	if r.role != ground {
		s.bodies.note(r.entity)
	}
	if r.shape != 0 {
		s.shapes.drop(r.shape)
	}
	s.setFault(r, FaultNone)
	s.index[r.entity.ID()] = 0
	s.stats.Removed++
}

// remove removes the collider of a row.
func (s *Space) remove(r *row) {
	if r.id != 0 {
		s.gone = append(s.gone, goneRow{r.entity, r.id})
		r.id = 0
	}
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

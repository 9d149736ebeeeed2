package physecs

import (
	"fmt"
	"unsafe"

	"github.com/mlange-42/arche/ecs"
)

// This file is the glue to the ECS: calls of Arche that take component IDs, or that other ECS lack,
// are made here only. Module ark, which is generated from this package, has its own file instead.

// reservedEntities is the number of entities in a dump of an empty world.
const reservedEntities = 1

// key finds the components of one type in one world.
type key[T any] struct{ id ecs.ID }

// keyOf registers a type of components. Panics in a locked world, unless it is registered.
func keyOf[T any](w *ecs.World) key[T] { return key[T]{ecs.ComponentID[T](w)} }

// of returns the component of an entity that is alive, nil if it has none.
func (k key[T]) of(w *ecs.World, e ecs.Entity) *T { return (*T)(w.GetUnchecked(e, k.id)) }

// checked is of for an entity of the game. Panics in the name of a function if it is not alive.
func (k key[T]) checked(w *ecs.World, e ecs.Entity, function string) *T {
	if !alive(w, e) {
		panic(fmt.Sprintf("physecs: %s: entity %d is not alive", function, e.ID()))
	}
	return k.of(w, e)
}

// on reports whether an entity that is alive has the component.
func (k key[T]) on(w *ecs.World, e ecs.Entity) bool { return hasUnchecked(w, e, k.id) }

// at returns the component of the entity at which a query is, which has one.
func (k key[T]) at(q *ecs.Query) *T { return (*T)(q.Get(k.id)) }

// maybe is at for an entity that may have none: it returns nil then.
func (k key[T]) maybe(q *ecs.Query) *T { return (*T)(q.Get(k.id)) }

// in reports whether the entity at which a query is has the component.
func (k key[T]) in(q *ecs.Query) bool { return q.Has(k.id) }

// componentFilter holds what a query needs as long as it runs, so that it allocates nothing.
type componentFilter struct{ mask ecs.Mask }

// query returns a query for the entities with all of some components, of one world always the same.
func (f *componentFilter) query(w *ecs.World, ids ...ecs.ID) ecs.Query {
	f.mask = ecs.All(ids...)
	return w.Query(&f.mask)
}

// queryOf is a query for what is not done every tick: it may allocate.
func queryOf(w *ecs.World, ids ...ecs.ID) ecs.Query { return w.Query(ecs.All(ids...)) }

// rowFilter is a componentFilter for the entities with a Transform and a Collider.
type rowFilter struct{ filter componentFilter }

func (f *rowFilter) query(w *ecs.World, ids *ids) ecs.Query {
	return f.filter.query(w, ids.transform.id, ids.collider.id)
}

// The components of the entity at which its query is: a function each, since one of three results
// is not inlined.

func (x *ids) rowTransform(q *ecs.Query) *Transform { return x.transform.at(q) }
func (x *ids) rowCollider(q *ecs.Query) *Collider   { return x.collider.at(q) }
func (x *ids) rowStatic(q *ecs.Query) bool          { return x.static.in(q) }

// childFilter is a componentFilter for the entities that follow another.
type childFilter struct{ filter componentFilter }

func (f *childFilter) query(w *ecs.World, ids *ids) ecs.Query {
	return f.filter.query(w, ids.transform.id, ids.parent.id, ids.local.id)
}

func (x *ids) childTransform(q *ecs.Query) *Transform  { return x.transform.at(q) }
func (x *ids) childParent(q *ecs.Query) *Parent        { return x.parent.at(q) }
func (x *ids) childLocal(q *ecs.Query) *LocalTransform { return x.local.at(q) }

// motionFilter finds the entities that systems move.
type motionFilter struct{ all, any, none, following ecs.Mask }

func newMotionFilter(_ *ecs.World, ids *ids) motionFilter {
	return motionFilter{
		ecs.All(ids.transform.id), ecs.All(ids.mover.id, ids.projectile.id, ids.movable.id), ecs.All(ids.body.id),
		ecs.All(ids.transform.id, ids.parent.id, ids.local.id),
	}
}

// Matches implements [ecs.Filter].
func (f *motionFilter) Matches(m *ecs.Mask) bool {
	return m.Contains(&f.all) && m.ContainsAny(&f.any) && !m.ContainsAny(&f.none) && !m.Contains(&f.following)
}

func (f *motionFilter) visit(w *ecs.World, ids *ids, visit func(e ecs.Entity, t *Transform)) {
	query := w.Query(f)
	for query.Next() {
		visit(query.Entity(), ids.transform.at(&query))
	}
}

// hasUnchecked reports whether an entity that is alive has a component.
func hasUnchecked(w *ecs.World, e ecs.Entity, id ecs.ID) bool { return w.HasUnchecked(e, id) }

// hasAll reports whether an entity that is alive has all components of a mask.
func hasAll(w *ecs.World, e ecs.Entity, m *ecs.Mask) bool {
	mask := w.Mask(e)
	return mask.Contains(m)
}

// firstOf returns the first component of a mask that has one. Arche makes IDs only of types, so
// this writes the byte that an ID is.
func firstOf(m *ecs.Mask) (id ecs.ID) {
	for at := (*[unsafe.Sizeof(id)]uint8)(unsafe.Pointer(&id)); !m.Get(id); at[0]++ {
	}
	return id
}

// aliveWith reports whether an entity is alive and has a component. Where alive recovers, it
// panics: if the ID of the entity is higher than any since the last World.Reset.
func aliveWith(w *ecs.World, e ecs.Entity, id ecs.ID) bool {
	return w.Alive(e) && w.HasUnchecked(e, id)
}

// isWith reports whether an entity is alive and has all components of a mask: alive and hasAll in
// one look.
func isWith(w *ecs.World, e ecs.Entity, m *ecs.Mask) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	mask := w.Mask(e) // panics unless it is alive
	return mask.Contains(m)
}

// hasAny reports whether an entity that is alive has a component of a mask.
func hasAny(w *ecs.World, e ecs.Entity, m *ecs.Mask) bool {
	mask := w.Mask(e)
	return mask.ContainsAny(m)
}

// componentOf returns a component of an entity that is alive and has it.
func componentOf(w *ecs.World, e ecs.Entity, id ecs.ID) unsafe.Pointer { return w.GetUnchecked(e, id) }

func addComponents(w *ecs.World, e ecs.Entity, ids ...ecs.ID) { w.Add(e, ids...) }

func removeComponent(w *ecs.World, e ecs.Entity, id ecs.ID) { w.Remove(e, id) }

func dumpEntities(w *ecs.World) ecs.EntityDump { return w.DumpEntities() }

func loadEntities(w *ecs.World, dump *ecs.EntityDump) { w.LoadEntities(dump) }

// alive reports whether an entity is alive. Unlike World.Alive it does not panic for an entity
// whose ID is higher than any since the last World.Reset, as game code that kept it over the reset
// may have; and an entity that was never made, but whose ID and generation are those that the next
// one will have, is not alive.
func alive(w *ecs.World, e ecs.Entity) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	if w.Alive(e) {
		w.HasUnchecked(e, ecs.ID{}) // panics if the ID is free
		return true
	}
	return false
}

package physecs

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/mlange-42/ark/ecs"
)

//go:generate go run ./gen

// This file is the glue to Ark, in the place of that of package ecs to Arche. Ark exports neither
// masks nor filters that take a function.

// maxMask is the number of components that a Mask can hold.
const maxMask = 31

// Mask is a set of component types, for [Filter] and [Scene]; make it with [All]. The zero Mask is
// empty. Masks of the same components of a world are equal.
type Mask struct {
	n   uint8
	ids [maxMask]ecs.ID // by rising index
}

// All returns the Mask of some components:
//
//	physecs.All(ecs.ComponentID[Glass](world))
//
// Panics if there are more than 31.
func All(ids ...ecs.ID) Mask {
	var m Mask
	for _, id := range ids {
		at, ok := slices.BinarySearchFunc(m.list(), id, func(a, b ecs.ID) int { return int(a.Index()) - int(b.Index()) })
		if ok {
			continue
		}
		if m.n == maxMask {
			panic("physecs: All: there are more than 31 components")
		}
		copy(m.ids[at+1:], m.ids[at:m.n])
		m.ids[at] = id
		m.n++
	}
	return m
}

// IsZero reports whether the mask is empty.
func (m *Mask) IsZero() bool { return m.n == 0 }

// ContainsAny reports whether the masks share a component.
func (m *Mask) ContainsAny(o *Mask) bool {
	return slices.ContainsFunc(m.list(), func(id ecs.ID) bool { return slices.Contains(o.list(), id) })
}

func (m *Mask) list() []ecs.ID { return m.ids[:m.n] }

// reservedEntities is the number of entities in a dump of an empty world.
const reservedEntities = 2

// key finds the components of one type in one world.
type key[T any] struct {
	id         ecs.ID
	components *ecs.Map[T]
}

// keyOf registers a type of components. Panics in a locked world, unless it is registered.
func keyOf[T any](w *ecs.World) key[T] { return key[T]{ecs.ComponentID[T](w), ecs.NewMap[T](w)} }

// of returns the component of an entity that is alive, nil if it has none.
func (k key[T]) of(_ *ecs.World, e ecs.Entity) *T { return k.components.GetUnchecked(e) }

// checked is of for an entity of the game. Panics in the name of a function if it is not alive.
func (k key[T]) checked(w *ecs.World, e ecs.Entity, function string) *T {
	if !alive(w, e) {
		panic(fmt.Sprintf("physecs: %s: entity %d is not alive", function, e.ID()))
	}
	return k.of(w, e)
}

// on reports whether an entity that is alive has the component.
func (k key[T]) on(_ *ecs.World, e ecs.Entity) bool { return k.components.HasUnchecked(e) }

// at returns the component of the entity at which a query is, which has one.
func (k key[T]) at(q *ecs.UnsafeQuery) *T { return (*T)(q.Get(k.id)) }

// maybe is at for an entity that may have none: it returns nil then.
func (k key[T]) maybe(q *ecs.UnsafeQuery) *T {
	if !q.Has(k.id) {
		return nil
	}
	return (*T)(q.Get(k.id))
}

// in reports whether the entity at which a query is has the component.
func (k key[T]) in(q *ecs.UnsafeQuery) bool { return q.Has(k.id) }

// componentFilter holds a filter, so that a query allocates nothing.
type componentFilter struct {
	world  *ecs.World
	filter ecs.UnsafeFilter
}

// query returns a query for the entities with all of some components, of one world always the same.
func (f *componentFilter) query(w *ecs.World, ids ...ecs.ID) ecs.UnsafeQuery {
	if f.world != w {
		// The clone keeps the caller's list off the heap.
		f.world, f.filter = w, ecs.NewUnsafeFilter(w, slices.Clone(ids)...)
	}
	return f.filter.Query()
}

// queryOf is a query for what is not done every tick: it allocates.
func queryOf(w *ecs.World, ids ...ecs.ID) ecs.UnsafeQuery {
	return ecs.NewUnsafeFilter(w, ids...).Query()
}

// rowFilter finds the entities with a Transform and a Collider.
type rowFilter struct {
	world  *ecs.World
	filter *ecs.Filter2[Transform, Collider]
}

// rowQuery goes through their tables, and through the rows of each.
type rowQuery struct {
	query      ecs.Query2[Transform, Collider]
	ids        *ids
	entities   []ecs.Entity
	transforms []Transform
	colliders  []Collider
	i          int
	static     bool // all of the table
}

func (f *rowFilter) query(w *ecs.World, ids *ids) rowQuery {
	if f.world != w {
		f.world, f.filter = w, ecs.NewFilter2[Transform, Collider](w)
	}
	return rowQuery{query: f.filter.Query(), ids: ids}
}

// Next goes to the next entity, and reports whether there is one.
func (q *rowQuery) Next() bool {
	q.i++
	return q.i < len(q.entities) || q.nextTable()
}

func (q *rowQuery) nextTable() bool {
	if !q.query.NextTable() {
		return false
	}
	q.i, q.entities = 0, q.query.Entities()
	q.transforms, q.colliders = q.query.GetColumns()
	q.static = q.ids.static.on(nil, q.entities[0])
	return true
}

// Entity returns the entity at which the query is.
func (q *rowQuery) Entity() ecs.Entity { return q.entities[q.i] }

// The components of that entity.

func (*ids) rowTransform(q *rowQuery) *Transform { return &q.transforms[q.i] }
func (*ids) rowCollider(q *rowQuery) *Collider   { return &q.colliders[q.i] }
func (*ids) rowStatic(q *rowQuery) bool          { return q.static }

// childFilter finds the entities that follow another.
type childFilter struct {
	world  *ecs.World
	filter *ecs.Filter3[Transform, Parent, LocalTransform]
}

type childQuery = ecs.Query3[Transform, Parent, LocalTransform]

func (f *childFilter) query(w *ecs.World, _ *ids) childQuery {
	if f.world != w {
		f.world, f.filter = w, ecs.NewFilter3[Transform, Parent, LocalTransform](w)
	}
	return f.filter.Query()
}

func (*ids) childTransform(q *childQuery) *Transform {
	t, _, _ := q.Get()
	return t
}

func (*ids) childParent(q *childQuery) *Parent {
	_, p, _ := q.Get()
	return p
}

func (*ids) childLocal(q *childQuery) *LocalTransform {
	_, _, l := q.Get()
	return l
}

// motionFilter finds the entities that systems move: no entity is in two of the filters.
type motionFilter [3]ecs.UnsafeFilter

func newMotionFilter(w *ecs.World, ids *ids) motionFilter {
	t, body := ids.transform.id, ids.body.id
	return motionFilter{
		ecs.NewUnsafeFilter(w, t, ids.mover.id).Without(body),
		ecs.NewUnsafeFilter(w, t, ids.projectile.id).Without(body, ids.mover.id),
		ecs.NewUnsafeFilter(w, t, ids.movable.id).Without(body, ids.mover.id, ids.projectile.id),
	}
}

func (f *motionFilter) visit(_ *ecs.World, ids *ids, visit func(e ecs.Entity, t *Transform)) {
	for i := range f {
		query := f[i].Query()
		for query.Next() {
			if !ids.parent.in(&query) || !ids.local.in(&query) {
				visit(query.Entity(), ids.transform.at(&query))
			}
		}
	}
}

// hasUnchecked reports whether an entity that is alive has a component.
func hasUnchecked(w *ecs.World, e ecs.Entity, id ecs.ID) bool { return w.Unsafe().HasUnchecked(e, id) }

// hasAll reports whether an entity that is alive has all components of a mask.
func hasAll(w *ecs.World, e ecs.Entity, m *Mask) bool {
	for _, id := range m.list() {
		if !hasUnchecked(w, e, id) {
			return false
		}
	}
	return true
}

// firstOf returns the first component of a mask that has one.
func firstOf(m *Mask) ecs.ID { return m.ids[0] }

// aliveWith reports whether an entity is alive and has a component. Unlike alive it costs little,
// and panics if the ID of the entity is free.
func aliveWith(w *ecs.World, e ecs.Entity, id ecs.ID) bool {
	return hasUnchecked(w, e, id) && w.Alive(e)
}

// isWith reports whether an entity is alive and has all components of a mask.
func isWith(w *ecs.World, e ecs.Entity, m *Mask) bool { return alive(w, e) && hasAll(w, e, m) }

// hasAny reports whether an entity that is alive has a component of a mask.
func hasAny(w *ecs.World, e ecs.Entity, m *Mask) bool {
	for _, id := range m.list() {
		if hasUnchecked(w, e, id) {
			return true
		}
	}
	return false
}

// componentOf returns a component of an entity that is alive and has it.
func componentOf(w *ecs.World, e ecs.Entity, id ecs.ID) unsafe.Pointer {
	return w.Unsafe().GetUnchecked(e, id)
}

func addComponents(w *ecs.World, e ecs.Entity, ids ...ecs.ID) { w.Unsafe().Add(e, ids...) }

func removeComponent(w *ecs.World, e ecs.Entity, id ecs.ID) { w.Unsafe().Remove(e, id) }

func dumpEntities(w *ecs.World) ecs.EntityDump { return w.Unsafe().DumpEntities() }

func loadEntities(w *ecs.World, dump *ecs.EntityDump) { w.Unsafe().LoadEntities(dump) }

// alive reports whether an entity is alive. World.Alive alone reads memory that is not the world's
// for an entity whose ID is higher than any since the last World.Reset, as game code that kept it
// over the reset may have; and an entity that was never made, but whose ID and generation are those
// that the next one will have, is not alive.
func alive(w *ecs.World, e ecs.Entity) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	w.Unsafe().HasUnchecked(e, ecs.ID{}) // panics if the ID is free
	return w.Alive(e)
}

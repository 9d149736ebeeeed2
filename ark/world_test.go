package physecs

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/mlange-42/ark/ecs"
	"github.com/stretchr/testify/assert"
)

// This file is to the tests what world.go is to the package: calls by component IDs that a world of
// Arche has and one of Ark has not, or under another name.

func (g *game) NewEntity(ids ...ecs.ID) ecs.Entity          { return g.Unsafe().NewEntity(ids...) }
func (g *game) Has(e ecs.Entity, id ecs.ID) bool            { return g.Unsafe().Has(e, id) }
func (g *game) Add(e ecs.Entity, ids ...ecs.ID)             { g.Unsafe().Add(e, ids...) }
func (g *game) Remove(e ecs.Entity, ids ...ecs.ID)          { g.Unsafe().Remove(e, ids...) }
func (g *game) Exchange(e ecs.Entity, add, remove []ecs.ID) { g.Unsafe().Exchange(e, add, remove) }
func (g *game) DumpEntities() ecs.EntityDump                { return g.Unsafe().DumpEntities() }
func (g *game) LoadEntities(dump *ecs.EntityDump)           { g.Unsafe().LoadEntities(dump) }

func (g *game) Get(e ecs.Entity, id ecs.ID) unsafe.Pointer {
	if !g.Has(e, id) {
		return nil
	}
	return g.Unsafe().Get(e, id)
}

func (g *game) Mask(e ecs.Entity) Mask {
	var list []ecs.ID
	for ids := g.Unsafe().IDs(e); len(list) < ids.Len(); {
		list = append(list, ids.Get(len(list)))
	}
	return All(list...)
}

// Contains reports whether a mask has all components of another.
func (m *Mask) Contains(o *Mask) bool {
	return !slices.ContainsFunc(o.list(), func(id ecs.ID) bool { return !slices.Contains(m.list(), id) })
}

type withoutMask struct {
	Mask
	without []ecs.ID
}

// Without returns a filter of entities that have none of some components.
func (m Mask) Without(ids ...ecs.ID) withoutMask { return withoutMask{m, ids} }

// Query returns a query by a Mask, a *Mask, with which it allocates nothing, or a withoutMask.
func (g *game) Query(m any) ecs.UnsafeQuery {
	switch m := m.(type) {
	case *Mask:
		return queryOf(g.World, m.list()...)
	case Mask:
		return queryOf(g.World, m.list()...)
	}
	without := m.(*withoutMask)
	return ecs.NewUnsafeFilter(g.World, without.list()...).Without(without.without...).Query()
}

// addBatch adds n entities with a Transform and a Collider at once.
func (g *game) addBatch(n int, set func(e ecs.Entity, t *Transform, c *Collider)) {
	g.things.NewBatchFn(n, set)
}

// batch changes many entities.
type batch struct{ *game }

func (g *game) Batch() batch { return batch{g} }

// of returns a batch of Ark, which has none by component IDs.
func (b batch) of(m any) ecs.Batch {
	if p, ok := m.(*Mask); ok {
		m = *p
	}
	switch m {
	case All(b.collider):
		return ecs.NewFilter1[Collider](b.World).Batch()
	case All(b.team):
		return ecs.NewFilter1[Team](b.World).Batch()
	case All(b.ghost):
		return ecs.NewFilter1[Ghost](b.World).Batch()
	case All(ecs.ComponentID[Projectile](b.World)):
		return ecs.NewFilter1[Projectile](b.World).Batch()
	}
	panic("no such batch")
}

func (b batch) RemoveEntities(m any) { b.World.RemoveEntities(b.of(m), nil) }

func (b batch) Remove(m any, id ecs.ID) {
	if id != b.collider {
		panic("no such batch")
	}
	b.colliders.RemoveBatch(b.of(m), nil)
}

func (b batch) Exchange(m any, add, remove []ecs.ID) {
	var all []ecs.Entity
	for query := b.Query(m); query.Next(); {
		all = append(all, query.Entity())
	}
	for _, e := range all {
		b.game.Exchange(e, add, remove)
	}
}

// The game keeps its observers; Sync needs none.
func TestSyncLeavesObserversAlone(t *testing.T) {
	g := newGame()
	heard := 0
	hear := func(ecs.Entity) { heard++ }
	ecs.Observe(ecs.OnCreateEntity).Do(hear).Register(g.World)
	ecs.Observe(ecs.OnRemoveEntity).Do(hear).Register(g.World)
	e := g.row(2)
	Sync(g.World)
	g.RemoveEntity(e[0])
	Sync(g.World)
	assert.Equal(t, 3, heard)
	g.check(t)
}

func TestMask(t *testing.T) {
	g := newGame()
	a, b := All(g.team, g.static, g.team), All(g.static, g.team)
	assert.Equal(t, a, b)
	assert.Equal(t, []ecs.ID{g.static, g.team}, a.list(), "by rising index")
	assert.False(t, a.IsZero())
	assert.True(t, new(All()).IsZero())
	e := g.NewEntity(g.team, g.ghost)
	for _, tt := range []struct {
		mask     Mask
		all, any bool
	}{
		{All(), true, false},
		{All(g.team), true, true},
		{All(g.ghost, g.team), true, true},
		{a, false, true},
		{All(g.static), false, false},
	} {
		assert.Equal(t, tt.all, hasAll(g.World, e, &tt.mask), "%v", tt.mask)
		assert.Equal(t, tt.any, hasAny(g.World, e, &tt.mask), "%v", tt.mask)
	}
	var many []ecs.ID
	for i := range maxMask + 1 {
		many = append(many, ecs.TypeID(g.World, reflect.ArrayOf(i+1, reflect.TypeFor[int8]())))
	}
	full := All(many[:maxMask]...)
	assert.Equal(t, many[:maxMask], full.list())
	assert.Panics(t, func() { All(many...) })
}

// carried is a relation of the game: its entities are in a table for each target.
type carried struct{ ecs.RelationMarker }

func TestSyncWithRelations(t *testing.T) {
	g := newGame()
	relations := ecs.NewMap1[carried](g.World)
	e := g.row(4)
	for i, target := range e[2:] {
		relations.Add(e[i], &carried{}, ecs.Rel[carried](target))
	}
	Sync(g.World)
	g.check(t)
	relations.SetRelations(e[0], ecs.Rel[carried](e[3]))
	g.transforms.Get(e[0]).Position.Z = -15
	Sync(g.World)
	g.check(t)
	g.RemoveEntity(e[3])
	g.Shrink()
	Sync(g.World)
	g.check(t)
	assert.Equal(t, e[0], g.hit(t), "the target died, its carrier did not")
}

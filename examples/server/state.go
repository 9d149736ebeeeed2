package main

import (
	"math/rand/v2"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
)

// state is a copy of the game, from which it goes on as it did then. Arche gives out no ID of an
// entity twice, so bots and bullets that are gone come back only in an empty world: a state is the
// world in bytes, and what else the game changes. Memory of a state is used again by the next.
type state struct {
	world, zones []byte
	bots         ordered[Bot]
	bullets      ordered[physecs.Projectile]
	dead         []death
	count        counts
	source       rand.PCG
	now          int
	moves        uint64
}

// ordered is components in the order of a query, in which bots draw random numbers. Bytes have the
// order of entities.
type ordered[T any] struct {
	entities []ecs.Entity
	values   []T
}

func (o *ordered[T]) save(w *ecs.World) {
	o.entities, o.values = o.entities[:0], o.values[:0]
	query := generic.NewFilter1[T]().Query(w)
	for query.Next() {
		o.entities, o.values = append(o.entities, query.Entity()), append(o.values, *query.Get())
	}
}

// restore gives the entities the component, which they have not or in another order, after all
// others.
func (o *ordered[T]) restore(w *ecs.World) {
	m, now := generic.NewMap1[T](w), generic.NewMap[T](w)
	for _, e := range o.entities {
		if now.Has(e) {
			m.Remove(e)
		}
	}
	for i, e := range o.entities {
		m.Assign(e, &o.values[i])
	}
}

// save copies the game to s, between two ticks.
func (g *game) save(s *state) {
	w := &g.world
	s.world = ecs.GetResource[physecs.Dynamics](w).AppendState(w, s.world[:0])
	s.zones = physecs.AppendComponents[Zone](w, s.zones[:0])
	s.bots.save(w)
	s.bullets.save(w)
	s.dead = append(s.dead[:0], g.dead...)
	s.count, s.source, s.now, s.moves = g.count, *g.source, g.now, g.sim.Mover.Tick
	for i := range g.contacts.All {
		s.count.began[kindOf(&g.contacts.All[i])]-- // they begin again: see restore
	}
}

// restore makes the game what it was. The contacts that it had begin in the next tick once more,
// without those that end there, which are not counted.
func (g *game) restore(s *state) {
	w := &g.world
	meshes := ecs.GetResource[physecs.Meshes](w)
	w.Reset()
	ecs.AddResource(w, meshes)
	g.initialize()
	err := ecs.GetResource[physecs.Dynamics](w).LoadState(w, s.world)
	if err == nil {
		err = physecs.LoadComponents[Zone](w, s.zones)
	}
	if err != nil {
		panic(err) // the bytes are the game's own
	}
	s.bots.restore(w)
	s.bullets.restore(w)
	zones := generic.NewFilter1[Zone]().Query(w)
	for zones.Next() {
		zones.Get().Inside = [3]int32{}
	}
	g.dead = append(g.dead[:0], s.dead...)
	g.count, *g.source, g.now, g.sim.Mover.Tick = s.count, s.source, s.now, s.moves
}

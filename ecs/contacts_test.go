package physecs

import (
	"math"
	"slices"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// contactsOf has a game, the contacts by brute force and those by events, tick by tick.
type contactsOf struct {
	*game
	system ContactSystem
	before map[contactName]Contact
	log    map[contactName]bool // the contacts by Began and Ended alone
}

type contactName struct {
	Pair
	sensor bool
}

func (c *Contact) name() contactName { return contactName{c.Pair(), c.Sensor} }

func newContactsOf(margin float32) *contactsOf {
	g := &contactsOf{game: newGame(), system: ContactSystem{Margin: margin, RecycleDistance: -1}}
	g.forget()
	g.system.Initialize(g.World)
	return g
}

func (g *contactsOf) forget() { g.before, g.log = map[contactName]Contact{}, map[contactName]bool{} }

func keptContacts(list []Contact) []Contact {
	all := []Contact{}
	for _, c := range list {
		c.Manifolds = append([]physics.Manifold(nil), c.Manifolds...)
		all = append(all, c)
	}
	return all
}

// truth tests every two entities of the space that are alive and have their components.
func (g *contactsOf) truth() []Contact {
	space, meshes := ecs.GetResource[Space](g.World), ecs.GetResource[Meshes](g.World)
	type testedCollider struct {
		ecs.Entity
		Collider
		id     physics.ColliderID
		placed physics.Placed
		static bool
	}
	var tested []testedCollider
	for id, c := range space.physics.All() {
		e := space.owner(id)
		if e.IsZero() || !alive(g.World, e) || !g.Has(e, g.collider) || !g.Has(e, g.transform) {
			continue
		}
		own := *g.colliders.Get(e)
		shape, fault := own.shape(meshes)
		if fault == FaultNone {
			tested = append(tested, testedCollider{e, own, id, physics.Placed{Shape: shape, Transform: c.Transform}, c.Static})
		}
	}
	slices.SortFunc(tested, func(a, b testedCollider) int { return compareEntities(a.Entity, b.Entity) })
	on := func(l, none physics.Layers) physics.Layers {
		if l == 0 {
			return none
		}
		return l
	}
	list := []Contact{}
	for i, a := range tested {
		for _, b := range tested[i+1:] {
			if a.static && b.static || a.Kind == KindPlane && b.Kind == KindPlane ||
				on(a.Layer, physics.DefaultLayer)&on(b.Mask, physics.AllLayers) == 0 ||
				on(b.Layer, physics.DefaultLayer)&on(a.Mask, physics.AllLayers) == 0 {
				continue
			}
			c := Contact{A: a.Entity, B: b.Entity, UserA: a.User, UserB: b.User, Sensor: a.Sensor || b.Sensor}
			switch {
			case c.Sensor && !physics.Overlaps(a.placed, b.placed):
				continue
			case c.Sensor:
			case a.id < b.id:
				c.Manifolds = physics.Collide(nil, a.placed, b.placed, g.system.Margin)
			default:
				for _, m := range physics.Collide(nil, b.placed, a.placed, g.system.Margin) {
					c.Manifolds = append(c.Manifolds, m.Flipped())
				}
			}
			if !c.Sensor && len(c.Manifolds) == 0 {
				continue
			}
			if old, ok := g.before[c.name()]; ok {
				c.Age = old.Age + 1
			}
			list = append(list, c)
		}
	}
	return list
}

// check updates the system and compares its contacts with the truth.
func (g *contactsOf) check(t require.TestingT) *Contacts {
	g.system.Update(g.World)
	c := ecs.GetResource[Contacts](g.World)
	want := g.truth()
	began, ended, lasted := []Contact{}, []Contact{}, 0
	now := map[contactName]Contact{}
	of := map[ecs.Entity][]ecs.Entity{}
	for _, x := range want {
		now[x.name()] = x
		of[x.A], of[x.B] = append(of[x.A], x.B), append(of[x.B], x.A)
		if x.Age == 0 {
			began = append(began, x)
		} else {
			lasted++
		}
	}
	for name, x := range g.before {
		if _, ok := now[name]; !ok {
			ended = append(ended, x)
		}
	}
	slices.SortFunc(ended, func(a, b Contact) int { return a.Pair().Compare(b.Pair()) })
	require.Equal(t, want, keptContacts(c.All))
	require.Equal(t, began, keptContacts(c.Began))
	require.Equal(t, ended, keptContacts(c.Ended))
	for x := range c.Persisted() {
		require.Positive(t, x.Age)
		lasted--
	}
	require.Zero(t, lasted)
	for e, others := range of {
		found := []ecs.Entity{}
		for other, x := range c.Of(e) {
			require.Equal(t, pairOf(e, other), x.Pair())
			found = append(found, other)
		}
		require.Equal(t, others, found)
	}
	for _, x := range ended {
		for _, e := range [2]ecs.Entity{x.A, x.B} {
			if len(of[e]) == 0 {
				for range c.Of(e) {
					require.Fail(t, "nothing touches it")
				}
			}
		}
	}
	for _, x := range c.Ended { // the events, replayed
		require.True(t, g.log[x.name()])
		delete(g.log, x.name())
	}
	for _, x := range c.Began {
		require.False(t, g.log[x.name()])
		g.log[x.name()] = true
	}
	require.Len(t, g.log, len(now))
	for name := range now {
		require.True(t, g.log[name])
	}
	g.before = now
	return c
}

// After any sequence of changes each contact begins once, lasts, and ends once.
func TestContactSystemAnything(t *testing.T) { rapid.Check(t, contactSystemAnything) }

func FuzzContactSystem(f *testing.F) { f.Fuzz(rapid.MakeFuzz(contactSystemAnything)) }

func contactSystemAnything(t *rapid.T) {
	g := newContactsOf(rapid.SampledFrom([]float32{0, 0.5}).Draw(t, "margin"))
	var live []ecs.Entity
	add := func(t *rapid.T) {
		tr := drawTransform(t)
		tr.Position = tr.Position.Mul(0.5)
		live = append(live, g.add(tr, drawCollider(t)))
	}
	anyOf := func(t *rapid.T) ecs.Entity {
		if len(live) == 0 { // an action without effect, not a skipped one, on which rapid gives up
			add(t)
		}
		return rapid.SampledFrom(live).Draw(t, "entity")
	}
	alter := func(e ecs.Entity, id ecs.ID) {
		if g.Has(e, id) {
			g.Remove(e, id)
		} else {
			g.Add(e, id)
		}
	}
	collider := func(t *rapid.T, change func(c *Collider)) {
		if e := anyOf(t); g.Has(e, g.collider) {
			change(g.colliders.Get(e))
		}
	}
	remove := func(e ecs.Entity) {
		g.RemoveEntity(e)
		live = slices.DeleteFunc(live, func(o ecs.Entity) bool { return o == e })
	}
	update := func(t *rapid.T) {
		Sync(g.World)
		g.check(t)
	}
	t.Repeat(map[string]func(*rapid.T){
		"spawn": add, "spawn 2": add, "spawn 3": add,
		"despawn":             func(t *rapid.T) { remove(anyOf(t)) },
		"despawn and respawn": func(t *rapid.T) { remove(anyOf(t)); add(t) },
		"move": func(t *rapid.T) {
			if e := anyOf(t); g.Has(e, g.transform) {
				g.transforms.Get(e).Position.X += rapid.Float32Range(-1, 1).Draw(t, "x")
			}
		},
		"teleport": func(t *rapid.T) {
			if e := anyOf(t); g.Has(e, g.transform) {
				*g.transforms.Get(e) = drawTransform(t)
			}
		},
		"collider":  func(t *rapid.T) { alter(anyOf(t), g.collider) },
		"transform": func(t *rapid.T) { alter(anyOf(t), g.transform) },
		"static":    func(t *rapid.T) { alter(anyOf(t), g.static) },
		"layer": func(t *rapid.T) {
			collider(t, func(c *Collider) { c.Layer = physics.Layers(rapid.IntRange(0, 3).Draw(t, "layer")) })
		},
		"mask": func(t *rapid.T) {
			collider(t, func(c *Collider) { c.Mask = physics.Layers(rapid.IntRange(0, 3).Draw(t, "mask")) })
		},
		"sensor":  func(t *rapid.T) { collider(t, func(c *Collider) { c.Sensor = !c.Sensor }) },
		"reshape": func(t *rapid.T) { collider(t, func(c *Collider) { *c = drawCollider(t) }) },
		"mesh": func(t *rapid.T) {
			meshes, id := ecs.GetResource[Meshes](g.World), MeshID(rapid.IntRange(1, 2).Draw(t, "mesh"))
			if rapid.Bool().Draw(t, "there") {
				meshes.Set(id, quad(t))
			} else {
				meshes.Remove(id)
			}
			Sync(g.World) // else the truth is newer than the Space
		},
		"rebase": func(t *rapid.T) {
			Rebase(g.World, geom.DVec3{X: float64(rapid.IntRange(-99, 99).Draw(t, "x"))})
		},
		"reset": func(t *rapid.T) {
			if rapid.IntRange(0, 9).Draw(t, "really") == 0 {
				g.Reset()
				live = live[:0]
				g.forget()
				Sync(g.World)
			}
		},
		"sync":   func(t *rapid.T) { Sync(g.World) },
		"update": update, "update 2": update, "update 3": update,
		"update after some have gone": func(t *rapid.T) {
			Sync(g.World)
			if e := anyOf(t); rapid.Bool().Draw(t, "dead") {
				remove(e)
			} else if g.Has(e, g.collider) {
				g.Remove(e, g.collider)
			}
			g.check(t)
		},
	})
	update(t)
	update(t)
}

func TestContactSystem(t *testing.T) {
	g := newContactsOf(0)
	step := func() *Contacts {
		t.Helper()
		Sync(g.World)
		return g.check(t)
	}
	floor := g.add(Transform{}, Plane(geom.V(0, 1, 0), 0))
	g.Add(floor, g.static)
	a, b := g.add(geom.At(0, 1, 0), Sphere(1)), g.add(geom.At(1.5, 5, 0), Sphere(1))
	assert.Len(t, step().Began, 1)
	g.transforms.Get(b).Position.Y = 0.5
	assert.Len(t, step().Began, 2)
	var found []ecs.Entity
	for other := range ecs.GetResource[Contacts](g.World).Of(b) {
		found = append(found, other)
	}
	assert.Equal(t, []ecs.Entity{floor, a}, found)
	for other, c := range ecs.GetResource[Contacts](g.World).Of(b) {
		assert.Equal(t, floor, other)
		assert.InDelta(t, 0.5, c.Depth(), 1e-6)
		assert.Equal(t, b, c.Other(floor))
		break
	}
	// If the collider with the higher ID belongs to the lower entity, the manifolds are flipped.
	g.World.Remove(a, g.collider)
	assert.Len(t, step().Ended, 2)
	g.World.Add(a, g.collider)
	*g.colliders.Get(a) = Sphere(1)
	last := step()
	require.Len(t, last.Began, 2)
	m := last.Began[1].Manifolds[0]
	assert.Greater(t, m.Normal.X, float32(0.5), "from a to b")

	g.RemoveEntity(b)
	again := g.add(geom.At(1.5, 0.5, 0), Sphere(1))
	require.Equal(t, b.ID(), again.ID())
	last = step()
	assert.Len(t, last.Ended, 2)
	assert.Equal(t, Pair{floor, b}, last.Ended[0].Pair(), "the entity that died")
	assert.Equal(t, Pair{floor, again}, last.Began[0].Pair())
	for range last.Of(b) {
		t.Fatal("b is dead")
	}
	t.Run("colliders of others are left out", func(t *testing.T) {
		ecs.GetResource[Space](g.World).Physics().Add(physics.Collider{Shape: geom.Sphere{Radius: 9}})
		assert.Len(t, step().All, 3)
	})
	t.Run("a sensor", func(t *testing.T) {
		g.colliders.Get(again).Sensor = true
		last := step()
		assert.Len(t, last.Ended, 2)
		assert.Len(t, last.Began, 2)
		for _, c := range last.Began {
			assert.Equal(t, float32(math.Inf(-1)), c.Depth())
		}
	})
	t.Run("reset", func(t *testing.T) {
		g.Reset()
		g.forget()
		g.row(1)
		g.row(1)
		assert.Len(t, step().Began, 1)
	})
	g.system.Finalize(g.World)
}

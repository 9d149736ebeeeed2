package physecs

import (
	"reflect"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Each system adds the resources that Resource names it for.
func TestResourceNamesTheSystem(t *testing.T) {
	for name, s := range map[string]interface{ Initialize(w *ecs.World) }{
		"SyncSystem": &SyncSystem{}, "RaycastSystem": &RaycastSystem{}, "PickSystem": &PickSystem{}, "DragSystem": &DragSystem{},
		"ContactSystem": &ContactSystem{}, "PairSystem": &PairSystem{}, "CasterSystem": &CasterSystem{}, "MoverSystem": &MoverSystem{},
		"ProjectileSystem": &ProjectileSystem{}, "DynamicsSystem": &DynamicsSystem{},
	} {
		w := ecs.NewWorld()
		s.Initialize(&w)
		n := 0
		for of, by := range resourceOrigins {
			if by == name {
				n++
				assert.True(t, w.Resources().Has(ecs.ResourceTypeID(&w, of)), "%v by %s", of, name)
			}
		}
		assert.Positive(t, n, name)
	}
	w := ecs.NewWorld()
	(&DragSystem{}).Initialize(&w)
	assert.True(t, w.Resources().Has(ecs.ResourceID[Pointers](&w)), "which it reads, and another system names")
	g := newGame()
	assert.PanicsWithValue(t, "physecs: Resource: the world has no physecs.MoverHits: it is added by Initialize of a MoverSystem", func() {
		Resource[MoverHits](g.World)
	})
	type gold struct{ coins int }
	assert.PanicsWithValue(t, "physecs: Resource: the world has no physecs.gold: it is added by the game, by ecs.AddResource", func() {
		Resource[gold](g.World)
	})
	ecs.AddResource(g.World, &gold{3})
	assert.Equal(t, 3, Resource[gold](g.World).coins)
}

func TestNilWorldsPanic(t *testing.T) {
	for _, f := range []func(){
		func() { Sync(nil) },
		func() { Check(nil) },
		func() { Rebase(nil, geom.DVec3{}) },
		func() { SetTransform(nil, ecs.Entity{}, Transform{}) },
		func() { SelectIn(nil, nil, nil, SelectOptions{}) },
		func() { AncestorWith(nil, ecs.Entity{}, ecs.ID{}) },
		func() { Resource[Space](nil) },
	} {
		assert.PanicsWithValue(t, "physecs: the world is nil", f)
	}
	for _, s := range []interface {
		Initialize(w *ecs.World)
		Update(w *ecs.World)
	}{
		&SyncSystem{}, &RaycastSystem{}, &PickSystem{}, &DragSystem{}, &ContactSystem{}, &PairSystem{}, &CasterSystem{}, &MoverSystem{},
		&ProjectileSystem{}, &DynamicsSystem{}, &SeparateSystem{}, &MarqueeSystem{}, &RebaseSystem{}, &TransformSystem{}, &Simulation{},
	} {
		name := reflect.TypeOf(s).String()
		assert.PanicsWithValue(t, "physecs: the world is nil", func() { s.Initialize(nil) }, name)
		assert.PanicsWithValue(t, "physecs: the world is nil", func() { s.Update(nil) }, name)
	}
	g := newGame()
	Sync(g.World)
	assert.PanicsWithValue(t, "physecs: SelectIn: the region is nil", func() { SelectIn(g.World, nil, nil, SelectOptions{}) })
}

// The ground, without a component of its own, is background, and a button takes no part.
func TestChooseAncestor(t *testing.T) {
	g := newGame()
	tank := g.add(geom.At(1, 0, 0), Sphere(1))
	g.Add(tank, g.team)
	turret := g.adopt(g.add(Transform{}, Sphere(1)), tank, LocalTransform{})
	ground := g.add(Transform{}, Plane(geom.V(0, 1, 0), 0))
	button, dead := g.NewEntity(), g.add(Transform{}, Sphere(1))
	g.RemoveEntity(dead)
	Sync(g.World)
	choose := ChooseAncestor(g.team)
	for _, c := range []struct {
		met, chosen ecs.Entity
		ok          bool
	}{{tank, tank, true}, {turret, tank, true}, {ground, ecs.Entity{}, true}, {button, ecs.Entity{}, false}, {dead, ecs.Entity{}, false}} {
		chosen, ok := choose(g.World, c.met)
		assert.Equal(t, c.chosen, chosen)
		assert.Equal(t, c.ok, ok)
	}
}

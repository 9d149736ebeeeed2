package physecs

import (
	"fmt"
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// After any sequence of changes each entity with a Body is a body or has a fault, and each collider
// is part of the right one.
func TestBodiesAnything(t *testing.T) { rapid.Check(t, bodiesAnything) }

func bodiesAnything(t *rapid.T) {
	p := newFloorWorld()
	p.system.Interpolate = false
	var live []ecs.Entity
	anyOf := func(t *rapid.T) ecs.Entity {
		if len(live) == 0 {
			live = append(live, p.crate(drawTransform(t), Body{}))
		}
		return rapid.SampledFrom(live).Draw(t, "entity")
	}
	alter := func(t *rapid.T, id ecs.ID) {
		if e := anyOf(t); p.Has(e, id) {
			p.Remove(e, id)
		} else {
			p.Add(e, id)
		}
	}
	update := func(t *rapid.T) {
		p.run(rapid.IntRange(1, 3).Draw(t, "ticks"))
		p.check(t)
	}
	actions := map[string]func(*rapid.T){
		"crate": func(t *rapid.T) { live = append(live, p.crate(drawTransform(t), drawBody(t))) },
		"thing": func(t *rapid.T) { live = append(live, p.add(drawTransform(t), drawCollider(t))) },
		"remove": func(t *rapid.T) {
			e := anyOf(t)
			p.RemoveEntity(e)
			for i := range live {
				if live[i] == e {
					live = append(live[:i], live[i+1:]...)
					break
				}
			}
		},
		"adopt": func(t *rapid.T) {
			parent := rapid.SampledFrom(append([]ecs.Entity{{}}, live...)).Draw(t, "parent")
			p.adopt(anyOf(t), parent, LocalTransform(drawTransform(t)))
		},
		"local": func(t *rapid.T) {
			if e := anyOf(t); p.Has(e, p.local) {
				*p.locals.Get(e) = LocalTransform(drawTransform(t))
			}
		},
		"move": func(t *rapid.T) {
			if e := anyOf(t); p.Has(e, p.transform) {
				*p.transforms.Get(e) = drawTransform(t)
			}
		},
		"reshape": func(t *rapid.T) {
			if e := anyOf(t); p.Has(e, p.collider) {
				*p.colliders.Get(e) = drawCollider(t)
			}
		},
		"weigh": func(t *rapid.T) {
			if e := anyOf(t); p.Has(e, p.body) {
				*p.bodies.Get(e) = drawBody(t)
			}
		},
		"push": func(t *rapid.T) { p.dynamics().ApplyImpulse(anyOf(t), geom.V(100, 0, 50)) },
		"rebase": func(t *rapid.T) {
			Rebase(p.World, geom.DVec3{X: rapid.Float64Range(-9, 9).Draw(t, "x")})
		},
		"reset": func(t *rapid.T) {
			if rapid.IntRange(0, 9).Draw(t, "really") == 0 {
				p.Reset()
				p.system.Initialize(p.World)
				live = live[:0]
			}
		},
		"sync": func(t *rapid.T) { Sync(p.World) },
		"tick": update, "tick again": update,
	}
	for name, id := range map[string]ecs.ID{
		"body": p.body, "velocity": p.velocity, "material": p.material, "collider": p.collider, "transform": p.transform,
		"parent": p.parent, "static": p.static, "team": p.team,
	} {
		actions[fmt.Sprintf("alter %s", name)] = func(t *rapid.T) { alter(t, id) }
	}
	t.Repeat(actions)
	update(t)
}

func drawBody(t *rapid.T) Body {
	return []Body{
		{}, {}, {Mass: 3}, {Density: -1}, {Kind: rigid.Kinematic}, {Kind: rigid.Kinematic, Driven: true}, {Weightless: true},
		{LinearDamping: float32(math.NaN())}, {Locked: rigid.Planar, NoSleep: true},
	}[rapid.IntRange(0, 8).Draw(t, "body")]
}

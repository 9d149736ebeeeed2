package physecs

import (
	"maps"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// Entities come, go, move and change their parents and Pickables, between updates and by handlers;
// the mouse and two fingers do anything. No event is about a dead entity, entering and leaving are
// balanced, and handlers are called for the events of the list, from the target upward.
func TestPointersInAWorld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newTable()
		handlers, touches := ecs.GetResource[Handlers](g.World), ecs.GetResource[Touches](g.World)
		type call struct {
			kind            picking.EventKind
			target, current ecs.Entity
			pointer         picking.PointerID
		}
		var calls []call
		var victim ecs.Entity
		for _, k := range []picking.EventKind{picking.Enter, picking.Leave, picking.Over, picking.Click, picking.Drop, picking.Up} {
			handlers.OnComponent(g.collider, k, func(w *ecs.World, e *Event) {
				require.True(t, w.Alive(e.Target))
				require.True(t, w.Alive(e.Current))
				calls = append(calls, call{e.Kind, e.Target, e.Current, e.Pointer})
				if w.Alive(victim) {
					w.RemoveEntity(victim)
				}
			})
		}
		entered := map[picking.PointerID]map[ecs.Entity]bool{0: {}, 1: {}, 2: {}}
		living := func() (all []ecs.Entity) {
			for _, e := range g.e {
				if g.Alive(e) {
					all = append(all, e)
				}
			}
			return all
		}
		number := rapid.Float32Range(-7, 4)
		for range rapid.IntRange(1, 40).Draw(t, "frames") {
			all := living()
			if len(all) > 0 {
				e := rapid.SampledFrom(all).Draw(t, "entity")
				switch rapid.IntRange(0, 6).Draw(t, "do") {
				case 0:
					g.RemoveEntity(e)
				case 1:
					*g.transforms.Get(e) = geom.At(number.Draw(t, "x"), 0, number.Draw(t, "z"))
				case 2:
					g.take(e, Pickable{Mode: PickMode(rapid.IntRange(0, 3).Draw(t, "mode"))})
				case 3, 4:
					if !g.Has(e, g.parent) {
						g.Add(e, g.parent)
					}
					// Also dead ones.
					g.parents.Get(e).Entity = rapid.SampledFrom(g.e).Draw(t, "parent")
				}
			}
			if len(g.e) < 12 && rapid.Bool().Draw(t, "new") {
				g.e = append(g.e, g.add(geom.At(number.Draw(t, "x"), 0, number.Draw(t, "z")), Sphere(1)))
			}
			victim = ecs.Entity{}
			if rapid.IntRange(0, 5).Draw(t, "murder") == 0 {
				victim = rapid.SampledFrom(g.e).Draw(t, "victim")
			}
			touches.List = touches.List[:0]
			for id := range picking.PointerID(3) {
				x, y, _, _ := g.view.Project(geom.V(number.Draw(t, "at"), 0, 0))
				in := picking.Input{X: x, Y: y, Inside: true, Down: picking.Buttons(rapid.IntRange(0, 1).Draw(t, "down"))}
				if id == picking.Mouse {
					g.pointer.Input = in
				} else if rapid.IntRange(0, 3).Draw(t, "there") > 0 {
					touches.List = append(touches.List, Touch{ID: id, Input: in})
				}
			}

			for _, set := range entered {
				maps.DeleteFunc(set, func(e ecs.Entity, _ bool) bool { return !g.Alive(e) })
			}
			before := map[ecs.Entity]bool{}
			for _, e := range living() {
				before[e] = true
			}
			calls = calls[:0]
			g.Update(g.World)

			var want []call
			dead := map[ecs.Entity]bool{}
			for _, e := range g.events.List {
				require.Equal(t, e.Background, e.Target.IsZero())
				for _, up := range e.Path {
					require.True(t, before[up], "%v of the dead", e.Kind)
				}
				switch e.Kind {
				case picking.Enter:
					require.NotContains(t, entered[e.Pointer], e.Target)
					entered[e.Pointer][e.Target] = true
				case picking.Leave:
					require.Contains(t, entered[e.Pointer], e.Target)
					delete(entered[e.Pointer], e.Target)
				}
				switch e.Kind {
				case picking.Enter, picking.Leave, picking.Over, picking.Click, picking.Drop, picking.Up:
					for _, up := range e.Path {
						if dead[e.Target] || dead[up] {
							continue
						}
						want = append(want, call{e.Kind, e.Target, up, e.Pointer})
						dead[victim] = true
					}
				}
			}
			require.Equal(t, want, append([]call(nil), calls...))
			for id, set := range entered {
				if dead[victim] && before[victim] {
					delete(set, victim) // its parent is unknown by now
					continue
				}
				now := map[ecs.Entity]bool{}
				if one, ok := ecs.GetResource[Pointers](g.World).Pointer(id); ok {
					for _, p := range one.Hovered() {
						for e, ok := p.Target, true; ok && before[e] && !now[e]; e, ok = g.space().parent(e) {
							now[e] = true
						}
					}
				}
				require.Equal(t, now, set)
			}
			require.True(t, !g.hover.OK || g.Alive(g.hover.Entity))
			for _, e := range g.selection.List() {
				require.True(t, g.Alive(e))
			}
		}
	})
}

package physecs

import (
	"fmt"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/picking"
)

// logged is a table with a log that handlers write.
type logged struct {
	*table
	*Handlers
	diary []string
}

func newLogged() *logged {
	g := &logged{table: newTable()}
	g.Handlers = ecs.GetResource[Handlers](g.World)
	return g
}

// note returns a handler that writes its name and the event to the log.
func (g *logged) note(who string) Handler {
	return func(w *ecs.World, e *Event) { g.diary = append(g.diary, fmt.Sprint(who, " ", e.Kind)) }
}

// read returns what was written since the last call.
func (g *logged) read() []string {
	d := g.diary
	g.diary = nil
	return d
}

func TestHandlers(t *testing.T) {
	g := newLogged()
	// Sphere 1 is a child of sphere 0, whose parent has no components.
	root := g.NewEntity(g.team)
	g.adopt(g.e[1], g.e[0], LocalTransform{Position: g.transforms.Get(g.e[1]).Position.Sub(g.transforms.Get(g.e[0]).Position)})
	g.Add(g.e[0], g.parent)
	g.parents.Get(g.e[0]).Entity = root
	g.Add(g.e[1], g.team)
	g.OnComponent(g.team, picking.Click, g.note("team"))
	g.OnComponent(g.transform, picking.Click, g.note("transform")) // the component of ID 0
	g.On(g.e[1], picking.Click, g.note("child"))
	g.On(g.e[1], picking.Click, g.note("child again"))
	g.On(g.e[0], picking.Click, g.note("parent"))
	g.On(g.e[0], picking.Enter, g.note("parent"))
	g.On(root, picking.Click, g.note("root"))
	g.On(root, picking.Enter, g.note("root"))
	g.OnBackground(picking.Click, g.note("background"))

	g.click(1)
	assert.Equal(t, []string{
		"root Enter", "parent Enter",
		"child Click", "child again Click", "team Click", "transform Click", "parent Click", "transform Click", "root Click", "team Click",
	}, g.read())
	g.clickNothing()
	assert.Equal(t, []string{"background Click"}, g.read())

	stop := g.On(g.e[0], picking.Click, func(w *ecs.World, e *Event) {
		assert.Equal(t, g.e[0], e.Current)
		assert.Equal(t, g.e[1], e.Target)
		e.Stop()
	})
	g.click(1)
	assert.Equal(t, []string{
		"root Enter", "parent Enter",
		"child Click", "child again Click", "team Click", "transform Click", "parent Click", "transform Click",
	}, g.read(), "no further than the parent, whose others are logged still")
	for e := range g.events.Of(root) {
		assert.NotEqual(t, picking.Click, e.Kind, "stopped")
	}
	kinds := ""
	for e := range g.events.Of(g.e[0]) {
		kinds += e.Kind.String() + " "
	}
	assert.Equal(t, "Up Click ", kinds)
	require.True(t, g.Handlers.Remove(stop))
	require.False(t, g.Handlers.Remove(stop))
	// The first of several is removed from each list, and the others stay.
	var lists Handlers
	for _, on := range []func(Handler) HandlerID{
		func(h Handler) HandlerID { return lists.On(g.e[0], picking.Click, h) },
		func(h Handler) HandlerID { return lists.OnComponent(g.parent, picking.Click, h) },
		func(h Handler) HandlerID { return lists.OnBackground(picking.Click, h) },
	} {
		one, other := on(g.note("one")), on(g.note("other"))
		require.True(t, lists.Remove(one))
		require.False(t, lists.Remove(one))
		require.True(t, lists.Remove(other))
	}
	g.Handlers.RemoveAll(g.e[1])
	g.click(1)
	assert.Equal(t, []string{"team Click", "transform Click", "parent Click", "transform Click", "root Click", "team Click"}, g.read())
	for name, call := range map[string]func(){
		"On":           func() { g.On(g.e[0], picking.Click, nil) },
		"OnComponent":  func() { g.OnComponent(g.team, picking.Click, nil) },
		"OnBackground": func() { g.OnBackground(picking.Click, nil) },
	} {
		assert.PanicsWithValue(t, "physecs: Handlers."+name+": nil handler", call)
	}
}

// Handlers may change the world in any way.
func TestHandlersChangeTheWorld(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(g *logged)
		want []string // of a click on sphere 1, a child of sphere 0
	}{
		{"it removes itself at its Up: the Click is dropped", func(g *logged) {
			g.On(g.e[1], picking.Up, func(w *ecs.World, e *Event) { w.RemoveEntity(e.Target) })
		}, []string{"child Up"}},
		{"it removes itself at its Click", func(g *logged) {
			g.On(g.e[1], picking.Click, func(w *ecs.World, e *Event) { w.RemoveEntity(e.Target) })
		}, []string{"child Up", "parent Up", "child Click"}},
		{"it removes its parent", func(g *logged) {
			g.On(g.e[1], picking.Click, func(w *ecs.World, e *Event) { w.RemoveEntity(g.e[0]) })
		}, []string{"child Up", "parent Up", "child Click"}},
		{"its parent removes it: nobody else hears of it", func(g *logged) {
			g.RemoveAll(g.e[0])
			g.On(g.e[0], picking.Up, func(w *ecs.World, e *Event) { w.RemoveEntity(e.Target) })
			g.On(g.e[0], picking.Up, g.note("parent"))
		}, []string{"child Up"}},
		{"it leaves its parent: the way up is that of before", func(g *logged) {
			g.On(g.e[1], picking.Click, func(w *ecs.World, e *Event) { w.Remove(e.Target, g.parent) })
		}, []string{"child Up", "parent Up", "child Click", "parent Click"}},
		{"it removes the handlers of its parent", func(g *logged) {
			g.On(g.e[1], picking.Click, func(w *ecs.World, e *Event) { g.RemoveAll(g.e[0]) })
		}, []string{"child Up", "parent Up", "child Click"}},
		{"a handler removes itself and the next", func(g *logged) {
			var first, second HandlerID
			first = g.On(g.e[1], picking.Click, func(w *ecs.World, e *Event) {
				g.diary = append(g.diary, "first")
				g.Handlers.Remove(first)
				g.Handlers.Remove(second)
			})
			second = g.On(g.e[1], picking.Click, g.note("second"))
			g.On(g.e[1], picking.Click, g.note("third"))
		}, []string{"child Up", "parent Up", "child Click", "first", "third Click", "parent Click"}},
		{"a handler adds others: from the next update on", func(g *logged) {
			g.On(g.e[1], picking.Up, func(w *ecs.World, e *Event) {
				g.On(g.e[1], picking.Up, g.note("late"))
				g.On(g.e[1], picking.Click, g.note("late"))
				g.On(g.e[0], picking.Click, g.note("late"))
			})
		}, []string{"child Up", "parent Up", "child Click", "parent Click"}},
		{"the component is taken away", func(g *logged) {
			g.Add(g.e[1], g.ghost)
			g.On(g.e[1], picking.Click, func(w *ecs.World, e *Event) { w.Remove(e.Target, g.ghost) })
			g.OnComponent(g.ghost, picking.Click, g.note("ghost"))
		}, []string{"child Up", "parent Up", "child Click", "parent Click"}},
		{"the world is reset and filled again by the same names", func(g *logged) {
			g.On(g.e[1], picking.Up, func(w *ecs.World, e *Event) {
				w.Reset()
				for i := range g.e {
					require.Equal(t, g.e[i], g.game.add(Transform{}, Sphere(1)))
				}
			})
		}, []string{"child Up"}},
		{"everybody is removed and the names are used again", func(g *logged) {
			g.On(g.e[1], picking.Up, func(w *ecs.World, e *Event) {
				for _, x := range g.e {
					w.RemoveEntity(x)
				}
				for range g.e {
					g.game.add(Transform{}, Sphere(1))
				}
			})
		}, []string{"child Up"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newLogged()
			g.adopt(g.e[1], g.e[0], LocalTransform{Position: g.transforms.Get(g.e[1]).Position.Sub(g.transforms.Get(g.e[0]).Position)})
			for _, k := range []picking.EventKind{picking.Up, picking.Click} {
				g.On(g.e[1], k, g.note("child"))
				g.On(g.e[0], k, g.note("parent"))
			}
			tt.do(g)
			g.click(1)
			assert.Equal(t, tt.want, g.read())
			for _, e := range g.selection.List() {
				assert.True(t, g.Alive(e))
			}
			g.Update(g.World)
		})
	}
}

// Handlers of dead entities are removed, and do not come back with the ID.
func TestHandlersOfTheDead(t *testing.T) {
	g := newLogged()
	var all []ecs.Entity
	for range 100 {
		e := g.NewEntity()
		g.On(e, picking.Click, g.note("?"))
		all = append(all, e)
	}
	g.On(g.e[0], picking.Click, g.note("dead"))
	g.On(g.e[1], picking.Click, g.note("alive"))
	for _, e := range append(all, g.e[0]) {
		g.RemoveEntity(e)
	}
	again := g.game.add(Transform{Position: g.transforms.Get(g.e[1]).Position}, Sphere(1))
	assert.Equal(t, g.e[0].ID(), again.ID())
	g.transforms.Get(again).Position.X = -6
	g.click(0)
	for range 20 {
		g.click(1)
	}
	assert.Len(t, g.entities, 1)
	assert.Len(t, g.checked, 1)
	assert.NotContains(t, g.read(), "dead Click")
}

// Capture by an entity, from a handler.
func TestCapture(t *testing.T) {
	g := newLogged()
	pointers := ecs.GetResource[Pointers](g.World)
	assert.False(t, pointers.SetCapture(picking.Mouse, g.e[2]), "there is no mouse yet")
	g.On(g.e[0], picking.Down, func(_ *ecs.World, e *Event) { assert.True(t, pointers.SetCapture(e.Pointer, g.e[2])) })
	g.On(g.e[2], picking.GotCapture, g.note("2"))
	g.On(g.e[2], picking.LostCapture, g.note("2"))
	g.On(g.e[2], picking.Move, g.note("2"))
	g.over(0, picking.Left).at(-5.9, 0, picking.Left).at(-5.8, 0)
	assert.Equal(t, []string{"2 GotCapture", "2 Move", "2 Move", "2 LostCapture"}, g.read())
	g.over(0, picking.Left)
	pointers.ReleaseCapture(picking.Mouse)
	pointers.ReleaseCapture(99)
	g.over(0)
	assert.Empty(t, g.read())
	n := 0
	for range pointers.All() {
		n++
	}
	assert.Equal(t, 1, n)
}

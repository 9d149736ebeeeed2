package physecs

import (
	"slices"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// tankGame is a table of a strategy game: spheres 0 and 2 are tanks, 1 is the turret of 0, on it;
// ground is behind all, button in the upper left corner of the window, and sphere 3 is a tree.
// Tanks have the component Team, the ground has Ghost.
type tankGame struct {
	*logged
	ground, button ecs.Entity
	marquee        MarqueeSystem
}

func newTankGame() *tankGame {
	g := &tankGame{logged: newLogged()}
	g.Add(g.e[0], g.team)
	g.Add(g.e[2], g.team)
	g.adopt(g.e[1], g.e[0], LocalTransform{Position: geom.V(0, 0, 1)})
	g.ground = g.game.add(Transform{}, Plane(geom.V(0, 0, 1), -2))
	g.Add(g.ground, g.ghost)
	g.button = g.NewEntity()
	g.Raycast.Backends = []Backend{hud{{w: 20, h: 20, order: 1, e: g.button}}}
	g.marquee.Initialize(g.World)
	g.Pick.Choose, g.marquee.Choose = g.choose, g.choose
	return g
}

// choose is the Chooser of the game: any part selects its tank, the ground is background, and other
// entities do not take part.
func (g *tankGame) choose(w *ecs.World, met ecs.Entity) (ecs.Entity, bool) {
	if w.Has(met, g.ghost) {
		return ecs.Entity{}, true
	}
	return AncestorWith(w, met, g.team)
}

func (g *tankGame) selected() []int {
	places := []int{}
	for _, e := range g.selection.List() {
		places = append(places, slices.Index(g.e, e))
	}
	return places
}

// clickButton clicks the button of the HUD.
func (g *tankGame) clickButton() { g.at(-9.5, 4.5).at(-9.5, 4.5, picking.Left).at(-9.5, 4.5) }

func TestChoose(t *testing.T) {
	for _, tt := range []struct {
		name   string
		choose func(g *tankGame) Chooser
		toggle bool
		click  func(g *tankGame)
		want   []int // tank 2 was selected
	}{
		{"without: a button", func(*tankGame) Chooser { return nil }, false, (*tankGame).clickButton, []int{-1}},
		{"without: a turret", func(*tankGame) Chooser { return nil }, false, func(g *tankGame) { g.click(0) }, []int{1}},
		{"without: the ground", func(*tankGame) Chooser { return nil }, false, func(g *tankGame) { g.clickNothing() }, []int{-1}},
		{"a button leaves the selection", nil, false, (*tankGame).clickButton, []int{2}},
		{"a button, toggling", nil, true, (*tankGame).clickButton, []int{2}},
		{"a turret stands for its tank", nil, false, func(g *tankGame) { g.click(0) }, []int{0}},
		{"a turret, toggling", nil, true, func(g *tankGame) { g.click(0) }, []int{2, 0}},
		{"a turret, toggling twice", nil, true, func(g *tankGame) { g.click(0).click(0) }, []int{2}},
		{"a tank is itself", nil, false, func(g *tankGame) { g.click(0).click(2) }, []int{2}},
		{"a tree takes no part", nil, false, func(g *tankGame) { g.click(3) }, []int{2}},
		{"the ground clears", nil, false, func(g *tankGame) { g.clickNothing() }, []int{}},
		{"the ground, toggling", nil, true, func(g *tankGame) { g.clickNothing() }, []int{2}},
		{"the ground as a cover clears", nil, false, func(g *tankGame) {
			g.take(g.ground, Pickable{Mode: PickCover})
			g.clickNothing()
		}, []int{}},
		{"the sky clears", nil, false, func(g *tankGame) {
			g.RemoveEntity(g.ground)
			g.clickNothing()
		}, []int{}},
		{"glass decides for what is behind", nil, false, func(g *tankGame) {
			g.take(g.e[1], Pickable{Mode: PickThrough})
			g.transforms.Get(g.e[2]).Position = geom.V(-6, 0, -2)
			g.click(0)
		}, []int{0}},
		{"the dead cannot be selected", func(g *tankGame) Chooser {
			dead := g.NewEntity()
			g.RemoveEntity(dead)
			return func(*ecs.World, ecs.Entity) (ecs.Entity, bool) { return dead, true }
		}, false, func(g *tankGame) { g.click(0) }, []int{2}},
		{"another button does not ask", func(g *tankGame) Chooser {
			return func(*ecs.World, ecs.Entity) (ecs.Entity, bool) { panic("asked") }
		}, false, func(g *tankGame) { g.over(0, picking.Right).over(0) }, []int{2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newTankGame()
			if tt.choose != nil {
				g.Pick.Choose = tt.choose(g)
			}
			g.selection.Set(g.e[2])
			g.pointer.Toggle = tt.toggle
			tt.click(g)
			assert.Equal(t, tt.want, g.selected())
		})
	}
}

// A click on the ground has a hit for a move order, even where the ground is background.
func TestClickOnTheGroundHasAHit(t *testing.T) {
	for _, tt := range []struct {
		name   string
		ground func(g *tankGame)
		cover  bool
	}{
		{"solid", func(g *tankGame) {}, false},
		{"a cover", func(g *tankGame) { g.take(g.ground, Pickable{Mode: PickCover}) }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newTankGame()
			tt.ground(g)
			var orders []geom.Vec3
			order := func(w *ecs.World, e *Event) {
				require.True(t, e.HasHit)
				require.Equal(t, tt.cover, e.Background)
				orders = append(orders, e.Hit.Point)
				id, _ := ecs.GetResource[Space](w).Collider(g.ground)
				assert.Equal(t, id, e.Hit.Collider)
			}
			g.On(g.ground, picking.Click, order)
			g.OnBackground(picking.Click, order)
			g.selection.Set(g.e[2])
			g.at(5, 3).at(5, 3, picking.Right).at(5, 3)
			require.Len(t, orders, 1)
			assert.InDelta(t, 5, orders[0].X, 0.11)
			assert.InDelta(t, 3, orders[0].Y, 0.11)
			assert.InDelta(t, -2, orders[0].Z, 1e-4)
			assert.Equal(t, []int{2}, g.selected(), "only the left button selects")
			assert.Equal(t, tt.cover, g.hover.Cover.Cover)
			assert.Equal(t, tt.cover, !g.hover.OK)
			if tt.cover {
				assert.Equal(t, g.ground, g.hover.Cover.Target)
				g.Raycast.Update(g.World)
				g.RemoveEntity(g.ground)
				g.Pick.Update(g.World)
				assert.Zero(t, g.hover.Cover, "it has died since")
			}
		})
	}
	t.Run("a finger", func(t *testing.T) {
		g := newTankGame()
		g.take(g.ground, Pickable{Mode: PickCover})
		touches := ecs.GetResource[Touches](g.World)
		touches.List = []Touch{g.touch(1, 3, 0, 3, picking.Left)}
		g.at(5, 3)
		e := g.events.List[len(g.events.List)-1]
		assert.Equal(t, picking.Down, e.Kind)
		assert.True(t, e.Background)
		assert.InDelta(t, 3, e.Hit.Point.X, 0.11)
		assert.InDelta(t, 3, e.Hit.Point.Y, 0.11)
	})
}

// A Click that a handler stops does not select.
func TestStoppedClickDoesNotSelect(t *testing.T) {
	stop := func(_ *ecs.World, e *Event) { e.Stop() }
	for _, tt := range []struct {
		name  string
		do    func(g *tankGame)
		click func(g *tankGame)
		want  []int // tank 2 was selected
	}{
		{"not stopped", func(g *tankGame) { g.On(g.e[0], picking.Click, g.note("")) }, func(g *tankGame) { g.click(0) }, []int{0}},
		{"the target stops", func(g *tankGame) { g.On(g.e[1], picking.Click, stop) }, func(g *tankGame) { g.click(0) }, []int{2}},
		{"its tank stops", func(g *tankGame) { g.On(g.e[0], picking.Click, stop) }, func(g *tankGame) { g.click(0) }, []int{2}},
		{"the Up is stopped", func(g *tankGame) { g.On(g.e[0], picking.Up, stop) }, func(g *tankGame) { g.click(0) }, []int{0}},
		{"a button without a Chooser", func(g *tankGame) {
			g.Pick.Choose = nil
			g.On(g.button, picking.Click, stop)
		}, (*tankGame).clickButton, []int{2}},
		{"the background", func(g *tankGame) {
			g.RemoveEntity(g.ground)
			g.OnBackground(picking.Click, stop)
		}, func(g *tankGame) { g.clickNothing() }, []int{2}},
		{"toggling", func(g *tankGame) {
			g.pointer.Toggle = true
			g.On(g.e[2], picking.Click, stop)
		}, func(g *tankGame) { g.click(2) }, []int{2}},
		{"a handler selects, and stops", func(g *tankGame) {
			g.On(g.e[0], picking.Click, func(_ *ecs.World, e *Event) { g.selection.Set(g.e[0], g.e[2]); e.Stop() })
		}, func(g *tankGame) { g.click(0) }, []int{0, 2}},
		{"a handler selects: the double click that selects all of a kind", func(g *tankGame) {
			g.On(g.e[0], picking.Click, func(_ *ecs.World, e *Event) {
				assert.Equal(t, []int{0}, g.selected(), "the click has selected already")
				g.selection.Set(g.e[0], g.e[2])
			})
		}, func(g *tankGame) { g.click(0) }, []int{0, 2}},
		{"what was selected has died", func(g *tankGame) {
			g.On(g.e[0], picking.Click, func(w *ecs.World, e *Event) { w.RemoveEntity(g.e[2]); e.Stop() })
		}, func(g *tankGame) { g.click(0) }, []int{}},
		{"of two fingers one is stopped", func(g *tankGame) {
			g.pointer.Toggle = true
			g.On(g.e[2], picking.Click, stop)
		}, func(g *tankGame) {
			touches := ecs.GetResource[Touches](g.World)
			touches.List = []Touch{g.touch(1, 0, 0, 0, picking.Left), g.touch(2, 2, 0, 0, picking.Left)}
			g.at(5, 3)
			touches.List = []Touch{g.touch(1, 0, 0, 0), g.touch(2, 2, 0, 0)}
			g.at(5, 3)
		}, []int{2, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newTankGame()
			g.selection.Set(g.e[2])
			tt.do(g)
			tt.click(g)
			assert.Equal(t, tt.want, g.selected())
			for _, e := range g.selection.List() {
				assert.True(t, g.selection.Contains(e))
			}
		})
	}
}

func TestMarqueeChooses(t *testing.T) {
	for _, tt := range []struct {
		name       string
		background bool // OnBackground
		x0, y0     float32
		want       []int // what is previewed; nil: there is no marquee
	}{
		{"all, by their parts", false, -9.5, 3, []int{0, 2}},
		{"begun on the ground", true, -9.5, 3, []int{0, 2}},
		{"begun on a turret", false, -6, 0, []int{0, 2}},
		{"begun on a turret, which is for dragging", true, -6, 0, nil},
		{"begun on a button", false, -9.5, 4.5, nil},
		{"begun on a tree", false, 3, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newTankGame()
			g.marquee.OnBackground = tt.background
			frame := func(x, y float32, down ...picking.Button) {
				g.at(x, y, down...)
				g.marquee.Update(g.World)
			}
			frame(tt.x0, tt.y0)
			frame(tt.x0, tt.y0, picking.Left)
			frame(9, -3, picking.Left)
			if tt.want == nil {
				assert.Empty(t, g.marquee.Preview)
				assert.False(t, g.marquee.Marquee.Active())
				return
			}
			places := []int{}
			for _, e := range g.marquee.Preview {
				places = append(places, slices.Index(g.e, e))
			}
			assert.Equal(t, tt.want, places)
			g.marquee.Op = SelectToggle // each once, or the turret would take its tank out again
			frame(9, -3)
			assert.Equal(t, tt.want, g.selected())
		})
	}
	t.Run("without a Chooser", func(t *testing.T) {
		g := newTankGame()
		g.marquee.Choose = nil
		g.at(-9, 4)
		g.marquee.Update(g.World)
		g.at(-9, 4, picking.Left)
		g.marquee.Update(g.World)
		g.at(9, -3, picking.Left)
		g.marquee.Update(g.World)
		assert.Equal(t, append(slices.Clone(g.e), g.ground), g.marquee.Preview)
	})
}

// AncestorWith returns the first of the entity and its ancestors that has the component, even in a
// cycle of parents.
func TestAncestorWith(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGame()
		Sync(g.World)
		all := []ecs.Entity{{}}
		for range rapid.IntRange(1, 12).Draw(t, "entities") {
			e := g.NewEntity()
			if all = append(all, e); rapid.IntRange(0, 5).Draw(t, "team") == 0 {
				g.Add(e, g.team)
			}
		}
		for _, e := range all[1:] {
			if rapid.IntRange(0, 7).Draw(t, "parent") > 0 {
				g.Add(e, g.parent)
				g.parents.Get(e).Entity = rapid.SampledFrom(all).Draw(t, "of")
			}
		}
		for _, e := range all[1:] {
			if rapid.IntRange(0, 9).Draw(t, "dies") == 0 {
				g.RemoveEntity(e)
			}
		}
		for _, e := range all {
			var want ecs.Entity
			seen := map[ecs.Entity]bool{}
			for at := e; !seen[at] && alive(g.World, at); at = g.parents.Get(at).Entity {
				if seen[at] = true; g.Has(at, g.team) {
					want = at
					break
				}
				if !g.Has(at, g.parent) {
					break
				}
			}
			got, ok := AncestorWith(g.World, e, g.team)
			require.Equal(t, want, got)
			require.Equal(t, !want.IsZero(), ok)
		}
	})
	assert.PanicsWithValue(t, "physecs: AncestorWith: the world has no Space; initialise a system or call Sync first", func() {
		AncestorWith(newGame().World, ecs.Entity{}, ecs.ID{})
	})
}

// A handler that updates would lose the events that are still to be dispatched.
func TestUpdateFromAHandlerPanics(t *testing.T) {
	const message = "physecs: PickSystem.Update: called from a handler"
	g := newLogged()
	other := &PickSystem{}
	g.On(g.e[1], picking.Over, func(w *ecs.World, e *Event) {
		assert.PanicsWithValue(t, message, func() { g.Update(w) })
		assert.PanicsWithValue(t, message, func() { g.Pick.Update(w) })
		assert.PanicsWithValue(t, message, func() { other.Update(w) }, "another one of the same world")
		another := newTable()
		another.click(2)
		assert.Equal(t, another.e[2:3], another.selection.List(), "another world")
	})
	g.On(g.e[1], picking.Enter, g.note("1"))
	g.over(1)
	assert.Equal(t, []string{"1 Enter"}, g.read(), "nothing is lost")

	g.On(g.e[1], picking.Click, func(w *ecs.World, e *Event) { g.Update(w) })
	assert.PanicsWithValue(t, message, func() { g.click(1) })
	g.RemoveAll(g.e[1])
	g.click(2)
	assert.Equal(t, g.e[2:3], g.selection.List(), "after a recovery")
}

package physecs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// touch returns a finger on the i-th sphere, or beside it.
func (g *table) touch(id picking.PointerID, i int, x, y float32, down ...picking.Button) Touch {
	cx, cy, _, _ := g.view.Project(geom.V(float32(3*i-6)+x, y, 0))
	return Touch{ID: id, Input: picking.Input{X: cx, Y: cy, Inside: true, Down: picking.ButtonSet(down...)}}
}

// says returns events as text.
func (g *table) says() string {
	var all []string
	for _, e := range g.events.List {
		s := e.Kind.String()
		for i := range g.e {
			if e.Target == g.e[i] {
				s += fmt.Sprint(" ", i)
			}
		}
		if e.Pointer != picking.Mouse {
			s += fmt.Sprint(" by ", e.Pointer)
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

func TestTouches(t *testing.T) {
	g := newTable()
	touches := ecs.GetResource[Touches](g.World)
	frame := func(list ...Touch) string {
		touches.List = append(touches.List[:0], list...)
		g.at(0, 4)
		return g.says()
	}
	assert.Equal(t, "Over 3 by 9, Enter 3 by 9, Down 3 by 9, Over 1 by 2, Enter 1 by 2, Down 1 by 2",
		frame(g.touch(9, 3, 0, 0, picking.Left), g.touch(2, 1, 0, 0, picking.Left)))
	assert.Equal(t, g.e[3], touches.List[0].Hover.Entity)
	assert.Equal(t, g.e[1], touches.List[1].Hover.Entity)
	assert.False(t, g.hover.OK)
	assert.Equal(t, "Up 1 by 2, Click 1 by 2", frame(g.touch(2, 1, 0, 0), g.touch(9, 3, 0, 0, picking.Left)))
	assert.Equal(t, []ecs.Entity{g.e[1]}, g.selection.List())
	assert.Equal(t, "Out 1 by 2, Leave 1 by 2", frame(g.touch(9, 3, 0, 0, picking.Left)))
	g.RemoveEntity(g.e[3])
	assert.Equal(t, "", frame(g.touch(9, 3, 0, 0, picking.Left)))
	assert.Equal(t, "Over 2 by 9, Enter 2 by 9, Move 2 by 9", frame(g.touch(9, 2, 0, 0, picking.Left)))
	assert.Equal(t, "Out 2 by 9, Leave 2 by 9", frame())

	// A finger needs a margin.
	g.Raycast.TouchMargin = 8
	assert.Equal(t, "Over 0 by 3, Enter 0 by 3, Down 0 by 3", frame(g.touch(3, 0, 0, 1.5, picking.Left)))
	g.Raycast.TouchMargin, g.Raycast.Margin = 0, 8
	frame()
	assert.Equal(t, "Over 0 by 3, Enter 0 by 3, Down 0 by 3", frame(g.touch(3, 0, 0, 1.5, picking.Left)))
	assert.NotEqual(t, g.view.RayAt(1, 1), touches.List[0].Hover.Ray)
	g.Raycast.TouchMargin = -1
	assert.Equal(t, "Out 0 by 3, Leave 0 by 3", frame(g.touch(3, 0, 0, 1.5, picking.Left)))
}

// World.Reset in a drag of the mouse, and of touches.
func TestPointersSurviveReset(t *testing.T) {
	g := newTable()
	ecs.GetResource[Touches](g.World).List = []Touch{g.touch(4, 1, 0, 0, picking.Left)}
	g.over(0, picking.Left).at(-5, 0, picking.Left)
	ecs.GetResource[Handlers](g.World).On(g.e[0], picking.Over, func(*ecs.World, *Event) { t.Error("of another life") })
	require.Contains(t, g.kinds(), "DragStart")
	view := *g.view
	g.Reset()
	for i := range 4 {
		require.Equal(t, g.e[i], g.add(geom.At(float32(3*i-6), 0, 0), Sphere(1)))
	}
	g.Update(g.World)
	g.lookUp()
	assert.Empty(t, g.events.List)
	*g.view = view
	g.over(0, picking.Left)
	assert.Equal(t, []string{"Over", "Down"}, g.kinds())
	g.over(0)
	assert.Equal(t, []string{"Up", "Click"}, g.kinds())
}

func TestInitializeForgetsPresses(t *testing.T) {
	g := newTable().over(0, picking.Left)
	g.Initialize(g.World)
	g.over(0)
	assert.Equal(t, []string{"Over"}, g.kinds())
}

// An entity dies in a drag and another one gets its ID: it is not dragged.
func TestRecycledIDInADrag(t *testing.T) {
	g := newTable()
	g.over(0, picking.Left).at(-5, 0, picking.Left)
	require.Contains(t, g.kinds(), "DragStart")
	g.RemoveEntity(g.e[0])
	again := g.add(geom.At(-6, 0, 0), Sphere(1))
	require.Equal(t, g.e[0].ID(), again.ID())
	g.over(0, picking.Left)
	assert.Equal(t, []string{"LostCapture", "Over"}, g.kinds())
	assert.True(t, g.events.List[0].Background)
	g.over(0)
	assert.Empty(t, g.kinds())
	assert.Empty(t, g.selection.List())
}

// A game on a touch screen may not set the mouse, not even its time.
func TestRecordTakesTheTimeOfTouches(t *testing.T) {
	var tape strings.Builder
	g := newTable()
	ecs.GetResource[Touches](g.World).List = []Touch{{ID: 1, Input: picking.Input{Time: 2 * time.Second}}, {ID: 2, Input: picking.Input{Time: time.Second}}}
	require.NoError(t, Record(g.World, picking.NewRecorder(&tape)))
	assert.Contains(t, tape.String(), "\n2 | ")
}

// A recorded session makes the same events in an equal game.
func TestRecordAndPlay(t *testing.T) {
	var tape strings.Builder
	first, second := newTable(), newTable()
	recorder := picking.NewRecorder(&tape)
	touches := ecs.GetResource[Touches](first.World)
	said := []string{}
	for i, frame := range []func(g *table){
		func(g *table) { g.Pick.ClickDistance = 4 },
		func(g *table) { touches.List = append(touches.List, g.touch(3, 2, 0, 0, picking.Left)) },
		func(g *table) { g.pointer.Down = picking.ButtonSet(picking.Left) },
		func(g *table) { g.pointer.X += 30; g.pointer.Mods = picking.ModControl; g.pointer.Toggle = true },
		func(g *table) { g.pointer.Captured = true },
		func(g *table) { g.pointer.Captured = false; g.pointer.ScrollY = 1 },
		func(g *table) { g.pointer.Down = 0; touches.List = touches.List[:0] },
		func(g *table) { g.pointer.Pressed = picking.ButtonSet(picking.Left) },
		func(g *table) {
			g.view.Viewport = g.view.Resized(picking.Size{Width: 400, Height: 200}, g.view.Framebuffer)
		},
	} {
		p := first.pointer
		if i == 0 {
			p.X, p.Y, p.Inside = 40, 50, true // on sphere 0
		}
		p.Time += 16 * time.Millisecond
		frame(first)
		require.NoError(t, Record(first.World, recorder))
		first.Update(first.World)
		said = append(said, first.says())
	}
	text := tape.String()
	require.Contains(t, text, "mouse 40 50 in down=left | 3 100 50 in down=left\n")
	require.Contains(t, text, "| size 400x200 200x100 |")
	frames, err := picking.ReadFrames("tape", strings.NewReader(text))
	require.NoError(t, err)
	played := []string{}
	for i := range frames {
		Play(second.World, &frames[i])
		second.Update(second.World)
		played = append(played, second.says())
	}
	assert.Equal(t, said, played)
	assert.Equal(t, first.selection.List(), second.selection.List())
	all := strings.Join(said, ", ")
	for _, k := range []string{"Click 1", "DragStart 0", "Drop 1", "Scroll", "Cancel 2 by 3"} {
		assert.Contains(t, all, k)
	}
	Play(second.World, &picking.Frame{Time: time.Second})
	assert.Equal(t, Pointer{Input: picking.Input{Time: time.Second}}, *second.pointer)
}

package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// table is a game with a camera at (0, 0, 10) that looks along −Z at four spheres in a row from
// left to right.
type table struct {
	*game
	Simulation
	view      *View
	pointer   *Pointer
	hover     *Hover
	selection *Selection
	events    *Events
	e         []ecs.Entity
}

func newTable() *table {
	g := &table{game: newGame()}
	g.Initialize(g.World)
	g.lookUp()
	g.view.Position = geom.V(0, 0, 10)
	g.view.Projection = picking.Orthographic(10, 0.1, 100)
	g.view.Viewport = picking.FullViewport(picking.Size{Width: 200, Height: 100}, picking.Size{Width: 200, Height: 100})
	for i := range 4 {
		g.e = append(g.e, g.add(geom.At(float32(3*i-6), 0, 0), Sphere(1)))
	}
	return g
}

func (g *table) lookUp() {
	g.view = ecs.GetResource[View](g.World)
	g.pointer = ecs.GetResource[Pointer](g.World)
	g.hover = ecs.GetResource[Hover](g.World)
	g.selection = ecs.GetResource[Selection](g.World)
	g.events = ecs.GetResource[Events](g.World)
}

// at moves the pointer to a point of the plane Z = 0 with some buttons down, and runs a frame.
func (g *table) at(x, y float32, down ...picking.Button) *table {
	cx, cy, _, _ := g.view.Project(geom.V(x, y, 0))
	g.pointer.Input = picking.Input{X: cx, Y: cy, Inside: true, Down: picking.ButtonSet(down...)}
	g.Update(g.World)
	return g
}

// over moves the pointer to the i-th sphere.
func (g *table) over(i int, down ...picking.Button) *table { return g.at(float32(3*i-6), 0, down...) }

func (g *table) click(i int) *table { return g.over(i).over(i, picking.Left).over(i) }

func (g *table) clickNothing() *table { return g.at(0, 4).at(0, 4, picking.Left).at(0, 4) }

// kinds returns the events, without Enter and Leave, which come with Over and Out, and without
// Move.
func (g *table) kinds() []string {
	var all []string
	for _, e := range g.events.List {
		if e.Kind == picking.Enter || e.Kind == picking.Leave || e.Kind == picking.Move {
			continue
		}
		all = append(all, e.Kind.String())
	}
	return all
}

func TestHover(t *testing.T) {
	g := newTable()
	for i := range 4 {
		g.over(i)
		require.True(t, g.hover.OK)
		assert.Equal(t, g.e[i], g.hover.Entity)
		assert.True(t, g.hover.HasRay)
		assert.InDelta(t, 9-0.1, g.hover.T, 0.01, "from the near plane")
		assert.InDelta(t, 1, g.hover.Normal.Z, 0.01)
		assert.InDelta(t, -1, g.hover.Ray.Dir.Z, 1e-6)
		assert.Positive(t, g.hover.Elapsed)
	}
	g.at(0, 4)
	assert.False(t, g.hover.OK)
	assert.Zero(t, g.hover.Hit)
	assert.True(t, g.hover.HasRay)

	for name, hide := range map[string]func(g *table){
		"outside the window":   func(g *table) { g.pointer.Inside = false },
		"outside the viewport": func(g *table) { g.pointer.X = 500 },
		"captured":             func(g *table) { g.pointer.Captured = true },
		"no projection":        func(g *table) { g.view.Projection = picking.Projection{} },
		"minimised":            func(g *table) { g.view.Viewport = picking.Viewport{} },
	} {
		t.Run(name, func(t *testing.T) {
			g := newTable().over(1)
			require.True(t, g.hover.OK)
			hide(g)
			g.Update(g.World)
			assert.Equal(t, Hover{}, *g.hover)
			assert.Equal(t, []string{"Out"}, g.kinds())
		})
	}
}

// Hover is found again each frame, even for a resting pointer.
func TestHoverFollowsTheWorld(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(g *table)
		want int // the sphere that is hovered then; −1: nothing
	}{
		{"nothing", func(*table) {}, 1},
		{"moved away", func(g *table) { g.transforms.Get(g.e[1]).Position.Y = 4 }, -1},
		{"another moved in front", func(g *table) { g.transforms.Get(g.e[3]).Position = geom.V(-3, 0, 3) }, 3},
		{"removed", func(g *table) { g.RemoveEntity(g.e[1]) }, -1},
		{"removed, another behind", func(g *table) {
			g.transforms.Get(g.e[3]).Position = geom.V(-3, 0, -3)
			g.RemoveEntity(g.e[1])
		}, 3},
		{"without Collider", func(g *table) { g.Remove(g.e[1], g.collider) }, -1},
		{"unpickable", func(g *table) { g.Add(g.e[1], g.unpickable) }, -1},
		{"unpickable in front", func(g *table) {
			g.Add(g.e[3], g.unpickable)
			g.transforms.Get(g.e[3]).Position = geom.V(-3, 0, 3)
		}, 1},
		{"sensor", func(g *table) { g.colliders.Get(g.e[1]).Sensor = true }, -1},
		{"camera inside a sphere", func(g *table) { *g.transforms.Get(g.e[0]), *g.colliders.Get(g.e[0]) = geom.At(0, 0, 10), Sphere(5) }, 1},
		{"camera turned", func(g *table) { g.view.Rotation = geom.QuatAxisAngle(geom.V(0, 1, 0), 3) }, -1},
		{"camera moved", func(g *table) { g.view.Position.X += 3 }, 2},
		{"filter with", func(g *table) { g.Raycast.Filter.With = ecs.All(g.team) }, -1},
		{"filter exclude", func(g *table) { g.Raycast.Filter.Exclude = []ecs.Entity{g.e[1]} }, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newTable().over(1)
			require.Equal(t, g.e[1], g.hover.Entity)
			tt.do(g)
			g.Update(g.World)
			var want ecs.Entity
			if tt.want >= 0 {
				want = g.e[tt.want]
			}
			assert.Equal(t, want, g.hover.Entity)
			assert.Equal(t, tt.want >= 0, g.hover.OK)
		})
	}
}

func TestSelectionByClicks(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(g *table)
		want []int
	}{
		{"no click", func(g *table) { g.over(0).over(1) }, nil},
		{"press only", func(g *table) { g.over(0).over(0, picking.Left) }, nil},
		{"click", func(g *table) { g.click(0) }, []int{0}},
		{"click another", func(g *table) { g.click(0).click(2) }, []int{2}},
		{"click the same again", func(g *table) { g.click(0).click(0) }, []int{0}},
		{"click nothing", func(g *table) { g.click(0).clickNothing() }, nil},
		{"right button", func(g *table) { g.over(0, picking.Right).over(0) }, nil},
		{"right button, which selects", func(g *table) {
			g.Pick.Button = picking.Right
			g.click(0)
			g.over(1, picking.Right).over(1)
		}, []int{1}},
		{"pressed on one, released on another", func(g *table) { g.click(3).over(0, picking.Left).over(1) }, []int{3}},
		{"pressed on nothing, released on one", func(g *table) { g.click(3).at(0, 4, picking.Left).over(1) }, []int{3}},
		{"dragged from nothing to nothing", func(g *table) { g.click(3).at(0, 4, picking.Left).at(4, 4) }, []int{3}},
		{"dragged within one", func(g *table) { g.over(0, picking.Left).at(-6, 0.9) }, nil},
		{"dragged within one, which counts", func(g *table) {
			g.Pick.ClickDistance = 50
			g.over(0, picking.Left).at(-6, 0.9)
		}, []int{0}},
		{"toggled in and out", func(g *table) {
			g.click(2)
			g.pointer.Toggle = true
			g.click(1).click(0).click(1)
		}, []int{2, 0}},
		{"toggled, click nothing", func(g *table) {
			g.pointer.Toggle = true
			g.click(1).clickNothing()
		}, []int{1}},
		{"click on the HUD", func(g *table) {
			g.click(1)
			g.pointer.Captured = true
			g.click(0).clickNothing()
		}, []int{1}},
		{"pressed on the HUD, released in the world", func(g *table) {
			g.click(1)
			g.pointer.Captured = true
			g.at(0, 4, picking.Left)
			g.pointer.Captured = false
			g.at(0, 4)
		}, []int{1}},
		{"pressed in the world, released on the HUD", func(g *table) {
			g.click(1).over(0, picking.Left)
			g.pointer.Captured = true
			g.over(0)
		}, []int{1}},
		{"click outside the viewport", func(g *table) {
			g.click(1)
			g.view.Viewport.Width = 150
			g.view.Projection = picking.Ortho(-10, 5, -5, 5, 0.1, 100)
			g.at(8, 0, picking.Left).at(8, 0)
		}, []int{1}},
		{"selected, then removed", func(g *table) {
			g.pointer.Toggle = true
			g.click(0).click(1).click(2).RemoveEntity(g.e[1])
			g.Update(g.World)
		}, []int{0, 2}},
		// Alive, but the pointer does not see it.
		{"selected, then without Collider", func(g *table) {
			g.click(1).Remove(g.e[1], g.collider)
			g.Update(g.World)
		}, []int{1}},
		{"removed while pressed", func(g *table) {
			g.click(1).over(0, picking.Left).RemoveEntity(g.e[0])
			g.over(0)
		}, []int{1}},
		{"selected by the game", func(g *table) {
			g.selection.Set(g.e[3], g.e[1], g.e[3])
			g.over(0)
		}, []int{3, 1}},
		{"scrolled under a press", func(g *table) { // the world moves, the pointer does not
			g.over(1, picking.Left)
			g.view.Position.X += 3
			g.Update(g.World)
			g.pointer.Down = 0
			g.Update(g.World)
		}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newTable()
			tt.do(g)
			want := []ecs.Entity{}
			for _, i := range tt.want {
				want = append(want, g.e[i])
			}
			assert.ElementsMatch(t, want, g.selection.List())
			assert.Equal(t, want, append([]ecs.Entity{}, g.selection.List()...))
		})
	}
}

func TestEvents(t *testing.T) {
	g := newTable()
	for _, step := range []struct {
		do   func()
		want []string
	}{
		{func() { g.at(0, 4) }, nil},
		{func() { g.over(1) }, []string{"Over"}},
		{func() { g.over(1) }, nil},
		{func() { g.over(1, picking.Left) }, []string{"Down"}},
		{func() { g.over(1) }, []string{"Up", "Click"}},
		{func() { g.over(2) }, []string{"Out", "Over"}},
		{func() { g.RemoveEntity(g.e[2]); g.over(2) }, nil}, // no system may touch a dead entity
		{func() { g.over(1, picking.Right) }, []string{"Over", "Down"}},
		{func() { g.RemoveEntity(g.e[1]); g.over(1) }, nil},
	} {
		step.do()
		assert.Equal(t, step.want, g.kinds())
		for _, e := range g.events.List {
			assert.Equal(t, e.Background, e.Target.IsZero())
			assert.True(t, e.Background || g.Alive(e.Target))
		}
	}
}

// An entity can die between the systems.
func TestDeathBetweenSystems(t *testing.T) {
	g := newTable().click(1)
	require.True(t, g.selection.Contains(g.e[1]))
	Sync(g.World)
	g.Raycast.Update(g.World)
	require.True(t, g.hover.OK)
	g.RemoveEntity(g.e[1])
	g.Pick.Update(g.World)
	assert.False(t, g.hover.OK)
	assert.Zero(t, g.hover.Hit)
	assert.False(t, g.selection.Contains(g.e[1]))
	assert.Empty(t, g.selection.List())
	assert.Empty(t, g.events.List)
}

func TestSystemsSurviveReset(t *testing.T) {
	for name, between := range map[string]func(g *table){
		"empty for a frame": func(g *table) { g.Update(g.World) },
		"filled at once":    func(*table) {},
	} {
		t.Run(name, func(t *testing.T) {
			g := newTable().click(1)
			g.over(1, picking.Left)
			view := *g.view
			g.Reset() // and no Initialize
			between(g)
			for i := range 4 { // the same IDs and generations again
				require.Equal(t, g.e[i], g.add(geom.At(float32(3*i-6), 0, 0), Sphere(1)))
			}
			g.Update(g.World) // adds what is missing
			g.lookUp()
			assert.Zero(t, *g.hover)
			assert.Zero(t, *g.pointer)
			assert.Empty(t, g.selection.List())
			assert.Empty(t, g.events.List)

			*g.view = view
			g.over(1)
			assert.Equal(t, []string{"Over"}, g.kinds(), "nothing is left of the hover and the press before")
			assert.Empty(t, g.selection.List())
			g.click(2)
			assert.Equal(t, []ecs.Entity{g.e[2]}, g.selection.List())
		})
	}
}

// Each system runs alone, and in a locked world once initialised.
func TestSystemsAlone(t *testing.T) {
	for name, s := range map[string]interface {
		Initialize(*ecs.World)
		Update(*ecs.World)
		Finalize(*ecs.World)
	}{
		"Simulation": &Simulation{}, "SyncSystem": &SyncSystem{}, "RaycastSystem": &RaycastSystem{}, "PickSystem": &PickSystem{},
	} {
		t.Run(name, func(t *testing.T) {
			w := ecs.NewWorld()
			w.NewEntity()
			s.Initialize(&w)
			s.Initialize(&w)
			query := queryOf(&w)
			for query.Next() {
				s.Update(&w)
			}
			w.Reset()
			s.Update(&w)
			s.Finalize(&w)
		})
	}
}

// Resources that the game has added before are used.
func TestInitializeKeepsResources(t *testing.T) {
	w := ecs.NewWorld()
	view, pointer, space, meshes := &View{}, &Pointer{}, NewSpace(), &Meshes{}
	ecs.AddResource(&w, view)
	ecs.AddResource(&w, pointer)
	ecs.AddResource(&w, space)
	ecs.AddResource(&w, meshes)
	(&Simulation{}).Initialize(&w)
	assert.Same(t, view, ecs.GetResource[View](&w))
	assert.Same(t, pointer, ecs.GetResource[Pointer](&w))
	assert.Same(t, space, ecs.GetResource[Space](&w))
	assert.Same(t, meshes, ecs.GetResource[Meshes](&w))
}

func TestSelection(t *testing.T) {
	w := ecs.NewWorld()
	a, b, c := w.NewEntity(), w.NewEntity(), w.NewEntity()
	var s Selection
	assert.False(t, s.Contains(a))
	assert.False(t, s.Remove(a))
	s.Clear()
	assert.True(t, s.Add(a))
	assert.False(t, s.Add(a))
	assert.True(t, s.Add(b))
	s.Toggle(c)
	assert.Equal(t, []ecs.Entity{a, b, c}, s.List())
	assert.True(t, s.Remove(b))
	assert.Equal(t, []ecs.Entity{a, c}, s.List())
	s.Toggle(a)
	s.Toggle(a)
	assert.Equal(t, []ecs.Entity{c, a}, s.List())
	assert.Equal(t, 2, s.Len())
	assert.True(t, s.Contains(a))
	assert.False(t, s.Contains(b))
	s.Set(b)
	assert.Equal(t, []ecs.Entity{b}, s.List())
	assert.False(t, s.Contains(a))
	w.RemoveEntity(b)
	s.keepAlive(&w)
	assert.Zero(t, s.Len())
	assert.False(t, s.Contains(b))
}

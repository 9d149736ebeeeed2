package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

// take gives an entity a Pickable.
func (g *game) take(e ecs.Entity, p Pickable) {
	id := ecs.ComponentID[Pickable](g.World)
	if !g.Has(e, id) {
		g.Add(e, id)
	}
	*(*Pickable)(g.World.Get(e, id)) = p
}

// stacked returns the indices of the hovered entities among some, front to back.
func stacked(picks []Pick, all []ecs.Entity) []int {
	places := []int{}
	for _, p := range picks {
		for i, e := range all {
			if e == p.Target {
				places = append(places, i)
			}
		}
	}
	return places
}

// Three spheres in a row in front of the camera, 0 nearest.
func TestPickable(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(g *table)
		want []int
	}{
		{"solid", func(g *table) { g.take(g.e[0], Pickable{}) }, []int{0}},
		{"through", func(g *table) { g.take(g.e[0], Pickable{Mode: PickThrough}) }, []int{0, 1}},
		{"through two", func(g *table) {
			g.take(g.e[0], Pickable{Mode: PickThrough})
			g.take(g.e[1], Pickable{Mode: PickThrough})
		}, []int{0, 1, 2}},
		{"through all", func(g *table) {
			for _, e := range g.e {
				g.take(e, Pickable{Mode: PickThrough})
			}
		}, []int{0, 1, 2}},
		{"cover", func(g *table) { g.take(g.e[0], Pickable{Mode: PickCover}) }, []int{}},
		{"cover behind", func(g *table) {
			g.take(g.e[0], Pickable{Mode: PickThrough})
			g.take(g.e[1], Pickable{Mode: PickCover})
		}, []int{0}},
		{"ignore", func(g *table) { g.take(g.e[0], Pickable{Mode: PickIgnore}) }, []int{1}},
		{"unpickable", func(g *table) {
			g.take(g.e[0], Pickable{Mode: PickThrough})
			g.Add(g.e[0], g.unpickable)
		}, []int{1}},
		{"a sensor", func(g *table) { g.colliders.Get(g.e[0]).Sensor = true }, []int{1}},
		{"a pickable sensor", func(g *table) {
			g.colliders.Get(g.e[0]).Sensor = true
			g.take(g.e[0], Pickable{Sensor: true})
		}, []int{0}},
		{"sensors by the filter", func(g *table) {
			g.colliders.Get(g.e[0]).Sensor = true
			g.Raycast.Filter.Sensors = true
		}, []int{0}},
		{"layer", func(g *table) {
			g.colliders.Get(g.e[0]).Layer = 2
			g.Raycast.Filter.Mask = 1
			g.colliders.Get(g.e[1]).Layer = 1
		}, []int{1}},
		{"mask", func(g *table) {
			g.colliders.Get(g.e[0]).Mask = 2
			g.Raycast.Filter.OwnLayer = 1
		}, []int{1}},
		{"predicate", func(g *table) { g.Raycast.Filter.Predicate = func(e ecs.Entity) bool { return e == g.e[2] } }, []int{2}},
		{"glass of many triangles is hovered once", func(g *table) {
			ball, err := mesh.New(mesh.Icosphere(1, 3))
			require.NoError(t, err)
			id := ecs.GetResource[Meshes](g.World).Add(ball)
			*g.colliders.Get(g.e[0]) = Mesh(id)
			g.take(g.e[0], Pickable{Mode: PickThrough})
		}, []int{0, 1}},
		{"back faces are not seen", func(g *table) {
			id := ecs.GetResource[Meshes](g.World).Add(quad(t))
			*g.colliders.Get(g.e[0]) = Mesh(id)
			g.transforms.Get(g.e[0]).Rotation = geom.QuatAxisAngle(geom.V(0, 1, 0), math.Pi)
		}, []int{1}},
		{"front faces are", func(g *table) {
			id := ecs.GetResource[Meshes](g.World).Add(quad(t))
			*g.colliders.Get(g.e[0]) = Mesh(id)
		}, []int{0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newTable()
			g.RemoveEntity(g.e[3])
			g.e = g.e[:3]
			for i, e := range g.e {
				*g.transforms.Get(e) = geom.At(0, 0, float32(-3*i))
			}
			tt.do(g)
			g.at(0, 0)
			assert.Equal(t, tt.want, stacked(g.hover.Picks, g.e))
			assert.Equal(t, len(tt.want) > 0, g.hover.OK)
			one, ok := ecs.GetResource[Pointers](g.World).Pointer(picking.Mouse)
			require.True(t, ok)
			assert.Equal(t, tt.want, stacked(one.Hovered(), g.e))
			if g.hover.OK {
				assert.Equal(t, g.hover.Picks[0].Target, g.hover.Entity)
				assert.Equal(t, g.hover.Picks[0].Hit, g.hover.Hit.Hit)
				assert.True(t, IsPickable(g.World, g.hover.Entity) || g.Raycast.Filter.Sensors)
			}
		})
	}
}

func TestIsPickable(t *testing.T) {
	g := newGame()
	Sync(g.World)
	e := g.add(Transform{}, Sphere(1))
	assert.True(t, IsPickable(g.World, e))
	g.take(e, Pickable{Mode: PickCover})
	assert.True(t, IsPickable(g.World, e))
	g.colliders.Get(e).Sensor = true
	assert.False(t, IsPickable(g.World, e))
	g.take(e, Pickable{Sensor: true})
	assert.True(t, IsPickable(g.World, e))
	g.Add(e, g.unpickable)
	assert.False(t, IsPickable(g.World, e))
	assert.False(t, IsPickable(g.World, g.NewEntity()))
	assert.Equal(t, "through", PickThrough.String())
	assert.Equal(t, "unknown", PickMode(9).String())
}

// A dragged entity lets through what it is dragged over.
func TestDraggedLetsThrough(t *testing.T) {
	g := newTable()
	g.over(0, picking.Left).at(-5, 0.5, picking.Left)
	g.transforms.Get(g.e[0]).Position = geom.V(3, 0, 3) // in front of another
	g.over(3, picking.Left)
	assert.Equal(t, []int{0, 3}, stacked(g.hover.Picks, g.e))
	assert.Equal(t, []string{"Drag", "DragEnter", "DragOver"}, g.kinds())
	assert.Equal(t, g.e[0], g.events.List[len(g.events.List)-1].Related)
	assert.True(t, ecs.GetResource[Pointers](g.World).Drags(g.e[0]))
	g.over(3)
	assert.Equal(t, []string{"Drag", "DragOver", "Up", "Drop", "DragLeave", "DragEnd", "LostCapture", "Over"}, g.kinds())
	g.over(3)
	assert.Equal(t, []int{0}, stacked(g.hover.Picks, g.e))
}

// An entity that one finger drags hides what is behind it from the other.
func TestDraggedByAnotherIsSolid(t *testing.T) {
	g := newTable()
	g.transforms.Get(g.e[1]).Position = geom.V(-6, 0, -3) // behind sphere 0
	touches := ecs.GetResource[Touches](g.World)
	frame := func(list ...Touch) string {
		touches.List = append(touches.List[:0], list...)
		g.at(0, 4)
		return g.says()
	}
	frame(g.touch(1, 0, 0, 0, picking.Left))
	assert.Equal(t, "DragStart 0 by 1, GotCapture 0 by 1, Move 0 by 1, Drag 0 by 1", frame(g.touch(1, 0, 0.5, 0, picking.Left)))
	second := g.touch(2, 0, -0.5, 0, picking.Left)
	assert.Equal(t, "Drag 0 by 1, DragEnter 1 by 1, DragOver 1 by 1, Over 0 by 2, Enter 0 by 2, Down 0 by 2",
		frame(g.touch(1, 0, 0.5, 0, picking.Left), second))
	second.Down = 0
	assert.Equal(t, "Drag 0 by 1, DragOver 1 by 1, Up 0 by 2, Click 0 by 2", frame(g.touch(1, 0, 0.5, 0, picking.Left), second))
}

// A cover that is nearer than a thin entity does not hide it from the margin.
func TestMarginPassesCovers(t *testing.T) {
	g := newTable()
	g.RemoveEntity(g.e[2])
	g.RemoveEntity(g.e[3])
	g.take(g.e[0], Pickable{Mode: PickCover})
	*g.colliders.Get(g.e[0]) = Box(geom.V(0.5, 3, 1))
	*g.colliders.Get(g.e[1]) = Box(geom.V(0.12, 3, 1))
	g.transforms.Get(g.e[0]).Position = geom.V(-1, 0, 0)
	g.transforms.Get(g.e[1]).Position = geom.V(0.5, 0, 0)
	g.Raycast.Margin = 20
	for _, tt := range []struct {
		name string
		x    float32
		want []int
	}{
		{"on the cover", -0.7, []int{}}, {"just beside it", -0.4, []int{1}}, {"on the thing", 0.5, []int{1}}, {"beyond the thing", 0.8, []int{1}},
	} {
		g.at(tt.x, 0)
		assert.Equal(t, tt.want, stacked(g.hover.Picks, g.e), tt.name)
	}
}

// The margin finds the nearest in pixels, as a ray through each of the pixels around does.
func TestMargin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &table{game: newGame()}
		g.Initialize(g.World)
		g.lookUp()
		window := picking.Size{Width: rapid.IntRange(30, 80).Draw(t, "w"), Height: 60}
		fb := picking.Size{Width: window.Width * rapid.IntRange(1, 3).Draw(t, "dense") / 2, Height: 60}
		g.view.Viewport = picking.FullViewport(window, fb)
		if rapid.Bool().Draw(t, "part") {
			g.view.Viewport.X, g.view.Viewport.Width = 5, fb.Width-9
		}
		g.view.LookAt(geom.V(0, 3, 12), geom.V(0, 0, 0), geom.V(0, 1, 0))
		g.view.Projection = rapid.SampledFrom([]picking.Projection{
			picking.Perspective(0.8, 0.1, 100), picking.Orthographic(10, 0.1, 100), picking.Perspective(0.8, 0.1, math.Inf(1)).WithReversedDepth(),
		}).Draw(t, "projection")
		number := rapid.Float32Range(-4, 4)
		for range rapid.IntRange(0, 5).Draw(t, "things") {
			at := geom.At(number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z"))
			at.Rotation = geom.QuatAxisAngle(geom.V(1, 1, number.Draw(t, "axis")), float64(number.Draw(t, "angle")))
			c := rapid.SampledFrom([]Collider{Sphere(0.05), Capsule(2, 0.02), Box(geom.V(0.3, 0.01, 0.01)), Sphere(0.5)}).Draw(t, "shape")
			e := g.add(at, c)
			g.take(e, Pickable{
				Backdrop: rapid.IntRange(0, 4).Draw(t, "backdrop") == 0,
				Mode:     rapid.SampledFrom([]PickMode{PickSolid, PickSolid, PickThrough, PickIgnore}).Draw(t, "mode"),
			})
		}
		ground := g.add(geom.At(0, -3, 0), Plane(geom.V(0, 1, 0), 0))
		g.take(ground, Pickable{Backdrop: true})
		if rapid.Bool().Draw(t, "no ground") {
			g.RemoveEntity(ground)
		}
		g.Raycast.Margin = rapid.Float64Range(0, 12).Draw(t, "margin")
		x, y := rapid.Float64Range(0, float64(window.Width)).Draw(t, "cx"), rapid.Float64Range(0, 60).Draw(t, "cy")
		g.pointer.Input = picking.Input{X: x, Y: y, Inside: true}
		g.Update(g.World)

		see := picking.PickFilter()
		f := Filter{Start: see.Start, Cull: see.Cull, Predicate: func(e ecs.Entity) bool {
			return (*Pickable)(g.World.Get(e, ecs.ComponentID[Pickable](g.World))).Mode != PickIgnore
		}}
		px, py, ok := g.view.Pixel(x, y)
		if !ok {
			require.False(t, g.hover.HasRay)
			return
		}
		want, _ := g.space().CastRay(g.view.PixelRay(px, py), f)
		isBackdrop := func(e ecs.Entity) bool {
			return e.IsZero() || (*Pickable)(g.World.Get(e, ecs.ComponentID[Pickable](g.World))).Backdrop
		}
		if isBackdrop(want.Entity) {
			best := math.Inf(1)
			stepX := float64(window.Width) / float64(fb.Width)
			for qy := range fb.Height { // lowest first, then leftmost
				for qx := range fb.Width {
					dx, dy := float64(qx-px)*stepX, float64(qy-py)
					d := float64(dx*dx) + float64(dy*dy)
					if d > g.Raycast.Margin*g.Raycast.Margin || d >= best || !g.view.Contains(qx, qy) {
						continue
					}
					if h, ok := g.space().CastRay(g.view.PixelRay(qx, qy), f); ok && !isBackdrop(h.Entity) {
						best, want = d, h
					}
				}
			}
		}
		require.Equal(t, want, g.hover.Hit)
	})
}

// hud is a Backend of rectangles, some of which are entities.
type hud []struct {
	x, y, w, h float64
	e          ecs.Entity
	order      int
}

func (h hud) Pick(_ *ecs.World, in picking.Input, dst []Pick) []Pick {
	for i, r := range h {
		if in.X >= r.x && in.Y >= r.y && in.X < r.x+r.w && in.Y < r.y+r.h {
			dst = append(dst, Pick{Target: r.e, Cover: r.e.IsZero(), Order: r.order, Depth: float64(i)})
		}
	}
	return dst
}

// A HUD in front of the world, with a button on a panel, and a map in the corner, which shows the
// world from above.
func TestBackends(t *testing.T) {
	g := newTable() // spheres at x −6, −3, 0 and 3; ten pixels a metre, 200 × 100
	button := g.NewEntity()
	panel := hud{{x: 30, y: 30, w: 20, h: 40, order: 2, e: button}, {x: 20, y: 0, w: 40, h: 100, order: 2}}
	corner := &ViewBackend{Order: 1}
	corner.View.LookAt(geom.V(0, 10, 0), geom.V(0, 0, 0), geom.V(0, 0, -1))
	corner.View.Projection = picking.Orthographic(10, 0.1, 100)
	corner.View.Viewport = picking.Viewport{X: 100, Y: 0, Width: 40, Height: 80, Window: g.view.Window, Framebuffer: g.view.Framebuffer}
	g.Raycast.Backends = []Backend{panel, corner}
	for _, tt := range []struct {
		name   string
		x, y   float64
		want   ecs.Entity
		inside bool
	}{
		{"the world", 85, 50, ecs.Entity{}, true},
		{"a sphere", 65, 50, g.e[1], true},
		{"the button, before a sphere", 40, 50, button, true},
		{"the panel, before nothing", 25, 10, ecs.Entity{}, true},
		{"the map hides the sphere behind it", 105, 50, ecs.Entity{}, true},
		{"a sphere on the map", 120, 60, g.e[2], true},
		{"above the map", 105, 15, ecs.Entity{}, true},
		{"outside", 300, 50, ecs.Entity{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g.pointer.Input = picking.Input{X: tt.x, Y: tt.y, Inside: true, Pressed: picking.ButtonSet(picking.Left)}
			g.Update(g.World)
			assert.Equal(t, tt.want, g.hover.Entity)
			var clicked []ecs.Entity
			for _, e := range g.events.List {
				if e.Kind == picking.Click {
					clicked = append(clicked, e.Target)
				}
			}
			if tt.inside {
				assert.Equal(t, []ecs.Entity{tt.want}, clicked)
			} else {
				assert.Empty(t, clicked)
			}
		})
	}

	t.Run("only a backend has it", func(t *testing.T) {
		g.view.Viewport.Width = 10
		g.view.Projection = picking.Orthographic(10, 0.1, 100)
		g.pointer.Input = picking.Input{X: 120, Y: 60, Inside: true}
		g.Update(g.World)
		assert.False(t, g.hover.HasRay)
		assert.Equal(t, g.e[2], g.hover.Entity)
		assert.Contains(t, g.kinds(), "Over")
	})
	t.Run("a copy looks for itself", func(t *testing.T) {
		other := *corner
		other.Filter.Predicate = func(e ecs.Entity) bool { return e != g.e[2] }
		g.Raycast.Backends = []Backend{&other}
		g.Update(g.World)
		assert.False(t, g.hover.OK)
	})
}

// A game may write Hover itself, or correct it, between the systems.
func TestHoverBySomebodyElse(t *testing.T) {
	g := newTable().over(1)
	pick := func(e ecs.Entity) string {
		g.Raycast.Update(g.World)
		g.hover.Entity, g.hover.OK = e, !e.IsZero()
		g.Pick.Update(g.World)
		return g.says()
	}
	assert.Equal(t, "Out 1, Leave 1, Over 3, Enter 3", pick(g.e[3]))
	assert.Equal(t, "Out 3, Leave 3", pick(ecs.Entity{}))
	*g.hover = Hover{Hit: Hit{Entity: g.e[2]}, OK: true, HasRay: true}
	g.Pick.Update(g.World)
	assert.Equal(t, "Over 2, Enter 2", g.says())
}

// If the entity in front, with PickThrough, dies between the systems, the one behind it is in
// front.
func TestGlassDiesBetweenSystems(t *testing.T) {
	g := newTable()
	g.take(g.e[0], Pickable{Mode: PickThrough})
	g.transforms.Get(g.e[1]).Position = geom.V(-6, 0, -4)
	g.over(0)
	g.Raycast.Update(g.World)
	g.RemoveEntity(g.e[0])
	g.Pick.Update(g.World)
	assert.Equal(t, g.e[1], g.hover.Entity)
	assert.InDelta(t, 12.9, g.hover.T, 0.1)
	assert.Len(t, g.hover.Picks, 1)
	assert.Equal(t, "", g.says(), "it was hovered already")
}

// A click through several entities selects the one in front.
func TestGlassIsSelected(t *testing.T) {
	g := newTable()
	g.take(g.e[0], Pickable{Mode: PickThrough})
	g.transforms.Get(g.e[1]).Position = geom.V(-6, 0, -4)
	g.click(0)
	assert.Equal(t, []string{"Up", "Up", "Click", "Click"}, g.kinds())
	assert.Equal(t, g.e[:1], g.selection.List())
	g.pointer.Toggle = true
	g.click(0)
	assert.Empty(t, g.selection.List())
}

// The hit of an event has the collider, and the child or triangle.
func TestEventsCarryTheHit(t *testing.T) {
	g := newTable()
	meshes := ecs.GetResource[Meshes](g.World)
	*g.colliders.Get(g.e[1]) = Compound(meshes.AddCompound(physics.NewCompound(
		physics.Child{Shape: geom.Sphere{Center: geom.V(0, 5, 0), Radius: 0.3}}, physics.Child{Shape: geom.Sphere{Radius: 1}})))
	*g.colliders.Get(g.e[2]) = Mesh(meshes.Add(quad(t)))
	g.colliders.Get(g.e[2]).User = 77
	for i, want := range map[int]struct{ child, triangle int32 }{0: {-1, -1}, 1: {1, -1}, 2: {-1, 0}} {
		g.at(float32(3*i-6)+0.2, -0.1)
		e := g.events.List[len(g.events.List)-1]
		require.True(t, e.HasHit)
		require.Equal(t, g.e[i], e.Target)
		assert.Equal(t, want.child, e.Hit.Child)
		assert.Equal(t, want.triangle, e.Hit.Triangle)
		assert.Equal(t, g.hover.Hit.Hit, e.Hit)
		id, _ := ecs.GetResource[Space](g.World).Collider(g.e[i])
		assert.Equal(t, id, e.Hit.Collider)
	}
}

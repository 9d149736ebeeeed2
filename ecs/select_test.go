package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

// field is a game seen from above, a metre to a unit of the window: units of radius 2 at (x, y), a
// roof over some.
type field struct {
	*game
	e       map[string]ecs.Entity
	systems Simulation
	views   ViewSystem
	marquee MarqueeSystem
	pointer *Pointer
	view    *View
}

func newField() *field {
	f := &field{game: newGame(), e: map[string]ecs.Entity{}}
	f.systems.Initialize(f.World)
	f.marquee.Initialize(f.World)
	f.pointer, f.view = ecs.GetResource[Pointer](f.World), ecs.GetResource[View](f.World)
	size := picking.Size{Width: 100, Height: 100}
	f.view.Projection = picking.Ortho(0, 100, 100, 0, 0, 50)
	f.view.Viewport = picking.FullViewport(size, size)
	put := func(name string, x, y, z float32, c Collider) ecs.Entity {
		f.e[name] = f.add(geom.At(x, y, z), c)
		return f.e[name]
	}
	put("a", 20, 20, -20, Sphere(2))
	put("b", 40, 20, -20, Sphere(2))
	put("c", 60, 20, -20, Sphere(2))
	put("under the roof", 20, 60, -20, Sphere(2))
	f.Add(put("roof", 20, 60, -5, Box(geom.V(10, 10, 1))), f.ghost)
	f.Add(put("glass", 60, 60, -5, Box(geom.V(10, 10, 1))), f.unpickable)
	put("under glass", 60, 60, -20, Sphere(2))
	trigger := Sphere(15)
	trigger.Sensor = true
	put("trigger", 50, 50, -20, trigger)
	put("ground", 0, 0, -40, Plane(geom.V(0, 0, 1), 0))
	Sync(f.World)
	return f
}

func (f *field) names(list []ecs.Entity) (names []string) {
	for _, e := range list {
		for name, other := range f.e {
			if e == other {
				names = append(names, name)
			}
		}
	}
	return names
}

func (f *field) selected() []string { return f.names(ecs.GetResource[Selection](f.World).List()) }

func TestSelectIn(t *testing.T) {
	f := newField()
	units := Filter{Without: ecs.All(f.ghost), Predicate: func(e ecs.Entity) bool { return e != f.e["ground"] }}
	for _, tt := range []struct {
		name           string
		x0, y0, x1, y1 float64
		options        SelectOptions
		want           []string
	}{
		{"touching", 20, 0, 40, 30, SelectOptions{}, []string{"a", "b", "ground"}},
		{"contained", 20, 0, 50, 30, SelectOptions{Contained: true}, []string{"b"}},
		{"filtered", 0, 0, 100, 100, SelectOptions{Filter: units}, []string{"a", "b", "c", "under the roof", "under glass"}},
		{"visible", 0, 0, 100, 100, SelectOptions{Filter: units, Visible: true}, []string{"a", "b", "c", "under glass"}},
		{"visible and contained", 30, 0, 100, 100, SelectOptions{Filter: units, Visible: true, Contained: true}, []string{"b", "c", "under glass"}},
		{"visible without a roof", 0, 0, 100, 100, SelectOptions{Filter: units, Visible: true, Blockers: Filter{Exclude: []ecs.Entity{f.e["roof"]}}},
			[]string{"a", "b", "c", "under the roof", "under glass"}},
		{"visible in wide steps", 0, 0, 100, 100, SelectOptions{Filter: units, Visible: true, Step: 40}, []string{"b"}},
		{"sensors on request", 50, 40, 55, 45, SelectOptions{Filter: Filter{Sensors: true}}, []string{"trigger", "ground"}},
		{"sensors are seen if they block", 50, 40, 55, 45, SelectOptions{Filter: Filter{Sensors: true}, Visible: true, Blockers: Filter{Sensors: true}}, []string{"trigger"}},
		{"nothing", 85, 85, 85, 85, SelectOptions{Filter: units}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r picking.Region
			r.SetRectangle(*f.view, tt.x0, tt.y0, tt.x1, tt.y1)
			assert.Equal(t, tt.want, f.names(SelectIn(f.World, nil, &r, tt.options)))
		})
	}
	t.Run("what has gone since the last sync", func(t *testing.T) {
		var r picking.Region
		r.SetRectangle(*f.view, 0, 0, 30, 30)
		f.RemoveEntity(f.e["a"])
		assert.Empty(t, SelectIn(f.World, nil, &r, SelectOptions{Filter: units, Visible: true}))
	})
	t.Run("a world without a space", func(t *testing.T) {
		w := ecs.NewWorld()
		assert.PanicsWithValue(t, "physecs: SelectIn: the world has no Space; initialise a system or call Sync first", func() {
			SelectIn(&w, nil, &picking.Region{}, SelectOptions{})
		})
	})
}

// A marquee selects and sees what the pointer does.
func TestSelectInAsPickableSays(t *testing.T) {
	for _, tt := range []struct {
		name           string
		front          Pickable
		sensor         bool
		filter         Filter
		touching, seen []string
	}{
		{"solid", Pickable{}, false, Filter{}, []string{"front", "back"}, []string{"front"}},
		{"glass is seen, and nothing behind it", Pickable{Mode: PickThrough}, false, Filter{}, []string{"front", "back"}, []string{"front"}},
		{"a cover hides and is not taken", Pickable{Mode: PickCover}, false, Filter{}, []string{"back"}, nil},
		{"what is ignored does neither", Pickable{Mode: PickIgnore}, false, Filter{}, []string{"back"}, []string{"back"}},
		{"a sensor does neither", Pickable{}, true, Filter{}, []string{"back"}, []string{"back"}},
		{"a pickable sensor does both", Pickable{Sensor: true}, true, Filter{}, []string{"front", "back"}, []string{"front"}},
		{"sensors by the filter", Pickable{}, true, Filter{Sensors: true}, []string{"front", "back"}, []string{"front"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newField()
			c := Sphere(2)
			c.Sensor = tt.sensor
			f.e["front"], f.e["back"] = f.add(geom.At(85, 20, -10), c), f.add(geom.At(85, 20, -20), Sphere(1))
			f.take(f.e["front"], tt.front)
			f.Add(f.e["ground"], f.unpickable)
			Sync(f.World)
			var r picking.Region
			r.SetRectangle(*f.view, 80, 15, 90, 25)
			assert.Equal(t, tt.touching, f.names(SelectIn(f.World, nil, &r, SelectOptions{Filter: tt.filter})))
			assert.Equal(t, tt.seen, f.names(SelectIn(f.World, nil, &r, SelectOptions{Filter: tt.filter, Blockers: tt.filter, Visible: true})))
		})
	}
}

func TestSelectionApply(t *testing.T) {
	for _, tt := range []struct {
		op   SelectOp
		want []int
	}{
		{SelectReplace, []int{2, 3}}, {SelectAdd, []int{0, 1, 2, 3}}, {SelectRemove, []int{0, 1}}, {SelectToggle, []int{0, 1, 3}},
	} {
		t.Run(tt.op.String(), func(t *testing.T) {
			w := ecs.NewWorld()
			var e []ecs.Entity
			for range 4 {
				e = append(e, w.NewEntity())
			}
			var s Selection
			s.Set(e[0], e[1], e[2])
			s.Apply(tt.op, e[2], e[3])
			var want []ecs.Entity
			for _, i := range tt.want {
				want = append(want, e[i])
				assert.True(t, s.Contains(e[i]))
			}
			assert.Equal(t, want, s.List())
			assert.Equal(t, len(want), s.Len())
		})
	}
	assert.PanicsWithValue(t, "physecs: Selection.Apply: unknown op", func() { new(Selection).Apply(9) })
	assert.Equal(t, "unknown", SelectOp(9).String())
}

// update runs a frame with the pointer at a position.
func (f *field) update(x, y float64, down ...picking.Button) {
	f.pointer.Input = picking.Input{X: x, Y: y, Inside: true, Down: picking.ButtonSet(down...)}
	f.views.Update(f.World)
	f.systems.Update(f.World)
	f.marquee.Update(f.World)
}

func TestMarqueeSystem(t *testing.T) {
	drag := func(f *field, x0, y0, x1, y1 float64) {
		f.update(x0, y0, picking.Left)
		f.update(x1, y1, picking.Left)
		f.update(x1, y1)
	}
	for _, tt := range []struct {
		name string
		do   func(f *field)
		want []string
	}{
		{"drag around two", func(f *field) { drag(f, 10, 10, 45, 30) }, []string{"a", "b"}},
		{"drag from a thing is no click on it", func(f *field) { drag(f, 20, 20, 30, 30) }, []string{"a"}},
		{"a click is no marquee", func(f *field) { drag(f, 20, 20, 21, 20) }, []string{"a"}},
		{"replaces", func(f *field) { drag(f, 10, 10, 30, 30); drag(f, 55, 10, 70, 30) }, []string{"c"}},
		{"around nothing clears", func(f *field) { drag(f, 10, 10, 30, 30); drag(f, 80, 80, 90, 90) }, nil},
		{"adds", func(f *field) { drag(f, 10, 10, 30, 30); f.marquee.Op = SelectAdd; drag(f, 10, 10, 45, 30) }, []string{"a", "b"}},
		{"removes", func(f *field) { drag(f, 10, 10, 70, 30); f.marquee.Op = SelectRemove; drag(f, 35, 10, 70, 30) }, []string{"a"}},
		{"toggles", func(f *field) { drag(f, 10, 10, 45, 30); f.pointer.Toggle = true; drag(f, 35, 10, 70, 30) }, []string{"a", "c"}},
		{"adds though Toggle is set", func(f *field) {
			drag(f, 10, 10, 45, 30)
			f.pointer.Toggle, f.marquee.Op = true, SelectAdd
			drag(f, 35, 10, 70, 30)
		}, []string{"a", "b", "c"}},
		{"lasso", func(f *field) {
			f.marquee.Marquee.Lasso = true
			// Between a and c, below b.
			for _, p := range [][2]float64{{10, 10}, {30, 10}, {30, 40}, {50, 40}, {50, 10}, {70, 10}, {70, 45}, {10, 45}} {
				f.update(p[0], p[1], picking.Left)
			}
			f.update(10, 45)
		}, []string{"a", "c"}},
		{"cancelled", func(f *field) {
			f.update(10, 10, picking.Left)
			f.update(45, 30, picking.Left)
			f.marquee.Marquee.Cancel()
			f.update(45, 30)
		}, nil},
		{"begun on the HUD", func(f *field) {
			f.pointer.Captured = true
			f.update(10, 10, picking.Left)
			f.pointer.Captured = false
			f.update(45, 30, picking.Left)
			f.update(45, 30)
		}, nil},
		{"only from the background, and it was", func(f *field) { f.marquee.OnBackground = true; drag(f, 10, 10, 30, 30) }, []string{"a"}},
		{"only from the background, and it was not", func(f *field) { f.marquee.OnBackground = true; drag(f, 20, 20, 45, 30) }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newField()
			ground := ecs.All(f.unpickable)
			f.Add(f.e["ground"], f.unpickable)
			f.marquee.Options.Filter.Without = ground
			tt.do(f)
			assert.Equal(t, tt.want, f.selected())
			f.update(1, 1)
			assert.Empty(t, f.marquee.Preview)
			assert.Equal(t, tt.want, f.selected())
		})
	}
	t.Run("preview", func(t *testing.T) {
		f := newField()
		f.Add(f.e["ground"], f.unpickable)
		f.update(10, 10, picking.Left)
		assert.Empty(t, f.marquee.Preview)
		f.update(30, 30, picking.Left)
		assert.Equal(t, []string{"a"}, f.names(f.marquee.Preview))
		f.transforms.Get(f.e["c"]).Position.X = 15 // it moves into the marquee
		f.update(30, 30, picking.Left)
		assert.Equal(t, []string{"a", "c"}, f.names(f.marquee.Preview))
		assert.Empty(t, f.selected())
		f.update(30, 30)
		assert.Equal(t, []string{"a", "c"}, f.selected())
	})
}

// split gives a field two views: the left half of the window shows it as before, squeezed, and the
// right half from 200 m to the right, where there is another unit. A map lies in the right half.
func split(f *field) *Views {
	f.e["far"] = f.add(geom.At(250, 50, -20), Sphere(20))
	f.views.Initialize(f.World)
	views := ecs.GetResource[Views](f.World)
	full := f.view.Viewport
	right := f.view.Camera
	right.Position.X = 200
	views.List = []View{
		{Camera: f.view.Camera, Viewport: full.Part(0, 0, 0.5, 1)},
		{Camera: right, Viewport: full.Part(0.5, 0, 1, 1)},
		{Camera: f.view.Camera, Viewport: full.Part(0.8, 0, 1, 0.2)},
	}
	return views
}

func TestViewSystem(t *testing.T) {
	f := newField()
	f.Add(f.e["ground"], f.unpickable)
	views := split(f)
	hover := func() string {
		h := ecs.GetResource[Hover](f.World)
		if !h.OK {
			return ""
		}
		return f.names([]ecs.Entity{h.Entity})[0]
	}
	for _, tt := range []struct {
		name string
		x, y float64
		view int
		want string
	}{
		{"left", 10, 20, 0, "a"}, {"left, beside it", 20, 40, 0, ""}, {"right", 75, 50, 1, "far"},
		{"the map over the right one", 84, 92, 2, "roof"}, {"outside", 150, 50, -1, ""}, {"left again", 30, 20, 0, "c"},
	} {
		f.update(tt.x, tt.y)
		assert.Equal(t, tt.want, hover(), tt.name)
		want := View{}
		if tt.view >= 0 {
			want = views.List[tt.view]
		}
		assert.Equal(t, want, *f.view, tt.name)
	}

	t.Run("a drag stays in its view", func(t *testing.T) {
		f.update(10, 20, picking.Left)
		f.update(75, 50, picking.Left)
		assert.Equal(t, "", hover())
		assert.Equal(t, views.List[0], *f.view)
		assert.True(t, views.Captured())
		f.update(75, 50)
		assert.NotContains(t, f.selected(), "far")
		f.update(75, 50)
		assert.Equal(t, "far", hover())
	})
	t.Run("each touch has a view of its own", func(t *testing.T) {
		touches := ecs.GetResource[Touches](f.World)
		finger := func(id picking.PointerID, x, y float64, down ...picking.Button) Touch {
			return Touch{ID: id, Input: picking.Input{X: x, Y: y, Inside: true, Down: picking.ButtonSet(down...)}}
		}
		frame := func(list ...Touch) (under []string) {
			touches.List = list
			f.update(150, 50) // the mouse is outside
			for i := range list {
				if h := &touches.List[i].Hover; h.OK {
					under = append(under, f.names([]ecs.Entity{h.Entity})...)
				} else {
					under = append(under, "")
				}
			}
			return under
		}
		assert.Equal(t, []string{"a", "far", ""}, frame(finger(1, 10, 20, picking.Left), finger(2, 75, 50, picking.Left), finger(3, 20, 40, picking.Left)))
		assert.Equal(t, []string{"", "a"}, frame(finger(1, 75, 50, picking.Left), finger(4, 10, 20)), "a drag stays in its view")
		assert.Equal(t, []string{""}, frame(finger(1, 75, 50)), "also where it ends")
		frame()
		assert.Equal(t, []string{"far"}, frame(finger(1, 75, 50, picking.Left)), "another finger of the same number")
		frame()
	})
	t.Run("a marquee sees no more than its view", func(t *testing.T) {
		f.update(5, 10, picking.Left)
		f.update(90, 30, picking.Left) // over the right view
		f.update(90, 30)
		assert.Equal(t, []string{"a", "b", "c"}, f.selected())
	})
	t.Run("pressed on the HUD, nothing is hovered", func(t *testing.T) {
		f.pointer.Captured = true
		f.update(10, 20, picking.Left)
		f.pointer.Captured = false
		f.update(10, 20, picking.Left)
		assert.Equal(t, "", hover())
		f.update(10, 20)
		f.update(10, 20)
		assert.Equal(t, "a", hover())
	})
	t.Run("without views nothing changes", func(t *testing.T) {
		f := newField()
		f.views.Initialize(f.World)
		before := *f.view
		f.update(20, 20)
		assert.Equal(t, before, *f.view)
		require.True(t, ecs.GetResource[Hover](f.World).OK)
	})
}

func BenchmarkSelectIn(b *testing.B) {
	const n = 100_000
	g := crowd(n)
	size := picking.Size{Width: 1280, Height: 720}
	view := View{Camera: picking.Camera{Projection: picking.Perspective(1, 0.1, 1000)}, Viewport: picking.FullViewport(size, size)}
	lasso := []picking.Point{}
	for i := range 200 { // a star with a hundred points
		r := 150 + 100*float64(i%2)
		a := float64(i) / 200
		d := geom.QuatAxisAngle(geom.V(0, 0, 1), a*6.2831).Rotate(geom.V(1, 0, 0))
		lasso = append(lasso, picking.Point{X: 640 + r*float64(d.X), Y: 360 + r*float64(d.Y)})
	}
	for _, bb := range []struct {
		name    string
		lasso   bool
		options SelectOptions
	}{
		{"rectangle touching", false, SelectOptions{}},
		{"rectangle contained", false, SelectOptions{Contained: true}},
		{"rectangle visible", false, SelectOptions{Visible: true}},
		{"rectangle visible step 4", false, SelectOptions{Visible: true, Step: 4}},
		{"lasso touching", true, SelectOptions{}},
		{"lasso contained", true, SelectOptions{Contained: true}},
		{"lasso visible step 4", true, SelectOptions{Visible: true, Step: 4}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			var r picking.Region
			var list []ecs.Entity
			for b.Loop() {
				if bb.lasso {
					r.SetLasso(view, lasso)
				} else {
					r.SetRectangle(view, 490, 260, 790, 460)
				}
				list = SelectIn(g.World, list[:0], &r, bb.options)
			}
			b.ReportMetric(float64(len(list)), "entities")
		})
	}
}

// What a marquee or a lasso sees in random games is what the pointer hovers at one of its pixels.
func TestSelectInAgainstHover(t *testing.T) {
	hovered, covered := 0, 0
	for seed := range uint64(80) {
		r := testenv.Rand(seed, 5)
		f := &field{game: newGame()}
		f.systems.Initialize(f.World)
		f.pointer, f.view = ecs.GetResource[Pointer](f.World), ecs.GetResource[View](f.World)
		window, size := picking.Size{Width: 40, Height: 30}, picking.Size{Width: 60, Height: 45}
		f.view.Projection = picking.Perspective(1, 0.5, 40)
		if seed%4 == 0 {
			f.view.Projection = picking.Orthographic(12, 0.5, 40)
		}
		f.view.LookAt(geom.V(1, 3, 9), geom.V(0, 0, 0), geom.V(0, 1, 0))
		f.view.Viewport = picking.FullViewport(window, size)
		m, err := mesh.New(mesh.Icosphere(1, 1))
		require.NoError(t, err)
		gem := ecs.GetResource[Meshes](f.World).Add(m)
		at := func(reach float32) geom.Vec3 {
			return geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Mul(reach)
		}
		for range 25 {
			c := []Collider{Sphere(0.5 + r.Float32()), Box(geom.V(1, 0.6, 0.4)), Mesh(gem), Capsule(0.7, 0.4)}[r.IntN(4)]
			c.Sensor = r.IntN(5) == 0
			e := f.add(geom.Transform{Position: at(12), Rotation: geom.QuatEuler(r.Float64(), r.Float64(), 0), Scale: geom.V(1, 1, 1).Mul(0.3 + r.Float32())}, c)
			switch r.IntN(6) {
			case 0:
				f.Add(e, f.unpickable)
			case 1, 2, 3:
				f.take(e, Pickable{Mode: PickMode(r.IntN(4)), Sensor: r.IntN(2) == 0})
			}
		}
		Sync(f.World)
		var region picking.Region
		if seed%3 == 0 {
			region.SetRectangle(*f.view, r.Float64()*40, r.Float64()*30, r.Float64()*40, r.Float64()*30)
		} else {
			var outline []picking.Point
			for range 3 + r.IntN(6) {
				outline = append(outline, picking.Point{X: r.Float64()*50 - 5, Y: r.Float64()*40 - 5})
			}
			region.SetLasso(*f.view, outline)
		}
		want := map[ecs.Entity]bool{}
		hover := ecs.GetResource[Hover](f.World)
		for py := range size.Height {
			for px := range size.Width {
				x, y := f.view.Cursor(px, py)
				if !region.Contains(x, y) {
					continue
				}
				f.pointer.Input = picking.Input{X: x, Y: y, Inside: true}
				f.systems.Raycast.Update(f.World)
				if hover.OK {
					want[hover.Entity] = true
				} else if hover.Cover.Cover {
					covered++
				}
			}
		}
		got := map[ecs.Entity]bool{}
		for _, e := range SelectIn(f.World, nil, &region, SelectOptions{Visible: true}) {
			require.False(t, got[e], "once")
			got[e] = true
		}
		require.Equal(t, want, got, "%d", seed)
		hovered += len(want)
	}
	require.Greater(t, hovered, 150)
	require.Greater(t, covered, 500)
}

package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// A sphere at x 102 to 104, y 50 of the window, and a cover of all that is right of 100. The
// pointer is at 97 and the margin is 8.
func TestMarginFindsNothingHidden(t *testing.T) {
	elsewhere := func(g *table) View { // sees nothing
		v := *g.view
		v.Position.Y += 100
		v.Viewport = v.Part(0.5, 0, 1, 1)
		return v
	}
	list := func(g *table, views ...View) (chooser ViewSystem) {
		chooser.Initialize(g.World)
		ecs.GetResource[Views](g.World).List = views
		return chooser
	}
	for _, tt := range []struct {
		name  string
		cover func(g *table) ViewSystem
		found bool
	}{
		{"nothing", func(g *table) (none ViewSystem) { return none }, true},
		{"a view in front", func(g *table) ViewSystem { return list(g, *g.view, elsewhere(g)) }, false},
		{"a view behind", func(g *table) ViewSystem { return list(g, elsewhere(g), *g.view) }, true},
		{"a view of a finer framebuffer", func(g *table) ViewSystem {
			v := elsewhere(g)
			v.Viewport = v.Scaled(3)
			return list(g, *g.view, v)
		}, false},
		{"a view that is a backend in front", func(g *table) (none ViewSystem) {
			g.Raycast.Backends = []Backend{&ViewBackend{View: elsewhere(g), Order: 1}}
			return none
		}, false},
		{"a view that is a backend behind", func(g *table) (none ViewSystem) {
			g.Raycast.Backends = []Backend{&ViewBackend{View: elsewhere(g), Order: -1}}
			return none
		}, true},
		{"a backend in front that shows nothing", func(g *table) (none ViewSystem) {
			v := elsewhere(g)
			v.Projection = picking.Projection{}
			g.Raycast.Backends = []Backend{&ViewBackend{View: v, Order: 1}}
			return none
		}, true},
		{"a HUD", func(g *table) (none ViewSystem) {
			g.Raycast.Backends = []Backend{hud{{x: 100, w: 100, h: 100, order: 1}}}
			return none
		}, false},
		{"a HUD behind", func(g *table) (none ViewSystem) {
			g.Raycast.Backends = []Backend{hud{{x: 100, w: 100, h: 100, order: -1}}}
			return none
		}, true},
		{"sprites nearer than the sphere", func(g *table) (none ViewSystem) {
			g.Raycast.Backends = []Backend{hud{{x: 100, w: 100, h: 100}}}
			return none
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, touch := range []bool{false, true} {
				g := newTable()
				for _, e := range g.e[1:] {
					g.RemoveEntity(e)
				}
				*g.transforms.Get(g.e[0]) = geom.At(0.3, 0, 0)
				*g.colliders.Get(g.e[0]) = Sphere(0.1)
				g.Raycast.Margin = 8
				chooser := tt.cover(g)
				chooser.Initialize(g.World)
				in := picking.Input{X: 97, Y: 50, Inside: true}
				touches := ecs.GetResource[Touches](g.World)
				if touch {
					touches.List = []Touch{{ID: 3, Input: in}}
				} else {
					g.pointer.Input = in
				}
				chooser.Update(g.World)
				g.Update(g.World)
				if found := g.hover.OK; touch {
					assert.Equal(t, tt.found, touches.List[0].Hover.OK, "touch")
					assert.False(t, found)
				} else {
					assert.Equal(t, tt.found, found, "mouse")
				}
			}
		})
	}
}

// A view that is a backend has views in front of it too.
func TestMarginOfABackendUnderAnother(t *testing.T) {
	for order, found := range map[int]bool{0: true, 2: false} {
		g := newTable()
		back := &ViewBackend{View: *g.view, Order: 1, Margin: 8}
		front := &ViewBackend{View: *g.view, Order: order}
		front.View.Position.Y += 100
		front.View.Viewport = g.view.Part(0.5, 0, 1, 1)
		g.Raycast.Backends = []Backend{back, front}
		*g.transforms.Get(g.e[2]) = geom.At(1.2, 0, 0) // from x = 102 on
		g.at(-0.3, 0)
		assert.Equal(t, found, g.hover.OK, "order %d", order)
	}
}

// recursive is a Backend that calls a view.
type recursive struct{ *ViewBackend }

func (r recursive) Pick(w *ecs.World, in picking.Input, dst []Pick) []Pick {
	return r.ViewBackend.Pick(w, in, dst)
}

// A backend may call a view with a margin, which does not call that backend again.
func TestMarginOfABackendsOwnView(t *testing.T) {
	g := newTable()
	v := &ViewBackend{View: *g.view, Order: 1, Margin: 8}
	g.Raycast.Margin = 8
	g.Raycast.Backends = []Backend{recursive{v}}
	g.at(-6, 1.5)
	assert.Equal(t, g.e[0], g.hover.Entity)
	assert.Equal(t, 1, g.hover.Picks[0].Order)
}

var steps = func() (all []float64) {
	for i := range 64 {
		all = append(all, float64(i)+0.5)
	}
	return all
}()

// The margin finds the pick at the nearest position of the pointer that is in the same view and
// shows an entity which nothing hides.
func TestMarginGoesWhereAPointerWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &table{game: newGame()}
		g.Initialize(g.World)
		var chooser ViewSystem
		chooser.Initialize(g.World)
		g.lookUp()
		window := picking.Size{Width: 32, Height: 24}
		full := picking.FullViewport(window, window)
		// Uniform: rapid draws from a range mostly near its ends.
		even := func(name string, from, to float64) float64 {
			return from + (to-from)/64*rapid.SampledFrom(steps).Draw(t, name)
		}
		for range rapid.IntRange(3, 8).Draw(t, "things") {
			g.add(geom.At(float32(even("x", -5, 5)), float32(even("y", -4, 4)), float32(even("z", -4, 4))), Sphere(0.4))
		}
		Sync(g.World)
		part := func(name string) View {
			x0, x1, y0, y1 := even("x0", 0, 1), even("x1", 0, 1), even("y0", 0, 1), even("y1", 0, 1)
			v := View{Viewport: full.Part(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))}
			if rapid.Bool().Draw(t, "fine") {
				v.Viewport = v.Scaled(2)
			}
			v.LookAt(geom.V(float32(even(name, -4, 4)), 2, 12), geom.V(0, 0, 0), geom.V(0, 1, 0))
			v.Projection = picking.Orthographic(8, 0.1, 100)
			return v
		}
		views := ecs.GetResource[Views](g.World)
		first := part("first")
		first.Viewport = full
		views.List = []View{first}
		for range rapid.IntRange(0, 2).Draw(t, "views") {
			views.List = append(views.List, part("view"))
		}
		for range rapid.IntRange(0, 1).Draw(t, "backends") {
			g.Raycast.Backends = append(g.Raycast.Backends, &ViewBackend{View: part("backend"), Order: 1})
		}
		if rapid.Bool().Draw(t, "hud") {
			g.Raycast.Backends = append(g.Raycast.Backends, hud{{x: even("x", 0, 24), y: even("y", 0, 16), w: 8, h: 8, order: 2}})
		}
		margin := even("margin", 0, 9)

		// at returns the picks at a position, the view that holds it, and whether that view shows
		// it.
		at := func(x, y, margin float64) (hit Hit, view int, ok bool) {
			g.Raycast.Margin = margin
			g.pointer.Input = picking.Input{X: x, Y: y, Inside: true}
			chooser.Update(g.World)
			g.Raycast.Update(g.World)
			view, _ = views.Current()
			return g.hover.Hit, view, g.hover.OK && g.hover.Picks[0].Order == 0
		}
		x, y := even("cx", 0, 32), even("cy", 0, 24)
		want, view, ok := at(x, y, 0)
		v := views.List[view]
		px, py, inside := v.Pixel(x, y)
		if !inside {
			return
		}
		for _, b := range g.Raycast.Backends { // which hides what is behind it there
			if len(b.Pick(g.World, g.pointer.Input, nil)) > 0 {
				return
			}
		}
		if !ok {
			best := math.Inf(1)
			stepX, stepY := float64(window.Width)/float64(v.Framebuffer.Width), float64(window.Height)/float64(v.Framebuffer.Height)
			for qy := range v.Framebuffer.Height {
				for qx := range v.Framebuffer.Width {
					dx, dy := float64(qx-px)*stepX, float64(qy-py)*stepY
					d := float64(dx*dx) + float64(dy*dy)
					if d > margin*margin || d >= best || !v.Contains(qx, qy) {
						continue
					}
					cx, cy := v.Cursor(qx, qy)
					if h, i, ok := at(cx, cy, 0); ok && i == view {
						best, want = d, h
					}
				}
			}
		}
		got, _, _ := at(x, y, margin)
		require.Equal(t, want, got)
	})
}

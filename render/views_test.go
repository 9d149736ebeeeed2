package render

import (
	"fmt"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// garden returns a world with balls and boxes in rows.
func garden() *world {
	w := newWorld()
	for i := range 25 {
		at := geom.Transform{Position: geom.V(float32(i%5)*2-4, float32(i%3)*0.4, float32(i/5)*2-4), Rotation: geom.QuatEuler(float64(i), 0.4, 0)}
		if i%2 == 0 {
			w.put(at, physecs.Sphere(0.6), Paint(0x3060C0))
		} else {
			w.put(at, physecs.Box(geom.V(0.6, 0.4, 0.5)), Paint(0xC04020))
		}
	}
	physecs.Sync(&w.World)
	return w
}

// panes returns views beside and over each other in one framebuffer: two cameras, a map, and a
// picture in picture.
func panes(full picking.Viewport) []picking.View {
	eye := func(x, z float32, v picking.Viewport) picking.View {
		return viewFrom(geom.V(x, 4, z), geom.Vec3{}, picking.Perspective(0.8, 0.1, 100), v)
	}
	above := picking.View{Viewport: full.Part(0, 0, 0.45, 0.5)}
	above.Projection = picking.Orthographic(14, 0, 100)
	// Aslant, so that no edge goes through the centres of pixels.
	above.LookAt(geom.V(0.13, 30, 0.07), geom.V(0.13, 0, 0.07), geom.V(0.1, 0, -1))
	return []picking.View{
		eye(9, 3, full.Part(0.45, 0, 1, 1)), eye(-3, 9, full.Part(0, 0.5, 0.45, 1)), above, eye(0, 12, full.Part(0.7, 0.6, 0.95, 0.9)),
	}
}

// Each view's part of the image is the same as in a window with this view alone, whatever lies
// beside or under it.
func TestDrawViews(t *testing.T) {
	r := newTestRenderer(t)
	r.Style.Samples = 0
	w := garden()
	selected := ecs.Entity{}
	for e := range physecs.Sync(&w.World).Physics().All() {
		selected, _ = physecs.Sync(&w.World).Entity(e)
		break
	}
	resource[physecs.Selection](&w.World).Set(selected)
	full := wide(300, 200)
	views := panes(full)
	require.NoError(t, r.DrawViews(&w.World, views...))
	stats := r.Stats()
	save(t, r, "views")
	all := r.Image()
	items := 0
	for i, v := range views {
		require.NoError(t, r.Draw(&w.World, v))
		items += r.Stats().Items
		alone := r.Image()
		different, pixels := 0, 0
		for py := v.Y; py < v.Y+v.Height; py++ {
			for px := v.X; px < v.X+v.Width; px++ {
				cx, cy := v.Cursor(px, py)
				if top, _ := (&picking.Views{List: views}).At(cx, cy); top != i {
					continue
				}
				pixels++
				if x, y := px, full.Framebuffer.Height-1-py; all.At(x, y) != alone.At(x, y) {
					different++
				}
			}
		}
		assert.Zero(t, different, "view %d", i)
		assert.Greater(t, pixels, 3000)
	}
	assert.Equal(t, items, stats.Items)
	require.NoError(t, r.DrawViews(&w.World), "no views")
	other := views[0]
	other.Viewport = wide(10, 10)
	assert.PanicsWithValue(t, "render: Renderer.DrawViews: the views differ in framebuffer or window", func() {
		_ = r.DrawViews(&w.World, views[0], other)
	})
}

// A System draws all views if there are several, or else the single one.
func TestSystemDrawsViews(t *testing.T) {
	r := newTestRenderer(t)
	w := garden()
	s := System{Window: hidden, Renderer: r}
	s.InitializeUI(&w.World)
	views := panes(wide(300, 200))
	*resource[physecs.View](&w.World) = views[0]
	s.UpdateUI(&w.World)
	one := r.Image().Pix
	require.NoError(t, r.Draw(&w.World, views[0]))
	assert.Equal(t, r.Image().Pix, one)

	resource[physecs.Views](&w.World).List = views
	s.UpdateUI(&w.World)
	all := r.Image().Pix
	require.NoError(t, r.DrawViews(&w.World, views...))
	assert.Equal(t, r.Image().Pix, all)
	assert.NotEqual(t, one, all)
	s.FinalizeUI(&w.World)
}

// In every view, at every content and render scale: under each pixel the ID buffer has the entity
// that a ray through it hits, and that the systems hover there.
func TestViewsSeenIsPicked(t *testing.T) {
	context(t)
	ids, err := NewIDBuffer()
	require.NoError(t, err)
	t.Cleanup(ids.Close)
	w := garden()
	var systems physecs.Simulation
	var chooser physecs.ViewSystem
	systems.Initialize(&w.World)
	chooser.Initialize(&w.World)
	window := picking.Size{Width: 150, Height: 100}
	for _, content := range []float64{1, 1.25, 1.5, 2} {
		for _, scale := range []float64{0.5, 1, 1.5} {
			section(t, fmt.Sprintf("content scale %g, render scale %g", content, scale), func(t *testing.T) {
				full := picking.FullViewport(window, picking.Size{Width: int(150 * content), Height: int(100 * content)}).Scaled(scale)
				views := resource[physecs.Views](&w.World)
				views.List = panes(full)
				for i, v := range views.List {
					require.NoError(t, ids.Draw(&w.World, v))
					seen, wrong := 0, 0
					for py := v.Y; py < v.Y+v.Height; py++ {
						for px := v.X; px < v.X+v.Width; px++ {
							cx, cy := v.Cursor(px, py)
							if top, _ := views.At(cx, cy); top != i {
								continue
							}
							pointer := resource[physecs.Pointer](&w.World)
							pointer.Input = picking.Input{X: cx, Y: cy, Inside: true}
							chooser.Update(&w.World)
							systems.Raycast.Update(&w.World)
							want, ok := ids.Entity(px, py)
							if hover := resource[physecs.Hover](&w.World); hover.OK != ok || hover.Entity != want {
								wrong++
							}
							if ok {
								seen++
							}
						}
					}
					assert.Greater(t, seen, 50, "view %d", i)
					assert.Zero(t, wrong, "view %d: of %d pixels", i, seen)
				}
			})
		}
	}
}

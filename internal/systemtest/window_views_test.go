//go:build cgo

package systemtest

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// Two viewports in one window, a perspective on the left and a map on the right: in each, the
// entity drawn under the display's pointer is hovered, and a marquee that is dragged from one into
// the other selects in the first only.
func TestWindowViews(t *testing.T) {
	d := newTestWindow(t)
	var chooser physecs.ViewSystem
	chooser.Initialize(d.world)
	var marquee physecs.MarqueeSystem
	marquee.Initialize(d.world)
	views := ecs.GetResource[physecs.Views](d.world)
	full := d.view().Viewport
	left := d.view()
	left.Viewport = full.Part(0, 0, 0.6, 1)
	right := picking.View{Viewport: full.Part(0.6, 0, 1, 1)}
	right.Projection = picking.Orthographic(9, 0, 50)
	right.LookAt(geom.V(0.1, 2, 20), geom.V(0.1, 0, 0), geom.V(0, 1, 0))
	views.List = []picking.View{left, right}
	step := func() {
		chooser.Update(d.world)
		d.systems.Update(d.world)
		marquee.Update(d.world)
	}

	hovered := map[int]int{}
	for i, v := range views.List {
		require.NoError(t, d.ids.Draw(d.world, v))
		for y := 20.0; y < 600; y += 61 {
			for x := 15.0; x < 900; x += 47 {
				if at, ok := views.At(x, y); !ok || at != i {
					continue
				}
				d.move(x, y)
				step()
				px, py, ok := v.Pixel(x, y)
				require.True(t, ok)
				want, _ := d.ids.Entity(px, py)
				require.Equal(t, d.names[want], d.names[d.hovered()], "view %d at %g, %g", i, x, y)
				if want != (ecs.Entity{}) {
					hovered[i]++
				}
			}
		}
	}
	assert.Greater(t, hovered[0], 10)
	assert.Greater(t, hovered[1], 5)

	// What is hovered in one view is outlined in both, since both are drawn.
	e := d.entity("sphere")
	tr, _, _ := d.things.Get(e)
	x, y, _, ok := right.Project(tr.Position)
	require.True(t, ok)
	d.move(x, y)
	step()
	require.Equal(t, "sphere", d.names[d.hovered()])
	draw := func(width float32) []uint8 {
		d.renderer.Style.OutlineWidth = width
		require.NoError(t, d.renderer.DrawViews(d.world, views.List...))
		d.win.Present(d.renderer)
		return d.renderer.Image().Pix
	}
	with, without := draw(4), draw(0)
	var changed [2]int
	size := full.Framebuffer
	for i := range size.Width * size.Height {
		if px := i % size.Width; [4]uint8(with[4*i:]) != [4]uint8(without[4*i:]) {
			v := 0
			if px >= right.X {
				v = 1
			}
			changed[v]++
			cx, cy, _, _ := views.List[v].Project(tr.Position)
			wx, wy := full.Cursor(px, size.Height-1-i/size.Width)
			require.Less(t, math.Hypot(wx-cx, wy-cy), 90.0, "an outline far from the sphere in view %d", v)
		}
	}
	assert.Greater(t, changed[0], 200)
	assert.Greater(t, changed[1], 200)

	// From the upper left corner of the left view into the right one.
	d.move(2, 2)
	step()
	d.press(xpointer.Left)
	step()
	d.move(800, 560)
	step()
	assert.True(t, marquee.Marquee.Active())
	assert.True(t, views.Captured())
	d.release(xpointer.Left)
	step()
	var region picking.Region
	region.SetRectangle(left, 2, 2, 800, 560)
	want := physecs.SelectIn(d.world, nil, &region, physecs.SelectOptions{})
	require.NotEmpty(t, want)
	require.Equal(t, want, d.selected())
}

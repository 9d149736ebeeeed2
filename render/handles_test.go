package render

import (
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

func colored(r *Renderer, c color.NRGBA, x0, x1 int) (n int) {
	img := r.Image()
	for y := range img.Rect.Dy() {
		for x := x0; x < x1; x++ {
			if img.NRGBAAt(x, y) == c {
				n++
			}
		}
	}
	return n
}

// Lines of PaintView are in their view alone, and those of Lines in all of them.
func TestPaintViewDrawsInOneView(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	w := newWorld()
	views := make([]picking.View, 2)
	size := picking.Size{Width: 200, Height: 100}
	for i := range views {
		views[i].Viewport = picking.FullViewport(size, size).Part(float64(i)/2, 0, float64(i+1)/2, 1)
		views[i].Projection = picking.Orthographic(10, -10, 10)
	}
	red, blue := RGB(0xff0000), RGB(0x0000ff)
	r.PaintView = func(l *Lines, v picking.View) {
		if v.X == 0 {
			l.Width = 4
			l.Segment(geom.V(-3, 1, 0), geom.V(3, 1, 0), red)
		}
	}
	for range 2 {
		r.Lines.Width = 4
		r.Lines.Segment(geom.V(-3, -1, 0), geom.V(3, -1, 0), blue)
		require.NoError(t, r.DrawViews(&w.World, views...))
		assert.Greater(t, colored(r, red, 0, 100), 150)
		assert.Zero(t, colored(r, red, 100, 200))
		assert.Greater(t, colored(r, blue, 0, 100), 150)
		assert.Greater(t, colored(r, blue, 100, 200), 150)
		assert.Equal(t, 2, r.Stats().Lines)
		assert.Zero(t, r.Lines.Len())
	}
}

// The handles are where picking finds them: each line's middle has the colour of its axis.
func TestGizmoIsDrawnWhereItIsPicked(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	size := picking.Size{Width: 400, Height: 400}
	v := picking.View{Viewport: picking.FullViewport(size, size)}
	v.Projection = picking.Perspective(0.8, 0.1, 100)
	v.LookAt(geom.V(3, 4, 6), geom.Vec3{}, geom.V(0, 1, 0))
	for _, mode := range []picking.GizmoMode{picking.GizmoMove, picking.GizmoTurn, picking.GizmoScale} {
		g := picking.Gizmo{Mode: mode}
		r.PaintView = func(l *Lines, v picking.View) { DrawGizmo(l, &g, v, geom.Transform{}) }
		require.NoError(t, r.Draw(&newWorld().World, v))
		for i, c := range axisColors {
			assert.Greater(t, colored(r, c, 0, 400), 60, "%v %d", mode, i)
			h := picking.HandleX + picking.GizmoHandle(i)
			picked := 0
			img := r.Image()
			for y := 0; y < 400; y += 3 {
				for x := 0; x < 400; x += 3 {
					if img.NRGBAAt(x, y) == c {
						ray, _ := v.Ray(float64(x)+0.5, float64(y)+0.5)
						if g.Hover(v, geom.Transform{}, ray) == h {
							picked++
						}
					}
				}
			}
			assert.Positive(t, picked, "%v %v", mode, h)
		}
	}
	g := picking.Gizmo{}
	ray, _ := v.Ray(200, 200)
	require.True(t, g.Begin(v, geom.Transform{}, ray))
	r.PaintView = func(l *Lines, v picking.View) { DrawGizmo(l, &g, v, geom.Transform{}) }
	require.NoError(t, r.Draw(&newWorld().World, v))
	assert.Zero(t, colored(r, axisColors[0], 0, 400), "while one is dragged the others are hidden")
	assert.Positive(t, colored(r, litColor, 0, 400))
}

func TestMarqueeIsDrawn(t *testing.T) {
	var h HUD
	var m picking.Marquee
	h.Marquee(&m)
	assert.Empty(t, h.shapes, "without a marquee")
	m.Begin(10, 20)
	m.Move(110, 80)
	h.Marquee(&m)
	assert.Len(t, h.shapes, 2*4+2, "a rectangle of two triangles with two outlines")
}

// What is dragged out of the HUD is dropped once, where the button goes up, and only beyond panels.
func TestSource(t *testing.T) {
	for name, k := range map[string]struct {
		x       float64
		dropped int
	}{"into the world": {300, 1}, "onto the panel": {20, 0}} {
		var h HUD
		h.Resize(picking.Size{Width: 400, Height: 300})
		dropped, dragging := 0, 0
		frame := func(x float64, down picking.Buttons) {
			h.Input(physecs.Pointer{Input: picking.Input{X: x, Y: 20, Inside: true, Down: down}})
			h.Panel(Rect{0, 0, 100, 40})
			drags, drops := h.Source(Rect{10, 10, 50, 20}, "box")
			if drags {
				dragging++
			}
			if drops {
				dropped++
			}
			h.begin()
			h.end()
		}
		left := picking.ButtonSet(picking.Left)
		frame(20, 0)
		frame(20, left)
		frame(k.x, left)
		frame(k.x, 0)
		frame(k.x, 0)
		frame(20, left)
		frame(20, 0)
		assert.Equal(t, k.dropped, dropped, name)
		assert.Equal(t, k.dropped, dragging, name)
	}
}

package render

import (
	"runtime"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// Without a context the functions of OpenGL are nil in C.
func TestNewRendererWithoutAContext(t *testing.T) {
	runtime.LockOSThread() // the other tests leave no context current
	defer runtime.UnlockOSThread()
	r, err := NewRenderer()
	assert.Nil(t, r)
	require.ErrorContains(t, err, "render: NewRenderer: ")
	assert.ErrorContains(t, err, "call Open first")
	b, err := NewIDBuffer()
	assert.Nil(t, b)
	assert.ErrorContains(t, err, "render: NewIDBuffer: ")
}

func TestMisusePanics(t *testing.T) {
	w := ecs.NewWorld()
	var s System
	assert.PanicsWithValue(t, "render: System.UpdateUI: call InitializeUI first", func() { s.UpdateUI(&w) })
	assert.PanicsWithValue(t, "render: System.PostUpdateUI: call InitializeUI first", func() { s.PostUpdateUI(&w) })
	assert.NotPanics(t, func() { s.FinalizeUI(&w) })
	assert.PanicsWithValue(t, "render: Renderer.DrawViews: the world is nil", func() { new(Renderer).Draw(nil, picking.View{}) })
	assert.PanicsWithValue(t, "render: Renderer.DrawViews: the renderer was not made by NewRenderer", func() { new(Renderer).Draw(&w, picking.View{}) })
	for name, f := range map[string]func(w *Window){
		"Present": func(w *Window) { w.Present(&Renderer{}) }, "Poll": (*Window).Poll, "Wait": func(w *Window) { w.Wait(0) },
		"Size": func(w *Window) { w.Size() }, "FramebufferSize": func(w *Window) { w.FramebufferSize() }, "Resize": func(w *Window) { w.Resize(1, 1) },
		"MakeCurrent": (*Window).MakeCurrent, "ShouldClose": func(w *Window) { w.ShouldClose() }, "SetShouldClose": func(w *Window) { w.SetShouldClose(true) },
		"LockCursor": func(w *Window) { w.LockCursor(true) },
		"WaitUntil":  func(w *Window) { w.WaitUntil(0, func() bool { return false }) },
	} {
		closed := new(Window)
		closed.Close()
		assert.PanicsWithValue(t, "render: Window."+name+": the window is closed", func() { f(closed) })
	}
	assert.PanicsWithValue(t, `render: Window.WentDown: no key is called "Spcae": see KeyNames`, func() { new(Window).WentDown("Spcae") })
	assert.PanicsWithValue(t, "render: Window.Size: the window is closed", func() { new(Window).Feed(&w, nil) })
}

// Fog is what Style.Fog says, however near the grid fades, and none in an orthographic view.
func TestFogIsASettingOfItsOwn(t *testing.T) {
	r := newTestRenderer(t)
	w := newWorld()
	w.put(geom.At(0, 0, -200), physecs.Box(geom.V(60, 60, 1)), Paint(0xff0000))
	r.Style.Shadows = false
	look := func(p picking.Projection, fade, fog float32) int {
		r.Style.GridFade, r.Style.Fog = fade, fog
		v := viewFrom(geom.Vec3{}, geom.V(0, 0, -1), p, wide(64, 64))
		c := r.mustDraw(t, w, v).NRGBAAt(32, 32)
		return int(c.B) // which red has not, and the haze has
	}
	flat := picking.Ortho(-20, 20, -20, 20, 0.1, 1000)
	none := look(projection, 45, 0)
	assert.Equal(t, none, look(projection, 5, 0), "without fog")
	assert.Greater(t, look(projection, 45, 200), none+40, "half of it")
	assert.Greater(t, look(projection, 45, 100), look(projection, 45, 200)+20, "thicker")
	assert.Equal(t, look(flat, 45, 0), look(flat, 45, 10))
}

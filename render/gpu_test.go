package render

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// A framebuffer that the driver refuses is an error at every call, and does not affect later calls.
func TestRefusedFramebuffer(t *testing.T) {
	r := newTestRenderer(t)
	b, err := NewIDBuffer()
	require.NoError(t, err)
	t.Cleanup(b.Close)
	w := newWorld()
	view := func(v picking.Viewport) picking.View {
		return viewFrom(geom.V(0, 0, 5), geom.Vec3{}, picking.Perspective(1, 0.1, 100), v)
	}
	const refused = "the driver makes no framebuffer of 1048576×1048576"
	for range 2 {
		require.ErrorContains(t, r.Draw(&w.World, view(square(1<<20))), refused)
		require.ErrorContains(t, b.Draw(&w.World, view(square(1<<20))), refused)
		_, ok := b.Entity(0, 0)
		assert.False(t, ok)
	}
	assert.Zero(t, gl.GetError(), "no error is left for the game")
	require.NoError(t, r.Draw(&w.World, view(square(32))))
	require.NoError(t, b.Draw(&w.World, view(square(32))))
}

// An OpenGL error of the game's own drawing is not reported by the renderer.
func TestForeignErrors(t *testing.T) {
	r := newTestRenderer(t)
	b, err := NewIDBuffer()
	require.NoError(t, err)
	t.Cleanup(b.Close)
	w := newWorld()
	view := viewFrom(geom.V(0, 0, 5), geom.Vec3{}, picking.Perspective(1, 0.1, 100), square(32))
	for name, draw := range map[string]func() error{
		"Renderer": func() error { return r.Draw(&w.World, view) },
		"IDBuffer": func() error { return b.Draw(&w.World, view) },
	} {
		gl.Enable(0xffff)
		require.NoError(t, draw(), name)
	}
}

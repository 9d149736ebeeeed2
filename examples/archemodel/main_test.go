package main

import (
	"image/color"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/mlange-42/arche-model/resource"
	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/render"
)

// Without a player the balls lie on the plate in the end, and nowhere else.
func TestHeadless(t *testing.T) {
	r := &rain{}
	m := newModel(r, nil)
	m.Run()
	assert.Greater(t, ecs.GetResource[resource.Tick](&m.World).Tick, int64(11*30))
	require.Len(t, r.balls, 12)
	for _, ball := range r.balls {
		at, _, _ := r.things.Get(ball)
		p := at.Position
		assert.True(t, p.Y > 0.33 && p.Y < 1 && p.X*p.X < 4 && p.Z*p.Z < 4, "%v", p)
	}
	assert.Empty(t, physecs.Check(&m.World))
}

// TestGame pops a ball with the real pointer of a display.
func TestGame(t *testing.T) {
	testenv.Pointer(t)
	pointer, err := xpointer.Open()
	require.NoError(t, err)
	defer pointer.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := &rain{every: 200}
	window := &render.System{Options: render.Options{Width: 640, Height: 480, NoVSync: true}}
	m := newModel(r, window)
	m.Initialize()
	defer m.Finalize()
	style := &window.Renderer.Style
	style.Shadows, style.Samples = false, 1 // a processor draws this

	hover := ecs.GetResource[physecs.Hover](&m.World)
	view := ecs.GetResource[physecs.View](&m.World)
	m.Update()
	for tick := 0; ecs.GetResource[physecs.Dynamics](&m.World).IsAwake(r.balls[0]) || tick == 0; tick++ {
		require.Less(t, tick, 1500, "the ball does not come to lie still")
		m.Update()
	}
	x, y := 0, 0
	frame := func() error {
		m.Update()
		m.UpdateUI()
		return nil
	}
	require.NoError(t, xpointer.Play(pointer, frame,
		xpointer.Step{Name: "over it", Do: func(p *xpointer.Pointer) error {
			at, _, _ := r.things.Get(r.balls[0])
			cx, cy, _, _ := view.Project(at.Position.Add(geom.V(0, 0.2, 0)))
			left, top := window.Window.GLFW().GetPos()
			x, y = int(cx), int(cy)
			return p.Move(left+x, top+y)
		}, Until: func() bool { return hover.OK && hover.Entity == r.balls[0] }},
		xpointer.Step{Name: "see it", Do: func(*xpointer.Pointer) error {
			picture := window.Renderer.Image()
			_, _, material := r.things.Get(r.balls[0])
			assert.True(t, alike(material.Color, picture.NRGBAAt(x, y)), "%v at the cursor, of a ball of %v", picture.NRGBAAt(x, y), material.Color)
			if dir := os.Getenv("HITSCAN_PICTURES"); dir != "" {
				return window.Renderer.Screenshot(filepath.Join(dir, "archemodel.png"))
			}
			return nil
		}},
		xpointer.Press("press", func() bool { down, _ := window.Window.Buttons(); return down != 0 }),
		xpointer.Release("pop it", func() bool { return r.popped == 1 }),
	))
}

// alike reports whether two colours have their greatest and their least part in common: a surface
// has those in any light.
func alike(a, b color.NRGBA) bool {
	order := func(c color.NRGBA) [3]bool { return [3]bool{c.R > c.G, c.G > c.B, c.B > c.R} }
	return order(a) == order(b)
}

package main

import (
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/g3n/engine/gls"
	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// TestGame plays the game with the real pointer of a display: a ball hops out of the ring. What is
// seen is what is picked.
func TestGame(t *testing.T) {
	testenv.Pointer(t)
	pointer, err := xpointer.Open()
	require.NoError(t, err)
	defer pointer.Close()
	g, err := newGame()
	require.NoError(t, err)
	defer g.window.Destroy()

	hover := ecs.GetResource[physecs.Hover](&g.world)
	move := func(name string, to func() (x, y int), until func() bool) xpointer.Step {
		return xpointer.Step{Name: name, Until: until, Do: func(p *xpointer.Pointer) error {
			x, y := to()
			left, top := g.window.GetPos()
			return p.Move(left+x, top+y)
		}}
	}
	over := func(i int) func() (x, y int) {
		return func() (int, int) {
			at, _ := g.things.Get(g.balls[i])
			x, y, _, _ := ecs.GetResource[physecs.View](&g.world).Project(at.Position)
			return int(x), int(y)
		}
	}
	play := func(steps ...xpointer.Step) {
		require.NoError(t, xpointer.Play(pointer, g.frame, steps...))
	}
	play(move("beside", func() (int, int) { return 20, 20 }, func() bool { return hover.HasRay && !hover.OK }))
	for range 120 { // the balls come to rest
		g.sim.Update(&g.world)
	}
	play(move("over a ball", over(1), func() bool { return hover.OK && hover.Entity == g.balls[1] }))
	g.requireSeenIsPicked(t)
	require.Zero(t, g.out())
	play(
		xpointer.Press("press", func() bool { return g.window.GetMouseButton(glfw.MouseButtonLeft) == glfw.Press }),
		xpointer.Release("hop", func() bool { at, _ := g.things.Get(g.balls[1]); return at.Position.Y > 0.6 }),
	)
	for range 120 { // without a picture
		g.sim.Update(&g.world)
	}
	assert.Equal(t, 1, g.out())
	assert.Empty(t, physecs.Check(&g.world))
}

// requireSeenIsPicked compares the picture with a ray through every fifth pixel, except near edges:
// the floor and the ring are grey, the balls are red to yellow, and the sky is bluish.
func (g *game) requireSeenIsPicked(t *testing.T) {
	require.NoError(t, g.draw())
	size := g.framebuffer()
	pixels := g.window.Gls().ReadPixels(0, 0, size.Width, size.Height, gls.RGBA, gls.UNSIGNED_BYTE)
	picture := image.NewNRGBA(image.Rect(0, 0, size.Width, size.Height))
	for y := range size.Height {
		copy(picture.Pix[y*picture.Stride:], pixels[4*size.Width*(size.Height-1-y):][:4*size.Width])
	}
	if dir := os.Getenv("HITSCAN_PICTURES"); dir != "" {
		f, err := os.Create(filepath.Join(dir, "g3n.png"))
		require.NoError(t, err)
		require.NoError(t, errors.Join(png.Encode(f, picture), f.Close()))
	}
	view, space := ecs.GetResource[physecs.View](&g.world), ecs.GetResource[physecs.Space](&g.world)
	cast := func(x, y int) ecs.Entity {
		r, _ := view.Ray(float64(x)+0.5, float64(y)+0.5)
		h, _ := space.CastRay(r, physecs.Filter{Cull: geom.CullBack})
		return h.Entity
	}
	seen := map[ecs.Entity]int{}
	for y := 5; y < 595; y += 5 {
		for x := 5; x < 795; x += 5 {
			e := cast(x, y)
			if cast(x-4, y) != e || cast(x+4, y) != e || cast(x, y-4) != e || cast(x, y+4) != e {
				continue
			}
			seen[e]++
			c := picture.NRGBAAt(x, y)
			isBall := slices.Contains(g.balls, e)
			require.Equal(t, isBall, int(c.R) > int(c.B)+25, "entity %d at %d, %d: %v", e.ID(), x, y, c)
			if e.IsZero() {
				require.InDelta(t, 0.92*255, float64(c.B), 2, "the sky at %d, %d: %v", x, y, c)
			}
		}
	}
	assert.Len(t, seen, 8, "the sky, the floor, the ring and five balls")
}

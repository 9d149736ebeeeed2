package main

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// player is both games, one after the other, with the display's pointer in place of a user.
type player struct {
	*game
	pointer *xpointer.Pointer
	script  xpointer.Script
	next    []func()
	look    func(picture *image.RGBA) error // called with the next picture
	failed  error
}

func (p *player) Update() error {
	if err := p.game.Update(); err != nil {
		return err
	}
	if done, err := p.script.Tick(p.pointer); p.failed != nil || err != nil || !done {
		return errors.Join(p.failed, err)
	}
	if len(p.next) == 0 {
		return ebiten.Termination
	}
	p.next[0]()
	p.next = p.next[1:]
	return nil
}

func (p *player) Draw(screen *ebiten.Image) {
	p.game.Draw(screen)
	if p.look == nil {
		return
	}
	picture := image.NewRGBA(screen.Bounds())
	screen.ReadPixels(picture.Pix)
	p.failed, p.look = p.look(picture), nil
}

// see is a step that waits for the picture of the next frame.
func (p *player) see(name string, look func(picture *image.RGBA) error) xpointer.Step {
	return xpointer.Step{
		Name:  name,
		Do:    func(*xpointer.Pointer) error { p.look = look; return nil },
		Until: func() bool { return p.look == nil },
	}
}

func (p *player) move(name string, to func() geom.Vec3, until func() bool) xpointer.Step {
	return xpointer.Step{Name: name, Until: until, Do: func(mouse *xpointer.Pointer) error {
		x, y, _, _ := p.view.Project(to())
		left, top := ebiten.WindowPosition()
		return mouse.Move(left+int(x), top+int(y))
	}}
}

// TestGames plays both games with the real pointer of a display. Ebitengine runs once a process.
func TestGames(t *testing.T) {
	testenv.Pointer(t)
	pointer, err := xpointer.Open()
	require.NoError(t, err)
	defer pointer.Close()
	p := &player{game: newYard(), pointer: pointer}
	p.playYard()
	p.next = []func(){func() {
		assert.Empty(t, physecs.Check(&p.world))
		p.game = newTower()
		p.playTower()
	}}
	ebiten.SetWindowSize(screen.Width, screen.Height)
	require.NoError(t, ebiten.RunGameWithOptions(p, &ebiten.RunGameOptions{GraphicsLibrary: ebiten.GraphicsLibraryOpenGL}))
	require.Empty(t, p.next)
	require.Empty(t, physecs.Check(&p.world))
}

func at(x, y, z float32) func() geom.Vec3 { return func() geom.Vec3 { return geom.V(x, y, z) } }

// playYard drags a ball around the wall in the middle and into the goal.
func (p *player) playYard() {
	g := p.game
	drags := func() int { return len(ecs.GetResource[physecs.Drags](&g.world).List) }
	var ball ecs.Entity
	pull := func(name string, x, y float32) xpointer.Step {
		return p.move(name, at(x, y, 0), func() bool {
			t, _, _ := g.things.Get(ball)
			return g.hover.OK && t.Position.Distance(geom.V(x, y, 0)) < 0.2
		})
	}
	p.script.Steps = []xpointer.Step{
		p.move("beside all", at(2, 3, 0), func() bool { return g.hover.HasRay && !g.hover.OK }),
		p.see("see the yard", func(picture *image.RGBA) error { return seenIsPicked(g, picture, color.RGBA{226, 222, 210, 255}) }),
		p.move("over a ball", at(8, 11, 0), func() bool { ball = g.hover.Entity; return g.hover.OK }),
		xpointer.Press("take it", func() bool { return g.pointer.Input.Down != 0 }),
		pull("below the wall", 8, 13.7),
		pull("past the wall", 12, 13.7),
		pull("to the goal", 17, 12),
		xpointer.Release("let it go", func() bool { return g.score == 1 && drags() == 0 }),
		p.see("see it there", func(picture *image.RGBA) error {
			t, _, _ := g.things.Get(ball)
			x, y, _, _ := g.view.Project(t.Position)
			if got := picture.RGBAAt(int(x), int(y)); got != (color.RGBA{76, 160, 214, 255}) {
				return fmt.Errorf("%v, and not the ball that was dragged", got)
			}
			return save(picture, "ebitengine-yard.png")
		}),
	}
}

// playTower clicks a block at the bottom away, and what stood on it falls.
func (p *player) playTower() {
	g := p.game
	atTop := func() (n int) {
		for q := g.all.Query(&g.world); q.Next(); {
			if at, _, _ := q.Get(); at.Position.Y > 3.3 {
				n++
			}
		}
		return n
	}
	count := func() (n int) {
		q := g.all.Query(&g.world)
		defer q.Close()
		return q.Count()
	}
	p.script.Steps = []xpointer.Step{
		p.move("beside all", at(4, 7, -4), func() bool { return g.hover.HasRay && !g.hover.OK }),
		p.see("see the tower", func(picture *image.RGBA) error { return seenIsPicked(g, picture, color.RGBA{214, 222, 230, 255}) }),
		p.move("over a block", at(0.5, 0.5, 1), func() bool { return g.hover.OK && g.hover.Normal.Z > 0.9 }),
		p.see("see it", func(picture *image.RGBA) error { return save(picture, "ebitengine-tower.png") }),
		xpointer.Press("press", func() bool { return g.pointer.Input.Down != 0 }),
		xpointer.Release("click", func() bool { return g.score == 1 && count() == 16 }),
		p.move("its neighbour", at(-0.5, 0.5, 1), func() bool { return g.hover.OK && g.hover.Point.X < 0 }),
		xpointer.Press("press", func() bool { return g.pointer.Input.Down != 0 }),
		xpointer.Release("click", func() bool { return g.score == 2 && count() == 15 }),
		{Name: "what stood on them falls", Until: func() bool { return atTop() == 2 }},
	}
}

// seenIsPicked compares the picture with a ray through every fourth pixel, except where a
// ray a pixel beside it meets another thing: the colour is that of the entity that is hit.
func seenIsPicked(g *game, picture *image.RGBA, empty color.RGBA) error {
	space := ecs.GetResource[physecs.Space](&g.world)
	cast := func(x, y int) (ecs.Entity, geom.Vec3) {
		r, _ := g.view.Ray(float64(x)+0.5, float64(y)+0.5)
		h, _ := space.CastRay(r, physecs.Filter{Start: geom.Ignore})
		return h.Entity, h.Normal
	}
	seen := map[ecs.Entity]int{}
	for y := 2; y < screen.Height-2; y += 4 {
		for x := 2; x < screen.Width-2; x += 4 {
			e, n := cast(x, y)
			edge := false
			for _, d := range [...][2]int{{-2, 0}, {2, 0}, {0, -2}, {0, 2}} {
				f, m := cast(x+d[0], y+d[1])
				edge = edge || f != e || m.Distance(n) > 0.1
			}
			if edge {
				continue
			}
			seen[e]++
			got := picture.RGBAAt(x, y)
			if e.IsZero() {
				if got != empty && !goal.Contains(geom.V(float32(x)/40, float32(y)/40, 0)) {
					return fmt.Errorf("%v and nothing to pick at %d, %d", got, x, y)
				}
				continue
			}
			if _, _, p := g.things.Get(e); !isShade(got, *p) {
				return fmt.Errorf("entity %d at %d, %d: %v and not of %v", e.ID(), x, y, got, *p)
			}
		}
	}
	if len(seen) < 10 {
		return fmt.Errorf("only %d things are seen", len(seen))
	}
	return nil
}

// isShade reports whether a colour is a multiple of another.
func isShade(c color.RGBA, p paint) bool {
	light := float64(c.R) / float64(p.R)
	near := func(a, b uint8) bool { d := float64(a) - light*float64(b); return d < 2.5 && d > -2.5 }
	return light < 1.05 && near(c.G, p.G) && near(c.B, p.B)
}

// save writes a picture to the folder that HITSCAN_PICTURES names, if it names one.
func save(picture image.Image, name string) error {
	dir := os.Getenv("HITSCAN_PICTURES")
	if dir == "" {
		return nil
	}
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, picture), f.Close())
}

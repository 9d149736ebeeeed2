// Package play runs a game in a window, for a user or for a script that moves the real pointer of
// an X11 display.
package play

import (
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/render"
)

// Game is what Run runs.
type Game struct {
	World  *ecs.World
	Sim    *physecs.Simulation
	UI     *render.System
	Input  func()          // reads the input of a frame, before Sim
	Script func(p *Player) // plays the game with -play
}

// Run runs a game until its window is closed. With -play FOLDER its script plays it: pictures go to
// the folder, and the times of frames and ticks to the standard output; a step of the simulation is
// made in each frame.
func Run(g *Game) {
	folder := flag.String("play", "", "let the script play and write pictures to this `folder`")
	flag.Parse()
	if *folder != "" {
		g.UI.Options.NoVSync, g.UI.Options.Width, g.UI.Options.Height = true, 960, 600
	}
	g.UI.InitializeUI(g.World)
	defer g.UI.FinalizeUI(g.World)
	next := func() bool { return !g.UI.Window.ShouldClose() }
	if *folder != "" {
		g.UI.Renderer.Style.Samples, g.UI.Renderer.Style.Shadows = 1, false // a processor draws
		p := open(g, *folder)
		defer p.close()
		// The script runs between two frames, up to its next step that takes a frame.
		step, stop := iter.Pull(func(yield func(struct{}) bool) {
			p.frame = func() { yield(struct{}{}) }
			g.Script(p)
		})
		defer stop()
		next = func() bool { _, more := step(); return more }
	}
	last := time.Now()
	for next() {
		start := time.Now()
		if g.Sim.DT = float32(start.Sub(last).Seconds()); *folder != "" {
			g.Sim.DT = 0 // one step
		}
		last = start
		g.UI.Window.Poll()
		g.UI.Window.Feed(g.World, &g.UI.Renderer.HUD)
		g.Input()
		g.Sim.Update(g.World)
		ticked := time.Now()
		ticks = append(ticks, ticked.Sub(start))
		if unseen {
			continue
		}
		g.UI.UpdateUI(g.World)
		g.UI.Window.Present(g.UI.Renderer)
		frames = append(frames, time.Since(start))
	}
	problems := physecs.Check(g.World)
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, "check:", p)
	}
	if len(problems) > 0 && *folder != "" {
		os.Exit(1)
	}
}

var (
	frames, ticks []time.Duration
	unseen        bool // frames are not drawn
)

// Player is the pointer and the keyboard of a script. Each of its actions takes a frame, or
// several. Those in which the pointer or the player moves are not drawn, which takes longest
// without a graphics card. An action that fails ends the program.
type Player struct {
	game    *Game
	pointer *xpointer.Pointer
	folder  string
	frame   func()
}

func open(g *Game, folder string) *Player {
	pointer, err := xpointer.Open()
	must(err)
	must(os.MkdirAll(folder, 0o777))
	return &Player{game: g, pointer: pointer, folder: folder}
}

func (p *Player) close() {
	p.pointer.Close()
	fmt.Printf("%d frames: median %.1f ms, worst %.1f ms; input and tick: median %.2f ms, worst %.1f ms\n", len(frames),
		middle(frames), worst(frames), middle(ticks), worst(ticks))
	for name, t := range p.game.Sim.Times() {
		if t > 50*time.Microsecond {
			fmt.Printf("  %-10s %6.2f ms in the last tick\n", name, ms(t))
		}
	}
}

func ms(t time.Duration) float64        { return float64(t) / 1e6 }
func worst(t []time.Duration) float64   { return ms(slices.Max(t)) }
func middle(t []time.Duration) float64  { s := slices.Clone(t); slices.Sort(s); return ms(s[len(s)/2]) }
func fail(format string, values ...any) { must(fmt.Errorf(format, values...)) }

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// patience is how long the window system may take to deliver an event. It takes longer than a
// moment on a busy machine.
const patience = 20 * time.Second

// Frames waits for some frames.
func (p *Player) Frames(n int) {
	for range n {
		p.frame()
	}
}

// Skip waits for some frames that are not drawn.
func (p *Player) Skip(n int) {
	unseen = true
	p.Frames(n)
	unseen = false
}

// arrive lets frames pass until something has happened.
func (p *Player) arrive(what string, arrived func() bool) {
	for end := time.Now().Add(patience); ; {
		if p.frame(); arrived() {
			return
		}
		if time.Now().After(end) {
			p.Expect(false, "%s within %v", what, patience)
		}
	}
}

// Move moves the pointer to a place in the window, in window pixels.
func (p *Player) Move(x, y float64) {
	wx, wy := p.game.UI.Window.GLFW().GetPos()
	must(p.pointer.Move(wx+int(x), wy+int(y)))
	p.Until("the pointer to arrive", func() bool {
		cx, cy, _ := p.game.UI.Window.Cursor()
		return cx == float64(int(x)) && cy == float64(int(y))
	})
}

// Look turns a locked cursor by some pixels, in some frames.
func (p *Player) Look(dx, dy, frames int) {
	for range frames {
		must(p.pointer.MoveBy(dx/frames, dy/frames))
		p.Skip(1)
	}
	p.Skip(2)
}

// Press presses a button and holds it.
func (p *Player) Press(b xpointer.Button) {
	must(p.pointer.Press(b))
	p.arrive("a button to be down", func() bool { down, _ := p.game.UI.Window.Buttons(); return down != 0 })
}

// Release releases a button.
func (p *Player) Release(b xpointer.Button) {
	must(p.pointer.Release(b))
	p.arrive("the button to be up", func() bool { down, _ := p.game.UI.Window.Buttons(); return down == 0 })
}

// Click presses and releases a button.
func (p *Player) Click(b xpointer.Button) { p.Press(b); p.Release(b) }

// Drag drags with the left button.
func (p *Player) Drag(x0, y0, x1, y1 float64) {
	p.Move(x0, y0)
	p.Press(xpointer.Left)
	for i := 1.0; i <= 4; i++ {
		p.Move(x0+(x1-x0)*i/4, y0+(y1-y0)*i/4)
	}
	p.Release(xpointer.Left)
}

// Until waits until something has happened, without drawing.
func (p *Player) Until(what string, happened func() bool) {
	unseen = true
	p.arrive(what, happened)
	unseen = false
}

// Hold holds a key down, a character or a key of xpointer, until something has happened. Frames
// meanwhile are not drawn.
func (p *Player) Hold(k xpointer.Key, what string, happened func() bool) {
	must(p.pointer.KeyDown(k))
	p.Until(what, happened)
	must(p.pointer.KeyUp(k))
	p.Frames(2)
}

// Type presses and releases keys together.
func (p *Player) Type(keys ...xpointer.Key) {
	for _, k := range keys {
		must(p.pointer.KeyDown(k))
	}
	p.Frames(3)
	for _, k := range keys {
		must(p.pointer.KeyUp(k))
	}
	p.Frames(3)
}

// Expect ends the program with an error unless ok is set.
func (p *Player) Expect(ok bool, format string, values ...any) {
	if !ok {
		p.Shot("failed")
		fail("expected "+format, values...)
	}
}

// File returns the path of a file in the folder of the pictures.
func (p *Player) File(name string) string { return filepath.Join(p.folder, name) }

// Shot writes a picture of the last frame.
func (p *Player) Shot(name string) { must(p.game.UI.Renderer.Screenshot(p.File(name + ".png"))) }

// Flat is a small game in a planar space: tiles, a pyramid of crates, balls on a platform that is
// solid from above alone, a weight on a rope, and a character.
//
//	go run -C examples/flat .                opens the window: A and D walk, space jumps
//	go run -C examples/flat . -still a.png   plays five seconds without a window and writes a picture
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

func main() {
	still := flag.String("still", "", "play five seconds, write a picture to this `file` and exit")
	flag.Parse()
	if err := run(*still); err != nil {
		fmt.Fprintln(os.Stderr, "flat:", err)
		os.Exit(1)
	}
}

func run(still string) error {
	window, err := render.Open(render.Options{Title: "hitscan flat", Width: 1200, Height: 500, Hidden: still != ""})
	if err != nil {
		return err
	}
	defer window.Close()
	renderer, err := render.NewRenderer()
	if err != nil {
		return err
	}
	defer renderer.Close()
	renderer.Style.Shadows = false
	g := newGame()
	frame := func() error {
		window.Poll()
		window.Feed(&g.world, nil)
		view := ecs.GetResource[physecs.View](&g.world)
		view.LookAt(geom.V(12, 5, 10), geom.V(12, 5, 0), geom.V(0, 1, 0))
		view.Projection = picking.Orthographic(10, 0.1, 100)
		view.Viewport = window.Viewport()
		g.sim.Update(&g.world)
		return renderer.Draw(&g.world, *view)
	}
	if still != "" {
		for i := range script {
			g.play(i)
			if err := frame(); err != nil {
				return err
			}
		}
		return renderer.Screenshot(still)
	}
	for !window.ShouldClose() {
		walk := float32(0)
		if window.IsDown("A") {
			walk--
		}
		if window.IsDown("D") {
			walk++
		}
		g.steer(walk, window.IsDown("Space"))
		if err := frame(); err != nil {
			return err
		}
		window.Present(renderer)
	}
	return nil
}

// script is the number of ticks that play plays.
const script = 300

// play steers the player to the right, over the steps.
func (g *game) play(tick int) {
	at := g.at(g.player)
	g.steer(1, at.X > 8.5 && at.X < 11.5)
}

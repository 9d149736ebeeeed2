// Ebitengine is two small games for Ebitengine, whose worlds are Arche's: a yard seen from above,
// in a planar space, and a tower seen isometrically.
//
//	go run .        drag the balls into the green corner
//	go run . -iso   click the blocks away from under each other
//
// All that joins hitscan to the engine is in Update.
package main

import (
	"flag"
	"log"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/picking"
)

// screen is the size of the layout, in which Ebitengine counts the cursor too.
var screen = picking.Size{Width: 800, Height: 600}

func main() {
	iso := flag.Bool("iso", false, "play the isometric game")
	flag.Parse()
	g := newYard()
	if *iso {
		g = newTower()
	}
	ebiten.SetWindowSize(screen.Width, screen.Height)
	ebiten.SetWindowTitle("hitscan with Ebitengine")
	if err := ebiten.RunGame(g); err != nil {
		log.Fatal(err)
	}
}

// game is what both games have.
type game struct {
	world   ecs.World
	sim     physecs.Simulation
	view    picking.View
	pointer *physecs.Pointer
	hover   *physecs.Hover
	things  generic.Map3[physecs.Transform, physecs.Collider, paint]
	all     *generic.Filter3[physecs.Transform, physecs.Collider, paint]

	tick  func()                     // the rules
	draw  func(target *ebiten.Image) // draws the world
	score int
}

// paint is the component of what is drawn: the colour.
type paint struct{ R, G, B uint8 }

func newGame(view picking.View, resources func(w *ecs.World)) *game {
	g := &game{world: ecs.NewWorld(), view: view}
	resources(&g.world)
	g.sim.Initialize(&g.world)
	g.pointer, g.hover = ecs.GetResource[physecs.Pointer](&g.world), ecs.GetResource[physecs.Hover](&g.world)
	g.things = generic.NewMap3[physecs.Transform, physecs.Collider, paint](&g.world)
	g.all = generic.NewFilter3[physecs.Transform, physecs.Collider, paint]()
	return g
}

func (g *game) add(t physecs.Transform, c physecs.Collider, p paint) ecs.Entity {
	return g.things.NewWith(&t, &c, &p)
}

// Update is a tick of Ebitengine, and the glue.
func (g *game) Update() error {
	x, y := ebiten.CursorPosition()
	g.pointer.Input = picking.Input{X: float64(x), Y: float64(y), Inside: true}
	if ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft) {
		g.pointer.Input.Down = picking.ButtonSet(picking.Left)
	}
	*ecs.GetResource[physecs.View](&g.world) = g.view
	g.sim.Update(&g.world)

	g.tick()
	return nil
}

// Draw draws the game, and what is under the cursor in white lines.
func (g *game) Draw(target *ebiten.Image) {
	g.draw(target)
	g.drawHover(target)
}

// Layout returns the size of the screen.
func (g *game) Layout(int, int) (width, height int) { return screen.Width, screen.Height }

// Rts is a strategy game of 5,000 units on hills: click or drag a rectangle to select, with shift
// to add, and click the right button to send them. W, A, S, D move the camera, the wheel zooms.
package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/examples/games/play"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

const (
	units   = 5000
	size    = 256 // metres, of the map
	cell    = 2
	speed   = 5   // m/s
	spacing = 1.2 // metres between the goals of two units

	onGround physics.Layers = 1 << iota
	onUnits
)

// Order is the component of a unit that says where it goes.
type Order struct {
	Goal geom.Vec3
	Goes bool
}

type game struct {
	world     ecs.World
	sim       physecs.Simulation
	ui        render.System
	orbit     picking.Orbit
	ground    *mesh.Field
	orders    generic.Map1[Order]
	moving    generic.Filter3[Order, physecs.Transform, physecs.Mover]
	selection *physecs.Selection
	all       []ecs.Entity
}

func main() {
	g := newGame()
	play.Run(&play.Game{World: &g.world, Sim: &g.sim, UI: &g.ui, Input: g.input, Script: g.script})
}

func newGame() *game {
	g := &game{world: ecs.NewWorld(), moving: *generic.NewFilter3[Order, physecs.Transform, physecs.Mover]()}
	w := &g.world
	g.orders = generic.NewMap1[Order](w)
	g.sim.Marquee = &physecs.MarqueeSystem{}
	// The ground is background.
	g.sim.Pick.Choose = physecs.ChooseAncestor(ecs.ComponentID[Order](w))
	g.sim.Marquee.Choose = g.sim.Pick.Choose
	g.sim.Separate.Up = geom.V(0, 1, 0)
	g.sim.BeforeStep("steer", g.steer)
	g.sim.After(&g.sim.Pick, "order", g.order)
	g.sim.Initialize(w)
	g.selection = physecs.Resource[physecs.Selection](w)
	g.ui = render.System{Options: render.Options{Title: "5,000 units"}, Paint: g.paint}
	g.orbit = picking.Orbit{Target: geom.V(0, 4, 0), Yaw: 0.5, Pitch: 0.85, Distance: 70, MinDistance: 10, MaxDistance: 250,
		Projection: picking.Perspective(0.8, 0.5, 1000)}
	g.addGround()
	g.addUnits()
	return g
}

func height(x, z float64) float64 {
	return 3*math.Sin(x/17)*math.Cos(z/23) + 4*math.Sin(x/41+z/37)
}

func (g *game) addGround() {
	const n = size/cell + 1
	o := mesh.FieldOptions{Columns: n, Rows: n, CellX: cell, CellZ: cell, StartX: -size / 2, StartZ: -size / 2}
	heights := make([]float32, 0, n*n)
	for row := range n {
		for column := range n {
			heights = append(heights, float32(height(float64(column*cell-size/2), float64(row*cell-size/2))))
		}
	}
	field, err := mesh.NewField(o, heights)
	if err != nil {
		panic(err)
	}
	g.ground = field
	id := physecs.Resource[physecs.Meshes](&g.world).Add(field.Mesh())
	c := physecs.Mesh(id)
	c.Layer = onGround
	ground := generic.NewMap4[physecs.Transform, physecs.Collider, render.Material, physecs.Static](&g.world)
	ground.NewWith(new(geom.At(0, 0, 0)), &c, new(render.Paint(0x7C9A5E)), &physecs.Static{})
}

func (g *game) addUnits() {
	w := &g.world
	things := generic.NewMap4[physecs.Transform, physecs.Collider, render.Material, Order](w)
	walks := generic.NewMap3[physecs.Mover, physecs.MoverState, physecs.Movable](w)
	c := physecs.Capsule(0.5, 0.35)
	c.Center.Y = 0.85
	// Units collide with each other in the SeparateSystem, and with the ground as movers.
	c.Layer, c.Mask = onUnits, onUnits
	columns := int(math.Ceil(math.Sqrt(units)))
	for i := range units {
		x, z := float64(i%columns-columns/2)*1.5, float64(i/columns-columns/2)*1.5
		at := geom.At(float32(x), float32(height(x, z)+0.1), float32(z))
		e := things.NewWith(&at, &c, new(render.Paint([]uint32{0x3E6FB0, 0xB0503E}[i%columns*2/columns])), &Order{})
		walks.Assign(e, &physecs.Mover{Mask: onGround}, &physecs.MoverState{}, &physecs.Movable{})
		g.all = append(g.all, e)
	}
}

// input moves the camera.
func (g *game) input() {
	win, view, p := g.ui.Window, physecs.Resource[physecs.View](&g.world), physecs.Resource[physecs.Pointer](&g.world)
	g.sim.Marquee.Op = physecs.SelectReplace
	if p.Mods.Has(picking.ModShift) {
		g.sim.Marquee.Op = physecs.SelectAdd
	}
	const pixels = 14
	var x, y float64
	for _, k := range []struct {
		key  string
		x, y float64
	}{{"A", pixels, 0}, {"D", -pixels, 0}, {"W", 0, pixels}, {"S", 0, -pixels}} {
		if win.IsDown(k.key) {
			x, y = x+k.x, y+k.y
		}
	}
	level := g.orbit.Target.Y
	g.orbit.Pan(view.Viewport, 0, 0, x, y)
	g.orbit.Target.Y = level
	if p.ScrollY != 0 && !p.Captured {
		g.orbit.ZoomTo(view.Viewport, p.X, p.Y, math.Pow(0.9, p.ScrollY))
	}
	view.Camera = g.orbit.Camera()
}

// order sends the selected units to the place of a right click, in a square.
func (g *game) order(w *ecs.World) {
	hover := physecs.Resource[physecs.Hover](w)
	if !physecs.Resource[physecs.Pointer](w).Pressed.Has(picking.Right) || !hover.OK {
		return
	}
	list := slices.Clone(g.selection.List())
	columns := int(math.Ceil(math.Sqrt(float64(len(list)))))
	for i, e := range list {
		x, z := float32(i%columns)-float32(columns-1)/2, float32(i/columns)-float32(columns-1)/2
		*g.orders.Get(e) = Order{Goal: hover.Point.Add(geom.V(x*spacing, 0, z*spacing)), Goes: true}
	}
}

// steer lets units walk to their goals.
func (g *game) steer(w *ecs.World) {
	query := g.moving.Query(w)
	for query.Next() {
		o, t, m := query.Get()
		if !o.Goes {
			continue
		}
		way := o.Goal.Sub(t.Position)
		if way.Y = 0; way.Len() < 0.3 {
			o.Goes, m.Velocity = false, geom.Vec3{}
			continue
		}
		m.Velocity = way.Normalize().Mul(speed)
	}
}

func (g *game) paint(w *ecs.World, r *render.Renderer) {
	hud := &r.HUD
	hud.Marquee(&g.sim.Marquee.Marquee)
	space := physecs.Resource[physecs.Space](w)
	for _, e := range g.sim.Marquee.Preview {
		if b, ok := space.Bounds(e); ok {
			r.Lines.Circle(geom.V(b.Center().X, b.Min.Y+0.1, b.Center().Z), geom.V(0, 1, 0), 0.5, render.RGB(0xFFFFFF))
		}
	}
	goes := 0
	for _, e := range g.all {
		if g.orders.Get(e).Goes {
			goes++
		}
	}
	hud.Card(16, 16, 200, "5,000 units",
		render.Row{Key: "selected", Value: fmt.Sprint(g.selection.Len())},
		render.Row{Key: "on their way", Value: fmt.Sprint(goes)})
}

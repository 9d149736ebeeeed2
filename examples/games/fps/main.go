// Fps is a first-person game: W, A, S, D walk, the mouse looks around, space jumps, and the left
// button throws a grenade. Doors swing when they are pushed. Escape frees the cursor.
package main

import (
	"fmt"
	"math"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/examples/games/play"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

const (
	walkSpeed  = 4.5    // m/s
	jumpSpeed  = 4.5    // m/s: 1 m high
	throwSpeed = 14     // m/s
	perPixel   = 0.0025 // radians
	fuse       = 1.6    // seconds
	blast      = 5      // metres
	flash      = 0.35   // seconds
)

var (
	up  = geom.V(0, 1, 0)
	eye = geom.V(0, 1.65, 0) // above the player's feet
)

// Flash is the component of an explosion that is seen.
type Flash struct{ Left float32 }

type game struct {
	world      ecs.World
	sim        physecs.Simulation
	ui         render.System
	dynamics   *physecs.Dynamics
	yaw, pitch float64
	player     ecs.Entity
	doors      []ecs.Entity
	crates     []ecs.Entity
	places     generic.Map1[physecs.Transform]
	movers     generic.Map2[physecs.Mover, physecs.MoverState]
	grenades   generic.Map4[physecs.Transform, physecs.Projectile, render.Visual, render.Material]
	flashes    generic.Map4[physecs.Transform, Flash, render.Visual, render.Material]
	burning    generic.Filter3[physecs.Transform, Flash, render.Material]
	wish       geom.Vec3
	thrown     int
	reached    bool // the yard behind the doors
}

func main() {
	g := newGame()
	play.Run(&play.Game{World: &g.world, Sim: &g.sim, UI: &g.ui, Input: g.input, Script: g.script})
}

func newGame() *game {
	g := &game{ // headless: nothing is hovered
		world: ecs.NewWorld(), sim: physecs.Simulation{Interpolate: true, Headless: true},
		burning: *generic.NewFilter3[physecs.Transform, Flash, render.Material](),
	}
	w := &g.world
	g.places = generic.NewMap1[physecs.Transform](w)
	g.movers = generic.NewMap2[physecs.Mover, physecs.MoverState](w)
	g.grenades = generic.NewMap4[physecs.Transform, physecs.Projectile, render.Visual, render.Material](w)
	g.flashes = generic.NewMap4[physecs.Transform, Flash, render.Visual, render.Material](w)
	g.sim.Mover.Filter.Sensors = true
	g.sim.BeforeStep("walk", func(*ecs.World) { g.mover().Velocity = g.wish })
	g.sim.AfterStep("events", g.events)
	g.sim.Initialize(w)
	g.dynamics = physecs.Resource[physecs.Dynamics](w)
	g.ui = render.System{Options: render.Options{Title: "Doors and grenades"}, Paint: g.paint}
	g.addLevel()
	g.addPlayer()
	return g
}

func (g *game) addLevel() {
	w := &g.world
	walls := generic.NewMap4[physecs.Transform, physecs.Collider, render.Material, physecs.Static](w)
	bodies := generic.NewMap4[physecs.Transform, physecs.Collider, render.Material, physecs.Body](w)
	joints := generic.NewMap1[physecs.Joint](w)
	wall := func(at, half geom.Vec3, color uint32) {
		walls.NewWith(&physecs.Transform{Position: at}, new(physecs.Box(half)), new(render.Paint(color)), &physecs.Static{})
	}
	walls.NewWith(new(geom.At(0, 0, 0)), new(physecs.Plane(up, 0)), new(render.Paint(0xB9BEB4)), &physecs.Static{})
	const (
		width  = 0.55 // half, of a door
		height = 1.1
		gap    = 0.05 // at the hinges: without it a door that turns meets the wall
		room   = 8    // half, in metres
	)
	for side := float32(-1); side <= 1; side += 2 {
		wall(geom.V(side*room, 1.5, 0), geom.V(0.2, 1.5, 2*room), 0x8E9BA8)
		wall(geom.V(0, 1.5, side*2*room), geom.V(room, 1.5, 0.2), 0x8E9BA8)
		wall(geom.V(side*(room+2*width)/2, 1.5, 0), geom.V((room-2*width)/2, 1.5, 0.15), 0xA3907C)
		door := bodies.NewWith(&physecs.Transform{Position: geom.V(side*(width-gap/4), height, 0)},
			new(physecs.Box(geom.V(width-gap, height-0.02, 0.04))), new(render.Paint(0x7A4E2E)), &physecs.Body{Mass: 25})
		hinge := g.dynamics.JointAt(w, rigid.HingeJoint, ecs.Entity{}, door, geom.V(side*2*width, height, 0), up)
		hinge.SpringHertz, hinge.SpringDamping = 0.35, 0.8 // it closes by itself
		joints.Assign(door, &hinge)
		g.doors = append(g.doors, door)
	}
	wall(geom.V(0, 2.6, 0), geom.V(2*width, 0.4, 0.15), 0xA3907C)
	wall(geom.V(-3, 0.3, 5), geom.V(1, 0.3, 1), 0x93A6A8) // to jump on
	for row := range 4 {
		for i := range 4 - row {
			at := geom.At(float32(i)*0.85+float32(row)*0.425-1.3, 0.4+0.8*float32(row), -6)
			g.crates = append(g.crates, bodies.NewWith(&at, new(physecs.Box(geom.V(0.4, 0.4, 0.4))),
				new(render.Paint(0xC9A15C)), &physecs.Body{Mass: 15}))
		}
	}
	yard := physecs.Box(geom.V(room, 1, 0.1))
	yard.Sensor = true
	zones := generic.NewMap2[physecs.Transform, physecs.Collider](w)
	zones.NewWith(new(geom.At(0, 1, -2)), &yard)
}

func (g *game) addPlayer() {
	things := generic.NewMap4[physecs.Transform, physecs.Collider, physecs.Mover, physecs.MoverState](&g.world)
	c := physecs.Capsule(0.6, 0.3)
	c.Center.Y = 0.9
	g.player = things.NewWith(new(geom.At(0, 0.02, 6)), &c, &physecs.Mover{AirControl: 10}, &physecs.MoverState{})
}

func (g *game) mover() *physecs.Mover { m, _ := g.movers.Get(g.player); return m }

// input reads mouse and keys.
func (g *game) input() {
	win := g.ui.Window
	if _, pressed := win.Buttons(); pressed.Has(picking.Left) {
		if win.CursorLocked() {
			g.throw()
		}
		win.LockCursor(true)
	}
	if win.WentDown("Escape") {
		win.LockCursor(false)
	}
	if win.CursorLocked() {
		dx, dy := win.Drag()
		g.yaw -= dx * perPixel
		g.pitch = min(max(g.pitch-dy*perPixel, -1.5), 1.5)
	}
	var to geom.Vec3
	for key, dir := range map[string]geom.Vec3{"W": {Z: -1}, "S": {Z: 1}, "A": {X: -1}, "D": {X: 1}} {
		if win.IsDown(key) {
			to = to.Add(dir)
		}
	}
	g.wish = geom.QuatEuler(g.yaw, 0, 0).Rotate(to.Normalize()).Mul(walkSpeed)
	if win.WentDown("Space") {
		g.mover().Jump = jumpSpeed
	}
}

// look puts the camera where the player's eyes are in this frame.
func (g *game) look(w *ecs.World) {
	view := physecs.Resource[physecs.View](w)
	view.Projection = picking.Perspective(1.1, 0.05, 200)
	view.Position = g.places.Get(g.player).Position.Add(eye)
	view.Rotation = geom.QuatEuler(g.yaw, g.pitch, 0)
}

// throw throws a grenade from the eyes.
func (g *game) throw() {
	view := physecs.Resource[physecs.View](&g.world)
	ahead := view.Rotation.Rotate(geom.V(0, 0, -1))
	g.grenades.NewWith(
		&physecs.Transform{Position: view.Position.Add(ahead.Mul(0.4))},
		&physecs.Projectile{
			Velocity: ahead.Mul(throwSpeed).Add(geom.V(0, 2, 0)), Acceleration: physecs.DefaultGravity, Owner: g.player,
			Radius: 0.07, Mass: 0.5, Restitution: 0.2, Friction: 0.8, Bounces: -1, Life: fuse, Remove: true,
		},
		&render.Visual{Shape: physecs.Sphere(0.07)}, new(render.Paint(0x2F3A2B)))
	g.thrown++
}

// events explodes grenades whose fuse has burnt, and lets flashes fade.
func (g *game) events(w *ecs.World) {
	for _, hit := range physecs.Resource[physecs.ProjectileHits](w).List {
		if hit.Event == physics.ProjectileExpired {
			g.dynamics.ApplyRadialImpulse(hit.Position.Sub(geom.V(0, 0.3, 0)), blast, 400, 1)
			g.flashes.NewWith(&physecs.Transform{Position: hit.Position}, &Flash{flash},
				&render.Visual{Shape: physecs.Sphere(1)}, new(render.Paint(0xFFB03A)))
		}
	}
	for _, pass := range physecs.Resource[physecs.MoverHits](w).Passed {
		g.reached = g.reached || pass.Mover == g.player
	}
	var out []ecs.Entity
	query := g.burning.Query(w)
	for query.Next() {
		t, f, m := query.Get()
		f.Left -= physecs.DefaultDT
		t.Scale = geom.V(1, 1, 1).Mul(0.3 + blast*0.4*(1-f.Left/flash))
		m.Color.A = uint8(200 * max(f.Left, 0) / flash)
		if f.Left <= 0 {
			out = append(out, query.Entity())
		}
	}
	for _, e := range out {
		w.RemoveEntity(e)
	}
}

func (g *game) paint(w *ecs.World, r *render.Renderer) {
	g.look(w)
	view := physecs.Resource[physecs.View](w)
	x, y := float32(view.Window.Width)/2, float32(view.Window.Height)/2
	r.HUD.Ring(x, y, 14, 2, render.WithAlpha(render.RGB(0xFFFFFF), 0.8))
	fallen := 0
	for _, e := range g.crates {
		if g.places.Get(e).Position.Y < 0.3 || g.dynamics.IsAwake(e) {
			fallen++
		}
	}
	yard := "no"
	if g.reached {
		yard = "yes"
	}
	r.HUD.Card(16, 16, 190, "Doors and grenades",
		render.Row{Key: "grenades thrown", Value: fmt.Sprint(g.thrown)},
		render.Row{Key: "crates in motion", Value: fmt.Sprint(fallen)},
		render.Row{Key: "yard reached", Value: yard})
	if !g.ui.Window.CursorLocked() {
		r.HUD.Label(x, y+40, "click to look around")
	}
}

// angle returns by how many degrees a door is open.
func (g *game) angle(i int) float64 {
	q := g.places.Get(g.doors[i]).Rotation
	return 2 * math.Atan2(math.Abs(float64(q.Y)), math.Abs(float64(q.W))) * 180 / math.Pi
}

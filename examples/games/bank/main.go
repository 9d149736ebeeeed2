// Bank is a shooting gallery of ricochets, seen from above. The pointer aims. The left button fires
// a ball, which hits drones only after it has come off a wall, and twice as fast through the green
// gate. The right button fires a slug through up to a metre of whatever is in its way, decided on
// the drones as they are seen: late, as over a network. The line of sight is a laser, which mirrors
// reflect, and which passes between the slats of the fence.
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
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

const (
	solid physics.Layers = physics.DefaultLayer << iota // of what has no layer of its own
	flying
	gates

	ballSpeed   = 12  // m/s
	pierces     = 1   // metres
	late        = 12  // ticks
	slat        = 0.5 // metres, of the fence, and of the gap beside it
	droneRadius = 0.4
)

var cannon = geom.V(-8, 0.5, 0)

// Drone is the component of a target that flies to and fro.
type Drone struct{ Speed float32 } // m/s, along Z

type game struct {
	world   ecs.World
	sim     physecs.Simulation
	ui      render.System
	space   *physecs.Space
	history *physecs.History
	drones  generic.Map3[physecs.Transform, physecs.Collider, Drone]
	flight  generic.Filter2[physecs.Transform, Drone]
	balls   generic.Map4[physecs.Transform, physecs.Projectile, render.Visual, render.Material]
	drone   ecs.ID // of the component
	fence   ecs.Entity
	aim     geom.Vec3          // on the floor
	seen    []geom.Vec3        // where drones are drawn
	wounds  []physecs.Crossing // of the last slug
	banked  int                // drones that balls have hit
	pierced int                // drones that slugs have
	fast    int                // balls through the gate
}

func main() {
	g := newGame()
	play.Run(&play.Game{World: &g.world, Sim: &g.sim, UI: &g.ui, Input: g.input, Script: g.script})
}

func newGame() *game {
	g := &game{world: ecs.NewWorld(), sim: physecs.Simulation{Headless: true}, flight: *generic.NewFilter2[physecs.Transform, Drone]()}
	w := &g.world
	g.drones = generic.NewMap3[physecs.Transform, physecs.Collider, Drone](w)
	g.balls = generic.NewMap4[physecs.Transform, physecs.Projectile, render.Visual, render.Material](w)
	g.drone = ecs.ComponentID[Drone](w)
	g.sim.History = &physecs.HistorySystem{}
	g.sim.Projectile.Filter.Sensors = true // for the gate
	g.sim.BeforeStep("fly", g.fly)
	g.sim.AfterStep("hits", g.hits)
	g.sim.Initialize(w)
	g.space, g.history = physecs.Resource[physecs.Space](w), physecs.Resource[physecs.History](w)
	g.ui = render.System{Options: render.Options{Title: "Bank shots"}, Paint: g.paint}
	view := physecs.Resource[physecs.View](w)
	view.Projection = picking.Perspective(0.7, 0.1, 100)
	view.LookAt(geom.V(0, 19, 6), geom.V(0, 0, 0.5), geom.V(0, 1, 0))
	g.addLevel()
	return g
}

func (g *game) addLevel() {
	w := &g.world
	things := generic.NewMap3[physecs.Transform, physecs.Collider, render.Material](w)
	seen := generic.NewMap3[physecs.Transform, render.Visual, render.Material](w)
	wall := func(at, half geom.Vec3, yaw float64, color uint32) ecs.Entity {
		return things.NewWith(&physecs.Transform{Position: at, Rotation: geom.QuatEuler(yaw, 0, 0)}, new(physecs.Box(half)), new(render.Paint(color)))
	}
	for side := float32(-1); side <= 1; side += 2 {
		wall(geom.V(side*10, 0.5, 0), geom.V(0.2, 0.5, 6.2), 0, 0x8E9BA8)
		wall(geom.V(0, 0.5, side*6), geom.V(10, 0.5, 0.2), 0, 0x8E9BA8)
		wall(geom.V(-1, 0.5, side*3), geom.V(1, 0.5, 0.1), float64(side)*0.6, 0xA9D6E5)
	}
	seen.NewWith(new(geom.At(0, -0.1, 0)), &render.Visual{Shape: physecs.Box(geom.V(10, 0.1, 6))}, new(render.Paint(0x5D6A6E)))
	// The fence is one box; that light passes between its slats is up to the filter of the laser.
	c := physecs.Box(geom.V(0.05, 0.5, 2))
	unseen := generic.NewMap2[physecs.Transform, physecs.Collider](w)
	g.fence = unseen.NewWith(new(geom.At(3, 0.5, 0)), &c)
	for z := float32(-2); z < 2; z += 2 * slat {
		seen.NewWith(new(geom.At(3, 0.5, z+slat/2)), &render.Visual{Shape: physecs.Box(geom.V(0.05, 0.5, slat/2))}, new(render.Paint(0x7A4E2E)))
	}
	sensor := physecs.Box(geom.V(0.1, 0.5, 1.2))
	sensor.Sensor, sensor.Layer = true, gates
	things.NewWith(new(geom.At(-5, 0.5, 3.4)), &sensor, &render.Material{Color: render.WithAlpha(render.RGB(0x3CB371), 0.5)})
	for i := range 3 {
		c := physecs.Sphere(droneRadius)
		c.Layer = flying
		g.drones.NewWith(new(geom.At(5+1.4*float32(i), 0.5, float32(2*i)-2)), &c, &Drone{4 + float32(i)})
	}
}

func (g *game) fly(w *ecs.World) {
	query := g.flight.Query(w)
	for query.Next() {
		t, d := query.Get()
		if t.Position.Z*d.Speed > 5*float32(math.Abs(float64(d.Speed))) {
			d.Speed = -d.Speed
		}
		t.Position.Z += d.Speed * physecs.DefaultDT
	}
}

func (g *game) isDrone(e ecs.Entity) bool { return g.world.Alive(e) && g.world.Has(e, g.drone) }

// fire fires a ball, which no drone is in the way of yet.
func (g *game) fire() {
	g.balls.NewWith(&physecs.Transform{Position: cannon}, &physecs.Projectile{
		Velocity: g.sight().Dir.Mul(ballSpeed), Radius: 0.15, Restitution: 1, Bounces: 5, Life: 4, Mask: solid | gates, Remove: true,
	}, &render.Visual{Shape: physecs.Sphere(0.15)}, new(render.Paint(0xE8C547)))
}

func (g *game) hits(w *ecs.World) {
	for _, hit := range physecs.Resource[physecs.ProjectileHits](w).List {
		_, ball, _, paint := g.balls.Get(hit.Projectile)
		switch {
		case hit.Event == physics.ProjectilePassed && hit.T > 0: // it comes to the gate
			ball.Velocity = ball.Velocity.Mul(2)
			g.fast++
		case g.isDrone(hit.Entity):
			w.RemoveEntity(hit.Entity)
			g.banked++
		case hit.Event == physics.ProjectileBounced:
			ball.Mask |= flying
			paint.Color = render.RGB(0xE4572E)
		}
	}
}

// sight returns the ray from the cannon to what is aimed at.
func (g *game) sight() geom.Ray {
	return geom.NewRay(cannon, g.aim.WithAxis(geom.Y, cannon.Y).Sub(cannon).Normalize())
}

// laser returns the corners of the way of light from the cannon.
func (g *game) laser() []geom.Vec3 {
	way, ray := []geom.Vec3{cannon}, g.sight()
	ray.MaxT = 40
	light := physecs.Filter{Mask: solid, HitPredicate: func(h physecs.Hit) bool {
		return h.Entity != g.fence || math.Mod(float64(h.Point.Z)+2, 2*slat) < slat
	}}
	for range 8 {
		hit, ok := g.space.CastRay(ray, light)
		if !ok {
			return append(way, ray.At(ray.MaxT))
		}
		way = append(way, hit.Point)
		ray = ray.Reflect(hit.Hit.Hit)
	}
	return way
}

// slug fires a slug at the world as it is seen, and finds what it enters and leaves.
func (g *game) slug() {
	g.wounds = g.wounds[:0]
	past, left := g.past(), float32(pierces)
	if past == nil {
		return
	}
	defer past.Release()
	for _, c := range past.Crossings(nil, g.sight(), physecs.Filter{}) {
		if left -= c.Thickness(); left < 0 {
			break
		}
		g.wounds = append(g.wounds, c)
		if g.isDrone(c.Entity) {
			g.world.RemoveEntity(c.Entity)
			g.pierced++
		}
	}
}

// past returns the world as it is seen; nil before there is one.
func (g *game) past() *physecs.Snapshot {
	_, now, _ := g.history.Ticks()
	past, err := g.history.At(now - late)
	if err != nil {
		return nil
	}
	return past
}

func (g *game) input() {
	win := g.ui.Window
	x, y, _ := win.Cursor()
	if ray, ok := physecs.Resource[physecs.View](&g.world).Ray(x, y); ok {
		if hit, ok := (geom.Plane{Normal: geom.V(0, 1, 0), D: cannon.Y}).CastRay(ray, geom.CullNone); ok {
			g.aim = hit.Point
		}
	}
	_, pressed := win.Buttons()
	if pressed.Has(picking.Left) {
		g.fire()
	}
	if pressed.Has(picking.Right) {
		g.slug()
	}
}

// see finds where drones are seen.
func (g *game) see() {
	g.seen = g.seen[:0]
	past := g.past()
	if past == nil {
		return
	}
	defer past.Release()
	for _, e := range past.OverlapSphere(nil, geom.Sphere{Radius: 20}, physecs.Filter{Mask: flying}) {
		if b, ok := past.Bounds(e); ok && g.isDrone(e) {
			g.seen = append(g.seen, b.Center())
		}
	}
}

func (g *game) paint(w *ecs.World, r *render.Renderer) {
	g.see()
	for _, at := range g.seen {
		r.Lines.Sphere(geom.Sphere{Center: at, Radius: droneRadius}, render.RGB(0xE63946))
	}
	way := g.laser()
	for i := 1; i < len(way); i++ {
		r.Lines.Segment(way[i-1], way[i], render.RGB(0xFF5D8F))
	}
	for _, c := range g.wounds {
		r.Lines.Segment(c.Enter.Point, c.Exit.Point, render.RGB(0xFFD166))
		r.Lines.Sphere(geom.Sphere{Center: c.Exit.Point, Radius: 0.12}, render.RGB(0xFFD166))
	}
	r.HUD.Card(16, 16, 190, "Bank shots",
		render.Row{Key: "off a wall", Value: fmt.Sprint(g.banked)},
		render.Row{Key: "pierced", Value: fmt.Sprint(g.pierced)},
		render.Row{Key: "through the gate", Value: fmt.Sprint(g.fast)})
}

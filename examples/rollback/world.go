package main

import (
	"errors"
	"math"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// game is the world of the server or of a peer. All are made alike, so that the number of an entity
// means the same in each.
type game struct {
	world       ecs.World
	dynamics    physecs.DynamicsSystem
	movers      physecs.MoverSystem
	projectiles physecs.ProjectileSystem
	recorder    physecs.HistorySystem
	bodies      *physecs.Dynamics
	history     *physecs.History
	tick        int64
	round       int64 // in ticks; 0: one that does not end
	beginning   saved // of each round

	things  []ecs.Entity // by number
	cars    [players]car
	walkers []ecs.Entity // the first are those of the players
	balls   [players]ecs.Entity

	places     generic.Map[physecs.Transform]
	velocities generic.Map[physecs.Velocity]
	steps      generic.Map[physecs.Mover]
	states     generic.Map[physecs.MoverState]
	flights    generic.Map[physecs.Projectile]
	steerings  generic.Map1[steering]
	lives      generic.Map[life]
	joints     generic.Map1[physecs.Joint]
}

// steering and life are components of the game's own. [game.save] saves them too.
type (
	steering struct{ angle float32 }      // of a car, in radians
	life     struct{ points, lost int32 } // of a walker
)

const (
	fullLife = 100
	others   = 6 // walkers without a player
)

func newGame(o options) *game {
	g := &game{world: ecs.NewWorld(), recorder: physecs.HistorySystem{Tick: 1}, round: int64(o.round)}
	w := &g.world
	g.dynamics.Initialize(w)
	g.movers.Initialize(w)
	g.projectiles.Initialize(w)
	g.recorder.Initialize(w)
	g.bodies, g.history = ecs.GetResource[physecs.Dynamics](w), ecs.GetResource[physecs.History](w)
	g.places, g.velocities = generic.NewMap[physecs.Transform](w), generic.NewMap[physecs.Velocity](w)
	g.steps, g.states = generic.NewMap[physecs.Mover](w), generic.NewMap[physecs.MoverState](w)
	g.flights, g.joints = generic.NewMap[physecs.Projectile](w), generic.NewMap1[physecs.Joint](w)
	g.steerings, g.lives = generic.NewMap1[steering](w), generic.NewMap[life](w)

	ground := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Static](w)
	for _, b := range [...][2]geom.Vec3{
		{{Y: -1}, {X: 31, Y: 1, Z: 31}}, {{X: 31, Y: 2}, {X: 1, Y: 2, Z: 31}}, {{X: -31, Y: 2}, {X: 1, Y: 2, Z: 31}},
		{{Z: 31, Y: 2}, {X: 31, Y: 2, Z: 1}}, {{Z: -31, Y: 2}, {X: 31, Y: 2, Z: 1}},
	} {
		ground.NewWith(&physecs.Transform{Position: b[0]}, new(physecs.Box(b[1])), &physecs.Static{})
	}
	for i := range o.bodies { // walls of boxes and balls, five high
		x, y, z := float32(i/5%5)-2, 0.4+float32(0.8*float32(i%5)), float32(6*(i/25%8)-21)
		at := geom.At(float32(0.85*x)+float32(i/200*6), y, z)
		if shape := physecs.Box(geom.V(0.4, 0.4, 0.4)); i%5 < 4 {
			g.addBody(at, shape, 150)
		} else {
			g.addBody(at, physecs.Sphere(0.4), 150)
		}
	}
	for i := range o.ragdolls {
		g.addRagdoll(geom.V(float32(8+i%4), 1.5, float32(6*(i/4)-3)))
	}
	for i := range players {
		g.cars[i] = g.addCar(geom.V(12*float32(2*i-1), 0.8, -10))
	}
	walkers := generic.NewMap5[physecs.Transform, physecs.Collider, physecs.Mover, physecs.MoverState, life](w)
	for i := range players + others {
		at := g.home(i)
		c := physecs.Capsule(0.6, 0.3)
		c.User = uint64(len(g.things))
		e := walkers.NewWith(&at, &c, &physecs.Mover{AirControl: 5}, &physecs.MoverState{}, &life{points: fullLife})
		g.walkers, g.things = append(g.walkers, e), append(g.things, e)
	}
	balls := generic.NewMap2[physecs.Transform, physecs.Projectile](w)
	for i := range g.balls { // made once, and thrown again: an entity that dies can't be restored
		g.balls[i] = balls.NewWith(&physecs.Transform{}, &physecs.Projectile{Done: true})
	}
	g.dynamics.Update(w)
	g.save(&g.beginning)
	return g
}

// addBody adds a body with a density in kg/m³.
func (g *game) addBody(at physecs.Transform, c physecs.Collider, density float32) ecs.Entity {
	make := generic.NewMap4[physecs.Transform, physecs.Collider, physecs.Body, physecs.Velocity](&g.world)
	c.User = uint64(len(g.things))
	e := make.NewWith(&at, &c, &physecs.Body{Density: density}, &physecs.Velocity{})
	g.things = append(g.things, e)
	return e
}

// home returns where a walker begins.
func (g *game) home(i int) physecs.Transform {
	return geom.At(float32(-8-2*(i%4)), 1, float32(8*(i/4)-4))
}

// step simulates a tick, after which g.tick is its number.
func (g *game) step(s *step) {
	g.tick++
	if g.round > 0 && g.tick%g.round == 0 {
		g.begin()
	}
	for i := range players {
		in := &s.inputs[i]
		g.drive(&g.cars[i], in)
		m := g.steps.Get(g.walkers[i])
		m.Velocity = geom.V(4*in.walkX, 0, 4*in.walkZ)
		if in.jump {
			m.Jump = 5
		}
		if ball := g.flights.Get(g.balls[i]); in.throw && ball.Done {
			g.places.Get(g.balls[i]).Position = g.places.Get(g.walkers[i]).Position.Add(geom.V(0, 0.8, 0))
			*ball = physecs.Projectile{
				Velocity: geom.V(float32(8*in.walkX)+3, 4, 8*in.walkZ), Acceleration: physecs.DefaultGravity, Owner: g.walkers[i],
				Radius: 0.15, Restitution: 0.6, Friction: 0.3, Mass: 20, Life: 2, Bounces: -1,
			}
		}
		g.strike(&s.shots[i], in.aim)
	}
	for i, e := range g.walkers[players:] { // in squares, each at its own time
		side := geom.V(3, 0, 0)
		if quarter := (g.tick/90 + int64(i)) % 4; quarter%2 == 1 {
			side = geom.V(0, 0, 3)
		} else if quarter > 1 {
			side = side.Neg()
		}
		if (g.tick/180+int64(i))%2 == 1 {
			side = side.Neg()
		}
		g.steps.Get(e).Velocity = side
	}
	g.dynamics.Update(&g.world)
	g.movers.Update(&g.world)
	g.projectiles.Update(&g.world)
	g.recorder.Update(&g.world) // the space as of this tick, for shots
}

// begin begins a round: everything is again as it was at first.
func (g *game) begin() {
	tick := g.tick
	g.restore(&g.beginning)
	g.tick, g.recorder.Tick = tick, tick
}

// strike is what a shot does to what it has hit.
func (g *game) strike(s *shot, aim geom.Vec3) {
	if s.target == nothing {
		return
	}
	e := g.things[s.target]
	g.bodies.ApplyImpulseAt(e, aim.Normalize().Mul(150), s.point)
	if !g.lives.Has(e) {
		return
	}
	l := g.lives.Get(e)
	if l.points -= 20; l.points > 0 {
		return
	}
	*l = life{fullLife, l.lost + 1}
	for i := range g.walkers {
		if g.walkers[i] == e {
			*g.places.Get(e), *g.states.Get(e) = g.home(i), physecs.MoverState{}
		}
	}
}

// decide returns what the shot of a player hits, on the space as the player saw it. It is an error
// if the moment is too old, or not there yet: the shot then hits nothing.
func (g *game) decide(who int, in *input) (shot, error) {
	if !in.fire {
		return shot{target: nothing}, nil
	}
	past, err := g.history.Between(in.seen.tick, in.seen.tick+1, in.seen.share)
	if err != nil {
		return shot{target: nothing}, err
	}
	defer past.Release()
	ray := geom.Ray{Origin: in.muzzle, Dir: in.aim, MaxT: 10}
	hit, ok := past.CastRay(ray, physecs.Filter{Exclude: []ecs.Entity{g.walkers[who]}})
	if !ok || hit.User == 0 && hit.Entity != g.things[0] { // ground has no number
		return shot{target: nothing}, nil
	}
	return shot{int(hit.User), hit.Point}, nil
}

// hash returns a hash of everything that a tick changes.
func (g *game) hash() uint64 {
	h := uint64(g.tick)
	add := func(numbers ...float32) {
		for _, x := range numbers {
			h = (h ^ uint64(math.Float32bits(x))) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
	}
	vec := func(v geom.Vec3) { add(v.X, v.Y, v.Z) }
	for _, e := range g.things {
		t := g.places.Get(e)
		vec(t.Position)
		add(t.Rotation.X, t.Rotation.Y, t.Rotation.Z, t.Rotation.W)
		if g.velocities.Has(e) {
			v := g.velocities.Get(e)
			vec(v.Linear)
			vec(v.Angular)
		}
	}
	for _, e := range g.walkers {
		vec(g.states.Get(e).Velocity)
		l := g.lives.Get(e)
		add(float32(l.points), float32(l.lost))
	}
	for i, e := range g.balls {
		vec(g.places.Get(e).Position)
		vec(g.flights.Get(e).Velocity)
		add(g.steerings.Get(g.cars[i].hull).angle)
	}
	return h
}

// saved is a state of a game: that of the library, and the components of the game's own.
type saved struct {
	tick      int64
	bodies    physecs.DynamicsState
	steerings physecs.ComponentState[steering]
	lives     physecs.ComponentState[life]
}

func (g *game) save(s *saved) {
	s.tick = g.tick
	g.bodies.Save(&g.world, &s.bodies)
	s.steerings.Save(&g.world)
	s.lives.Save(&g.world)
}

// world is a packet of the server: a whole world, for a peer that joins late.
type world struct {
	tick                     int64
	bodies, steerings, lives []byte
}

func (g *game) bytes() world {
	w := &g.world
	return world{
		g.tick, g.bodies.AppendState(w, nil), physecs.AppendComponents[steering](w, nil), physecs.AppendComponents[life](w, nil),
	}
}

// load makes the game what another was.
func (g *game) load(s *world) error {
	g.tick, g.recorder.Tick = s.tick, s.tick+1
	return errors.Join(g.bodies.LoadState(&g.world, s.bodies),
		physecs.LoadComponents[steering](&g.world, s.steerings), physecs.LoadComponents[life](&g.world, s.lives))
}

func (g *game) restore(s *saved) {
	g.bodies.Restore(&g.world, &s.bodies)
	s.steerings.Restore(&g.world)
	s.lives.Restore(&g.world)
	g.tick, g.recorder.Tick = s.tick, s.tick+1
}

package main

import (
	"math/rand/v2"
	"time"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// game is the world and the systems that change it.
//
// The same seed gives the same game, for three reasons: all random numbers come from one generator,
// which one goroutine calls in the order of queries; time is counted in ticks; and the systems of
// physecs, which use all processors, have the same results on any number of them. See chance.go for
// what a game must avoid.
type game struct {
	world  ecs.World
	rate   int     // ticks a second
	dt     float32 // seconds a tick
	now    int     // ticks that have been
	source *rand.PCG
	chance *rand.Rand
	sim    physecs.Simulation
	costs  []cost // of its parts, in their order
	whole  cost   // of all of them

	// Resources that the systems write, to be read after them.
	space    *physecs.Space
	seen     *physecs.CasterHits
	impacts  *physecs.ProjectileHits
	contacts *physecs.Contacts

	makeBot    generic.Map7[physecs.Transform, physecs.Collider, physecs.Mover, physecs.MoverState, physecs.Movable, physecs.RayCaster, Bot]
	makeBullet generic.Map2[physecs.Transform, physecs.Projectile]
	thinking   *generic.Filter5[physecs.Transform, physecs.Mover, physecs.MoverState, physecs.RayCaster, Bot]
	held       *generic.Filter1[Zone]
	transforms generic.Map[physecs.Transform]
	bots       generic.Map[Bot]
	zones      generic.Map[Zone]

	hall  hall
	shots []shot  // to be fired in this tick
	dead  []death // waiting to come back, the first to die first
	count counts
}

// cost is the time that a part of the ticks took.
type cost struct {
	name       string
	sum, worst time.Duration
}

func (c *cost) add(d time.Duration) { c.sum, c.worst = c.sum+d, max(c.worst, d) }

func newGame(o options) (*game, error) {
	g := &game{world: ecs.NewWorld(), rate: o.rate, dt: 1 / float32(o.rate)}
	g.source = rand.NewPCG(o.seed, 0)
	g.chance = rand.New(g.source)

	g.whole.name = "all"
	g.sim.Step, g.sim.Headless, g.sim.Contact = g.dt, true, new(physecs.ContactSystem)
	g.sim.Separate.Up = geom.V(0, 1, 0) // push along the floor, and no bot up onto another
	// Bots are pushed apart, look and fire in the world of one Sync, and walk at the end of the
	// step, out of the ramps into which they were pushed.
	g.sim.BeforeStep("think", g.think)
	g.sim.BeforeStep("fire", g.fire)
	g.sim.BeforeStep("respawn", g.respawn)
	g.sim.After(&g.sim.Caster, "look", g.look)
	g.sim.After(g.sim.Contact, "zones", g.capture)
	g.sim.After(g.sim.Contact, "damage", g.damage)
	w := &g.world
	g.initialize()

	g.makeBot = generic.NewMap7[physecs.Transform, physecs.Collider, physecs.Mover, physecs.MoverState, physecs.Movable, physecs.RayCaster, Bot](w)
	g.makeBullet = generic.NewMap2[physecs.Transform, physecs.Projectile](w)
	g.thinking = generic.NewFilter5[physecs.Transform, physecs.Mover, physecs.MoverState, physecs.RayCaster, Bot]()
	g.held = generic.NewFilter1[Zone]()
	g.transforms, g.bots, g.zones = generic.NewMap[physecs.Transform](w), generic.NewMap[Bot](w), generic.NewMap[Zone](w)

	if err := g.build(o.movers); err != nil {
		return nil, err
	}
	for i := range o.movers {
		g.enter(Team(1+i%2), g.spawn())
	}
	physecs.Sync(w)
	return g, nil
}

// initialize adds what the systems write to the world, and finds it.
func (g *game) initialize() {
	w := &g.world
	g.sim.Initialize(w)
	g.space = ecs.GetResource[physecs.Space](w)
	g.seen = ecs.GetResource[physecs.CasterHits](w)
	g.impacts = ecs.GetResource[physecs.ProjectileHits](w)
	g.contacts = ecs.GetResource[physecs.Contacts](w)
}

// tick makes one step.
func (g *game) tick() {
	start := time.Now()
	g.sim.Update(&g.world)
	g.whole.add(time.Since(start))
	i := 0
	for name, d := range g.sim.Times() {
		if i == len(g.costs) {
			g.costs = append(g.costs, cost{name: name})
		}
		g.costs[i].add(d)
		i++
	}
	g.now++
}

// ticks converts milliseconds to ticks.
func (g *game) ticks(milliseconds int) int { return max(1, g.rate*milliseconds/1000) }

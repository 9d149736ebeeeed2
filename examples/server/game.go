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
	steps  []step
	whole  step // all of them

	mover    physecs.MoverSystem
	sync     physecs.SyncSystem
	separate physecs.SeparateSystem
	caster   physecs.CasterSystem
	bullets  physecs.ProjectileSystem
	contact  physecs.ContactSystem

	// Resources that the systems write, to be read after them.
	space    *physecs.Space
	seen     *physecs.CasterHits
	impacts  *physecs.ProjectileHits
	contacts *physecs.Contacts

	makeBot    generic.Map7[physecs.Transform, physecs.Collider, physecs.Mover, physecs.MoverState, physecs.Movable, physecs.RayCaster, Bot]
	makeBullet generic.Map2[physecs.Transform, physecs.Projectile]
	thinking   *generic.Filter5[physecs.Transform, physecs.Mover, physecs.MoverState, physecs.RayCaster, Bot]
	transforms generic.Map[physecs.Transform]
	bots       generic.Map[Bot]
	zones      generic.Map[Zone]

	hall  hall
	shots []shot  // to be fired in this tick
	dead  []death // waiting to come back, the first to die first
	count counts
}

// step is a part of a tick, with its cost.
type step struct {
	name       string
	run        func(*ecs.World)
	sum, worst time.Duration
}

func (s *step) spent(d time.Duration) { s.sum, s.worst = s.sum+d, max(s.worst, d) }

func newGame(o options) (*game, error) {
	g := &game{world: ecs.NewWorld(), rate: o.rate, dt: 1 / float32(o.rate)}
	g.source = rand.NewPCG(o.seed, 0)
	g.chance = rand.New(g.source)

	g.mover.DT, g.bullets.DT = g.dt, g.dt
	g.separate.Up = geom.V(0, 1, 0) // push along the floor, and no bot up onto another
	w := &g.world
	for _, s := range []interface{ Initialize(*ecs.World) }{&g.sync, &g.mover, &g.separate, &g.caster, &g.bullets, &g.contact} {
		s.Initialize(w)
	}
	g.space = ecs.GetResource[physecs.Space](w)
	g.seen = ecs.GetResource[physecs.CasterHits](w)
	g.impacts = ecs.GetResource[physecs.ProjectileHits](w)
	g.contacts = ecs.GetResource[physecs.Contacts](w)

	g.makeBot = generic.NewMap7[physecs.Transform, physecs.Collider, physecs.Mover, physecs.MoverState, physecs.Movable, physecs.RayCaster, Bot](w)
	g.makeBullet = generic.NewMap2[physecs.Transform, physecs.Projectile](w)
	g.thinking = generic.NewFilter5[physecs.Transform, physecs.Mover, physecs.MoverState, physecs.RayCaster, Bot]()
	g.transforms, g.bots, g.zones = generic.NewMap[physecs.Transform](w), generic.NewMap[Bot](w), generic.NewMap[Zone](w)

	// Readers run after writers. Queries see the world as of the last sync and of separate, which
	// moves colliders too, so one sync a tick is enough. Walking is last: it also moves bots out of
	// the ramps into which separate has pushed them, so that after a tick no bot is in the level.
	g.whole.name = "all"
	g.steps = []step{
		{name: "think", run: g.think},
		{name: "fire", run: g.fire},
		{name: "respawn", run: g.respawn},
		{name: "sync", run: g.sync.Update},
		{name: "separate", run: g.separate.Update},
		{name: "look", run: g.caster.Update},
		{name: "bullets", run: g.bullets.Update},
		{name: "contacts", run: g.contact.Update},
		{name: "zones", run: g.capture},
		{name: "damage", run: g.damage},
		{name: "walk", run: g.mover.Update},
	}

	if err := g.build(o.movers); err != nil {
		return nil, err
	}
	for i := range o.movers {
		g.enter(Team(1+i%2), g.spawn())
	}
	g.sync.Update(w)
	return g, nil
}

// tick runs all steps once.
func (g *game) tick() {
	start := time.Now()
	last := start
	for i := range g.steps {
		s := &g.steps[i]
		s.run(&g.world)
		now := time.Now()
		s.spent(now.Sub(last))
		last = now
	}
	g.whole.spent(last.Sub(start))
	g.now++
}

// ticks converts milliseconds to ticks.
func (g *game) ticks(milliseconds int) int { return max(1, g.rate*milliseconds/1000) }

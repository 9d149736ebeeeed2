package main

import (
	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

const (
	bulletSpeed  = 120 // metres a second: 4 m a tick, and yet no wall is passed
	bulletDamage = 34
	spread       = 0.12 // how far a shot goes astray along each axis, in metres a metre
)

// shot is a bullet to be created. The world is locked within the loop of a query, so shots are
// collected there and created afterwards.
type shot struct {
	owner    ecs.Entity
	from     geom.Vec3
	velocity geom.Vec3
	mask     physics.Layers
}

// aim adds a shot of one bot at another, with a random error.
func (g *game) aim(e ecs.Entity, at geom.Vec3, target ecs.Entity, team Team) {
	from := at.Add(eye)
	way := g.transforms.Get(target).Position.Add(chest).Sub(from).Normalize()
	way = way.Add(geom.V(g.between(-spread, spread), g.between(-spread, spread), g.between(-spread, spread)))
	g.shots = append(g.shots, shot{e, from, way.Mul(bulletSpeed), layerLevel | team.Foe().layer()})
}

// fire creates the bullets of the collected shots.
func (g *game) fire(*ecs.World) {
	for _, s := range g.shots {
		transform, bullet := g.makeBullet.Get(g.makeBullet.New())
		*transform = geom.Transform{Position: s.from}
		*bullet = physecs.Projectile{Velocity: s.velocity, Owner: s.owner, Mask: s.mask, Radius: 0.02, Life: 0.5, Remove: true}
	}
	g.count.shots += len(g.shots)
	g.shots = g.shots[:0]
}

// damage takes health from the bots that bullets have hit.
func (g *game) damage(w *ecs.World) {
	for i := range g.impacts.List {
		h := &g.impacts.List[i]
		// An earlier hit of the list may have killed this target.
		if h.Event != physics.ProjectileStopped || h.User == userLevel || !w.Alive(h.Entity) {
			continue
		}
		g.count.hits++
		bot := g.bots.Get(h.Entity)
		if bot.Health -= bulletDamage; bot.Health <= 0 {
			g.die(h.Entity, bot.Team)
		}
	}
}

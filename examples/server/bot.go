package main

import (
	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Team is one of two.
type Team uint8

// The teams.
const (
	Nobody Team = iota
	Red
	Blue
)

// Foe returns the other team.
func (t Team) Foe() Team { return 3 - t }

func (t Team) layer() physics.Layers {
	if t == Red {
		return layerRed
	}
	return layerBlue
}

// Bot is the component of a bot. Like all components it holds no pointer: Arche copies components
// unseen by the garbage collector.
type Bot struct {
	Goal     geom.Vec3 // where it goes
	Patience int32     // ticks until it goes elsewhere
	Reload   int32     // ticks until it can fire
	Health   int32     // of fullHealth
	Team     Team
}

const (
	botRadius  = 0.3 // metres
	botHeight  = 1.8
	botSpeed   = 5 // metres a second
	fullHealth = 100
)

var (
	eye   = geom.V(0, 1.6, 0) // of a bot, above its feet
	chest = geom.V(0, 1.2, 0)
)

// enter brings a bot into the world. What is written in place of NewWith makes no garbage.
func (g *game) enter(team Team, at geom.Vec3) {
	transform, collider, mover, _, _, caster, bot := g.makeBot.Get(g.makeBot.New())
	*transform = geom.Transform{Position: at}
	*collider = physecs.Capsule(botHeight/2-botRadius, botRadius)
	collider.Center = geom.V(0, botHeight/2, 0) // its Transform is where its feet are
	collider.Layer, collider.User = team.layer(), uint64(team)
	mover.Mask = layerLevel // others are in nobody's way: SeparateSystem has to do with them
	*caster = physecs.RayCaster{
		// Only the level hides, so that the ray need not know who is who and is cast in one batch
		// with all others.
		Ray: geom.Ray{Origin: eye}, TargetPoint: chest, Follow: physecs.FollowPosition,
		Mask: layerLevel, Ignore: physecs.IgnoreNobody, Disabled: true,
	}
	*bot = Bot{Goal: at, Health: fullHealth, Team: team}
}

// death is a bot that will come back.
type death struct {
	team Team
	tick int // when
}

// die takes a bot out of the world.
func (g *game) die(e ecs.Entity, team Team) {
	g.world.RemoveEntity(e)
	g.dead = append(g.dead, death{team, g.now + g.ticks(2000)})
	g.count.deaths++
}

// respawn brings back whose time has come.
func (g *game) respawn(*ecs.World) {
	n := 0
	for ; n < len(g.dead) && g.dead[n].tick <= g.now; n++ {
		g.enter(g.dead[n].team, g.spawn())
		g.count.respawns++
	}
	g.dead = append(g.dead[:0], g.dead[n:]...) // to the front, so that the memory is used again
}

package main

import (
	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Team is the side on which a bot fights.
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

// Bot is the component of a bot. It holds no pointer, since Arche copies components as raw bytes,
// out of the garbage collector's view.
type Bot struct {
	Goal     geom.Vec3 // where it goes
	Patience int32     // ticks until it goes elsewhere
	Reload   int32     // ticks until it can fire
	Health   int32     // of fullHealth
	Team     Team
	Sees     bool // its target, in the last tick
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

// enter creates the entity of a bot. It writes the components in place, since NewWith would
// allocate.
func (g *game) enter(team Team, at geom.Vec3) {
	transform, collider, mover, _, _, caster, bot := g.makeBot.Get(g.makeBot.New())
	*transform = geom.Transform{Position: at}
	*collider = physecs.Capsule(botHeight/2-botRadius, botRadius)
	collider.Center = geom.V(0, botHeight/2, 0) // its Transform is where its feet are
	collider.Layer, collider.User = team.layer(), uint64(team)
	mover.Mask = layerLevel // bots do not block each other: SeparateSystem pushes them apart
	*caster = physecs.RayCaster{
		// Only the level blocks this ray. So it needs no predicate, and all such rays are cast as
		// one batch.
		Ray: geom.Ray{Origin: eye}, TargetPoint: chest, Follow: physecs.FollowPosition,
		Mask: layerLevel, Ignore: physecs.IgnoreNone, Disabled: true,
	}
	*bot = Bot{Goal: at, Health: fullHealth, Team: team}
}

// death is a dead bot and the tick at which it respawns.
type death struct {
	team Team
	tick int // when
}

// die removes the entity of a bot.
func (g *game) die(e ecs.Entity, team Team) {
	g.world.RemoveEntity(e)
	g.dead = append(g.dead, death{team, g.now + g.ticks(2000)})
	g.count.deaths++
}

// respawn creates the bots whose waiting time is over.
func (g *game) respawn(*ecs.World) {
	n := 0
	for ; n < len(g.dead) && g.dead[n].tick <= g.now; n++ {
		g.enter(g.dead[n].team, g.spawn())
		g.count.respawns++
	}
	g.dead = append(g.dead[:0], g.dead[n:]...) // to the front, so that the memory is used again
}

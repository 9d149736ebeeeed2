package main

import (
	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// think decides for each bot where it goes, what it looks at, and whether it fires. It moves
// nothing.
func (g *game) think(w *ecs.World) {
	turns := g.ticks(500) // a bot looks for a foe twice a second: not all in the same tick
	query := g.thinking.Query(w)
	for query.Next() {
		e := query.Entity()
		transform, mover, state, caster, bot := query.Get()
		at := transform.Position
		g.walkOn(at, state, bot)
		mover.Velocity = bot.Goal.Sub(at).WithAxis(geom.Y, 0).Normalize().Mul(botSpeed)
		bot.Reload = max(0, bot.Reload-1)
		if bot.Reload == 0 && bot.Sees && w.Alive(caster.Target) {
			g.aim(e, at, caster.Target, bot.Team)
			bot.Reload = int32(g.ticks(1000))
		}
		if (g.now+int(e.ID()))%turns == 0 {
			foe, ok := g.space.Nearest(at.Add(chest), sightRange, physecs.Filter{Mask: bot.Team.Foe().layer()})
			caster.Target, caster.Disabled = foe.Entity, !ok
		}
	}
}

// look notes which bots see their targets, in a component, which is saved: see state.go.
func (g *game) look(w *ecs.World) {
	query := g.thinking.Query(w)
	for query.Next() {
		_, _, _, _, bot := query.Get()
		bot.Sees = g.seen.Sees(query.Entity())
	}
}

// sightRange is how far a bot looks, in metres.
const sightRange = 15

// walkOn gives a bot another goal when it has reached its goal or is stuck.
func (g *game) walkOn(at geom.Vec3, state *physecs.MoverState, bot *Bot) {
	bot.Patience--
	switch {
	case bot.Patience <= 0 || bot.Goal.Sub(at).WithAxis(geom.Y, 0).LenSq() < 1:
		bot.Goal, bot.Patience = g.goal(), int32(g.ticks(5000+g.chance.IntN(10_000)))
	case state.Velocity.LenSq() < 1 && bot.Patience%4 == 0:
		// The bot is blocked. This example has no path finding: it goes elsewhere for a moment.
		bot.Goal = at.Add(g.around(10))
		bot.Patience = int32(g.ticks(500 + g.chance.IntN(1000)))
	}
}

// goal returns a place to go to, mostly a capture point.
func (g *game) goal() geom.Vec3 {
	if g.chance.IntN(4) == 0 {
		return g.around(g.hall.reach - 1)
	}
	zone := g.hall.zones[g.chance.IntN(len(g.hall.zones))]
	return zone.Add(g.around(zoneReach))
}

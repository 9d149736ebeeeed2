package main

import (
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Zone is the component of a capture point, a sensor. It belongs to the team that last had more
// bots in it.
type Zone struct {
	Inside [3]int32 // by Team
	Owner  Team
}

const zoneReach = 2.5 // from the middle to the sides, in metres

func (g *game) makeZone(at geom.Vec3) {
	c := physecs.AABB(geom.V(zoneReach, 1, zoneReach))
	c.Center = geom.V(0, 1, 0)
	c.Sensor, c.User = true, userZone
	c.Layer, c.Mask = layerZone, layerRed|layerBlue // no contacts with the floor
	things := generic.NewMap4[physecs.Transform, physecs.Collider, physecs.Static, Zone](&g.world)
	things.NewWith(&physecs.Transform{Position: at}, &c, &physecs.Static{}, &Zone{})
	g.hall.zones = append(g.hall.zones, at)
}

// capture counts the bots that enter and leave, and then finds the owners. Each contact begins once
// and ends once, even if the bot dies, so the counts never drift.
func (g *game) capture(w *ecs.World) {
	for i := range g.contacts.Began {
		c := &g.contacts.Began[i]
		g.count.began[kindOf(c)]++
		g.pass(c, 1)
	}
	for i := range g.contacts.Ended {
		c := &g.contacts.Ended[i]
		g.count.ended[kindOf(c)]++
		g.pass(c, -1)
	}
	query := g.held.Query(w)
	for query.Next() {
		z := query.Get()
		owner := z.Owner
		if z.Inside[Red] > z.Inside[Blue] {
			owner = Red
		} else if z.Inside[Blue] > z.Inside[Red] {
			owner = Blue
		}
		if owner != z.Owner {
			z.Owner = owner
			g.count.captures++
		}
	}
}

// pass counts a bot that enters or leaves a zone, if the contact is between a bot and a zone.
func (g *game) pass(c *physecs.Contact, by int32) {
	var zone ecs.Entity
	var team uint64
	switch userZone {
	case c.UserA:
		zone, team = c.A, c.UserB
	case c.UserB:
		zone, team = c.B, c.UserA
	default:
		return
	}
	g.zones.Get(zone).Inside[team] += by
}

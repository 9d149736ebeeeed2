package main

import (
	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/render"
)

// The results of the contact system: occupied zones, and contacts.

// zone is a sensor that lights up while something is in it.
type zone struct {
	entity ecs.Entity
	bounds geom.AABB
	lit    bool
}

var (
	darkZone = render.Material{Color: render.WithAlpha(render.RGB(0x5AA0E8), 0.2)}
	litZone  = render.Material{Color: render.WithAlpha(render.RGB(0x7CE05A), 0.42)}
	darkEdge = render.WithAlpha(render.RGB(0x3F7FC4), 0.7)
	litEdge  = render.RGB(0x35B01E)
)

func (a *arena) addZones() {
	for _, z := range []struct {
		name         string
		center, half geom.Vec3
	}{
		{"zone-floor", geom.V(3.7, 0.76, -0.7), geom.V(1.3, 0.75, 1.1)},
		{"zone-west", geom.V(-8, terraceHeight+0.91, -6), geom.V(1.1, 0.9, 1.1)},
		{"zone-east", geom.V(5.6, terraceHeight+0.91, -6), geom.V(0.9, 0.9, 1.1)},
		{"zone-tunnel", geom.V(7.4, 0.66, 3.4), geom.V(1.4, 0.65, 0.9)},
	} {
		c := physecs.AABB(z.half)
		c.Sensor = true
		e := a.scene.add(z.name, geom.Transform{Position: z.center}, c, darkZone)
		a.onto(e, onZones)
		a.zones = append(a.zones, zone{entity: e, bounds: geom.AABBAround(z.center, z.half)})
	}
}

func (a *arena) drawZones(l *render.Lines) {
	for i := range a.zones {
		l.Width = 1.5
		c := darkEdge
		if a.zones[i].lit {
			l.Width, c = 2.5, litEdge
		}
		l.AABB(a.zones[i].bounds, c)
	}
}

// touches keeps contacts that have just ended, long enough to be seen.
type touches struct{ rings []touchRing }

// touchRing is a point of a contact that ended.
type touchRing struct {
	place, normal geom.Vec3
	time          float64
}

const ringSeconds = 0.45

// updateZones handles the contacts of this tick.
func (a *arena) updateZones() {
	contacts := ecs.GetResource[physecs.Contacts](a.world)
	for i := range a.zones {
		z := &a.zones[i]
		z.lit = false
		for range contacts.Of(z.entity) {
			z.lit = true
			break
		}
		m := a.materials.Get(z.entity)
		if *m = darkZone; z.lit {
			*m = litZone
		}
	}
	a.counts.began += len(contacts.Began)
	a.counts.ended += len(contacts.Ended)
	old := 0
	for old < len(a.touches.rings) && a.time-a.touches.rings[old].time > ringSeconds {
		old++
	}
	a.touches.rings = append(a.touches.rings[:0], a.touches.rings[old:]...)
	for i := range contacts.Ended {
		for j := range contacts.Ended[i].Manifolds {
			m := &contacts.Ended[i].Manifolds[j]
			for _, p := range m.ContactPoints() {
				a.touches.rings = append(a.touches.rings, touchRing{p.PointA, m.Normal, a.time})
			}
		}
	}
}

var (
	contactColor = render.RGB(0x0E9F6E)
	freshColor   = render.RGB(0xFFB020)
	endedColor   = render.RGB(0xE0385C)
)

const (
	freshTicks    = 15
	contactNormal = 0.42 // metres
)

// draw draws contacts as points and normals, which point away from the level or the first of the
// two, in another colour while they are new, and rings where contacts have just ended.
func (t *touches) draw(l *render.Lines, a *arena, o *overlays) {
	list := ecs.GetResource[physecs.Contacts](a.world).All
	for i := range list {
		c := &list[i]
		color := contactColor
		if c.Age < freshTicks {
			color = freshColor
		}
		side := float32(1)
		if a.layerOf(c.B) == onGround {
			side = -1
		}
		for j := range c.Manifolds {
			m := &c.Manifolds[j]
			for _, p := range m.ContactPoints() {
				at := p.PointA.Lerp(p.PointB, 0.5)
				if o.normals {
					l.Width = 2.5
					l.Arrow(at, at.Add(m.Normal.Mul(side*contactNormal)), color)
				}
				if o.contact {
					l.Point(at, 9, pointEdge)
					l.Point(at, 6, color)
				}
			}
		}
	}
	if !o.contact {
		return
	}
	l.Width = 2
	for i := range t.rings {
		r := &t.rings[i]
		age := float32(a.time-r.time) / ringSeconds
		l.Circle(r.place, r.normal, 0.08+0.17*age, render.WithAlpha(endedColor, 1-age))
	}
}

// layerOf returns the layer that an entity is on.
func (a *arena) layerOf(e ecs.Entity) physics.Layers {
	if c := a.scene.collider(e); c != nil {
		return c.Layer
	}
	return 0
}

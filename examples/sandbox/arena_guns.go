package main

import (
	"image/color"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/render"
)

// Bullets: they fly to the point under the pointer, ricochet, and leave a trail while they fly and
// a mark where they hit.

const (
	bulletSpeed  = 32.0 // metres a second: slow, so that it can be seen
	bulletRadius = 0.05
	bulletLife   = 2.2 // seconds
	bounces      = 6
	reload       = 0.16 // seconds between two bullets while the key is held
	trailSeconds = 0.8
	markSeconds  = 8.0
	maxMarks     = 60
	aimSeconds   = 0.5
	farAway      = 80.0 // metres, where one shoots who aims at the sky
)

// guns holds the bullets and their traces.
type guns struct {
	bullets generic.Map5[physecs.Transform, physecs.Collider, render.Material, physecs.Projectile, physecs.Unpickable]
	flights generic.Map[physecs.Projectile]
	wanted  bool     // a bullet in the next tick
	ray     geom.Ray // along which it was aimed; zero: straight ahead
	ready   float64  // when the next may follow
	trails  []trail
	marks   []mark
	shot    int // bullets, ever
}

// trail is the recent path of a bullet.
type trail struct {
	bullet ecs.Entity
	places []geom.Vec3
	times  []float64
}

// mark is the place of a bullet's hit, in the frame of the entity hit.
type mark struct {
	on            ecs.Entity
	place, normal geom.Vec3
	time          float64
}

func newGuns(w *ecs.World) guns {
	return guns{
		bullets: generic.NewMap5[physecs.Transform, physecs.Collider, render.Material, physecs.Projectile, physecs.Unpickable](w),
		flights: generic.NewMap[physecs.Projectile](w),
	}
}

// shoot fires a bullet in the next tick at the hit of a ray from the camera.
func (a *arena) shoot(ray geom.Ray) { a.guns.wanted, a.guns.ray = true, ray }

// target returns the point at which an aiming ray hits.
func (a *arena) target(ray geom.Ray, from geom.Vec3) geom.Vec3 {
	length := ray.Dir.Len()
	if length == 0 {
		return from.Add(a.walker.place.Rotation.Rotate(geom.V(0, 0, -farAway)))
	}
	// Colliders between the camera and the character do not block the bullet.
	ray.MinT = max(0, from.Sub(ray.Origin).Dot(ray.Dir)/(length*length))
	if hit, ok := ecs.GetResource[physecs.Space](a.world).CastRay(ray, a.bullets.Filter); ok {
		return hit.Point
	}
	return ray.At(farAway / length)
}

// fire creates a bullet if one is requested.
func (a *arena) fire() {
	g, w := &a.guns, &a.walker
	held := a.down("F") && a.time >= g.ready
	if !g.wanted && !held {
		return
	}
	ray := a.aim
	if g.wanted {
		ray = g.ray
	}
	g.wanted, g.ready = false, a.time+reload
	from := a.transforms.Get(w.entity).Position.Add(gunHeight)
	to := a.target(ray, from)
	w.aimAt, w.aimUntil = to, a.time+aimSeconds
	t, c := geom.Transform{Position: from}, physecs.Sphere(bulletRadius)
	c.Layer, c.Mask = onShow, meets[onShow]
	m := glossy(0xFFC83D, 0.9)
	e := g.bullets.NewWith(&t, &c, &m, &physecs.Projectile{
		Velocity: to.Sub(from).Normalize().Mul(bulletSpeed), Acceleration: geom.V(0, -gravity/2, 0), Owner: w.entity,
		Radius: bulletRadius, Restitution: 0.85, Friction: 0.05, RestSpeed: 1, Life: bulletLife, Bounces: bounces, Remove: true,
	}, &physecs.Unpickable{})
	g.shot++
	g.trails = append(g.trails, trail{bullet: e, places: []geom.Vec3{from}, times: []float64{a.time}})
}

// ricochet handles the events and new positions of bullets in this tick.
func (a *arena) ricochet() {
	g := &a.guns
	kept := g.trails[:0]
	hits := ecs.GetResource[physecs.ProjectileHits](a.world).List
	for _, t := range g.trails {
		for i := range hits {
			if h := &hits[i]; h.Projectile == t.bullet && h.Event != physics.ProjectileExpired {
				t.add(h.Position, a.time)
				a.strike(h)
			}
		}
		if a.world.Alive(t.bullet) && !g.flights.Get(t.bullet).Done {
			t.add(a.transforms.Get(t.bullet).Position, a.time)
		}
		if a.time-t.times[len(t.times)-1] < trailSeconds {
			kept = append(kept, t)
		}
	}
	g.trails = kept
	for len(g.marks) > 0 && (len(g.marks) > maxMarks || a.time-g.marks[0].time > markSeconds) {
		g.marks = g.marks[1:]
	}
}

// add records a bullet's position, and drops those too old to be seen.
func (t *trail) add(p geom.Vec3, time float64) {
	for len(t.times) > 1 && time-t.times[1] > trailSeconds {
		t.places, t.times = t.places[1:], t.times[1:]
	}
	t.places, t.times = append(t.places, p), append(t.times, time)
}

// strike leaves a mark, and pushes a crate.
func (a *arena) strike(h *physecs.ProjectileHit) {
	if c := a.crateOf(h.Entity); c != nil {
		c.velocity = c.velocity.Add(geom.V(h.VelocityIn.X, 0, h.VelocityIn.Z).Normalize().Mul(blow))
	}
	if back, ok := a.transforms.Get(h.Entity).Affine().Inverse(); ok {
		a.guns.marks = append(a.guns.marks, mark{h.Entity, back.Point(h.Point), back.Vector(h.Normal), a.time})
	}
}

var (
	trailColor = render.RGB(0xFF8A1F)
	markColor  = render.RGB(0x2B3440)
	sparkColor = render.RGB(0xFFC83D)
)

func (a *arena) drawTrails(l *render.Lines) {
	l.Width = 3.5
	for i := range a.guns.trails {
		t := &a.guns.trails[i]
		for j := 1; j < len(t.places); j++ {
			age := float32(a.time-t.times[j]) / trailSeconds
			l.Segment(t.places[j-1], t.places[j], render.WithAlpha(trailColor, 0.9*(1-age)))
		}
	}
}

// drawMarks draws the hits of bullets: a dark spot that fades, and a ring that grows for a moment.
func (a *arena) drawMarks(l *render.Lines) {
	for i := range a.guns.marks {
		m := &a.guns.marks[i]
		t := a.transforms.Get(m.on)
		age := float32(a.time - m.time)
		at := *t
		place, normal := at.Point(m.place), at.Affine().Vector(m.normal).Normalize()
		place = place.Add(normal.Mul(0.004))
		ring := func(radius, width, alpha float32, c color.NRGBA) {
			l.Width = width
			l.Circle(place, normal, radius, render.WithAlpha(c, alpha))
		}
		fade := min(1, 2*(1-age/markSeconds))
		ring(0.05, 4, 0.75*fade, markColor)
		ring(0.1, 1.5, 0.4*fade, markColor)
		if grown := age / ringSeconds; grown < 1 {
			ring(0.1+0.35*grown, 3, 1-grown, sparkColor)
		}
	}
}

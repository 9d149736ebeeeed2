package main

import (
	"math"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// The character of the arena, the keys that walk it, and the camera that follows.

const (
	walkSpeed = 4.5 // metres a second
	runSpeed  = 7.5
	jumpSpeed = 5.4  // metres a second: 1.5 m high
	quickness = 14.0 // 1/s, with which it comes up to speed
	turnRate  = 12.0 // 1/s, with which it turns to where it walks
)

var (
	eyeHeight  = geom.V(0, 1.4, 0) // metres: what the camera looks at
	gunHeight  = geom.V(0, 1.2, 0)
	startPlace = geom.At(0.4, 0.02, 5.2)
)

var walkerColor = render.RGB(0xE0703C)

// walker is the character.
type walker struct {
	entity ecs.Entity
	parts  [2]ecs.Entity     // that are only seen
	place  physecs.Transform // as of the last tick
	movers generic.Map[physecs.Mover]
	states generic.Map[physecs.MoverState]
	arena  *arena

	wish     geom.Vec3 // velocity, metres a second
	aimUntil float64   // it looks where it shoots until then
	aimAt    geom.Vec3
}

// addWalker adds a capsule that stands on its origin, with a visor and a pack that show its
// direction.
func (a *arena) addWalker() {
	w := a.world
	a.walker = walker{
		movers: generic.NewMap[physecs.Mover](w), states: generic.NewMap[physecs.MoverState](w), arena: a,
	}
	c := physecs.Capsule(0.6, 0.3)
	c.Center.Y = 0.9
	e := a.scene.add("character", startPlace, c, render.Material{Color: walkerColor, Gloss: 0.5})
	a.onto(e, onWalkers)
	walks := generic.NewMap2[physecs.Mover, physecs.MoverState](w)
	walks.Assign(e, &physecs.Mover{AirControl: 12, JumpBuffer: 0.15, OwnLayer: onWalkers, Mask: onGround | onCrates}, &physecs.MoverState{})
	a.walker.entity = e
	follows := generic.NewMap2[physecs.Parent, physecs.LocalTransform](w)
	for i, p := range [...]struct {
		name        string
		place, half geom.Vec3
	}{
		{"visor", geom.V(0, 1.5, -0.24), geom.V(0.21, 0.07, 0.09)},
		{"pack", geom.V(0, 1.05, 0.3), geom.V(0.2, 0.26, 0.11)},
	} {
		part := a.scene.add(p.name, startPlace, physecs.Box(p.half), glossy(0x4A5A70, 0.6))
		a.onto(part, onShow)
		local := physecs.LocalTransform(geom.Transform{Position: p.place})
		follows.Assign(part, &physecs.Parent{Entity: e}, &local)
		a.walker.parts[i] = part
	}
}

func (w *walker) state() *physecs.MoverState { return w.states.Get(w.entity) }

// reset moves the character to its start.
func (w *walker) reset() {
	*w.arena.transforms.Get(w.entity) = startPlace
	*w.states.Get(w.entity) = physecs.MoverState{}
	w.place = startPlace
	w.wish, w.aimUntil = geom.Vec3{}, 0
	w.movers.Get(w.entity).Jump = 0
}

// jump makes it jump in the next tick, or when it lands soon.
func (w *walker) jump() { w.movers.Get(w.entity).Jump = jumpSpeed }

// down reports whether one of some keys is held down.
func (a *arena) down(keys ...string) bool {
	for _, k := range keys {
		if a.keys != nil && a.keys(k) {
			return true
		}
	}
	return false
}

// wanted returns the direction of the keys, a unit vector or zero, in the camera's frame: X to the
// right, Y away from it.
func (a *arena) wanted() (x, y float64) {
	side := func(minus, plus bool) float64 {
		switch {
		case minus == plus:
			return 0
		case plus:
			return 1
		}
		return -1
	}
	x = side(a.down("A", "Left"), a.down("D", "Right"))
	y = side(a.down("S", "Down"), a.down("W", "Up"))
	if x != 0 && y != 0 {
		x, y = x*math.Sqrt2/2, y*math.Sqrt2/2
	}
	return x, y
}

// steer sets the mover's velocity from the keys.
func (a *arena) steer(dt float32) {
	w := &a.walker
	x, y := a.wanted()
	sin, cos := math.Sincos(a.chase.orbit.Yaw)
	speed := walkSpeed
	if a.down("LeftShift", "RightShift") {
		speed = runSpeed
	}
	wish := geom.V(float32((x*cos-y*sin)*speed), 0, float32((-x*sin-y*cos)*speed))
	w.wish = w.wish.Lerp(wish, fading(quickness, dt))
	if wish == (geom.Vec3{}) && w.wish.Len() < 0.02 {
		w.wish = wish
	}
	m := w.movers.Get(w.entity)
	m.Velocity = w.wish
	t := a.transforms.Get(w.entity)
	ahead := wish
	if a.time < w.aimUntil {
		ahead = w.aimAt.Sub(t.Position)
		ahead.Y = 0
	}
	if ahead.Len() > 1e-3 {
		t.Rotation = turned(t.Rotation, ahead.Normalize(), fading(turnRate, dt))
	}
}

// fading returns the fraction of exponential decay in a time, at a rate in 1/s.
func fading(rate float64, dt float32) float32 { return float32(1 - math.Exp(-rate*float64(dt))) }

// turned returns a rotation about Y, turned by a fraction towards a direction.
func turned(q geom.Quat, ahead geom.Vec3, share float32) geom.Quat {
	now := q.Rotate(geom.V(0, 0, -1))
	from := math.Atan2(float64(-now.X), float64(-now.Z))
	to := math.Atan2(float64(-ahead.X), float64(-ahead.Z))
	return geom.QuatEuler(from+math.Remainder(to-from, 2*math.Pi)*float64(share), 0, 0)
}

// chase is the camera behind the character, and somewhat to its right. Its distance is the one set,
// or shorter where walls are in between.
type chase struct {
	orbit  picking.Orbit // around the character; its distance is what walls leave of wanted
	wanted float64       // metres
	camera picking.Camera
	x, y   float64 // of the pointer in the last frame
	drag   bool
}

const (
	lensRadius   = 0.22 // metres: what the camera keeps away from walls
	easeOut      = 5.0  // 1/s, with which it goes back once a wall has gone
	easeHeight   = 14.0 // 1/s, with which it follows up and down: stairs do not shake it
	swing        = 0.5  // radians a second, with which it comes behind one who walks sideways
	shoulder     = 0.5  // metres, to the right: one sees past the character
	nearestChase = 1.2
	farthest     = 14.0
)

// turn handles the pointer: any drag looks around, the wheel changes the distance. It reports
// whether a drag is in progress.
func (c *chase) turn(g gesture) (dragging bool) {
	dx, dy := g.x-c.x, g.y-c.y
	was := c.drag
	c.drag = !g.captured && g.down != 0
	if c.drag && was && (dx != 0 || dy != 0) {
		c.orbit.Turn(-dx*turnPerPixel, dy*turnPerPixel)
		c.orbit.Pitch = min(max(c.orbit.Pitch, -0.4), 1.35)
		dragging = true
	}
	c.x, c.y = g.x, g.y
	if g.scroll != 0 && !g.captured {
		c.wanted = min(max(c.wanted*math.Pow(zoomPerNotch, g.scroll), nearestChase), farthest)
	}
	return dragging
}

// follow moves the camera behind the character, for an elapsed time.
func (a *arena) follow(dt float64) {
	c, w := &a.chase, &a.walker
	w.place = *a.transforms.Get(w.entity)
	if x, _ := a.wanted(); !c.drag {
		c.orbit.Turn(-x*swing*dt, 0)
	}
	target := w.place.Position.Add(eyeHeight)
	target.Y = c.orbit.Target.Y + (target.Y-c.orbit.Target.Y)*fading(easeHeight, float32(dt))
	c.orbit.Target = target
	wanted := c.orbit
	wanted.Distance = c.wanted
	c.camera = wanted.Camera()
	way := c.camera.Position.Sub(target).Add(c.camera.Rotation.Rotate(geom.V(shoulder, 0, 0)))
	free := c.wanted
	if hit, ok := ecs.GetResource[physecs.Space](a.world).CastShape(physics.ShapeCast{
		Shape: geom.Sphere{Radius: lensRadius}, Transform: geom.Transform{Position: target},
		Motion: way, MaxT: 1, Start: physics.StartIgnore,
	}, physecs.Filter{OwnLayer: onLenses, Mask: onGround}); ok {
		free *= float64(hit.T)
	}
	if free > c.orbit.Distance {
		free = c.orbit.Distance + (free-c.orbit.Distance)*float64(fading(easeOut, float32(dt)))
	}
	c.orbit.Distance = free
	c.camera.Position = target.Add(way.Mul(float32(free / c.wanted)))
	// From close by, the character is transparent.
	seen := render.WithAlpha(walkerColor, float32((free-0.7)/0.9))
	a.materials.Get(w.entity).Color = seen
	for _, e := range w.parts {
		a.materials.Get(e).Color.A = seen.A
	}
}

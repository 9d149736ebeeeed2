package main

import (
	"fmt"
	"math"
	"time"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// The scene to walk in: a character in a level with moving platforms, crates to push, zones that
// light up while something is in them, and bullets that ricochet. The systems of physecs move
// everything; this file has what a game adds.

// arenaScene is the name of the scene of newArena.
const arenaScene = "arena"

// The collision layers.
const (
	onGround  physics.Layers = physics.DefaultLayer << (iota + 1) // the level and the platforms
	onCrates                                                      // what can be pushed
	onWalkers                                                     // the character
	onZones
	onFlights // bullets, which ask and are not asked for
	onLenses  // the camera
	onShow    // what is only seen
	onNothing
)

// arena is the state of the scene.
type arena struct {
	world      *ecs.World
	scene      *scene
	transforms generic.Map[physecs.Transform]
	materials  generic.Map[render.Material]

	time      float64 // seconds
	walker    walker
	chase     chase
	platforms []platform
	crates    []crate
	zones     []zone
	guns      guns
	touches   touches

	mover    physecs.MoverSystem
	separate physecs.SeparateSystem
	contacts physecs.ContactSystem
	bullets  physecs.ProjectileSystem
	costs    arenaCosts
	counts   struct{ began, ended int } // contacts, ever

	keys func(string) bool // which are held down; nil: none
	aim  geom.Ray          // from the eye through the pointer; zero: there is no pointer
}

// newArena fills a world with the arena. Panics if physecs.Meshes is missing.
func newArena(w *ecs.World) (*scene, error) {
	s := newScene(w)
	s.size, s.mark = 8, 0.3
	a := &arena{
		world: w, scene: s, transforms: generic.NewMap[physecs.Transform](w),
		materials: generic.NewMap[render.Material](w),
		guns:      newGuns(w),
		contacts:  physecs.ContactSystem{Margin: 0.03},
		separate:  physecs.SeparateSystem{Up: geom.V(0, 1, 0)},
		bullets:   physecs.ProjectileSystem{Filter: physecs.Filter{OwnLayer: onFlights, Mask: onGround | onCrates}},
	}
	s.arena = a
	a.mover.Initialize(w)
	a.separate.Initialize(w)
	a.contacts.Initialize(w)
	a.bullets.Initialize(w)
	unpickable, static := generic.NewMap1[physecs.Unpickable](w), generic.NewMap1[physecs.Static](w)

	// The ground is below the floor, for objects that fall off it.
	s.addGround(floorBounds.Min.Y, render.Material{Color: render.RGB(0xC3C6C9), Gloss: 0.15})
	a.onto(s.ground, onGround)
	static.Add(s.ground)
	parts, err := levelParts()
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		e := s.add(p.name, geom.Transform{}, physecs.Mesh(s.meshes().Add(p.mesh)), glossy(p.color, 0.15))
		a.onto(e, onGround)
		static.Add(e)
	}
	// 1 cm thick.
	sheet := s.add("sheet", geom.At(1.6, 1, -3.2), physecs.Box(geom.V(1, 1, 0.005)), glossy(0x5F93A8, 0.9))
	a.onto(sheet, onGround)
	static.Add(sheet)
	if err := a.addPlatforms(); err != nil {
		return nil, err
	}
	if err := a.addCrates(); err != nil {
		return nil, err
	}
	a.addZones()
	a.addWalker()
	for _, e := range append(s.all, s.ground) { // a click is a shot
		unpickable.Add(e)
	}
	a.restart()
	s.home = a.chase.orbit
	return s, nil
}

// meets returns the Mask of colliders on a layer.
var meets = map[physics.Layers]physics.Layers{
	onGround:  onCrates | onWalkers | onFlights | onLenses,
	onCrates:  onGround | onCrates | onWalkers | onZones | onFlights,
	onWalkers: onGround | onCrates | onZones,
	onZones:   onCrates | onWalkers,
	onShow:    onNothing,
}

// onto puts an entity on a layer.
func (a *arena) onto(e ecs.Entity, layer physics.Layers) {
	c := a.scene.colliders.Get(e)
	c.Layer, c.Mask = layer, meets[layer]
}

// restart moves the character and the camera to their start.
func (a *arena) restart() {
	a.walker.reset()
	a.chase = chase{wanted: 6, orbit: picking.Orbit{
		Yaw: 0.15, Pitch: 0.3, MinDistance: 0.2, MaxDistance: 20,
		Projection: picking.Perspective(50*math.Pi/180, 0.05, 400),
	}}
	a.chase.orbit.Distance = a.chase.wanted
	a.chase.orbit.Target = a.walker.place.Position.Add(eyeHeight)
}

// typed runs the action of a key that was pressed, and reports whether the arena uses it.
func (a *arena) typed(k string) bool {
	switch k {
	case "Space":
		a.walker.jump()
	case "F":
		a.shoot(a.aim)
	case "R":
		a.restart()
	case "W", "A", "S", "D": // held, they walk
	default:
		return false
	}
	return true
}

const longestStep = 1. / 30 // seconds: a frame that takes longer is several ticks

// advance simulates a time in seconds.
func (a *arena) advance(dt float64) {
	n := max(1, math.Ceil(dt/longestStep-1e-9))
	for range int(n) {
		a.tick(dt / n)
	}
}

// tick simulates one tick. Platforms move first, since the others ride on them, and the character
// last, up to the crate that it pushes; contacts and bullets see the result.
func (a *arena) tick(seconds float64) {
	dt := float32(seconds)
	c := &a.costs
	start := time.Now()
	lap := start
	cost := func() (d time.Duration) {
		now := time.Now()
		d, lap = now.Sub(lap), now
		return d
	}
	a.time += seconds
	a.movePlatforms()
	cost()
	physecs.Sync(a.world)
	sync := cost()

	a.moveCrates(dt)
	c.crates.add(cost())
	physecs.Sync(a.world)
	sync += cost()
	a.separate.Update(a.world)
	c.separate.add(cost())

	a.steer(dt)
	a.mover.DT = dt
	cost()
	a.mover.Update(a.world)
	c.mover.add(cost())
	a.push(dt)
	physecs.Sync(a.world)
	sync += cost()
	a.contacts.Update(a.world)
	c.contacts.add(cost())
	a.updateZones()

	a.fire()
	cost()
	a.bullets.DT = dt
	a.bullets.Update(a.world)
	c.bullets.add(cost())
	a.ricochet()
	c.sync.add(sync)
	c.tick.add(time.Since(start))
}

// arenaCosts is the time of a tick, by its parts.
type arenaCosts struct{ sync, mover, crates, separate, contacts, bullets, tick meter }

// lines returns the lines of the panel of costs.
func (c *arenaCosts) lines() []line {
	us := func(key string, m *meter) line { return costLine(key, m.shown, time.Microsecond, "µs") }
	return []line{
		us("sync", &c.sync).asMinor(), us("mover", &c.mover), us("crates", &c.crates).asMinor(), us("separate", &c.separate).asMinor(),
		us("contacts", &c.contacts), us("bullets", &c.bullets).asMinor(), us("tick", &c.tick).belowGap(),
	}
}

// report returns the lines of the character's panel.
func (a *arena) report() (title string, lines []line) {
	st := a.walker.state()
	on, slope := line{key: "on", text: none}, line{key: "slope", text: none, minor: true}
	if st.Ground != physics.InAir {
		on.text = a.scene.names[st.GroundEntity]
		up := min(max(float64(st.GroundNormal.Y), -1), 1)
		slope.text, slope.numbers, slope.unit = "", []string{fmt.Sprintf("%.1f", math.Acos(up)*180/math.Pi)}, "°"
	}
	speed := line{key: "speed", numbers: []string{fmt.Sprintf("%.2f", st.Velocity.Len())}, unit: "m/s"}
	place := vectorLine(a.walker.place.Position)
	place.key = "place"
	contacts, sensors, points := 0, 0, 0
	touching := ecs.GetResource[physecs.Contacts](a.world).All
	for i := range touching {
		if touching[i].Sensor {
			sensors++
			continue
		}
		contacts++
		for j := range touching[i].Manifolds {
			points += int(touching[i].Manifolds[j].N)
		}
	}
	count := func(key string, n int) line { return line{key: key, numbers: []string{thousands(n)}} }
	lines = []line{
		on, speed, slope, place,
		count("contacts", contacts).belowGap(), count("points", points).asMinor(), count("in zones", sensors),
		count("began", a.counts.began).asMinor(), count("ended", a.counts.ended).asMinor(),
		count("shots", a.guns.shot).belowGap(),
	}
	return st.Ground.String(), lines
}

// draw draws the lines and marks that are not entities.
func (a *arena) draw(l *render.Lines, o *overlays) {
	if o.grid {
		a.drawTiles(l)
	}
	a.drawZones(l)
	if o.ray {
		a.drawTrails(l)
	}
	a.drawMarks(l)
	a.touches.draw(l, a, o)
	l.Width = 0
}

var tileColor = render.WithAlpha(render.RGB(0x5B6B7B), 0.16)

// drawTiles draws the tiles of the floor.
func (a *arena) drawTiles(l *render.Lines) {
	l.Width = 1
	lo, hi := floorBounds.Min, floorBounds.Max
	for x := lo.X; x <= hi.X; x++ {
		l.Segment(geom.V(x, 0, lo.Z), geom.V(x, 0, hi.Z), tileColor)
	}
	for z := lo.Z; z <= hi.Z; z++ {
		l.Segment(geom.V(lo.X, 0, z), geom.V(hi.X, 0, z), tileColor)
	}
}

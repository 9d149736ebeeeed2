package main

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// A tick, and the time of each of its parts.

const (
	steadyTick = 1. / 60 // seconds
	// Seconds: a swarm that is drawn more slowly than that flies in slow motion.
	longestTick = 0.1
)

// passed returns the swarm's time in this frame, in seconds.
func (a *app) passed() float64 {
	now := time.Now()
	frame := now.Sub(a.last)
	first := a.last.IsZero()
	a.last = now
	switch {
	case a.config.steady:
		if !first {
			a.costs.frame.add(frame)
		}
		return steadyTick
	case first:
		return steadyTick
	}
	a.costs.frame.add(frame)
	if a.scene.simulation != nil {
		return frame.Seconds()
	}
	return min(frame.Seconds(), longestTick)
}

// tick moves the swarm, syncs the space, and finds the entity under the pointer and the pairs.
func (a *app) tick(dt float64) {
	c, start := &a.costs, time.Now()
	if s := a.scene.swarm; s != nil && a.moving() {
		s.fly(dt)
	}
	if s := a.scene.simulation; s != nil {
		if a.moving() {
			s.advance(dt, stepBudget)
			if !a.config.steady {
				s.interpolate()
			}
			if a.scene.car != nil {
				a.scene.car.follow(s, &a.controls.orbit, dt)
			}
		}
		s.shade()
	}
	flown := time.Now()
	space := physecs.Sync(&a.world)
	space.Physics().Update()
	synced := time.Now()
	a.systems.Raycast.Update(&a.world)
	c.clock(a)
	a.systems.Pick.Update(&a.world)
	picked := time.Now()
	if a.scene.simulation != nil {
		a.drag.Update(&a.world)
		if a.marquee.Marquee.Active() {
			ecs.GetResource[physecs.Drags](&a.world).List = nil
		}
	}
	if s := a.scene.swarm; s != nil {
		s.touch(space)
		if a.moving() {
			s.follow(ecs.GetResource[physecs.Selection](&a.world))
		}
		c.fly.add(flown.Sub(start))
		c.sync.add(synced.Sub(flown))
		c.pairs.add(time.Since(picked))
		if c.tick.add(time.Since(start)) {
			c.touching, c.began, c.ended = len(s.pairs.All), len(s.pairs.Began), len(s.pairs.Ended)
		}
	}
}

// walk simulates a time in the arena, and fires at clicks.
func (a *app) walk(dt float64) {
	arena, view := a.scene.arena, a.view()
	if a.moving() {
		arena.advance(dt)
	}
	physecs.Sync(&a.world)
	arena.follow(dt)
	view.Camera = arena.chase.camera
	a.systems.Raycast.Update(&a.world)
	a.systems.Pick.Update(&a.world)
	arena.aim = geom.Ray{}
	if hover := ecs.GetResource[physecs.Hover](&a.world); hover.HasRay {
		arena.aim = hover.Ray
	}
	for _, e := range ecs.GetResource[physecs.Events](&a.world).List {
		if e.Kind == picking.Click && e.Button == picking.Left {
			arena.shoot(arena.aim)
		}
	}
}

// costs is the content of the swarm's panel.
type costs struct {
	fly, sync, pick, again, pairs, tick, frame meter
	// Pairs, as often as the numbers beside them change.
	touching, began, ended int
}

// clock records the time of this frame's pick, and of a second one. The first has cold caches,
// since a frame has been drawn in between; the second is the cost of one pick of many in a row.
// Both are cleared when nothing is picked.
func (c *costs) clock(a *app) {
	hover := ecs.GetResource[physecs.Hover](&a.world)
	if !hover.HasRay {
		c.pick, c.again = meter{}, meter{}
		return
	}
	c.pick.add(hover.Elapsed)
	a.systems.Raycast.Update(&a.world)
	c.again.add(hover.Elapsed)
}

// lines returns the lines of the panel.
func (c *costs) lines(colliders int) (title string, lines []line) {
	ms := func(key string, m *meter) line { return costLine(key, m.shown, time.Millisecond, "ms") }
	count := func(key string, n int) line { return line{key: key, numbers: []string{thousands(n)}} }
	lines = []line{
		ms("move", &c.fly).asMinor(), ms("sync", &c.sync).asMinor(),
		costLine("pick", c.pick.shown, time.Microsecond, "µs").asMinor(), // which the card has
		ms("pairs", &c.pairs).asMinor(),
		ms("tick", &c.tick).belowGap(), ms("frame", &c.frame),
		count("touching", c.touching).belowGap().asMinor(), count("began", c.began).asMinor(), count("ended", c.ended).asMinor(),
	}
	return thousands(colliders) + " colliders", lines
}

// costLine returns a line with a time and its unit.
func costLine(key string, d, unit time.Duration, name string) line {
	if d == 0 {
		return line{key: key, text: none}
	}
	return line{key: key, numbers: []string{strconv.FormatFloat(float64(d)/float64(unit), 'f', 2, 64)}, unit: name}
}

// press is what is known of the left button since it went down.
type press struct {
	x, y  float64 // where
	hover physecs.Hover
	drags bool // it has become a drag of a thing
}

// clicked takes in the events of the left button. A click leaves its ray in the world. A thing that
// flies may have gone from under the cursor before the button is up: it is clicked all the same, as
// it was meant.
func (a *app) clicked(pointer *physecs.Pointer) {
	hover := ecs.GetResource[physecs.Hover](&a.world)
	selection := ecs.GetResource[physecs.Selection](&a.world)
	list := ecs.GetResource[physecs.Events](&a.world).List
	for i, e := range list {
		if e.Button != picking.Left {
			continue
		}
		switch e.Kind {
		case picking.Down:
			a.press = press{e.X, e.Y, *hover, false}
		case picking.DragStart:
			a.press.drags = !e.Background
		case picking.Click:
			if a.scene.simulation != nil {
				continue
			}
			a.ray = clickRay{shown: true, ray: hover.Ray, hit: hover.Hit, ok: hover.OK}
		case picking.Up:
			isClick := i+1 < len(list) && list[i+1].Kind == picking.Click
			near := math.Hypot(e.X-a.press.x, e.Y-a.press.y) <= picking.DefaultClickDistance
			if a.scene.simulation != nil && a.press.drags {
				continue // it was pulled
			}
			if s := a.scene.simulation; s != nil && near && hover.HasRay && !pointer.Unfocused && !pointer.Toggle {
				s.throw(hover.Ray, hover.Hit, hover.OK)
				continue
			}
			if isClick || !near || !a.moving() || !hover.HasRay || pointer.Unfocused {
				continue
			}
			h := &a.press.hover
			a.ray = clickRay{shown: true, ray: h.Ray, hit: h.Hit, ok: h.OK}
			switch {
			case pointer.Toggle && e.Background:
			case pointer.Toggle:
				selection.Toggle(e.Target)
			case e.Background:
				selection.Clear()
			default:
				selection.Set(e.Target)
			}
		}
	}
	// To click the ground is to click nothing: there is hardly a sky to be clicked.
	selection.Remove(a.scene.ground)
}

// chooseByToggle lets a click select only with a key held down: without it a click throws a ball.
func chooseByToggle(w *ecs.World, met ecs.Entity) (ecs.Entity, bool) {
	return met, ecs.GetResource[physecs.Pointer](w).Toggle
}

// recast has the ray of the last click meet what is in its way by now.
func (c *clickRay) recast(a *app) {
	if c.shown {
		c.hit, c.ok = ecs.GetResource[physecs.Space](&a.world).CastRay(c.ray, pickFilter())
	}
}

// pickFilter is what a pick sees by, for other queries.
func pickFilter() physecs.Filter {
	see := picking.PickFilter()
	return physecs.Filter{Start: see.Start, Cull: see.Cull}
}

// meter has the usual time of a pick: the median of the last ones, so that a pause of the machine
// does not show. It shows a new number only now and then, so that it can be read.
type meter struct {
	last  [15]time.Duration
	count int
	shown time.Duration
}

const meterEvery = 12 // picks between two numbers shown

// add takes in one pick.
func (m *meter) add(d time.Duration) (changed bool) {
	m.last[m.count%len(m.last)] = d
	if changed = m.count%meterEvery == 0; changed {
		known := slices.Sorted(slices.Values(m.last[:min(m.count+1, len(m.last))]))
		m.shown = known[len(known)/2]
	}
	m.count++
	return changed
}

package main

import (
	"math"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// controls move the camera by the pointer: right drag orbits, middle drag or shift and right drag
// pans, the wheel zooms towards the cursor. Zooms and jumps take a few frames, so that the user can
// follow.
type controls struct {
	orbit picking.Orbit

	drag  dragKind
	x, y  float64 // of the pointer in the last frame
	zoom  float64 // notches that are still to come
	zoomX float64 // where the cursor was when the wheel was turned
	zoomY float64

	from, to picking.Orbit // of a jump
	jump     int           // frames that are left of it
}

type dragKind uint8

const (
	dragNone dragKind = iota
	dragOrbit
	dragPan
)

// gesture is the pointer's action in one frame.
type gesture struct {
	x, y     float64 // window pixels
	scroll   float64 // notches; positive is away from the user
	down     picking.Buttons
	shift    bool
	captured bool // the pointer belongs to the HUD
}

// gestureOf returns the camera action of a pointer.
func gestureOf(p *physecs.Pointer) gesture {
	return gesture{
		x: p.X, y: p.Y, scroll: p.ScrollY, down: p.Down, shift: p.Mods.Has(picking.ModShift), captured: p.Captured,
	}
}

const (
	turnPerPixel = 0.0058 // radians: a drag of half a window is about half a turn
	zoomPerNotch = 0.86   // factor of the distance
	zoomShare    = 0.28   // of the notches to come that one frame brings
	jumpFrames   = 24
	// Radians: from a little below the ground one may look, not from straight below.
	lowestPitch   = -0.35
	highestPitch  = 1.5
	smallestNotch = 0.01
)

// update moves the camera for one frame and reports whether a drag moves it, during which nothing
// is hovered.
func (c *controls) update(g gesture, v picking.Viewport) (dragging bool) {
	dx, dy := g.x-c.x, g.y-c.y
	was := c.drag
	switch {
	case g.captured:
		c.drag = dragNone
	case g.down.Has(picking.Middle), g.down.Has(picking.Right) && g.shift:
		c.drag = dragPan
	case g.down.Has(picking.Right):
		c.drag = dragOrbit
	default:
		c.drag = dragNone
	}
	if c.drag != dragNone && was == c.drag && (dx != 0 || dy != 0) {
		c.jump = 0
		if c.drag == dragPan {
			c.orbit.Pan(v, c.x, c.y, g.x, g.y)
		} else {
			c.orbit.Turn(-dx*turnPerPixel, dy*turnPerPixel)
			c.orbit.Pitch = min(max(c.orbit.Pitch, lowestPitch), highestPitch)
		}
		dragging = true
	}
	c.x, c.y = g.x, g.y
	if g.scroll != 0 && !g.captured {
		c.jump = 0
		c.zoom, c.zoomX, c.zoomY = c.zoom+g.scroll, g.x, g.y
	}
	if c.zoom != 0 {
		step := c.zoom * zoomShare
		if math.Abs(c.zoom) < smallestNotch {
			step = c.zoom
		}
		c.zoom -= step
		c.orbit.ZoomTo(v, c.zoomX, c.zoomY, math.Pow(zoomPerNotch, step))
	}
	if c.jump > 0 {
		c.jump--
		c.orbit = between(c.from, c.to, smoothstep(1-float64(c.jump)/jumpFrames))
	}
	return dragging || c.drag != dragNone && was == c.drag
}

// moving reports whether an animation moves the camera.
func (c *controls) moving() bool { return c.zoom != 0 || c.jump > 0 }

// jumpTo moves the camera to another orbit, in a few frames.
func (c *controls) jumpTo(o picking.Orbit) {
	c.from, c.to, c.jump, c.zoom = c.orbit, o, jumpFrames, 0
}

// frame moves the camera so that a box fills most of the picture, without turning it.
func (c *controls) frame(b geom.AABB, aspect float64) {
	if b.IsEmpty() {
		return
	}
	to := c.orbit
	to.Frame(b, aspect)
	c.jumpTo(to)
}

// between interpolates the orbits a and b: angles the short way, distances geometrically.
func between(a, b picking.Orbit, t float64) picking.Orbit {
	if t >= 1 {
		return b
	}
	o := b
	o.Yaw = a.Yaw + math.Remainder(b.Yaw-a.Yaw, 2*math.Pi)*t
	o.Pitch = a.Pitch + (b.Pitch-a.Pitch)*t
	o.Distance = a.Distance * math.Pow(b.Distance/a.Distance, t)
	o.Target = a.Target.Wide().AddMul(t, b.Target.Wide().Sub(a.Target.Wide())).Narrow()
	return o
}

func smoothstep(t float64) float64 { return t * t * (3 - 2*t) }

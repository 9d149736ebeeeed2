package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

var window = picking.FullViewport(picking.Size{Width: 800, Height: 600}, picking.Size{Width: 800, Height: 600})

func newControls() controls {
	return controls{orbit: picking.Orbit{Target: geom.V(0, 1, 0), Distance: 10, Projection: picking.Perspective(1, 0.1, 100)}}
}

func TestDrags(t *testing.T) {
	tests := map[string]struct {
		down        picking.Buttons
		shift       bool
		captured    bool
		turns, pans bool
	}{
		"nothing":          {},
		"left":             {down: picking.ButtonSet(picking.Left)},
		"right":            {down: picking.ButtonSet(picking.Right), turns: true},
		"middle":           {down: picking.ButtonSet(picking.Middle), pans: true},
		"shift and right":  {down: picking.ButtonSet(picking.Right), shift: true, pans: true},
		"left and right":   {down: picking.ButtonSet(picking.Left, picking.Right), turns: true},
		"right on a panel": {down: picking.ButtonSet(picking.Right), captured: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := newControls()
			before := c.orbit
			g := gesture{x: 400, y: 300, captured: tt.captured}
			assert.False(t, c.update(g, window))
			g.down, g.shift = tt.down, tt.shift
			assert.False(t, c.update(g, window), "a press alone moves nothing")
			g.x, g.y = 460, 330
			assert.Equal(t, tt.turns || tt.pans, c.update(g, window))
			assert.Equal(t, tt.turns, c.orbit.Yaw != before.Yaw && c.orbit.Pitch != before.Pitch)
			assert.Equal(t, tt.pans, c.orbit.Target != before.Target)
			g.down = 0
			assert.False(t, c.update(g, window))
			after := c.orbit
			g.x = 100
			c.update(g, window)
			assert.Equal(t, after, c.orbit, "the drag is over")
		})
	}
}

func TestPitchStops(t *testing.T) {
	c := newControls()
	for _, way := range []float64{1, -1} {
		g := gesture{down: picking.ButtonSet(picking.Right)}
		c.update(g, window)
		for range 100 {
			g.y += way * 50
			c.update(g, window)
		}
		assert.Equal(t, map[float64]float64{1: highestPitch, -1: lowestPitch}[way], c.orbit.Pitch)
		c.update(gesture{}, window)
	}
}

func TestWheelZoomsTowardsTheCursor(t *testing.T) {
	c := newControls()
	view := picking.View{Camera: c.orbit.Camera(), Viewport: window}
	ray, _ := view.Ray(600.5, 200.5)
	// At the target's depth.
	mark := ray.At((10 - 0.1) / ray.Dir.Dot(view.Rotation.Rotate(geom.V(0, 0, -1))))
	c.update(gesture{x: 600.5, y: 200.5, scroll: 3}, window)
	for c.moving() {
		c.update(gesture{x: 10, y: 10}, window) // the cursor may go on meanwhile
	}
	assert.InDelta(t, 10*zoomPerNotch*zoomPerNotch*zoomPerNotch, c.orbit.Distance, 1e-6)
	view.Camera = c.orbit.Camera()
	x, y, _, _ := view.Project(mark)
	assert.InDelta(t, 600.5, x, 0.01)
	assert.InDelta(t, 200.5, y, 0.01)

	c.update(gesture{scroll: 3, captured: true}, window)
	assert.False(t, c.moving(), "over a panel the wheel does nothing")
}

func TestJump(t *testing.T) {
	c := newControls()
	to := c.orbit
	to.Yaw, to.Distance, to.Target = 3, 40, geom.V(5, 5, 5)
	c.orbit.Yaw = -3
	c.jumpTo(to)
	for range jumpFrames - 1 {
		last := c.orbit
		c.update(gesture{}, window)
		assert.Less(t, c.orbit.Yaw, -2.99, "the short way round")
		assert.Greater(t, c.orbit.Distance, last.Distance)
		assert.True(t, c.moving())
	}
	c.update(gesture{}, window)
	assert.Equal(t, to, c.orbit)
	assert.False(t, c.moving())

	c.jumpTo(newControls().orbit)
	c.update(gesture{x: 1, down: picking.ButtonSet(picking.Right)}, window)
	c.update(gesture{x: 9, down: picking.ButtonSet(picking.Right)}, window)
	assert.False(t, c.moving(), "a drag ends it")
}

func TestFrame(t *testing.T) {
	c := newControls()
	box := geom.AABBAround(geom.V(3, 4, 5), geom.V(1, 2, 1))
	c.frame(box, window.Aspect())
	for c.moving() {
		c.update(gesture{}, window)
	}
	assert.Equal(t, box.Center(), c.orbit.Target)
	view := picking.View{Camera: c.orbit.Camera(), Viewport: window}
	for _, p := range []geom.Vec3{box.Min, box.Max} {
		x, y, _, ok := view.Project(p)
		assert.True(t, ok && x > 0 && x < 800 && y > 0 && y < 600)
	}
	before := c
	c.frame(geom.EmptyAABB(), 1)
	assert.Equal(t, before, c)
}

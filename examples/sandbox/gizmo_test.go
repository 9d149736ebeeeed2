package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// handle returns the window pixel of a handle of the entity selected last, and a pixel to drag it
// to.
func (h *simulatedPointer) handle(handle picking.GizmoHandle, way float64) (from, to [2]float64) {
	t := *h.a.transforms.Get(h.a.gizmo.pick(h.a))
	view := *h.a.view()
	for _, line := range h.a.gizmo.Gizmo.Lines(nil, view, t) {
		if line.Handle != handle {
			continue
		}
		ax, ay, _, okA := view.Project(line.A)
		bx, by, _, okB := view.Project(line.B)
		require.True(h.t, okA && okB)
		length := math.Hypot(bx-ax, by-ay)
		x, y := (ax+bx)/2, (ay+by)/2
		return [2]float64{x, y}, [2]float64{x + (bx-ax)/length*way, y + (by-ay)/length*way}
	}
	require.Fail(h.t, "there is no such handle")
	return from, to
}

func TestGizmoMoves(t *testing.T) {
	for handle, axis := range map[picking.GizmoHandle]int{picking.HandleX: 0, picking.HandleY: 1} {
		t.Run(handle.String(), func(t *testing.T) {
			h := newSimulatedPointer(t)
			h.click("crate")
			require.Equal(t, []string{"crate"}, h.a.selected())
			before, orbit := h.place("crate"), h.a.controls.orbit
			h.events.Reset()
			from, to := h.handle(handle, 60)
			h.drag(from, to)
			by := h.place("crate").Position.Sub(before.Position)
			for i, d := range [3]float32{by.X, by.Y, by.Z} {
				if i == axis {
					assert.Greater(t, d, float32(0.1))
				} else {
					assert.Zero(t, d)
				}
			}
			assert.Equal(t, before.Rotation, h.place("crate").Rotation)
			assert.Equal(t, []string{"crate"}, h.a.selected())
			assert.Equal(t, orbit, h.a.controls.orbit)
			for _, event := range []string{"Down", "Up", "Click", "DragStart"} {
				assert.NotContains(t, h.events.String(), event, "the world gets no events")
			}
			assert.False(t, h.a.gizmo.Gizmo.Active())
			h.click("ball")
			assert.Equal(t, []string{"ball"}, h.a.selected(), "the pointer is the world's again")
		})
	}
}

func TestGizmoModes(t *testing.T) {
	tests := map[string]struct {
		key   rune
		mods  picking.Mods
		check func(t *testing.T, before, after geom.Transform)
	}{
		"turn": {'2', 0, func(t *testing.T, before, after geom.Transform) {
			assert.Equal(t, before.Position, after.Position)
			assert.NotEqual(t, before.Rotation, after.Rotation)
		}},
		"scale": {'3', 0, func(t *testing.T, before, after geom.Transform) {
			assert.Greater(t, after.Factors().Y, before.Factors().Y*1.1)
			assert.Equal(t, before.Factors().X, after.Factors().X)
		}},
		"scale in steps": {'3', picking.ModControl, func(t *testing.T, before, after geom.Transform) {
			steps := float64(after.Factors().Y/before.Factors().Y-1) / snapScale
			assert.Greater(t, steps, 0.5)
			assert.InDelta(t, math.Round(steps), steps, 1e-4)
		}},
		"move in steps": {'1', picking.ModControl, func(t *testing.T, before, after geom.Transform) {
			steps := float64(after.Position.Y) / 0.25
			assert.Greater(t, after.Position.Y, before.Position.Y)
			assert.InDelta(t, math.Round(steps), steps, 1e-4, "it lies on the grid")
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newSimulatedPointer(t)
			h.click("crate")
			before := h.place("crate")
			if h.a.gizmo.off = true; tt.key != '1' {
				h.a.gizmo.off = false
			}
			h.a.toolKey(tt.key)
			h.in.Mods = tt.mods
			from, to := h.handle(picking.HandleY, 50)
			h.drag(from, to)
			tt.check(t, before, h.place("crate"))
			assert.Equal(t, []string{"crate"}, h.a.selected())
		})
	}
}

func TestGizmoKeys(t *testing.T) {
	h := newSimulatedPointer(t)
	h.click("crate")
	h.a.toolKey('2')
	assert.Equal(t, picking.GizmoTurn, h.a.gizmo.Gizmo.Mode)
	h.a.toolKey('2')
	h.step()
	assert.True(t, h.a.gizmo.off && h.a.gizmo.Entity.IsZero(), "the same key again hides the handles")
	h.a.toolKey('1')
	h.a.toolKey('O')
	assert.True(t, !h.a.gizmo.off && h.a.gizmo.Gizmo.Mode == picking.GizmoMove && h.a.gizmo.Gizmo.Local)
}

func TestGizmoCancelled(t *testing.T) {
	h := newSimulatedPointer(t)
	h.click("crate")
	before := h.place("crate")
	from, to := h.handle(picking.HandleY, 50)
	h.move(from[0], from[1])
	assert.Equal(t, picking.HandleY, h.a.gizmo.Gizmo.Handle())
	h.press(picking.Left)
	h.move(to[0], to[1])
	require.NotEqual(t, before, h.place("crate"))
	h.a.toolKey('3')
	assert.Equal(t, picking.GizmoMove, h.a.gizmo.Gizmo.Mode, "not while a drag goes on")
	require.True(t, h.a.gizmo.Cancel(&h.a.world))
	assert.Equal(t, before, h.place("crate"))
	h.events.Reset()
	h.move(from[0]+200, from[1]+100)
	h.release(picking.Left)
	assert.Equal(t, before, h.place("crate"), "the rest of the press does nothing")
	assert.Equal(t, []string{"crate"}, h.a.selected())
	assert.False(t, h.a.gizmo.Cancel(&h.a.world))
	assert.NotContains(t, h.events.String(), "Down")

	t.Log("a window that has no focus any more lets go, and so does a thing that has died")
	h.move(from[0], from[1])
	h.press(picking.Left)
	h.move(to[0], to[1])
	require.NotEqual(t, before, h.place("crate"))
	h.in.Down, h.in.Unfocused = 0, true
	h.step()
	assert.Equal(t, before, h.place("crate"))
	h.in.Unfocused = false
	h.move(from[0], from[1])
	h.press(picking.Left)
	h.move(to[0], to[1])
	require.True(t, h.a.gizmo.Gizmo.Active())
	h.a.world.RemoveEntity(h.entity("crate"))
	h.move(from[0], from[1])
	assert.False(t, h.a.gizmo.Gizmo.Active())
}

func TestGizmoCarries(t *testing.T) {
	tests := map[string]struct {
		key   rune
		check func(t *testing.T, ball, crate [2]geom.Transform)
	}{
		"move": {'1', func(t *testing.T, ball, crate [2]geom.Transform) {
			by := crate[1].Position.Sub(crate[0].Position)
			assert.Greater(t, by.Len(), float32(0.1))
			assert.InDelta(t, 0, ball[0].Position.Add(by).Distance(ball[1].Position), 1e-5)
		}},
		"turn": {'2', func(t *testing.T, ball, crate [2]geom.Transform) {
			pivot := crate[0].Position
			assert.Equal(t, pivot, crate[1].Position)
			before, after := ball[0].Position.Sub(pivot), ball[1].Position.Sub(pivot)
			assert.Greater(t, before.Distance(after), float32(0.1))
			// Relative to the crate, the ball does not move.
			inCrate := func(at geom.Transform, p geom.Vec3) geom.Vec3 { return at.Rotation.Inverse().Rotate(p) }
			assert.InDelta(t, 0, inCrate(crate[0], before).Distance(inCrate(crate[1], after)), 1e-4)
		}},
		"scale": {'3', func(t *testing.T, ball, crate [2]geom.Transform) {
			k := crate[1].Factors().Y / crate[0].Factors().Y
			assert.Greater(t, k, float32(1.1))
			assert.InDelta(t, ball[0].Factors().Y*k, ball[1].Factors().Y, 1e-5)
			assert.Equal(t, ball[0].Position, ball[1].Position)
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newSimulatedPointer(t)
			h.click("ball")
			h.in.Mods = picking.ModShift
			h.click("crate")
			h.in.Mods = 0
			require.Equal(t, []string{"ball", "crate"}, h.a.selected())
			h.a.gizmo.off = tt.key == '1'
			h.a.toolKey(tt.key)
			ball, crate := [2]geom.Transform{h.place("ball")}, [2]geom.Transform{h.place("crate")}
			from, to := h.handle(picking.HandleY, 50)
			h.drag(from, to)
			ball[1], crate[1] = h.place("ball"), h.place("crate")
			tt.check(t, ball, crate)

			from, to = h.handle(picking.HandleY, -30)
			h.move(from[0], from[1])
			h.press(picking.Left)
			h.move(to[0], to[1])
			require.NotEqual(t, crate[1], h.place("crate"))
			require.True(t, h.a.gizmo.Cancel(&h.a.world))
			assert.Equal(t, ball[1], h.place("ball"), "cancelled, all is as it was")
			assert.Equal(t, crate[1], h.place("crate"))
		})
	}
}

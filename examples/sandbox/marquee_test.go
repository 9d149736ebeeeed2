package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/picking"
)

func TestMarquee(t *testing.T) {
	h := newSimulatedPointer(t)
	h.a.gizmo.off = true // or its handles would be before what is clicked
	from, to := h.around("ball", "marble")
	h.drag(from, to)
	touched := h.a.selected()
	assert.Subset(t, touched, []string{"ball", "marble"})
	assert.NotContains(t, touched, "ground")
	assert.NotContains(t, touched, "capsule")

	t.Log("shift adds, control toggles")
	a, b := h.around("capsule")
	h.in.Mods = picking.ModShift | picking.ModAlt
	h.drag(a, b)
	assert.Subset(t, h.a.selected(), append(touched, "capsule"))
	h.in.Mods = picking.ModControl | picking.ModAlt
	h.drag(a, b)
	assert.NotContains(t, h.a.selected(), "capsule")
	assert.Subset(t, h.a.selected(), []string{"ball", "marble"})
	h.in.Mods = 0

	t.Log("one from a thing is none, but with alt")
	h.click("marble")
	at, ok := h.a.seen(h.entity("bunny"))
	require.True(t, ok)
	h.drag(at, [2]float64{at[0] + 5, at[1] + 5})
	assert.Equal(t, []string{"marble"}, h.a.selected())
	h.in.Mods = picking.ModAlt
	h.drag(at, [2]float64{at[0] + 5, at[1] + 5})
	assert.Equal(t, []string{"bunny"}, h.a.selected())

	t.Log("inside only, and given up")
	h.in.Mods = 0
	h.a.toolKey('I')
	h.drag(from, [2]float64{to[0] - 40, to[1]})
	assert.Contains(t, h.a.selected(), "ball")
	assert.NotContains(t, h.a.selected(), "marble", "it is cut")
	h.move(from[0], from[1])
	h.press(picking.Left)
	h.move(to[0], to[1])
	assert.Contains(t, h.a.marquee.Preview, h.entity("marble"))
	assert.True(t, h.a.marquee.cancel())
	h.release(picking.Left)
	assert.NotContains(t, h.a.selected(), "marble")
}

func TestLasso(t *testing.T) {
	h := newSimulatedPointer(t)
	h.a.toolKey('L')
	h.a.toolKey('I')
	from, to := h.around("ball")
	h.move(from[0], from[1])
	h.press(picking.Left)
	for _, p := range [][2]float64{{to[0], from[1]}, to, {from[0], to[1]}} {
		h.move(p[0], p[1])
	}
	h.release(picking.Left)
	assert.Equal(t, []string{"ball"}, h.a.selected())
}

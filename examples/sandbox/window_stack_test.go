package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
)

// TestPlayStack throws a ball and goes back in time, by a real pointer and real keys in a real
// window.
func TestPlayStack(t *testing.T) {
	a, play := played(t, config{scene: stackScene, width: 640, height: 480})
	m := a.scene.simulation
	poses := func() (all []physecs.Transform) {
		for _, e := range a.scene.all {
			all = append(all, *a.transforms.Get(e))
		}
		return all
	}
	middle, _ := a.scene.named("cube-4")
	start := a.transforms.Get(middle).Position
	moved := func() float32 { return start.Distance(a.transforms.Get(middle).Position) }

	t.Log("P holds it still")
	play(t, "frames 4\nkey p\nframes 2")
	require.True(t, a.still)
	then, before := m.step, poses()
	play(t, "frames 2")
	assert.Equal(t, before, poses())

	t.Log("a drag pulls, and throws no ball")
	top, _ := a.scene.named("cube-8")
	height := a.transforms.Get(top).Position.Y
	play(t, "key p\nmove cube-8\npress left\nglide by 30 -40 6\nframes 25")
	assert.Greater(t, a.transforms.Get(top).Position.Y, height+0.5)
	play(t, "glide by -30 40 2\nrelease left\nkey p\nframes 1")
	assert.Empty(t, m.throws)
	assert.NotEmpty(t, m.pulls)
	m.seek(then)
	assert.Equal(t, before, poses())

	t.Log("a click throws a ball at what is hovered, which is knocked away")
	play(t, "key p\nmove cube-4\nexpect hover cube-4\nclick left\nexpect selected nothing\nframes 85")
	require.Len(t, m.throws, 1)
	assert.Greater(t, moved(), float32(1))
	play(t, "move plank-9-1\nhold shift\nclick left\nlet shift\nexpect selected plank-9-1")
	assert.Len(t, m.throws, 1, "with shift a click selects")

	t.Log("the slider goes back, and the keys step by step")
	play(t, "move panel:time\npress left\nframes 1")
	assert.True(t, a.still)
	last := m.history.newest
	assert.InDelta(t, last/2, m.step, 1, "the middle of the slider")
	play(t, "glide by -200 30 2\nframes 1") // beyond its end
	assert.Zero(t, m.step)
	play(t, "release left\nexpect selected plank-9-1\n"+strings.Repeat("key right\n", then)+"frames 1")
	require.Equal(t, then, m.step)
	assert.Equal(t, before, poses())
	play(t, "key left\nframes 1")
	assert.Equal(t, then-1, m.step)
	assert.Len(t, m.throws, 1)
	play(t, "move panel:time\npress left\nmove by 300 0\nframes 1\nrelease left")
	assert.Equal(t, last, m.history.newest)
	assert.Equal(t, last, m.step)
	assert.Greater(t, moved(), float32(1))

	t.Log("forces are an overlay, and D leaves")
	play(t, "key j\nframes 1")
	assert.True(t, a.overlays.forces)
	play(t, "key d\nframes 2\nmove bunny\nexpect hover bunny\nclick left\nexpect selected bunny")
	assert.Nil(t, a.scene.simulation)
	assert.False(t, a.overlays.bodies)
}

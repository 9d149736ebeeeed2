package main

import (
	"fmt"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/picking"
)

func TestExplain(t *testing.T) {
	h := newSimulatedPointer(t)
	x, hover := &h.a.explanation, ecs.GetResource[physecs.Hover](&h.a.world)
	at, ok := h.a.seen(h.entity("ball"))
	require.True(t, ok)
	h.move(at[0], at[1])
	assert.Empty(t, x.lines(), "it is off")

	h.a.overlays.toggle('X')
	h.step()
	assert.Equal(t, hover.Ray, x.is.Ray)
	assert.Equal(t, hover.Hit, x.is.Hit)
	entered, tested := 0, 0
	for i := range x.is.Nodes {
		if x.is.Nodes[i].Verdict == physics.VerdictVisited {
			entered++
		}
	}
	for i := range x.is.Colliders {
		if x.is.Colliders[i].Asked() {
			tested++
		}
	}
	lines := x.lines()
	assert.Equal(t, fmt.Sprintf("%d entered", entered), lines[0].text)
	assert.Equal(t, fmt.Sprintf("%d left out", len(x.is.Nodes)-entered), lines[1].text)
	assert.Equal(t, fmt.Sprintf("%d of %d colliders", tested, len(h.a.scene.all)+1), lines[2].text)
	assert.Equal(t, "1 closest", lines[3].text)

	t.Log("the ray of a click stays when the pointer moves on, and when the camera does")
	h.click("ball")
	ray := x.is.Ray
	require.True(t, x.pinned)
	h.move(at[0]+150, at[1])
	assert.NotEqual(t, hover.Ray, ray)
	assert.Equal(t, ray, x.is.Ray)
	h.press(picking.Right)
	h.move(at[0]+200, at[1])
	assert.Equal(t, ray, x.is.Ray)
	h.release(picking.Right)

	h.a.overlays.toggle('X')
	h.step()
	h.a.overlays.toggle('X')
	h.step()
	assert.Equal(t, hover.Ray, x.is.Ray, "it follows the cursor again")
}

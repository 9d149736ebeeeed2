package main

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
)

// The player walks to the right over the steps and into the pyramid, and all that there is keeps to
// the plane, in the level.
func TestGame(t *testing.T) {
	g := newGame()
	g.sim.Headless = true
	all := append(append([]ecs.Entity{g.player}, g.crates...), g.rope...)
	highest := float32(0)
	for i := range script {
		g.play(i)
		g.sim.StepOnce(&g.world)
		for _, e := range all {
			at := g.at(e)
			require.Zero(t, at.Z)
			require.True(t, at.X > 1 && at.X < 23 && at.Y > 1 && at.Y < 9, "%v", at)
		}
		highest = max(highest, g.at(g.player).Y)
		for k := 1; k < len(g.rope)-1; k++ {
			require.Less(t, g.at(g.rope[k]).Distance(g.at(g.rope[k-1])), float32(0.55), "the rope comes apart")
		}
	}
	assert.Greater(t, highest, float32(3.5), "over the steps")
	assert.Greater(t, g.at(g.player).X, float32(14))
	assert.Empty(t, physecs.Check(&g.world))
}

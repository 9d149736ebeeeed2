//go:build !race

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What is left are the notes that a mover keeps of its surroundings, when it comes to where there
// are more things than there ever were around it.
func TestTicksHardlyAllocate(t *testing.T) {
	const movers = 300
	g := start(t, movers, 2)
	for range 400 {
		g.tick()
	}
	before := g.count
	assert.LessOrEqual(t, testing.AllocsPerRun(100, g.tick), float64(movers)/100)
	assert.Greater(t, g.count.respawns, before.respawns, "while bots come and go")
	assert.Greater(t, g.count.shots, before.shots)
}

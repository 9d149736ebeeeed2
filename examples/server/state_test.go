package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
)

// A game that is taken back, over deaths, respawns and captures, goes on as it did, tick by tick.
func TestGoesOnFromAState(t *testing.T) {
	g := start(t, 150, 5)
	for range 60 {
		g.tick()
	}
	var states [3]state
	var hashes []uint64
	var counted []counts
	first := g.now
	for i := range 240 {
		if i%80 == 0 {
			g.save(&states[i/80])
		}
		g.tick()
		hashes, counted = append(hashes, g.hash()), append(counted, g.count)
	}
	last := counted[len(counted)-1]
	require.Greater(t, last.deaths, counted[0].deaths)
	require.Greater(t, last.respawns, counted[0].respawns)
	require.Greater(t, last.captures, counted[0].captures)
	for _, i := range []int{2, 0, 1, 1} {
		g.restore(&states[i])
		require.Equal(t, first+80*i, g.now)
		for g.now < first+len(hashes) {
			g.tick()
			require.Equal(t, hashes[g.now-first-1], g.hash(), "tick %d, from state %d", g.now, i)
			was, is := counted[g.now-first-1], g.count
			for k := range was.began {
				require.Equal(t, was.began[k]-was.ended[k], is.began[k]-is.ended[k], "%d contacts", k)
			}
			was.began, was.ended = is.began, is.ended
			require.Equal(t, was, is, "tick %d, from state %d", g.now, i)
		}
		assert.Empty(t, physecs.Check(&g.world))
	}
}

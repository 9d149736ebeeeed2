package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestArenaSizeIsThatOfAnUpdate lets one worker after the other write all that an update finds.
func TestArenaSizeIsThatOfAnUpdate(t *testing.T) {
	const workers, findings = 4, 3 * pageSize
	var c contactMemory
	arenas := map[*arena]bool{}
	for update := range 4 * workers {
		c.turn()
		arenas[c.now] = true
		c.part(workers - 1)
		mem := c.part(update / 4)
		for i := range findings {
			mem.finding()
			mem.room(1 + i%3)
			mem.manifolds = append(mem.manifolds, make([]Manifold, 1+i%3)...)
		}
	}
	assert.Len(t, arenas, 2)
	for a := range arenas {
		assert.Len(t, a.findings.all, 3)
		assert.LessOrEqual(t, len(a.manifolds.all), 2*findings/(manifoldPage-2)+1)
	}
}

package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
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
	pages, manifolds := len(c.pool.findings.pages), len(c.pool.manifolds.pages)
	for a := range arenas {
		assert.Len(t, a.findings, 3)
		pages, manifolds = pages+len(a.findings), manifolds+len(a.manifolds)
	}
	assert.Equal(t, 2*3, pages)
	assert.LessOrEqual(t, manifolds, 2*(2*findings/(manifoldPage-2)+1))
}

// TestPairsTakeWhatOthersHaveLeft lets pairs of two kinds begin and end in any order, so that each
// slot has had pairs of both.
func TestPairsTakeWhatOthersHaveLeft(t *testing.T) {
	const many = 10
	r := testenv.Rand(1, 41)
	floor := mustMesh(mesh.Plane(1, 1, 2, 2))
	s := NewSpace()
	tracker := ContactTracker{Margin: 0.02}
	for range 20 {
		var ids []ColliderID
		kinds := r.Perm(2 * many)
		for i, kind := range kinds {
			at := geom.At(float32(3*i), 0, 0)
			ground := Shape(floor)
			if kind < many {
				ground = testHulls[0]
			}
			above := geom.At(at.Position.X, 0.3, 0)
			ids = append(ids, s.Add(Collider{Shape: ground, Transform: at}), s.Add(Collider{Shape: testHulls[0], Transform: above}))
		}
		tracker.Update(s)
		for _, i := range r.Perm(len(ids)) {
			s.Remove(ids[i])
		}
		tracker.Update(s)
	}
	assert.Len(t, tracker.checks.nears.free, many)
	assert.Len(t, tracker.checks.hulls.free, many)
}

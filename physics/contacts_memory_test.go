package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/freelist"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// TestArenaSizeIsThatOfAnUpdate lets one worker after the other write all that an update finds.
func TestArenaSizeIsThatOfAnUpdate(t *testing.T) {
	const workers, findings = 4, 3 * pageSize
	var c contactMemory
	arenas := map[*arena]bool{}
	for update := range 4 * workers {
		c.beginUpdate()
		arenas[c.now] = true
		c.part(workers - 1)
		mem := c.part(update / 4)
		for i := range findings {
			mem.finding()
			mem.room(1 + i%3)
			mem.manifolds = append(mem.manifolds, make([]Manifold, 1+i%3)...)
		}
		c.keepUsed()
	}
	assert.Len(t, arenas, 2)
	pages, manifolds := c.pool.findings.pages.Len(), c.pool.manifolds.pages.Len()
	for a := range arenas {
		assert.Len(t, a.findings, 3)
		pages, manifolds = pages+len(a.findings), manifolds+len(a.manifolds)
	}
	assert.Equal(t, 2*3, pages)
	// A worker may have taken pages that it gave back.
	assert.LessOrEqual(t, manifolds, 2*(2*findings/(manifoldPage-2)+1)+pagesAtOnce)
}

// TestPairsTakeWhatOthersHaveLeft lets pairs of two kinds begin and end in any order, so that each
// slot has had pairs of both. Free lists drop what they did not need for a period.
func TestPairsTakeWhatOthersHaveLeft(t *testing.T) {
	defer func(period int) { freelist.Period = period }(freelist.Period)
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
	assert.Equal(t, many, tracker.checks.nears.free.Len())
	freelist.Period = 10
	for range 2 * freelist.Period {
		tracker.Update(s)
	}
	assert.Zero(t, tracker.checks.nears.free.Len())
}

// TestMemoryOfABusyMomentIsDropped fills free lists by some updates in which 300 boxes move and
// rest, with states that share what rests. After updates that need little, at most 3 are left.
func TestMemoryOfABusyMomentIsDropped(t *testing.T) {
	defer func(period int) { freelist.Period = period }(freelist.Period)
	freelist.Period = 50
	var tracker ContactTracker
	var states [4]TrackerState
	s := NewSpace()
	var boxes []ColliderID
	for i := range 300 {
		at := float32(3 * i)
		s.Add(Collider{Shape: unitBox, Transform: geom.At(at, 0, 0)})
		boxes = append(boxes, s.Add(Collider{Shape: unitBox, Transform: geom.At(at, 0.9, 0)}))
	}
	c := &tracker.checks
	var unused, most [4]int
	step := func(i, moved int, far float32) {
		for k, id := range boxes[:moved] {
			s.SetTransform(id, geom.At(float32(3*k), 0.9+float32(i%2)*far, 0))
		}
		tracker.Update(s)
		tracker.Save(&states[i%len(states)])
		unused = [4]int{c.pool.findings.pages.Len(), c.pool.manifolds.pages.Len(), c.kept.spare.Len(), c.rest.free.Len()}
		for k := range most {
			most[k] = max(most[k], unused[k])
		}
	}
	for i := range 20 { // now all move, now all rest
		step(i, len(boxes)*(i/3%2), []float32{0.05, 0.0005}[i/6%2])
	}
	for i := range 3 * freelist.Period {
		step(i, 1, 0.05)
	}
	for i, atLeast := range [4]int{5, 19, 5, 300} {
		assert.GreaterOrEqual(t, most[i], atLeast, "kind %d", i)
		assert.LessOrEqual(t, unused[i], 3, "kind %d", i)
	}
	assert.Len(t, tracker.All, 300)
}

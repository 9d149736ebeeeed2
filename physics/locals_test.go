package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// The Local of every mesh is where a query prefetches it, whatever has become of the space.
func TestLocalsByIndex(t *testing.T) {
	m, err := mesh.New(mesh.Box(geom.V(1, 1, 1)))
	require.NoError(t, err)
	rng := testenv.Rand(7, 7)
	some := func() Collider {
		c := Collider{Shape: m, Transform: geom.Transform{Position: geom.V(rng.Float32(), rng.Float32(), 0)}}
		if rng.IntN(3) == 0 {
			c.Shape = geom.Box{HalfExtents: geom.V(1, 2, 3)}
		}
		return c
	}
	check := func(s *Space, what string) {
		meshes := 0
		for i := range s.records {
			if r := &s.records[i]; r.alive && s.details[i].shape == Shape(m) {
				meshes++
				require.Same(t, s.locals.of(i), r.single[0].Local, what)
			}
		}
		testenv.Drawn(t, meshes, 50, what)
		assert.NotPanics(t, func() { s.locals.prefetch(uint32(len(s.records) + localsBlock)) }, what)
	}
	s := NewSpace()
	var ids []ColliderID
	for range 200 {
		ids = append(ids, s.Add(some()))
	}
	check(s, "added")
	before := s.Snapshot()
	check(before, "snapshot")
	for k, id := range ids {
		switch k % 3 {
		case 0:
			s.Set(id, some())
		case 1:
			s.Remove(id)
			s.Add(some())
		}
	}
	check(s, "changed")
	state := s.AppendState(nil, nil)
	s.Restore(before)
	check(s, "restored")
	loaded := NewSpace()
	require.NoError(t, loaded.LoadState(state, nil, m))
	check(loaded, "loaded")
	require.NoError(t, s.LoadState(state, nil, m))
	check(s, "loaded in place")
}

// Where no shape is a mesh, there are no Locals by index.
func TestLocalsOfOtherShapes(t *testing.T) {
	s := NewSpace()
	s.Add(Collider{Shape: geom.Sphere{Radius: 1}})
	s.Add(Collider{Shape: geom.Cone{B: geom.V(0, 1, 0), RadiusA: 1}})
	assert.Empty(t, s.locals)
}

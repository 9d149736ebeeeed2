package physics

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// row returns a space with n colliders, 3 m apart, along −Z from the origin.
func row(n int, shape Shape) *Space {
	s := NewSpace()
	for i := range n {
		s.Add(Collider{Shape: shape, Transform: geom.At(0, 0, float32(-3*((i*7919)%n)))})
	}
	return s
}

var alongRow = geom.NewRay(geom.V(0.1, 0.2, 10), geom.V(0, 0, -1))

func TestHitsLooksNoFurtherThanItMust(t *testing.T) {
	for name, shape := range map[string]Shape{"spheres": unitSphere, "meshes": boxMesh} {
		t.Run(name, func(t *testing.T) {
			s := row(1000, shape)
			asked := map[ColliderID]int{}
			f := Filter{Predicate: func(id ColliderID) bool { asked[id]++; return true }}
			count := 0
			for range s.Hits(alongRow, f) {
				count++
				assert.LessOrEqual(t, len(asked), count+1, "colliders tested for so many hits")
				if count == 10 {
					break
				}
			}
			for id, n := range asked {
				assert.Equal(t, 1, n, "%v", id)
			}
		})
	}
}

func TestHitsWithinHits(t *testing.T) {
	s := row(10, boxMesh)
	want := s.CastRayAll(nil, alongRow, Filter{})
	require.Len(t, want, 20)
	count := 0
	for outer := range s.Hits(alongRow, Filter{}) {
		assert.Equal(t, want[count], outer)
		count++
		i := 0
		for inner := range s.Hits(alongRow, Filter{}) {
			assert.Equal(t, want[i], inner)
			i++
		}
		assert.Equal(t, len(want), i)
		assert.Equal(t, want, s.CastRayAll(nil, alongRow, Filter{}))
	}
	assert.Equal(t, len(want), count)
}

func TestHitsIsLazyItself(t *testing.T) {
	s := NewSpace()
	hits := s.Hits(alongRow, Filter{})
	s.Add(Collider{Shape: unitSphere})
	for range 2 { // and can be gone through again
		count := 0
		for range hits {
			count++
		}
		assert.Equal(t, 1, count)
	}
}

func TestChangesDuringHits(t *testing.T) {
	for name, change := range map[string]func(s *Space, id ColliderID){
		"remove": func(s *Space, id ColliderID) { s.Remove(id) },
		"move":   func(s *Space, id ColliderID) { s.SetTransform(id, geom.At(0, 0, 1)) },
		"set":    func(s *Space, id ColliderID) { s.Set(id, Collider{Shape: unitBox}) },
		"add":    func(s *Space, id ColliderID) { s.Add(Collider{Shape: unitBox}) },
		"clear":  func(s *Space, id ColliderID) { s.Clear() },
	} {
		t.Run(name, func(t *testing.T) {
			s := row(5, unitSphere)
			for h := range s.Hits(alongRow, Filter{}) {
				change(s, h.Collider)
				break // is fine
			}
			require.NoError(t, s.Validate())
			s = row(5, unitSphere)
			assert.PanicsWithValue(t, "physics: Space.Hits: the space was changed and the loop continued", func() {
				for h := range s.Hits(alongRow, Filter{}) {
					change(s, h.Collider)
				}
			})
			require.NoError(t, s.Validate())
		})
	}
}

// everyQuery runs every kind of query and returns the number of answers. The slices must have the
// capacity.
func everyQuery(s *Space, hits []Hit, ids []ColliderID, f Filter) int {
	r := geom.NewRay(geom.V(0.3, 9, 0.2), geom.V(0.1, -1, 0.05))
	n := len(s.CastRayAll(hits, r, f))
	if _, ok := s.CastRay(r, f); ok {
		n++
	}
	if s.CastRayAny(r, f) {
		n++
	}
	var crossings [100]Crossing
	n += len(s.Crossings(crossings[:0], r, f))
	for h := range s.Hits(r, f) {
		n += int(h.Child) + 2
	}
	for range s.Hits(r, f) {
		n++
		break
	}
	n += len(s.OverlapAABB(ids, geom.AABBAround(geom.V(0.1, 0.2, 0.3), geom.V(1, 2, 1)), f))
	n += len(s.OverlapSphere(ids, geom.Sphere{Center: geom.V(1, 0, 0), Radius: 2}, f))
	n += len(s.OverlapBox(ids, geom.Box{HalfExtents: geom.V(1, 2, 3), Rotation: geom.QuatEuler(1, 2, 3)}, f))
	n += len(s.OverlapPoint(ids, geom.V(0.2, 0.1, 0), f))
	if _, ok := s.Nearest(geom.V(3, 4, 5), infinity, f); ok {
		n++
	}
	return n
}

// crowded returns a space with every kind of subshape.
func crowded() *Space {
	s := newScene(300, geom.Vec3{}, 1).space
	s.Add(Collider{Shape: ground})
	for i := range 36 { // across the ray of everyQuery, whatever the random colliders are
		s.Add(Collider{Shape: unitSphere, Transform: geom.At(0.5, float32(i%9), 0.3)})
	}
	s.Add(Collider{Shape: unitSphere, Transform: geom.Transform{Scale: geom.V(3, 1, 1)}})
	s.Add(Collider{Shape: unitCapsule, Transform: geom.Transform{Scale: geom.V(1, 2, 1)}})
	s.Add(Collider{Shape: boxMesh, Transform: geom.Transform{Scale: geom.V(1, 2, -1)}})
	s.Add(Collider{Shape: NewCompound(Child{unitBox, geom.Transform{Rotation: geom.QuatEuler(1, 1, 1)}}, Child{Shape: ground}),
		Transform: geom.Transform{Scale: geom.V(1, 2, -1)}})
	return s
}

func TestQueriesAllocateNothing(t *testing.T) {
	testenv.NoRace(t)
	s := crowded()
	var ids []ColliderID
	for id := range s.All() {
		ids = append(ids, id)
	}
	hits, found := make([]Hit, 0, 2000), make([]ColliderID, 0, 2000)
	for name, f := range map[string]Filter{
		"zero":      {},
		"exclude":   {Exclude: ids[:3], Mask: AllLayers, Sensors: true},
		"predicate": {Predicate: func(id ColliderID) bool { return id%2 == 0 }},
		"picking":   {Start: geom.Ignore, Cull: geom.CullBack},
	} {
		// 18 of the 36 spheres of crowded have an even number. Each counts at least once for
		// CastRayAll and once for Hits.
		require.GreaterOrEqual(t, everyQuery(s, hits, found, f), 36)
		testenv.AllocatesNothing(t, 100, func() { everyQuery(s, hits, found, f) }, name)
	}
}

func TestMovingAllocatesNothing(t *testing.T) {
	s := crowded()
	var ids []ColliderID
	for id := range s.All() {
		ids = append(ids, id)
	}
	i := 0
	move := func() {
		for _, id := range ids {
			i++
			c, _ := s.Collider(id)
			c.Transform.Position = geom.V(float32(i%17), float32(i%13), float32(i%11))
			s.SetTransform(id, c.Transform)
		}
	}
	move()
	testenv.AllocatesNothing(t, 20, move)
	require.NoError(t, s.Validate())
}

// TestQueriesFromManyGoroutines is for the race detector, and asserts that all get the same
// answers.
func TestQueriesFromManyGoroutines(t *testing.T) {
	s := crowded()
	f := Filter{Predicate: func(id ColliderID) bool { _, ok := s.Bounds(id); return ok }}
	want := everyQuery(s, nil, nil, f)
	var wait sync.WaitGroup
	got := make([]int, 8)
	for g := range got {
		wait.Go(func() {
			for range 20 {
				got[g] += everyQuery(s, nil, nil, f)
				runtime.Gosched()
			}
		})
	}
	wait.Wait()
	for _, n := range got {
		assert.Equal(t, 20*want, n)
	}
}

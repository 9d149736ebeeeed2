package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Whatever the predicate of hits lets through, every query with rays finds what is left of the hits
// of [Space.CastRayAll] without it, in the same order.
func TestHitPredicate(t *testing.T) {
	shapes := []Shape{unitBox, unitSphere, ground, testMeshes[0], NewCompound(Child{Shape: unitBox}, Child{Shape: unitSphere, Transform: geom.At(0.5, 0, 0)},
		Child{Shape: testMeshes[0]})}
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace()
		number := rapid.IntRange(0, 5)
		for range rapid.IntRange(1, 6).Draw(t, "colliders") {
			s.Add(Collider{Shape: shapes[number.Draw(t, "shape")%len(shapes)], Transform: geom.At(0, -float32(number.Draw(t, "depth")), 0)})
		}
		r := down(0.1, 0.2)
		all := s.CastRayAll(nil, r, Filter{})
		kept := map[[3]int32]bool{}
		key := func(h Hit) [3]int32 { return [3]int32{int32(h.Collider.index()), h.Child, h.Triangle} }
		want := []Hit{}
		for _, h := range all {
			if rapid.Bool().Draw(t, "kept") {
				kept[key(h)] = true
			}
		}
		for _, h := range all { // a triangle may be hit twice, as a child of two
			if kept[key(h)] {
				want = append(want, h)
			}
		}
		f := Filter{HitPredicate: func(h Hit) bool { return kept[key(h)] }}
		require.Equal(t, want, s.CastRayAll([]Hit{}, r, f))
		stepped := []Hit{}
		for h := range s.Hits(r, f) {
			stepped = append(stepped, h)
		}
		require.Equal(t, want, stepped)
		first, ok := s.CastRay(r, f)
		require.Equal(t, len(want) > 0, ok)
		require.Equal(t, ok, s.CastRayAny(r, f))
		require.Equal(t, []bool{ok}, s.CastRaysAny(nil, []geom.Ray{r}, f))
		batch := s.CastRays(nil, []geom.Ray{r}, f)
		x := s.Explain(r, f)
		require.Equal(t, ok, x.OK)
		if !ok {
			require.Equal(t, []Hit{missed}, batch)
		} else {
			require.Equal(t, want[0], first)
			require.Equal(t, want[:1], batch)
			require.Equal(t, want[0], x.Hit)
		}
		hit := map[ColliderID]bool{}
		for _, h := range want {
			hit[h.Collider] = true
		}
		for i := range x.Colliders {
			if c := &x.Colliders[i]; c.RejectedBy != "" {
				require.Equal(t, FieldHitPredicate, c.RejectedBy)
				require.False(t, hit[c.Collider])
			}
		}
	})
}

// A solid that is passed is passed as a whole, and the far side is no hit either.
func TestHitPredicateOfSolids(t *testing.T) {
	s := NewSpace()
	s.Add(Collider{Shape: unitSphere})
	floor := s.Add(Collider{Shape: ground, Transform: geom.At(0, -5, 0)})
	f := Filter{HitPredicate: func(h Hit) bool { return h.Collider == floor }}
	hit, ok := s.CastRay(down(0, 0), f)
	require.True(t, ok)
	assert.Equal(t, floor, hit.Collider)
	assert.Len(t, s.Crossings(nil, down(0, 0), f), 1)
	f.HitPredicate = func(Hit) bool { return false }
	assert.False(t, s.CastRayAny(down(0, 0), f))
}

func TestHitPredicateAllocatesNothing(t *testing.T) {
	s := NewSpace()
	s.Add(Collider{Shape: testMeshes[0]})
	floor := s.Add(Collider{Shape: ground, Transform: geom.At(0, -5, 0)})
	dst := make([]Hit, 0, 64)
	cast := func() {
		f := Filter{HitPredicate: func(h Hit) bool { return h.Collider == floor }}
		if hit, _ := s.CastRay(down(0.1, 0.2), f); hit.Collider != floor || !s.CastRayAny(down(0.1, 0.2), f) {
			t.Fatal("the floor is not hit")
		}
		dst = s.CastRayAll(dst[:0], down(0.1, 0.2), f)
	}
	cast()
	testenv.AllocatesNothing(t, 100, cast)
}

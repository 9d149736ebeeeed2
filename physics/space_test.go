package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

var (
	unitSphere = geom.Sphere{Radius: 1}
	unitBox    = geom.Box{HalfExtents: geom.V(1, 1, 1)}
	unitAABB   = geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1))
	ground     = geom.Plane{Normal: geom.V(0, 1, 0)}
	infinity   = float32(math.Inf(1))
)

// down is a ray along −Y from 10 m above (x, 0, z).
func down(x, z float32) geom.Ray { return geom.NewRay(geom.V(x, 10, z), geom.V(0, -1, 0)) }

func TestIDs(t *testing.T) {
	s := NewSpace()
	a := s.Add(Collider{Shape: unitSphere, User: 7})
	b := s.Add(Collider{Shape: unitSphere})
	assert.NotZero(t, a)
	assert.NotEqual(t, a, b)
	assert.Equal(t, 2, s.Len())

	c, ok := s.Collider(a)
	require.True(t, ok)
	assert.Equal(t, Collider{Shape: unitSphere, User: 7}, c)

	require.True(t, s.Remove(a))
	again := s.Add(Collider{Shape: unitBox})
	assert.Equal(t, a.index(), again.index(), "the place is used again")
	assert.NotEqual(t, a, again)
	assert.Equal(t, "collider 0.2", again.String())
	assert.Equal(t, "no collider", ColliderID(0).String())

	future := newID(again.index(), again.generation()+1)
	for name, stale := range map[string]ColliderID{"none": 0, "removed": a, "made up": 12345, "future": future} {
		t.Run(name, func(t *testing.T) {
			_, ok := s.Collider(stale)
			assert.False(t, ok)
			_, ok = s.Bounds(stale)
			assert.False(t, ok)
			assert.False(t, s.Set(stale, Collider{Shape: unitSphere}))
			assert.False(t, s.SetTransform(stale, geom.At(1, 2, 3)))
			assert.False(t, s.Remove(stale))
			assert.True(t, s.IsNowhere(stale))
			assert.Equal(t, 2, s.Len())
		})
	}
	require.NoError(t, s.Validate())
}

func TestIDsOfAPlaceThatIsUsedUp(t *testing.T) {
	s := NewSpace()
	id := s.Add(Collider{Shape: unitSphere})
	s.records[0].id = newID(0, math.MaxUint32)
	require.True(t, s.Remove(s.records[0].id))
	assert.NotEqual(t, id.index(), s.Add(Collider{Shape: unitSphere}).index())
	assert.Equal(t, 1, s.Len())
	require.NoError(t, s.Validate())
}

func TestClearMakesIDsStale(t *testing.T) {
	s := NewSpace()
	ids := []ColliderID{s.Add(Collider{Shape: unitSphere}), s.Add(Collider{Shape: ground}), s.Add(Collider{Shape: unitBox})}
	s.Clear()
	assert.Zero(t, s.Len())
	assert.False(t, s.CastRayAny(down(0, 0), Filter{}))
	for range ids {
		assert.NotContains(t, ids, s.Add(Collider{Shape: unitSphere}))
	}
	require.NoError(t, s.Validate())
}

func TestPanics(t *testing.T) {
	s := NewSpace()
	id := s.Add(Collider{Shape: unitSphere})
	sphere := unitSphere
	for _, tt := range []struct {
		name  string
		shape Shape
		why   string
	}{
		{"none", nil, "no shape"},
		{"nil mesh", (*mesh.Mesh)(nil), "a nil *mesh.Mesh"},
		{"nil hull", (*hull.Hull)(nil), "a nil *hull.Hull"},
		{"nil compound", (*Compound)(nil), "a nil *physics.Compound"},
		{"pointer", &sphere, "a *geom.Sphere must be given by value"},
		{"triangle", geom.Triangle{}, "a geom.Triangle is no shape of a collider"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.PanicsWithValue(t, "physics: Space.Add: "+tt.why, func() { s.Add(Collider{Shape: tt.shape}) })
			assert.PanicsWithValue(t, "physics: Space.Set: "+tt.why, func() { s.Set(id, Collider{Shape: tt.shape}) })
			assert.PanicsWithValue(t, "physics: NewCompound: child 1: "+tt.why, func() {
				NewCompound(Child{Shape: unitBox}, Child{Shape: tt.shape})
			})
		})
	}
	assert.PanicsWithValue(t, "physics: NewCompound: child 0 is a compound", func() {
		NewCompound(Child{Shape: NewCompound()})
	})
	assert.Equal(t, 1, s.Len())
	require.NoError(t, s.Validate())
}

func TestNowhere(t *testing.T) {
	nanAt, infAt := geom.At(nan, 0, 0), geom.At(0, infinity, 0)
	// Twice a factor of 1e-30 is less than float32 has: 0.
	thin := geom.Transform{Scale: geom.V(1, 1e-30, 1)}
	flat := func(s Shape) Collider { return Collider{Shape: NewCompound(Child{s, thin}), Transform: thin} }
	for _, tt := range []struct {
		name string
		c    Collider
	}{
		{"empty AABB", Collider{Shape: geom.EmptyAABB()}},
		{"inverted AABB", Collider{Shape: geom.AABB{Min: geom.V(1, 0, 0)}}},
		{"NaN AABB", Collider{Shape: geom.AABB{Min: geom.V(nan, 0, 0)}}},
		{"endless AABB", Collider{Shape: geom.AABB{Max: geom.V(0, infinity, 0)}}},
		{"negative box", Collider{Shape: geom.Box{HalfExtents: geom.V(1, -1, 1)}}},
		{"NaN box", Collider{Shape: geom.Box{Rotation: geom.Quat{X: nan}}}},
		{"negative sphere", Collider{Shape: geom.Sphere{Radius: -1}}},
		{"endless sphere", Collider{Shape: geom.Sphere{Radius: infinity}}},
		{"NaN capsule", Collider{Shape: geom.Capsule{A: geom.V(0, nan, 0), Radius: 1}}},
		{"plane without a normal", Collider{Shape: geom.Plane{D: 1}}},
		{"NaN plane", Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0), D: nan}}},
		{"zero mesh", Collider{Shape: &mesh.Mesh{}}},
		{"zero hull", Collider{Shape: &hull.Hull{}}},
		{"empty compound", Collider{Shape: NewCompound()}},
		{"compound of nothing", Collider{Shape: NewCompound(Child{Shape: geom.EmptyAABB()}, Child{unitBox, nanAt})}},
		{"NaN position", Collider{Shape: unitBox, Transform: nanAt}},
		{"infinite position", Collider{Shape: unitSphere, Transform: infAt}},
		{"NaN rotation", Collider{Shape: unitAABB, Transform: geom.Transform{Rotation: geom.Quat{W: nan}}}},
		{"NaN scale", Collider{Shape: unitAABB, Transform: geom.Transform{Scale: geom.V(1, nan, 1)}}},
		{"box scaled beyond float32", Collider{
			Shape: geom.Box{HalfExtents: geom.V(1e30, 1, 1)}, Transform: geom.Transform{Scale: geom.V(1e30, 1, 1)}}},
		{"sphere scaled beyond float32", Collider{
			Shape: geom.Sphere{Radius: 1e30}, Transform: geom.Transform{Scale: geom.V(1e30, 1e30, 1e30)}}},
		{"flattened sphere", flat(unitSphere)},
		{"flattened capsule", flat(geom.Capsule{B: geom.V(0, 1, 0), Radius: 1})},
		{"flattened plane", flat(ground)},
		{"flattened mesh", flat(testMeshes[0])},
		{"flattened hull", flat(boxHull)},
		{"hull scaled beyond float32", Collider{Shape: mustHull(boxCorners(geom.V(1e30, 1e30, 1e30))), Transform: geom.Transform{Scale: geom.V(1e30, 1, 1)}}},
		{"hull flattened across its axes", Collider{
			Shape:     NewCompound(Child{boxHull, geom.Transform{Rotation: geom.QuatEuler(0.3, 0.4, 0.5)}}),
			Transform: geom.Transform{Scale: geom.V(1, 1e-6, 1)}}},
		{"flattened across its axes", Collider{
			Shape:     NewCompound(Child{unitSphere, geom.Transform{Rotation: geom.QuatEuler(0.3, 0.4, 0.5)}}),
			Transform: geom.Transform{Scale: geom.V(1, 1e-6, 1)}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSpace()
			check := func(id ColliderID) {
				t.Helper()
				assert.True(t, s.IsNowhere(id))
				b, ok := s.Bounds(id)
				assert.True(t, ok)
				assert.True(t, b.IsEmpty(), "%v", b)
				got, ok := s.Collider(id)
				assert.True(t, ok)
				assert.NotNil(t, got.Shape)
				assert.False(t, s.CastRayAny(down(0, 0), Filter{}))
				assert.Empty(t, s.CastRayAll(nil, down(0.1, 0), Filter{}))
				assert.Empty(t, s.OverlapSphere(nil, geom.Sphere{Radius: 1e30}, Filter{}))
				_, ok = s.Nearest(geom.Vec3{}, infinity, Filter{})
				assert.False(t, ok)
				require.NoError(t, s.Validate())
			}
			id := s.Add(tt.c)
			check(id)

			// It can become something, and nothing again.
			require.True(t, s.Set(id, Collider{Shape: unitBox}))
			assert.False(t, s.IsNowhere(id))
			assert.True(t, s.CastRayAny(down(0, 0), Filter{}))
			require.NoError(t, s.Validate())
			require.True(t, s.Set(id, Collider{Shape: ground}))
			assert.True(t, s.CastRayAny(down(0, 0), Filter{}))
			require.NoError(t, s.Validate())
			require.True(t, s.Set(id, tt.c))
			check(id)
			require.True(t, s.Remove(id))
			require.NoError(t, s.Validate())
		})
	}
}

func TestACompoundIsWhereAnyChildIs(t *testing.T) {
	s := NewSpace()
	id := s.Add(Collider{Shape: NewCompound(
		Child{Shape: geom.EmptyAABB()}, Child{unitSphere, geom.At(5, 0, 0)}, Child{ground, geom.At(nan, 0, 0)})})
	assert.False(t, s.IsNowhere(id))
	hit, ok := s.CastRay(down(5, 0), Filter{})
	require.True(t, ok)
	assert.Equal(t, int32(1), hit.Child, "children keep their numbers")
	assert.False(t, s.CastRayAny(down(0, 0), Filter{}))
}

func TestCompoundTellsWhatItIsMadeOf(t *testing.T) {
	children := []Child{{unitSphere, geom.At(5, 0, 0)}, {unitBox, geom.Transform{Scale: geom.V(1, 2, 1)}}, {Shape: geom.EmptyAABB()}}
	c := NewCompound(children...)
	assert.Equal(t, geom.AABB{Min: geom.V(-1, -2, -1), Max: geom.V(6, 2, 1)}, c.Bounds())
	require.Equal(t, 3, c.NumChildren())
	for i, child := range children {
		assert.Equal(t, child, c.Child(i))
	}
	children[0].Shape = unitBox
	assert.Equal(t, unitSphere, c.Child(0).Shape, "it keeps a copy")
	assert.PanicsWithValue(t, "physics: Compound.Child: no child 3 of 3", func() { c.Child(3) })
	assert.True(t, NewCompound().Bounds().IsEmpty())
	assert.Equal(t, ground.Bounds(), NewCompound(Child{Shape: ground}, Child{Shape: unitBox}).Bounds())
}

func TestHugeColliderIsFound(t *testing.T) {
	s := NewSpace()
	id := s.Add(Collider{Shape: geom.AABBAround(geom.Vec3{}, geom.V(3.4e38, 1, 3.4e38))})
	require.NoError(t, s.Validate())
	assert.False(t, s.IsNowhere(id))
	hit, ok := s.CastRay(down(1e30, 5), Filter{})
	assert.True(t, ok)
	assert.Equal(t, float32(9), hit.T)
}

func TestQueriesThatAskForNothing(t *testing.T) {
	s := NewSpace()
	s.Add(Collider{Shape: unitBox})
	s.Add(Collider{Shape: ground})
	s.Add(Collider{Shape: testMeshes[0]})
	for name, ids := range map[string][]ColliderID{
		"empty AABB":      s.OverlapAABB(nil, geom.EmptyAABB(), Filter{}),
		"NaN AABB":        s.OverlapAABB(nil, geom.AABB{Min: geom.V(nan, -1, -1), Max: geom.V(1, 1, 1)}, Filter{}),
		"endless AABB":    s.OverlapAABB(nil, geom.AABB{Max: geom.V(infinity, 1, 1)}, Filter{}),
		"negative sphere": s.OverlapSphere(nil, geom.Sphere{Radius: -1}, Filter{}),
		"NaN sphere":      s.OverlapSphere(nil, geom.Sphere{Radius: nan}, Filter{}),
		"endless sphere":  s.OverlapSphere(nil, geom.Sphere{Radius: infinity}, Filter{}),
		"negative box":    s.OverlapBox(nil, geom.Box{HalfExtents: geom.V(1, 1, -1)}, Filter{}),
		"NaN box":         s.OverlapBox(nil, geom.Box{Center: geom.V(nan, 0, 0)}, Filter{}),
		"NaN point":       s.OverlapPoint(nil, geom.V(0, nan, 0), Filter{}),
	} {
		assert.Empty(t, ids, name)
	}
	for name, tt := range map[string]struct {
		p           geom.Vec3
		maxDistance float32
	}{
		"NaN point":         {geom.V(nan, 0, 0), infinity},
		"infinite point":    {geom.V(infinity, 0, 0), infinity},
		"NaN distance":      {geom.Vec3{}, nan},
		"negative distance": {geom.Vec3{}, -1},
	} {
		_, ok := s.Nearest(tt.p, tt.maxDistance, Filter{})
		assert.False(t, ok, name)
	}
}

func TestAppendingKeepsWhatIsThere(t *testing.T) {
	s := NewSpace()
	a, b := s.Add(Collider{Shape: unitBox}), s.Add(Collider{Shape: unitSphere})
	marker := Hit{Child: 99}
	hits := s.CastRayAll([]Hit{marker}, down(0, 0), Filter{})
	require.Len(t, hits, 3)
	assert.Equal(t, marker, hits[0])
	assert.Equal(t, []ColliderID{99, a, b}, s.OverlapPoint([]ColliderID{99}, geom.Vec3{}, Filter{}))
}

func TestAllAndNodes(t *testing.T) {
	s := NewSpace()
	want := map[ColliderID]Collider{}
	for i := range 20 {
		c := Collider{Shape: unitBox, Transform: geom.At(float32(3*i), 0, 0), User: uint64(i)}
		want[s.Add(c)] = c
	}
	s.Remove(s.Add(Collider{Shape: unitBox}))
	got := map[ColliderID]Collider{}
	for id, c := range s.All() {
		got[id] = c
	}
	assert.Equal(t, want, got)
	for range s.All() {
		break
	}

	leaves, nodes := 0, 0
	for n := range s.Nodes() {
		if nodes == 0 {
			assert.Zero(t, n.Level)
			for id := range want {
				b, _ := s.Bounds(id)
				assert.True(t, around(n.Bounds, b))
			}
		}
		nodes++
		if n.Leaf {
			leaves++
		}
	}
	assert.Equal(t, 20, leaves)
	assert.Equal(t, 24, nodes, "three nodes of up to eight, and the root above them")
	for range s.Nodes() {
		break
	}
}

func TestValidateFindsDamage(t *testing.T) {
	for name, damage := range map[string]func(*Space){
		"count":  func(s *Space) { s.count++ },
		"id":     func(s *Space) { s.records[1].id = newID(7, 1) },
		"box":    func(s *Space) { s.boxes.Remove(0) },
		"bounds": func(s *Space) { s.records[0].bounds().Max.X = 100 },
		"plane":  func(s *Space) { s.planes[0] = 0 },
		"tree":   func(s *Space) { s.boxes.Set(7, unitAABB, true) },
		"ghost":  func(s *Space) { s.records[3].where = inBoxes },
	} {
		t.Run(name, func(t *testing.T) {
			s := NewSpace()
			s.Add(Collider{Shape: unitBox})
			s.Add(Collider{Shape: unitSphere, Transform: geom.At(5, 0, 0)})
			s.Add(Collider{Shape: ground})
			s.Remove(s.Add(Collider{Shape: unitBox}))
			require.NoError(t, s.Validate())
			damage(s)
			assert.ErrorContains(t, s.Validate(), "physics: Space.Validate: ")
		})
	}
}

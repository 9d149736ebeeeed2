package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// TestFilter puts one collider under a ray, into a volume and near a point, and tests that a filter
// lets it through for all of these queries or for none.
func TestFilter(t *testing.T) {
	const a, b Layers = 2, 4
	for _, tt := range []struct {
		name     string
		collider Collider
		filter   Filter
		sees     bool
	}{
		{"zero sees all", Collider{}, Filter{}, true},
		{"zero sees any layer", Collider{Layer: a}, Filter{}, true},
		{"mask hits layer", Collider{Layer: a}, Filter{Mask: a}, true},
		{"mask misses layer", Collider{Layer: a}, Filter{Mask: b}, false},
		{"one layer of two is enough", Collider{Layer: a | b}, Filter{Mask: b}, true},
		{"no layer is the default layer", Collider{}, Filter{Mask: DefaultLayer}, true},
		{"no layer is no other layer", Collider{}, Filter{Mask: a}, false},
		{"default layer must be named beside others", Collider{Layer: a}, Filter{Mask: DefaultLayer}, false},
		{"layer hits mask", Collider{Mask: a}, Filter{OwnLayer: a}, true},
		{"layer misses mask", Collider{Mask: a}, Filter{OwnLayer: b}, false},
		{"no mask is every mask", Collider{}, Filter{OwnLayer: b}, true},
		{"query on all layers", Collider{Mask: a}, Filter{}, true},
		{"both ways", Collider{Layer: a, Mask: b}, Filter{OwnLayer: b, Mask: a}, true},
		{"one way of two", Collider{Layer: a, Mask: b}, Filter{OwnLayer: a, Mask: a}, false},
		{"all layers", Collider{Layer: 1 << 31}, Filter{Mask: AllLayers}, true},
		{"sensor unasked", Collider{Sensor: true}, Filter{}, false},
		{"sensor asked for", Collider{Sensor: true}, Filter{Sensors: true}, true},
		{"sensors and others", Collider{}, Filter{Sensors: true}, true},
		{"excluded", Collider{}, Filter{Exclude: []ColliderID{newID(0, 1)}}, false},
		{"excluded among others", Collider{}, Filter{Exclude: []ColliderID{7, newID(0, 1)}}, false},
		{"another excluded", Collider{}, Filter{Exclude: []ColliderID{7}}, true},
		{"its place in another life excluded", Collider{}, Filter{Exclude: []ColliderID{newID(0, 2)}}, true},
		{"predicate agrees", Collider{}, Filter{Predicate: func(ColliderID) bool { return true }}, true},
		{"predicate refuses", Collider{}, Filter{Predicate: func(ColliderID) bool { return false }}, false},
		{"predicate has no say over layers", Collider{Layer: a},
			Filter{Mask: b, Predicate: func(ColliderID) bool { return true }}, false},
	} {
		for _, shape := range []Shape{unitBox, unitAABB, unitSphere, ground, testMeshes[0],
			NewCompound(Child{Shape: unitBox}, Child{Shape: unitSphere}), NewCompound(Child{Shape: ground})} {
			t.Run(tt.name, func(t *testing.T) {
				s := NewSpace()
				tt.collider.Shape = shape
				id := s.Add(tt.collider)
				require.Equal(t, newID(0, 1), id)
				r := down(0.1, 0.2)
				_, ok := s.CastRay(r, tt.filter)
				assert.Equal(t, tt.sees, ok)
				assert.Equal(t, tt.sees, s.CastRayAny(r, tt.filter))
				assert.Equal(t, tt.sees, len(s.CastRayAll(nil, r, tt.filter)) > 0)
				iterated := false
				for range s.Hits(r, tt.filter) {
					iterated = true
				}
				assert.Equal(t, tt.sees, iterated)

				want := []ColliderID(nil)
				if tt.sees {
					want = []ColliderID{id}
				}
				assert.Equal(t, want, s.OverlapAABB(nil, geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1)), tt.filter))
				assert.Equal(t, want, s.OverlapSphere(nil, geom.Sphere{Radius: 1}, tt.filter))
				assert.Equal(t, want, s.OverlapBox(nil, geom.Box{HalfExtents: geom.V(1, 1, 1)}, tt.filter))
				onSurface := geom.Vec3{X: 1}
				if s.lookup(id).where == inPlanes {
					onSurface = geom.Vec3{X: 3}
				}
				assert.Equal(t, want, s.OverlapPoint(nil, onSurface, tt.filter))
				_, ok = s.Nearest(geom.V(0, 3, 0), infinity, tt.filter)
				assert.Equal(t, tt.sees, ok)
			})
		}
	}
}

func TestPredicateLetsTheNextThrough(t *testing.T) {
	s := NewSpace()
	var ids []ColliderID
	for i := range 5 {
		ids = append(ids, s.Add(Collider{Shape: unitSphere, Transform: geom.At(0, float32(-3*i), 0)}))
	}
	f := Filter{Predicate: func(id ColliderID) bool { return id >= ids[3] }}
	hit, ok := s.CastRay(down(0, 0), f)
	require.True(t, ok)
	assert.Equal(t, ids[3], hit.Collider)
	n, ok := s.Nearest(geom.V(0, 10, 0), infinity, f)
	require.True(t, ok)
	assert.Equal(t, ids[3], n.Collider)
}

// TestPredicateMayQuery finds only colliders that stand on something: the predicate queries the
// same space.
func TestPredicateMayQuery(t *testing.T) {
	s := NewSpace()
	s.Add(Collider{Shape: ground, Layer: 2})
	floating := s.Add(Collider{Shape: unitBox, Transform: geom.At(0, 5, 0)})
	standing := s.Add(Collider{Shape: unitBox, Transform: geom.At(0, 1, 0)})
	stands := func(id ColliderID) bool {
		b, _ := s.Bounds(id)
		f := Filter{Mask: 2}
		under := geom.Ray{Origin: b.Center(), Dir: geom.V(0, -1, 0), MaxT: 1.5}
		found := s.CastRayAny(under, f)
		for range s.Hits(under, f) {
			assert.True(t, found)
		}
		assert.Equal(t, found, len(s.CastRayAll(nil, under, f)) > 0)
		assert.Equal(t, found, len(s.OverlapAABB(nil, b, f)) > 0)
		return found
	}
	f := Filter{Mask: DefaultLayer, Predicate: stands}
	hit, ok := s.CastRay(down(0, 0), f)
	require.True(t, ok)
	assert.Equal(t, standing, hit.Collider)
	assert.Equal(t, standing, s.CastRayAll(nil, down(0, 0), f)[0].Collider)
	assert.NotEqual(t, standing, floating)
	for h := range s.Hits(down(0, 0), f) {
		assert.Equal(t, standing, h.Collider)
	}
	assert.Equal(t, []ColliderID{standing}, s.OverlapSphere(nil, geom.Sphere{Radius: 20}, f))
	n, ok := s.Nearest(geom.V(0, 7, 0), infinity, f)
	require.True(t, ok)
	assert.Equal(t, standing, n.Collider)
}

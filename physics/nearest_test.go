package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestNearest(t *testing.T) {
	s := NewSpace()
	add := func(c Collider) ColliderID {
		c.User = uint64(s.Len() + 100)
		return s.Add(c)
	}
	far := add(Collider{Shape: unitSphere, Transform: geom.At(20, 0, 0)})
	// 4 from the origin.
	box := add(Collider{Shape: unitBox, Transform: geom.At(0, 0, 5)})
	// As near.
	twin := add(Collider{Shape: unitAABB, Transform: geom.At(0, 0, -5)})
	floor := add(Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0), D: -3}}) // 3
	// 0: the origin is in it.
	around := add(Collider{Shape: geom.Sphere{Radius: 1}})
	// 2: its inside is nothing.
	shell := add(Collider{Shape: boxMesh, Transform: geom.Transform{Scale: geom.V(2, 2, 2)}})
	// 6, child 1.
	pair := add(Collider{Shape: NewCompound(Child{unitBox, geom.At(9, 0, 0)}, Child{unitSphere, geom.At(-7, 0, 0)})})
	sensor := add(Collider{Shape: unitSphere, Sensor: true})
	add(Collider{Shape: unitBox, Transform: geom.At(nan, 0, 0)})
	inf, o := infinity, geom.Vec3{}
	order := []ColliderID{around, shell, floor, box, twin, pair, far}
	for _, tt := range []struct {
		name        string
		p           geom.Vec3
		k           int
		maxDistance float32
		f           Filter
		want        []ColliderID
	}{
		{"none", o, 0, inf, Filter{}, nil},
		{"less than none", o, -3, inf, Filter{}, nil},
		{"one", o, 1, inf, Filter{}, order[:1]},
		{"two", o, 2, inf, Filter{}, order[:2]},
		{"the first of two as near", o, 4, inf, Filter{}, order[:4]},
		{"both of two as near", o, 5, inf, Filter{}, order[:5]},
		{"all", o, 7, inf, Filter{}, order},
		{"more than there are", o, 1000, inf, Filter{}, order},
		{"a distance that is met exactly", o, 1000, 4, Filter{}, order[:5]},
		{"just less", o, 1000, 3.9999998, Filter{}, order[:3]},
		{"only where it is", o, 10, 0, Filter{}, order[:1]},
		{"only where it is, on a face", geom.V(0, 1, 5), 10, 0, Filter{}, []ColliderID{box}},
		{"only where it is, nothing", geom.V(0, 50, 0), 10, 0, Filter{}, nil},
		{"NaN distance", o, 10, nan, Filter{}, nil},
		{"negative distance", o, 10, -1, Filter{}, nil},
		{"NaN point", geom.V(0, nan, 0), 10, inf, Filter{}, nil},
		{"infinite point", geom.V(0, inf, 0), 10, inf, Filter{}, nil},
		{"sensors", o, 2, inf, Filter{Sensors: true}, []ColliderID{around, sensor}},
		{"without the nearest", o, 2, inf, Filter{Exclude: []ColliderID{around, shell}}, []ColliderID{floor, box}},
		{"predicate", o, 2, inf, Filter{Predicate: func(id ColliderID) bool { return id != shell && id != box }},
			[]ColliderID{around, floor}},
		{"a layer without any", o, 2, inf, Filter{Mask: 2}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := s.NearestK(nil, tt.p, tt.k, tt.maxDistance, tt.f)
			var ids []ColliderID
			for i, n := range got {
				ids = append(ids, n.Collider)
				require.Equal(t, uint64(n.Collider.index()+100), n.User)
				require.Equal(t, n.Distance, tt.p.Distance(n.PointA))
				require.True(t, i == 0 || n.Distance >= got[i-1].Distance)
			}
			require.Equal(t, tt.want, ids)
			if len(got) > 0 {
				one, ok := s.Nearest(tt.p, tt.maxDistance, tt.f)
				require.True(t, ok)
				require.Equal(t, one, got[0])
			}
			held := []Nearest{{User: 1}, {User: 2}}
			assert.Equal(t, append(held[:2:2], got...), s.NearestK(held, tt.p, tt.k, tt.maxDistance, tt.f), "what is there stays")
		})
	}
	last := s.NearestK(nil, o, 6, inf, Filter{})[5]
	assert.Equal(t, Nearest{Collider: pair, User: 106, Closest: Closest{
		Distance: 6, PointA: geom.V(-6, 0, 0), Normal: geom.V(1, 0, 0), ChildA: 1, ChildB: -1, TriangleA: -1, TriangleB: -1,
	}}, last)
	second := s.NearestK(nil, o, 2, inf, Filter{})[1]
	assert.Equal(t, shell, second.Collider)
	assert.GreaterOrEqual(t, second.TriangleA, int32(0), "a mesh names the triangle")
	assert.Equal(t, int32(-1), second.ChildA)
}

// Of many in one place the lowest IDs are the nearest, in whatever order the tree holds them.
func TestNearestOfEquals(t *testing.T) {
	s := NewSpace()
	var ids []ColliderID
	for i := range 100 {
		ids = append(ids, s.Add(Collider{Shape: unitBox, Static: i%2 == 0}))
	}
	for i := len(ids) - 1; i >= 0; i -= 3 {
		require.True(t, s.SetTransform(ids[i], geom.At(30, 0, 0)))
		require.True(t, s.SetTransform(ids[i], geom.Transform{}))
	}
	for _, k := range []int{1, 3, 50, 99, 100, 101} {
		got := s.NearestK(nil, geom.V(0, 7, 0), k, infinity, Filter{})
		require.Len(t, got, min(k, 100))
		for i, n := range got {
			require.Equal(t, ids[i], n.Collider)
			require.Equal(t, float32(6), n.Distance)
		}
	}
}

func TestNearestAllocatesNothing(t *testing.T) {
	testenv.NoRace(t)
	s := crowded()
	found := make([]Nearest, 0, 400)
	testenv.AllocatesNothing(t, 20, func() {
		for _, k := range []int{1, 8, 400} {
			found = s.NearestK(found[:0], geom.V(3, 4, 5), k, infinity, Filter{})
		}
	})
	testenv.Drawn(t, len(found), 200)
}

// A predicate that accepts few is called before distances are computed. The answers are those of a
// comparison of all colliders.
func TestNearestOfFew(t *testing.T) {
	r := testenv.Rand(17, 5)
	s := NewSpace()
	for i := range 800 {
		shape := []Shape{unitSphere, unitBox}[r.IntN(2)]
		s.Add(Collider{Shape: shape, Transform: geom.At(float32(r.IntN(60)), float32(r.IntN(4)), float32(r.IntN(60))), Layer: 1 << (i % 3), Sensor: i%5 == 0})
	}
	found := 0
	for range tries(300) {
		p := geom.V(float32(r.IntN(60)), float32(r.IntN(4)), float32(r.IntN(60)))
		few, rest := 1+r.IntN(60), r.IntN(2)
		f := Filter{Sensors: r.IntN(2) == 0, Predicate: func(id ColliderID) bool { return int(id)%few == rest%few }}
		if r.IntN(2) == 0 {
			f.Mask = 3
		}
		limit, k := []float32{2, 8, 30, infinity}[r.IntN(4)], 1+r.IntN(4)
		var want []Nearest
		for i := range s.records {
			if x := &s.records[i]; f.sees(x) && f.Predicate(x.id) {
				if c, ok := x.closest(p, limit); ok {
					want = insertNearest(want, 0, Nearest{c, x.id, x.user})
				}
			}
		}
		want = want[:min(k, len(want))]
		got := s.NearestK(nil, p, k, limit, f)
		require.Len(t, got, len(want))
		for i := range got {
			require.Equal(t, want[i], got[i])
		}
		found += len(got)
	}
	testenv.Drawn(t, found, 300)
}

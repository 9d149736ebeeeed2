package physics

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// TestCastShapes casts few and many, on one processor and on several, and requires the answers of
// CastShape and CastShapeAny for each.
func TestCastShapes(t *testing.T) {
	s := newScene(200, geom.Vec3{}, 1)
	s.space.Add(Collider{Shape: ground, Sensor: true})
	all := make([]ShapeCast, 2000)
	for i := range all {
		if all[i] = s.shapeCast(); i%10 == 7 {
			all[i].Motion.X = nan
		}
	}
	for name, f := range map[string]Filter{
		"zero":      {},
		"culled":    {Cull: geom.CullBack},
		"sensors":   {Sensors: true, Exclude: s.ids[:2]},
		"predicate": {Predicate: func(id ColliderID) bool { return id%2 == 0 }},
		"nothing":   {Mask: 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			want, wantAny, hits := []ShapeHit{}, []bool{}, 0
			for _, c := range all {
				h, ok := s.space.CastShape(c, f)
				if !ok {
					h = ShapeHit{T: infinity, Triangle: -1, Child: -1}
				} else {
					hits++
				}
				want, wantAny = append(want, h), append(wantAny, s.space.CastShapeAny(c, f))
				require.Equal(t, ok, wantAny[len(wantAny)-1])
			}
			if name != "nothing" {
				testenv.Drawn(t, hits, 200)
			}
			for _, processors := range []int{1, 4} {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
				for _, n := range []int{0, 1, 2, 15, 16, 17, 300, len(all)} {
					require.Equal(t, want[:n], s.space.CastShapes([]ShapeHit{}, all[:n], f), "%d", n)
					require.Equal(t, wantAny[:n], s.space.CastShapesAny([]bool{}, all[:n], f), "any of %d", n)
				}
			}
		})
	}
}

// CastShapesEach gives the answers of CastShape with the filter of each cast.
func TestCastShapesEach(t *testing.T) {
	s := newScene(200, geom.Vec3{}, 1)
	casts, filters, want, hits := make([]ShapeCast, 1000), make([]Filter, 1000), []ShapeHit{}, 0
	for i := range casts {
		casts[i] = s.shapeCast()
		switch i % 4 {
		case 0:
			filters[i] = Filter{Exclude: s.ids[i%100 : i%100+50]}
		case 1:
			filters[i] = Filter{Mask: 1 << (i % 7)}
		case 2:
			filters[i] = Filter{Predicate: func(id ColliderID) bool { return int(id)%3 == i%3 }}
		}
		h, ok := s.space.CastShape(casts[i], filters[i])
		if !ok {
			h = ShapeHit{T: infinity, Triangle: -1, Child: -1}
		} else {
			hits++
		}
		want = append(want, h)
	}
	testenv.Drawn(t, hits, 100)
	for _, processors := range []int{1, 4} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		for _, n := range []int{0, 1, 17, len(casts)} {
			require.Equal(t, want[:n], s.space.CastShapesEach([]ShapeHit{}, casts[:n], filters[:n]), "%d", n)
		}
	}
	assert.PanicsWithValue(t, "physics: Space.CastShapesEach: not as many filters as casts", func() { s.space.CastShapesEach(nil, casts, filters[1:]) })
}

func TestCastShapesAppends(t *testing.T) {
	s := spaceOf(unitBox)
	ball := geom.Sphere{Radius: 0.5}
	casts := []ShapeCast{
		{Shape: ball, Transform: geom.At(0, 5, 0), Motion: geom.V(0, -1, 0)},
		{Shape: ball, Transform: geom.At(9, 5, 0), Motion: geom.V(0, -1, 0)},
		{Shape: ball},
	}
	held, heldAny := make([]ShapeHit, 1, 100), make([]bool, 1, 100)
	held[0].User, heldAny[0] = 42, true
	got, gotAny := s.CastShapes(held, casts, Filter{}), s.CastShapesAny(heldAny, casts, Filter{})
	require.Len(t, got, 4)
	assert.Same(t, &held[0], &got[0], "in the capacity of the slice")
	assert.Equal(t, uint64(42), got[0].User)
	assert.Equal(t, float32(3.5), got[1].T)
	assert.Equal(t, ShapeHit{T: infinity, Child: -1, Triangle: -1}, got[2])
	assert.True(t, got[3].Overlaps)
	assert.Equal(t, []bool{true, true, false, true}, gotAny)
}

// What goes wrong on another goroutine is the caller's to recover from, and the next batch is none
// the worse.
func TestCastShapesPanics(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	s := spaceOf(unitBox)
	casts := make([]ShapeCast, 1000)
	for i := range casts {
		casts[i] = ShapeCast{Shape: geom.Sphere{Radius: 1}, Motion: geom.V(1, 0, 0)}
	}
	for _, bad := range []int{0, 500, 999} {
		broken := append([]ShapeCast(nil), casts...)
		broken[bad].Shape = ground
		assert.Panics(t, func() { s.CastShapes(nil, broken, Filter{}) }, "%d", bad)
		assert.Panics(t, func() { s.CastShapesAny(nil, broken, Filter{}) }, "%d", bad)
		for _, h := range s.CastShapes(nil, casts, Filter{}) {
			require.NotZero(t, h.Collider)
		}
	}
}

func TestCastShapesAllocatesNothing(t *testing.T) {
	testenv.NoRace(t)
	s := newScene(200, geom.Vec3{}, 1)
	casts := make([]ShapeCast, 200)
	for i := range casts {
		casts[i] = s.shapeCast()
	}
	hits, any := make([]ShapeHit, 0, len(casts)), make([]bool, 0, len(casts))
	filters := make([]Filter, len(casts))
	testenv.AllocatesNothing(t, 20, func() {
		hits = s.space.CastShapes(hits[:0], casts, Filter{})
		any = s.space.CastShapesAny(any[:0], casts, Filter{})
		hits = s.space.CastShapesEach(hits[:0], casts, filters)
	})
	assert.Len(t, hits, len(casts))
	assert.Len(t, any, len(casts))
}

// Three characters test whether they can step aside.
func ExampleSpace_CastShapes() {
	space := NewSpace()
	space.Add(Collider{Shape: geom.AABB{Min: geom.V(2, 0, -9), Max: geom.V(3, 3, 9)}})
	man := geom.Capsule{A: geom.V(0, 0.5, 0), B: geom.V(0, 1.5, 0), Radius: 0.5}
	var casts []ShapeCast
	for x := range 3 {
		casts = append(casts, ShapeCast{Shape: man, Transform: geom.At(float32(x)-1, 0, 0), Motion: geom.V(2, 0, 0), MaxT: 1})
	}
	for _, h := range space.CastShapes(nil, casts, Filter{}) {
		fmt.Println(h.Collider, h.T)
	}
	// Output:
	// no collider +Inf
	// collider 0.1 0.75
	// collider 0.1 0.25
}

// Two characters walk at each other: each leaves out itself.
func ExampleSpace_CastShapesEach() {
	space := NewSpace()
	var casts []ShapeCast
	var filters []Filter
	for i := range 2 {
		man, at := geom.Sphere{Radius: 0.5}, geom.At(4*float32(i), 0, 0)
		id := space.Add(Collider{Shape: man, Transform: at})
		casts = append(casts, ShapeCast{Shape: man, Transform: at, Motion: geom.V(1-2*float32(i), 0, 0)})
		filters = append(filters, Filter{Exclude: []ColliderID{id}})
	}
	for _, h := range space.CastShapesEach(nil, casts, filters) {
		fmt.Println(h.Collider, h.T)
	}
	// Output:
	// collider 1.1 3
	// collider 0.1 3
}

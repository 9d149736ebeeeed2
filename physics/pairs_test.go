package physics

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// pairsOf returns the pairs of a space, each collider given by its User.
func pairsOf(s *Space) [][2]uint64 {
	named := [][2]uint64{}
	for _, p := range s.Pairs(nil) {
		a, _ := s.Collider(p.A)
		b, _ := s.Collider(p.B)
		named = append(named, [2]uint64{a.User, b.User})
	}
	return named
}

func TestPairs(t *testing.T) {
	box := func(x float32) Collider { return Collider{Shape: unitBox, Transform: geom.At(x, 0, 0)} }
	with := func(c Collider, change func(c *Collider)) Collider { change(&c); return c }
	static := func(c *Collider) { c.Static = true }
	layers := func(layer, mask Layers) func(*Collider) { return func(c *Collider) { c.Layer, c.Mask = layer, mask } }
	plane := func(d float32) Collider { return Collider{Shape: geom.Plane{Normal: geom.V(1, 0, 0), D: d}} }
	// A plane at x = d, and a sphere around x = ball.
	withPlane := func(d, ball float32) Collider {
		return Collider{Shape: NewCompound(Child{Shape: geom.Plane{Normal: geom.V(1, 0, 0), D: d}}, Child{unitSphere, geom.At(ball, 0, 0)})}
	}
	first := [][2]uint64{{0, 1}}
	none := [][2]uint64{}
	for _, tt := range []struct {
		name      string
		colliders []Collider
		want      [][2]uint64
	}{
		{"one collider", []Collider{box(0)}, none},
		{"apart", []Collider{box(0), box(2.001)}, none},
		{"touching faces", []Collider{box(0), box(2)}, first},
		{"touching from the other side", []Collider{box(2), box(0)}, first},
		{"touching edges", []Collider{box(0), {Shape: unitBox, Transform: geom.At(2, -2, 0)}}, first},
		{"touching corners", []Collider{box(0), {Shape: unitAABB, Transform: geom.At(2, 2, -2)}}, first},
		{"one within the other", []Collider{box(0), {Shape: geom.Sphere{Radius: 0.1}}}, first},
		{"the same place", []Collider{box(0), box(0)}, first},
		{"points in one place", []Collider{{Shape: geom.Sphere{}}, {Shape: geom.Sphere{}}}, first},
		{"a point on a face", []Collider{box(0), {Shape: geom.Sphere{}, Transform: geom.At(1, 0, 0)}}, first},
		{"bounds alone touch", []Collider{{Shape: unitSphere}, {Shape: unitSphere, Transform: geom.At(1.5, 1.5, 0)}}, first},
		{"all of many", []Collider{box(0), box(1), box(2)}, [][2]uint64{{0, 1}, {0, 2}, {1, 2}}},
		{"a row", []Collider{box(0), box(2), box(4), box(6)}, [][2]uint64{{0, 1}, {1, 2}, {2, 3}}},

		{"static with static", []Collider{with(box(0), static), with(box(1), static)}, none},
		{"static with moving", []Collider{with(box(0), static), box(1)}, first},
		{"moving with static", []Collider{box(0), with(box(1), static)}, first},
		{"a sensor", []Collider{box(0), with(box(1), func(c *Collider) { c.Sensor = true })}, first},

		{"each on the other's mask", []Collider{with(box(0), layers(1, 2)), with(box(1), layers(2, 1))}, first},
		{"one on the other's mask", []Collider{with(box(0), layers(1, 2)), with(box(1), layers(2, 2))}, none},
		{"the other on the one's mask", []Collider{with(box(0), layers(1, 1)), with(box(1), layers(2, 1))}, none},
		{"the default layer is on the mask", []Collider{box(0), with(box(1), layers(2, DefaultLayer))}, first},
		{"the default layer is not", []Collider{box(0), with(box(1), layers(2, 2))}, none},
		{"several layers", []Collider{with(box(0), layers(4|8, 1|2)), with(box(1), layers(2, 8))}, first},

		{"a plane first", []Collider{plane(1), box(0)}, first},
		{"a plane last", []Collider{box(0), plane(1)}, first},
		{"a plane past a box", []Collider{plane(1.001), box(0), plane(-1.001)}, none},
		{"a plane through bounds alone", []Collider{{Shape: geom.Plane{Normal: geom.V(1, 1, 0), D: 1.9}}, {Shape: unitSphere}}, first},
		{"a box behind a plane", []Collider{plane(5), box(0)}, none},
		{"planes", []Collider{plane(0), {Shape: ground}}, none},
		{"a static plane and a static box", []Collider{with(plane(1), static), with(box(0), static)}, none},
		{"a static plane and a moving box", []Collider{with(plane(1), static), box(0)}, first},
		{"a plane on another layer", []Collider{with(plane(1), layers(2, 2)), box(0)}, none},
		{"a plane and a collider with empty bounds", []Collider{plane(1), box(nan)}, none},

		{"a compound by its plane", []Collider{withPlane(0, 50), box(1)}, first},
		{"a compound by its ball", []Collider{box(49), withPlane(0, 50)}, first},
		{"a compound, between plane and ball", []Collider{withPlane(0, 50), box(25)}, none},
		{"compounds with planes", []Collider{withPlane(0, 50), withPlane(50, 0), plane(0)}, none},
		{"a compound by the bounds of the whole", []Collider{
			{Shape: NewCompound(Child{unitBox, geom.At(-9, 0, 0)}, Child{unitBox, geom.At(9, 0, 0)})}, box(0)}, first},

		{"colliders with empty bounds", []Collider{box(0), box(nan), {Shape: geom.EmptyAABB()}, {Shape: NewCompound()}}, none},
		{"a compound, one child of which has empty bounds",
			[]Collider{{Shape: NewCompound(Child{unitBox, geom.At(nan, 0, 0)}, Child{Shape: unitBox})}, box(2), box(-9)}, first},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSpace()
			for i, c := range tt.colliders {
				c.User = uint64(i)
				s.Add(c)
			}
			assert.Equal(t, tt.want, pairsOf(s))
			// The pairs are the same if the colliders were elsewhere before, with other
			// properties.
			moved := NewSpace()
			var ids []ColliderID
			for i, c := range tt.colliders {
				c.User = uint64(i)
				ids = append(ids, moved.Add(Collider{Shape: unitBox, Transform: geom.At(float32(1000*i), 0, 0), Static: i%2 == 0}))
				require.Empty(t, moved.Pairs(nil))
				require.True(t, moved.Set(ids[i], c))
				require.True(t, moved.SetTransform(ids[i], geom.At(float32(-1000*i-1000), 0, 0)))
			}
			moved.Update()
			for i, c := range tt.colliders {
				require.True(t, moved.SetTransform(ids[i], c.Transform))
			}
			assert.Equal(t, tt.want, pairsOf(moved))
			require.NoError(t, moved.Validate())
		})
	}
}

func TestPairsAfterChanges(t *testing.T) {
	s := NewSpace()
	a, b := s.Add(Collider{Shape: unitBox}), s.Add(Collider{Shape: unitBox})
	wall := s.Add(Collider{Shape: geom.Plane{Normal: geom.V(1, 0, 0)}})
	pairs := func() []Pair { return s.Pairs([]Pair{}) }
	require.Equal(t, []Pair{{a, b}, {a, wall}, {b, wall}}, pairs())
	require.True(t, s.SetTransform(b, geom.At(0, nan, 0)))
	assert.Equal(t, []Pair{{a, wall}}, pairs(), "moved to a NaN position")
	require.True(t, s.SetTransform(b, geom.At(9, 0, 0)))
	assert.Equal(t, []Pair{{a, wall}}, pairs(), "moved away")
	require.True(t, s.Set(b, Collider{Shape: geom.Sphere{Radius: 9}}))
	assert.Equal(t, []Pair{{a, b}, {a, wall}, {b, wall}}, pairs(), "set")
	require.True(t, s.Remove(a))
	assert.Equal(t, []Pair{{b, wall}}, pairs(), "removed")
	again := s.Add(Collider{Shape: unitBox})
	require.Greater(t, again, wall, "the index is used again")
	assert.Equal(t, []Pair{{b, wall}, {b, again}, {wall, again}}, pairs(), "lower ID first")
	held := []Pair{{7, 9}, {1, 2}}
	assert.Equal(t, []Pair{{7, 9}, {1, 2}, {b, wall}, {b, again}, {wall, again}}, s.Pairs(held), "earlier elements of the slice stay")
	s.Clear()
	assert.Empty(t, pairs())
	assert.Nil(t, s.Pairs(nil))
}

// TestPairsOfACrowd puts many colliders at one place, so that the tree separates none of them.
func TestPairsOfACrowd(t *testing.T) {
	s := NewSpace()
	const n = 150
	for i := range n {
		s.Add(Collider{Shape: unitBox, Static: i%3 == 0})
	}
	pairs := s.Pairs(nil)
	const still = n / 3
	assert.Len(t, pairs, n*(n-1)/2-still*(still-1)/2)
	assert.True(t, slices.IsSortedFunc(pairs, Pair.Compare))
	assert.Len(t, slices.Compact(pairs), len(pairs), "each once")
}

func TestPairCompare(t *testing.T) {
	for _, tt := range []struct {
		p, o Pair
		want int
	}{
		{Pair{1, 2}, Pair{1, 2}, 0}, {Pair{1, 2}, Pair{1, 3}, -1}, {Pair{1, 9}, Pair{2, 3}, -1}, {Pair{2, 3}, Pair{1, 9}, 1},
		{Pair{1 << 40, 1<<40 + 1}, Pair{2, 3}, 1},
	} {
		assert.Equal(t, tt.want, tt.p.Compare(tt.o), "%v %v", tt.p, tt.o)
	}
}

func TestPairTracker(t *testing.T) {
	s := NewSpace()
	ball := Collider{Shape: geom.Sphere{Radius: 1}}
	at := func(x float32) Collider { ball.Transform = geom.At(x, 0, 0); return ball }
	a, b, c := s.Add(at(0)), s.Add(at(2)), s.Add(at(10)) // a and b touch
	ground := s.Add(Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0), D: -5}, Static: true})

	var p PairTracker
	p.Update(s)
	assert.Equal(t, []Pair{{a, b}}, p.All)
	assert.Equal(t, []Pair{{a, b}}, p.Began)
	assert.Empty(t, p.Ended)

	require.True(t, s.SetTransform(a, geom.At(9, -4, 0)))
	p.Update(s)
	assert.Equal(t, []Pair{{a, ground}}, p.All)
	assert.Equal(t, []Pair{{a, ground}}, p.Began)
	assert.Equal(t, []Pair{{a, b}}, p.Ended)

	require.True(t, s.SetTransform(a, geom.At(9, -1, 0)))
	p.Update(s)
	assert.Equal(t, []Pair{{a, c}}, p.Began)
	assert.Equal(t, []Pair{{a, ground}}, p.Ended)

	p.Update(s)
	assert.Equal(t, []Pair{{a, c}}, p.All)
	assert.Empty(t, p.Began)
	assert.Empty(t, p.Ended)

	require.True(t, s.Remove(c))
	p.Update(s)
	assert.Empty(t, p.All)
	assert.Equal(t, []Pair{{a, c}}, p.Ended)
}

// A collider that takes the index of a removed collider is another collider: its pairs begin, and
// those of the removed collider end.
func TestPairTrackerKnowsIDsThatAreUsedAgain(t *testing.T) {
	s := NewSpace()
	a, b := s.Add(Collider{Shape: unitBox}), s.Add(Collider{Shape: unitBox})
	var p PairTracker
	p.Update(s)
	require.True(t, s.Remove(a))
	again := s.Add(Collider{Shape: unitBox})
	p.Update(s)
	assert.Equal(t, []Pair{{b, again}}, p.Began)
	assert.Equal(t, []Pair{{a, b}}, p.Ended)
	// Pairs continue in a snapshot of their space, and end in an empty snapshot.
	p.Update(s.Snapshot())
	assert.Empty(t, p.Began)
	p.Update(NewSpace())
	assert.Equal(t, []Pair{{b, again}}, p.Ended)
}

func TestPairsAllocateNothing(t *testing.T) {
	testenv.NoRace(t)
	s := newScene(300, geom.Vec3{}, 1)
	s.space.Add(Collider{Shape: ground})
	for i, id := range s.ids {
		c := s.twin[id]
		c.Static = i%2 == 0
		require.True(t, s.space.Set(id, c))
	}
	var tracker PairTracker
	pairs := []Pair(nil)
	tick := 0
	round := func() { // moves back and forth, so that pairs begin and end
		tick++
		for i, id := range s.ids {
			c := s.twin[id]
			c.Transform.Position.X += float32((tick * i) % 5)
			s.space.SetTransform(id, c.Transform)
		}
		s.space.Update()
		tracker.Update(s.space)
		pairs = s.space.Pairs(pairs[:0])
	}
	for range 20 {
		round()
	}
	testenv.AllocatesNothing(t, 20, round)
	assert.NotEmpty(t, pairs)
	assert.NotEmpty(t, tracker.Began)
}

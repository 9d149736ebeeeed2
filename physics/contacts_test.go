package physics

import (
	"maps"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// contactKey identifies a contact.
type contactKey struct {
	Pair
	sensor bool
}

func (t *Contact) key() contactKey { return contactKey{t.Pair(), t.Sensor} }

// kept returns deep copies of touches, so that no update changes them, without what a reference
// does not have. In tests, since is the age.
func (t *ContactTracker) kept(touches []*Contact) []Contact {
	list := []Contact{}
	for _, x := range touches {
		c := *x
		c.Slot, c.Still, c.since = 0, false, uint64(t.Age(x))
		c.Manifolds = append([]Manifold(nil), x.Manifolds...)
		list = append(list, c)
	}
	return list
}

// contactTwin returns the contacts of a space by brute force: it tests all pairs of colliders,
// without a tree and without earlier results. The age of a touch that lasts is its age in before,
// plus one.
func contactTwin(s *Space, margin float32, before map[contactKey]Contact) []Contact {
	ids, list := []ColliderID{}, []Contact{}
	for id := range s.All() {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for i, a := range ids {
		for _, b := range ids[i+1:] {
			x, _ := s.Collider(a)
			y, _ := s.Collider(b)
			if x.Static && y.Static || !layersMeet(x, y) || isEndless(s, a) && isEndless(s, b) {
				continue
			}
			p, q := Placed{x.Shape, x.Transform}, Placed{y.Shape, y.Transform}
			t := Contact{A: a, B: b, UserA: x.User, UserB: y.User, Sensor: x.Sensor || y.Sensor}
			if t.Sensor {
				if !Overlaps(p, q) {
					continue
				}
			} else if t.Manifolds = Collide(nil, p, q, margin); len(t.Manifolds) == 0 {
				continue
			}
			if old, ok := before[t.key()]; ok {
				t.since = old.since + 1
			}
			list = append(list, t)
		}
	}
	return list
}

func layersMeet(a, b Collider) bool {
	on := func(l, zero Layers) Layers {
		if l == 0 {
			return zero
		}
		return l
	}
	return on(a.Layer, DefaultLayer)&on(b.Mask, AllLayers) != 0 && on(b.Layer, DefaultLayer)&on(a.Mask, AllLayers) != 0
}

func isEndless(s *Space, id ColliderID) bool {
	b, _ := s.Bounds(id)
	return !b.IsEmpty() && math.IsInf(float64(b.Max.X-b.Min.X), 1)
}

// trackedSpace compares a tracker with the brute-force reference, tick by tick.
type trackedSpace struct {
	tracker ContactTracker // without recycling
	*recycler
	touches map[contactKey]Contact // at the last update
	log     map[contactKey]bool    // touches that have begun and not ended, by the events alone
	places  map[ColliderID]Collider
	slots   map[contactKey]int32 // by the events alone
}

func newTrackedSpace() *trackedSpace {
	return &trackedSpace{
		tracker: ContactTracker{RecycleDistance: -1}, recycler: newRecycler(),
		touches: map[contactKey]Contact{}, log: map[contactKey]bool{}, slots: map[contactKey]int32{},
	}
}

// update updates the tracker and requires the results of the twin.
func (w *trackedSpace) update(t require.TestingT, s *Space, margin float32) {
	w.tracker.Update(s)
	before := w.touches
	want := contactTwin(s, margin, before)
	w.requireSame(t, before, want)
	w.recycler.update(t, s, margin, want)
	w.touches = map[contactKey]Contact{}
	for _, x := range want {
		w.touches[x.key()] = x
	}
	w.requireLog(t)
	w.requireSlots(t, s)
}

// requireSlots requires that a contact keeps its slot, that no other has the same, and that only
// colliders that are as they were are still.
func (w *trackedSpace) requireSlots(t require.TestingT, s *Space) {
	for _, x := range w.tracker.Ended {
		require.Equal(t, w.slots[x.key()], x.Slot)
		delete(w.slots, x.key())
	}
	for _, x := range w.tracker.Began {
		require.False(t, x.Still)
		w.slots[x.key()] = x.Slot
	}
	before, taken := w.places, map[int32]bool{}
	w.places = maps.Collect(s.All())
	var moved, unstill []*Contact
	for x := range w.tracker.Moved() {
		moved = append(moved, x)
	}
	for _, x := range w.tracker.All {
		if !x.Still {
			unstill = append(unstill, x)
		}
	}
	require.ElementsMatch(t, unstill, moved)
	for _, x := range w.tracker.All {
		require.Equal(t, w.slots[x.key()], x.Slot)
		require.False(t, taken[x.Slot])
		taken[x.Slot] = true
		if x.Still {
			require.Equal(t, before[x.A], w.places[x.A])
			require.Equal(t, before[x.B], w.places[x.B])
		}
	}
}

// elsewhere updates the tracker with an unrelated space.
func (w *trackedSpace) elsewhere(t require.TestingT, s *Space, margin float32) {
	w.tracker.Update(s)
	require.Len(t, w.tracker.Ended, len(w.touches))
	for i := range w.tracker.Ended {
		require.Contains(t, w.touches, w.tracker.Ended[i].key())
		delete(w.log, w.tracker.Ended[i].key())
	}
	want := contactTwin(s, margin, nil)
	require.Equal(t, want, w.tracker.kept(w.tracker.All))
	require.Equal(t, want, w.tracker.kept(w.tracker.Began))
	w.recycler.update(t, s, margin, want)
	w.touches, w.slots, w.places = map[contactKey]Contact{}, map[contactKey]int32{}, maps.Collect(s.All())
	for _, x := range want {
		w.touches[x.key()] = x
		w.log[x.key()] = true
	}
	for _, x := range w.tracker.All {
		w.slots[x.key()] = x.Slot
	}
}

func (w *trackedSpace) requireSame(t require.TestingT, before map[contactKey]Contact, want []Contact) {
	began, lasted, ended := []Contact{}, []Contact{}, []Contact{}
	now := map[contactKey]bool{}
	for _, x := range want {
		now[x.key()] = true
		if x.since == 0 {
			began = append(began, x)
		} else {
			lasted = append(lasted, x)
		}
	}
	for k, x := range before {
		if !now[k] {
			x.since++
			ended = append(ended, x)
		}
	}
	slices.SortFunc(ended, func(a, b Contact) int { return a.Pair().Compare(b.Pair()) })
	require.Equal(t, want, w.tracker.kept(w.tracker.All))
	require.Equal(t, began, w.tracker.kept(w.tracker.Began))
	require.Equal(t, ended, w.tracker.kept(w.tracker.Ended), "with the data of the last update")
	persisted := []Contact{}
	for x := range w.tracker.Persisted() {
		persisted = append(persisted, w.tracker.kept([]*Contact{x})...)
	}
	require.Equal(t, lasted, persisted)
}

// requireLog replays the events.
func (w *trackedSpace) requireLog(t require.TestingT) {
	for _, x := range w.tracker.Ended {
		require.True(t, w.log[x.key()], "%v ends and did not begin", x.key())
		delete(w.log, x.key())
	}
	for _, x := range w.tracker.Began {
		require.False(t, w.log[x.key()], "%v begins again", x.key())
		w.log[x.key()] = true
	}
	require.Len(t, w.log, len(w.touches))
	for k := range w.touches {
		require.True(t, w.log[k])
	}
}

// Each touch begins once, lasts and ends once, under any changes of the colliders.
func TestContactTrackerAnything(t *testing.T) { rapid.Check(t, contactsAnything) }

func FuzzContactTracker(f *testing.F) { f.Fuzz(rapid.MakeFuzz(contactsAnything)) }

func contactsAnything(t *rapid.T) {
	s, w, margin := NewSpace(), newTrackedSpace(), float32(0)
	anyOf := func(t *rapid.T) ColliderID {
		ids := []ColliderID{}
		for id := range s.All() {
			ids = append(ids, id)
		}
		// Never skipped: rapid gives up if a fuzzer draws the same skipped action every time.
		if len(ids) == 0 {
			return s.Add(drawCollider(t))
		}
		slices.Sort(ids)
		return rapid.SampledFrom(ids).Draw(t, "id")
	}
	change := func(t *rapid.T, how func(c *Collider)) {
		id := anyOf(t)
		c, _ := s.Collider(id)
		how(&c)
		require.True(t, s.Set(id, c))
	}
	add := func(t *rapid.T) { s.Add(drawCollider(t)) }
	update := func(t *rapid.T) { w.update(t, s, margin) }
	var old *Space
	t.Repeat(map[string]func(*rapid.T){
		"add": add, "add 2": add, "add 3": add,
		"remove":         func(t *rapid.T) { s.Remove(anyOf(t)) },
		"remove and add": func(t *rapid.T) { s.Remove(anyOf(t)); s.Add(drawCollider(t)) },
		"move": func(t *rapid.T) {
			id := anyOf(t)
			c, _ := s.Collider(id)
			c.Transform.Position = c.Transform.Position.Add(drawPoint(t, 2))
			s.SetTransform(id, c.Transform)
		},
		"nudge": func(t *rapid.T) {
			id := anyOf(t)
			c, _ := s.Collider(id)
			far := rapid.SampledFrom([]float32{1e-5, 1e-4, 1e-3, 0.02}).Draw(t, "far")
			c.Transform.Position = c.Transform.Position.Add(drawPoint(t, 1).Mul(far))
			c.Transform.Rotation = geom.QuatAxisAngle(drawPoint(t, 1), float64(far*drawCoordinate(t, 1))).Mul(c.Transform.Rotation)
			s.SetTransform(id, c.Transform)
			w.update(t, s, margin)
		},
		"teleport": func(t *rapid.T) { s.SetTransform(anyOf(t), drawTransform(t)) },
		"to NaN and back": func(t *rapid.T) {
			id := anyOf(t)
			c, _ := s.Collider(id)
			s.SetTransform(id, geom.At(nan, 0, 0))
			if rapid.Bool().Draw(t, "update") {
				w.update(t, s, margin)
			}
			s.SetTransform(id, c.Transform)
		},
		"layer": func(t *rapid.T) {
			change(t, func(c *Collider) { c.Layer = Layers(rapid.IntRange(0, 3).Draw(t, "layer")) })
		},
		"mask": func(t *rapid.T) {
			change(t, func(c *Collider) { c.Mask = Layers(rapid.IntRange(0, 3).Draw(t, "mask")) })
		},
		"sensor":  func(t *rapid.T) { change(t, func(c *Collider) { c.Sensor = !c.Sensor }) },
		"static":  func(t *rapid.T) { change(t, func(c *Collider) { c.Static = !c.Static }) },
		"user":    func(t *rapid.T) { change(t, func(c *Collider) { c.User++ }) },
		"reshape": func(t *rapid.T) { change(t, func(c *Collider) { c.Shape = drawSimpleShape(t) }) },
		"clear": func(t *rapid.T) {
			if rapid.IntRange(0, 5).Draw(t, "clear") == 0 {
				s.Clear()
			}
		},
		"rebase": func(t *rapid.T) {
			s.Rebase(geom.DVec3{X: float64(rapid.IntRange(-9, 9).Draw(t, "x")), Y: rapid.Float64Range(-1, 1).Draw(t, "y")})
		},
		"margin": func(t *rapid.T) {
			w.tracker.Margin = rapid.SampledFrom([]float32{0, 0.1, 1, -1, nan, float32(math.Inf(1))}).Draw(t, "margin")
			w.recycler.tracker.Margin = w.tracker.Margin
			if margin = w.tracker.Margin; !(margin >= 0 && margin < 2) {
				margin = 0
			}
		},
		"update": update, "update 2": update, "update 3": update,
		"update with a snapshot": func(t *rapid.T) {
			c := s.Snapshot()
			w.update(t, c, margin)
			switch {
			case rapid.Bool().Draw(t, "release"):
				c.Release()
			case old == nil:
				old = c
			}
		},
		"update with an old snapshot": func(t *rapid.T) {
			if old != nil {
				w.update(t, old, margin)
				w.update(t, old.Snapshot(), margin)
			}
		},
		"update with another space": func(t *rapid.T) {
			other := NewSpace() // with the same IDs
			for range rapid.IntRange(0, 4).Draw(t, "colliders") {
				other.Add(drawCollider(t))
			}
			w.elsewhere(t, other, margin)
			w.elsewhere(t, s, margin)
		},
	})
	w.update(t, s, margin)
	w.update(t, s, margin)
}

// Each cause of an end. Ended holds the data of the update before.
func TestContactTrackerEnds(t *testing.T) {
	ball := func(x float32) Collider {
		return Collider{Shape: unitSphere, Transform: geom.At(x, 0, 0), User: uint64(x) + 7}
	}
	set := func(change func(c *Collider)) func(s *Space, id ColliderID) {
		return func(s *Space, id ColliderID) {
			c, _ := s.Collider(id)
			change(&c)
			s.Set(id, c)
		}
	}
	for _, tt := range []struct {
		name                string
		change              func(s *Space, id ColliderID)
		ended, began, lasts int
	}{
		{"nothing", func(*Space, ColliderID) {}, 0, 0, 1},
		{"moved a little", func(s *Space, id ColliderID) { s.SetTransform(id, geom.At(1.4, 0, 0)) }, 0, 0, 1},
		{"moved away", func(s *Space, id ColliderID) { s.SetTransform(id, geom.At(5, 0, 0)) }, 1, 0, 0},
		{"moved onto another", func(s *Space, id ColliderID) { s.SetTransform(id, geom.At(19, 0, 0)) }, 1, 1, 0},
		{"removed", func(s *Space, id ColliderID) { s.Remove(id) }, 1, 0, 0},
		{"removed and added", func(s *Space, id ColliderID) { s.Remove(id); s.Add(ball(1.5)) }, 1, 1, 0},
		{"NaN position", func(s *Space, id ColliderID) { s.SetTransform(id, geom.At(nan, 0, 0)) }, 1, 0, 0},
		{"empty", set(func(c *Collider) { c.Shape = geom.Sphere{Radius: -1} }), 1, 0, 0},
		{"another layer", set(func(c *Collider) { c.Layer = 2 }), 1, 0, 0},
		{"another mask", set(func(c *Collider) { c.Mask = 2 }), 1, 0, 0},
		{"another shape", set(func(c *Collider) { c.Shape = unitBox }), 0, 0, 1},
		{"a smaller shape", set(func(c *Collider) { c.Shape = geom.Sphere{Radius: 0.4} }), 1, 0, 0},
		{"a sensor", set(func(c *Collider) { c.Sensor = true }), 1, 1, 0},
		{"static", set(func(c *Collider) { c.Static = true }), 1, 0, 0},
		{"cleared", func(s *Space, _ ColliderID) { s.Clear() }, 1, 0, 0},
		{"rebased", func(s *Space, _ ColliderID) { s.Rebase(geom.DVec3{X: 100}) }, 0, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSpace()
			still := ball(0)
			still.Static, still.Mask = true, DefaultLayer
			a := s.Add(still)
			b := s.Add(ball(1.5))
			s.Add(ball(20))
			var tracker ContactTracker
			tracker.Update(s)
			require.Equal(t, []Pair{{a, b}}, touchPairs(tracker.Began))
			was := tracker.kept(tracker.All)
			require.InDelta(t, 0.5, was[0].Depth(), 1e-6)
			tt.change(s, b)
			tracker.Update(s)
			assert.Len(t, tracker.Ended, tt.ended)
			assert.Len(t, tracker.Began, tt.began)
			lasts := 0
			for x := range tracker.Persisted() {
				assert.Equal(t, 1, tracker.Age(x))
				lasts++
			}
			assert.Equal(t, tt.lasts, lasts)
			if tt.ended > 0 {
				was[0].since++
				assert.Equal(t, was, tracker.kept(tracker.Ended))
			}
			tracker.Update(s)
			assert.Empty(t, tracker.Ended)
			assert.Empty(t, tracker.Began)
			assert.Len(t, tracker.All, tt.began+tt.lasts)
			for _, x := range tracker.All {
				assert.True(t, x.Still)
			}
		})
	}
}

func touchPairs(touches []*Contact) []Pair {
	var list []Pair
	for i := range touches {
		list = append(list, touches[i].Pair())
	}
	return list
}

func TestContactTrackerMargin(t *testing.T) {
	s := NewSpace()
	s.Add(Collider{Shape: ground, Static: true})
	// 15 mm above the ground.
	s.Add(Collider{Shape: unitBox, Transform: geom.At(0, 1.015, 0)})
	// 10 mm beside the first box.
	s.Add(Collider{Shape: unitBox, Transform: geom.At(2.01, 3, 0)})
	// 5 mm above the first box, 10 mm from the second.
	s.Add(Collider{Shape: unitSphere, Transform: geom.At(0, 3.02, 0)})
	// 2 mm from the sphere.
	s.Add(Collider{Shape: unitSphere, Transform: geom.At(-2.002, 3.02, 0), Sensor: true})
	// Overlaps the sensor.
	s.Add(Collider{Shape: unitSphere, Transform: geom.At(-2.002, 4.9, 0), Layer: 2})
	for _, tt := range []struct {
		margin float32
		want   int
	}{{0, 1}, {-1, 1}, {nan, 1}, {float32(math.Inf(1)), 1}, {0.0051, 2}, {0.0101, 4}, {0.02, 5}} {
		tracker := ContactTracker{Margin: tt.margin}
		tracker.Update(s)
		assert.Len(t, tracker.All, tt.want, "margin %v", tt.margin)
		for _, x := range tracker.All {
			assert.Equal(t, x.Sensor, len(x.Manifolds) == 0)
			if !x.Sensor {
				assert.Less(t, x.Depth(), float32(0))
				assert.GreaterOrEqual(t, x.Depth(), -tt.margin)
			}
		}
	}
}

// A crate that slides on a floor keeps the identifiers of its four contact points.
func TestContactsKeepTheirPlaces(t *testing.T) {
	s := NewSpace()
	s.Add(Collider{Shape: geom.AABB{Min: geom.V(-50, -1, -50), Max: geom.V(50, 0, 50)}, Static: true})
	crate := s.Add(Collider{Shape: unitCrate, Transform: geom.At(0, 0.495, 0)})
	tracker := ContactTracker{Margin: 0.02}
	tracker.Update(s)
	require.Len(t, tracker.All, 1)
	for i := range 100 {
		before := tracker.kept(tracker.All)[0].Manifolds
		s.SetTransform(crate, geom.Transform{
			Position: geom.V(float32(i)*0.01, 0.495+float32(i%3)*0.004, 0), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), float64(i)*0.02)})
		tracker.Update(s)
		require.Equal(t, i+1, tracker.Age(tracker.All[0]))
		now := tracker.All[0].Manifolds
		require.Len(t, now, 1)
		require.Len(t, now[0].ContactPoints(), 4)
		for j := range now[0].ContactPoints() {
			same := 0
			for k := range before[0].ContactPoints() {
				if now[0].Points[j].SamePlace(&before[0].Points[k]) {
					same++
					assert.Less(t, now[0].Points[j].PointB.Distance(before[0].Points[k].PointB), float32(0.05))
				}
			}
			require.Equal(t, 1, same)
		}
	}
}

// The results do not depend on the number of processors. Contacts that are not computed again equal
// those that are.
func TestContactTrackerOnAnyNumberOfProcessors(t *testing.T) {
	w := newMovingWorld(3000)
	var one, many ContactTracker
	one.Margin, many.Margin = 0.1, 0.1
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for i := range 20 {
		if i%4 < 2 {
			w.tick()
		} else {
			for j := i % 7; j < len(w.ids); j += 9 {
				w.at[j].Position.Y += 0.2
				w.space.SetTransform(w.ids[j], w.at[j])
			}
		}
		runtime.GOMAXPROCS(1)
		one.Update(w.space)
		runtime.GOMAXPROCS(8)
		many.Update(w.space)
		require.Equal(t, one.kept(one.All), many.kept(many.All))
		require.Equal(t, one.kept(one.Began), many.kept(many.Began))
		require.Equal(t, one.kept(one.Ended), many.kept(many.Ended))
		fresh := ContactTracker{Margin: 0.1}
		fresh.Update(w.space)
		require.Equal(t, touchPairs(fresh.All), touchPairs(many.All))
		for j := range fresh.All {
			require.Equal(t, fresh.kept(fresh.All)[j].Manifolds, many.kept(many.All)[j].Manifolds)
		}
	}
	require.NotEmpty(t, many.Ended)
}

func TestContactTrackerAllocatesNothing(t *testing.T) {
	testenv.NoRace(t)
	w := newMovingWorld(2000)
	tracker := ContactTracker{Margin: 0.05}
	round := func() {
		w.tick()
		tracker.Update(w.space)
	}
	for range 200 {
		round()
	}
	testenv.AllocatesNothing(t, 100, round)
	assert.NotEmpty(t, tracker.All)
}

// A snapshot does not contain later changes.
func TestContactTrackerOfSnapshots(t *testing.T) {
	s := NewSpace()
	a, b := s.Add(Collider{Shape: unitSphere}), s.Add(Collider{Shape: unitSphere, Transform: geom.At(1, 0, 0)})
	var tracker ContactTracker
	touching := func(s *Space) float32 {
		tracker.Update(s)
		require.Equal(t, []Pair{{a, b}}, touchPairs(tracker.All))
		return tracker.All[0].Depth()
	}
	first := s.Snapshot()
	s.SetTransform(b, geom.At(1.5, 0, 0))
	second := s.Snapshot()
	s.SetTransform(b, geom.At(1.75, 0, 0))
	for _, tt := range []struct {
		space *Space
		depth float32
	}{{first, 1}, {s, 0.25}, {second, 0.5}, {first, 1}, {first.Snapshot(), 1}, {second, 0.5}, {s, 0.25}, {s.Snapshot(), 0.25}} {
		assert.Equal(t, tt.depth, touching(tt.space))
	}
	assert.Equal(t, 7, tracker.Age(tracker.All[0]))
}

func TestContactsOfSomeLayers(t *testing.T) {
	const ground, actors, zones = Layers(2), Layers(4), Layers(8)
	s := NewSpace()
	floor := s.Add(Collider{Shape: geom.Box{HalfExtents: geom.V(9, 1, 9)}, Layer: ground})
	ball := func(x float32, on Layers, sensor bool) ColliderID {
		return s.Add(Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(x, 1.9, 0), Layer: on, Sensor: sensor})
	}
	a, b, zone := ball(0, actors, false), ball(1.5, actors, false), ball(-1, zones, true)
	endless := s.Add(Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0), D: 1}, Layer: ground})
	pairs := func(touches []*Contact) (all []Pair) {
		for i := range touches {
			all = append(all, touches[i].Pair())
		}
		return all
	}
	var tracker ContactTracker
	tracker.Update(s)
	require.Contains(t, pairs(tracker.All), Pair{floor, a})
	require.Contains(t, pairs(tracker.All), Pair{a, endless})
	all := pairs(tracker.All)

	tracker.Mask = actors | zones
	tracker.Update(s)
	assert.Equal(t, []Pair{{a, b}, {a, zone}}, pairs(tracker.All))
	assert.Empty(t, tracker.Began)
	assert.Len(t, tracker.Ended, len(all)-2, "contacts outside Mask end")

	tracker.Mask = 0
	tracker.Update(s)
	assert.Equal(t, all, pairs(tracker.All))
	assert.Len(t, tracker.Began, len(all)-2)
}

package physics

import (
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/freelist"
)

// played is a space and a tracker that play a script: what happens at a step depends on the seed,
// the number of the step and the space alone.
type played struct {
	space   *Space
	tracker ContactTracker
	rested  int // contacts that were still
}

func newPlayed(planar bool) *played {
	return &played{space: newSpaceOf(planar), tracker: ContactTracker{Margin: 0.02}}
}

var threeBoxes = NewCompound(Child{Shape: unitBox}, Child{unitBox, geom.At(1, 1, 0)}, Child{unitBox, geom.At(-1, 1, 0)})

// step makes some changes and an update, and returns a hash of all that can be observed.
func (p *played) step(seed, step uint64) uint64 {
	r, s := rand.New(rand.NewPCG(seed, step)), p.space
	life := newLife(4, 8, s.planar)
	life.space = s
	add := func() {
		c := life.collider(r)
		if r.IntN(2) == 0 { // one that has several manifolds, or that is recycled
			shapes := []Shape{unitBox, testHulls[0], testMeshes[0], threeBoxes, threeBoxes}
			if s.planar {
				shapes = []Shape{unitBox, flatKite, flatCrate, threeBoxes, threeBoxes}
			}
			c.Shape = shapes[r.IntN(5)]
		}
		s.Add(c)
	}
	if step == 0 {
		var land Shape = terrain(8)
		if s.planar {
			land = NewTiles(8, 2, 1, func(x, y int) bool { return (x+y)%3 > 0 })
		}
		s.Add(Collider{Shape: land, Transform: geom.At(-4, 0, -4), Static: true})
		for range 60 {
			add()
		}
	}
	ids := slices.Sorted(maps.Keys(maps.Collect(s.All())))
	for range []int{0, 0, 1, 3, 12}[r.IntN(5)] {
		if len(ids) < 20 || r.IntN(5) == 0 {
			add()
			continue
		}
		id := ids[r.IntN(len(ids))]
		c, ok := s.Collider(id)
		if !ok {
			continue
		}
		switch r.IntN(16) {
		case 0, 1:
			s.Remove(id)
		case 2:
			c.Sensor = !c.Sensor
			s.Set(id, c)
		case 3:
			s.Set(id, life.collider(r))
		case 4:
			c.Static, c.User = !c.Static, c.User+1
			s.Set(id, c)
		case 5:
			if r.IntN(4) == 0 {
				life.rebaseTo(r)
			}
		case 6:
			c.Transform.Position = life.position(r)
			s.SetTransform(id, c.Transform)
		default:
			far := []float32{1e-5, 1e-4, 0.02, 0.2}[r.IntN(4)]
			c.Transform.Position = c.Transform.Position.Add(geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Mul(far))
			s.SetTransform(id, c.Transform)
		}
	}
	switch {
	case step%50 == 49: // all move
		for id, c := range s.All() {
			c.Transform.Position.X += 0.1
			s.SetTransform(id, c.Transform)
		}
	case step%150 == 120:
		s.Clear()
	}
	p.tracker.Margin = 0.02 + float32(step/70)*0.01
	p.tracker.Update(s)
	return p.hash()
}

func (p *played) hash() uint64 {
	h, t := golden.New(), &p.tracker
	h.Uint(uint64(p.space.Len()))
	for id, c := range p.space.All() {
		h.Uint(uint64(id))
		h.Uint(c.User)
		if c.Transform.Position.IsFinite() {
			h.Vec(c.Transform.Position)
		}
	}
	for _, list := range [][]*Contact{t.All, t.Began, t.Ended} {
		h.Uint(uint64(len(list)))
		for _, x := range list {
			for _, u := range []uint64{uint64(x.A), uint64(x.B), x.UserA, x.UserB, uint64(x.Slot), uint64(t.Age(x))} {
				h.Uint(u)
			}
			h.Bool(x.Sensor)
			if h.Bool(x.Still); x.Still {
				p.rested++
			}
			h.Uint(uint64(len(x.Manifolds)))
			for i := range x.Manifolds {
				m := &x.Manifolds[i]
				h.Vec(m.Normal)
				h.Uint(uint64(uint32(m.ChildA))<<32 | uint64(uint32(m.ChildB)))
				for _, c := range m.ContactPoints() {
					h.Vec(c.PointA, c.PointB)
					h.Float(c.Depth)
					h.Uint(uint64(c.FeatureA)<<32 | uint64(c.FeatureB))
					h.Uint(uint64(uint32(c.TriangleA))<<32 | uint64(uint32(c.TriangleB)))
				}
			}
		}
	}
	return h.Sum()
}

// A script that is played with saves, detours and restores gives the same bits at each step as the
// script played from beginning to end. Free lists drop unused memory at every third update.
func TestSavedTrackersPlayTheSame(t *testing.T) {
	defer func(period int) { freelist.Period = period }(freelist.Period)
	freelist.Period = 3
	scripts, steps := testenv.Fewer(3, 1), testenv.Fewer(uint64(200), 100)
	if testenv.Minutes() {
		scripts, steps = 100, 400
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for script := range uint64(scripts) {
		runtime.GOMAXPROCS(1)
		planar := script%3 == 2
		straight, want := newPlayed(planar), []uint64{}
		for i := range steps {
			want = append(want, straight.step(script, i))
		}
		require.NotZero(t, straight.rested)

		runtime.GOMAXPROCS(4)
		const nowhere = math.MaxUint64
		type moment struct {
			step     uint64 // that comes next, or nowhere
			snapshot *Space
			state    TrackerState
		}
		r, p, ring, restores := testenv.Rand(script, 3), newPlayed(planar), [6]*moment{}, 0
		save := func(at int, step uint64) {
			m := &ring[at]
			switch {
			case *m == nil:
				*m = &moment{}
			case r.IntN(4) > 0:
				(*m).snapshot.Release()
			}
			(*m).step, (*m).snapshot = step, p.space.Snapshot()
			p.tracker.Save(&(*m).state)
		}
		for i := uint64(0); i < steps; {
			if r.IntN(3) == 0 {
				save(r.IntN(len(ring)), i)
			}
			m := ring[r.IntN(len(ring))]
			if i > 0 && m != nil && m.step != nowhere && restores < int(steps) && r.IntN(8) == 0 {
				for range r.IntN(4) { // a detour; what is saved there is never restored
					p.step(script+1000, r.Uint64()%steps)
					if r.IntN(4) == 0 && ring[0] != m {
						save(0, nowhere)
					}
				}
				p.space.Restore(m.snapshot)
				p.tracker.Restore(&m.state)
				p.tracker.table.requireValid(t, p.space)
				if i = m.step; i > 0 {
					require.Equal(t, want[i-1], p.hash(), "script %d, restored after step %d", script, i)
				}
				restores++
				continue
			}
			require.Equal(t, want[i], p.step(script, i), "script %d, step %d", script, i)
			i++
		}
		require.NoError(t, p.space.Validate())
		testenv.Drawn(t, restores, 5)
	}
}

func TestTrackerStateIsOfItsTracker(t *testing.T) {
	var a, b ContactTracker
	var state TrackerState
	assert.PanicsWithValue(t, "physics: ContactTracker.Restore: not a state of this tracker", func() { a.Restore(&state) })
	s := NewSpace()
	s.Add(Collider{Shape: unitBox})
	s.Add(Collider{Shape: unitBox})
	a.Save(&state) // before the first update
	a.Update(s)
	require.Len(t, a.Began, 1)
	a.Restore(&state)
	assert.Empty(t, a.All)
	a.Update(s)
	require.Len(t, a.Began, 1)
	b.Save(&state)
	assert.PanicsWithValue(t, "physics: ContactTracker.Restore: not a state of this tracker", func() { a.Restore(&state) })
}

func TestTrackerStateAllocatesNothing(t *testing.T) {
	testenv.NoRace(t)
	w := newMovingWorld(1000)
	tracker := ContactTracker{Margin: 0.05}
	var states [4]TrackerState
	var snapshots [4]*Space
	i := 0
	round := func() {
		for range 6 {
			i++
			if snapshots[i%4] != nil {
				snapshots[i%4].Release()
			}
			snapshots[i%4] = w.space.Snapshot()
			tracker.Save(&states[i%4])
			w.tick()
			tracker.Update(w.space)
		}
		w.space.Restore(snapshots[(i+2)%4])
		tracker.Restore(&states[(i+2)%4])
	}
	for range 100 {
		round()
	}
	testenv.AllocatesNothing(t, 20, round)
	assert.NotEmpty(t, tracker.All)
}

// States and their tracker have what is kept of a contact that rests in common, until it moves.
func TestStatesShareWhatRests(t *testing.T) {
	var tracker ContactTracker
	var states [2]TrackerState
	var snapshots [2]*Space
	s := NewSpace()
	s.Add(Collider{Shape: unitBox})
	box := s.Add(Collider{Shape: unitBox, Transform: geom.At(0.9, 0, 0)})
	tracker.Update(s)
	tracker.Update(s)
	for i := range states {
		tracker.Save(&states[i])
		snapshots[i] = s.Snapshot()
	}
	slot := tracker.All[0].Slot
	kept, found := tracker.checks.rest.of[slot], tracker.All[0].Manifolds[0]
	require.NotNil(t, kept)
	require.Equal(t, 3, kept.users)
	for i := range states {
		require.Same(t, kept, states[i].rest[slot])
	}
	s.SetTransform(box, geom.At(0.8, 0, 0))
	for range 3 {
		tracker.Update(s)
	}
	require.NotEqual(t, found, tracker.All[0].Manifolds[0])
	assert.Equal(t, 2, kept.users)
	s.Restore(snapshots[0])
	tracker.Restore(&states[0])
	require.Equal(t, found, tracker.All[0].Manifolds[0])
	assert.Equal(t, 3, kept.users)
	assert.Equal(t, 1, tracker.checks.rest.free.Len())
}

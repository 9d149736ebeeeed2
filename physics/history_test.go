package physics

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// between returns the model that a space between two ticks must have.
func (m *model) between(to *model, share float32) model {
	mid := m.clone()
	shift := to.origin.Sub(m.origin)
	for id, a := range m.colliders {
		b := to.colliders[id]
		if b == nil || !a.Transform.IsFinite() || !b.Transform.IsFinite() {
			continue
		}
		t := b.Transform
		if shift != (geom.DVec3{}) {
			t.Position = t.Position.Wide().Add(shift).Narrow()
		}
		if t != a.Transform {
			moved := *a
			moved.Transform = a.Transform.Lerp(t, share)
			mid.hold(id, moved)
		}
	}
	return mid
}

// Each tick of a life, and each moment between two ticks, answers as colliders alone do.
func TestHistoryOfLives(t *testing.T) {
	const capacity = 6
	for seed := range uint64(testenv.Count(t, "HITSCAN_LIVES", 4)) {
		r := testenv.Rand(seed, 77)
		l := newLife(8, 20, seed%4 == 3)
		l.add(t, r, 40)
		h := NewHistory(l.space, capacity)
		type past struct {
			tick int64
			model
		}
		var kept []past
		tick, found := int64(-3), 0
		for range 60 {
			for range r.IntN(3) {
				what := events[r.IntN(len(events))]
				if what == "clear" || what == "add many" && len(l.colliders) > 120 {
					what = "move many"
				}
				l.happen(t, what, r, 30)
			}
			switch r.IntN(12) {
			case 0:
				tick -= int64(r.IntN(5)) // a rollback
			case 1:
				tick += 2
			default:
				tick++
			}
			h.Record(tick)
			for len(kept) > 0 && kept[len(kept)-1].tick >= tick {
				kept = kept[:len(kept)-1]
			}
			kept = append(kept, past{tick, l.clone()})
			kept = kept[max(0, len(kept)-capacity):]
			oldest, newest, ok := h.Ticks()
			require.True(t, ok)
			require.Equal(t, [2]int64{kept[0].tick, tick}, [2]int64{oldest, newest})

			a, b := &kept[r.IntN(len(kept))], &kept[r.IntN(len(kept))]
			s, err := h.At(a.tick)
			require.NoError(t, err)
			found += a.ask(t, s, r)
			s.Release()
			share := r.Float32()
			s, err = h.Between(a.tick, b.tick, share)
			require.NoError(t, err)
			require.NoError(t, s.Validate())
			mid := a.between(&b.model, share)
			found += mid.ask(t, s, r)
			if r.IntN(8) > 0 { // else it is dropped
				s.Release()
			}
		}
		testenv.Drawn(t, found, 100)
	}
}

func TestHistoryErrors(t *testing.T) {
	assert.PanicsWithValue(t, "physics: NewHistory: the capacity must be at least 1", func() { NewHistory(NewSpace(), 0) })
	assert.PanicsWithValue(t, "physics: NewHistory: a snapshot has no history", func() { NewHistory(NewSpace().Snapshot(), 1) })
	s := NewSpace()
	h := NewHistory(s, 3)
	_, _, ok := h.Ticks()
	assert.False(t, ok)
	_, err := h.At(5)
	assert.EqualError(t, err, "physics: History.At: tick 5: nothing was recorded")
	for _, tick := range []int64{10, 11, 12, 14} {
		h.Record(tick)
	}
	for tick, want := range map[int64]string{
		10:            "physics: History.At: tick 10 is too old: the history holds 11 to 14",
		math.MinInt64: "physics: History.At: tick -9223372036854775808 is too old: the history holds 11 to 14",
		13:            "physics: History.At: tick 13 was not recorded: the history holds 11 to 14",
		15:            "physics: History.At: tick 15 is in the future: the history holds 11 to 14",
	} {
		_, err := h.At(tick)
		assert.EqualError(t, err, want)
	}
	for _, pair := range [][2]int64{{12, 99}, {99, 12}} {
		_, err = h.Between(pair[0], pair[1], 0.5)
		assert.EqualError(t, err, "physics: History.Between: tick 99 is in the future: the history holds 11 to 14")
	}
	past, err := h.At(12)
	require.NoError(t, err)
	assert.PanicsWithValue(t, "physics: Space.Add: a snapshot can't be changed", func() { past.Add(Collider{Shape: unitBox}) })
	h.Clear()
	_, err = h.At(12)
	assert.Error(t, err)
	past.Release()
	assert.PanicsWithValue(t, "physics: Space.Release: released already", past.Release)
}

// A collider is where it was, or between: one that came since is absent, one that has gone is there
// and one that has jumped has not moved yet.
func TestHistoryBetween(t *testing.T) {
	s := NewSpace()
	h := NewHistory(s, 10)
	h.Teleport = 5
	moves := s.Add(Collider{Shape: unitBox})
	gone := s.Add(Collider{Shape: unitBox, Transform: geom.At(0, 0, 100)})
	jumps := s.Add(Collider{Shape: unitBox, Transform: geom.At(0, 0, 200)})
	h.Record(1)
	s.SetTransform(moves, geom.At(4, 0, 0))
	s.SetTransform(jumps, geom.At(6, 0, 200))
	s.Remove(gone)
	added := s.Add(Collider{Shape: unitBox, Transform: geom.At(0, 0, 300)})
	s.Rebase(geom.DVec3{X: 1000})
	h.Record(2)

	past, err := h.Between(1, 2, 0.25)
	require.NoError(t, err)
	at := func(s *Space, id ColliderID) (x float32) {
		c, ok := s.Collider(id)
		require.True(t, ok)
		return c.Transform.Position.X
	}
	assert.Equal(t, float32(1), at(past, moves))
	assert.Zero(t, at(past, gone))
	assert.Zero(t, at(past, jumps))
	_, ok := past.Collider(added)
	assert.False(t, ok)
	assert.Equal(t, 3, past.Len())
	assert.Zero(t, past.Origin())
	assert.PanicsWithValue(t, "physics: Space.Add: a snapshot can't be changed", func() { past.Add(Collider{Shape: unitBox}) })
	assert.PanicsWithValue(t, "physics: Space.Restore: not a snapshot of this space", func() { s.Restore(past) })
	copied := past.Snapshot()
	past.Release()
	assert.PanicsWithValue(t, "physics: Space.Release: released already", past.Release)

	again, err := h.Between(1, 2, 0.75)
	require.NoError(t, err)
	assert.Same(t, past, again, "its memory serves the next")
	assert.Equal(t, float32(3), at(again, moves))
	assert.Equal(t, float32(1), at(copied, moves))
	for share, tick := range map[float32]int64{0: 1, -1: 1, nan: 1, 1: 2, 9: 2} {
		end, err := h.Between(1, 2, share)
		require.NoError(t, err)
		want, err := h.At(tick)
		require.NoError(t, err)
		assert.Same(t, want, end, "share %v", share)
	}
	back, err := h.Between(2, 1, 0.25) // in the coordinates of the second tick
	require.NoError(t, err)
	assert.Equal(t, geom.DVec3{X: 1000}, back.Origin())
	assert.Equal(t, float32(3-1000), at(back, moves))
}

// Ticks without a change are one snapshot, and what is held survives the capacity.
func TestHistoryOfAQuietSpace(t *testing.T) {
	s, other := NewSpace(), NewSpace()
	id := s.Add(Collider{Shape: unitBox})
	h, of := NewHistory(s, 2), NewHistory(other, 2)
	h.Record(1)
	of.Record(1)
	first, err := h.At(1)
	require.NoError(t, err)
	h.Record(2)
	h.Record(3)
	third, err := h.At(3)
	require.NoError(t, err)
	require.Same(t, first, third)
	s.Remove(id)
	h.Record(4)
	h.Record(5)
	assert.Equal(t, 1, third.Len())
	first.Release()
	assert.Equal(t, 1, third.Len())
	third.Release()
	now, err := h.At(5)
	require.NoError(t, err)
	assert.Zero(t, now.Len())
	alone, err := of.At(1)
	require.NoError(t, err)
	assert.Zero(t, alone.Len())
}

func TestHistoryAllocatesNothing(t *testing.T) {
	testenv.NoRace(t)
	w := newMovingWorld(500)
	for i := range 20 {
		w.space.Add(Collider{Shape: testHulls[0], Transform: geom.At(float32(i), 0, 0)})
	}
	h := NewHistory(w.space, 8)
	tick := int64(0)
	round := func() {
		w.space.Remove(w.space.Add(Collider{Shape: testHulls[1]}))
		w.tick()
		h.Record(tick)
		for back := range min(tick, 4) {
			past, err := h.At(tick - back)
			if err != nil {
				panic(err)
			}
			mid, err := h.Between(tick-back-1, tick-back, 0.3)
			if err != nil {
				panic(err)
			}
			past.Release()
			mid.Release()
		}
		if tick++; tick%7 == 0 {
			tick -= 2
		}
	}
	for range 400 { // two periods of the world
		round()
	}
	testenv.AllocatesNothing(t, 20, round)
}

// TestHistoryBesideTheWriter is for the race detector: goroutines query old ticks while the space
// goes on.
func TestHistoryBesideTheWriter(t *testing.T) {
	s := newScene(60, geom.Vec3{}, 1)
	h := NewHistory(s.space, 4)
	var answers sync.Map // by tick
	var done atomic.Bool
	var readers sync.WaitGroup
	var asked atomic.Int32
	record := func(tick int64) {
		answers.Store(tick, everyQuery(s.space, nil, nil, Filter{}))
		h.Record(tick)
	}
	record(0)
	for reader := range 4 {
		readers.Go(func() {
			r := testenv.Rand(uint64(reader), 5)
			for !done.Load() {
				oldest, newest, _ := h.Ticks()
				tick := oldest + int64(r.IntN(int(newest-oldest)+1))
				past, err := h.At(tick)
				if err != nil { // dropped meanwhile
					continue
				}
				want, _ := answers.Load(tick)
				assert.Equal(t, want, everyQuery(past, nil, nil, Filter{}))
				past.Release()
				if mid, err := h.Between(tick, newest, 0.5); err == nil {
					everyQuery(mid, nil, nil, Filter{})
					mid.Release()
				}
				asked.Add(1)
			}
		})
	}
	for tick := int64(1); tick < 40 || asked.Load() < 20; tick++ {
		for range 30 {
			id, c := s.ids[s.IntN(len(s.ids))], s.collider()
			switch s.IntN(8) {
			case 0:
				s.space.Remove(id)
			case 1:
				s.space.Set(id, c)
			default:
				s.space.SetTransform(id, c.Transform)
			}
		}
		s.add(s.collider())
		if tick%10 == 9 {
			s.space.Rebase(geom.DVec3{X: float64(tick % 3)})
		}
		record(tick)
	}
	done.Store(true)
	readers.Wait()
}

// The cost of a tick, of the space at a tick, and between two, for worlds of which everything, or
// one in ten colliders, moves.
func BenchmarkHistory(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		for _, share := range []int{1, 10} {
			w := newMovingWorld(n)
			w.ids = w.ids[:n/share]
			h := NewHistory(w.space, 32)
			now := int64(0)
			tick := func() {
				w.tick()
				h.Record(now)
				now++
			}
			for range 64 {
				tick()
			}
			run := func(name string, once func()) {
				b.Run(fmt.Sprintf("%s/%d of %d move", name, n/share, n), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						once()
					}
					w.reportColliders(b)
				})
			}
			b.Run(fmt.Sprintf("record/%d of %d move", n/share, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					w.tick()
					b.StartTimer()
					h.Record(now)
					now++
				}
				w.reportColliders(b)
			})
			run("at", func() {
				past, _ := h.At(now - 10)
				past.Release()
			})
			back := int64(0)
			run("between", func() { // another tick each time
				back = (back + 7) % 20
				past, _ := h.Between(now-back-2, now-back-1, 0.3)
				past.Release()
			})
		}
	}
}

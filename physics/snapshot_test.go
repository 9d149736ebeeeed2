package physics

import (
	"maps"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestSnapshotCannotBeChanged(t *testing.T) {
	s := NewSpace()
	id := s.Add(Collider{Shape: unitBox})
	for name, snapshot := range map[string]*Space{"snapshot": s.Snapshot(), "snapshot of a snapshot": s.Snapshot().Snapshot()} {
		t.Run(name, func(t *testing.T) {
			for call, change := range map[string]func(){
				"Add":           func() { snapshot.Add(Collider{Shape: unitBox}) },
				"Set":           func() { snapshot.Set(id, Collider{Shape: unitBox}) },
				"SetTransform":  func() { snapshot.SetTransform(id, geom.At(1, 2, 3)) },
				"SetTransforms": func() { snapshot.SetTransforms([]ColliderID{id}, make([]geom.Transform, 1)) },
				"Remove":        func() { snapshot.Remove(id) },
				"Clear":         func() { snapshot.Clear() },
				"Rebase":        func() { snapshot.Rebase(geom.DVec3{X: 1}) },
				"Restore":       func() { snapshot.Restore(snapshot) },
			} {
				assert.PanicsWithValue(t, "physics: Space."+call+": a snapshot can't be changed", change)
			}
			snapshot.Update() // changes nothing
			assert.Equal(t, 1, snapshot.Len())
			assert.True(t, snapshot.CastRayAny(down(0, 0), Filter{}))
			require.NoError(t, snapshot.Validate())
		})
	}
	require.True(t, s.Remove(id), "the space itself can be")
}

func TestSnapshotStaysAsItWas(t *testing.T) {
	s := newScene(100, geom.Vec3{}, 1)
	plane := s.space.Add(Collider{Shape: ground, User: 9})
	s.space.Rebase(geom.DVec3{X: 1})
	before, answers := s.space.Snapshot(), everyQuery(s.space, nil, nil, Filter{})
	pairs, colliders := s.space.Pairs(nil), maps.Collect(s.space.All())
	require.Equal(t, answers, everyQuery(before, nil, nil, Filter{}))
	later := before.Snapshot()

	for i, id := range s.ids {
		switch i % 4 {
		case 0:
			require.True(t, s.space.Remove(id))
		case 1:
			require.True(t, s.space.SetTransform(id, geom.At(float32(i), 2, 3)))
		case 2:
			require.True(t, s.space.Set(id, Collider{Shape: NewCompound(Child{Shape: unitBox}), User: 5}))
		}
	}
	for range 50 {
		s.add(s.collider())
	}
	s.space.Rebase(geom.DVec3{Y: 500})
	s.space.Update()
	require.True(t, s.space.Remove(plane))
	require.NotEqual(t, answers, everyQuery(s.space, nil, nil, Filter{}))

	for name, snapshot := range map[string]*Space{"snapshot": before, "snapshot of a snapshot": later} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, answers, everyQuery(snapshot, nil, nil, Filter{}))
			assert.Equal(t, pairs, snapshot.Pairs(nil))
			assert.Equal(t, colliders, maps.Collect(snapshot.All()))
			assert.Equal(t, geom.DVec3{X: 1}, snapshot.Origin())
			require.NoError(t, snapshot.Validate())
		})
	}
	s.space.Clear()
	assert.Equal(t, answers, everyQuery(before, nil, nil, Filter{}), "though the space is empty")
}

func TestRelease(t *testing.T) {
	s := NewSpace()
	assert.PanicsWithValue(t, "physics: Space.Release: not a snapshot", s.Release)
	id := s.Add(Collider{Shape: unitBox})
	first, second := s.Snapshot(), s.Snapshot()
	ofFirst := first.Snapshot()
	first.Release()
	assert.PanicsWithValue(t, "physics: Space.Release: released already", first.Release)
	assert.PanicsWithValue(t, "physics: Space.Add: a snapshot can't be changed", func() { first.Add(Collider{Shape: unitBox}) })

	// Its memory serves the next snapshot alone.
	require.True(t, s.SetTransform(id, geom.At(5, 0, 0)))
	third := s.Snapshot()
	require.True(t, s.SetTransform(id, geom.At(9, 0, 0)))
	for x, snapshot := range map[float32]*Space{0: second, 5: third, 9: s} {
		for _, at := range []float32{0, 5, 9} {
			assert.Equal(t, at == x, snapshot.CastRayAny(down(at, 0), Filter{}), "%v at %v", x, at)
		}
	}
	assert.True(t, ofFirst.CastRayAny(down(0, 0), Filter{}), "the snapshot of one that was released")

	// Given back twice, it is not given out twice.
	third.Release()
	assert.PanicsWithValue(t, "physics: Space.Release: released already", third.Release)
	a := s.Snapshot()
	require.True(t, s.SetTransform(id, geom.At(0, 0, 0)))
	b := s.Snapshot()
	assert.True(t, a.CastRayAny(down(9, 0), Filter{}))
	assert.True(t, b.CastRayAny(down(0, 0), Filter{}))
	require.NoError(t, a.Validate())
	require.NoError(t, b.Validate())
}

// TestSnapshotOutlivesItsSpace drops the space: what the two share must stay alive.
// After Restore all goes as it did the first time: the same IDs, generations and origin.
func TestRestoreRepeats(t *testing.T) {
	s := newScene(100, geom.Vec3{}, 1)
	for _, id := range s.ids[:30] {
		s.space.Remove(id)
	}
	s.space.Rebase(geom.DVec3{X: 3})
	snapshot := s.space.Snapshot()
	play := func() (ids []ColliderID, colliders map[ColliderID]Collider) {
		for i := range 60 {
			ids = append(ids, s.space.Add(Collider{Shape: testHulls[i%2], Transform: geom.At(float32(i), 0, 0), User: uint64(i)}))
			s.space.Remove(ids[i/2])
			s.space.SetTransform(s.ids[40+i%20], geom.At(0, float32(i), 0))
		}
		s.space.Rebase(geom.DVec3{X: 3, Y: 0.1})
		return ids, maps.Collect(s.space.All())
	}
	before := maps.Collect(snapshot.All())
	ids, colliders := play()
	for range 3 {
		s.space.Restore(snapshot)
		require.NoError(t, s.space.Validate())
		require.Equal(t, before, maps.Collect(s.space.All()))
		require.Equal(t, geom.DVec3{X: 3}, s.space.Origin())
		again, same := play()
		require.Equal(t, ids, again)
		require.Equal(t, colliders, same)
	}
}

func TestRestoreTakesItsOwnSnapshots(t *testing.T) {
	s, other := NewSpace(), NewSpace()
	old := s.Snapshot()
	s.Add(Collider{Shape: unitBox})
	old.Release()
	for _, not := range []*Space{s, other, other.Snapshot(), old} {
		assert.PanicsWithValue(t, "physics: Space.Restore: not a snapshot of this space", func() { s.Restore(not) })
	}
	require.Equal(t, 1, s.Len())
}

// Snapshots and restores of bodies that come, go and move allocate nothing once the memory has
// grown.
func TestRestoreAllocatesNothing(t *testing.T) {
	testenv.NoRace(t)
	w := newMovingWorld(500)
	for i := range 20 {
		w.space.Add(Collider{Shape: testHulls[0], Transform: geom.At(float32(i), 0, 0)})
	}
	var ring [4]*Space
	tick := func(i int) {
		if ring[i%4] != nil {
			ring[i%4].Release()
		}
		ring[i%4] = w.space.Snapshot()
		w.space.Remove(w.space.Add(Collider{Shape: testHulls[1]}))
		w.tick()
	}
	i := 0
	round := func() {
		for range 6 {
			i++
			tick(i)
		}
		w.space.Restore(ring[(i+2)%4]) // two ticks ago
	}
	for range 100 {
		round()
	}
	testenv.AllocatesNothing(t, 20, round)
}

func TestSnapshotOutlivesItsSpace(t *testing.T) {
	snapshot := crowded().Snapshot()
	want := everyQuery(crowded(), nil, nil, Filter{})
	runtime.GC()
	assert.Equal(t, want, everyQuery(snapshot, nil, nil, Filter{}))
	require.NoError(t, snapshot.Validate())
}

// TestReadersBesideTheWriter is for the race detector: eight goroutines query snapshots while the
// space changes. The answers of a snapshot must stay those of the time when it was taken.
func TestReadersBesideTheWriter(t *testing.T) {
	type task struct {
		space *Space
		want  int
		done  *sync.WaitGroup
	}
	tasks := make(chan task)
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			for task := range tasks {
				assert.Equal(t, task.want, everyQuery(task.space, nil, nil, Filter{}))
				task.done.Done()
			}
		})
	}
	s := newScene(100, geom.Vec3{}, 1)
	for tick := range testenv.Fewer(40, 15) {
		task := task{s.space.Snapshot(), everyQuery(s.space, nil, nil, Filter{}), new(sync.WaitGroup)}
		task.done.Add(8)
		go func() {
			for range 8 {
				tasks <- task
			}
		}()
		for i := range 60 { // while they read
			id := s.ids[s.IntN(len(s.ids))]
			c := s.collider()
			switch i % 12 {
			case 0:
				s.space.Remove(id)
			case 1:
				s.add(c)
			case 2:
				s.space.Set(id, c)
			default:
				s.space.SetTransform(id, c.Transform)
			}
		}
		s.space.Update()
		if tick%5 == 4 {
			s.space.Rebase(geom.DVec3{X: float64(tick % 2)})
		}
		task.done.Wait()
		if tick%3 > 0 {
			task.space.Release()
		}
	}
	close(tasks)
	readers.Wait()
	require.NoError(t, s.space.Validate())
}

package physecs

import (
	"cmp"
	"slices"
	"sync"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
)

// History is the resource that holds what the [Space] of a world was at each of the last ticks, so
// that a server can decide a shot on the world as the shooter saw it (lag compensation):
//
//	past, err := history.Between(117, 118, 0.4) // as the shooter's screen was drawn
//	if err == nil {
//		if hit, ok := past.CastRay(ray, filter); ok && w.Alive(hit.Entity) {
//			// the shot hits
//		}
//		past.Release()
//	}
//
// A [HistorySystem] records the ticks. See [physics.History] for what it costs and which goroutines
// may call it. It allocates when entities have come or gone, and a little for each answer.
type History struct {
	space   *Space
	physics *physics.History
	mutex   sync.RWMutex
	tables  []historyTable // of the ticks of physics
}

// historyTable is which entities had which colliders at a tick.
type historyTable struct {
	tick      int64
	owners    []ecs.Entity
	colliders []physics.ColliderID
}

// NewHistory returns an empty history of a space, which will hold up to capacity ticks. Panics if
// the capacity is less than 1.
func NewHistory(s *Space, capacity int) *History {
	return &History{space: s, physics: physics.NewHistory(s.physics, capacity)}
}

// Record adds what the last [Sync] found as that of a tick: see [physics.History.Record].
func (h *History) Record(tick int64) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.physics.Record(tick)
	h.space.shared = true
	oldest, _, _ := h.physics.Ticks()
	from, _ := h.search(oldest)
	to, _ := h.search(tick)
	n := copy(h.tables, h.tables[from:max(from, to)])
	clear(h.tables[n:])
	h.tables = append(h.tables[:n], historyTable{tick, h.space.owners, h.space.colliders})
}

func (h *History) search(tick int64) (int, bool) {
	return slices.BinarySearchFunc(h.tables, tick, func(t historyTable, tick int64) int { return cmp.Compare(t.tick, tick) })
}

// Ticks returns the oldest and the newest tick that the history holds; false if it is empty.
func (h *History) Ticks() (oldest, newest int64, ok bool) { return h.physics.Ticks() }

// Physics returns the history of the physics space, which has the setting Teleport.
func (h *History) Physics() *physics.History { return h.physics }

// At returns the space as of a tick. An entity that has died since is there, as the Entity that it
// was. Call Release when the snapshot is no longer read. Errors are those of [physics.History.At].
func (h *History) At(tick int64) (*Snapshot, error) {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	past, err := h.physics.At(tick)
	if err != nil {
		return nil, err
	}
	return h.snapshot(past, tick), nil
}

// Between returns the space at a share of the way from one tick to another, with the entities of
// the first: see [physics.History.Between].
func (h *History) Between(from, to int64, share float32) (*Snapshot, error) {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	past, err := h.physics.Between(from, to, share)
	if err != nil {
		return nil, err
	}
	if share >= 1 {
		from = to
	}
	return h.snapshot(past, from), nil
}

// snapshot returns a space with the entities of a tick.
func (h *History) snapshot(past *physics.Space, tick int64) *Snapshot {
	i, _ := h.search(tick)
	t := &h.tables[i]
	return &Snapshot{Queries{physics: past, owners: t.owners, colliders: t.colliders, scratches: h.space.scratches}}
}

// DefaultHistory is the default Capacity of a [HistorySystem], in ticks: half a second at 60 ticks
// a second.
const DefaultHistory = 32

// HistorySystem records each of its updates as a tick of [History]. Run it after all systems that
// move entities: it calls [Sync] itself.
type HistorySystem struct {
	// Capacity is the number of ticks that are held; 0 means [DefaultHistory].
	Capacity int
	// Tick is that of the next update, which adds 1 to it. A game that goes back sets it to the
	// first tick that it simulates again.
	Tick int64
}

// Initialize adds [Space], [Meshes] and [History] unless the world has them, and registers the
// components. Panics in a locked world.
func (s *HistorySystem) Initialize(w *ecs.World) { s.history(w, initialize(w)) }

// history returns the history of a space, a new one unless the world has it.
func (s *HistorySystem) history(w *ecs.World, space *Space) *History {
	h := resourceOr(w, func() *History { return NewHistory(space, cmp.Or(s.Capacity, DefaultHistory)) })
	if h.space != space { // the game has replaced it
		h.space, h.physics, h.tables = space, physics.NewHistory(space.physics, cmp.Or(s.Capacity, DefaultHistory)), nil
	}
	return h
}

// Update records a tick.
func (s *HistorySystem) Update(w *ecs.World) {
	s.history(w, Sync(w)).Record(s.Tick)
	s.Tick++
}

// Finalize does nothing. The resource stays, to be read.
func (s *HistorySystem) Finalize(*ecs.World) {}

package physics

import (
	"fmt"
	"sort"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// History holds what a space was at each of the last ticks, so that a server can decide a shot on
// the space as the shooter saw it (lag compensation):
//
//	history := physics.NewHistory(space, 32) // half a second at 60 ticks a second
//	history.Record(tick)                     // each tick, after all has moved
//
//	past, err := history.Between(117, 118, 0.4) // as the shooter's screen was drawn
//	if err == nil {
//		hit, ok := past.CastRay(ray, filter)
//		past.Release()
//	}
//
// The whole space goes back, as in Unity's Netcode for Entities, and not only the players, as in
// the Source engine: what hid behind a door is hidden by the door as it was. As in Source, and in
// Quake III's Unlagged, colliders stand between two ticks where a client has drawn them.
//
// Each tick is a [Space.Snapshot]. Record costs the time to copy the colliders that have moved in
// the last capacity ticks, 20 to 50 ns each. A collider takes about 260 bytes in each tick of the
// capacity, and more with a mesh, hull or compound; ticks between which nothing has changed share
// their memory. A large world that never moves is held once for each tick too: choose the capacity
// by the longest latency that is to be made up for, a quarter of a second in most games.
//
// One goroutine calls Record, the one that changes the space. At, Between, Ticks, and queries of
// what they return, may be called by others at the same time.
type History struct {
	// Teleport is the distance in metres between two ticks beyond which Between takes a collider to
	// have jumped: it stays where it was at the first. 0: no limit. Set it before the first call.
	Teleport float32

	space    *Space
	capacity int
	mutex    sync.Mutex
	records  []recorded // in the order of ticks
	between  Space      // the base of spaces between two ticks
}

// recorded is a space as of a tick.
type recorded struct {
	tick  int64
	space *Space
}

// NewHistory returns an empty history of a space, which will hold up to capacity ticks. Panics if
// the capacity is less than 1, or the space is a snapshot.
func NewHistory(s *Space, capacity int) *History {
	switch {
	case capacity < 1:
		panic("physics: NewHistory: the capacity must be at least 1")
	case s.base != nil:
		panic("physics: NewHistory: a snapshot has no history")
	}
	return &History{space: s, capacity: capacity}
}

// Record adds what the space is now as that of a tick, and drops the oldest tick if there are more
// than the capacity. Ticks need not follow each other without gaps. Recording a tick again drops it
// and all later ones first, as a game does that goes back by [Space.Restore] and simulates again.
// It allocates nothing once the memory has grown, unless dropped ticks are still in use.
func (h *History) Record(tick int64) {
	h.mutex.Lock()
	n := h.search(tick)
	h.drop(n, len(h.records))
	if n == h.capacity {
		h.drop(0, 1)
	}
	h.mutex.Unlock() // others may read on while the space is copied
	now := h.newest()
	if now != nil && now.version == h.space.version {
		now.users.Add(1)
	} else {
		now = h.space.Snapshot()
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.records = append(h.records, recorded{tick, now})
}

// newest returns the last space that was recorded; nil if there is none.
func (h *History) newest() *Space {
	if n := len(h.records); n > 0 {
		return h.records[n-1].space
	}
	return nil
}

// search returns the index of the first record that is not before a tick.
func (h *History) search(tick int64) int {
	return sort.Search(len(h.records), func(i int) bool { return h.records[i].tick >= tick })
}

// drop drops a range of records.
func (h *History) drop(from, to int) {
	for i := from; i < to; i++ {
		h.records[i].space.Release()
	}
	n := from + copy(h.records[from:], h.records[to:])
	clear(h.records[n:])
	h.records = h.records[:n]
}

// Clear drops all ticks.
func (h *History) Clear() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.drop(0, len(h.records))
}

// Ticks returns the oldest and the newest tick that the history holds; false if it is empty.
func (h *History) Ticks() (oldest, newest int64, ok bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if len(h.records) == 0 {
		return 0, 0, false
	}
	return h.records[0].tick, h.records[len(h.records)-1].tick, true
}

// At returns the space as of a tick: a snapshot, in the coordinates of that time, see
// [Space.Origin]. It stays valid, even after the history has dropped the tick, until it is
// released: call [Space.Release] once for each At. It returns an error, which names the tick and
// those that the history holds, if the tick is too old, in the future, or was not recorded.
func (h *History) At(tick int64) (*Space, error) { return h.find(tick, "At") }

func (h *History) find(tick int64, call string) (*Space, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if i := h.search(tick); i < len(h.records) && h.records[i].tick == tick {
		h.records[i].space.users.Add(1)
		return h.records[i].space, nil
	}
	if len(h.records) == 0 {
		return nil, fmt.Errorf("physics: History.%s: tick %d: nothing was recorded", call, tick)
	}
	oldest, newest, why := h.records[0].tick, h.records[len(h.records)-1].tick, "was not recorded"
	switch {
	case tick < oldest:
		why = "is too old"
	case tick > newest:
		why = "is in the future"
	}
	return nil, fmt.Errorf("physics: History.%s: tick %d %s: the history holds %d to %d", call, tick, why, oldest, newest)
}

// Between returns the space at a share of the way from one tick to another, as a client shows it
// that draws everything between two states of the server. Every collider is as it was at the first
// tick, in the coordinates of that time, except that those that are still there at the second tick
// stand between their two transforms: see [geom.Transform.Lerp]. Colliders that were added since
// are absent, and those that were removed since have stayed where they were. A share of 0 or less
// or NaN is the first tick, and of 1 or more the second.
//
// Call [Space.Release] when the space is no longer used. It costs about 0.2 µs for each collider
// that moves between the two ticks, or has moved since the tick of the last call, and allocates
// nothing once the memory has grown, so cast all rays of a shooter with one. Errors are those of
// [History.At].
func (h *History) Between(from, to int64, share float32) (*Space, error) {
	a, err := h.find(from, "Between")
	if err != nil {
		return nil, err
	}
	b, err := h.find(to, "Between")
	if err != nil {
		a.Release()
		return nil, err
	}
	switch {
	case a == b || !(share > 0):
		b.Release()
		return a, nil
	case share >= 1:
		a.Release()
		return b, nil
	}
	s := h.between.spare.take()
	s.setBetween(a, b, share, h.Teleport)
	s.base = &h.between
	s.users.Store(1)
	a.Release()
	b.Release()
	return s, nil
}

// blend holds the versions of the colliders and pages that a space between two ticks has copied
// from the space of its history. 0 marks what is interpolated, and so has no version.
type blend struct {
	each  []uint64
	pages []uint64
}

// setBetween makes s a space between two snapshots of another. It changes only the colliders that
// differ.
func (s *Space) setBetween(a, b *Space, share, teleport float32) {
	s.change()
	if s.blend == nil {
		s.blend = new(blend)
	}
	held, n := s.blend, len(a.records)
	for i := n; i < len(s.records); i++ {
		if s.records[i].alive {
			s.remove(i)
		}
		held.each[i], held.pages[i>>pageBits] = 0, 0
	}
	for len(s.records) < n {
		s.records, s.details = append(s.records, record{}), append(s.details, detail{})
		s.each, held.each = append(s.each, 0), append(held.each, 0)
	}
	held.pages = append(held.pages, make([]uint64, max(0, len(a.pages.each)-len(held.pages)))...)
	s.planar = a.planar
	s.origins = append(s.origins[:0], a.origins...)
	for page, version := range a.pages.each {
		if held.pages[page] == version && page < len(b.pages.each) && b.pages.each[page] == version {
			continue
		}
		held.pages[page] = version
		for i := page << pageBits; i < min((page+1)<<pageBits, n); i++ {
			r := &a.records[i]
			moves := i < len(b.records) && a.each[i] != b.each[i] && r.alive && b.records[i].alive && r.id == b.records[i].id
			if !moves && held.each[i] == a.each[i] {
				continue
			}
			s.takeFrom(a, i)
			held.each[i] = a.each[i]
			if moves && s.interpolate(b, i, share, teleport) {
				held.each[i], held.pages[page] = 0, 0
			}
			if r.alive {
				s.link(i)
			} else {
				s.unlink(i)
			}
		}
	}
	s.count, s.free, s.last = a.count, 0, a.last
	s.settle()
}

// takeFrom copies a collider, except for its place in the tree.
func (s *Space) takeFrom(a *Space, i int) {
	r := &s.records[i]
	s.touch(i) // while it is static, if it was
	where, at := r.where, r.at
	s.copyRecord(a, i)
	r.where, r.at = where, at
	s.details[i] = a.details[i]
	s.details[i].reset = s.version
	s.touch(i)
}

// interpolate places a collider between where it is and where another space has it, and reports
// whether that differs from where it is.
func (s *Space) interpolate(b *Space, i int, share, teleport float32) bool {
	from, to := s.transform(i), b.transform(i)
	if shift := b.Origin().Sub(s.Origin()); shift != (geom.DVec3{}) {
		to.Position = to.Position.Wide().Add(shift).Narrow()
	}
	if !from.IsFinite() || !to.IsFinite() || from == to || teleport > 0 && from.Position.Distance(to.Position) > teleport {
		return false
	}
	t := from.Lerp(to, share)
	s.details[i].transform, s.details[i].since = t, s.present()
	s.records[i].place(s.details[i].shape, &t, new(placed.Frame))
	return true
}

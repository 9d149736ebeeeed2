package physics

import (
	"slices"
	"sync"

	"github.com/hitscan-go/hitscan/physics/internal/brief"
	"github.com/hitscan-go/hitscan/physics/internal/freelist"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// Manifolds are written to memory of the update, an arena, which is never written to again while
// anything refers to it. So a saved state takes the manifolds of everything that moves without a
// copy. What is needed for longer than until the next update moves to the memory of its contact:
// the manifolds of those that have come to rest, and what was found of those that are recycled.

// finding is the result of the last comparison of the shapes of a pair.
type finding struct {
	poses     [2]pose   // of A and B
	manifolds manifolds // if they touched
}

// manifolds is a list that is seldom longer than one.
type manifolds struct {
	n    int
	one  [1]Manifold
	more []Manifold
}

func (l *manifolds) set(m []Manifold) {
	if l.n = len(m); l.n <= 1 {
		copy(l.one[:], m)
	} else {
		l.more = append(l.more[:0], m...)
	}
}

func (l *manifolds) list() []Manifold {
	if l.n <= 1 {
		return l.one[:l.n:l.n]
	}
	return l.more[:l.n:l.n]
}

func (f *finding) copyFrom(o *finding) {
	f.poses = o.poses
	f.manifolds.set(o.manifolds.list())
}

// arena is the memory of one update: pages that are never moved. They come from a pool, to which an
// arena without users gives its pages back. If it kept them, each arena would grow to what the
// largest update ever needed. For the same reason workers take one page after the other.
type arena struct {
	users     int // the tracker, and saved states
	pool      *arenaPool
	findings  [][]finding
	manifolds [][]Manifold
}

// arenaPool holds the pages that no arena has.
type arenaPool struct {
	findings  pagePool[finding]
	manifolds pagePool[Manifold]
}

type pagePool[T any] struct {
	sync.Mutex
	pages freelist.List[[]T]
}

// take adds pages of a length to a list and returns the last.
func (p *pagePool[T]) take(to *[][]T, many, length int) (page []T) {
	p.Lock()
	defer p.Unlock()
	for range many {
		page, _ = p.pages.Take()
		if len(page) < length {
			page = make([]T, length)
		}
		*to = append(*to, page)
	}
	return page
}

// give takes all pages of a list back.
func (p *pagePool[T]) give(from *[][]T) {
	for _, page := range *from {
		p.pages.Give(page)
	}
	clear(*from)
	*from = (*from)[:0]
}

// manifoldPage is the length of a page of manifolds. Longer: small worlds with many saved states
// take more memory.
const manifoldPage = 16

// pagesAtOnce is how many of these a worker takes at a time. Fewer: on two processors that are far
// from each other, workers wait for the lock for 2 % of a step of a large pile.
const pagesAtOnce = 16

// arenaPart is what one worker writes to: the rest of a page each.
type arenaPart struct {
	arena     *arena
	findings  []finding
	manifolds []Manifold // appended to
	// The pages of manifolds that were taken last: those in use, and the others.
	used, spare [][]Manifold
}

func (a *arenaPart) finding() *finding {
	if len(a.findings) == 0 {
		a.findings = a.arena.pool.findings.take(&a.arena.findings, 1, pageSize)
	}
	f := &a.findings[0]
	a.findings = a.findings[1:]
	return f
}

// room makes room for n manifolds.
func (a *arenaPart) room(n int) {
	if cap(a.manifolds)-len(a.manifolds) >= n {
		return
	}
	pool := &a.arena.pool.manifolds
	if n > manifoldPage {
		a.manifolds = pool.take(&a.arena.manifolds, 1, n)[:0]
		return
	}
	if len(a.spare) == 0 {
		pool.take(&a.spare, pagesAtOnce, manifoldPage)
	}
	last := len(a.spare) - 1
	page := a.spare[last]
	a.spare = a.spare[:last]
	a.used, a.manifolds = append(a.used, page), page[:0]
}

// keepUsed gives the pages that the parts have used to the arena, and the others back. No worker
// runs meanwhile.
func (c *contactMemory) keepUsed() {
	for i := range c.parts {
		a := &c.parts[i]
		a.arena.manifolds = append(a.arena.manifolds, a.used...)
		clear(a.used)
		a.used = a.used[:0]
		c.pool.manifolds.give(&a.spare)
	}
}

// resting is the memory of a contact. What a saved state has too is not written to.
type resting struct {
	users int // the tracker, and states
	finding
	now manifolds // if they are not those of the finding
}

// contactMemory holds what is known of each contact, and the memory of manifolds.
type contactMemory struct {
	n, free   int32                // slots, and 1 + the one freed last; 0: none
	contacts  []*[pageSize]tracked // by Contact.Slot; never moved, as All points to them
	rest      slotted[resting]     // by slot of the contact
	kept      keptPages[tracked]   // of contacts
	rested    pages                // of rest
	now, last *arena
	parts     []arenaPart // of now, by worker
	spare     []*arena
	pool      arenaPool
	round     uint32 // counts updates
	deferred
}

// begin keeps a contact of a pair in a free slot.
func (c *contactMemory) begin(is *tracked, pair int32) *tracked {
	slot := c.free - 1
	if slot >= 0 {
		c.free = c.contact(slot).pair
	} else {
		slot = c.n
		c.grow(slot + 1)
	}
	x := c.touch(slot)
	*x = *is
	x.Slot, x.pair = slot, pair
	return x
}

// end frees the slot of a contact.
func (c *contactMemory) end(slot int32) {
	*c.touch(slot) = tracked{pair: c.free}
	c.free = slot + 1
}

// grow makes room for n slots.
func (c *contactMemory) grow(n int32) {
	for c.n = max(c.n, n); len(c.contacts)*pageSize < int(c.n); {
		c.contacts = append(c.contacts, new([pageSize]tracked))
		c.rested.resize(len(c.contacts))
		c.kept.now = append(c.kept.now, nil)
	}
	c.rest.grow(int(c.n))
	if n := int(c.n) - len(c.briefs); n > 0 {
		c.briefs = append(c.briefs, make([]brief.Manifold, n)...)
	}
}

func (c *contactMemory) contact(slot int32) *tracked {
	return &c.contacts[slot>>pageBits][slot&(pageSize-1)]
}

// touch returns a contact to write to.
func (c *contactMemory) touch(slot int32) *tracked {
	page := slot >> pageBits
	c.kept.touch(int(page), c.contacts[page])
	return c.contact(slot)
}

// resting returns the memory of a contact to write to. It holds the finding, unless that is in an
// arena. Several goroutines may call it at once, for different contacts.
func (c *contactMemory) resting(x *tracked, clock uint64) *resting {
	c.rested.touchShared(int(x.Slot), clock)
	if r := c.rest.of[x.Slot]; r != nil && r.users > 1 {
		r.users--
		c.rest.of[x.Slot] = nil
	}
	r := c.rest.at(x.Slot)
	r.users = 1
	if x.finding != nil && !x.young && x.finding != &r.finding {
		r.finding.copyFrom(x.finding)
		x.finding = &r.finding
	}
	return r
}

// share makes to, of the tracker or a state, the memory that the other has.
func (c *contactMemory) share(to **resting, r *resting) {
	if r != nil {
		r.users++
	}
	if was := *to; was != nil {
		if was.users--; was.users == 0 {
			c.rest.free.Give(was)
		}
	}
	*to = r
}

// forget forgets all contacts from a slot on. The manifolds stay in memory until the next update.
// Saved states may know the slots, or not.
func (c *contactMemory) forget(from int32, clock uint64) {
	for slot := from; slot < c.n; slot++ {
		*c.touch(slot) = tracked{}
		c.rested.touch(int(slot), clock)
	}
	c.n = min(c.n, from)
}

// beginUpdate takes an arena for the manifolds of an update, and keeps that of the last one.
func (c *contactMemory) beginUpdate() {
	c.round++
	c.waiting = [2][]narrow.FlatContacts{c.waiting[1], c.waiting[0]}
	c.release(c.last)
	c.last = c.now
	if n := len(c.spare); n > 0 {
		c.now, c.spare = c.spare[n-1], c.spare[:n-1]
	} else {
		c.now = &arena{pool: &c.pool}
	}
	c.now.users = 1
	c.parts = c.parts[:0]
	c.pool.findings.pages.Trim()
	c.pool.manifolds.pages.Trim()
	c.kept.spare.Trim()
	c.rest.free.Trim()
}

// part returns the part of a worker, for which there may be none yet.
func (c *contactMemory) part(worker int) *arenaPart {
	for n := len(c.parts); n <= worker; n++ {
		c.parts = slices.Grow(c.parts, 1)[:n+1]
		a := &c.parts[n]
		*a = arenaPart{arena: c.now, used: a.used[:0], spare: a.spare[:0]}
	}
	return &c.parts[worker]
}

// release gives up the use of an arena, if it is not nil.
func (c *contactMemory) release(a *arena) {
	if a == nil {
		return
	}
	if a.users--; a.users == 0 {
		c.pool.findings.give(&a.findings)
		c.pool.manifolds.give(&a.manifolds)
		c.spare = append(c.spare, a)
	}
}

// slotted holds a T for each pair, or contact, for which at was called, until that pair ends. Then
// the T goes to the free list.
type slotted[T any] struct {
	sync.Mutex
	of   []*T // by the slot of the pair
	free freelist.List[*T]
}

// grow makes room for n slots.
func (s *slotted[T]) grow(n int) {
	if n > len(s.of) {
		s.of = append(s.of, make([]*T, n-len(s.of))...)
	}
}

// at returns what a pair has, which may be as another pair has left it. Several goroutines may call
// it at once, for different pairs.
func (s *slotted[T]) at(slot int32) *T {
	if s.of[slot] == nil {
		s.Lock()
		defer s.Unlock()
		x, ok := s.free.Take()
		if !ok {
			x = new(T)
		}
		s.of[slot] = x
	}
	return s.of[slot]
}

// end moves the T of a pair, if it has one, to the free list.
func (s *slotted[T]) end(slot int32) {
	if x := s.of[slot]; x != nil {
		s.of[slot] = nil
		s.free.Give(x)
	}
}

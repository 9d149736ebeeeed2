package rigid

import (
	"sync/atomic"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/freelist"
)

// saved is what a State copies of a Dynamics.
type saved struct {
	bodies       []body // index 0 is all static colliders
	motions      []motion
	contacts     table[contact] // by slot of the tracker
	memories     table[memory]
	owners       table[owner] // by index of the collider
	joints       []joint      // index 0 is none
	freeJoints   []int32
	jointCount   int
	free         []int32
	freeMemories []int32
	woken        []BodyID // since the last step
	orders       []order  // since the last step
	count        int
	unbound      bool // bodies were added or removed since the contacts were bound to them
	origin       geom.DVec3
	rebased      bool // since the last step
}

// changes notes when parts of a Dynamics changed, in versions that count Save and Restore, so that
// only those are copied of which a State has an older version. Bodies and joints are copied by
// pages.
type changes struct {
	bodies []uint64
	joints []uint64
}

const (
	pageBits = 6
	pageSize = 1 << pageBits
)

// touch notes a change of an element.
func (c *changes) touch(pages *[]uint64, i int32, version uint64) {
	page := int(i >> pageBits)
	for page >= len(*pages) {
		*pages = append(*pages, 0)
	}
	(*pages)[page] = version
}

// table is a list in pages, which saved states share with the Dynamics. A page that a state has too
// is copied before it is written to, so Save and Restore copy none.
type table[T any] struct {
	pages []*page[T]
	n     int32
	spare freelist.List[*page[T]] // without users
	blank *page[T]                // see reserve
	marks []atomic.Bool           // by page: see mark
}

type page[T any] struct {
	users int // the Dynamics, and states
	list  [pageSize]T
}

// at returns an element, to be read, or written to if it has been touched since the last Save and
// Restore. Pointers to other elements of its page are valid until it is touched.
func (t *table[T]) at(i int32) *T { return &t.pages[i>>pageBits].list[i&(pageSize-1)] }

// touch returns an element to be written to.
func (t *table[T]) touch(i int32) *T {
	p := &t.pages[i>>pageBits]
	if old := *p; old.users > 1 {
		old.users--
		*p = t.take()
		(*p).list = old.list
	}
	return &(*p).list[i&(pageSize-1)]
}

// mark notes that an element will be written to. Several goroutines may call it at once, between
// unmark and touchMarked.
func (t *table[T]) mark(i int32) {
	if m := &t.marks[i>>pageBits]; !m.Load() {
		m.Store(true)
	}
}

// unmark removes all marks.
func (t *table[T]) unmark() {
	if len(t.marks) < len(t.pages) {
		t.marks = make([]atomic.Bool, cap(t.pages))
	}
	clear(t.marks)
}

// touchMarked touches all elements that have been marked.
func (t *table[T]) touchMarked() {
	for i := range t.pages {
		if t.marks[i].Load() {
			t.touch(int32(i) << pageBits)
		}
	}
}

// take returns a page, which may hold anything.
func (t *table[T]) take() *page[T] {
	p, ok := t.spare.Take()
	if !ok {
		p = new(page[T])
	}
	p.users = 1
	return p
}

// grow makes the list at least n elements long. Those that are new are zero.
func (t *table[T]) grow(n int32) {
	for ; t.n < n; t.n++ {
		if int(t.n>>pageBits) == len(t.pages) {
			t.pages = append(t.pages, t.take())
		}
		*t.touch(t.n) = *new(T)
	}
}

// reserve makes the list at least n elements long. Whole pages of new elements are one that is
// zero, which costs a pointer a page until an element is touched: most colliders of a large world
// are static and have the default material.
func (t *table[T]) reserve(n int32) {
	if t.blank == nil {
		t.blank = &page[T]{users: 1}
	}
	for len(t.pages)<<pageBits < int(n) {
		t.pages = append(t.pages, t.blank)
		t.blank.users++
	}
	t.n = max(t.n, n)
}

// share makes t the list o. Pages that have no users any more become spare.
func (t *table[T]) share(o *table[T], spare *freelist.List[*page[T]]) {
	for _, p := range o.pages {
		p.users++
	}
	t.release(spare)
	t.pages, t.n = append(t.pages, o.pages...), o.n
}

// release empties the list.
func (t *table[T]) release(spare *freelist.List[*page[T]]) {
	for _, p := range t.pages {
		if p.users--; p.users == 0 {
			spare.Give(p)
		}
	}
	clear(t.pages)
	t.pages, t.n = t.pages[:0], 0
}

// mustBeWhole panics if a step has panicked.
func (d *Dynamics) mustBeWhole(call string) {
	if d.stepping {
		panic("rigid: Dynamics." + call + ": an earlier step panicked and left the bodies half-stepped")
	}
}

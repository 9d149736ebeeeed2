package physics

import (
	"math"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// The memory of caches. Each cache allocates buffers at once that hold the obstacles around a mover
// in most places. In the few places with more obstacles it borrows buffers that all caches share.
// So a cache is small, and a crowd that walks on allocates nothing, though each mover gets to new
// places all the time.

// surroundings is all obstacles that touch a box.
type surroundings struct {
	space *Space
	still uint64    // of the space
	box   geom.AABB // all obstacles that touch it are here
	lists
	around    geom.AABB // the box of close
	borrowing           // of a cache
}

// lists is the memory of surroundings.
type lists struct {
	boxes  []bound
	list   []obstacle // beside boxes
	solids []narrow.Shape
	points []geom.DVec3 // on planes
	owners []owner
	close  []int32 // numbers of obstacles that touch around
}

// bound is the hot part of an obstacle: its bounds.
type bound struct {
	geom.AABB
	owner int32 // place in owners
}

// obstacle is one convex part of a collider that a mover may touch.
type obstacle struct {
	face  narrow.Face // a triangle; of a plane, its normal
	owner int32
	child int32 // number in a compound, −1 alone
	at    int32 // number of the triangle or of the subshape; index in points for a plane
	solid int32 // index in solids; −1 for a triangle and for a plane
	plane bool
}

// triangle returns the number of the triangle, −1 for other obstacles.
func (o *obstacle) triangle() int32 {
	if o.solid >= 0 || o.plane {
		return -1
	}
	return o.at
}

// owner is the collider of obstacles.
type owner struct {
	record int32
	id     ColliderID
	seen   bool // by the filter of the present move
	oneWay bool // see Mover.OneWay
}

// forget makes the surroundings empty.
func (a *surroundings) forget() {
	a.space, a.box, a.around = nil, geom.EmptyAABB(), geom.EmptyAABB()
	a.clear()
}

func (a *lists) clear() {
	a.boxes, a.list, a.solids, a.points, a.owners = a.boxes[:0], a.list[:0], a.solids[:0], a.points[:0], a.owners[:0]
}

// holds reports whether all obstacles that touch a box are here.
func (a *surroundings) holds(b *geom.AABB) bool { return encloses(a.box, *b) }

// near returns the numbers of obstacles that include all whose bounds touch a box, which the
// surroundings must hold. It keeps them, so that further queries at one place visit few.
func (a *surroundings) near(b *geom.AABB) []int32 {
	if !encloses(a.around, *b) {
		a.around = *b
		if cap(a.close) < len(a.boxes) {
			a.close = make([]int32, 2*len(a.boxes))
		}
		list := a.close[:len(a.boxes)]
		n := 0
		for i := range a.boxes {
			// Without branches, which are hard to predict: a difference is negative if and only if
			// its sign bit is set.
			c := &a.boxes[i]
			apart := math.Float32bits(b.Max.X-c.Min.X) | math.Float32bits(c.Max.X-b.Min.X) |
				math.Float32bits(b.Max.Y-c.Min.Y) | math.Float32bits(c.Max.Y-b.Min.Y) |
				math.Float32bits(b.Max.Z-c.Min.Z) | math.Float32bits(c.Max.Z-b.Min.Z)
			list[n] = int32(i)
			n += int(1 - apart>>31)
		}
		a.close = list[:n]
	}
	return a.close
}

func (a *surroundings) add(o obstacle, b geom.AABB) {
	if !a.mayGrow(len(a.list), cap(a.list)) {
		return
	}
	a.list = append(a.list, o)
	a.boxes = append(a.boxes, bound{b, o.owner})
}

// borrowing is the state of the buffers of surroundings.
type borrowing struct {
	own      lists // the cache's own buffers, while others are borrowed
	limited  bool  // the cache's own buffers are in use, which must not grow
	borrowed bool
	full     bool // an obstacle was left out, since a buffer was full
}

// capacity is the capacity of lists.
type capacity struct{ obstacles, solids, owners, points int }

// Of 35,000 lists that 2,000 characters made in arena1, 92 % had no more than 32 triangles, and
// 99.9 % no more than 256.
var (
	ownCapacity    = capacity{obstacles: 32, solids: 8, owners: 8, points: 2} // 7 KB
	sharedCapacity = capacity{obstacles: 256, solids: 32, owners: 32, points: 4}
)

func (c *capacity) lists() lists {
	return lists{
		boxes: make([]bound, 0, c.obstacles), list: make([]obstacle, 0, c.obstacles), close: make([]int32, 0, c.obstacles),
		solids: make([]narrow.Shape, 0, c.solids), owners: make([]owner, 0, c.owners), points: make([]geom.DVec3, 0, c.points),
	}
}

// shared is the lists that no cache uses at present. A sync.Pool would drop them at a garbage
// collection.
var shared struct {
	mutex sync.Mutex
	free  []lists
}

// maxShared is the number of unused lists that are kept: 10 MB. More are left to the garbage
// collector.
const maxShared = 256

// reserve allocates the buffers of a new cache.
func (a *surroundings) reserve() {
	a.lists = ownCapacity.lists()
	a.borrowing = borrowing{limited: true}
}

// borrow replaces a cache's own lists by empty ones that may grow.
func (a *surroundings) borrow() {
	a.borrowing = borrowing{own: a.lists, borrowed: true}
	shared.mutex.Lock()
	if n := len(shared.free); n > 0 {
		a.lists = shared.free[n-1]
		shared.free[n-1] = lists{}
		shared.free = shared.free[:n-1]
		shared.mutex.Unlock()
		return
	}
	shared.mutex.Unlock()
	a.lists = sharedCapacity.lists()
}

// giveBack copies borrowed lists to the cache's own, if these have the capacity, and returns them.
func (a *surroundings) giveBack() {
	own, l := &a.own, &a.lists
	if len(l.boxes) > cap(own.boxes) || len(l.solids) > cap(own.solids) || len(l.owners) > cap(own.owners) || len(l.points) > cap(own.points) {
		return
	}
	own.clear()
	own.boxes, own.list = append(own.boxes, l.boxes...), append(own.list, l.list...)
	own.solids, own.owners, own.points = append(own.solids, l.solids...), append(own.owners, l.owners...), append(own.points, l.points...)
	clear(l.solids) // drops references to hulls
	l.clear()
	shared.mutex.Lock()
	if len(shared.free) < maxShared {
		shared.free = append(shared.free, *l)
	}
	shared.mutex.Unlock()
	a.lists = *own
	a.borrowing = borrowing{limited: true}
}

// mayGrow reports whether a list may get longer. If it may not, an obstacle is left out, which it
// records.
func (a *surroundings) mayGrow(length, capacity int) bool {
	a.full = a.full || a.limited && length >= capacity
	return !a.full
}

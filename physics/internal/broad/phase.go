package broad

import (
	"sync/atomic"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Phase holds boxes, each with a number, in two trees: one of boxes that move and one of static
// boxes, which costs nothing while they don't change. Set and Remove record changes; Settle applies
// them to the trees, and must be called between a change and a query.
//
// The zero Phase is empty and ready. Any number of goroutines may query it at once while none
// changes it. A Phase must not be copied by assignment; see [Phase.CopyFrom].
type Phase struct {
	trees   [2]tree   // moving, still
	pending [2][]item // boxes to be inserted into each tree
	at      []place   // by number
	count   int
	stale   bool      // changed since Settle
	bounds  geom.AABB // of all boxes, as of then

	id      uint64   // unique; 0 while the phase was never used
	version uint64   // of the current change
	stamps  []uint64 // for each 1024 numbers, the version of the last change of one of their places
	copied  origin

	builder builder
	loop    par.Loop[*Phase]
}

const (
	moving = iota
	still
)

// item is a pending box.
type item struct {
	box    geom.AABB
	number uint32
}

// place is where the box of a number is: in a slot of a node, or among the pending. 0: there is
// none.
type place uint32

const (
	pendingPlace place = 1 << 31
	stillPlace   place = 1 << 30
	indexPlace         = stillPlace - 1
)

func placeOf(half int, node int32, slot int) place {
	return place(half)<<30 | place(node)<<3 | place(slot)
}

func (p place) half() int   { return int(p >> 30 & 1) }
func (p place) index() int  { return int(p & indexPlace) } // of a pending box
func (p place) node() int32 { return int32(p & indexPlace >> 3) }
func (p place) slot() int   { return int(p & 7) }

// numbersPerStamp is the number of places with one stamp, which are copied together: 4 KB.
const numbersPerStamp = 1024

var phases atomic.Uint64

// Len returns the number of boxes.
func (p *Phase) Len() int { return p.count }

// Moving returns the number of boxes that are not static. The phase must be settled.
func (p *Phase) Moving() int { return p.trees[moving].count }

// Set sets the box of a number, whether it had one or not. standing chooses the tree of static
// boxes, which affects the cost only. The box must be finite and not empty. Panics if the number is
// 1<<29 or more.
func (p *Phase) Set(number uint32, box geom.AABB, standing bool) {
	if int(number) < len(p.at) {
		half := moving
		if standing {
			half = still
		}
		if at := p.at[number]; at-1 < pendingPlace-1 && at.half() == half { // neither 0 nor pending
			t, i := &p.trees[half], at.node()
			t.nodes[i].setBounds(at.slot(), box)
			t.dirty[0].add(i)
			p.stale = true
			return
		}
	}
	p.set(number, box, standing)
}

// TrySet is Set of a box that moves within its tree, by many goroutines at once, each with other
// numbers. Of any other box it reports false and does nothing. If it has reported true, Moved must
// be called before anything else is.
func (p *Phase) TrySet(number uint32, box geom.AABB, standing bool) bool {
	half := moving
	if standing {
		half = still
	}
	at := p.at[number]
	if at-1 >= pendingPlace-1 || at.half() != half {
		return false
	}
	t, i := &p.trees[half], at.node()
	t.nodes[i].setBounds(at.slot(), box)
	t.dirty[0].addShared(i)
	return true
}

// Moved notes that boxes have moved.
func (p *Phase) Moved() { p.stale = true }

func (p *Phase) set(number uint32, box geom.AABB, standing bool) {
	if number >= maxNumbers {
		panic("broad: Phase.Set: number too large")
	}
	p.change()
	if before := len(p.at); int(number) >= before {
		p.at = grown(p.at, int(number)+1)
		p.stamps = grown(p.stamps, int(number)/numbersPerStamp+1)
		for i := before / numbersPerStamp; i <= int(number)/numbersPerStamp; i++ {
			p.stamps[i] = p.version
		}
	}
	half := moving
	if standing {
		half = still
	}
	at := p.at[number]
	if at&pendingPlace != 0 && at.half() == half {
		p.pending[half][at.index()].box = box
		return
	}
	if at != 0 {
		p.unlink(number)
	}
	p.link(half, item{box, number})
}

// Remove removes the box of a number. Panics if it has none.
func (p *Phase) Remove(number uint32) {
	if int(number) >= len(p.at) || p.at[number] == 0 {
		panic("broad: Phase.Remove: no such number")
	}
	p.change()
	p.unlink(number)
	p.setPlace(number, 0)
}

// Box returns the box of a number as it was set last, to the bit, and false if there is none.
func (p *Phase) Box(number uint32) (geom.AABB, bool) {
	if int(number) >= len(p.at) {
		return geom.AABB{}, false
	}
	switch at := p.at[number]; {
	case at == 0:
		return geom.AABB{}, false
	case at&pendingPlace != 0:
		return p.pending[at.half()][at.index()].box, true
	default:
		return p.trees[at.half()].nodes[at.node()].bounds(at.slot()), true
	}
}

// change records a change other than of the box in a slot.
func (p *Phase) change() {
	if p.id == 0 {
		p.id = phases.Add(1)
		p.version = 1
	}
	p.stale = true
}

func (p *Phase) setPlace(number uint32, at place) {
	p.at[number] = at
	p.stamps[number/numbersPerStamp] = p.version
}

// link makes a box pending.
func (p *Phase) link(half int, it item) {
	p.setPlace(it.number, pendingPlace|place(half)<<30|place(len(p.pending[half])))
	p.pending[half] = append(p.pending[half], it)
	p.count++
}

// unlink removes a box from its slot, or from the pending. Its place is invalid afterwards.
func (p *Phase) unlink(number uint32) {
	at := p.at[number]
	half := at.half()
	p.count--
	if at&pendingPlace == 0 {
		p.trees[half].takeOut(at.node(), at.slot())
		return
	}
	list := p.pending[half]
	last := len(list) - 1
	if i := at.index(); i != last {
		list[i] = list[last]
		p.setPlace(list[i].number, at)
	}
	p.pending[half] = list[:last]
}

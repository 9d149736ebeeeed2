package broad

import (
	"math/bits"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Walks interleaves the traversals of several rays, each in a lane: one prefetches the node that it
// opens next, and the others go on while memory answers. Each opens one leaf at a time, so boxes
// come in another order than alone. It is meant to be kept and used again.
type Walks struct {
	turn    uint32         // byte offset of the Walk to go on with, in a ring; 0: none
	slow    uint32         // lanes that are traversed in Go, one bit each
	records unsafe.Pointer // the assembly depends on the layout down to stride
	stride  uintptr
	lanes   [Lanes]Walk
}

// Records sets where the caller's records of boxes are: that of box n at base + n·stride. The first
// 128 bytes of the records of boxes that come next are prefetched.
func (w *Walks) Records(base unsafe.Pointer, stride uintptr) { w.records, w.stride = base, stride }

// Start begins a traversal as [Walk.Start] does, in a lane that must be idle.
func (w *Walks) Start(lane int, p *Phase, r geom.Ray) bool {
	one := &w.lanes[lane]
	one.apart = true
	if !one.Start(p, r) {
		return false
	}
	if !one.simd {
		w.slow |= 1 << lane
		return true
	}
	here := placeOfLane(lane)
	if w.turn == 0 {
		w.turn, one.after, one.before = here, here, here
		return true
	}
	next := w.at(w.turn)
	last := w.at(next.before)
	one.after, one.before = w.turn, next.before
	last.after, next.before = here, here
	return true
}

func placeOfLane(lane int) uint32 {
	return uint32(unsafe.Offsetof(Walks{}.lanes)) + uint32(lane)*uint32(unsafe.Sizeof(Walk{}))
}

func laneOfPlace(place uint32) int {
	return int((place - uint32(unsafe.Offsetof(Walks{}.lanes))) / uint32(unsafe.Sizeof(Walk{})))
}

func (w *Walks) at(place uint32) *Walk { return &w.lanes[laneOfPlace(place)] }

// SetEnd is [Walk.SetEnd] of a lane.
func (w *Walks) SetEnd(lane int, t float32) { w.lanes[lane].SetEnd(t) }

// Stop ends all traversals and drops the references to the phase and the records.
func (w *Walks) Stop() {
	w.turn, w.slow, w.records = 0, 0, nil
	for lane := range w.lanes {
		w.lanes[lane].Stop()
	}
}

// Next returns a lane and the number of its next box, or false if that lane has ended. At least one
// lane must be active.
func (w *Walks) Next() (lane int, number uint32, ok bool) {
	if w.slow != 0 {
		lane = bits.TrailingZeros32(w.slow)
		number, ok = w.lanes[lane].Next()
		if !ok {
			w.slow &^= 1 << lane
		}
		return lane, number, ok
	}
	for {
		lane = laneOfPlace(w.turn)
		one := &w.lanes[lane]
		top := one.stack[one.count-1]
		switch {
		case !top.ref().isBox():
			turnSIMD(w)
		case top == bottom:
			if one.next != nil {
				one.enter(one.next)
				one.next = nil
				continue
			}
			if w.turn == one.after {
				w.turn = 0
			} else {
				w.at(one.after).before, w.at(one.before).after = one.before, one.after
				w.turn = one.after
			}
			return lane, 0, false
		default:
			one.count--
			if top.from() <= one.high {
				w.turn = one.after // the caller may set an end before this lane goes on
				return lane, top.ref().number(), true
			}
		}
	}
}

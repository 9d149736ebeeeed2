package wide

import (
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The portable casts for the common queries, each in one function. They visit the tree in the order
// of walk.next, and fall back to it if their short stack does not suffice.

// portableStack is the number of entries of their stack. Clearing it costs time; no ray at a scan
// or a city of 70,000 triangles needed more than 19.
const portableStack = 32

type outcome uint8

const (
	missed outcome = iota
	struck
	tooDeep
)

// closest finds the first hit after a triangle hit at the lowest T of the range, or at a higher T.
func (q *Ray) closest(best *found, t *Tree, ray *geom.Ray, stack *[portableStack]stackEntry, after int32) outcome {
	var crossed crossing
	got := missed
	low, high := q.low, q.high
	r, count := t.root, 0
	for {
		for !r.isLeaf() {
			switch n := q.cross(t.node(r), low, high, &crossed); n {
			case 0:
				goto pop
			case 1:
				r = crossed[0].ref()
			case 2:
				// Without a branch, as the nearer one is unpredictable.
				a, b := crossed[0], crossed[1]
				swap := (b - a) & ((b - a) >> 63)
				stack[count&(portableStack-1)] = b - swap
				count++
				r = (a + swap).ref()
			default:
				crossed.push(stack[:], count, n)
				count += n - 1
				r = stack[count&(portableStack-1)].ref()
			}
			if count > portableStack-width {
				return tooDeep
			}
		}
		for lanes := q.lanes(t, r); lanes != 0; lanes &= lanes - 1 {
			lane := bits.TrailingZeros32(lanes)
			var f found
			if !q.meet(&f, ray, t.corners(r, lane), high) {
				continue
			}
			f.leaf, f.lane, f.triangle = r, uint8(lane), t.ids[int(t.info(r).first)+lane]
			if (f.t > low || f.triangle > after) && (got == missed || f.before(best)) {
				*best, got, high = f, struck, f.t
			}
		}
	pop:
		for {
			if count == 0 {
				return got
			}
			count--
			if top := stack[count&(portableStack-1)]; top.from() <= high {
				r = top.ref()
				break
			}
		}
	}
}

// any reports whether there is a hit.
func (q *Ray) any(t *Tree, ray *geom.Ray, stack *[portableStack]stackEntry) outcome {
	var crossed crossing
	r, count := t.root, 0
	for {
		for !r.isLeaf() {
			n := q.cross(t.node(r), q.low, q.high, &crossed)
			if n == 0 {
				goto pop
			}
			for i := range n - 1 {
				stack[count&(portableStack-1)] = crossed[i&(width-1)]
				count++
			}
			r = crossed[(n-1)&(width-1)].ref()
			if count > portableStack-width {
				return tooDeep
			}
		}
		for lanes := q.lanes(t, r); lanes != 0; lanes &= lanes - 1 {
			if q.meet(nil, ray, t.corners(r, bits.TrailingZeros32(lanes)), q.high) {
				return struck
			}
		}
	pop:
		if count == 0 {
			return missed
		}
		count--
		r = stack[count&(portableStack-1)].ref()
	}
}

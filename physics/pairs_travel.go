package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// trip holds how far a collider has moved in all updates, and its radius now. Two colliders do not
// touch as long as their paths together have not grown by more than the gap that was measured
// between them. To compare two sums takes a fraction of the time of comparing poses. Paths never
// become shorter, also when a state is restored, so a gap is valid whenever it was measured, and is
// no part of a state.
type trip struct {
	// path is a bound on how far any point of the collider has moved, in metres.
	path float64
	// square is record.radiusSq of where the collider is now, for all its pairs; 0: not known.
	square float64
	lead   float32 // by how much it may be ahead of itself: see ahead.lead
	left   bool    // it has left its fat AABB in this update, other than by a join
	off    bool    // its pivot is not its position
}

// move adds the way from one pose, at which the pivot and the square of the radius are known, to
// another. If the collider is another there, no gap is valid any more.
func (t *trip) move(from, to *pose, pivot geom.Vec3, square float64, other bool) {
	// The sum of the three ways along the axes is no shorter, and takes no root.
	d := to.position.Wide().Sub(from.position.Wide())
	if pivot != from.position {
		var m motion
		m.set(from, to)
		d = m.of(pivot.Wide())
	}
	far := math.Abs(d.X) + math.Abs(d.Y) + math.Abs(d.Z)
	if from.rotation != to.rotation {
		// The sine of half the angle is no longer than the chord of two unit quaternions: see
		// isFar.
		sq, ok := turnSq(&from.rotation, &to.rotation)
		far += math.Sqrt(4.41 * sq * square)
		other = other || !ok
	}
	if other || !(far < elsewhere) {
		far = elsewhere
	}
	if far > 0 {
		t.path += far + float64(t.path*0x1p-51) // rounded up
	}
}

// isQuiet reports whether two colliders certainly do not touch, as they have hardly moved.
func (t *pairTable) isQuiet(k *pairSlot) bool {
	a, b := &t.trips[k.A.index()], &t.trips[k.B.index()]
	return (a.path+b.path)-k.sum+float64(a.lead+b.lead) <= float64(k.gap)
}

// part notes that two colliders do not touch, and the gap between them.
func (t *pairTable) part(k *pairSlot, gap float32) {
	k.gap, k.sum = gap, t.pathOf(k)
}

// pathOf returns the sum of the paths of two colliders.
func (t *pairTable) pathOf(k *pairSlot) float64 {
	return t.trips[k.A.index()].path + t.trips[k.B.index()].path
}

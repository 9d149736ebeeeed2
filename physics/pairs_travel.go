package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// travel holds how far a collider has moved in all updates, and its radius now. Two colliders do
// not touch as long as the sum of their paths has not grown by more than the gap measured between
// them. Comparing two sums takes a fraction of the time of comparing poses. Paths never become
// shorter, not even when a state is restored, so a gap stays valid whenever it was measured, and
// states need not hold it.
type travel struct {
	// path is a bound on how far any point of the collider has moved, in metres.
	path float64
	// radiusSq is record.radiusSq where the collider is now, for all its pairs; 0: not known.
	radiusSq float64
	approach float32 // how far it may move until the next update: see prediction.approach
	left     bool    // it has left its fat AABB in this update, other than by a join
	off      bool    // its pivot is not its position
}

// move adds the motion from one pose, whose pivot and squared radius are given, to another. If the
// two poses are of different colliders or shapes, all gaps become invalid.
func (t *travel) move(from, to *pose, pivot geom.Vec3, radiusSq float64, other bool) {
	// The sum of the distances along the axes is no shorter, and takes no square root.
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
		far += math.Sqrt(4.41 * sq * radiusSq)
		other = other || !ok
	}
	if other || !(far < pathJump) {
		far = pathJump
	}
	if far > 0 {
		t.path += far + float64(t.path*0x1p-51) // rounded up
	}
}

// isStillApart reports whether two colliders certainly do not touch, since they have moved by less
// than the gap between them.
func (t *pairTable) isStillApart(k *pairSlot) bool {
	a, b := &t.travels[k.A.index()], &t.travels[k.B.index()]
	return (a.path+b.path)-k.sum+float64(a.approach+b.approach) <= float64(k.gap)
}

// keepGap keeps the gap between two colliders that do not touch.
func (t *pairTable) keepGap(k *pairSlot, gap float32) {
	k.gap, k.sum = gap, t.pathOf(k)
}

// pathOf returns the sum of the paths of two colliders.
func (t *pairTable) pathOf(k *pairSlot) float64 {
	return t.travels[k.A.index()].path + t.travels[k.B.index()].path
}

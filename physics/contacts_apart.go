package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// A pair that was compared and does not touch keeps a separating axis. As long as this parts the
// two by more than the margin they need not be compared again, which takes 5 to 20 times as long.
// The axis turns with the larger collider: that of a ball over the floor of a box that rolls stays
// the normal of the floor. Whichever axis it is, and whether there is one, changes no result. So
// axes are no part of a state.

// isApart reports whether the axis of a pair separates two colliders by more than a margin. It
// notes the gap.
func (c *checks) isApart(slot int32, a, b *record, margin float32) bool {
	n := c.table.axes[slot]
	if n == (geom.Vec3{}) {
		return false
	}
	d := c.table.rotationOfLarger(a, b).Rotate(n).Wide()
	gap := float32((-a.single[0].Reach(d) - b.single[0].Reach(d.Neg())) / d.Len())
	slack := float32(4 * (a.slack + b.slack))
	if !(gap > margin+slack) {
		return false
	}
	c.table.keepGap(&c.table.slots[slot], gap-c.table.margin-slack)
	return true
}

// keepAxis keeps the direction along which two colliders were found to be apart.
func (c *checks) keepAxis(slot int32, a, b *record, along geom.DVec3) {
	p, q := &a.single[0], &b.single[0]
	if !p.IsConvex() || !q.IsConvex() || p.Kind == placed.KindPlane || q.Kind == placed.KindPlane ||
		p.IsSimple() && q.IsSimple() || p.Kind == placed.KindBox && q.Kind == placed.KindBox {
		return // they are compared as fast
	}
	r := c.table.rotationOfLarger(a, b)
	r.X, r.Y, r.Z = -r.X, -r.Y, -r.Z
	c.table.axes[slot] = r.Rotate(along.Normalize().Narrow())
}

// rotationOfLarger returns the rotation of the larger of two colliders.
func (t *pairTable) rotationOfLarger(a, b *record) geom.Quat {
	i, j := a.id.index(), b.id.index()
	if t.radiusSq(i, a) < t.radiusSq(j, b) {
		i = j
	}
	q := t.proxies[i].pose.rotation
	if q == (geom.Quat{}) {
		return geom.QuatIdentity()
	}
	return q
}

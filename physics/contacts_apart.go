package physics

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// How far apart two colliders are that do not touch. A pair that was compared and does not touch
// keeps a separating axis. As long as the axis separates the two by more than the margin they need
// not be compared again, which takes 5 to 20 times as long. The axis turns with the larger
// collider: that of a ball over the floor of a box that rolls stays the normal of the floor.
// Whichever axis it is, and whether there is one, changes no result. So axes are no part of a
// state.

// isApart reports whether the axis of a pair separates two colliders by more than a margin. It
// keeps the gap.
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

// clearance returns how far two colliders that do not touch may move against each other, in metres,
// before they can, less what the distance of shapes and the placement of their points are exact to.
func clearance(a, b *record, margin float32) float64 {
	var c Closest
	limit := margin + 2*fatReach
	if closest(&c, a.subshapes(), b.subshapes(), limit) {
		limit = c.Distance
	}
	return certain(float64(limit), a, b, margin)
}

// certain returns how far two colliders at a distance may move before they are within a margin.
func certain(distance float64, a, b *record, margin float32) float64 {
	return distance - float64(margin) - float64(1e-3*distance) - float64(4*(a.slack+b.slack))
}

// clearanceNear is clearance for a mesh and a box, by the planes between the box and the triangles
// that are kept. It takes a tenth of the time, and is shorter where two edges are nearest to each
// other. It returns false if the triangles are not kept.
func (w *scratch) clearanceNear(a, b *record, margin float32) (gap float64, ok bool) {
	p, q := &a.single[0], &b.single[0]
	if p.Kind != placed.KindMesh {
		p, q = q, p
	}
	if w.kept == nil || q.Kind != placed.KindBox {
		return 0, false
	}
	limit := margin + 2*fatReach
	for !placed.KeepsNear(w.kept, p, q, limit) {
		if limit = margin + float32((limit-margin)/2); limit < margin+fatReach/4 {
			return 0, false
		}
	}
	w.places, _, _ = placed.PlacesNear(w.places[:0], w.kept, p, q, &w.y, limit, nil)
	q.SetPart(&w.y, placed.Whole)
	least := float64(limit)
	for _, place := range w.places {
		t := p.Local.Placed(w.kept.Triangle(place))
		least = min(least, w.y.Clear(&t))
	}
	return certain(least, a, b, margin), true
}

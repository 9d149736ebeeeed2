package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Contacts of fast colliders are speculative: see [ContactTracker.Motion]. A collider is fast if it
// will move by more than half of the margin until the next update. Its fat AABB holds where it will
// be, and each of its pairs has a margin of its own, by how far the two move against each other. A
// slow collider costs no more than the test of a flag.

// prediction is how a collider will move until the next update.
type prediction struct {
	shift, turn geom.Vec3 // displacement of the position in metres, rotation about it in radians
	least, most geom.Vec3 // by how much the bounds grow along each axis, downward and upward
	far         float32   // path of the pivot, and twice swing
	swing       float32   // path of the point that turns most
	limit       float32   // Ahead of the tracker, or what AheadOf returns
}

// set begins the prediction of a collider whose pivot, as seen from its position, and radiusSq are
// given. It reports whether the collider is fast. If so, limitTo has to complete h; if not, h is
// not valid.
func (h *prediction) set(pivot geom.Vec3, radiusSq float64, shift, turn geom.Vec3, margin float32) bool {
	h.shift, h.turn = shift, turn
	shift = shift.Add(turn.Cross(pivot))
	way, turned := float64(shift.LenSq()), 0.0
	if turn != (geom.Vec3{}) {
		turned = float64(radiusSq * float64(turn.LenSq()))
	}
	// Most colliders are slow. A sum is at most the root of twice the sum of the squares.
	if 2*(way+turned) < float64(margin)*float64(margin)*(0.25-1e-5) {
		return false
	}
	swing := float32(math.Sqrt(turned))
	far := float32(math.Sqrt(way)) + swing
	if !(far > margin/2) || math.IsInf(float64(far), 0) {
		return false // or NaN
	}
	h.far, h.swing = far+swing, swing
	h.least, h.most = shift.Neg().Max(geom.Vec3{}), shift.Max(geom.Vec3{})
	return true
}

// limitTo sets the limit of what set has begun.
func (h *prediction) limitTo(limit float32) {
	h.limit = limit
	swing := min(h.swing, limit)
	all, most := geom.V(swing, swing, swing), geom.V(limit, limit, limit)
	h.least, h.most = h.least.Min(most).Add(all), h.most.Min(most).Add(all)
}

// swept returns bounds that hold where a collider is and where it will be.
func (h *prediction) swept(b geom.AABB) geom.AABB {
	return geom.AABB{Min: b.Min.Sub(h.least), Max: b.Max.Add(h.most)}
}

// reach returns by how much swept bounds exceed the bounds, at most.
func (h *prediction) reach() float32 {
	m := h.least.Max(h.most)
	return max(m.X, m.Y, m.Z)
}

// approach returns an upper bound on how much closer the collider may come to another within a
// distance of it, as pairMargin and approaching compute it. There the rotation of the larger
// collider moves the center of the smaller one, which is at most the sum of both radii and the
// distance away.
func (h *prediction) approach(distance float32) float32 {
	return float32((h.far + float32(distance*h.turn.Len())) * (1 + 1.0/1024))
}

// isFast reports whether a proxy is fast and moved in this update. One that did not move stands
// still, whatever its motion was meant to be.
func (t *pairTable) isFast(i int) bool {
	p := &t.proxies[i]
	return p.fast && p.moved == t.clock
}

// predictionOf returns the prediction of a proxy, and noMotion if it is not fast.
func (t *pairTable) predictionOf(i int) *prediction {
	if t.isFast(i) {
		return &t.predictions[i]
	}
	return &noMotion
}

var noMotion = prediction{limit: float32(math.Inf(1))}

// farPoints bounds how far apart the contact points of a pair may be, as a multiple of the limit
// within which its bounds are. If farther ones were left out, a box that falls almost flat would
// land on its first points alone, and turn.
const farPoints = 5

// pairMargin returns the margin of two colliders, at least one of them fast, and whether their
// swept bounds are within the table's margin of each other. If so, it sets how the two close in: by
// the motion of the smaller one's pivot, with a limit that allows for the rotation about it.
func (t *pairTable) pairMargin(i, j int, a, b *record, c *narrow.Closing) (float32, bool) {
	f, g := t.predictionOf(i), t.predictionOf(j)
	switch {
	case a.where == inPlanes:
		box := g.swept(*b.bounds())
		if !isNearBox(a, &box, t.margin) {
			return 0, false
		}
	case b.where == inPlanes:
		box := f.swept(*a.bounds())
		if !isNearBox(b, &box, t.margin) {
			return 0, false
		}
	default:
		box, other := f.swept(*a.bounds()), g.swept(*b.bounds())
		if !box.Grow(t.margin + a.slack + b.slack).OverlapsAABB(other) {
			return 0, false
		}
	}
	at, rr := t.smaller(i, j, a, b)
	c.Way, c.Limit = t.relativeShift(i, j, at, at).Wide(), float64(t.margin+float32(4*(a.slack+b.slack)))
	far := float32(c.Way.Len())
	if turn := g.turn.Sub(f.turn); turn != (geom.Vec3{}) {
		swing := math.Sqrt(rr * float64(turn.LenSq()))
		far += float32(swing)
		c.Limit += swing
	}
	if most := farPoints * min(f.limit, g.limit); !(far < most) {
		far = most
	}
	return t.margin + far, true
}

// smaller returns the pivot of the smaller of two colliders, and the square of its radius.
func (t *pairTable) smaller(i, j int, a, b *record) (at geom.Vec3, rr float64) {
	r, s := t.radiusSq(i, a), t.radiusSq(j, b)
	if s < r || a.where == inPlanes {
		return pivot(b.bounds(), &t.proxies[j].pose), s
	}
	return pivot(a.bounds(), &t.proxies[i].pose), r
}

// radiusSq returns record.radiusSq of a proxy: that of its travel, if that is known.
func (t *pairTable) radiusSq(i int, r *record) float64 {
	if s := t.travels[i].radiusSq; s > 0 {
		return s
	}
	return r.radiusSq(&t.proxies[i].pose)
}

// pivotAt returns where the pivot of a proxy was at another pose.
func (t *pairTable) pivotAt(i int, r *record, then *pose) geom.DVec3 {
	if travel := &t.travels[i]; travel.radiusSq > 0 && !travel.off {
		return then.position.Wide()
	}
	return pivotAt(r.bounds(), &t.proxies[i].pose, then)
}

// relativeShift returns how a point of proxy j will move as seen from a point of proxy i.
func (t *pairTable) relativeShift(i, j int, p, q geom.Vec3) geom.Vec3 {
	f, g := t.predictionOf(i), t.predictionOf(j)
	v := g.shift.Add(g.turn.Cross(q.Sub(t.proxies[j].pose.position)))
	return v.Sub(f.shift).Sub(f.turn.Cross(p.Sub(t.proxies[i].pose.position)))
}

// approaching removes the contact points of two colliders, found with a pair margin, that stay
// out of the table's margin, and the manifolds that have none left: neither the point nor the
// position of the smaller collider comes so near along the normal. What flies past another body, or
// along with it, has no contact with it.
func (t *pairTable) approaching(m []Manifold, i, j int, a, b *record) []Manifold {
	kept := m[:0]
	for k := range m {
		n := &m[k]
		to := int32(0)
		for l := range n.N {
			c := &n.Points[l]
			if -c.Depth <= t.margin || t.approaches(c, n.Normal, i, j, a, b) {
				if to < l {
					n.Points[to] = *c
				}
				to++
			}
		}
		clear(n.Points[to:n.N])
		if n.N = to; to > 0 {
			if len(kept) < k {
				kept = append(kept, *n)
			} else {
				kept = m[:k+1]
			}
		}
	}
	return kept
}

// approaches reports whether a contact point comes within the table's margin.
func (t *pairTable) approaches(c *ContactPoint, normal geom.Vec3, i, j int, a, b *record) bool {
	at, _ := t.smaller(i, j, a, b)
	far := min(t.relativeShift(i, j, at, at).Dot(normal), t.relativeShift(i, j, c.PointA, c.PointB).Dot(normal))
	return -c.Depth <= t.margin-far
}

// wayAhead is the predicted motion of a collider over a mesh that stands still.
type wayAhead struct {
	narrow.Way // the pivot is that of the smaller one
	isSet      bool
	margin     float32 // of the pair
	least      float32 // the table's margin
}

// bounds returns the bounds of what has some now, with the least margin on all of its way: where it
// is, moved along with the pivot, and where it ends: see [narrow.Shape.SetBound].
func (w *wayAhead) bounds(now *geom.AABB) geom.AABB {
	center, half := now.Center().Wide(), now.HalfExtents().Wide()
	end := w.Shift.Add(w.Turn.Cross(center.Sub(w.About)))
	x, y, z := math.Abs(w.Turn.X), math.Abs(w.Turn.Y), math.Abs(w.Turn.Z)
	swing := geom.DVec3{X: float64(y*half.Z) + float64(z*half.Y), Y: float64(z*half.X) + float64(x*half.Z), Z: float64(x*half.Y) + float64(y*half.X)}
	first, last := end.Sub(swing).Narrow(), end.Add(swing).Narrow()
	pivot := w.Pivot.Narrow()
	return geom.AABB{Min: now.Min.Add(first.Min(pivot).Min(geom.Vec3{})), Max: now.Max.Add(last.Max(pivot).Max(geom.Vec3{}))}.Grow(w.least)
}

// wayOf returns the predicted motion of a collider over the other one, a mesh. It is not
// set for other pairs.
func (t *pairTable) wayOf(i, j int, a, b *record, margin float32) (w wayAhead) {
	if b.single[0].Kind == placed.KindMesh {
		i, j, a, b = j, i, b, a
	}
	if !(margin > t.margin) || a.single[0].Kind != placed.KindMesh || t.isFast(i) {
		return w
	}
	at, _ := t.smaller(i, j, a, b)
	h := t.predictionOf(j)
	way := narrow.Way{About: t.proxies[j].pose.position.Wide(), Shift: h.shift.Wide(), Turn: h.turn.Wide(), Pivot: t.relativeShift(i, j, at, at).Wide()}
	return wayAhead{way, true, margin, t.margin}
}

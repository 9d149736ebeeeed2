package placed

import (
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// cut is the intersection of a frustum and a box: a convex body, given by its corners. As it lies
// within the box, a frustum may be open, or reach so far that single precision is coarse there.
type cut struct {
	p [maxCorners]geom.DVec3
	// Those of the box and the frustum that meet in the corner, one bit each.
	planes [maxCorners]uint16
	n      int
}

// maxCorners is the largest number of corners of a convex body with twelve faces: by Euler's
// formula 2·12 − 4, if three faces meet in each corner.
const maxCorners = 20

// cutOut returns the intersection of a frustum with a box that is grown by the distance that counts
// as touching. Each half-space removes the corners outside of it and adds a corner on each edge
// that it cuts. Two corners share an edge if they share two planes. A corner is kept for every
// three planes that meet, even where several corners coincide: so the signs of distances alone
// decide which corners exist, and rounding cannot tear the body apart.
func cutOut(f *geom.Frustum, b geom.AABB) (c cut) {
	e := float64(Touching(b))
	lo, hi := b.Min.Wide().Sub(geom.DVec3{X: e, Y: e, Z: e}), b.Max.Wide().Add(geom.DVec3{X: e, Y: e, Z: e})
	for i := range 8 {
		p, planes := lo, uint16(1<<0|1<<1|1<<2)
		if i&1 != 0 {
			p.X, planes = hi.X, planes^(1<<0|1<<3)
		}
		if i&2 != 0 {
			p.Y, planes = hi.Y, planes^(1<<1|1<<4)
		}
		if i&4 != 0 {
			p.Z, planes = hi.Z, planes^(1<<2|1<<5)
		}
		c.p[i], c.planes[i] = p, planes
	}
	c.n = 8
	for i := range f {
		c.keep(&f[i], 1<<(6+i))
	}
	return c
}

// keep cuts the body to the part in a half-space.
func (c *cut) keep(h *geom.HalfSpace, bit uint16) {
	var d [maxCorners]float64
	all := true
	for i, p := range c.p[:c.n] {
		d[i] = within(h, p)
		all = all && d[i] >= 0
	}
	if all {
		return
	}
	old := *c
	c.n = 0
	for i := range old.n {
		if !(d[i] >= 0) {
			continue
		}
		c.add(old.p[i], old.planes[i])
		for j := range old.n {
			if shared := old.planes[i] & old.planes[j]; !(d[j] >= 0) && bits.OnesCount16(shared) >= 2 {
				c.add(old.p[i].AddMul(d[i]/(d[i]-d[j]), old.p[j].Sub(old.p[i])), shared|bit)
			}
		}
	}
}

func (c *cut) add(p geom.DVec3, planes uint16) {
	if c.n < maxCorners {
		c.p[c.n], c.planes[c.n] = p, planes
		c.n++
	}
}

// within returns how deep a point lies in a half-space, in metres. It is not negative where the
// point is outside by rounding alone.
func within(h *geom.HalfSpace, p geom.DVec3) float64 {
	return h.Normal.Dot(p) - h.D + roundingOf(math.Abs(p.X)+math.Abs(p.Y)+math.Abs(p.Z), h.D)
}

// roundingOf bounds the rounding error of the distance from a point to a plane, as [geom.Frustum]
// does.
func roundingOf(p, d float64) float64 { return float64(1e-12 * (math.Abs(p) + math.Abs(d))) }

// frustumMeetsPlane reports whether a plane and a frustum have a point in common. If they do, one
// of these points is in the frustum: the given point of the plane, the nearest point to it of a
// line in which the plane meets a side of the frustum, or a point in which the plane meets two
// sides. A side and a plane whose angle is below 1e-6 rad count as parallel: single precision
// cannot resolve that angle, and an open frustum would meet the plane somewhere.
func frustumMeetsPlane(f *geom.Frustum, normal, point geom.DVec3) bool {
	touch := relativeTouch * max(math.Abs(point.X), math.Abs(point.Y), math.Abs(point.Z))
	if isIn(f, point, touch) {
		return true
	}
	for i := range f {
		a, da := f[i].Normal, f[i].D-f[i].Normal.Dot(point)
		along := a.AddMul(-a.Dot(normal), normal)
		sq := along.Dot(along)
		if !(sq > RelativeSlack*RelativeSlack) {
			continue
		}
		if isIn(f, point.AddMul(da/sq, along), touch) {
			return true
		}
		for j := range i {
			b, db := f[j].Normal, f[j].D-f[j].Normal.Dot(point)
			ab := a.Cross(b)
			det := normal.Dot(ab)
			if !(math.Abs(det) > RelativeSlack*ab.Len()) {
				continue
			}
			// Cramer's rule, for normal·p = 0, a·p = da and b·p = db.
			p := b.Cross(normal).Mul(da).AddMul(db, normal.Cross(a)).Mul(1 / det)
			if isIn(f, point.Add(p), touch) {
				return true
			}
		}
	}
	return false
}

// isIn reports whether a point is in a frustum, or outside by no more than touch, in metres, and
// rounding.
func isIn(f *geom.Frustum, p geom.DVec3, touch float64) bool {
	for i := range f {
		if !(within(&f[i], p) >= -touch) {
			return false
		}
	}
	sum := p.X + p.Y + p.Z
	return sum-sum == 0
}

package physics

import (
	"math"
	"math/bits"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// cut is what a frustum and a box have in common: a convex body, told by its corners. It serves a
// frustum that is open, or reaches to where numbers are coarse, as well as any other, because
// nothing of it is outside of the box.
type cut struct {
	p      [maxCorners]geom.DVec3
	planes [maxCorners]uint16 // those that meet in the corner, of the box and of the frustum, a bit for each
	n      int
}

// maxCorners is what a convex body with twelve faces has at most: by Euler's formula 2·12 − 4, if
// three meet in a corner.
const maxCorners = 20

// cutOut returns what a frustum has in common with a box that is grown by what counts as touching.
// Each half-space takes corners off and leaves new ones on the edges it cuts. Two corners have an
// edge in common if they have two planes in common. Wherever three planes meet a corner is kept,
// though many may be in one place; so what is where is decided by the signs of distances alone, and
// rounding can't tear the body apart.
func cutOut(f *geom.Frustum, b geom.AABB) (c cut) {
	e := float64(touching(b))
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

// keep leaves of the body what is in a half-space.
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

// within returns how far a point lies in a half-space, in metres; not negative where only rounding
// puts it outside.
func within(h *geom.HalfSpace, p geom.DVec3) float64 {
	return h.Normal.Dot(p) - h.D + roundingOf(math.Abs(p.X)+math.Abs(p.Y)+math.Abs(p.Z), h.D)
}

// roundingOf returns what rounding may be of the distance of a point to a plane, as [geom.Frustum]
// has it.
func roundingOf(p, d float64) float64 { return float64(1e-12 * (math.Abs(p) + math.Abs(d))) }

// frustumMeetsPlane reports whether a plane and a frustum have a point in common. If they have,
// then also the point of the frustum in the plane that is nearest to a point of the plane: that
// point itself, or the nearest of the line in which the plane meets a side of the frustum, or where
// it meets two of them. What meets at less than a millionth of a right angle is taken for parallel:
// single precision can't tell it apart from that, and an open frustum would meet it somewhere.
func frustumMeetsPlane(f *geom.Frustum, normal, point geom.DVec3) bool {
	touch := relativeTouch * max(math.Abs(point.X), math.Abs(point.Y), math.Abs(point.Z))
	if isIn(f, point, touch) {
		return true
	}
	for i := range f {
		a, da := f[i].Normal, f[i].D-f[i].Normal.Dot(point)
		along := a.AddMul(-a.Dot(normal), normal)
		sq := along.Dot(along)
		if !(sq > relativeSlack*relativeSlack) {
			continue
		}
		if isIn(f, point.AddMul(da/sq, along), touch) {
			return true
		}
		for j := range i {
			b, db := f[j].Normal, f[j].D-f[j].Normal.Dot(point)
			ab := a.Cross(b)
			det := normal.Dot(ab)
			if !(math.Abs(det) > relativeSlack*ab.Len()) {
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

// isIn reports whether a point is in a frustum, or outside by less than touch, in metres, and what
// is rounded off.
func isIn(f *geom.Frustum, p geom.DVec3, touch float64) bool {
	for i := range f {
		if !(within(&f[i], p) >= -touch) {
			return false
		}
	}
	sum := p.X + p.Y + p.Z
	return sum-sum == 0
}

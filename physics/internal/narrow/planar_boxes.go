package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Two boxes are most of what a 2D game stacks. Their contacts are those of planarPair, except for
// rounding, in a fraction of the time: what parts two boxes along a normal follows from the
// products of their axes (Gottschalk 1996, "OBBTree"), without a look at corners. Rare cases are
// left to planarPair.

// FlatBox is a box in the plane, as CollideFlat takes it. It follows from the box alone, so what
// compares a box with several others makes it once.
type FlatBox struct {
	at, x, half vec2    // the middle, the X axis and half extents
	size        float64 // 0: planarPair has to decide
	Mark        uint64  // of the caller. The routine for eight reads size and it, and drops it
}

// Set makes it a box as Shape.SetBox does. planarPair has to decide if the box is turned out of the
// plane, or is so small that rounding counts. The parts of the box are passed one by one, in
// registers: a copy of them takes as long as the rest.
func (f *FlatBox) Set(center, halfExtents geom.Vec3, q geom.Quat) {
	h := halfExtents.Wide()
	x, size := vec2{1, 0}, big(center.Wide())+h.Len()
	if q.Z != 0 {
		z, w := float64(q.Z), float64(q.W)
		l := math.Sqrt(float64(z*z) + float64(w*w))
		z, w = z/l, w/l
		x = vec2{1 - 2*float64(z*z), 2 * float64(w*z)}
		const little = 1e-15 // as in geom: rotations by right angles are exact
		if math.Abs(x.x) < little {
			x = vec2{0, math.Copysign(1, x.y)}
		} else if math.Abs(x.y) < little {
			x = vec2{math.Copysign(1, x.x), 0}
		}
	}
	least := edgeBias * size
	if !(q.X == 0 && q.Y == 0 && size-size == 0 && x.x-x.x == 0 && h.X > least && h.Y > least && h.Z >= 0) {
		size = 0
	}
	f.at, f.x, f.half, f.size = vec2{float64(center.X), float64(center.Y)}, x, vec2{h.X, h.Y}, size
}

// Unset makes it a box that planarPair has to decide about.
func (f *FlatBox) Unset() { f.size = 0 }

// IsSet reports whether CollideFlat takes the box.
func (f *FlatBox) IsSet() bool { return f.size > 0 }

// normal returns the unit normal of a side, and the half extents along and across it. Sides are
// counted as those of an outline.
func (f *FlatBox) normal(side int) (n vec2, out, aside float64) {
	switch side {
	case 0:
		return vec2{f.x.y, -f.x.x}, f.half.y, f.half.x
	case 1:
		return f.x, f.half.x, f.half.y
	case 2:
		return vec2{-f.x.y, f.x.x}, f.half.y, f.half.x
	}
	return vec2{-f.x.x, -f.x.y}, f.half.x, f.half.y
}

// parting returns the side beyond which a box is furthest, and how far. The middle of that box is
// at d, and cos and sin are the magnitudes of those of the angle between the two. It returns false
// if which side it is may depend on rounding, which is less than a hundredth of tiny.
func (f *FlatBox) parting(o *FlatBox, d vec2, cos, sin, tiny float64) (side int, gap float64, ok bool) {
	u, v := d.dot(f.x), d.dot(vec2{-f.x.y, f.x.x})
	x, y := 3, 0
	if u > 0 {
		x = 1
	}
	if v > 0 {
		y = 2
	}
	u, v = math.Abs(u), math.Abs(v)
	gx := u - f.half.x - (float64(cos*o.half.x) + float64(sin*o.half.y))
	gy := v - f.half.y - (float64(sin*o.half.x) + float64(cos*o.half.y))
	if gx > gy {
		return x, gx, u > tiny && gx > gy+tiny
	}
	return y, gy, v > tiny && gy > gx+tiny
}

// CollideFlat is [Finder.Collide] for two boxes of a planar space that have no hidden sides. It
// returns false, and the manifold is undefined, if Collide must decide. If there are no contacts,
// gap is no more than the distance of the boxes, in metres.
func (m *Manifold) CollideFlat(a, b *FlatBox, margin float64) (gap float64, ok bool) {
	if !a.IsSet() || !b.IsSet() {
		return 0, false
	}
	d := b.at.sub(a.at)
	if d.x < 0 || d.x == 0 && d.y < 0 {
		if gap, ok = m.CollideFlat(b, a, margin); ok {
			m.flip()
		}
		return gap, ok
	}
	size := max(a.size, b.size)
	bias, tiny := float64(edgeBias*size), float64(size*1e-12)
	cos, sin := math.Abs(a.x.dot(b.x)), math.Abs(a.x.cross(b.x))
	i, onA, sureA := a.parting(b, d, cos, sin, tiny)
	k, onB, sureB := b.parting(a, d.mul(-1), cos, sin, tiny)
	m.N = 0
	if gap = max(onA, onB); gap > margin+bias {
		return gap, true
	}
	if !sureA || !sureB || math.Abs(onB-bias-onA) <= tiny {
		return 0, false
	}
	if onB-bias < onA {
		c := clipping{from: a.at, margin: margin}
		if opposite, ok := c.clip(m, a, b, d, i, onA, bias, float64(touching*size)); opposite || onB <= onA+tiny {
			return onA, ok
		}
	}
	c := clipping{from: b.at, margin: margin, onB: true}
	_, ok = c.clip(m, b, a, d.mul(-1), k, onB, bias, float64(touching*size))
	return onB, ok
}

// clipping is how a side of a box is clipped by one of another.
type clipping struct {
	from   vec2 // the middle of the box whose side clips
	margin float64
	onB    bool // that box is the second
}

// clip writes the contacts of a side of p and the one of q that faces it, as planarPair.clip does.
// It reports whether the corner that is nearest is opposite the side, as it is opposite the side
// that parts the two most, and whether the contacts are right: else planarPair must decide.
func (c *clipping) clip(m *Manifold, p, q *FlatBox, d vec2, side int, gap, bias, slack float64) (opposite, ok bool) {
	n, out, half := p.normal(side)
	along := vec2{-n.y, n.x}
	m.Normal = geom.DVec3{X: n.x, Y: n.y}
	if c.onB {
		m.Normal = geom.DVec3{X: -n.x, Y: -n.y}
	}
	// The side that faces the other most.
	x, y := n.dot(q.x), n.cross(q.x) // which is against the Y axis
	other := 3
	switch {
	case math.Abs(x) < math.Abs(y) && y > 0:
		other = 2
	case math.Abs(x) < math.Abs(y):
		other = 0
	case x < 0:
		other = 1
	}
	// Its ends, by how far they are along the side and beyond it.
	o, far, wide := q.normal(other)
	mid := d.add(o.mul(far))
	end := vec2{-o.y, o.x}.mul(wide)
	u, h := mid.dot(along)+half, mid.dot(n)-out
	du, dh := end.dot(along), end.dot(n)
	s, t, hs, ht := u-du, u+du, h-dh, h+dh
	vs, vt := other, (other+1)&3
	if s > t {
		s, t, hs, ht, vs, vt = t, s, ht, hs, vt, vs
	}
	l := 2 * half
	if ht-hs > bias && s < -2*bias || hs-ht > bias && t > l+2*bias || t < -2*bias || s > l+2*bias {
		return false, false
	}
	if t < -slack || s > l+slack {
		return true, false
	}
	fs := faceKind | Feature(side)
	fv, fw, gv, gw := vertexKind|Feature(vs), vertexKind|Feature(vt), fs, fs
	slope := (ht - hs) / (t - s)
	if s < -slack {
		s, hs = 0, hs-float64(slope*s)
		fv, gv = faceKind|Feature(other), vertexKind|Feature(side)
	}
	if t > l+slack {
		t, ht = l, ht-float64(slope*(t-l))
		fw, gw = faceKind|Feature(other), vertexKind|Feature((side+1)&3)
	}
	at := c.from.add(n.mul(out)).sub(along.mul(half))
	both := t-s > slack
	if both || hs <= ht {
		c.write(m, at.add(along.mul(s)), n, hs, gv, fv)
	}
	if both || !(hs <= ht) {
		c.write(m, at.add(along.mul(t)), n, ht, gw, fw)
	}
	i := m.Deepest() // none is right if the nearest corner is beside the side
	return true, i >= 0 && m.Points[i].Depth >= -gap-slack
}

// write adds the contact of a point on the side and the one beyond it, unless it is too far.
func (c *clipping) write(m *Manifold, at, n vec2, gap float64, fs, fc Feature) {
	if !(gap <= c.margin) {
		return
	}
	x, to := &m.Points[m.N], at.add(n.mul(gap))
	x.PointA, x.PointB, x.FeatureA, x.FeatureB = geom.DVec3{X: at.x, Y: at.y}, geom.DVec3{X: to.x, Y: to.y}, fs, fc
	if c.onB {
		x.PointA, x.PointB, x.FeatureA, x.FeatureB = x.PointB, x.PointA, fc, fs
	}
	x.Depth = -gap
	m.N++
}

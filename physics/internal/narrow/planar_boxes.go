package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Two boxes are most of what a 2D game stacks. Their contacts are those of planarPair, to the bit,
// in a third of the time: of two opposite sides, only the one towards the other box can part them.
// Rare cases are left to planarPair.

// quad is the outline of a box: see outline.
type quad struct {
	p, n [4]vec2
}

// laidBox is a box in the plane, without its place.
type laidBox struct {
	x, half vec2 // the X axis, and half extents
	size    float64
}

// set makes it a box as Shape.SetBox does. It returns false if planarPair has to decide: if the box
// is turned out of the plane, or has no area.
func (f *laidBox) set(b *geom.Box) bool {
	q, h := b.Rotation, b.HalfExtents.Wide()
	f.half, f.size = vec2{h.X, h.Y}, big(b.Center.Wide())+h.Len()
	f.x = vec2{1, 0}
	if q.Z != 0 {
		z, w := float64(q.Z), float64(q.W)
		l := math.Sqrt(float64(z*z) + float64(w*w))
		z, w = z/l, w/l
		f.x = vec2{1 - 2*float64(z*z), 2 * float64(w*z)}
		const little = 1e-15 // as in geom: rotations by right angles are exact
		if math.Abs(f.x.x) < little {
			f.x = vec2{0, math.Copysign(1, f.x.y)}
		} else if math.Abs(f.x.y) < little {
			f.x = vec2{math.Copysign(1, f.x.x), 0}
		}
	}
	hidden := f.size * 0x1p-48
	return q.X == 0 && q.Y == 0 && f.size-f.size == 0 && f.x.x-f.x.x == 0 && h.X > hidden && h.Y > hidden && h.Z >= 0
}

// place makes it the outline of a box at a point.
func (q *quad) place(at vec2, b *laidBox) {
	x, y := b.x, vec2{-b.x.y, b.x.x}
	q.n = [4]vec2{y.mul(-1), x, y, x.mul(-1)}
	x, y = x.mul(b.half.x), y.mul(b.half.y)
	q.p = [4]vec2{at.sub(x).sub(y), at.add(x).sub(y), at.add(x).add(y), at.sub(x).add(y)}
}

// beyond returns how far a box is beyond the line along a side of another, and the corner that is
// nearest, the first of equals.
func (q *quad) beyond(side int, o *quad) (gap float64, corner int) {
	n := q.n[side&3]
	least := o.p[0].dot(n)
	if h := o.p[1].dot(n); h < least {
		least, corner = h, 1
	}
	if h := o.p[2].dot(n); h < least {
		least, corner = h, 2
	}
	if h := o.p[3].dot(n); h < least {
		least, corner = h, 3
	}
	return least - q.p[side&3].dot(n), corner
}

// parting is outline.parting for a box whose middle is at d from that of q. It returns false if
// which side it is may depend on rounding, which displaces gaps by less than a hundredth of tiny.
func (q *quad) parting(o *quad, d vec2, tiny float64) (side, corner int, gap float64, ok bool) {
	u, v := d.dot(q.n[2]), d.dot(q.n[1])
	i, k := 0, 3
	if u > 0 {
		i = 2
	}
	if v > 0 {
		k = 1
	}
	gi, ci := q.beyond(i, o)
	gk, ck := q.beyond(k, o)
	if u, v = math.Abs(u), math.Abs(v); gk > gi || gk == gi && k < i {
		return k, ck, gk, v > tiny && (u > tiny || gk > gi+float64(4*tiny))
	}
	return i, ci, gi, u > tiny && (v > tiny || gi > gk+float64(4*tiny))
}

// CollideFlat is [Finder.Collide] for two boxes of a planar space that have no hidden sides. It
// returns false, and the manifold is undefined, if Collide must decide. If there are no contacts,
// gap is no more than the distance of the boxes, in metres.
func (m *Manifold) CollideFlat(a, b *geom.Box, margin float64) (gap float64, ok bool) {
	d := vec2{float64(b.Center.X) - float64(a.Center.X), float64(b.Center.Y) - float64(a.Center.Y)}
	if d == (vec2{}) {
		return 0, false
	}
	if d.x < 0 || d.x == 0 && d.y < 0 {
		if gap, ok = m.CollideFlat(b, a, margin); ok {
			m.flip()
		}
		return gap, ok
	}
	var c flatPair
	var f, g laidBox
	if !f.set(a) || !g.set(b) {
		return 0, false
	}
	c.a.place(vec2{}, &f)
	c.b.place(d, &g)
	c.from, c.margin = vec2{float64(a.Center.X), float64(a.Center.Y)}, margin
	size := max(f.size, g.size)
	bias, tiny := float64(edgeBias*size), size*1e-12
	i, ci, onA, sureA := c.a.parting(&c.b, d, tiny)
	k, ck, onB, sureB := c.b.parting(&c.a, d.mul(-1), tiny)
	m.N = 0
	if gap = max(onA, onB); gap > margin+bias {
		return gap, true
	}
	if !sureA || !sureB {
		return 0, false
	}
	p, q := &c.a, &c.b
	side, corner := i, ci
	switch gap = onA; {
	case onA >= onB-bias && p.faces(q, i, ci, onA, bias):
	case onB > onA && q.faces(p, k, ck, onB, bias):
		p, q, side, corner, gap, c.onB = q, p, k, ck, onB, true
	default:
		return 0, false
	}
	if gap > margin {
		return gap, true
	}
	slack := float64(touching * size)
	c.clip(m, p, q, side, corner, slack)
	i = m.Deepest()
	return gap, i >= 0 && m.Points[i].Depth >= -gap-slack
}

// faces is whether planarPair.take takes a side.
func (q *quad) faces(o *quad, side, corner int, gap, bias float64) bool {
	if gap <= 0 {
		return true
	}
	n, from := q.n[side&3], q.p[side&3]
	along := vec2{-n.y, n.x}
	l := q.p[(side+1)&3].sub(from).dot(along)
	at := o.p[corner&3]
	u := at.sub(from).dot(along)
	lo, hi := u, u
	for _, t := range [2]int{corner - 1, corner + 1} {
		if v := o.p[t&3].sub(at); v.dot(n) <= bias {
			lo, hi = min(lo, u+v.dot(along)), max(hi, u+v.dot(along))
		}
	}
	return !(hi < -2*bias || lo > l+2*bias)
}

// flatPair is two boxes, and where they are.
type flatPair struct {
	a, b   quad
	from   vec2 // the outlines are relative to it
	margin float64
	onB    bool
}

// clip is planarPair.clip, and the features of its outlines.
func (c *flatPair) clip(m *Manifold, p, q *quad, side, corner int, slack float64) {
	from, n := p.p[side&3], p.n[side&3]
	m.Normal = geom.DVec3{X: n.x, Y: n.y}
	if c.onB {
		m.Normal = geom.DVec3{X: -n.x, Y: -n.y}
	}
	along := vec2{-n.y, n.x}
	l := p.p[(side+1)&3].sub(from).dot(along)
	fs := faceKind | Feature(side)
	other := corner
	if before := (corner - 1) & 3; -q.n[before].dot(n) > -q.n[corner&3].dot(n) {
		other = before
	}
	i, k := other&3, (other+1)&3
	v, w := q.p[i], q.p[k]
	fv, fw := vertexKind|Feature(i), vertexKind|Feature(k)
	s, t := v.sub(from).dot(along), w.sub(from).dot(along)
	if s > t {
		v, w, fv, fw, s, t = w, v, fw, fv, t, s
	}
	if t < -slack || s > l+slack {
		return
	}
	gv, gw := fs, fs
	d := w.sub(v)
	if s < -slack {
		v = v.add(d.mul(-s / (t - s)))
		fv, gv = faceKind|Feature(i), vertexKind|Feature(side)
	}
	if t > l+slack {
		w = w.sub(d.mul((t - l) / (t - s)))
		fw, gw = faceKind|Feature(i), vertexKind|Feature((side+1)&3)
	}
	both := w.sub(v).dot(along) > slack
	if both || v.dot(n) <= w.dot(n) {
		c.write(m, v, from, n, gv, fv)
	}
	if both || !(v.dot(n) <= w.dot(n)) {
		c.write(m, w, from, n, gw, fw)
	}
}

// write adds the contact of a point and its foot on the side, unless it is too far apart.
func (c *flatPair) write(m *Manifold, at, from, n vec2, fs, fc Feature) {
	foot := at.sub(n.mul(at.sub(from).dot(n)))
	pa, pb := foot, at
	if c.onB {
		pa, pb, fs, fc, n = at, foot, fc, fs, n.mul(-1)
	}
	gap := pb.sub(pa).dot(n)
	if !(gap <= c.margin) {
		return
	}
	x := &m.Points[m.N]
	x.PointA, x.PointB = geom.DVec3{X: c.from.x + pa.x, Y: c.from.y + pa.y}, geom.DVec3{X: c.from.x + pb.x, Y: c.from.y + pb.y}
	x.Depth, x.FeatureA, x.FeatureB = -gap, fs, fc
	m.N++
}

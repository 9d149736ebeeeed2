package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The cores of all kinds up to the parallelepiped have so few faces and directions of edges that
// trying every pair of edges takes less than pruning pairs. Casts try the same axes: see enter.

// isFew reports whether a core is a point, a segment, a triangle, a box or a parallelepiped.
func (s *Shape) isFew() bool { return s.kind >= KindSphere && s.kind <= KindParallelepiped }

// normals returns the directions across the faces of a core that has few; they need not be unit.
func (s *Shape) normals() (list [3]geom.DVec3, n int) {
	switch s.kind {
	case KindTriangle:
		return [3]geom.DVec3{s.e.Cross(s.f)}, 1
	case KindAABB, KindBox, KindParallelepiped:
		return [3]geom.DVec3{s.u, s.v, s.w}, 3
	}
	return list, 0
}

// directions returns the directions of the edges of a core that has few.
func (s *Shape) directions() (list [3]geom.DVec3, n int) {
	switch s.kind {
	case KindCapsule:
		return [3]geom.DVec3{s.e}, 1
	case KindTriangle:
		return [3]geom.DVec3{s.e, s.f, s.f.Sub(s.e)}, 3
	case KindAABB, KindBox, KindParallelepiped:
		if s.half.X > 0 {
			list[0], n = s.x, 1
		}
		if s.half.Y > 0 {
			list[n], n = s.y, n+1
		}
		if s.half.Z > 0 {
			list[n], n = s.z, n+1
		}
	}
	return list, n
}

// span returns the interval of a core along v, relative to its origin: the least and the greatest
// p·v of its points p.
func (s *Shape) span(v geom.DVec3) (least, greatest float64) {
	switch s.kind {
	case KindSphere:
		return 0, 0
	case KindCapsule:
		t := s.e.Dot(v)
		return min(0, t), max(0, t)
	case KindTriangle:
		t, u := s.e.Dot(v), s.f.Dot(v)
		return min(0, t, u), max(0, t, u)
	case KindAABB:
		t := math.Abs(float64(s.half.X*v.X)) + math.Abs(float64(s.half.Y*v.Y)) + math.Abs(float64(s.half.Z*v.Z))
		return -t, t
	case KindBox, KindParallelepiped:
		t := math.Abs(float64(s.half.X*s.x.Dot(v))) + math.Abs(float64(s.half.Y*s.y.Dot(v))) + math.Abs(float64(s.half.Z*s.z.Dot(v)))
		return -t, t
	}
	hint := 0
	p, _ := s.extreme(v.Neg(), &hint)
	q, _ := s.extreme(v, &hint)
	return p.Dot(v), q.Dot(v)
}

// separateFew finds the axis along which two cores that have few faces and edges overlap least. at
// leads from the origin of b to that of a. Of axes that are as good, to near, it takes the one
// furthest along the motion of a, unless that is zero; a face is preferred to edges by the slack.
func separateFew(a, b *Shape, at, motion geom.DVec3, near, slack float64) relation {
	x := fewAxes{axes: axes{most: math.Inf(-1)}, a: a, b: b, at: at, motion: motion, near: near}
	for _, s := range [2]*Shape{a, b} {
		if s.kind == KindTriangle {
			if s.volume > 0 {
				x.both(s.u)
			}
			continue
		}
		list, n := s.normals()
		for _, v := range list[:n] {
			x.both(v)
		}
	}
	x.slack = slack
	ea, ka := a.directions()
	eb, kb := b.directions()
	for _, d := range ea[:ka] {
		for _, e := range eb[:kb] {
			n := d.Cross(e)
			if l := n.Len(); l > parallelAxes*d.Len()*e.Len() {
				x.both(n.Mul(1 / l))
			}
		}
	}
	if x.n == (geom.DVec3{}) {
		// Points and parallel lines: every direction across the line has the same depth.
		line := longest(ea)
		if l := longest(eb); l.Dot(l) > line.Dot(line) {
			line = l
		}
		x.most, x.n = 0, acrossMost(line, motion)
	}
	return relation{dist: x.most, n: x.n, unseen: true}
}

func longest(list [3]geom.DVec3) (v geom.DVec3) {
	for _, w := range list {
		if w.Dot(w) > v.Dot(v) {
			v = w
		}
	}
	return v
}

// acrossMost returns the unit vector across a line that is furthest along m, or any unit vector
// across the line if m is along it or zero. The line may be zero.
func acrossMost(line, m geom.DVec3) geom.DVec3 {
	l := line.Dot(line)
	if l == 0 && m != (geom.DVec3{}) {
		return m.Normalize()
	}
	if n := m.AddMul(-m.Dot(line)/l, line); n.Dot(n) > alongMotion*m.Dot(m) {
		return n.Normalize()
	}
	return across(line)
}

// fewAxes is a search over the axes of two cores that have few.
type fewAxes struct {
	axes
	a, b       *Shape
	at, motion geom.DVec3
	near       float64
}

// both tries a unit vector and its opposite.
func (x *fewAxes) both(n geom.DVec3) {
	fromA, toA := x.a.span(n)
	fromB, toB := x.b.span(n)
	d := x.at.Dot(n)
	x.try(fromB-toA-d, n)
	x.try(fromA-toB+d, n.Neg())
}

// try tries a direction from a to b along which the cores are s apart. The first pair of edges must
// be better than all faces by the slack.
func (x *fewAxes) try(s float64, n geom.DVec3) {
	if s > x.most+x.slack+x.near || s >= x.most-x.near && n.Dot(x.motion) > x.n.Dot(x.motion) {
		x.most, x.n, x.slack = s, n, 0
	}
}

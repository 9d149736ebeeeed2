package placed

import (
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
)

// Segment is one of a chain in a planar space, with the other ends of those that it is joined to.
// Its front is to the right of the way from A to B. Z of all points is 0.
type Segment struct {
	Before, A, B, After geom.Vec3
	Joints              uint8 // Follows and IsFollowed
}

// The joints of a segment: with one that ends at A, and with one that begins at B.
const (
	Follows    = 1
	IsFollowed = 2
)

// PlaceSegment is Place of a segment.
func (p *Subshape) PlaceSegment(s *Segment, f *Frame) bool {
	p.Kind = KindNowhere
	if !f.isFinite() {
		return false
	}
	w := Segment{f.flat(s.Before), f.flat(s.A), f.flat(s.B), f.flat(s.After), s.Joints}
	if m := &f.affine; float64(float64(m.X.X)*float64(m.Y.Y))-float64(float64(m.X.Y)*float64(m.Y.X)) < 0 {
		w = Segment{w.After, w.B, w.A, w.Before, s.Joints<<1&IsFollowed | s.Joints>>1&Follows}
	}
	if w.A == w.B || !w.A.IsFinite() || !w.B.IsFinite() || !w.Before.IsFinite() || !w.After.IsFinite() {
		return false
	}
	p.Kind, p.Hidden = KindSegment, w.Joints
	p.Bounds = geom.AABB{Min: w.A.Min(w.B), Max: w.A.Max(w.B)}
	p.prim.a = geom.Vec3{X: w.A.X, Y: w.A.Y, Z: w.Before.X}
	p.prim.b = geom.Vec3{X: w.B.X, Y: w.B.Y, Z: w.Before.Y}
	p.prim.q = geom.Quat{X: w.After.X, Y: w.After.Y}
	return true
}

// flat returns a point in the world, in its plane.
func (f *Frame) flat(v geom.Vec3) geom.Vec3 {
	v = f.affine.Point(v)
	return geom.Vec3{X: v.X, Y: v.Y}
}

// segment returns the segment of a KindSegment.
func (p *Subshape) segment() Segment {
	a, b, q := p.prim.a, p.prim.b, p.prim.q
	return Segment{
		Before: geom.Vec3{X: a.Z, Y: b.Z}, A: geom.Vec3{X: a.X, Y: a.Y}, B: geom.Vec3{X: b.X, Y: b.Y},
		After: geom.Vec3{X: q.X, Y: q.Y}, Joints: p.Hidden,
	}
}

// LeadsOver reports whether a KindSegment is joined to another, at a corner that stands out or in
// line.
func (p *Subshape) LeadsOver(next *Subshape) bool {
	a, b, c, d := &p.prim.a, &p.prim.b, &next.prim.a, &next.prim.b
	if b.X != c.X || b.Y != c.Y || p.prim.q.X != d.X || p.prim.q.Y != d.Y || p.Hidden&IsFollowed == 0 || next.Hidden&Follows == 0 {
		return false
	}
	x, y := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y)
	return float64(x*(float64(d.Y)-float64(c.Y)))-float64(y*(float64(d.X)-float64(c.X))) >= 0
}

// asCapsule returns the segment of a KindSegment as a capsule without a radius.
func (p *Subshape) asCapsule() geom.Capsule {
	s := p.segment()
	return geom.Capsule{A: s.A, B: s.B}
}

// setSegment is SetPart of a KindSegment.
func (p *Subshape) setSegment(s *narrow.Shape) {
	g := p.segment()
	s.SetSegment(g.A.Wide(), g.B.Wide())
	if g.Joints&Follows != 0 {
		s.Follow(g.Before.Wide())
	}
	if g.Joints&IsFollowed != 0 {
		s.Precede(g.After.Wide())
	}
}

// castSegment casts a ray of the plane at a KindSegment. On which sides of the ray the ends are
// decides, so that no ray passes between two segments that share one.
func (p *Subshape) castSegment(h *geom.Hit, r *geom.Ray, cull geom.Cull) bool {
	if !r.IsValid() || r.Origin.Z != 0 || r.Dir.Z != 0 {
		return false
	}
	s := p.segment()
	o, d := r.Origin.Wide(), r.Dir.Wide()
	a, b := s.A.Wide().Sub(o), s.B.Wide().Sub(o)
	beside := func(v geom.DVec3) float64 { return float64(d.X*v.Y) - float64(d.Y*v.X) }
	u, v := beside(a), beside(b)
	if u == v || u > 0 && v > 0 || u < 0 && v < 0 {
		return false
	}
	e := b.Sub(a)
	t := (float64(a.X*e.Y) - float64(a.Y*e.X)) / (v - u)
	tMin, tMax := r.Range()
	n := geom.DVec3{X: e.Y, Y: -e.X}
	back := n.Dot(d) > 0
	if !(t >= float64(tMin) && float32(t) <= tMax) || cull.Culls(back) {
		return false
	}
	if back {
		n = n.Neg()
	}
	*h = geom.Hit{T: float32(t), Point: o.AddMul(t, d).Narrow(), Normal: n.Normalize().Narrow(), Triangle: -1, BackFace: back}
	return true
}

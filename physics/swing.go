package physics

import (
	"math"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/heap"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// A swing is found by conservative advancement (Mirtich 1996, "Impulse-based dynamic simulation").
// Two convex parts that are a distance d apart along a normal n do not meet before the one that
// moves has come d nearer along n. How fast it comes nearer now, at most, is given by its support
// function, and how much faster it may become by the centripetal acceleration of its farthest
// point; so each pair of parts has a time until which it is safe. The pair of the earliest time is
// looked at next, and the first one that has no gap left is the hit.

// Swing is a shape that moves and turns on its way, at constant rates: the blade of a sword, a
// door, a limb.
//
// A cast of it is a miss if the shape is empty or a number is NaN or infinite.
type Swing struct {
	// Shape is a [geom.Sphere], [geom.Capsule], [geom.TaperedCapsule], [geom.Cone] or [geom.Box] by
	// value, a [*hull.Hull], or a [*Compound] of these.
	Shape Shape
	// Transform places the shape at T = 0. It may have any scale.
	Transform geom.Transform
	// Pivot is the point that the shape turns about, in world space at T = 0: the hand.
	Pivot geom.Vec3
	// Turn is the rotation about the pivot from T = 0 to 1: its length is the angle in radians, of
	// any number of turns, and its direction the axis in world space.
	Turn geom.Vec3
	// Motion is the displacement of the pivot at T = 1, in metres.
	Motion geom.Vec3
	// Start decides about what overlaps the shape at T = 0.
	Start ShapeStartMode
}

const (
	// swingGap is the gap at which a swing counts as a touch, as a share of the distance of its
	// farthest point from the pivot. Smaller, it is of the order of rounding.
	swingGap = 1e-5
	// swingSteps bounds the looks at one pair.
	swingSteps = 2000
)

// CastSwing returns the first hit of a shape that moves and turns from T = 0 to 1, and false if it
// hits nothing that the filter lets through. Of hits at the same T it returns the one that comes
// first by collider, child and triangle.
//
// T is no later than the touch: at T the gap is at most 1/100,000 of the distance from the pivot to
// the farthest point of the shape, and the parts that touch approach each other. In a planar space
// the shape turns about Z. With a Turn of zero it is a cast along a straight line, for which
// [Space.CastShape] is faster, but of a compound too.
//
// Panics if the shape is nil, or not one of those that Swing lists.
func (s *Space) CastSwing(c Swing, f Filter) (ShapeHit, bool) {
	requireSwing(c.Shape)
	w := swingers.Get().(*swinger)
	defer w.give()
	if !w.start(s, &c) {
		return ShapeHit{}, false
	}
	w.gather(&f)
	return w.first(&f)
}

func requireSwing(s Shape) {
	switch s := s.(type) {
	case geom.Box, geom.Sphere, geom.Capsule, geom.Cone, geom.TaperedCapsule:
		return
	case *hull.Hull:
		if s != nil {
			return
		}
	case *Compound:
		if s != nil {
			for i := range s.children {
				requireSwing(s.children[i].Shape)
			}
			return
		}
	}
	panic("physics: Space.CastSwing: the shape is not a geom.Sphere, Capsule, TaperedCapsule, Cone or Box given by value, a *hull.Hull, or a compound of these")
}

// swinger is the memory of a swing.
type swinger struct {
	space *Space
	Swing
	axis, pivot, way geom.DVec3
	turn             geom.DVec3 // Turn
	angle            float64
	body             instance // at the time at
	at               float64
	reach            float64              // of the farthest point from the pivot
	gap              float64              // at which parts touch
	pairs            heap.Heap[swingPair] // by the T until which they do not meet
	mine, other      narrow.Shape
}

// swingPair is a part of the shape and one of a collider.
type swingPair struct {
	record   int32
	subshape int32
	part     int32 // subshape of the body
	triangle int32 // −1 of what is no mesh
	steps    int32
	behind   bool // the shape was behind a plane
}

var swingers = sync.Pool{New: func() any { return new(swinger) }}

func (w *swinger) give() {
	w.space, w.Shape = nil, nil
	w.pairs.Clear()
	swingers.Put(w)
}

func (w *swinger) start(s *Space, c *Swing) bool {
	w.space, w.Swing = s, *c
	if s.planar {
		w.Transform = w.Transform.Flat()
		w.Pivot.Z, w.Motion.Z, w.Turn.X, w.Turn.Y = w.Pivot.Z*0, w.Motion.Z*0, w.Turn.X*0, w.Turn.Y*0
	}
	if !w.Transform.IsFinite() || !w.Pivot.IsFinite() || !w.Turn.IsFinite() || !w.Motion.IsFinite() {
		return false
	}
	w.pivot, w.turn, w.way = w.Pivot.Wide(), w.Turn.Wide(), w.Motion.Wide()
	w.angle, w.axis = w.turn.Len(), w.turn.Normalize()
	if !w.place(0) {
		return false
	}
	w.reach = 0
	for i := range w.body.subshapes {
		b := &w.body.subshapes[i].Bounds
		c, d := w.pivot.Sub(b.Min.Wide()), w.pivot.Sub(b.Max.Wide())
		w.reach = max(w.reach, geom.DVec3{
			X: max(math.Abs(c.X), math.Abs(d.X)), Y: max(math.Abs(c.Y), math.Abs(d.Y)), Z: max(math.Abs(c.Z), math.Abs(d.Z))}.Len())
	}
	w.gap = swingGap * w.reach
	return w.reach < math.MaxFloat32
}

// place places the shape where it is at a time.
func (w *swinger) place(t float64) bool {
	q := geom.QuatIdentity()
	turned := w.Transform.Position.Wide().Sub(w.pivot)
	if w.angle > 0 {
		sin, cos := sinCos(w.angle * t / 2)
		u := w.axis.Mul(sin)
		q = geom.Quat{X: float32(u.X), Y: float32(u.Y), Z: float32(u.Z), W: float32(cos)}
		x := u.Cross(turned)
		turned = turned.AddMul(2*cos, x).AddMul(2, u.Cross(x))
	}
	p := Placed{Shape: w.Shape, Transform: w.Transform}
	p.Transform.Position = w.pivot.AddMul(t, w.way).Add(turned).Narrow()
	p.Transform.Rotation = q.Mul(w.Transform.Rotation)
	if w.Transform.Rotation == (geom.Quat{}) {
		p.Transform.Rotation = q
	}
	w.at = t
	return w.body.place(&p, "Space.CastSwing", w.space.planar)
}

// gather lists the pairs of parts that may meet.
func (w *swinger) gather(f *Filter) {
	r := float32(w.reach + w.gap)
	from, to := w.Pivot, w.Pivot.Add(w.Motion)
	box := geom.AABB{Min: from.Min(to), Max: from.Max(to)}.Grow(r)
	box = box.Grow(placed.Slack(&box))
	w.space.visitAABB(box, func(i uint32) bool {
		o := &w.space.records[i]
		if !f.sees(o) || !f.accepts(o.id) {
			return true
		}
		subshapes := o.subshapes()
		for k := range subshapes {
			p := &subshapes[k]
			pair := swingPair{record: int32(i), subshape: int32(k), triangle: -1}
			switch {
			case p.Kind == placed.KindPlane:
				w.add(pair, p)
			case !p.Bounds.OverlapsAABB(box):
			case p.Kind == placed.KindMesh:
				p.Local.Mesh.VisitAABB(p.BoundsIn(box), func(t int) bool {
					pair.triangle = int32(t)
					w.add(pair, p)
					return true
				})
			default:
				w.add(pair, p)
			}
		}
		return true
	})
}

// add adds a pair for each part of the shape.
func (w *swinger) add(pair swingPair, p *placed.Subshape) {
	for k := range w.body.subshapes {
		pair.part = int32(k)
		if p.Kind == placed.KindPlane {
			w.body.subshapes[k].SetPart(&w.mine, placed.Whole)
			pair.behind = p.Local.Normal.Dot(w.mine.Center().Sub(p.Local.Point)) < 0
		}
		w.pairs.Push(0, pair)
	}
}

// first looks at the pairs in the order of their times until one has no gap left.
func (w *swinger) first(f *Filter) (best ShapeHit, found bool) {
	for len(w.pairs.Items) > 0 {
		first := w.pairs.Items[0]
		if !(first.Key <= 1) || found && float32(first.Key) > best.T || first.Key != w.at && !w.place(first.Key) {
			break // or it has moved beyond the range of float32
		}
		hit, safe, ok := w.look(&first.Value, f)
		if !ok {
			first.Key = safe
			w.pairs.Replace(first)
			continue
		}
		if !found || compareShapeHits(&hit, &best) < 0 {
			best, found = hit, true
		}
		w.pairs.Pop()
	}
	return best, found
}

// look returns the hit of a pair at the present time, or the time until which the pair is safe,
// beyond 1 if it never meets.
func (w *swinger) look(k *swingPair, f *Filter) (h ShapeHit, safe float64, ok bool) {
	const never = 2
	o := &w.space.records[k.record]
	p := &o.subshapes()[k.subshape]
	w.body.subshapes[k.part].SetPart(&w.mine, placed.Whole)
	if p.Kind == placed.KindPlane {
		n := p.Local.Normal
		if k.behind {
			n = n.Neg()
		}
		w.other.SetHalfSpace(n, p.Local.Point)
	} else {
		p.SetPart(&w.other, k.triangle)
	}
	c := narrow.Distance(&w.other, &w.mine, math.Inf(1))
	h = ShapeHit{T: float32(w.at), Collider: o.id, Child: p.Child, Triangle: k.triangle, User: o.user, Inexact: c.Inexact}
	if c.Distance == 0 || c.Normal == (geom.DVec3{}) {
		d, _ := narrow.Penetrate(&w.other, &w.mine)
		c.PointA, c.PointB, c.Normal, c.Distance, h.Inexact = d.PointA, d.PointB, d.Normal, 0, d.Inexact
		if w.at == 0 {
			h.Overlaps, h.Depth = true, float32(d.Depth)
		}
	}
	center := w.pivot.AddMul(w.at, w.way)
	nearing := -c.Normal.Dot(w.way.Add(w.turn.Cross(c.PointB.Sub(center))))
	// The greatest speed towards the obstacle of any point of the part.
	lever := w.turn.Cross(c.Normal)
	fastest := -c.Normal.Dot(w.way)
	if l := lever.Len(); l > 0 {
		// −n·(ω×r) = (ω×n)·r
		u := lever.Mul(1 / l)
		fastest += float64(l * (w.mine.Reach(u) - center.Dot(u)))
	}
	back, surface := false, p.Kind == placed.KindMesh || p.Kind == placed.KindPlane
	if p.Kind == placed.KindMesh {
		t := p.Local.Triangle(int(k.triangle))
		n := t.B.Wide().Sub(t.A.Wide()).Cross(t.C.Wide().Sub(t.A.Wide()))
		if p.Local.To.Det() < 0 {
			n = n.Neg()
		}
		back = n.Dot(c.Normal) < 0
	} else if surface {
		back = k.behind
	}
	if surface && f.Cull.Culls(back) {
		return h, never, false
	}
	if h.Overlaps && (w.Start == StartIgnore || w.Start == StartIgnoreSeparating && nearing <= 0) {
		return h, never, false
	}
	if k.steps++; h.Overlaps || c.Distance <= w.gap && nearing > 0 || k.steps > swingSteps {
		h.Inexact = h.Inexact || k.steps > swingSteps
		h.Point, h.PointOnShape, h.Normal, h.BackFace = c.PointA.Narrow(), c.PointB.Narrow(), c.Normal.Narrow(), back
		if w.space.planar {
			h.Point.Z, h.PointOnShape.Z, h.Normal.Z = 0, 0, 0
		}
		return h, 0, true
	}
	// What moves apart may come as near as a touch again before the next look.
	touch := float64(w.gap / 2)
	room := max(c.Distance-touch, touch)
	return h, w.at + w.duration(room, fastest), false
}

// duration returns a time within which no point comes nearer by more than a distance, if the
// fastest comes nearer at a speed now.
func (w *swinger) duration(distance, speed float64) float64 {
	a := float64(float64(w.angle*w.angle) * w.reach) // or 2·a would be fused with it
	switch {
	case a > 0:
		// The root of speed·t + a·t²/2 = distance, without cancellation.
		root := math.Sqrt(float64(speed*speed) + float64(2*a*distance))
		if speed > 0 {
			return 2 * distance / (speed + root)
		}
		return (root - speed) / a
	case speed > 0:
		return distance / speed
	}
	return 2
}

// sinCos returns the sine and the cosine of an angle in radians with the same bits on every
// architecture, as those of package math have not. The error is some 10⁻¹⁶ for each turn.
func sinCos(x float64) (sin, cos float64) {
	quarter := math.Floor(x/(math.Pi/2) + 0.5)
	x -= float64(quarter * (math.Pi / 2))
	square := float64(x * x)
	// The series of Taylor, by Horner's scheme.
	s, c := 1.0, 1.0
	for k := 19.0; k > 1; k -= 2 {
		s = 1 - float64(square*s)/float64(k*(k-1))
		c = 1 - float64(square*c)/float64((k-1)*(k-2))
	}
	s *= x
	switch int(math.Mod(quarter, 4)) & 3 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}

package lines

import (
	"image/color"
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// Manifold draws the points of a contact (world): a line from shape to shape, as long as the
// contact is deep, a dot on B, and an arrow of length metres along the normal, from A to B.
func (l *List) Manifold(m *physics.Manifold, length float32, point, normal color.NRGBA) {
	for _, p := range m.ContactPoints() {
		l.Arrow(p.PointA, p.PointA.Add(m.Normal.Mul(length)), normal)
		l.Segment(p.PointA, p.PointB, point)
		l.Point(p.PointB, 4*l.width(), point)
	}
}

// Contacts draws the manifolds of contacts, such as those of rigid.Dynamics.Contacts, as
// [List.Manifold] does.
func (l *List) Contacts(contacts []*physics.Contact, length float32, point, normal color.NRGBA) {
	for _, t := range contacts {
		for i := range t.Manifolds {
			l.Manifold(&t.Manifolds[i], length, point, normal)
		}
	}
}

// Joints draws the enabled joints of bodies: a line between the points that a joint keeps together,
// its axis, the angle of a hinge, and its limits. Axes and angles are size metres long.
func (l *List) Joints(d *rigid.Dynamics, size float32, joint, limit color.NRGBA) {
	for id, j := range d.Joints() {
		if a, b, ok := d.JointFrames(id); ok && !j.Disabled {
			state, _ := d.JointState(id)
			l.joint(&j, a, b, state.Value, size, joint, limit)
		}
	}
}

func (l *List) joint(j *rigid.Joint, a, b geom.Transform, value, size float32, joint, limit color.NRGBA) {
	x, y, z := a.Rotation.Rotate(geom.V(1, 0, 0)), a.Rotation.Rotate(geom.V(0, 1, 0)), a.Rotation.Rotate(geom.V(0, 0, 1))
	axleB := b.Position.Add(b.Rotation.Rotate(geom.V(size, 0, 0)))
	l.Point(b.Position, 3*l.width(), joint)
	l.Segment(a.Position, b.Position, joint)
	turned := func(angle float32) geom.Vec3 {
		sin, cos := math.Sincos(float64(angle))
		return a.Position.Add(y.Mul(float32(cos)).Add(z.Mul(float32(sin))).Mul(size))
	}
	switch j.Kind {
	case rigid.HingeJoint:
		l.Segment(a.Position.Sub(x.Mul(size)), a.Position.Add(x.Mul(size)), joint)
		if j.Limited {
			l.Segment(a.Position, turned(j.Lower), limit)
			l.Segment(a.Position, turned(j.Upper), limit)
			l.Segment(a.Position, turned(value), joint)
		}
	case rigid.BallJoint:
		if j.Cone > 0 {
			sin, cos := math.Sincos(float64(j.Cone))
			l.Circle(a.Position.Add(x.Mul(size*float32(cos))), x, size*float32(sin), limit)
		}
		l.Segment(b.Position, axleB, joint)
	case rigid.SliderJoint, rigid.WheelJoint:
		axis := x
		if j.Kind == rigid.WheelJoint {
			axis = y
			l.Segment(b.Position, axleB, joint)
		}
		if j.Limited {
			l.Segment(a.Position.Add(axis.Mul(j.Lower)), a.Position.Add(axis.Mul(j.Upper)), limit)
		}
	}
}

// Colours of [List.Explanation].
var (
	EnteredColor = RGB(0x6A48D7) // nodes of the tree that the ray entered
	LeftOutColor = RGB(0x8A93A3) // nodes that it was tested against and did not enter
)

// VerdictColor returns the colour in which [List.Explanation] draws a collider with a verdict:
// green for the closest, amber for what is farther, violet for what is missed and red for what the
// filter rejects. ok is false for those that it does not draw.
func VerdictColor(v physics.Verdict) (c color.NRGBA, ok bool) {
	switch v {
	case physics.VerdictClosest:
		return RGB(0x19A653), true
	case physics.VerdictFarther:
		return RGB(0xE8A317), true
	case physics.VerdictMissed:
		return RGB(0xC43C9E), true
	case physics.VerdictRejected:
		return RGB(0xE5384F), true
	}
	return color.NRGBA{}, false
}

// Explanation draws how a ray comes to its answer: the boxes of the tree's nodes, in
// [EnteredColor] and [LeftOutColor], and of the colliders that were tested, in the colour of their
// verdict. Of a plane that is hit, which has no box, it draws a ring with a radius of mark metres.
// The boxes of nodes are 3 % of mark larger, so that those of their colliders are seen. The ray is
// not drawn: see [List.Ray] and [List.Hit].
func (l *List) Explanation(e *physics.Explanation, mark float32) {
	width := l.Width
	defer func() { l.Width = width }()
	for i := range e.Nodes {
		n := &e.Nodes[i]
		c := LeftOutColor
		l.Width = 0.7 * widthOf(width)
		if n.Verdict == physics.VerdictVisited {
			c, l.Width = EnteredColor, 1.2*widthOf(width)
		}
		l.AABB(n.Bounds.Grow(float32(0.03*mark)), c)
	}
	l.Width = 2 * widthOf(width)
	for i := range e.Colliders {
		x := &e.Colliders[i]
		c, ok := VerdictColor(x.Verdict)
		switch isHit := x.Verdict == physics.VerdictClosest || x.Verdict == physics.VerdictFarther; {
		case !ok:
		case x.Bounds.Min.IsFinite() && x.Bounds.Max.IsFinite():
			l.AABB(x.Bounds, c)
		case isHit:
			l.Circle(x.Hit.Point, x.Hit.Normal, mark, c)
			l.Point(x.Hit.Point, 3*l.width(), c)
		}
	}
}

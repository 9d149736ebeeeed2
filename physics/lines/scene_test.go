package lines

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

var black = RGB(0)

// A crate 0.1 m deep in the floor: four points, each with a line as long as it is deep.
func TestManifoldIsAsLongAsItIsDeep(t *testing.T) {
	floor := physics.Placed{Shape: geom.Box{HalfExtents: geom.V(5, 1, 5)}, Transform: geom.At(0, -1, 0)}
	crate := physics.Placed{Shape: geom.Box{HalfExtents: geom.V(1, 1, 1)}, Transform: geom.At(0, 0.9, 0)}
	found := physics.Collide(nil, floor, crate, 0)
	require.Len(t, found, 1)
	var l List
	l.Contacts([]*physics.Contact{{Manifolds: found}}, 0.5, white, black)
	require.Equal(t, 4*(5+1+1), l.Len())
	deep, up := 0, 0
	for _, s := range l.Segments() {
		switch d := s.B.Sub(s.A); {
		case s.Color == white && s.A != s.B:
			assert.InDelta(t, 0.1, d.Len(), 1e-5)
			deep++
		case s.Color == white:
			assert.InDelta(t, -0.1, s.A.Y, 1e-5, "a dot on the crate")
		case d.Len() > 0.4:
			assert.InDelta(t, 0, d.Distance(geom.V(0, 0.5, 0)), 1e-5)
			up++
		}
	}
	assert.Equal(t, []int{4, 4}, []int{deep, up})
}

// drawJoint returns the lines of a joint of the world and a body at (0, 0, 0), with a frame whose X
// axis points along Y.
func drawJoint(t *testing.T, j rigid.Joint) []Segment {
	space := physics.NewSpace()
	d := rigid.New(space)
	body, err := d.Add(rigid.Body{Kind: rigid.Dynamic}, space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}}))
	require.NoError(t, err)
	made := d.JointAt(j.Kind, 0, body, geom.V(0, 2, 0), geom.V(0, 1, 0))
	j.A, j.B, j.FrameA, j.FrameB = made.A, made.B, made.FrameA, made.FrameB
	_, err = d.AddJoint(j)
	require.NoError(t, err)
	var l List
	l.Joints(d, 0.5, white, black)
	return l.Segments()
}

// lengths returns the lengths of the lines of a colour.
func lengths(list []Segment, c color.NRGBA) (of []float64) {
	for _, s := range list {
		if s.Color == c {
			of = append(of, math.Round(1e3*float64(s.A.Distance(s.B)))/1e3)
		}
	}
	return of
}

func TestJointsAreDrawn(t *testing.T) {
	hinge := drawJoint(t, rigid.Joint{Kind: rigid.HingeJoint, Limited: true, Lower: -1, Upper: 0.5})
	assert.Equal(t, []float64{0, 0, 1, 0.5}, lengths(hinge, white), "a dot, between the frames, the axis, the angle")
	assert.Equal(t, []float64{0.5, 0.5}, lengths(hinge, black))
	var limits []geom.Vec3
	for _, s := range hinge {
		if s.Color == black {
			limits = append(limits, s.B.Sub(s.A).Normalize())
		}
	}
	assert.InDelta(t, math.Cos(1.5), limits[0].Dot(limits[1]), 1e-6, "the limits are 1.5 radians apart")

	ball := drawJoint(t, rigid.Joint{Kind: rigid.BallJoint, Cone: 0.4})
	assert.Len(t, lengths(ball, black), wholeCircle)
	for _, s := range ball {
		if s.Color == black { // a circle on the cone, whose apex is the joint
			way := s.A.Sub(geom.V(0, 2, 0))
			assert.InDelta(t, 0.5, way.Len(), 1e-6)
			assert.InDelta(t, math.Cos(0.4), way.Normalize().Y, 1e-6)
		}
	}
	slider := drawJoint(t, rigid.Joint{Kind: rigid.SliderJoint, Limited: true, Lower: -1, Upper: 3})
	assert.Equal(t, []float64{4}, lengths(slider, black))
	assert.InDelta(t, 5, slider[len(slider)-1].B.Y, 1e-6)
	wheel := drawJoint(t, rigid.Joint{Kind: rigid.WheelJoint, Limited: true, Lower: -0.1, Upper: 0.2})
	assert.Equal(t, []float64{0.3}, lengths(wheel, black))
	assert.Empty(t, drawJoint(t, rigid.Joint{Kind: rigid.BallJoint, Disabled: true}))
	assert.Len(t, drawJoint(t, rigid.Joint{Kind: rigid.FixedJoint}), 2)
}

// A collider of each verdict is drawn in its colour, and those that were not tested are not.
func TestExplanationIsDrawn(t *testing.T) {
	space := physics.NewSpace()
	ball := func(x, y float32, layer physics.Layers) {
		space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(x, y, 0), Layer: layer})
	}
	ball(0, 0, 1)     // closest
	ball(1.9, 1.9, 1) // its box is met, and not the ball
	ball(0, 0, 2)     // rejected
	ball(0, 500, 1)   // far beside
	space.Add(physics.Collider{Shape: geom.YPlane(-5)})
	e := space.Explain(geom.NewRay(geom.V(1.1, 0.95, 50), geom.V(-0.5, 0, -50)), physics.Filter{Mask: 1})
	got := map[color.NRGBA]int{}
	var l List
	l.Width = 2
	l.Explanation(&e, 0.5)
	assert.Equal(t, float32(2), l.Width)
	for _, s := range l.Segments() {
		got[s.Color]++
	}
	verdicts := map[color.NRGBA]int{}
	for _, c := range e.Colliders {
		if of, ok := VerdictColor(c.Verdict); ok && c.Bounds.Min.IsFinite() {
			verdicts[of] += 12
		}
	}
	for _, n := range e.Nodes {
		if n.Verdict == physics.VerdictVisited && n.Bounds.Min.IsFinite() {
			verdicts[EnteredColor] += 12
		} else if n.Bounds.Min.IsFinite() {
			verdicts[LeftOutColor] += 12
		}
	}
	assert.Equal(t, verdicts, got)
	assert.GreaterOrEqual(t, len(got), 3)

	// A plane that is hit has a ring around the point.
	e = space.Explain(geom.NewRay(geom.V(300, 0, 0), geom.V(0, -1, 0)), physics.Filter{})
	l.Clear()
	l.Explanation(&e, 0.5)
	closest, _ := VerdictColor(physics.VerdictClosest)
	ring := 0
	for _, s := range l.Segments() {
		if s.Color == closest {
			assert.InDelta(t, -5, s.A.Y, 1e-6)
			ring++
		}
	}
	assert.Equal(t, wholeCircle+1, ring)
	_, ok := VerdictColor(physics.VerdictNowhere)
	assert.False(t, ok)
}

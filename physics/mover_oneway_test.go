package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A mover jumps up through one-way platforms, lands on each, walks past their sides, rides on one
// that rises, and drops through one that the filter leaves out; in the plane and in space.
func TestMoverOneWay(t *testing.T) {
	const platforms, tick = Layers(4), float32(1) / 60
	ground := geom.Box{HalfExtents: geom.V(20, 1, 20)}
	shapes := map[string]Shape{
		"a box":   geom.Box{HalfExtents: geom.V(2, 0.1, 2)},
		"a chain": NewChain([]geom.Vec3{{X: 2, Y: 0.1}, {X: 0.7, Y: 0.1}, {X: -0.6, Y: 0.1}, {X: -2, Y: 0.1}}, false),
	}
	for name, shape := range shapes {
		for _, s := range []*Space{NewSpace(), NewPlanarSpace()} {
			if name == "a chain" && !s.IsPlanar() {
				continue
			}
			s.Add(Collider{Shape: ground, Transform: geom.At(0, -1, 0), Static: true})
			low := s.Add(Collider{Shape: shape, Transform: geom.At(0, 1.2, 0), Layer: platforms, Static: true})
			high := s.Add(Collider{Shape: shape, Transform: geom.At(0, 2.6, 0), Layer: platforms})
			var c MoverCache
			m := Mover{OneWay: platforms}
			st := MoverState{Transform: geom.At(0, 0.02, 0)}
			f := Filter{}
			step := func(v geom.Vec3) {
				if st.Ground == InAir {
					v.Y = st.Velocity.Y - 9.81*tick
				}
				before := st.Transform.Position
				c.Move(&m, s, &st, v, tick, f, nil)
				require.Less(t, st.Transform.Position.Distance(before), float32(0.2), "%s", name)
			}
			wait := func(n int) {
				for range n {
					step(geom.Vec3{})
				}
			}
			standsAt := func(y float32) {
				require.Equal(t, OnGround, st.Ground, "%s", name)
				require.InDelta(t, y, st.Transform.Position.Y, 0.03, "%s", name)
			}
			wait(10)
			standsAt(0)
			for range 120 { // beneath the lower one and back, though it is as high as the breast
				step(geom.V(3, 0, 0))
			}
			assert.InDelta(t, 6, st.Transform.Position.X, 0.05)
			for range 120 {
				step(geom.V(-3, 0, 0))
			}
			standsAt(0)
			for _, y := range []float32{1.3, 2.7} {
				step(geom.V(0, 6, 0))
				wait(90)
				standsAt(y)
			}
			assert.Equal(t, high, st.GroundCollider)
			for i := range 60 { // it rises, by 5 cm a tick
				s.SetTransform(high, geom.At(0, 2.6+0.05*float32(i+1), 0))
				wait(1)
				standsAt(2.7 + 0.05*float32(i+1))
			}
			for _, leave := range []ColliderID{high, low} {
				f.Exclude = []ColliderID{leave}
				wait(20)
				f.Exclude = nil
				wait(90)
			}
			standsAt(0)
		}
	}
}

// A jump up through one-way platforms goes as high as one in the open, tick by tick, wherever it
// begins and whatever part of the mover the platforms' ends are at.
func TestMoverRisesThroughOneWay(t *testing.T) {
	const platforms, tick = Layers(4), float32(1) / 60
	for _, s := range []*Space{NewSpace(), NewPlanarSpace()} {
		for i := range 12 {
			at := geom.At(0, 0.8+0.37*float32(i), 0)
			s.Add(Collider{Shape: geom.Box{HalfExtents: geom.V(1, 0.1, 1)}, Transform: at, Layer: platforms})
		}
		for _, x := range []float32{0, 0.9, 1.1, 1.25, -1.2} {
			for low := range 20 {
				free, st := MoverState{}, MoverState{}
				st.Transform = geom.At(x, 0.02+0.01*float32(low), 0)
				free.Transform = st.Transform
				for v := float32(9); v > 2.5; v -= 9.81 * tick { // it leaves 4 cm in a tick
					m, open := Mover{OneWay: platforms}, Mover{}
					assert.Empty(t, m.Move(s, &st, geom.V(0, v, 0), tick, Filter{}, nil))
					open.Move(s, &free, geom.V(0, v, 0), tick, Filter{Mask: ^platforms}, nil)
					require.Equal(t, free.Transform, st.Transform, "x %g, from %d cm, at %g m/s", x, low, v)
					require.Equal(t, InAir, st.Ground)
				}
			}
		}
	}
}

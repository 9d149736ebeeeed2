package rigid_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// platforms adds boxes, side by side along X, that are solid from above.
func platforms(t *testing.T, d *rigid.Dynamics, n int, half, first geom.Vec3) {
	for i := range n {
		at := geom.Transform{Position: first.Add(geom.V(2*half.X*float32(i), 0, 0))}
		id := d.Space().Add(physics.Collider{Shape: geom.Box{HalfExtents: half}, Transform: at, Static: true})
		m := rigid.DefaultMaterial()
		m.OneWay = geom.V(0, 1, 0)
		require.NoError(t, d.SetMaterial(id, m))
	}
}

// What comes in from the side passes straight on, however fast, also while it falls a little; what
// comes from above is stopped.
func TestOneWayFromAside(t *testing.T) {
	shapes := []physics.Shape{box(0.25), geom.Sphere{Radius: 0.25}}
	for _, v := range []geom.Vec3{{X: 20}, {X: 40}, {X: 60, Y: -1}, {X: 60, Y: 1}, {Y: 60}, {X: 20, Y: 60}} {
		for _, shape := range shapes {
			s := newScene(t)
			s.Settings.Gravity = geom.Vec3{}
			platforms(t, s.Dynamics, 1, geom.V(3, 0.1, 3), geom.V(0, 20, 0))
			from := geom.V(0, 20, 0).Sub(v.Mul(4 / v.Len()))
			if v.Y == 0 {
				from.Y += 0.07
			}
			id := s.add(rigid.Body{Velocity: v}, shape, geom.Transform{Position: from})
			s.steps(30)
			assert.InDelta(t, 0, s.position(id).Distance(from.Add(v.Mul(0.5))), 1e-3, "%v %T", v, shape)
		}
	}
	for _, v := range []geom.Vec3{{X: 5, Y: -60}, {X: 20, Y: -20}, {Y: -2}} {
		for _, shape := range shapes {
			s := newScene(t)
			platforms(t, s.Dynamics, 1, geom.V(30, 0.15, 3), geom.V(0, 20, 0))
			id := s.add(rigid.Body{Velocity: v}, shape, geom.At(0, 22, 0))
			// Friction would tip the box over.
			require.NoError(t, s.SetMaterial(s.Colliders(id)[0], rigid.Material{}))
			s.steps(60)
			assert.InDelta(t, 20.4, s.position(id).Y, 0.02, "%v %T", v, shape)
		}
	}
}

// What slides along a row of platforms stays on it, though it has sunk in by rounding.
func TestOneWayRow(t *testing.T) {
	n := 0
	for _, space := range []*physics.Space{physics.NewSpace(), physics.NewPlanarSpace()} {
		d := rigid.New(space)
		var ids []rigid.BodyID
		for k := range 100 {
			// Rows far enough from each other.
			y, w, h := float32(10*k), 0.2+0.01*float32(k), 0.05+0.01*float32(k%20)
			platforms(t, d, 60, geom.V(w, 0.1, 2), geom.V(0, y, 0))
			turn := geom.QuatIdentity()
			if !space.IsPlanar() {
				turn = geom.QuatAxisAngle(geom.V(0, 1, 0), 0.03*float64(k))
			}
			at := geom.Transform{Position: geom.V(2, y+0.11+h+0.002*float32(k), 0), Rotation: turn}
			id, err := d.Add(rigid.Body{Velocity: geom.V(1+0.08*float32(k), 0, 0)},
				space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(0.2, h, 0.15)}, Transform: at}))
			require.NoError(t, err)
			ids = append(ids, id)
		}
		for range 90 {
			d.Step()
		}
		for k, id := range ids {
			at, _ := d.Transform(id)
			if at.Position.Y < float32(10*k) {
				n++
			}
		}
	}
	require.Zero(t, n)
}

// What turns back within two platforms falls out of both, though it moves fast.
func TestOneWayTurnsBackInTwo(t *testing.T) {
	s := newScene(t)
	s.Settings.Gravity = geom.V(0, -98.1, 0)
	platforms(t, s.Dynamics, 4, geom.V(0.536, 0.25, 1), geom.V(-1.608, 5, 0))
	for i := range 40 {
		id := s.add(rigid.Body{Velocity: geom.V(0, 20, 0)}, geom.Box{HalfExtents: geom.V(0.3, 0.1, 0.2)}, geom.At(-0.02*float32(i), 3.2, 0))
		s.steps(24)
		// 4 substeps each.
		y := 3.2 + 20*0.4 - 98.1*0.5*0.4*(0.4+1.0/240)
		require.InDelta(t, y, s.position(id).Y, 0.01, "%d", i)
		s.Space().Remove(s.Colliders(id)[0])
	}
}

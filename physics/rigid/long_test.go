package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// A tree of 22 prisms, 53 m high, gains no energy when it falls on a mesh, where its tip arrives at
// more than 40 m/s.
func TestFallingTreesGainNoEnergy(t *testing.T) {
	testenv.NoRace(t)
	ground, err := mesh.New([]geom.Vec3{{X: -90, Z: -9}, {X: 90, Z: -9}, {X: 90, Z: 9}, {X: -90, Z: 9}}, []uint32{0, 2, 1, 0, 3, 2})
	require.NoError(t, err)
	var trunk []physics.Shape
	var masses []rigid.Mass
	low, r := 0.0, 0.75
	for range 22 {
		high := low + 1.5 + 2*r
		var p []geom.Vec3
		for i := range 6 {
			s, c := math.Sincos(math.Pi / 3 * float64(i))
			p = append(p, geom.V(float32(r*c), float32(low), float32(r*s)), geom.V(float32(r*c), float32(high), float32(r*s)))
		}
		h, err := hull.New(p)
		require.NoError(t, err)
		m, err := rigid.MassOf(h, geom.Vec3{}, 1)
		require.NoError(t, err)
		trunk, masses = append(trunk, h), append(masses, m)
		low = high
		r *= 0.95
	}
	m := rigid.Combine(masses...)
	for fall := range 15 {
		space := physics.NewSpace()
		s := rigid.New(space)
		space.Add(physics.Collider{Shape: ground, Static: true})
		var parts []physics.ColliderID
		for _, h := range trunk {
			c := space.Add(physics.Collider{Shape: h})
			require.NoError(t, s.SetMaterial(c, rigid.Material{Friction: 0.9}))
			parts = append(parts, c)
		}
		spin := geom.V(0, 0, -0.25-0.013*float32(fall))
		id, err := s.Add(rigid.Body{Velocity: spin.Cross(m.Center), AngularVelocity: spin, Density: 1}, parts...)
		require.NoError(t, err)
		first := float32(0)
		for range 350 {
			s.Step()
			v, w, _ := s.Velocity(id)
			at, _ := s.Transform(id)
			l := m.Axes.Inverse().Rotate(at.Rotation.Inverse().Rotate(w))
			y := at.Position.Y + at.Rotation.Rotate(m.Center).Y
			e := 9.81*y + 0.5*v.LenSq() + 0.5*m.Inertia.MulVec(l).Dot(l)/m.Mass
			if first == 0 {
				first = e
			}
			if e > 1.01*first {
				t.Errorf("fall %d: %.1f J/kg of %.1f", fall, e, first)
				break
			}
		}
	}
}

package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// lying turns the Y axis of a shape to Z.
var lying = geom.QuatAxisAngle(geom.V(1, 0, 0), math.Pi/2)

// A cylinder rolls down a slope at 2/3·g·sin, on a box and on a mesh alike.
func TestCylinderRollsDownASlope(t *testing.T) {
	vertices, indices := mesh.Plane(120, 8, 12, 2)
	floor, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	for _, onMesh := range []bool{false, true} {
		for _, degrees := range []float64{5, 20} {
			s := newScene(t)
			along, _ := s.slope(degrees)
			high := float32(0)
			if onMesh {
				high = 1
				s.Space().Add(physics.Collider{Shape: floor, Transform: geom.At(0, high, 0), Static: true})
			}
			id := s.add(rigid.Body{}, geom.Cylinder(geom.V(0, -0.3, 0), geom.V(0, 0.3, 0), 0.5),
				geom.Transform{Position: geom.V(-50, high+0.5, 0), Rotation: lying})
			const steps = 120
			s.steps(steps)
			h := float64(s.Settings.Step) / 4
			want := flown(2.0/3*along, h, 4*steps)
			// As a ball, it slides for two substeps, and is ahead by 1/3 of their speed.
			ahead := 1.0 / 3 * along * 2 * h * steps / 60
			dv, ds := roundingOf(10, 50, steps)
			require.InDelta(t, want, s.position(id).X+50, ahead+ds, "%v %v", onMesh, degrees)
			b, _ := s.Body(id)
			require.InDelta(t, 2*2.0/3*along, b.Velocity.X, 1.0/3*along*2*h+dv)
			require.InDelta(t, b.Velocity.X, -b.AngularVelocity.Z*0.5, 2*along*h)
			require.InDelta(t, 0, s.position(id).Z, 1e-3)
		}
	}
}

// Cylinders stand, cones stand on their base and lie on their side, coins lie down: all come to
// rest and sleep, on a box and on a mesh, no deeper than single precision and their weight let
// them.
func TestSolidsComeToRest(t *testing.T) {
	vertices, indices := mesh.Plane(20, 20, 9, 9)
	floor, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	half := math.Atan(0.25)
	for name, c := range map[string]struct {
		shape physics.Shape
		turn  geom.Quat
		drop  float32 // of the origin
		rest  float32 // its height at rest
	}{
		"cylinder, standing":     {geom.Cylinder(geom.V(0, -0.5, 0), geom.V(0, 0.5, 0), 0.3), geom.Quat{}, 0.6, 0.5},
		"cylinder, lying":        {geom.Cylinder(geom.V(0, -0.5, 0), geom.V(0, 0.5, 0), 0.3), lying, 0.4, 0.3},
		"cone, on its base":      {geom.Cone{A: geom.V(0, -0.5, 0), B: geom.V(0, 0.5, 0), RadiusA: 0.25}, geom.Quat{}, 0.6, 0.5},
		"cone, on its side":      {geom.Cone{A: geom.V(0, -0.5, 0), B: geom.V(0, 0.5, 0), RadiusA: 0.25}, geom.QuatAxisAngle(geom.V(1, 0, 0), math.Pi/2-half), 0.3, 0.5 * float32(math.Sin(half))},
		"coin, dropped flat":     {geom.Cylinder(geom.V(0, -0.05, 0), geom.V(0, 0.05, 0), 0.5), geom.QuatAxisAngle(geom.V(1, 0, 0), 0.3), 0.5, 0.05},
		"coin, dropped on edge":  {geom.Cylinder(geom.V(0, -0.05, 0), geom.V(0, 0.05, 0), 0.5), geom.QuatAxisAngle(geom.V(1, 0, 0), 1.2), 0.7, 0.05},
		"tapered capsule, lying": {geom.TaperedCapsule{A: geom.V(0, -0.25, 0), B: geom.V(0, 0.25, 0), RadiusA: 0.3, RadiusB: 0.2}, lying, 0.4, 0.25},
	} {
		for _, onMesh := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, mesh %v", name, onMesh), func(t *testing.T) {
				s := newScene(t)
				s.material(func(m *rigid.Material) { m.RollingResistance = 0.02 })
				high := float32(0)
				if onMesh {
					high = 1
					s.Space().Add(physics.Collider{Shape: floor, Transform: geom.At(0, high, 0), Static: true})
				}
				id := s.add(rigid.Body{}, c.shape, geom.Transform{Position: geom.V(0.1, high+c.drop, 0.2), Rotation: c.turn})
				require.NoError(t, s.SetMaterial(s.Colliders(id)[0], rigid.Material{Friction: 0.6, RollingResistance: 0.02, SpinningResistance: 0.02}))
				s.steps(240)
				s.asleep()
				require.InDelta(t, c.rest+high, s.position(id).Y, 0.01)
			})
		}
	}
}

// A tower of ten cylinders stands for ten seconds, and sleeps.
func TestCylinderTower(t *testing.T) {
	s := newScene(t)
	var ids []rigid.BodyID
	for i := range 10 {
		at := geom.Transform{Position: geom.V(0, 0.5+float32(i), 0), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.3*float64(i))}
		ids = append(ids, s.add(rigid.Body{}, geom.Cylinder(geom.V(0, -0.5, 0), geom.V(0, 0.5, 0), 0.5), at))
	}
	s.steps(600)
	require.Zero(t, s.Awake())
	for i, id := range ids {
		p := s.position(id)
		require.InDelta(t, 0.5+float64(i), p.Y, 0.02, "%d", i)
		require.InDelta(t, 0, math.Hypot(float64(p.X), float64(p.Z)), 0.01, "%d", i)
	}
}

package rigid_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// A crate falls on the ground and goes to sleep.
func Example() {
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: geom.YPlane(0)})
	crate := space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}, Transform: geom.At(0, 3, 0)})
	world := rigid.New(space)
	body, err := world.Add(rigid.Body{}, crate)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 120 {
		world.Step()
	}
	t, _ := world.Transform(body)
	fmt.Printf("height %.2f m, awake: %v\n", t.Position.Y, world.IsAwake(body))
	// Output: height 0.50 m, awake: false
}

// scene is a Dynamics with a large box as the ground, whose top is at Y = 0.
type scene struct {
	*rigid.Dynamics
	t      testing.TB
	ground physics.ColliderID
}

func newScene(t testing.TB) *scene {
	space := physics.NewSpace()
	s := &scene{rigid.New(space), t, 0}
	s.ground = space.Add(physics.Collider{
		Shape: geom.Box{HalfExtents: geom.V(200, 1, 200)}, Transform: geom.At(0, -1, 0), Static: true,
	})
	return s
}

func (s *scene) add(b rigid.Body, shape physics.Shape, at geom.Transform) rigid.BodyID {
	id, err := s.Add(b, s.Space().Add(physics.Collider{Shape: shape, Transform: at}))
	require.NoError(s.t, err)
	return id
}

func (s *scene) steps(n int) {
	for range n {
		s.Step()
	}
}

func (s *scene) position(id rigid.BodyID) geom.Vec3 {
	t, ok := s.Transform(id)
	require.True(s.t, ok)
	return t.Position
}

func box(half float32) geom.Box { return geom.Box{HalfExtents: geom.V(half, half, half)} }

func TestFreeFall(t *testing.T) {
	s := newScene(t)
	id := s.add(rigid.Body{}, geom.Sphere{Radius: 0.1}, geom.At(0, 100, 0))
	n := 120
	s.steps(n)
	// The semi-implicit Euler method falls g·h²·k(k+1)/2 in k substeps.
	k, h := float64(n*s.Settings.Substeps), float64(s.Settings.Step)/float64(s.Settings.Substeps)
	want := 100 - 9.81*h*h*k*(k+1)/2
	// Each substep rounds a velocity of up to 20 m/s and a sum of up to 0.33 m, each step a height
	// of up to 128 m.
	ulp := func(x float64) float64 { return x * 0x1p-24 }
	require.InDelta(t, want, s.position(id).Y, k*h*k*ulp(20)/2+k*ulp(0.33)+float64(n)*ulp(128))
}

package rigid_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// What is put into one place, to 10 cm, comes apart no faster than PushSpeed, however many
// they are.
func TestCrowdComesApart(t *testing.T) {
	for _, shape := range []physics.Shape{geom.Sphere{Radius: 0.25}, box(0.25), geom.Capsule{A: geom.V(0, -0.2, 0), B: geom.V(0, 0.2, 0), Radius: 0.2}} {
		d := rigid.New(physics.NewSpace())
		d.Settings.Gravity = geom.Vec3{}
		var ids []rigid.BodyID
		n := golden.Numbers(5)
		for range 50 {
			at := geom.Transform{Position: n.Vec(0.1), Rotation: n.Quat()}
			id, err := d.Add(rigid.Body{NoSleep: true}, d.Space().Add(physics.Collider{Shape: shape, Transform: at}))
			require.NoError(t, err)
			ids = append(ids, id)
		}
		fastest := float32(0)
		for range 120 {
			d.Step()
			for _, id := range ids {
				v, _, _ := d.Velocity(id)
				fastest = max(fastest, v.Len())
			}
		}
		require.Less(t, fastest, d.Settings.PushSpeed, "%T", shape)
		require.Greater(t, fastest, float32(0.1), "%T", shape)
	}
}

// Walls that close at 4 m/s on five crates throw none out much faster than they come: half of the
// times at less than 14 m/s, and nine of ten times at less than 32. Each time is another, as the
// crates are a millimetre further.
func TestCrushedCrates(t *testing.T) {
	testenv.NoRace(t)
	var speeds []float32
	for k := range 40 {
		s := newScene(t)
		var walls [2]rigid.BodyID
		for i := range walls {
			side := float32(2*i - 1)
			walls[i] = s.add(rigid.Body{Kind: rigid.Kinematic, Velocity: geom.V(-4*side, 0, 0)}, geom.Box{HalfExtents: geom.V(0.5, 2, 2)}, geom.At(3*side, 2, 0))
		}
		var ids []rigid.BodyID
		for i := range 5 {
			ids = append(ids, s.add(rigid.Body{}, box(0.25), geom.At(float32(i%3)*0.6-0.6+0.0005*float32(k), 0.25+0.51*float32(i/3), 0)))
		}
		fastest := float32(0)
		for k := range 70 {
			if k == 37 {
				s.SetVelocity(walls[0], geom.Vec3{}, geom.Vec3{})
				s.SetVelocity(walls[1], geom.Vec3{}, geom.Vec3{})
			}
			s.Step()
			for _, id := range ids {
				v, _, _ := s.Velocity(id)
				fastest = max(fastest, v.Len())
			}
		}
		speeds = append(speeds, fastest)
	}
	slices.Sort(speeds)
	require.Less(t, speeds[20], float32(14))
	require.Less(t, speeds[36], float32(32))
}

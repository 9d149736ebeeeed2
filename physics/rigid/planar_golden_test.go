package rigid_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// planarPile drops bodies of all shapes of a planar space into a bowl of tiles, onto a one-way
// platform and a turning one; some hang on ropes.
func planarPile(t testing.TB, n *golden.Numbers, bodies int) *rigid.Dynamics {
	space := physics.NewPlanarSpace()
	d := rigid.New(space)
	land := physics.NewTiles(24, 12, 0.5, func(x, y int) bool { return y == 0 || x-y < 2 || x+y > 21 || x == 11 && y < 3 })
	space.Add(physics.Collider{Shape: land, Transform: geom.At(-6, -0.5, 0), Static: true})
	platform := space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1.5, 0.1, 0)}, Transform: geom.At(1, 3, 0), Static: true})
	require.NoError(t, d.SetMaterial(platform, rigid.Material{Friction: 1, OneWay: geom.V(0, 1, 0)}))
	fan := space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(1, 0.1, 0.3)}, Transform: geom.At(-2, 2, 0)})
	_, err := d.Add(rigid.Body{Kind: rigid.Kinematic, AngularVelocity: geom.V(0, 0, 2)}, fan)
	require.NoError(t, err)
	kite, err := hull.NewPolygon([]geom.Vec3{{X: -0.3}, {Y: -0.2}, {X: 0.25}, {Y: 0.3}})
	require.NoError(t, err)
	shapes := []physics.Shape{
		geom.Box{HalfExtents: geom.V(0.25, 0.2, 0.3)},
		geom.Sphere{Radius: 0.25},
		geom.Capsule{A: geom.V(0, -0.2, 0), B: geom.V(0, 0.2, 0), Radius: 0.15},
		kite,
		geom.AABBAround(geom.Vec3{}, geom.V(0.2, 0.2, 0)),
		physics.NewCompound(
			physics.Child{Shape: geom.Box{HalfExtents: geom.V(0.3, 0.1, 0)}},
			physics.Child{Shape: geom.Sphere{Radius: 0.15}, Transform: geom.At(0.3, 0, 0)}),
	}
	last := rigid.BodyID(0)
	for i := range bodies {
		at := geom.Transform{Position: n.Vec(2.5).Add(geom.V(0, 5, 0)), Rotation: n.Quat()}
		id := space.Add(physics.Collider{Shape: shapes[i%len(shapes)], Transform: at})
		body, err := d.Add(rigid.Body{Velocity: n.Vec(3), AngularVelocity: n.Vec(5), Bullet: i%7 == 0}, id)
		require.NoError(t, err)
		require.NoError(t, d.SetMaterial(id, rigid.Material{Friction: 0.5 + n.Float(0.5), Restitution: 0.3 + n.Float(0.3)}))
		if i%5 == 4 {
			place, _ := d.Transform(body)
			_, err := d.AddJoint(d.JointAt([]rigid.JointKind{rigid.BallJoint, rigid.DistanceJoint, rigid.HingeJoint}[i/5%3],
				last, body, place.Position, geom.V(0, 0, 1)))
			require.NoError(t, err)
		}
		last = body
	}
	return d
}

const goldenPlanarHash = 0xb86f3169dbb91a33

// Bodies of a planar space are at the same bits after 400 steps on every architecture, and so are
// the bytes of their state.
func TestPlanarSameBits(t *testing.T) {
	n := golden.Numbers(16)
	hashOfSteps(planarPile(t, &n, 40), 400).Check(t, "planar pile", goldenPlanarHash)
}

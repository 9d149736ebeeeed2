package rigid

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// The core of a body that is clear of what is not dynamic hits nothing of it, among boxes that
// turn, balls, meshes, planes and sensors, for bodies near each other and further apart.
func TestClearCoresHitNothing(t *testing.T) {
	r := testenv.Rand(26, 1)
	vec := func(most float32) geom.Vec3 {
		return geom.V(most*(2*r.Float32()-1), most*(2*r.Float32()-1), most*(2*r.Float32()-1))
	}
	block, err := mesh.New(mesh.Box(geom.V(1, 0.2, 1)))
	require.NoError(t, err)
	clear, hits, neither := 0, 0, 0
	for try := range testenv.Count(t, "HITSCAN_BULLETS", 60) {
		d := New(physics.NewSpace())
		d.Settings.Gravity = geom.Vec3{}
		origin := vec(1).Mul([]float32{0, 100, 1e5}[try%3])
		for k := range 3 + r.IntN(6) {
			shape := []physics.Shape{geom.Box{HalfExtents: geom.V(1, 0.3, 0.1)}, geom.Sphere{Radius: 0.5}, block}[r.IntN(3)]
			at := geom.Transform{Position: origin.Add(vec(6)), Rotation: geom.QuatAxisAngle(vec(1), 3*r.Float64())}
			if k == 0 && try%8 == 0 {
				shape, at.Position.Y = geom.Plane{Normal: geom.V(0, 1, 0)}, origin.Y-5
			}
			id := d.space.Add(physics.Collider{Shape: shape, Transform: at, Sensor: k%5 == 4})
			if k%3 == 1 {
				_, err := d.Add(Body{Kind: Kinematic, AngularVelocity: vec(0.2)}, id)
				require.NoError(t, err)
			}
		}
		for k := range 40 {
			at := origin.Add(vec(5))
			if k%8 > 0 { // a group
				at = d.bodies[k].center.Add(vec(0.4))
			}
			id := d.space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(0.2, 0.1, 0.15)}, Transform: geom.Transform{Position: at}})
			_, err := d.Add(Body{}, id)
			require.NoError(t, err)
		}
		s := d.newStopper()
		s.region = geom.EmptyAABB()
		for k := range d.bodies[1:] {
			b := &d.bodies[1+k]
			if !b.moves {
				continue
			}
			s.way = vec(2)
			s.credit = mostCredit
			isClear := s.isClear(b, s.way)
			switch _, isHit := s.castCore(b, s.way, s.stops); {
			case isClear:
				require.False(t, isHit, "body %d of try %d", k, try)
				clear++
			case isHit:
				hits++
			default:
				neither++
			}
		}
	}
	testenv.Drawn(t, clear, 500)
	testenv.Drawn(t, hits, 100)
	testenv.Drawn(t, neither, 50)
}

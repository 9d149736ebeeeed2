package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// What swings at the end of an arm of 2 m keeps its energy and its distance, and gains no energy at
// any speed. A substep loses or gains in proportion to the fourth power of its angle: 2e-7 at 5
// rad/s. The square of the angle, as without bend, is a hundredth of the energy each second there,
// and 28 mm of distance at 20 rad/s.
func TestLongArmsKeepTheirEnergy(t *testing.T) {
	testenv.NoRace(t)
	for _, kind := range []rigid.JointKind{rigid.BallJoint, rigid.HingeJoint} {
		for _, both := range []bool{false, true} {
			if both && kind == rigid.HingeJoint {
				continue
			}
			for _, c := range []struct {
				speed       float32 // rad/s
				least, gain float64 // of the energy after 10 s, and at any time
				apart       float32 // m
			}{{1, 0.9999, 1e-4, 1e-4}, {5, 0.999, 1e-4, 1e-4}, {20, 0.9, 1e-3, 0.002}, {40, 0.4, 1e-3, 0.005}, {115, 0, 1e-3, 0.4}} {
				t.Run(fmt.Sprintf("%v/both=%t/%g", kind, both, c.speed), func(t *testing.T) {
					space := physics.NewSpace()
					d := rigid.New(space)
					d.Settings.Gravity = geom.Vec3{}
					add := func(x float32) rigid.BodyID {
						id, err := d.Add(rigid.Body{Velocity: geom.V(0, x*c.speed, 0), AngularVelocity: geom.V(0, 0, c.speed), NoSleep: true},
							space.Add(physics.Collider{Shape: box(0.25), Transform: geom.At(x, 0, 0)}))
						require.NoError(t, err)
						return id
					}
					ids := []rigid.BodyID{add(2)}
					var other rigid.BodyID
					if both {
						other = add(-2)
						ids = append(ids, other)
					}
					_, err := d.AddJoint(d.JointAt(kind, ids[0], other, geom.Vec3{}, geom.V(0, 0, 1)))
					require.NoError(t, err)
					energy := func() (e float64) { // per kg
						for _, id := range ids {
							b, _ := d.Body(id)
							e += float64(b.Velocity.LenSq())/2 + float64(b.AngularVelocity.LenSq())*(0.5*0.5/6)/2
						}
						return e
					}
					first, most, apart := energy(), 0.0, float32(0)
					for range 600 {
						d.Step()
						most = max(most, energy()/first)
						at, _ := d.Transform(ids[0])
						apart = max(apart, float32(math.Abs(float64(at.Position.Len()-2))))
					}
					require.LessOrEqual(t, most, 1+c.gain)
					require.GreaterOrEqual(t, energy()/first, c.least)
					require.LessOrEqual(t, apart, c.apart)
				})
			}
		}
	}
}

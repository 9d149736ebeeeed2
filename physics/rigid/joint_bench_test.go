package rigid_test

import (
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// BenchmarkRowOfJoints measures a step of 50 boxes in a row that hang on a wall and on each other,
// which are solved at once.
func BenchmarkRowOfJoints(b *testing.B) {
	for _, kind := range []rigid.JointKind{rigid.BallJoint, rigid.HingeJoint, rigid.FixedJoint} {
		b.Run(kind.String(), func(b *testing.B) {
			s := free(b)
			s.Settings.Gravity = geom.V(0, -9.81, 0)
			last := rigid.BodyID(0)
			for i := range 50 {
				id := s.add(rigid.Body{NoSleep: true}, box(0.25), geom.At(float32(i), 0, 0))
				s.joint(s.JointAt(kind, last, id, geom.V(float32(i)-0.5, 0, 0), geom.V(0, 0, 1)))
				last = id
			}
			for b.Loop() {
				s.Step()
			}
		})
	}
}

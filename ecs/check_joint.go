package physecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/rigid"
)

// The kinds of joints that have a part, as [rigid.JointKind] documents them.
var (
	kindsWithAxis   = []rigid.JointKind{rigid.HingeJoint, rigid.SliderJoint, rigid.DistanceJoint, rigid.WheelJoint}
	kindsWithLimits = append(slices.Clone(kindsWithAxis), rigid.BallJoint)
	kindsWithCone   = []rigid.JointKind{rigid.BallJoint}
	kindsWithWheel  = []rigid.JointKind{rigid.WheelJoint}
	kindsWithPull   = []rigid.JointKind{rigid.MotorJoint}
	allKinds        = append(slices.Clone(kindsWithLimits), rigid.FixedJoint, rigid.MotorJoint)
)

// joint adds the fields of a joint that do nothing, since another one is zero or its kind has no
// use for them.
func (c *checker) joint(e ecs.Entity, j *Joint) {
	if j.Disabled {
		return
	}
	for _, x := range [...]struct {
		fields string
		set    bool
		kinds  []rigid.JointKind // that have a use for them
		off    bool
		why    string // they are off
	}{
		{"MotorSpeed", j.MotorSpeed != 0, kindsWithAxis, j.MotorForce == 0, "MotorForce is 0, which is no motor"},
		{"MotorForce", j.MotorForce != 0, kindsWithAxis, false, ""},
		{"Lower and Upper", j.Lower != 0 || j.Upper != 0, kindsWithLimits, !j.Limited, "Limited is not set"},
		{"Limited", j.Limited, kindsWithLimits, false, ""},
		{"SpringHertz", j.SpringHertz != 0, kindsWithAxis, false, ""},
		{"Damping", j.Damping != 0, allKinds, j.Hertz == 0, "Hertz is 0, at which the joint is no spring"},
		{"SpringDamping", j.SpringDamping != 0, kindsWithAxis, j.SpringHertz == 0, "SpringHertz is 0, which is no spring"},
		{"Target", j.Target != 0, kindsWithAxis, j.SpringHertz == 0 && j.Kind != rigid.DistanceJoint, "SpringHertz is 0, which is no spring"},
		{"Cone", j.Cone != 0, kindsWithCone, false, ""},
		{"Steering", j.Steering != 0, kindsWithWheel, false, ""},
		{"Brake", j.Brake != 0, kindsWithWheel, false, ""},
		{"MaxForce and MaxTorque", j.MaxForce != 0 || j.MaxTorque != 0, kindsWithPull, false, ""},
	} {
		switch {
		case !x.set:
		case !slices.Contains(x.kinds, j.Kind):
			c.add(e, "Joint", "%s: a %v has no use for it", x.fields, j.Kind)
		case x.off:
			c.add(e, "Joint", "%s: without effect, since %s", x.fields, x.why)
		}
	}
	if j.Kind == rigid.DistanceJoint && j.SpringHertz == 0 && (j.Limited && j.Upper == 0 || !j.Limited && j.Target == 0) {
		c.add(e, "Joint", "its length is 0, which keeps two points together: a rod has a Target, a rope Limited and an Upper")
	}
	if j.Kind == rigid.MotorJoint && j.MaxForce == 0 && j.MaxTorque == 0 {
		c.add(e, "Joint", "it pulls with no force: MaxForce and MaxTorque are 0")
	}
}

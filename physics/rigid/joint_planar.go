package rigid

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// planarSine is the sine of the angle by which the axis of a joint of a planar space may be off Z,
// or off the plane: more than rounding makes of any rotation.
const planarSine = 1e-4

// checkPlanar returns an error if a joint works against a planar space. Bodies turn about Z alone
// there, so an axis about which a joint lets them turn must be along Z, and one along which they
// slide, or whose swing is limited, in the plane. The forces of any other joint would grow without
// bounds.
func (j *Joint) checkPlanar() error {
	ball := j.Kind == BallJoint
	along := j.Kind == HingeJoint || j.Kind == WheelJoint || ball && j.Limited
	within := j.Kind == SliderJoint || ball && j.Cone > 0
	for _, v := range [2]struct {
		name     string
		rotation geom.Quat
	}{{"FrameA", j.FrameA.Rotation}, {"FrameB", j.FrameB.Rotation}} {
		x, _, _ := axes(v.rotation.Normalize())
		switch {
		case along && float32(x.X*x.X)+float32(x.Y*x.Y) > planarSine*planarSine:
			return fmt.Errorf("the X axis of %s is %v: in a planar space that of such a %v is along Z", v.name, x, j.Kind)
		case within && x.Z*x.Z > planarSine*planarSine:
			return fmt.Errorf("the X axis of %s is %v: in a planar space that of such a %v is in the plane", v.name, x, j.Kind)
		}
	}
	if j.Kind == WheelJoint && j.Steering != 0 {
		return fmt.Errorf("%s is %g, in a planar space", "Steering", j.Steering)
	}
	return nil
}

package rigid_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// A door hangs on a hinge of the world, and a motor opens it until its limit.
func ExampleDynamics_AddJoint() {
	space := physics.NewSpace()
	world := rigid.New(space)
	door, err := world.Add(rigid.Body{}, space.Add(physics.Collider{
		Shape: geom.Box{HalfExtents: geom.V(0.5, 1, 0.03)}, Transform: geom.At(0.5, 1, 0),
	}))
	if err != nil {
		panic(err)
	}
	hinge := world.JointAt(rigid.HingeJoint, 0, door, geom.V(0, 1, 0), geom.V(0, 1, 0))
	hinge.Limited, hinge.Upper = true, 1.5 // radians
	hinge.MotorSpeed, hinge.MotorForce = 1, 200
	id, err := world.AddJoint(hinge)
	if err != nil {
		panic(err)
	}
	for second := range 3 {
		for range 60 {
			world.Step()
		}
		state, _ := world.JointState(id)
		fmt.Printf("after %d s: %.1f rad\n", second+1, state.Value)
	}
	// Output:
	// after 1 s: 0.9 rad
	// after 2 s: 1.5 rad
	// after 3 s: 1.5 rad
}

package physics_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A crate falls through a sensor onto a floor.
func ExampleContactTracker() {
	const floor, light, crate = 1, 2, 3
	names := map[uint64]string{floor: "floor", light: "light barrier", crate: "crate"}
	s := physics.NewSpace()
	s.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}, Static: true, User: floor})
	s.Add(physics.Collider{
		Shape: geom.Box{HalfExtents: geom.V(2, 0.1, 2)}, Transform: geom.At(0, 3, 0), Sensor: true, Static: true, User: light})
	id := s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}, User: crate})

	tracker := physics.ContactTracker{Margin: 0.01}
	for tick, y := range []float32{5, 3.5, 2.5, 1.5, 0.49, 0.5, 0.5} {
		s.SetTransform(id, geom.At(0, y, 0))
		tracker.Update(s)
		for _, t := range tracker.Began {
			fmt.Printf("tick %d: %s and %s touch", tick, names[t.UserA], names[t.UserB])
			if !t.Sensor {
				m := t.Manifolds[0]
				fmt.Printf(", %.2f m deep, at %d corners", t.Depth(), m.N)
			}
			fmt.Println()
		}
		for _, t := range tracker.Ended {
			fmt.Printf("tick %d: %s and %s do no more\n", tick, names[t.UserA], names[t.UserB])
		}
	}
	fmt.Println("since how many ticks:", tracker.Age(tracker.All[0]))
	// Output:
	// tick 1: light barrier and crate touch
	// tick 3: light barrier and crate do no more
	// tick 4: floor and crate touch, 0.01 m deep, at 4 corners
	// since how many ticks: 2
}

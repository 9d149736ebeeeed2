package physics_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Two pairs of characters overlap, one pair beside a wall. The heavier character of a pair is
// pushed less. The wall is not pushed.
func ExampleSeparator() {
	s := physics.NewSpace()
	walker := func(x float32) physics.ColliderID {
		capsule := geom.Capsule{A: geom.V(0, 0.5, 0), B: geom.V(0, 1.5, 0), Radius: 0.5}
		return s.Add(physics.Collider{Shape: capsule, Transform: geom.At(x, 0, 0)})
	}
	s.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(1, 0, 0), D: -1}, Static: true})
	movables := []physics.Movable{
		{Collider: walker(-0.6), Weight: 1},
		{Collider: walker(0)},
		{Collider: walker(5), Weight: 1},
		{Collider: walker(5.6), Weight: 3},
	}
	separator := physics.Separator{Up: geom.V(0, 1, 0)}
	for range 3 { // ticks
		separator.Separate(s, movables)
		for _, m := range movables {
			c, _ := s.Collider(m.Collider)
			c.Transform.Position = c.Transform.Position.Add(m.Push)
			s.SetTransform(m.Collider, c.Transform)
		}
	}
	for _, m := range movables {
		c, _ := s.Collider(m.Collider)
		fmt.Printf("%.2f ", c.Transform.Position.X)
	}
	// Output: -0.50 0.50 4.70 5.70
}

package physics_test

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A target runs at 6 m/s. The shooter, whose screen is 10.6 ticks behind, aims at where it sees it.
func ExampleHistory() {
	space := physics.NewSpace()
	target := space.Add(physics.Collider{Shape: geom.Sphere{Radius: 0.3}})
	history := physics.NewHistory(space, 32)
	for tick := range int64(60) {
		space.SetTransform(target, geom.At(0.1*float32(tick), 0, 0))
		history.Record(tick)
	}

	ray := geom.NewRay(geom.V(4.84, 0, 20), geom.V(0, 0, -1))
	_, now := space.CastRay(ray, physics.Filter{})
	past, err := history.Between(48, 49, 0.4)
	if err != nil {
		fmt.Println(err) // too old: the shot misses
		return
	}
	hit, then := past.CastRay(ray, physics.Filter{})
	past.Release()
	fmt.Printf("now: %t, as the shooter saw it: %t, after %.1f m\n", now, then, hit.T)
	_, err = history.At(12)
	fmt.Println(err)
	// Output:
	// now: false, as the shooter saw it: true, after 19.7 m
	// physics: History.At: tick 12 is too old: the history holds 28 to 59
}

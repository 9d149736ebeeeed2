package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/hitscan-go/hitscan/physics/geom"
)

type rare struct{}

// BenchmarkNearestFilter searches the nearest of 5,000 units within 30 m: of all, and of the
// hundredth that are on a layer of their own and have a component that few have.
func BenchmarkNearestFilter(b *testing.B) {
	world := ecs.NewWorld()
	units := generic.NewMap2[Transform, Collider](&world)
	few := ecs.ComponentID[rare](&world)
	for i := range 5000 {
		c := Capsule(0.5, 0.35)
		c.Layer = 2
		if i%100 == 37 {
			c.Layer = 4
		}
		e := units.NewWith(new(geom.At(float32(i%71)*1.5, 0, float32(i/71)*1.5)), &c)
		if c.Layer == 4 {
			world.Add(e, few)
		}
	}
	space := Sync(&world)
	for _, k := range []struct {
		name   string
		filter Filter
	}{{"all", Filter{}}, {"mask", Filter{Mask: 4}}, {"component", Filter{With: ecs.All(few)}}} {
		b.Run(k.name, func(b *testing.B) {
			found := 0
			for i := 0; b.Loop(); i++ {
				at := geom.V(float32(i*37%106), 0.3, float32(i*61%106))
				if _, ok := space.Nearest(at, 30, k.filter); ok {
					found++
				}
			}
			if found == 0 {
				b.Fatal("nothing found")
			}
		})
	}
}

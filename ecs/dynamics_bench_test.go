package physecs

import (
	"fmt"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// BenchmarkDynamicsSystem measures an update of 10,000 bodies that lie apart on a floor, beside
// Sync alone and the step alone.
func BenchmarkDynamicsSystem(b *testing.B) {
	for _, awake := range []bool{false, true} {
		p := newBodyWorld()
		p.add(geom.At(0, -1, 0), Box(geom.V(500, 1, 500)))
		for i := range 10_000 {
			p.crate(geom.At(float32(i%100)*2, 0.5, float32(i/100)*2), Body{NoSleep: awake})
		}
		p.run(90)
		name := fmt.Sprintf("awake=%t", awake)
		b.Run(name+"/update", func(b *testing.B) {
			for b.Loop() {
				p.run(1)
			}
		})
		b.Run(name+"/step", func(b *testing.B) {
			for b.Loop() {
				p.dynamics().Rigid().Step()
			}
		})
		b.Run(name+"/sync", func(b *testing.B) {
			p.run(1)
			for b.Loop() {
				Sync(p.World)
			}
		})
	}
}

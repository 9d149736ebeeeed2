package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Cost of contacts by entity above that of the physics tracker: 10,000 pairs of balls, of which one
// in ten moves.
func BenchmarkContactSystem(b *testing.B) {
	const n = 20_000
	g := crowd(n)
	var movers []ecs.Entity
	filter := ecs.All(g.transform)
	query := g.Query(&filter)
	for i := 0; query.Next(); i++ {
		if t := (*Transform)(query.Get(g.transform)); i%2 == 1 {
			t.Position.X -= 2.1
		}
		if i%20 == 1 {
			movers = append(movers, query.Entity())
		}
	}
	var s ContactSystem
	s.Initialize(g.World)
	var tracker physics.ContactTracker
	step := float32(0.2)
	for name, update := range map[string]func() (touches int){
		"entities": func() int {
			s.Update(g.World)
			return len(ecs.GetResource[Contacts](g.World).All)
		},
		"colliders": func() int {
			tracker.Update(ecs.GetResource[Space](g.World).Physics())
			return len(tracker.All)
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			touches := 0
			for b.Loop() {
				b.StopTimer()
				step = -step
				for _, e := range movers {
					t := g.transforms.Get(e)
					t.Position = t.Position.Add(geom.V(step, 0, 0))
				}
				Sync(g.World)
				b.StartTimer()
				touches = update()
			}
			perEntity(b, n)
			b.ReportMetric(float64(touches), "touches")
		})
	}
}

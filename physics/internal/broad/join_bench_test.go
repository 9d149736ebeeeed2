package broad

import "testing"

// BenchmarkPairs finds all pairs in the measuring world after 60 ticks.
func BenchmarkPairs(b *testing.B) {
	boxes, _ := walkWorld(b, 60)
	p := walkPhase(boxes, 0)
	walkBoth(b, func(b *testing.B) {
		var list []Pair
		for b.Loop() {
			list = p.Pairs(list[:0], 1)
		}
		b.ReportMetric(float64(len(list)), "pairs")
	})
}

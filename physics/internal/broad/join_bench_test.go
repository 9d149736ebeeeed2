package broad

import "testing"

// BenchmarkPairs finds all pairs in the measuring world after 60 ticks.
func BenchmarkPairs(b *testing.B) {
	boxes, _ := walkWorld(b, 60)
	p := walkPhase(boxes, 0)
	for _, c := range []struct {
		name string
		simd bool
	}{{"", true}, {"portable", false}} {
		b.Run(c.name, func(b *testing.B) {
			was := useAVX2
			useAVX2 = was && c.simd
			defer func() { useAVX2 = was }()
			var list []Couple
			for b.Loop() {
				list = p.Pairs(list[:0], 1)
			}
			b.ReportMetric(float64(len(list)), "pairs")
		})
	}
}

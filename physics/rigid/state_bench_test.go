package rigid_test

import (
	"strconv"
	"testing"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// BenchmarkSaveAndRestore saves, steps and restores a pile of 1,000 bodies that moves, that is
// awake and at rest, and that sleeps. The step is not timed.
func BenchmarkSaveAndRestore(b *testing.B) {
	for _, c := range []struct {
		name  string
		steps int
		sleep bool
	}{{"moving", 60, false}, {"at rest", 900, false}, {"asleep", 900, true}} {
		s := newScene(b)
		if !c.sleep {
			s.Settings.SleepSpeed = 0
		}
		n := golden.Numbers(6)
		for range 1000 {
			s.add(rigid.Body{}, box(0.25), geom.Transform{Position: n.Vec(3).Add(geom.V(0, 5, 0)), Rotation: n.Quat()})
		}
		s.steps(c.steps)
		var state rigid.State
		s.Save(&state)
		b.Run(c.name+"/save", func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				s.Step()
				b.StartTimer()
				s.Save(&state)
			}
		})
		b.Run(c.name+"/restore", func(b *testing.B) {
			s.Save(&state)
			for range b.N {
				b.StopTimer()
				s.Step()
				b.StartTimer()
				s.Restore(&state)
			}
		})
	}
}

// BenchmarkGrowth makes steps of towers of ten boxes each that are awake. The time of a step in
// proportion to the bodies shows how it grows.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{1000, 5000, 20000} {
		s := newScene(b)
		s.Settings.SleepSpeed = 0
		for i := range n {
			s.add(rigid.Body{}, box(0.5), geom.At(float32(i/10%50)*2-50, 0.5+float32(i%10), float32(i/500)*2-50))
		}
		s.steps(30)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				s.Step()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/body")
		})
	}
}

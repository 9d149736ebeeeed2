package systemtest

import (
	"testing"

	"github.com/jakecoffman/cp/v2"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// pyramidRows is the number of rows of the pyramid: 5,050 boxes of half a metre.
const pyramidRows = 100

// eachBox calls do with the middle of each box of the pyramid of Box2D's benchmark.
func eachBox(do func(x, y float64)) {
	const half, shift = 0.5, 1.0
	for i := range pyramidRows {
		y := (2*float64(i) + 1) * half * shift
		for j := i; j < pyramidRows; j++ {
			x := (float64(i)+1)*half*shift + 2*(float64(j)-float64(i))*half*shift - half*pyramidRows
			do(x, y)
		}
	}
}

// BenchmarkFlatPyramid is a step of a pyramid of 5,050 boxes, in the mean over the 199 after the
// first, in which memory grows, as in Box2D's benchmark. Nothing sleeps.
func BenchmarkFlatPyramid(b *testing.B) {
	const steps = 199
	b.Run("hitscan", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s := physics.NewPlanarSpace()
			s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(100, 1, 0)}, Transform: geom.At(0, -1, 0), Static: true})
			d := rigid.New(s)
			eachBox(func(x, y float64) {
				id := s.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(0.5, 0.5, 0)}, Transform: geom.At(float32(x), float32(y), 0)})
				if _, err := d.Add(rigid.Body{NoSleep: true}, id); err != nil {
					b.Fatal(err)
				}
			})
			d.Step()
			b.StartTimer()
			for range steps {
				d.Step()
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/steps/1000, "ms/step")
	})
	b.Run("chipmunk", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s := cp.NewSpace()
			s.Iterations = 10
			s.SetGravity(cp.Vector{Y: -9.81})
			ground := s.AddShape(cp.NewPolyShapeRaw(s.StaticBody, 4, []cp.Vector{{X: -100, Y: -2}, {X: 100, Y: -2}, {X: 100}, {X: -100}}, 0))
			ground.SetFriction(0.6)
			eachBox(func(x, y float64) {
				body := s.AddBody(cp.NewBody(1, cp.MomentForBox(1, 1, 1)))
				body.SetPosition(cp.Vector{X: x, Y: y})
				s.AddShape(cp.NewBox(body, 1, 1, 0)).SetFriction(0.6)
			})
			s.Step(1.0 / 60)
			b.StartTimer()
			for range steps {
				s.Step(1.0 / 60)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/steps/1000, "ms/step")
	})
}

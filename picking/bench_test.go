package picking

import (
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// BenchmarkViewRay compares the formulas for a pixel's ray with the inverse of the matrix.
func BenchmarkViewRay(b *testing.B) {
	view := View{
		Camera{Position: geom.V(1, 2, 3), Rotation: geom.QuatEuler(0.3, 0.2, 0), Projection: Perspective(1, 0.1, 100)},
		FullViewport(Size{800, 600}, Size{1600, 1200}),
	}
	explicit := view
	explicit.Projection = ProjectionOf(view.Projection.Matrix(view.Aspect()), ClipMinusOneToOne)
	for _, bb := range []struct {
		name string
		view View
	}{{"formula", view}, {"inverse", explicit}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bb.view.Ray(300, 200)
			}
		})
	}
}

func BenchmarkViewProject(b *testing.B) {
	view := View{Camera{Projection: Perspective(1, 0.1, 100)}, FullViewport(Size{800, 600}, Size{1600, 1200})}
	b.ReportAllocs()
	for b.Loop() {
		view.Project(geom.V(1, 2, -10))
	}
}

// BenchmarkFrustumAABB compares the plane tests with the exact one, on a box that neither can
// reject early.
func BenchmarkFrustumAABB(b *testing.B) {
	f := FrustumOf(Perspective(1, 0.1, 100).Matrix(1), ClipMinusOneToOne)
	box := geom.AABBAround(geom.V(3, 0, -5), geom.V(1, 1, 1))
	b.Run("planes", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f.OverlapsAABB(box)
		}
	})
	b.Run("exact", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f.OverlapsAABBExact(box)
		}
	})
}

func BenchmarkPointerUpdate(b *testing.B) {
	var p Pointer[int]
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Update(Input{X: 1, Y: 1, Inside: true, Down: Buttons(i & 1)}, i&3, true)
	}
}

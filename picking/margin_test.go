package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestPixelDisc(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, 300)
		v := FullViewport(Size{side.Draw(t, "w"), side.Draw(t, "h")}, Size{side.Draw(t, "fw"), side.Draw(t, "fh")})
		margin := rapid.Float64Range(-1, 40).Draw(t, "margin")
		var d PixelDisc
		list := d.Offsets(v, margin)
		stepX := float64(v.Window.Width) / float64(v.Framebuffer.Width)
		stepY := float64(v.Window.Height) / float64(v.Framebuffer.Height)
		margin = min(margin, maxMargin*stepX, maxMargin*stepY)
		square := func(o PixelOffset) float64 {
			x, y := float64(o.X)*stepX, float64(o.Y)*stepY
			return float64(x*x) + float64(y*y)
		}
		seen := map[PixelOffset]bool{}
		for i, o := range list {
			require.False(t, seen[o])
			seen[o] = true
			if i > 0 {
				a, b := list[i-1], o
				less := square(a) < square(b) || square(a) == square(b) && (a.Y < b.Y || a.Y == b.Y && a.X < b.X)
				require.True(t, less, "%v before %v", a, b)
			}
		}
		for y := -maxMargin - 2; y <= maxMargin+2; y++ {
			for x := -maxMargin - 2; x <= maxMargin+2; x++ {
				o := PixelOffset{x, y}
				want := margin > 0 && (x != 0 || y != 0) && square(o) <= margin*margin
				require.Equal(t, want, seen[o], "%v", o)
				delete(seen, o)
			}
		}
		require.Empty(t, seen)
	})
}

func TestPixelDiscOfNothing(t *testing.T) {
	var d PixelDisc
	v := FullViewport(Size{10, 10}, Size{10, 10})
	for _, margin := range []float64{0, -1, math.NaN()} {
		assert.Empty(t, d.Offsets(v, margin))
	}
	assert.Empty(t, d.Offsets(Viewport{}, 5))
	assert.Len(t, d.Offsets(v, 1), 4)
	assert.Len(t, d.Offsets(v, math.Inf(1)), len(d.Offsets(v, maxMargin)))
	testenv.AllocatesNothing(t, 10, func() { d.Offsets(v, 5) })
}

// Every ray through a pixel of the disc lies in the frustum around it. Rays are rounded to single
// precision: at coordinates below 200 m, by less than 10⁻⁴ m.
func TestFrustumAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(8, 300)
		number := rapid.Float32Range(-50, 50)
		v := View{Viewport: FullViewport(Size{side.Draw(t, "w"), side.Draw(t, "h")}, Size{side.Draw(t, "fw"), side.Draw(t, "fh")})}
		v.LookAt(geom.V(number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z")), geom.V(100, 100, 100), geom.V(0, 1, 0))
		v.Projection = rapid.SampledFrom([]Projection{
			Perspective(1, 0.1, 100), Orthographic(10, 0.1, 100), Perspective(0.5, 0.1, math.Inf(1)).WithReversedDepth(),
			PerspectiveOffCenter(-0.1, 0.05, -0.02, 0.1, 0.1, 50).WithDepthZeroToOne(),
		}).Draw(t, "projection")
		px, py := rapid.IntRange(0, v.Width-1).Draw(t, "px"), rapid.IntRange(0, v.Height-1).Draw(t, "py")
		margin := rapid.Float64Range(0.1, 20).Draw(t, "margin")
		f := v.FrustumAround(px, py, margin)
		var d PixelDisc
		for _, o := range append(d.Offsets(v.Viewport, margin), PixelOffset{}) {
			r := v.PixelRay(px+o.X, py+o.Y)
			length := float32(20)
			if r.MaxT > 0 {
				length = r.MaxT
			}
			for _, at := range []float32{0.01, 0.5, 0.99} {
				p := r.At(at * length)
				require.True(t, f.ClassifySphere(geom.Sphere{Center: p, Radius: 1e-4}) != geom.Outside, "%v at %v", o, at)
			}
		}
		// The frustum is not the whole image: four times as far away it contains nothing.
		w := 4*int(min(margin, maxMargin)*float64(v.Framebuffer.Width)/float64(v.Window.Width)) + 16
		r := v.PixelRay(px+w, py)
		require.Equal(t, geom.Outside, f.ClassifySphere(geom.Sphere{Center: r.At(10), Radius: 1e-5}))
	})
	var zero View
	f := zero.FrustumAround(1, 1, 5)
	assert.Equal(t, geom.Outside, f.ClassifySphere(geom.Sphere{Radius: 1}))
	v := View{Viewport: FullViewport(Size{8, 8}, Size{8, 8})}
	v.Projection = Perspective(1, 0.1, 100)
	v.LookAt(geom.V(0, 0, 9), geom.Vec3{}, geom.V(0, 1, 0))
	for margin, want := range map[float64]bool{1: false, 0: true, -1: true, math.NaN(): true} {
		f = v.FrustumAround(4, 4, margin)
		assert.Equal(t, want, f.ClassifySphere(geom.Sphere{Radius: 1}) == geom.Outside, margin)
	}
}

func TestResized(t *testing.T) {
	small, large, dense := Size{10, 20}, Size{30, 40}, Size{60, 80}
	assert.Equal(t, FullViewport(large, dense), Viewport{}.Resized(large, dense), "never set")
	assert.Equal(t, FullViewport(large, dense), FullViewport(small, small).Resized(large, dense))
	part := Viewport{X: 1, Y: 2, Width: 3, Height: 4, Window: small, Framebuffer: small}
	want := part
	want.Window, want.Framebuffer = large, dense
	assert.Equal(t, want, part.Resized(large, dense))
}

func TestIsVisible(t *testing.T) {
	v := Viewport{X: -5, Y: 90, Width: 20, Height: 20, Window: Size{100, 100}, Framebuffer: Size{100, 100}}
	for p, want := range map[[2]int]bool{{0, 90}: true, {-1, 90}: false, {14, 99}: true, {15, 99}: false, {0, 100}: false, {0, 89}: false} {
		assert.Equal(t, want, v.IsVisible(p[0], p[1]), "%v", p)
	}
	v.X, v.Y = 90, -5
	for p, want := range map[[2]int]bool{{90, 0}: true, {99, 14}: true, {100, 14}: false, {90, -1}: false} {
		assert.Equal(t, want, v.IsVisible(p[0], p[1]), "%v", p)
	}
}

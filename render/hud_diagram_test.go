package render

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// The sum of a shape's pixels is its area, at any place, in any direction, and on dense screens.
func TestDiagramsHaveTheirArea(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	w := newWorld()
	white := RGB(0xffffff)
	turned := func(f func(x0, y0, x1, y1 float32)) func() {
		return func() { f(20.3, 70.8, 80.3, 30.8) } // 72.111 long
	}
	const length = 72.111
	for name, c := range map[string]struct {
		put   func()
		want  float64
		exact float64
	}{
		"upright line": {func() { r.HUD.Line(20, 50, 80, 50, 4, white) }, 60*4 + math.Pi*4, 3},
		"turned line":  {turned(func(a, b, c, d float32) { r.HUD.Line(a, b, c, d, 4, white) }), length*4 + math.Pi*4, 3},
		"backward":     {turned(func(a, b, c, d float32) { r.HUD.Line(c, d, a, b, 4, white) }), length*4 + math.Pi*4, 3},
		"thin line":    {turned(func(a, b, c, d float32) { r.HUD.Line(a, b, c, d, 1, white) }), length, 3},
		"dashes":       {func() { r.HUD.Dashed(20, 50, 80, 50, 2, 8, 4, white) }, 5 * (8*2 + math.Pi), 4},
		"no gap":       {func() { r.HUD.Dashed(20, 50, 80, 50, 4, 8, 0, white) }, 60*4 + math.Pi*4, 3},
		"dot":          {func() { r.HUD.Dot(50.4, 49.7, 30, white) }, math.Pi * 15 * 15, 4},
		"ring":         {func() { r.HUD.Ring(50.4, 49.7, 60, 5, white) }, math.Pi * (30*30 - 25*25), 8},
		"triangle":     {func() { r.HUD.Polygon(white, [2]float32{10, 10}, [2]float32{90, 20}, [2]float32{30, 80}) }, 2700, 30},
		"the other way round": {func() { r.HUD.Polygon(white, [2]float32{10, 10}, [2]float32{30, 80}, [2]float32{90, 20}) },
			2700, 30},
		"square": {func() {
			r.HUD.Polygon(white, [2]float32{10, 10}, [2]float32{90, 10}, [2]float32{90, 90}, [2]float32{10, 90})
		}, 6400, 0.5},
		"NaN": {func() { r.HUD.Line(float32(math.NaN()), 0, 50, 50, 4, white) }, 0, 0},
		"infinite": {func() {
			r.HUD.Ring(50, 50, float32(math.Inf(1)), 4, white)
			r.HUD.Dashed(0, 0, 3e38, 3e38, 1, 4, 4, white)
		}, 0, 0},
		"no width": {func() {
			r.HUD.Line(0, 0, 50, 50, 0, white)
			r.HUD.Dot(50, 50, -1, white)
			r.HUD.Ring(9, 9, 9, 0, white)
		}, 0, 0},
		"a segment": {func() { r.HUD.Polygon(white, [2]float32{10, 10}, [2]float32{90, 10}) }, 0, 0},
	} {
		for _, scale := range []int{1, 2} {
			v := viewFrom(geom.V(0, 0, 5), geom.Vec3{}, projection, wide(100*scale, 100*scale))
			v.Window = picking.Size{Width: 100, Height: 100}
			c.put()
			m := r.mustDraw(t, w, v)
			sum := 0.0
			for y := range 100 * scale {
				sum += rowLight(m, y, 0, 100*scale)
			}
			assert.InDelta(t, c.want, sum/float64(scale*scale), c.exact, "%s, scale %d", name, scale)
		}
	}
}

// A translucent polygon has one colour: no pixel is drawn twice where its triangles meet.
func TestPolygonIsEven(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	half := color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0x80}
	r.HUD.Polygon(half, [2]float32{10, 13}, [2]float32{70, 5}, [2]float32{95, 60}, [2]float32{60, 91}, [2]float32{7, 70})
	m := r.mustDraw(t, newWorld(), viewFrom(geom.V(0, 0, 5), geom.Vec3{}, projection, square(100)))
	seen := map[uint8]int{}
	for y := range 100 {
		for x := range 100 {
			seen[m.NRGBAAt(x, y).R]++
		}
	}
	assert.Len(t, seen, 2, "black and one grey")
	assert.Greater(t, seen[0x80], 4000)
}

func TestArrowPoints(t *testing.T) {
	h := &HUD{}
	shapes := h.frameOf(func() { h.Arrow(10, 10, 50, 10, 2, 8, RGB(0)) })
	assert.Len(t, shapes, 3)
	assert.Len(t, h.frameOf(func() { h.Arrow(10, 10, 10, 10, 2, 8, RGB(0)) }), 1, "nowhere to point to")
	assert.False(t, h.Contains(30, 10), "the pointer goes through")
}

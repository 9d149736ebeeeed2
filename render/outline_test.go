package render

import (
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

// Widths of outlines and lines, measured in images that show nothing else.

// rowLight returns the sum of a row of pixels, in white pixels; columnLight that of a column.
func rowLight(m *image.NRGBA, y, x0, x1 int) (sum float64) {
	for x := x0; x < x1; x++ {
		sum += float64(m.NRGBAAt(x, y).R) / 255
	}
	return sum
}

func columnLight(m *image.NRGBA, x, y0, y1 int) (sum float64) {
	for y := y0; y < y1; y++ {
		sum += float64(m.NRGBAAt(x, y).R) / 255
	}
	return sum
}

func TestOutlineWidth(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	const size = 400
	// Four samples resolve a quarter of a pixel.
	ball := func(w *world) physecs.Collider {
		return w.mesh(t, first(mesh.Icosphere(1, 4)), second(mesh.Icosphere(1, 4)))
	}
	cube := func(w *world) physecs.Collider {
		return w.mesh(t, first(mesh.Box(geom.V(1, 1, 1))), second(mesh.Box(geom.V(1, 1, 1))))
	}
	for name, collider := range map[string]func(w *world) physecs.Collider{
		"sphere":    func(*world) physecs.Collider { return physecs.Sphere(1) },
		"box":       func(*world) physecs.Collider { return physecs.Box(geom.V(1, 1, 1)) },
		"flat box":  func(*world) physecs.Collider { return physecs.Box(geom.V(1, 1, 0)) },
		"capsule":   func(*world) physecs.Collider { return physecs.Capsule(0.5, 0.5) },
		"mesh ball": ball,
		"mesh cube": cube,
		"hull ball": func(w *world) physecs.Collider { return w.hull(t, first(mesh.Icosphere(1, 4))) },
		"hull cube": func(w *world) physecs.Collider { return w.hull(t, first(mesh.Box(geom.V(1, 1, 1)))) },
	} {
		for _, scale := range []geom.Vec3{{X: 1, Y: 1, Z: 1}, {X: -1, Y: 0.8, Z: 1.2}} {
			w := newWorld()
			e := w.put(geom.Transform{Scale: scale}, collider(w), Paint(0x808080))
			hover(w, e)
			for _, width := range []float32{2, 3, 5} {
				for _, distance := range []float32{6, 11, 47, 180} {
					r.Style.OutlineWidth = width
					m := r.mustDraw(t, w, viewFrom(geom.V(0, 0, distance), geom.Vec3{}, projection, square(size)))
					for side, got := range map[string]float64{
						"left": rowLight(m, size/2, 0, size/2), "right": rowLight(m, size/2, size/2, size),
						"upper": columnLight(m, size/2, 0, size/2), "lower": columnLight(m, size/2, size/2, size),
					} {
						if math.Abs(got-float64(width)) > 0.3 {
							t.Errorf("%s at %g m, scale %v: the %s outline is %.2f pixels wide, not %g", name, distance, scale, side, got, width)
						}
					}
				}
			}
		}
	}
}

// With twice as many framebuffer pixels as window pixels, outlines are twice as wide in framebuffer
// pixels.
func TestOutlineWidthOnDenseScreens(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	w := newWorld()
	hover(w, w.put(geom.Transform{}, physecs.Sphere(1), Paint(0x808080)))
	v := viewFrom(geom.V(0, 0, 6), geom.Vec3{}, projection, square(400))
	v.Window = picking.Size{Width: 200, Height: 200}
	m := r.mustDraw(t, w, v)
	assert.InDelta(t, 2*float64(r.Style.OutlineWidth), rowLight(m, 200, 0, 200), 0.2)
}

func TestOutlineColoursAndHiddenParts(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	w := newWorld()
	ball := w.put(geom.Transform{}, physecs.Sphere(1), Paint(0x808080))
	other := w.put(geom.At(0, 0, -20), physecs.Sphere(0.1), Paint(0x808080))
	// In front of the right half.
	w.put(geom.At(2, 0, 3), physecs.Box(geom.V(2, 2, 0.1)), Paint(0x808080))
	v := viewFrom(geom.V(0, 0, 8), geom.Vec3{}, projection, square(400))

	m := r.mustDraw(t, w, v)
	assert.Zero(t, rowLight(m, 200, 0, 400), "nothing is hovered")

	hover(w, ball)
	m = r.mustDraw(t, w, v)
	save(t, r, "hidden")
	assert.InDelta(t, 3, rowLight(m, 200, 0, 200), 0.15)
	assert.InDelta(t, 3*float64(r.Style.HiddenOutline), rowLight(m, 200, 200, 400), 0.1, "dimmed where it is hidden")

	selection := resource[physecs.Selection](&w.World)
	selection.Set(ball)
	m = r.mustDraw(t, w, v)
	for x := range 200 {
		c := m.NRGBAAt(x, 200)
		assert.Zero(t, c.G, "what is selected and hovered is red")
	}
	assert.InDelta(t, 3, rowLight(m, 200, 0, 200), 0.15)

	hover(w, other) // behind the ball
	m = r.mustDraw(t, w, v)
	white := 0
	for x := range 400 {
		if c := m.NRGBAAt(x, 200); c.G > 60 {
			white++
		}
	}
	assert.Positive(t, white, "the outline of a hidden object is visible")

	r.Style.OutlineWidth = 0
	assert.Zero(t, rowLight(r.mustDraw(t, w, v), 200, 0, 400))
}

// The ground does not hide the lower outline of an object that stands on it.
func TestOutlineOnTheFloor(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	w := newWorld()
	w.put(geom.Transform{}, physecs.Plane(geom.V(0, 1, 0), 0), Paint(0x808080))
	hover(w, w.put(geom.At(0, 0.5, 0), physecs.Box(geom.V(0.5, 0.5, 0.5)), Paint(0x808080)))
	for _, height := range []float32{1.5, 4, 9} {
		m := r.mustDraw(t, w, viewFrom(geom.V(0, height, 8), geom.V(0, 0.5, 0), projection, square(400)))
		assert.InDelta(t, 3, columnLight(m, 200, 200, 400), 0.2, "from %g m above", height)
	}
}

func TestLineWidth(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	w := newWorld()
	for _, width := range []float32{1, 2, 5} {
		for _, distance := range []float32{2, 20, 300} {
			r.Lines.Width = width
			r.Lines.Segment(geom.V(0, -1000, 0), geom.V(0, 1000, 0), RGB(0xffffff))
			v := viewFrom(geom.V(0, 0, distance), geom.Vec3{}, projection, square(200))
			m := r.mustDraw(t, w, v)
			assert.InDelta(t, float64(width), rowLight(m, 100, 0, 200), 0.25, "at %g m", distance)
			assert.Zero(t, r.Lines.Len(), "drawn and forgotten")
		}
	}
	// A line that begins behind the camera.
	r.Lines.Width = 3
	r.Lines.Segment(geom.V(0.2, 0, 50), geom.V(0.2, 0, -50), RGB(0xffffff))
	m := r.mustDraw(t, w, viewFrom(geom.V(0, 0, 5), geom.Vec3{}, projection, square(200)))
	assert.InDelta(t, 3, columnLight(m, 150, 0, 200), 0.4)
	// A line entirely behind the camera.
	r.Lines.Segment(geom.V(0.2, 0, 50), geom.V(0.2, 0, 20), RGB(0xffffff))
	m = r.mustDraw(t, w, viewFrom(geom.V(0, 0, 5), geom.Vec3{}, projection, square(200)))
	for y := range 200 {
		require.Zero(t, rowLight(m, y, 0, 200))
	}
}

func TestHiddenLinesAreDimmed(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	w := newWorld()
	w.put(geom.At(3, 0, 0), physecs.Box(geom.V(3, 3, 0.1)), Paint(0x808080)) // the right half
	r.Lines.Width = 4
	r.Lines.Segment(geom.V(-3, 0, -2), geom.V(3, 0, -2), RGB(0xffffff))
	dimmed := r.Lines.Segments()[0].Hidden
	m := r.mustDraw(t, w, viewFrom(geom.V(0, 0, 8), geom.Vec3{}, projection, square(200)))
	assert.InDelta(t, 4, columnLight(m, 60, 0, 200), 0.3)
	assert.InDelta(t, 4*dimmed, columnLight(m, 130, 0, 200), 0.15)
}

func TestPointIsRound(t *testing.T) {
	r := newTestRenderer(t)
	r.Style = darkness()
	r.Lines.Point(geom.Vec3{}, 20, RGB(0xffffff))
	m := r.mustDraw(t, newWorld(), viewFrom(geom.V(0, 0, 8), geom.Vec3{}, projection, square(100)))
	sum := 0.0
	for y := range 100 {
		sum += rowLight(m, y, 0, 100)
	}
	assert.InDelta(t, math.Pi*100, sum, 8)
	assert.InDelta(t, 20, rowLight(m, 50, 0, 100), 0.5)
}

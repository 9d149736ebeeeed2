package picking

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A margin around the pointer makes objects that are too small or thin easier to hit: the pixels
// around the pointer are tested one by one, nearest first. The first that shows an object shows the
// nearest one in pixels, and no hidden object is found.

// PixelOffset is an offset from one framebuffer pixel to another, in framebuffer pixels, Y upward.
type PixelOffset struct{ X, Y int }

// PixelDisc lists the pixels around a pixel. The zero PixelDisc is ready for use. It caches its
// list for the next call.
type PixelDisc struct {
	list         []PixelOffset
	stepX, stepY float64
	margin       float64
}

// maxMargin is the largest margin used, in framebuffer pixels: its disc has 12,900 pixels, and each
// may cost a ray.
const maxMargin = 64

// Offsets returns the offsets to all pixels whose centres are within margin, in window pixels,
// except the pixel itself: nearest first, then the lowest, then the leftmost. A margin of more than
// 64 framebuffer pixels is cut to 64. The result is empty if the viewport is empty or margin is not
// positive. It is shared and valid until the next call.
//
// It allocates nothing as long as the margin and the sizes of window and framebuffer do not change.
func (d *PixelDisc) Offsets(v Viewport, margin float64) []PixelOffset {
	if v.IsEmpty() || !(margin > 0) {
		return nil
	}
	margin, stepX, stepY := v.margin(margin)
	if d.stepX == stepX && d.stepY == stepY && d.margin == margin {
		return d.list
	}
	d.stepX, d.stepY, d.margin = stepX, stepY, margin
	d.list = d.list[:0]
	w, h := int(margin/stepX), int(margin/stepY)
	for y := -h; y <= h; y++ {
		for x := -w; x <= w; x++ {
			o := PixelOffset{x, y}
			if distance := d.square(o); distance > 0 && distance <= margin*margin {
				d.list = append(d.list, o)
			}
		}
	}
	slices.SortStableFunc(d.list, func(a, b PixelOffset) int { return cmp.Compare(d.square(a), d.square(b)) })
	return d.list
}

// square returns the squared length of an offset, in window pixels.
func (d *PixelDisc) square(o PixelOffset) float64 {
	x, y := float64(o.X)*d.stepX, float64(o.Y)*d.stepY
	return float64(x*x) + float64(y*y)
}

// margin returns a margin limited to maxMargin, and the size of a framebuffer pixel on both axes,
// all in window pixels.
func (v Viewport) margin(m float64) (margin, stepX, stepY float64) {
	stepX = float64(v.Window.Width) / float64(v.Framebuffer.Width)
	stepY = float64(v.Window.Height) / float64(v.Framebuffer.Height)
	return math.Min(m, maxMargin*math.Min(stepX, stepY)), stepX, stepY
}

// IsVisible reports whether a framebuffer pixel, py counted from the bottom, is in both the
// viewport and the framebuffer.
func (v Viewport) IsVisible(px, py int) bool {
	return v.Contains(px, py) && px >= 0 && py >= 0 && px < v.Framebuffer.Width && py < v.Framebuffer.Height
}

// FrustumAround returns the frustum, in the world, of the square of pixels around a framebuffer
// pixel (py counted from the bottom) that contains all pixels within margin, in window pixels. It
// is two pixels wider on each side, since rays are rounded to single precision. With an empty
// viewport or a margin that is not positive it contains nothing.
func (v View) FrustumAround(px, py int, margin float64) geom.Frustum {
	const more = 2
	if v.IsEmpty() || !(margin > 0) {
		return FrustumOf(geom.Mat4{}, v.Projection.clip)
	}
	margin, stepX, stepY := v.margin(margin)
	w, h := math.Floor(margin/stepX)+more, math.Floor(margin/stepY)+more
	x0, y0 := v.toClip(float64(px)+0.5-w, float64(py)+0.5-h)
	x1, y1 := v.toClip(float64(px)+0.5+w, float64(py)+0.5+h)
	// zoom stretches the square to the whole of clip space.
	zoom := geom.Mat4{
		0: 2 / (x1 - x0), 5: 2 / (y1 - y0), 10: 1, 15: 1,
		12: -(x0 + x1) / (x1 - x0), 13: -(y0 + y1) / (y1 - y0),
	}
	return FrustumOf(zoom.Mul(v.Camera.Matrix(v.Aspect())), v.Projection.clip)
}

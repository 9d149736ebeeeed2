package picking

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// What is near the pointer, for things that are too small or thin to be met exactly: the pixels
// around it are looked at one by one, nearest first, so that the first that shows something shows
// what is nearest in pixels, and nothing that is hidden.

// PixelOffset is a step from one framebuffer pixel to another, Y counted upward.
type PixelOffset struct{ X, Y int }

// PixelDisc lists the pixels around a pixel. The zero PixelDisc is ready; it keeps its list for the
// next call.
type PixelDisc struct {
	list         []PixelOffset
	stepX, stepY float64
	margin       float64
}

// maxMargin is the largest margin that counts, in framebuffer pixels: a circle of it has 12,900 of
// them.
const maxMargin = 64

// Offsets returns the steps to all pixels whose centres are no further away than margin, in the
// units of the window, but for the pixel itself: nearest first, and of equals the lowest, then the
// leftmost. A margin of more than 64 pixels is cut down to that. It is shared and valid
// until the next call.
//
// It allocates nothing as long as the margin and the sizes of window and framebuffer stay as they
// are.
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

// square returns the square of the length of a step, in the units of the window.
func (d *PixelDisc) square(o PixelOffset) float64 {
	x, y := float64(o.X)*d.stepX, float64(o.Y)*d.stepY
	return float64(x*x) + float64(y*y)
}

// margin returns a margin cut down to what counts, and the size of a pixel on both axes, in the
// units of the window.
func (v Viewport) margin(m float64) (margin, stepX, stepY float64) {
	stepX = float64(v.Window.Width) / float64(v.Framebuffer.Width)
	stepY = float64(v.Window.Height) / float64(v.Framebuffer.Height)
	return math.Min(m, maxMargin*math.Min(stepX, stepY)), stepX, stepY
}

// IsVisible reports whether a framebuffer pixel, py counted from the bottom, is in the viewport and
// in the framebuffer.
func (v Viewport) IsVisible(px, py int) bool {
	return v.Contains(px, py) && px >= 0 && py >= 0 && px < v.Framebuffer.Width && py < v.Framebuffer.Height
}

// FrustumAround returns what is seen of the world in the square around a framebuffer pixel that
// holds all pixels within a margin, in the units of the window, and a few more: rays are rounded.
func (v View) FrustumAround(px, py int, margin float64) geom.Frustum {
	const more = 2
	if v.IsEmpty() || !(margin > 0) {
		return FrustumOf(geom.Mat4{}, v.Projection.clip)
	}
	margin, stepX, stepY := v.margin(margin)
	w, h := math.Floor(margin/stepX)+more, math.Floor(margin/stepY)+more
	x0, y0 := v.toClip(float64(px)+0.5-w, float64(py)+0.5-h)
	x1, y1 := v.toClip(float64(px)+0.5+w, float64(py)+0.5+h)
	// The square, of all the picture, is stretched to be all.
	zoom := geom.Mat4{
		0: 2 / (x1 - x0), 5: 2 / (y1 - y0), 10: 1, 15: 1,
		12: -(x0 + x1) / (x1 - x0), 13: -(y0 + y1) / (y1 - y0),
	}
	return FrustumOf(zoom.Mul(v.Camera.Matrix(v.Aspect())), v.Projection.clip)
}

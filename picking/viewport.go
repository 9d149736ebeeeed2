package picking

import "math"

// Size is a width and a height: of a window in window pixels (the unit of its cursor), or of a
// framebuffer in framebuffer pixels.
type Size struct{ Width, Height int }

// Viewport is the part of a framebuffer that a camera's image fills, together with the sizes that
// map a cursor to a pixel.
//
// A window has two sizes: the cursor is counted in window pixels, the image in framebuffer pixels.
// The factor between them may be any number and may differ between the axes. The window system's
// content scale is neither factor and is never used.
type Viewport struct {
	// The rectangle in framebuffer pixels: X and Y are its lower left corner, Y counted from the
	// bottom, as in glViewport.
	X, Y, Width, Height int

	Window      Size // window pixels
	Framebuffer Size // framebuffer pixels; 0 × 0 while the window is minimised
}

// FullViewport returns the viewport that fills the whole framebuffer of a window. The sizes are in
// window pixels and framebuffer pixels.
func FullViewport(window, framebuffer Size) Viewport {
	return Viewport{Width: framebuffer.Width, Height: framebuffer.Height, Window: window, Framebuffer: framebuffer}
}

// IsEmpty reports whether the viewport shows nothing: a width or height of the viewport, the window
// or the framebuffer is not positive, as while a window is minimised.
func (v Viewport) IsEmpty() bool {
	return v.Width <= 0 || v.Height <= 0 || v.Window.Width <= 0 || v.Window.Height <= 0 ||
		v.Framebuffer.Width <= 0 || v.Framebuffer.Height <= 0
}

// Aspect returns width divided by height, in framebuffer pixels; 0 if the viewport is empty.
func (v Viewport) Aspect() float64 {
	if v.Width <= 0 || v.Height <= 0 {
		return 0
	}
	return float64(v.Width) / float64(v.Height)
}

// Pixel returns the framebuffer pixel under the cursor: cx and cy in window pixels, Y downward, py
// counted from the bottom. ok is false if the pixel is outside the viewport or the framebuffer, or
// the viewport is empty.
//
// Pixel px covers the cursors from px·window/framebuffer up to, but not including,
// (px+1)·window/framebuffer.
func (v Viewport) Pixel(cx, cy float64) (px, py int, ok bool) {
	if v.IsEmpty() {
		return 0, 0, false
	}
	x := math.Floor(cx * float64(v.Framebuffer.Width) / float64(v.Window.Width))
	down := math.Floor(cy * float64(v.Framebuffer.Height) / float64(v.Window.Height))
	// Compared as floats: the conversion of NaN or a large number to int is undefined.
	if !(x >= 0 && x < float64(v.Framebuffer.Width) && down >= 0 && down < float64(v.Framebuffer.Height)) {
		return 0, 0, false
	}
	px, py = int(x), v.Framebuffer.Height-1-int(down)
	return px, py, v.Contains(px, py)
}

// Contains reports whether a framebuffer pixel, py counted from the bottom, is in the viewport's
// rectangle.
func (v Viewport) Contains(px, py int) bool {
	return px >= v.X && px-v.X < v.Width && py >= v.Y && py-v.Y < v.Height
}

// Cursor returns the cursor, in window pixels, Y downward, at the centre of a framebuffer pixel, py
// counted from the bottom. It is the inverse of [Viewport.Pixel]. The pixel may lie outside the
// viewport. Both results are NaN or infinite if the framebuffer is empty.
func (v Viewport) Cursor(px, py int) (cx, cy float64) {
	return v.toWindow(float64(px)+0.5, float64(py)+0.5)
}

// toWindow maps a place in the framebuffer, in pixels from its lower left corner, to window pixels.
// toFramebuffer is its inverse.
func (v Viewport) toWindow(x, y float64) (cx, cy float64) {
	return x * float64(v.Window.Width) / float64(v.Framebuffer.Width),
		(float64(v.Framebuffer.Height) - y) * float64(v.Window.Height) / float64(v.Framebuffer.Height)
}

func (v Viewport) toFramebuffer(cx, cy float64) (x, y float64) {
	return cx * float64(v.Framebuffer.Width) / float64(v.Window.Width),
		float64(v.Framebuffer.Height) - float64(cy*float64(v.Framebuffer.Height)/float64(v.Window.Height))
}

// toClip maps a place in the framebuffer to clip space after the division by w: −1 to 1 over the
// viewport, Y upward. fromClip is its inverse.
func (v Viewport) toClip(x, y float64) (float64, float64) {
	return float64(2*(x-float64(v.X))/float64(v.Width)) - 1, float64(2*(y-float64(v.Y))/float64(v.Height)) - 1
}

func (v Viewport) fromClip(x, y float64) (float64, float64) {
	return float64(v.X) + float64((x+1)/2*float64(v.Width)), float64(v.Y) + float64((y+1)/2*float64(v.Height))
}

// Resized returns the viewport after the window and the framebuffer have changed their sizes
// (window pixels, framebuffer pixels). A viewport that filled its framebuffer, or the zero
// Viewport, fills the new one; any other keeps its rectangle.
func (v Viewport) Resized(window, framebuffer Size) Viewport {
	if v == (Viewport{Window: v.Window, Framebuffer: v.Framebuffer}) || v == FullViewport(v.Window, v.Framebuffer) {
		return FullViewport(window, framebuffer)
	}
	v.Window, v.Framebuffer = window, framebuffer
	return v
}

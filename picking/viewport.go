package picking

import "math"

// Size is a width and a height: of a window in the units of its cursor, or of a framebuffer in
// pixels.
type Size struct{ Width, Height int }

// Viewport is the part of a framebuffer that a camera's picture fills, together with what it takes
// to find the pixel under a cursor.
//
// A window has two sizes: its cursor is counted in one, its framebuffer in the other. They may
// differ by any factor, and by another one on each axis; the content scale of the window system is
// neither and is never used.
type Viewport struct {
	// The rectangle in framebuffer pixels; X and Y are its lower left corner, Y counted from the
	// bottom, as glViewport has it.
	X, Y, Width, Height int

	Window      Size // as the cursor is counted; Y runs downward
	Framebuffer Size // in pixels; 0 × 0 while a window is minimised
}

// FullViewport returns the viewport that fills the whole framebuffer.
func FullViewport(window, framebuffer Size) Viewport {
	return Viewport{Width: framebuffer.Width, Height: framebuffer.Height, Window: window, Framebuffer: framebuffer}
}

// IsEmpty reports whether there is nothing to be seen: a width or a height is not positive, as
// while a window is minimised.
func (v Viewport) IsEmpty() bool {
	return v.Width <= 0 || v.Height <= 0 || v.Window.Width <= 0 || v.Window.Height <= 0 ||
		v.Framebuffer.Width <= 0 || v.Framebuffer.Height <= 0
}

// Aspect returns how many times as wide as high the viewport is; 0 if it is empty.
func (v Viewport) Aspect() float64 {
	if v.Width <= 0 || v.Height <= 0 {
		return 0
	}
	return float64(v.Width) / float64(v.Height)
}

// Pixel returns the framebuffer pixel under the cursor, py counted from the bottom. ok is false if
// that pixel is outside the viewport or of the framebuffer, or the viewport is empty.
//
// The cursor is at a place between pixels: from px·window/framebuffer on, up to but without the
// next one, it is over px.
func (v Viewport) Pixel(cx, cy float64) (px, py int, ok bool) {
	if v.IsEmpty() {
		return 0, 0, false
	}
	x := math.Floor(cx * float64(v.Framebuffer.Width) / float64(v.Window.Width))
	down := math.Floor(cy * float64(v.Framebuffer.Height) / float64(v.Window.Height))
	// Compared before they become integers: a NaN or a large number has no meaning as one.
	if !(x >= 0 && x < float64(v.Framebuffer.Width) && down >= 0 && down < float64(v.Framebuffer.Height)) {
		return 0, 0, false
	}
	px, py = int(x), v.Framebuffer.Height-1-int(down)
	return px, py, v.Contains(px, py)
}

// Contains reports whether a framebuffer pixel, py counted from the bottom, is in the viewport.
func (v Viewport) Contains(px, py int) bool {
	return px >= v.X && px-v.X < v.Width && py >= v.Y && py-v.Y < v.Height
}

// Cursor returns where the cursor is at the centre of a framebuffer pixel, py counted from the
// bottom. The pixel may lie outside the viewport. It is the inverse of [Viewport.Pixel]. Both are
// NaN or infinite if the framebuffer is empty.
func (v Viewport) Cursor(px, py int) (cx, cy float64) {
	return v.toWindow(float64(px)+0.5, float64(py)+0.5)
}

// toWindow turns a place in the framebuffer, in pixels from its lower left corner, into one in the
// window, and toFramebuffer turns it back.
func (v Viewport) toWindow(x, y float64) (cx, cy float64) {
	return x * float64(v.Window.Width) / float64(v.Framebuffer.Width),
		(float64(v.Framebuffer.Height) - y) * float64(v.Window.Height) / float64(v.Framebuffer.Height)
}

func (v Viewport) toFramebuffer(cx, cy float64) (x, y float64) {
	return cx * float64(v.Framebuffer.Width) / float64(v.Window.Width),
		float64(v.Framebuffer.Height) - float64(cy*float64(v.Framebuffer.Height)/float64(v.Window.Height))
}

// toClip turns a place in the framebuffer into one of the picture, −1 to 1 to the right and upward,
// and fromClip turns it back.
func (v Viewport) toClip(x, y float64) (float64, float64) {
	return float64(2*(x-float64(v.X))/float64(v.Width)) - 1, float64(2*(y-float64(v.Y))/float64(v.Height)) - 1
}

func (v Viewport) fromClip(x, y float64) (float64, float64) {
	return float64(v.X) + float64((x+1)/2*float64(v.Width)), float64(v.Y) + float64((y+1)/2*float64(v.Height))
}

// Resized returns the viewport for a window and a framebuffer that have changed their sizes. One
// that filled its framebuffer, or was never set, fills the new one; another one keeps its place and
// size.
func (v Viewport) Resized(window, framebuffer Size) Viewport {
	if v == (Viewport{Window: v.Window, Framebuffer: v.Framebuffer}) || v == FullViewport(v.Window, v.Framebuffer) {
		return FullViewport(window, framebuffer)
	}
	v.Window, v.Framebuffer = window, framebuffer
	return v
}

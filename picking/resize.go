package picking

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

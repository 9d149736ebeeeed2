package render

import (
	"fmt"
	"image"
	"image/png"
	"os"

	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// Image returns the last frame as [Window.Present] shows it, HUD included, with the upper left
// pixel first; its size is that of the framebuffer. It is read from the renderer's own framebuffer,
// so it is complete even if the window is covered or hidden. It is nil if nothing has been drawn.
func (r *Renderer) Image() *image.NRGBA {
	if r.resolved.id == 0 {
		return nil
	}
	size := r.resolved.size
	m := image.NewNRGBA(image.Rect(0, 0, size.Width, size.Height))
	r.resolved.bind()
	gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
	gl.ReadPixels(int32(size.Width), int32(size.Height), gl.RGBA, gl.UNSIGNED_BYTE, m.Pix)
	flipRows(m.Pix, m.Stride)
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255 // blending leaves arbitrary alpha
	}
	return m
}

// flipRows flips an image vertically: OpenGL's first row is the lowest.
func flipRows(pix []byte, stride int) {
	row := make([]byte, stride)
	for lo, hi := 0, len(pix)-stride; lo < hi; lo, hi = lo+stride, hi-stride {
		copy(row, pix[lo:])
		copy(pix[lo:lo+stride], pix[hi:])
		copy(pix[hi:hi+stride], row)
	}
}

// Screenshot writes the last frame to a PNG file. It returns an error that names the file if
// nothing has been drawn or the file cannot be written. See [Renderer.Image].
func (r *Renderer) Screenshot(file string) (err error) {
	m := r.Image()
	if m == nil {
		return fmt.Errorf("render: Renderer.Screenshot: %s: nothing has been drawn yet", file)
	}
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("render: Renderer.Screenshot: %w", err)
	}
	defer func() {
		if e := f.Close(); err == nil && e != nil {
			err = fmt.Errorf("render: Renderer.Screenshot: %w", e)
		}
	}()
	if err := png.Encode(f, m); err != nil {
		return fmt.Errorf("render: Renderer.Screenshot: %s: %w", file, err)
	}
	return nil
}

package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"

	"golang.org/x/image/vector"
)

// recorder writes the frames of a script to a folder. It draws the cursor, which the window system
// does not include in a frame.
type recorder struct {
	dir   string
	count int
}

// record writes the last frame of a as dir/0001.png and so on.
func (r *recorder) record(a *app) error {
	if r.count == 0 {
		if err := os.MkdirAll(r.dir, 0o777); err != nil {
			return err
		}
	}
	m := a.renderer.Image()
	if m == nil {
		return fmt.Errorf("-frames: no picture")
	}
	view := a.view()
	x, y, inside := a.window.Cursor()
	if inside {
		scale := float64(view.Framebuffer.Width) / float64(view.Window.Width)
		down, _ := a.window.Buttons()
		drawCursor(m, x*scale, y*scale, scale, down != 0)
	}
	r.count++
	f, err := os.Create(filepath.Join(r.dir, fmt.Sprintf("%04d.png", r.count)))
	if err != nil {
		return err
	}
	defer f.Close()
	encoder := png.Encoder{CompressionLevel: png.BestSpeed} // pictures on the way to another format
	if err := encoder.Encode(f, m); err != nil {
		return err
	}
	return f.Close()
}

// arrow is the outline of a cursor, in pixels from its tip.
var arrow = [...][2]float32{{0, 0}, {0, 17}, {3.9, 13.4}, {6.6, 19.4}, {9.3, 18.2}, {6.7, 12.4}, {12, 12}}

// drawCursor draws an arrow with its tip at a place of a picture; a ring marks a pressed button.
func drawCursor(m draw.Image, x, y, scale float64, pressed bool) {
	const size = 1.25 // of the usual cursor: pictures are often shown smaller than they are
	s := float32(scale * size)
	cx, cy := float32(x), float32(y)
	if pressed {
		fill(m, color.NRGBA{0x1E, 0x88, 0xFF, 0x58}, func(z *vector.Rasterizer) { disc(z, cx, cy, 13*s) })
	}
	outline := func(grow float32) func(z *vector.Rasterizer) {
		return func(z *vector.Rasterizer) {
			for i, p := range arrow {
				// Grown from a point inside the arrow, which is exact enough for an edge of a
				// pixel.
				px, py := cx+s*(p[0]+grow*(p[0]-3.4)), cy+s*(p[1]+grow*(p[1]-9.5))
				if i == 0 {
					z.MoveTo(px, py)
				} else {
					z.LineTo(px, py)
				}
			}
			z.ClosePath()
		}
	}
	fill(m, color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}, outline(0.3))
	fill(m, color.NRGBA{0x14, 0x18, 0x1E, 0xFF}, outline(0))
}

func fill(m draw.Image, c color.NRGBA, path func(z *vector.Rasterizer)) {
	size := m.Bounds().Size()
	z := vector.NewRasterizer(size.X, size.Y)
	path(z)
	z.Draw(m, m.Bounds(), image.NewUniform(c), image.Point{})
}

// disc adds a circle of four curves.
func disc(z *vector.Rasterizer, x, y, r float32) {
	const k = 0.5523 // where the control points of a quarter circle go
	z.MoveTo(x+r, y)
	z.CubeTo(x+r, y+k*r, x+k*r, y+r, x, y+r)
	z.CubeTo(x-k*r, y+r, x-r, y+k*r, x-r, y)
	z.CubeTo(x-r, y-k*r, x-k*r, y-r, x, y-r)
	z.CubeTo(x+k*r, y-r, x+r, y-k*r, x+r, y)
	z.ClosePath()
}

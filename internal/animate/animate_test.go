package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// movie is a square that wanders over a gradient and rests for a while.
func movie() []*image.RGBA {
	var frames []*image.RGBA
	for _, at := range []int{0, 5, 10, 10, 10, 20} {
		m := image.NewRGBA(image.Rect(0, 0, 64, 48))
		for y := range 48 {
			for x := range 64 {
				m.SetRGBA(x, y, color.RGBA{uint8(120 + x), uint8(140 + y), 200, 255})
			}
		}
		draw.Draw(m, image.Rect(at, 8, at+9, 17), image.NewUniform(color.RGBA{230, 30, 60, 255}), image.Point{}, draw.Src)
		frames = append(frames, m)
	}
	return frames
}

func TestEncode(t *testing.T) {
	const tolerance = 6
	frames := movie()
	g := encode(frames, 15, tolerance)
	var buffer bytes.Buffer
	require.NoError(t, gif.EncodeAll(&buffer, g))
	back, err := gif.DecodeAll(&buffer)
	require.NoError(t, err)

	require.Len(t, back.Image, 4, "three frames are the same and become one picture")
	assert.Equal(t, []int{6, 7, 20, 7}, back.Delay, "together as long as six frames at 15 a second")
	assert.Less(t, back.Image[1].Rect.Dx(), 20, "only the square is drawn anew")

	// Played as a browser does, it looks like the frames, but for dithering and tolerance.
	screen := image.NewRGBA(frames[0].Rect)
	next := 0
	for n, want := range frames {
		if n < 3 || n == 5 {
			draw.Draw(screen, back.Image[next].Rect, back.Image[next], back.Image[next].Rect.Min, draw.Over)
			next++
		}
		for i := range want.Pix {
			require.InDelta(t, want.Pix[i], screen.Pix[i], tolerance+8, "frame %d, byte %d", n, i)
		}
	}
}

func TestPaletteKeepsFewColors(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 30, 30))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{200, 210, 220, 255}), image.Point{}, draw.Src)
	m.SetRGBA(3, 4, color.RGBA{255, 0, 10, 255})
	m.SetRGBA(9, 9, color.RGBA{10, 20, 30, 255})
	assert.ElementsMatch(t, color.Palette{
		color.RGBA{200, 210, 220, 255}, color.RGBA{255, 0, 10, 255}, color.RGBA{10, 20, 30, 255},
	}, makePalette([]*image.RGBA{m}, 255))
	assert.Len(t, makePalette(movie(), 16), 16)
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.gif")
	require.ErrorContains(t, run(dir, out, 32, 15, 1000, 6), "no PNG files")
	for i, m := range movie() {
		f, err := os.Create(filepath.Join(dir, string(rune('a'+i))+".png"))
		require.NoError(t, err)
		require.NoError(t, png.Encode(f, m))
		require.NoError(t, f.Close())
	}
	require.NoError(t, run(dir, out, 32, 15, 1000, 6))
	f, err := os.Open(out)
	require.NoError(t, err)
	defer f.Close()
	g, err := gif.DecodeAll(f)
	require.NoError(t, err)
	assert.Equal(t, 32, g.Config.Width)
	assert.Equal(t, 24, g.Config.Height)
	assert.Equal(t, 107, g.Delay[len(g.Delay)-1])
	require.NoError(t, os.WriteFile(filepath.Join(dir, "z.png"), []byte("no picture"), 0o666))
	require.ErrorContains(t, run(dir, out, 32, 15, 1000, 6), "z.png")
}

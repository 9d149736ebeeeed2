package main

import (
	"image"
	"image/color"
	"image/gif"
)

// transparent is the index of pixels that stay as they are; colours follow.
const transparent = 0

// encode makes an animation of frames of one size. A pixel is drawn anew only if it is off by more
// than tolerance, and frames in which nothing is are not stored: the one before stays longer.
func encode(frames []*image.RGBA, fps, tolerance int) *gif.GIF {
	colors := makePalette(frames, 255)
	q := newQuantizer(colors)
	palette := append(color.Palette{color.RGBA{}}, colors...)
	bounds := frames[0].Rect
	shown := make([]uint8, bounds.Dx()*bounds.Dy()) // what is on the screen; 0: nothing yet
	g := &gif.GIF{Config: image.Config{ColorModel: palette, Width: bounds.Dx(), Height: bounds.Dy()}}
	clock := 0 // hundredths of a second that have been given out
	for n, m := range frames {
		delay := (n+1)*100/fps - clock
		clock += delay
		picture := image.NewPaletted(bounds, palette)
		changed := q.draw(picture, shown, m, tolerance)
		if changed.Empty() {
			g.Delay[len(g.Delay)-1] += delay
			continue
		}
		g.Image = append(g.Image, picture.SubImage(changed).(*image.Paletted))
		g.Delay = append(g.Delay, delay)
		g.Disposal = append(g.Disposal, gif.DisposalNone)
	}
	return g
}

// quantizer finds the nearest colour of a palette, by a table of 6 bits a channel.
type quantizer struct {
	colors [][3]int
	table  []uint8 // index into colors
}

func newQuantizer(p color.Palette) *quantizer {
	q := &quantizer{table: make([]uint8, 1<<18)}
	wide := make([][3]float64, len(p))
	for i, c := range p {
		c := c.(color.RGBA)
		q.colors = append(q.colors, [3]int{int(c.R), int(c.G), int(c.B)})
		wide[i] = [3]float64{float64(c.R), float64(c.G), float64(c.B)}
	}
	for i := range q.table {
		// The middle of the cell.
		cell := [3]float64{float64(i>>12<<2) + 1.5, float64(i>>6&63<<2) + 1.5, float64(i&63<<2) + 1.5}
		q.table[i] = uint8(nearest(wide, cell))
	}
	return q
}

// bayer are the thresholds of ordered dithering (Bayer 1973). They stand still while things move,
// which error diffusion does not, and so what stands still behind them costs nothing.
var bayer = [4][4]int{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}

// dither is how far thresholds reach to both sides, in steps of a channel: about half the distance
// of neighbouring colours.
const dither = 2

// draw draws what differs in a frame from what is shown, notes it there, and returns the rectangle
// around it.
func (q *quantizer) draw(to *image.Paletted, shown []uint8, m *image.RGBA, tolerance int) image.Rectangle {
	size := m.Rect.Size()
	changed := image.Rectangle{}
	for y := range size.Y {
		row := m.Pix[y*m.Stride:]
		for x := range size.X {
			at := y*size.X + x
			c := [3]int{int(row[4*x]), int(row[4*x+1]), int(row[4*x+2])}
			if s := shown[at]; s != transparent && near(q.colors[s-1], c, tolerance) {
				continue
			}
			d := (2*bayer[y&3][x&3] - 15) * dither / 15
			i := 0
			for _, v := range c {
				i = i<<6 | min(max(v+d, 0), 255)>>2
			}
			index := q.table[i] + 1
			if index == shown[at] {
				continue
			}
			shown[at] = index
			to.Pix[y*to.Stride+x] = index
			changed = changed.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	return changed
}

func near(a, b [3]int, tolerance int) bool {
	for i := range a {
		if d := a[i] - b[i]; d > tolerance || d < -tolerance {
			return false
		}
	}
	return true
}

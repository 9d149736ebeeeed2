package lines

import (
	"image/color"
	"iter"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Level is the box of a tree's node and its depth, 0 at the root.
type Level struct {
	Bounds geom.AABB
	Level  int
}

// Levels draws boxes of a tree, transformed to the world by m, each in the colour of its level:
// from blue at the root to red at level deepest. Deeper boxes are left out. The lines are thinner
// than others, since there are many.
func (l *List) Levels(boxes iter.Seq[Level], m geom.Affine, deepest int) {
	width := l.Width
	defer func() { l.Width = width }()
	l.Width = 0.7 * l.width()
	for b := range boxes {
		if b.Level > deepest || b.Bounds.IsEmpty() {
			continue
		}
		center := m.Point(b.Bounds.Center())
		if !center.IsFinite() {
			continue
		}
		l.Edges(geom.Affine{X: m.X, Y: m.Y, Z: m.Z, Origin: center}, b.Bounds.HalfExtents(), levelColor(b.Level, deepest))
	}
}

// levelColor returns the colour of a tree level from 0 to deepest: blue at the root, red and
// fainter at the deepest, which has the most boxes.
func levelColor(level, deepest int) color.NRGBA {
	t := float32(1)
	if deepest > 0 {
		t = float32(level) / float32(deepest)
	}
	return WithAlpha(ramp(t), 0.95-float32(0.5*min(max(t, 0), 1)))
}

// ramp returns a colour for a number from 0 to 1: blue, green, yellow, red, of about the same
// lightness.
func ramp(t float32) color.NRGBA {
	t = min(max(t, 0), 1)
	stops := [...]color.NRGBA{RGB(0x4C8DFF), RGB(0x2FC6C8), RGB(0x6FD66A), RGB(0xF0C94A), RGB(0xF07F4A), RGB(0xE8507A)}
	x := float32(t * float32(len(stops)-1))
	i := min(int(x), len(stops)-2)
	f := x - float32(i)
	mix := func(a, b uint8) uint8 { return uint8(float32(float32(a)*(1-f)) + float32(float32(b)*f) + 0.5) }
	a, b := stops[i], stops[i+1]
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}
}

// RGB returns the opaque sRGB colour 0xRRGGBB.
func RGB(rgb uint32) color.NRGBA {
	return color.NRGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 255}
}

// WithAlpha returns a colour with another opacity, clamped to 0…1.
func WithAlpha(c color.NRGBA, alpha float32) color.NRGBA {
	c.A = uint8(float32(min(max(alpha, 0), 1)*255) + 0.5)
	return c
}

package render

import (
	"image/color"
	"math"
)

// Material is the component of an entity that is to be drawn. What is drawn is its collider. The
// zero Material is not visible, because its Color is fully transparent; start from [Paint].
type Material struct {
	// Color is how the surface looks in white light, in sRGB. Where A is less than 255 it is seen
	// through, as the walls of a zone are, and casts no shadow; where A is 0 it is not drawn.
	// Planes are always opaque.
	Color color.NRGBA
	// Gloss is how sharply the surface mirrors the light: 0 is chalk, 1 is lacquer.
	Gloss float32
}

// Paint returns a material of a colour given as 0xRRGGBB, with a silky surface.
func Paint(rgb uint32) Material { return Material{Color: RGB(rgb), Gloss: 0.35} }

// RGB returns the opaque colour 0xRRGGBB.
func RGB(rgb uint32) color.NRGBA {
	return color.NRGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 255}
}

// WithAlpha returns a colour with another opacity, 0 to 1.
func WithAlpha(c color.NRGBA, alpha float32) color.NRGBA {
	c.A = uint8(min(max(alpha, 0), 1)*255 + 0.5)
	return c
}

// ramp returns a colour for a number between 0 and 1, from blue over green and yellow to red,
// bright and of about the same lightness throughout, such as for the levels of a tree.
func ramp(t float32) color.NRGBA {
	t = min(max(t, 0), 1)
	stops := [...]color.NRGBA{RGB(0x4C8DFF), RGB(0x2FC6C8), RGB(0x6FD66A), RGB(0xF0C94A), RGB(0xF07F4A), RGB(0xE8507A)}
	x := t * float32(len(stops)-1)
	i := min(int(x), len(stops)-2)
	f := x - float32(i)
	mix := func(a, b uint8) uint8 { return uint8(float32(float32(a)*(1-f)) + float32(float32(b)*f) + 0.5) }
	a, b := stops[i], stops[i+1]
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}
}

// lightOf is the light of each level of sRGB.
var lightOf = func() (light [256]float32) {
	for i := range light {
		if v := float64(i) / 255; v <= 0.04045 {
			light[i] = float32(v / 12.92)
		} else {
			light[i] = float32(math.Pow((v+0.055)/1.055, 2.4))
		}
	}
	return light
}()

// linear returns an sRGB colour as light, for a shader that computes with light; alpha stays.
func linear(c color.NRGBA) [4]float32 {
	return [4]float32{lightOf[c.R], lightOf[c.G], lightOf[c.B], float32(c.A) / 255}
}

// plain returns an sRGB colour as it is, for a shader that writes it as it is.
func plain(c color.NRGBA) [4]float32 {
	return [4]float32{float32(c.R) / 255, float32(c.G) / 255, float32(c.B) / 255, float32(c.A) / 255}
}

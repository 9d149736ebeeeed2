package render

import (
	"image/color"
	"math"

	"github.com/hitscan-go/hitscan/physics/lines"
)

// Material is the component of an entity that is drawn: its collider, or its [Visual], is drawn
// with this look. The zero Material is invisible, because its Color is fully transparent; start
// from [Paint].
type Material struct {
	// Color is the colour of the surface in white light, sRGB, not premultiplied. With A below 255
	// it is transparent, like the walls of a zone, and casts no shadow; with A = 0 it is not drawn.
	// Planes are always opaque.
	Color color.NRGBA
	// Gloss is the sharpness of reflections, 0 (chalk) to 1 (lacquer).
	Gloss float32
}

// Paint returns a material with a colour 0xRRGGBB, sRGB, and a silky surface.
func Paint(rgb uint32) Material { return Material{Color: RGB(rgb), Gloss: 0.35} }

// RGB returns the opaque sRGB colour 0xRRGGBB.
func RGB(rgb uint32) color.NRGBA { return lines.RGB(rgb) }

// WithAlpha returns a colour with another opacity, clamped to 0…1.
func WithAlpha(c color.NRGBA, alpha float32) color.NRGBA { return lines.WithAlpha(c, alpha) }

// lightOf is the linear light of each sRGB level.
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

// linear converts an sRGB colour to linear light, for shaders that compute with light. Alpha does
// not change.
func linear(c color.NRGBA) [4]float32 {
	return [4]float32{lightOf[c.R], lightOf[c.G], lightOf[c.B], float32(c.A) / 255}
}

// plain converts an sRGB colour without linearisation, for shaders that write it as it is.
func plain(c color.NRGBA) [4]float32 {
	return [4]float32{float32(c.R) / 255, float32(c.G) / 255, float32(c.B) / 255, float32(c.A) / 255}
}

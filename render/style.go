package render

import (
	"image/color"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Style is how everything looks. Start from [DefaultStyle] and change what you want, at any time
// between two frames.
type Style struct {
	SkyTop     color.NRGBA // straight above
	SkyHorizon color.NRGBA // where the ground fades out
	SkyBottom  color.NRGBA // straight below

	KeyLight     geom.Vec3   // where the light comes from, world; any length but zero
	KeyColor     color.NRGBA // of the light
	KeyStrength  float32     // 0: none
	SkyLight     color.NRGBA // ambient light from above
	GroundLight  color.NRGBA // ambient light from below
	AmbientLight float32     // strength of both
	Shadows      bool        // of the key light, and the soft darkness where things stand close together
	ShadowRange  float32     // metres around the camera in which shadows fall

	GridLine    color.NRGBA // lines on planes: every metre, and stronger every ten; alpha is their strength
	GridFade    float32     // metres at which a plane has half faded into the sky
	GridSpacing float32     // metres between lines; 0: no lines

	HoverOutline    color.NRGBA
	SelectedOutline color.NRGBA
	OutlineWidth    float32 // window pixels; 0: none
	HiddenOutline   float32 // opacity of the part behind something, 0 to 1

	Samples int // for antialiasing: 1, 2, 4 or 8, as far as the driver goes
}

// DefaultStyle returns a calm studio: warm key light, blue shade, a light floor that fades into
// haze.
func DefaultStyle() Style {
	return Style{
		SkyTop:     RGB(0x8FA9C4),
		SkyHorizon: RGB(0xD9E0E6),
		SkyBottom:  RGB(0xB9C0C7),

		KeyLight:     geom.V(-0.55, 1, 0.5),
		KeyColor:     RGB(0xFFF1DC),
		KeyStrength:  1.3,
		SkyLight:     RGB(0xCBDDF2),
		GroundLight:  RGB(0x9C948C),
		AmbientLight: 0.72,
		Shadows:      true,
		ShadowRange:  40,

		GridLine:    WithAlpha(RGB(0x5B6B7B), 0.30),
		GridFade:    45,
		GridSpacing: 1,

		HoverOutline:    RGB(0xFFB02E),
		SelectedOutline: RGB(0x1E88FF),
		OutlineWidth:    3,
		HiddenOutline:   0.35,

		Samples: 4,
	}
}

package render

import (
	"image/color"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Style holds the colours, lights and outlines of a [Renderer]. Start from [DefaultStyle]; it may
// be changed between any two frames.
type Style struct {
	SkyTop     color.NRGBA // straight above
	SkyHorizon color.NRGBA // where the ground fades out
	SkyBottom  color.NRGBA // straight below

	KeyLight     geom.Vec3   // direction to the key light, world; any length but zero
	KeyColor     color.NRGBA // colour of the light
	KeyStrength  float32     // 0: no key light
	SkyLight     color.NRGBA // ambient light from above
	GroundLight  color.NRGBA // ambient light from below
	AmbientLight float32     // strength of both
	Shadows      bool        // of the key light, and ambient occlusion
	ShadowRange  float32     // metres around the camera in which shadows fall

	// GridLine is the colour of lines on planes, one each GridSpacing and a stronger one each ten;
	// alpha is their strength.
	GridLine    color.NRGBA
	GridFade    float32 // distance in metres at which a plane has half faded into the sky
	GridSpacing float32 // metres between lines; 0: no lines
	// Fog is the distance in metres at which shapes other than planes have half faded into
	// SkyHorizon; 0: none. An orthographic view has none.
	Fog float32

	HoverOutline    color.NRGBA
	SelectedOutline color.NRGBA
	OutlineWidth    float32 // window pixels, at most 100; 0: none
	HiddenOutline   float32 // opacity of hidden parts, 0 to 1

	// Colliders draws the colliders of entities instead of their Visuals, and nothing for those
	// without a collider.
	Colliders bool

	Samples int // per pixel, for antialiasing: 1, 2, 4 or 8; limited by the driver
}

// DefaultStyle returns a neutral studio: a warm key light, bluish shade, and a light floor that
// fades into haze.
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

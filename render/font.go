package render

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Text uses the Go fonts (Bigelow and Holmes, 2016). Glyphs are rasterised when first needed, for
// each size and quarter pixel of their position. Text is measured independently of the screen's
// density, so a layout is the same on all screens. Nothing in this file needs a window.

// Font is one of the built-in fonts.
type Font uint8

// The fonts.
const (
	Regular Font = iota
	Medium
	Bold
	Mono // all characters have the same width, for columns of numbers
	numFonts
)

// TextStyle is the look of text. Size is in window pixels from baseline to baseline of tightly set
// text; 0 means 14. Glyphs larger than some 1,000 framebuffer pixels are left out.
type TextStyle struct {
	Font  Font
	Size  float32
	Color color.NRGBA
}

const (
	defaultTextSize = 14
	// maxTextSize is beyond what fits into the atlas. With more, glyphs take seconds to be drawn,
	// and are left out all the same.
	maxTextSize = 2 * atlasSize
)

func (s TextStyle) size() float32 {
	if s.Size > 0 {
		return min(s.Size, maxTextSize)
	}
	return defaultTextSize
}

var parsedFonts = sync.OnceValue(func() [numFonts]*opentype.Font {
	var fonts [numFonts]*opentype.Font
	for i, data := range [numFonts][]byte{goregular.TTF, gomedium.TTF, gobold.TTF, gomono.TTF} {
		f, err := opentype.Parse(data)
		if err != nil {
			panic("render: the fonts in golang.org/x/image do not parse: " + err.Error())
		}
		fonts[i] = f
	}
	return fonts
})

// faceKey is a font and a size in 64ths of a framebuffer pixel.
type faceKey struct {
	font Font
	size fixed.Int26_6
}

// fontSet opens fonts at sizes and caches them.
type fontSet struct{ faces map[faceKey]font.Face }

func (f *fontSet) open(k faceKey) font.Face {
	if face, ok := f.faces[k]; ok {
		return face
	}
	if k.font >= numFonts {
		panic("render: TextStyle: unknown Font")
	}
	face, err := opentype.NewFace(parsedFonts()[k.font], &opentype.FaceOptions{
		Size: float64(k.size) / 64, DPI: 72, Hinting: font.HintingNone,
	})
	if err != nil {
		panic("render: opening a font: " + err.Error()) // never for fonts that parsed
	}
	if f.faces == nil {
		f.faces = map[faceKey]font.Face{}
	}
	f.faces[k] = face
	return face
}

// run calls put for each glyph of a line, with the position of its origin along the baseline in
// pixels, and returns the position after the last glyph. Control characters are skipped.
func (f *fontSet) run(k faceKey, text string, put func(r rune, x float32)) float32 {
	face := f.open(k)
	x, last := fixed.Int26_6(0), rune(-1)
	for _, r := range text {
		if r < ' ' {
			continue
		}
		if last >= 0 {
			x += face.Kern(last, r)
		}
		if put != nil {
			put(r, float32(x)/64)
		}
		advance, ok := face.GlyphAdvance(r)
		if !ok {
			advance, _ = face.GlyphAdvance('\uFFFD')
		}
		x, last = x+advance, r
	}
	return float32(x) / 64
}

// measureSize is the size at which text is measured, in pixels: large, because advances are rounded
// to 1/64 pixel.
const measureSize = 64

var measuring struct {
	mu sync.Mutex
	fontSet
}

// MeasureText returns the width of a line of text and the height of a line in its style, in window
// pixels. It needs no window and may be called from any goroutine. Panics if the style's Font is
// none of the constants.
func MeasureText(style TextStyle, text string) (width, height float32) {
	measuring.mu.Lock()
	defer measuring.mu.Unlock()
	size := style.size()
	width = measuring.run(faceKey{style.Font, measureSize << 6}, text, nil) * size / measureSize
	return width, lineHeight(size)
}

// lineHeight is the distance of baselines, ascent the height of the tallest letters above a
// baseline, both as factors of the size that suit the Go fonts.
func lineHeight(size float32) float32 { return float32(math.Ceil(float64(size * 1.35))) }
func ascent(size float32) float32     { return size * 0.96 }

// glyphKey is a glyph at a size and a quarter pixel.
type glyphKey struct {
	faceKey
	r       rune
	quarter uint8
}

// glyph is the place of a glyph in the atlas, and its offset from its origin, in pixels.
type glyph struct {
	at   image.Rectangle // empty for a space
	left int
	top  int // negative above the baseline
}

// atlas is an image of all glyphs drawn so far, packed in shelves.
type atlas struct {
	fontSet
	picture *image.Alpha
	glyphs  map[glyphKey]glyph
	x, y    int // place of the next glyph
	shelf   int // height of the current shelf
	changed bool
}

const atlasSize = 1024 // pixels; holds about 3,000 glyphs of 14 pixels

func newAtlas() *atlas {
	return &atlas{picture: image.NewAlpha(image.Rect(0, 0, atlasSize, atlasSize)), glyphs: map[glyphKey]glyph{}, x: 1, y: 1}
}

// glyph returns a glyph and draws it first if it is new. ok is false if the atlas is full.
func (a *atlas) glyph(k glyphKey) (g glyph, ok bool) {
	if g, ok := a.glyphs[k]; ok {
		return g, true
	}
	face := a.open(k.faceKey)
	dot := fixed.Point26_6{X: fixed.Int26_6(k.quarter) * 16}
	bounds, mask, at, _, ok := face.Glyph(dot, k.r)
	if !ok {
		if bounds, mask, at, _, ok = face.Glyph(dot, '\uFFFD'); !ok {
			return glyph{}, true
		}
	}
	size := bounds.Size()
	if size.X > 0 && size.Y > 0 {
		if a.x+size.X+1 > atlasSize {
			a.x, a.y, a.shelf = 1, a.y+a.shelf, 0
		}
		if a.y+size.Y+1 > atlasSize || size.X+2 > atlasSize {
			return glyph{}, false
		}
		g.at = image.Rectangle{Min: image.Pt(a.x, a.y), Max: image.Pt(a.x, a.y).Add(size)}
		draw.Draw(a.picture, g.at, mask, at, draw.Src)
		a.x += size.X + 1
		a.shelf = max(a.shelf, size.Y+1)
		a.changed = true
	}
	g.left, g.top = bounds.Min.X, bounds.Min.Y
	a.glyphs[k] = g
	return g, true
}

// reset empties a full atlas.
func (a *atlas) reset() {
	clear(a.picture.Pix)
	clear(a.glyphs)
	a.x, a.y, a.shelf, a.changed = 1, 1, 0, true
}

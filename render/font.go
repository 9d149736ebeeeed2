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

// Text is set in the Go fonts (Bigelow and Holmes, 2016), rasterised when a glyph is first needed,
// at the size and the quarter of a pixel where it stands. Measuring does not depend on the density
// of the screen, so that a layout is the same everywhere. Nothing here needs a window.

// Font is one of the fonts.
type Font uint8

// The fonts.
const (
	Regular Font = iota
	Medium
	Bold
	Mono // all characters are of the same width, for columns of numbers
	numFaces
)

// TextStyle is how text looks. Size is in window pixels from baseline to baseline of tightly set
// text; 0 means 14.
type TextStyle struct {
	Font  Font
	Size  float32
	Color color.NRGBA
}

const defaultTextSize = 14

func (s TextStyle) size() float32 {
	if s.Size > 0 {
		return s.Size
	}
	return defaultTextSize
}

var parsedFonts = sync.OnceValue(func() [numFaces]*opentype.Font {
	var fonts [numFaces]*opentype.Font
	for i, data := range [numFaces][]byte{goregular.TTF, gomedium.TTF, gobold.TTF, gomono.TTF} {
		f, err := opentype.Parse(data)
		if err != nil {
			panic("render: the fonts in golang.org/x/image do not parse: " + err.Error())
		}
		fonts[i] = f
	}
	return fonts
})

// faceKey is a font at a size in pixels, in 64ths.
type faceKey struct {
	face Font
	size fixed.Int26_6
}

// fontSet opens fonts at sizes and keeps them.
type fontSet struct{ faces map[faceKey]font.Face }

func (f *fontSet) open(k faceKey) font.Face {
	if face, ok := f.faces[k]; ok {
		return face
	}
	if k.face >= numFaces {
		panic("render: TextStyle: unknown Face")
	}
	face, err := opentype.NewFace(parsedFonts()[k.face], &opentype.FaceOptions{
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

// run calls put for each glyph of a line, with the place of its origin along the baseline, in
// pixels from the start, and returns where the next glyph would stand. Control characters are left
// out.
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
// to 64ths of a pixel.
const measureSize = 64

var measuring struct {
	mu sync.Mutex
	fontSet
}

// MeasureText returns how wide a line of text is and how high lines of its style are, in window
// pixels. It needs no window and may be called from any goroutine.
func MeasureText(style TextStyle, text string) (width, height float32) {
	measuring.mu.Lock()
	defer measuring.mu.Unlock()
	size := style.size()
	width = measuring.run(faceKey{style.Font, measureSize << 6}, text, nil) * size / measureSize
	return width, lineHeight(size)
}

// lineHeight is the distance of baselines, and ascent how far the tallest letters reach above it:
// shares of the size that suit the Go fonts.
func lineHeight(size float32) float32 { return float32(math.Ceil(float64(size * 1.35))) }
func ascent(size float32) float32     { return size * 0.96 }

// glyphKey is a glyph at a size and a quarter of a pixel.
type glyphKey struct {
	faceKey
	r       rune
	quarter uint8
}

// glyph is where a glyph lies in the atlas, and where it belongs from its origin, in pixels.
type glyph struct {
	at   image.Rectangle // empty for a space
	left int
	top  int // negative above the baseline
}

// atlas is one picture with all glyphs that have been drawn, packed in shelves.
type atlas struct {
	fontSet
	picture *image.Alpha
	glyphs  map[glyphKey]glyph
	x, y    int // where the next glyph goes
	shelf   int // height of the shelf that is being filled
	changed bool
}

const atlasSize = 1024 // pixels; takes about 3,000 glyphs of 14 pixels

func newAtlas() *atlas {
	return &atlas{picture: image.NewAlpha(image.Rect(0, 0, atlasSize, atlasSize)), glyphs: map[glyphKey]glyph{}, x: 1, y: 1}
}

// glyph returns a glyph, drawn first if it is new. ok is false if the atlas is full.
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

// reset empties the atlas, when it is full.
func (a *atlas) reset() {
	clear(a.picture.Pix)
	clear(a.glyphs)
	a.x, a.y, a.shelf, a.changed = 1, 1, 0, true
}

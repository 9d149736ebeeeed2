package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMeasureText(t *testing.T) {
	style := TextStyle{Size: 20}
	width := func(s string) float32 { return first(MeasureText(style, s)) }
	assert.Zero(t, width(""))
	assert.Greater(t, width("MM"), width("ii"))
	assert.InDelta(t, float64(2*width("word ")), float64(width("word word ")), 1)
	assert.Equal(t, width("a"), width("a\t\n"), "control characters have no width")
	assert.Equal(t, first(MeasureText(TextStyle{}, "x")), first(MeasureText(TextStyle{Size: defaultTextSize}, "x")))
	mono := TextStyle{Font: Mono, Size: 20}
	assert.Equal(t, first(MeasureText(mono, "iiii")), first(MeasureText(mono, "MMMM")))
	for _, face := range []Font{Regular, Medium, Bold} {
		digit := first(MeasureText(TextStyle{Font: face}, "0"))
		for _, d := range "123456789" {
			assert.InDelta(t, float64(digit), float64(first(MeasureText(TextStyle{Font: face}, string(d)))), 0.02,
				"numbers must not jump about while they change")
		}
	}
	assert.NotZero(t, width("漢"), "what the font has not is a box")
	assert.Panics(t, func() { MeasureText(TextStyle{Font: numFonts}, "x") })
}

func TestMeasureTextScales(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("abcdefgXYZ 0123456789.,-")), 0, 30, -1).Draw(t, "text")
		small, low := MeasureText(TextStyle{Size: 10}, s)
		large, high := MeasureText(TextStyle{Size: 30}, s)
		// Both are the same width at measureSize, scaled: below 1,024 pixels three roundings of
		// 2⁻¹⁵.
		assert.InDelta(t, float64(small*3), float64(large), 3*0x1p-15)
		assert.Greater(t, high, 2*low)
	})
}

func TestAtlasKeepsGlyphsApart(t *testing.T) {
	a := newAtlas()
	used := make([]bool, atlasSize*atlasSize)
	for _, size := range []int{13, 14, 28} {
		for r := 'A'; r < 'z'; r++ {
			g, ok := a.glyph(glyphKey{faceKey{Regular, 64 * 14}, r, uint8(size % 4)})
			require.True(t, ok)
			require.True(t, g.at.In(a.picture.Rect))
		}
	}
	ink := 0
	for k, g := range a.glyphs {
		for y := g.at.Min.Y; y < g.at.Max.Y; y++ {
			for x := g.at.Min.X; x < g.at.Max.X; x++ {
				require.False(t, used[y*atlasSize+x], "%v lies on another", k)
				used[y*atlasSize+x] = true
				if a.picture.AlphaAt(x, y).A > 0 {
					ink++
				}
			}
		}
	}
	for i, alpha := range a.picture.Pix {
		require.True(t, alpha == 0 || used[i], "ink outside of glyphs")
	}
	assert.Greater(t, ink, 1000)
}

func TestAtlasThatIsFull(t *testing.T) {
	a := newAtlas()
	big := func(face Font, size float32) []shape {
		return []shape{{text: "ABCDEFGHIJ", style: TextStyle{Font: face, Size: size}}}
	}
	all := 0
	for size := float32(60); size < 100; size++ {
		quads := a.quads(nil, big(Bold, size), 1)
		assert.Len(t, quads, 10, "unused sizes are dropped for new ones")
		all += len(quads)
	}
	assert.Greater(t, all, len(a.glyphs), "it was emptied")
	assert.Empty(t, a.quads(nil, big(Bold, 2000), 1), "what never fits is left out")
}

// Text is centred in its line, at the same place at any density.
func TestTextSitsInItsLine(t *testing.T) {
	for _, scale := range []float32{1, 1.5, 2} {
		a := newAtlas()
		quads := a.quads(nil, []shape{{rect: Rect{X: 10, Y: 20}, text: "Hxg", style: TextStyle{Size: 16}}}, scale)
		require.Len(t, quads, 3)
		top, bottom := quads[0].rect[1], quads[0].rect[1]+quads[0].rect[3]
		descent := quads[2].rect[1] + quads[2].rect[3]
		assert.InDelta(t, 10*scale, quads[0].rect[0], 2*float64(scale))
		assert.Greater(t, top, 20*scale, "the capital is below the upper edge")
		assert.LessOrEqual(t, descent, (20+lineHeight(16))*scale, "and the descender above the lower")
		assert.InDelta(t, float64((20+lineHeight(16)/2)*scale), float64(top+bottom)/2, 1.5*float64(scale), "in the middle")
	}
}

func ExampleMeasureText() {
	style := TextStyle{Font: Mono, Size: 20}
	for _, text := range []string{"T", "T 6.21 m"} {
		width, height := MeasureText(style, text)
		fmt.Printf("%-10q %3.0f × %.0f\n", text, width, height)
	}
	// Output:
	// "T"         12 × 27
	// "T 6.21 m"  96 × 27
}

func BenchmarkMeasureText(b *testing.B) {
	text := strings.Repeat("word ", 10)
	for b.Loop() {
		MeasureText(TextStyle{}, text)
	}
}

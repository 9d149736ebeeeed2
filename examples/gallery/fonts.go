package main

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// Half of the bytes of the Go fonts are instructions by which other rasterisers move outlines to
// pixels. Package render draws outlines as they are. Of the outlines, a third is letters and lines
// that no program of the page shows.

// isShown reports whether a program of the page may show a character: Latin letters, punctuation,
// superscripts, arrows, mathematical signs and geometric shapes.
func isShown(r rune) bool { return r < 0x250 || r >= 0x2000 && r < 0x2300 || r >= 0x25A0 && r < 0x2600 }

// unshown returns the glyphs of a font that stand for characters, and for none that is shown.
func unshown(data []byte) map[int]bool {
	list := map[int]bool{}
	f, err := sfnt.Parse(data)
	if err != nil {
		panic(err) // it is one of package gofont
	}
	for _, shown := range [...]bool{false, true} {
		for r := range rune(0xFFFF) {
			if glyph, err := f.GlyphIndex(nil, r); err == nil && isShown(r) == shown && glyph != 0 {
				list[int(glyph)] = !shown
			}
		}
	}
	return list
}

// stripFonts fills the instructions of the fonts in the memory with zeros, their names, and the
// outlines that are not shown.
func (m image) stripFonts() {
	for _, font := range [][]byte{goregular.TTF, gomedium.TTF, gobold.TTF, gomono.TTF} {
		if at := bytes.Index(m, font); at >= 0 {
			stripFont(m[at : at+len(font)])
		}
	}
}

// stripFont changes a font of TrueType outlines (OpenType 1.9, tables loca, glyf and post).
func stripFont(font []byte) {
	big := binary.BigEndian
	dropped := unshown(font)
	tables := map[string][]byte{}
	for i := range int(big.Uint16(font[4:])) {
		row := font[12+16*i:]
		offset := big.Uint32(row[8:])
		tables[string(row[:4])] = font[offset : offset+big.Uint32(row[12:])]
	}
	for _, name := range []string{"cvt ", "fpgm", "prep"} {
		clear(tables[name])
	}
	clear(tables["post"][32:]) // the names of glyphs
	long := big.Uint16(tables["head"][50:]) == 1
	begin := func(glyph int) int {
		if long {
			return int(big.Uint32(tables["loca"][4*glyph:]))
		}
		return 2 * int(big.Uint16(tables["loca"][2*glyph:]))
	}
	for i := range int(big.Uint16(tables["maxp"][4:])) {
		glyph := tables["glyf"][begin(i):begin(i+1)]
		if dropped[i] {
			clear(glyph)
		}
		if len(glyph) == 0 || int16(big.Uint16(glyph)) <= 0 {
			continue // empty, or composed of others
		}
		// The header has 10 bytes; then comes where each contour ends.
		instructions := glyph[10+2*big.Uint16(glyph):]
		clear(instructions[2 : 2+big.Uint16(instructions)])
	}
}

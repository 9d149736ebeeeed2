package main

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

// Half of the bytes of the Go fonts are instructions by which other rasterisers move outlines to
// pixels. Package render draws outlines as they are.

// stripFonts fills the instructions of the fonts in the memory with zeros, and their names.
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
		if len(glyph) == 0 || int16(big.Uint16(glyph)) < 0 {
			continue // empty, or composed of others
		}
		// The header has 10 bytes; then comes where each contour ends.
		instructions := glyph[10+2*big.Uint16(glyph):]
		clear(instructions[2 : 2+big.Uint16(instructions)])
	}
}

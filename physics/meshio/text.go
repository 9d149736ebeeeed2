package meshio

import (
	"bytes"
	"errors"
	"iter"
	"math"
	"strconv"
)

// This file holds what the two text formats share: lines, words and numbers, as subslices of the
// file's bytes.

// logicalLines yields the lines of a text, each with its number from 1. A backslash at the end of a
// line joins the next line to it, under the number of the first; except in a comment, where it may
// end a Windows path. Lines end with \n or \r\n.
func logicalLines(text []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		var joined []byte
		for number := 1; len(text) > 0; {
			start := number
			line, rest := cutLine(text)
			text = rest
			number++
			if bytes.HasSuffix(line, []byte{'\\'}) && !bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte{'#'}) {
				joined = joined[:0]
				for bytes.HasSuffix(line, []byte{'\\'}) {
					joined = append(append(joined, line[:len(line)-1]...), ' ')
					line, text = cutLine(text)
					number++
				}
				joined = append(joined, line...)
				line = joined
			}
			if !yield(start, line) {
				return
			}
		}
	}
}

func cutLine(text []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(text, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// cutWord returns the first word of a line and the rest after it; an empty word at the end.
func cutWord(line []byte) (word, rest []byte) {
	start := 0
	for start < len(line) && isSpace(line[start]) {
		start++
	}
	end := start
	for end < len(line) && !isSpace(line[end]) {
		end++
	}
	return line[start:end], line[end:]
}

// skipBOM returns the text without the byte order mark with which some editors begin it.
func skipBOM(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) }

// parseCoordinate parses a finite float32. The error continues a sentence that begins with the
// word.
func parseCoordinate(word []byte) (float32, error) {
	x, err := strconv.ParseFloat(string(word), 32)
	switch {
	case bytes.ContainsAny(word, "xX_"): // Go's own ways to write a number
		return 0, errNotNumber
	case errors.Is(err, strconv.ErrRange):
		return 0, errTooLarge
	case err != nil:
		return 0, errNotNumber
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, errNotFinite
	}
	return float32(x), nil
}

var (
	errNotNumber = errors.New("is not a number")
	errNotFinite = errors.New("is not finite")
	errTooLarge  = errors.New("is too large for a float32")
)

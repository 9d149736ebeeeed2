package picking

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The parts of a frame other than pointers: the keyboard and the views of the window.

// Keys is the state of the keyboard in a frame, for sessions in which keys matter. The game chooses
// the names of the keys.
type Keys struct {
	Down    []string // keys that are down at the end of the frame
	Pressed []string // keys that went down since the last frame, in order
}

// IsDown reports whether the key of a name is down.
func (k *Keys) IsDown(name string) bool { return slices.Contains(k.Down, name) }

// append appends the keys in the format of a line, or nothing if there are none.
func (k *Keys) append(b []byte) []byte {
	if len(k.Down)+len(k.Pressed) == 0 {
		return b
	}
	b = append(b, " | keys"...)
	b = appendNames(b, " down=", k.Down)
	return appendNames(b, " pressed=", k.Pressed)
}

func appendNames(b []byte, key string, names []string) []byte {
	for _, name := range names {
		if name == "" {
			panic("picking: Recorder.Record: the name of a key is empty")
		}
		b = appendName(append(b, key...), name)
		key = "+"
	}
	return b
}

// appendName appends a name without characters that have a meaning in the line: their bytes become
// % and two hexadecimal digits.
func appendName(b []byte, name string) []byte {
	for len(name) > 0 {
		r, n := utf8.DecodeRuneInString(name)
		if unicode.IsPrint(r) && !strings.ContainsRune(" %+|", r) && (r != utf8.RuneError || n > 1) {
			b = append(b, name[:n]...)
		} else {
			for i := range n {
				b = fmt.Appendf(b, "%%%02X", name[i])
			}
		}
		name = name[n:]
	}
	return b
}

func parseKeys(k *Keys, words []string) (err error) {
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "down":
			k.Down, err = parseNames(k.Down, value)
		case "pressed":
			k.Pressed, err = parseNames(k.Pressed, value)
		default:
			err = fmt.Errorf("%q is unknown", clip(word))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// parseNames appends names joined by "+" to dst.
func parseNames(dst []string, value string) ([]string, error) {
	for word := range strings.SplitSeq(value, "+") {
		name, err := parseName(word)
		if err != nil {
			return dst, err
		}
		dst = append(dst, name)
	}
	return dst, nil
}

func parseName(word string) (string, error) {
	name := []byte(nil)
	rest := word
	for rest != "" {
		before, after, escaped := strings.Cut(rest, "%")
		name = append(name, before...)
		if rest = after; !escaped {
			break
		}
		if len(rest) < 2 {
			return "", fmt.Errorf("%q is not a key's name: %% needs two hexadecimal digits", clip(word))
		}
		c, err := strconv.ParseUint(rest[:2], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%q is not a key's name: %% needs two hexadecimal digits", clip(word))
		}
		name, rest = append(name, byte(c)), rest[2:]
	}
	if len(name) == 0 {
		return "", errors.New("the name of a key is empty")
	}
	return string(name), nil
}

// appendViews appends views in the format of a line: width x height + x + y, as X11 geometry, and
// after a slash the size of the framebuffer unless that is sameFramebuffer.
func appendViews(b []byte, views []Viewport) []byte {
	b = append(b, " | views"...)
	for _, v := range views {
		b = fmt.Appendf(b, " %dx%d%+d%+d", v.Width, v.Height, v.X, v.Y)
		if v.Framebuffer != sameFramebuffer {
			b = fmt.Appendf(b, "/%dx%d", v.Framebuffer.Width, v.Framebuffer.Height)
		}
	}
	return b
}

// sameFramebuffer stands for the frame's framebuffer.
var sameFramebuffer = Size{-1, -1}

// parseViews parses views and appends them to dst. They have no window, and sameFramebuffer where
// the line has no framebuffer.
func parseViews(dst []Viewport, words []string) ([]Viewport, error) {
	for _, word := range words {
		bad := fmt.Errorf("%q is not a view", clip(word))
		place, framebuffer, own := strings.Cut(word, "/")
		at := strings.IndexAny(place, "+-")
		if at < 0 {
			return dst, bad
		}
		second := strings.LastIndexAny(place, "+-")
		size, ok := parseSize(place[:at])
		x, errX := strconv.Atoi(place[at:second])
		y, errY := strconv.Atoi(place[second:])
		v := Viewport{X: x, Y: y, Width: size.Width, Height: size.Height, Framebuffer: sameFramebuffer}
		if !ok || errX != nil || errY != nil || min(x, y) < -maxSide || max(x, y) > maxSide {
			return dst, bad
		}
		if own {
			if v.Framebuffer, ok = parseSize(framebuffer); !ok {
				return dst, bad
			}
		}
		dst = append(dst, v)
	}
	return dst, nil
}

func parseSize(word string) (s Size, ok bool) {
	w, h, ok := strings.Cut(word, "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil || min(width, height) < 0 || max(width, height) > maxSide {
		return Size{}, false
	}
	return Size{width, height}, true
}

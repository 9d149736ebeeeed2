package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hitscan-go/hitscan/internal/xpointer"
)

// A pointer script is a text with one command a line; what follows a # is a comment. Most commands
// take one frame.
//
//	move TARGET              moves the pointer
//	glide TARGET STEPS       moves it in so many frames, slow at both ends
//	press BUTTON             left, middle or right; it stays down
//	release BUTTON
//	click BUTTON             down in one frame, up in the next
//	scroll NOTCHES           positive is away from the user
//	key KEY                  down and up: a character, or escape, tab, enter, shift, control, alt,
//	                         space, left, right, up, down
//	hold KEY, let KEY        down in one frame, up in another
//	frames N                 waits for N frames
//	scene NAME               shows another scene, as -scene names it; again: that of the start
//	shot FILE                the last frame is written to a PNG file, without a frame passing
//	expect hover NAME        the script fails unless this entity is hovered; nothing: none
//	expect selected NAME…    and unless these and no others are selected; nothing: none
//
// A target is a place in the window, as 400 300; a step from where the pointer is, as by 40 -10; or
// the name of an entity, such as bunny, of a button of the panels, such as panel:bvh, or of a
// handle of the gizmo, such as handle:X. For an entity it is the visible pixel nearest to its
// centre.

// verb is the kind of a command.
type verb uint8

const (
	verbMove verb = iota // also glide: in n frames
	verbPress
	verbRelease
	verbScroll
	verbKey
	verbHold
	verbLet
	verbFrames
	verbScene
	verbShot
	verbExpectHover
	verbExpectSelected
)

// command is one step of a script.
type command struct {
	line   int // in the script, from 1
	verb   verb
	target target
	n      int // frames, notches
	button xpointer.Button
	key    xpointer.Key
	file   string // or the scene
	names  []string
}

// target is a destination of the pointer.
type target struct {
	name     string // of an entity or a button; empty: x and y count
	x, y     float64
	relative bool // from where the pointer is
}

var buttons = map[string]xpointer.Button{"left": xpointer.Left, "middle": xpointer.Middle, "right": xpointer.Right}

var keys = map[string]xpointer.Key{
	"escape": xpointer.Escape, "tab": xpointer.Tab, "enter": xpointer.Enter,
	"shift": xpointer.Shift, "control": xpointer.Control, "alt": 0xffe9, "space": ' ',
	"left": 0xff51, "up": 0xff52, "right": 0xff53, "down": 0xff54, // as X11 names them
}

// maxCount limits the numbers of frames and notches, so that a script with a typing error fails
// instead of running for hours.
const maxCount = 10_000

// maxCommands is how long a script may be unless the command line says otherwise.
const maxCommands = 50_000

// parseScript reads a pointer script of at most so many commands. The error names the line.
func parseScript(r io.Reader, most int) ([]command, error) {
	var script []command
	lines := bufio.NewScanner(r)
	n := 0
	for lines.Scan() {
		n++
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		commands, err := parseCommand(words[0], words[1:])
		if err != nil {
			return nil, fmt.Errorf("line %d: %s: %w", n, words[0], err)
		}
		for _, c := range commands {
			c.line = n
			script = append(script, c)
		}
		if len(script) > most {
			return nil, fmt.Errorf("line %d: more than %d commands; -commands takes more", n, most)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n+1, err)
	}
	return script, nil
}

func parseCommand(name string, args []string) ([]command, error) {
	one := func(c command, err error) ([]command, error) { return []command{c}, err }
	switch name {
	case "move":
		t, err := parseTarget(args)
		return one(command{verb: verbMove, target: t, n: 1}, err)
	case "glide":
		if len(args) < 2 {
			return nil, fmt.Errorf("want a target and a number of frames")
		}
		t, err := parseTarget(args[:len(args)-1])
		if err != nil {
			return nil, err
		}
		n, err := parseCount(args[len(args)-1:])
		return one(command{verb: verbMove, target: t, n: n}, err)
	case "press", "release", "click":
		b, ok := buttons[strings.Join(args, " ")]
		if !ok {
			return nil, fmt.Errorf("want left, middle or right and not %q", strings.Join(args, " "))
		}
		down, up := command{verb: verbPress, button: b}, command{verb: verbRelease, button: b}
		switch name {
		case "press":
			return []command{down}, nil
		case "release":
			return []command{up}, nil
		}
		return []command{down, up}, nil
	case "scroll":
		if len(args) != 1 {
			return nil, fmt.Errorf("want a number of notches")
		}
		n, err := strconv.Atoi(args[0])
		if err != nil || n == 0 || n > maxCount || n < -maxCount {
			return nil, fmt.Errorf("%q is no number of notches", args[0])
		}
		return one(command{verb: verbScroll, n: n}, nil)
	case "key", "hold", "let":
		k, err := parseKey(args)
		verbs := map[string]verb{"key": verbKey, "hold": verbHold, "let": verbLet}
		return one(command{verb: verbs[name], key: k}, err)
	case "frames":
		n, err := parseCount(args)
		return one(command{verb: verbFrames, n: n}, err)
	case "shot", "scene":
		if len(args) != 1 {
			return nil, fmt.Errorf("want one file name or scene without spaces")
		}
		verbs := map[string]verb{"shot": verbShot, "scene": verbScene}
		return one(command{verb: verbs[name], file: args[0]}, nil)
	case "expect":
		return parseExpect(args)
	}
	return nil, fmt.Errorf("unknown command")
}

func parseExpect(args []string) ([]command, error) {
	if len(args) < 2 {
		return nil, fmt.Errorf("want hover or selected, and a name")
	}
	c := command{names: args[1:]}
	if len(c.names) == 1 && c.names[0] == "nothing" {
		c.names = nil
	}
	switch args[0] {
	case "hover":
		if len(c.names) > 1 {
			return nil, fmt.Errorf("only one entity can be hovered")
		}
		c.verb = verbExpectHover
	case "selected":
		c.verb = verbExpectSelected
	default:
		return nil, fmt.Errorf("want hover or selected and not %q", args[0])
	}
	return []command{c}, nil
}

func parseTarget(args []string) (target, error) {
	var t target
	if len(args) == 1 {
		if _, err := strconv.ParseFloat(args[0], 64); err != nil {
			return target{name: args[0]}, nil
		}
	}
	if len(args) == 3 && args[0] == "by" {
		t.relative, args = true, args[1:]
	}
	if len(args) != 2 {
		return t, fmt.Errorf("want x and y, by and x and y, or a name, and not %q", strings.Join(args, " "))
	}
	for i, to := range []*float64{&t.x, &t.y} {
		// Whole pixels, within the range of the X11 protocol.
		v, err := strconv.ParseInt(args[i], 10, 16)
		if err != nil {
			return t, fmt.Errorf("%q is no whole number of pixels", args[i])
		}
		*to = float64(v)
	}
	return t, nil
}

func parseCount(args []string) (int, error) {
	if len(args) != 1 {
		return 0, fmt.Errorf("want a number of frames")
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 || n > maxCount {
		return 0, fmt.Errorf("%q is no number of frames", args[0])
	}
	return n, nil
}

func parseKey(args []string) (xpointer.Key, error) {
	if len(args) != 1 {
		return 0, fmt.Errorf("want one key")
	}
	if k, ok := keys[args[0]]; ok {
		return k, nil
	}
	if len(args[0]) == 1 && args[0][0] > ' ' && args[0][0] < 0x7f {
		return xpointer.Key(strings.ToLower(args[0])[0]), nil
	}
	return 0, fmt.Errorf("%q is no key: want one character, or escape, tab, enter, shift, control, alt, space, left, right, up or down", args[0])
}

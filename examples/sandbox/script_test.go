package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/xpointer"
)

func TestParseScript(t *testing.T) {
	tests := map[string]struct {
		script string
		want   []command
	}{
		"nothing":     {"", nil},
		"comments":    {"\n# a whole line\n   \t\n", nil},
		"place":       {"move 400 300", []command{{line: 1, verb: verbMove, n: 1, target: target{x: 400, y: 300}}}},
		"name":        {"\nmove bunny # its middle", []command{{line: 2, verb: verbMove, n: 1, target: target{name: "bunny"}}}},
		"step":        {"move by 40 -10", []command{{line: 1, verb: verbMove, n: 1, target: target{x: 40, y: -10, relative: true}}}},
		"glide":       {"glide 700 380 20", []command{{line: 1, verb: verbMove, n: 20, target: target{x: 700, y: 380}}}},
		"glide name":  {"glide panel:bvh 3", []command{{line: 1, verb: verbMove, n: 3, target: target{name: "panel:bvh"}}}},
		"glide by":    {"glide by 1 2 3", []command{{line: 1, verb: verbMove, n: 3, target: target{x: 1, y: 2, relative: true}}}},
		"press":       {"press right", []command{{line: 1, verb: verbPress, button: xpointer.Right}}},
		"release":     {"release middle", []command{{line: 1, verb: verbRelease, button: xpointer.Middle}}},
		"scroll":      {"scroll -3", []command{{line: 1, verb: verbScroll, n: -3}}},
		"hold":        {"hold shift", []command{{line: 1, verb: verbHold, key: xpointer.Shift}}},
		"let":         {"let control", []command{{line: 1, verb: verbLet, key: xpointer.Control}}},
		"frames":      {"frames 10", []command{{line: 1, verb: verbFrames, n: 10}}},
		"shot":        {"shot out/name.png", []command{{line: 1, verb: verbShot, file: "out/name.png"}}},
		"hover":       {"expect hover bunny", []command{{line: 1, verb: verbExpectHover, names: []string{"bunny"}}}},
		"no hover":    {"expect hover nothing", []command{{line: 1, verb: verbExpectHover}}},
		"selected":    {"expect selected a b", []command{{line: 1, verb: verbExpectSelected, names: []string{"a", "b"}}}},
		"no selected": {"expect selected nothing", []command{{line: 1, verb: verbExpectSelected}}},
		"click": {"click left\n", []command{
			{line: 1, verb: verbPress, button: xpointer.Left}, {line: 1, verb: verbRelease, button: xpointer.Left},
		}},
		"key": {"key B", []command{{line: 1, verb: verbKey, key: 'b'}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := parseScript(strings.NewReader(tt.script), maxCommands)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestParseScriptErrors(t *testing.T) {
	tests := map[string]string{
		"jump 3":                 "line 1: jump: unknown command",
		"frames 1\n\nframes":     "line 3: frames: want a number of frames",
		"frames 0":               `"0" is no number of frames`,
		"frames 99999999":        "no number of frames",
		"frames many":            "no number of frames",
		"move":                   "want x and y",
		"move 400":               `not "400"`,
		"move 1 2 3":             `not "1 2 3"`,
		"move 4.5 3":             `"4.5" is no whole number`,
		"move 99999 3":           `"99999" is no whole number`,
		"move by 3 x":            `"x" is no whole number`,
		"glide bunny":            "want a target and a number of frames",
		"glide bunny fast":       `"fast" is no number of frames`,
		"press up":               `not "up"`,
		"click":                  `not ""`,
		"scroll 0":               "no number of notches",
		"scroll":                 "want a number of notches",
		"key bb":                 `"bb" is no key`,
		"key":                    "want one key",
		"shot":                   "want one file name",
		"expect hover":           "want hover or selected, and a name",
		"expect hover a b":       "only one entity",
		"expect clicked bunny":   `not "clicked"`,
		strings.Repeat("a", 1e5): "line 1:",
	}
	for script, want := range tests {
		t.Run(script[:min(len(script), 30)], func(t *testing.T) {
			_, err := parseScript(strings.NewReader(script), maxCommands)
			require.ErrorContains(t, err, want)
		})
	}
}

// TestScripts reads the shipped scripts.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("*.txt")
	require.NoError(t, err)
	require.Len(t, files, 13)
	for _, file := range files {
		f, err := os.Open(file)
		require.NoError(t, err)
		script, err := parseScript(f, maxCommands)
		f.Close()
		require.NoError(t, err, file)
		assert.NotEmpty(t, script, file)
	}
}

func TestScriptsEnd(t *testing.T) {
	long := strings.Repeat("press left\n", maxCommands+1)
	_, err := parseScript(strings.NewReader(long), maxCommands+1)
	require.NoError(t, err)
	_, err = parseScript(strings.NewReader(long), maxCommands)
	require.EqualError(t, err, "line 50001: more than 50000 commands; -commands takes more")
}

func FuzzParseScript(f *testing.F) {
	f.Add("move bunny\nglide by 3 4 5\nclick left\nkey b\nscroll -2\nexpect selected a b # c")
	f.Add("frames 99999999999999999999\nmove NaN Inf")
	f.Fuzz(func(t *testing.T, script string) {
		commands, err := parseScript(strings.NewReader(script), maxCommands)
		if err != nil {
			return
		}
		lines := strings.Count(script, "\n") + 1
		for _, c := range commands {
			assert.True(t, c.line >= 1 && c.line <= lines)
			assert.True(t, c.n >= -maxCount && c.n <= maxCount)
			assert.True(t, c.target.x-c.target.x == 0 && c.target.y-c.target.y == 0)
		}
	})
}

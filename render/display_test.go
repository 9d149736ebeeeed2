package render

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

func TestCheckDisplay(t *testing.T) {
	for name, c := range map[string]struct {
		goos string
		env  map[string]string
		want string // a part of the error; empty: none
	}{
		"nothing set":     {"linux", nil, "xvfb-run"},
		"X11":             {"linux", map[string]string{"DISPLAY": ":0"}, ""},
		"both":            {"linux", map[string]string{"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, ""},
		"FreeBSD":         {"freebsd", nil, "DISPLAY"},
		"Windows":         {"windows", nil, ""},
		"macOS":           {"darwin", nil, ""},
		"Wayland, no tag": {"linux", map[string]string{"WAYLAND_DISPLAY": "wayland-0"}, "-tags wayland"},
	} {
		t.Run(name, func(t *testing.T) {
			if builtForWayland && c.env["WAYLAND_DISPLAY"] != "" {
				c.want = ""
			}
			err := checkDisplay(c.goos, func(k string) string { return c.env[k] })
			if c.want == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorIs(t, err, ErrNoDisplay)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// What Open returns without a display, and with a display that does not exist. Each case runs in
// its own process, since GLFW in this one may have found a display.
func TestOpenWithoutDisplay(t *testing.T) {
	if os.Getenv("HITSCAN_TEST_OPEN") != "" {
		w, err := Open(Options{})
		require.Nil(t, w)
		require.ErrorIs(t, err, ErrNoDisplay)
		require.ErrorContains(t, err, os.Getenv("HITSCAN_TEST_OPEN"))
		return
	}
	testenv.Needs(t, checkDisplay(goos, func(string) string { return "" }) != nil, "a system with DISPLAY")
	for name, c := range map[string]struct{ display, want string }{
		"none":      {"", "neither DISPLAY nor WAYLAND_DISPLAY"},
		"not there": {":7654", "still running"},
	} {
		t.Run(name, func(t *testing.T) {
			exe, err := os.Executable()
			require.NoError(t, err)
			cmd := exec.Command(exe, "-test.run=^TestOpenWithoutDisplay$", "-test.v")
			cmd.Env = append(os.Environ(), "DISPLAY="+c.display, "WAYLAND_DISPLAY=", "HITSCAN_TEST_OPEN="+c.want)
			out, err := cmd.CombinedOutput()
			assert.NoError(t, err, "%s", out)
			assert.Contains(t, string(out), "--- PASS: TestOpenWithoutDisplay")
		})
	}
}

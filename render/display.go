//go:build !js

package render

import "runtime"

// checkDisplay returns an error that says what to do if the environment names no display. GLFW's
// binding loses its own error: Init returns nil, and the first call after it panics.
func checkDisplay(goos string, env func(string) string) error {
	switch goos {
	case "windows", "darwin":
		return nil
	}
	if env("DISPLAY") != "" {
		return nil
	}
	if env("WAYLAND_DISPLAY") != "" {
		if builtForWayland {
			return nil
		}
		return noDisplay("WAYLAND_DISPLAY is set but DISPLAY is not: start Xwayland, or build with -tags wayland")
	}
	return noDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set: run in a desktop session, or in a virtual one with " +
		"xvfb-run -a -s '-screen 0 1280x800x24' COMMAND")
}

func noDisplay(what string) error { return &displayError{what} }

const goos = runtime.GOOS

//go:build !wayland

package render

const builtForWayland = false

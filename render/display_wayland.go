//go:build wayland

package render

const builtForWayland = true

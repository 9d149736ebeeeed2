#!/usr/bin/env bash
# Tests a window whose framebuffer has another size than the window, on Wayland. Weston runs with a content scale in a window of
# a virtual X display, because its own headless output has no seat, without which GLFW 3.3 crashes. The test moves the pointer
# of that X display. Where Weston, or what GLFW needs to be built for Wayland, is not installed, the script prints the reason
# and does nothing (Debian: weston libwayland-dev libxkbcommon-dev libegl1).
#   scripts/weston.sh [scale]     a whole number, 2 if not given
set -euo pipefail
cd "$(dirname "$0")/.."

scale=${1:-2}
skip() { echo "weston.sh: skipped: $*" >&2; exit 0; }
[ "$(uname -s)" = Linux ] || skip 'Wayland is for Linux'
command -v weston >/dev/null || skip 'weston is not installed'
pkg-config --exists wayland-client wayland-cursor wayland-egl xkbcommon 2>/dev/null || skip 'libwayland-dev or libxkbcommon-dev is not installed'

# The rest runs on a display of its own.
if [ "${WESTON_DISPLAY:-}" = "" ]; then WESTON_DISPLAY=own exec scripts/xvfb.sh --virtual "$0" "$scale"; fi

run=$(mktemp -d)
chmod 700 "$run"
export XDG_RUNTIME_DIR=$run
weston --backend=x11-backend.so --use-pixman --no-config --width=640 --height=420 --scale="$scale" --socket=wayland-hitscan \
  --idle-time=0 >"$run/log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$run"' EXIT
# Weston is ready when its socket is there; it does not report it otherwise.
for _ in $(seq 100); do
  [ -S "$run/wayland-hitscan" ] && break
  kill -0 "$server" 2>/dev/null || { cat "$run/log" >&2; echo 'weston.sh: weston did not start' >&2; exit 1; }
  sleep 0.1
done
WAYLAND_DISPLAY=wayland-hitscan LIBGL_ALWAYS_SOFTWARE=1 HITSCAN_CONTENT_SCALE=$scale \
  go test -tags wayland -count=1 -v -run '^TestWindowAtContentScale$' ./render

#!/usr/bin/env bash
# Installs the system packages that the windowed half of hitscan is built and tested with, if any is missing.
# The core (physics, picking, ecs) needs none of them.
set -euo pipefail

say() { printf '%s\n' "$*" >&2; }

if ! command -v go >/dev/null; then
  say 'hitscan needs Go 1.26 or newer: https://go.dev/dl'
  exit 1
fi

# macOS and Windows bring OpenGL and their window system along.
case "$(uname -s)" in Linux) ;; *) exit 0 ;; esac

root=()
if [ "$(id -u)" != 0 ]; then root=(sudo); fi
as_root() {
  if [ "${#root[@]}" != 0 ] && ! command -v sudo >/dev/null; then
    say "These packages are missing, and installing them needs root: run, as root,"
    say "  $*"
    exit 1
  fi
  "${root[@]}" "$@"
}

if command -v apt-get >/dev/null; then
  want=(gcc libc6-dev libx11-dev libxrandr-dev libxinerama-dev libxcursor-dev libxi-dev libxxf86vm-dev
        libgl1-mesa-dev xvfb xauth libgl1-mesa-dri)
  # CI runs the core on other processors too (scripts/arch.sh); a user's machine does so with what it has.
  if [ "${CI:-}" = true ]; then
    want+=(qemu-user libxkbcommon-dev chromium) # the last two for examples/raylib and examples/gallery
    command -v node >/dev/null || want+=(nodejs)
  fi
  missing=()
  for p in "${want[@]}"; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q '^install ok installed' || missing+=("$p")
  done
  [ "${#missing[@]}" = 0 ] && exit 0
  say "Installing ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
elif command -v dnf >/dev/null; then
  want=(gcc libX11-devel libXrandr-devel libXinerama-devel libXcursor-devel libXi-devel libXxf86vm-devel
        mesa-libGL-devel xorg-x11-server-Xvfb xorg-x11-xauth mesa-dri-drivers)
  rpm -q "${want[@]}" >/dev/null 2>&1 || as_root dnf install -y -q "${want[@]}" >&2
elif command -v pacman >/dev/null; then
  want=(gcc libx11 libxrandr libxinerama libxcursor libxi libxxf86vm mesa xorg-server-xvfb xorg-xauth)
  pacman -Q "${want[@]}" >/dev/null 2>&1 || as_root pacman -S --needed --noconfirm "${want[@]}" >&2
elif command -v apk >/dev/null; then
  want=(gcc musl-dev libx11-dev libxrandr-dev libxinerama-dev libxcursor-dev libxi-dev libxxf86vm-dev mesa-dev
        xvfb xauth mesa-dri-gallium)
  apk info -e "${want[@]}" >/dev/null 2>&1 || as_root apk add -q "${want[@]}" >&2
else
  say 'No package manager that this script knows. Building the sandbox needs a C compiler, the headers of X11, Xrandr,'
  say 'Xinerama, Xcursor, Xi, Xxf86vm and OpenGL, and, to run without a display, Xvfb, xauth and an OpenGL driver'
  say 'such as Mesa'"'"'s llvmpipe. If they are there, go on with: go run ./examples/sandbox'
  # Not an error if the build can go ahead all the same.
  echo '#include <X11/Xlib.h>' | cc -E - >/dev/null 2>&1
fi

#!/usr/bin/env bash
# Builds and opens the sandbox. Without a display, or with --virtual, it runs under Xvfb, plays a short pointer script
# and writes a picture to out/sandbox.png. Further arguments go to the sandbox.
set -euo pipefail
cd "$(dirname "$0")/.."

virtual=no
if [ "${1:-}" = --virtual ]; then virtual=yes; shift; fi
if [ "$(uname -s)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then virtual=yes; fi

mkdir -p out
go build -o out/sandbox ./examples/sandbox
if [ "$virtual" = no ]; then exec out/sandbox "$@"; fi

scripts/xvfb.sh --virtual out/sandbox -play examples/sandbox/tour.txt -screenshot out/sandbox.png "$@"
echo "There is no display, so the sandbox ran in a virtual one; its picture is out/sandbox.png"

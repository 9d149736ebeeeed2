#!/usr/bin/env bash
# Builds and opens the sandbox. Without a display, or with --virtual, it runs under Xvfb, plays a short pointer script
# and writes a picture to out/sandbox.png. Arguments go to the sandbox, in place of the script:
#   scripts/sandbox.sh -scene statue.glb
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh # as `make test` builds it

virtual=no
if [ "${1:-}" = --virtual ]; then virtual=yes; shift; fi
if [ "$(uname -s)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then virtual=yes; fi

mkdir -p out
go build -o out/sandbox ./examples/sandbox
if [ "$virtual" = no ]; then exec out/sandbox "$@"; fi

picture=out/sandbox.png
if [ $# = 0 ]; then set -- -play examples/sandbox/tour.txt; fi
scripts/xvfb.sh --virtual out/sandbox -screenshot "$picture" "$@" # of two -screenshot the last counts
case " $* " in *" -screenshot"*) ;; *) echo "The sandbox ran in a virtual display; its picture is $picture" ;; esac

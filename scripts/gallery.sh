#!/usr/bin/env bash
# Builds the gallery into out/gallery. Where there are Chromium and npm, opens it there, moves a mouse over it and compares
# it with the same programs on the desktop.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/out

# The paths in the programs stay, as in those that the steps cross and arch compile.
go run -C examples/gallery -exec "env 'GOFLAGS=${GOFLAGS:-} -trimpath=false'" . -out "$out/gallery"
browser=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$browser" ] || [ ! -d examples/gallery/test/node_modules ]; then echo 'gallery.sh: not opened: no Chromium or no npm'; exit 0; fi
mkdir -p "$out/gallery-desktop" "$out/gallery-seen"
go build -o out/gallery-desktop/sandbox ./examples/sandbox
go build -C examples/slabs -o ../../out/gallery-desktop/slabs .
script=$PWD/examples/gallery/test/desktop.txt
cd "$out/gallery-desktop"
../../scripts/xvfb.sh --virtual ./sandbox -size 640x400 -play "$script"
../../scripts/xvfb.sh --virtual ./slabs -stills .
cd ../../examples/gallery/test
CHROMIUM=$browser timeout 1200 node browser.js "$out/gallery" "$out/gallery-desktop" "$out/gallery-seen"

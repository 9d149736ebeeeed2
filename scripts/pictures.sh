#!/usr/bin/env bash
# Makes the pictures of the README and the docs anew: in a virtual display, the sandbox plays pointer scripts
# and the lesson on rays shows its pages.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p docs out
go build -o out/sandbox ./examples/sandbox
go build -o out/slabs ./examples/slabs
go build -o out/animate ./internal/animate

scripts/xvfb.sh --virtual out/sandbox -play examples/sandbox/stills.txt
scripts/xvfb.sh --virtual out/sandbox -size 1280x720 -play examples/sandbox/gizmo.txt
scripts/xvfb.sh --virtual out/sandbox -scene swarm -play examples/sandbox/swarm.txt
scripts/xvfb.sh --virtual out/sandbox -scene arena -size 1280x720 -play examples/sandbox/arena.txt
scripts/xvfb.sh --virtual out/slabs -stills docs

frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
scripts/xvfb.sh --virtual out/sandbox -size 960x600 -play examples/sandbox/film.txt -frames "$frames"
out/animate -o docs/sandbox.gif -width 800 -fps 15 "$frames"

#!/usr/bin/env bash
# Makes the pictures of the README and the docs anew: the sandbox plays pointer scripts in a virtual display.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p docs out
go build -o out/sandbox ./examples/sandbox
go build -o out/animate ./internal/animate

scripts/xvfb.sh --virtual out/sandbox -play examples/sandbox/stills.txt
scripts/xvfb.sh --virtual out/sandbox -scene swarm -play examples/sandbox/swarm.txt

frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
scripts/xvfb.sh --virtual out/sandbox -size 960x600 -play examples/sandbox/film.txt -frames "$frames"
out/animate -o docs/sandbox.gif -width 800 -fps 15 "$frames"

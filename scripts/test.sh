#!/usr/bin/env bash
# The test suite, with a summary at the end. Its seeds are fixed (internal/testenv), so that each run has the same cases.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

suite() {
  # As a user of the core builds it, without cgo; `make check` runs it with cgo, under the race detector.
  CGO_ENABLED=0 go test -json "${CORE[@]}" "${TOOLS[@]}" || broken "$?"
  # Windows open in a virtual display, so that none of the user's is disturbed, and one package runs after the other: a
  # display has one pointer.
  scripts/xvfb.sh --virtual go test -json -p 1 "${WINDOWED[@]}" || broken "$?"
  # Seeds that a campaign has kept.
  local line
  grep -v '^#' internal/campaign/kept.txt | while read -r line; do
    echo "$line"
    CGO_ENABLED=0 bash -c "${line/go test/go test -json}" || broken "$?"
  done || true
}

# go test exits with 1 if a test fails, which its events say too; with another status it has not run at all.
broken() {
  [ "$1" = 1 ] || printf '{"Action":"fail","Package":"the go command, or the display"}\n'
}

mkdir -p out
go build -o out/testsummary ./internal/testsummary
suite | out/testsummary

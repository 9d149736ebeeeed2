#!/usr/bin/env bash
# The test suite, with a summary at the end. Its seeds are fixed (internal/testenv), so that each run has the same cases.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/lean.sh

# The core is built without cgo; `make check` tests it with cgo too, under the race detector. Beside it windows open, in a
# virtual display, so that none of the user's is disturbed. One package with windows runs after the other, since a display
# has one pointer. The last of these commands runs what a campaign has kept. What all of them take is built before: go commands
# at the same time would build it twice.
mkdir -p out
go build -C scripts -o ../out/testsummary ./testsummary
go build "$LEAN" testing github.com/stretchr/testify/require "${CORE[@]}" "${TOOLS[@]}" "${WINDOWED[@]}"
export LEAN "${TESTING[@]}"
export GOFLAGS+=' -ldflags=-s' # linking takes an eighth less time without a table of symbols
exec out/testsummary \
  env CGO_ENABLED=0 go test "$LEAN" -json "${CORE[@]}" "${TOOLS[@]}" -- \
  scripts/xvfb.sh --virtual bash -c "failed=0
    go test -C internal/systemtest -json . || failed=1
    go test \"\$LEAN\" -json -p 1 ${WINDOWED[*]} || failed=1
    scripts/campaign/kept.sh || failed=1
    exit \$failed"

#!/usr/bin/env bash
# All checks besides the test suite, the quick ones first. `scripts/check.sh STEP...` runs some of them.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/lean.sh

STATICCHECK=honnef.co/go/tools/cmd/staticcheck@v0.8.2
# A number of inputs and not a time: at the end of a time the fuzzer may fail for being interrupted (go.dev/issue/75804).
FUZZTIME=${FUZZTIME:-500x}

step_format() {
  local bad
  bad=$(git ls-files '*.go' | xargs gofmt -l)
  if [ -n "$bad" ]; then printf 'not formatted by gofmt:\n%s\n' "$bad"; return 1; fi
}

# The width of comments, and words that the style bans; the tool itself has these words.
step_prose() { git ls-files '*.go' ':!internal/prose' | xargs go run ./internal/prose; }

# What the suite has compiled serves these two and the next, therefore with LEAN.
step_vet() { go vet "$LEAN" ./... && go vet -C internal/systemtest .; }

step_staticcheck() {
  GOWORK=$LEAN_WORK go run "$STATICCHECK" ./...
  (cd internal/systemtest && go run "$STATICCHECK" ./...)
}

# headless runs a go command in the modules that need no more than the core does.
headless() {
  local dir
  for dir in "${HEADLESS[@]}"; do go "$1" -C "$dir" "${@:2}" . || return; done
}

# The tests of the core have run without cgo; the rest of what must build without it is here.
step_nocgo() { CGO_ENABLED=0 go vet "$LEAN" "${CORE[@]}" && CGO_ENABLED=0 go vet -C internal/systemtest . && CGO_ENABLED=0 headless vet; }

# What starts no goroutines has its examples, hashes and fuzz inputs tested, for the detector's checks of pointers. In the rest
# hashes of long lives on one goroutine are left out. On a busy machine package physics takes more than the ten minutes that Go
# gives it.
step_race() {
  local single
  single=$(go list "${SINGLE[@]}")
  go test "$LEAN" -race -short -timeout 40m -skip '^Test(Planar|Casts|Convex)?SameBits(OfJoints)?$' $(go list "${CORE[@]}" | grep -vxF "$single")
  go test "$LEAN" -race -short -run '^Example|^Fuzz|SameBits' "${SINGLE[@]}"
  headless test -race -short
  go test -C inspect -race -short .
}

# The test builds the core for linux/arm64. That and what is built for js/wasm serves the steps arch and gallery too. For
# Windows, the last, the rest is built and vetted too. What is new to all modules is shared by them if paths stay. On a busy
# machine the test takes more than ten minutes.
step_cross() (
  go test -C internal/systemtest -tags crossbuild -timeout 40m -run NothingIsFused .
  export GOFLAGS+=' -trimpath=false'
  for target in js/wasm darwin/arm64 windows/amd64; do
    echo "  $target"
    export CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/}
    go build "${CORE[@]}"
    GOFLAGS+=" '-gcflags=all=-dwarf=false -N -l'" # the code of the next is that of Linux: without optimizing it takes less time
  done
  headless build -o /dev/null && go vet "$LEAN" "${CORE[@]}" && go vet -C internal/systemtest . && headless vet
)

# The same bits on all of them.
step_arch() { scripts/arch.sh; }

# A change of the exported API shows in docs/api.
step_api() { go run -C scripts ./api -check; }

# What was downloaded is what go.sum says, and docs/dependencies.md has the licence of each required module.
step_supply() {
  local mod path
  git ls-files '*go.mod' | while read -r mod; do
    (cd "$(dirname "$mod")" && go mod verify >/dev/null) || { echo "$mod"; return 1; }
    for path in $(awk '/^require \(/ {block=1; next} /^\)/ {block=0} block {print $1} /^require [^(]/ {print $2}' "$mod"); do
      grep -qF "| $path |" docs/dependencies.md || [[ $path/ == github.com/hitscan-go/hitscan/* ]] ||
        { echo "$mod requires $path, which docs/dependencies.md does not list"; return 1; }
    done
  done
}

# The games for other engines are played by a mouse of a virtual display. raylib is compiled for X11 alone. Files outside of
# their module, as the assembly is for its generator, do not count when Go looks whether it has a result already.
nested() (
  root=$PWD
  cd "$1"
  if [ "$1" = examples/raylib ]; then
    echo '#include <xkbcommon/xkbcommon.h>' | cc -E - >/dev/null 2>&1 || { echo '    left out: no libxkbcommon-dev'; return; }
    export GOFLAGS="$(go env GOFLAGS) -tags=x11"
  fi
  [ "$1" != ark ] || set -- "$1" -short # what is generated from ecs, whose tests have run whole
  go vet ./... && "$root/scripts/xvfb.sh" --virtual go test -count=1 "${@:2}" ./... </dev/null
)

# Modules of their own keep what is heavy out of a user's go.sum.
step_nested() {
  local mod dir
  git ls-files '*/go.mod' | while read -r mod; do
    dir=$(dirname "$mod")
    echo "  $dir"
    [ "$dir" = internal/systemtest ] || # the suite tests it
      [ -z "$(cd "$dir" && go list ./... 2>/dev/null)" ] || nested "$dir"
  done
}

step_examples() {
  go run ./examples/quickstart
  go run ./examples/falling
  go build -C examples/raybench -o ../../out/raybench .
  out/raybench -runs 1
  go run -C examples/rigidbench . -scene tumbler -steps 60
  out/raybench -mesh examples/sandbox/assets/dragon.glb -runs 1 -mode any -threads 2
  CGO_ENABLED=0 go run -C examples/server . -ticks 60 -movers 500
  CGO_ENABLED=0 go run -C examples/rollback . -ticks 300
  scripts/sandbox.sh --virtual
  scripts/games.sh
  go build -C examples/slabs -o ../../out/slabs .
  scripts/xvfb.sh --virtual out/slabs -stills out/slabs-stills
}

step_gallery() { scripts/gallery.sh; }

# A window at content scale 2, where Weston is installed.
step_weston() { scripts/weston.sh; }

# From the committed inputs alone: a machine that has run campaigns starts where any other does. What the suite has compiled
# serves here too. It does not measure coverage, by which the fuzzer chooses inputs: that pays in a campaign, not for some
# hundred inputs. The fuzzer fails for an input that takes ten seconds, which any does where a machine stands still: what passes
# when it runs again is no failure.
step_fuzz() {
  local root=$PWD dir lean target corpus input
  for dir in $(go list -f '{{.Dir}}' "${CORE[@]}") $(go list -C examples/raybench -f '{{.Dir}}' ./...); do
    grep -qs '^func Fuzz' "$dir"/*_test.go || continue
    lean=$LEAN
    [[ $dir != "$root"/examples/raybench* ]] || lean=$LEAN_RAYBENCH
    CGO_ENABLED=0 go test -C "$dir" "$lean" -c -vet=off -ldflags=-s -o "$root/out/fuzz.test" .
    corpus=$(mktemp -d)
    for target in $("$root/out/fuzz.test" -test.list '^Fuzz'); do
      echo "  ${dir#"$root/"} $target"
      cd "$dir"
      if ! "$root/out/fuzz.test" -test.run='^$' -test.fuzz="^$target\$" -test.fuzztime="$FUZZTIME" -test.parallel=2 \
        -test.fuzzcachedir="$corpus" >"$root/out/fuzz.log" 2>&1; then
        cat "$root/out/fuzz.log"
        input=$(sed -n "s#.*Failing input written to testdata/fuzz/$target/##p" "$root/out/fuzz.log")
        [ -n "$input" ] && grep -q 'hung or terminated' "$root/out/fuzz.log" && "$root/out/fuzz.test" -test.run="^$target\$/^$input\$" || return 1
        rm "testdata/fuzz/$target/$input"
      fi
      cd "$root"
    done
  done
}

mkdir -p out/check
if [ $# = 1 ]; then
  step=$1
  trap '[ $? = 0 ] || echo "== $step FAILED"' EXIT
  echo "== $step"
  case $step in
    vet | staticcheck | nocgo) export "${TESTING[0]}" ;;
    race | nested | cross) export "${TESTING[@]}" ;;
  esac
  case $step in race | arch) GOFLAGS+=' -trimpath=false' ;; esac # as in step cross
  "step_$step"
  echo "== $step passed in $SECONDS s"
  exit
fi
# Two at once, since most leave a processor idle now and then. What a step prints comes when it has ended.
[ $# -gt 0 ] || set -- format prose vet api supply staticcheck nocgo race nested cross arch examples gallery fuzz weston
printf '%s\n' "$@" | xargs -P 2 -I {} bash -c '
  scripts/check.sh "$1" >"out/check/$1.log" 2>&1 && status=0 || status=255
  cat "out/check/$1.log"
  exit "$status"' - {}

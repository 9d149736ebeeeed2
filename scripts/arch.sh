#!/usr/bin/env bash
# The same bits everywhere: builds the tests that compare all answers with golden hashes for each architecture, and runs them
# on this processor, under qemu-user or, for WebAssembly, under Node. A build that nothing here can run is left out and
# named; with CI=true that is an error. Package ark is ecs with other imports: its own tests compare its hashes.
set -euo pipefail
cd "$(dirname "$0")/.."

export CGO_ENABLED=0
RUN='^Test(Casts|Planar|Convex|Contacts|File|Batch|Mass|Separation|Skin)?SameBits(OfHulls|OfJoints)?$'
PACKAGES=(./physics/geom ./physics/internal/narrow ./physics/internal/wide ./physics/mesh ./physics/skin ./physics ./physics/rigid ./picking ./ecs)

# To compile all other tests of the packages takes longer than all the rest.
rm -rf out/arch
go run -C scripts ./part -run "$RUN" -out "$PWD/out/arch" "${PACKAGES[@]/#./$PWD}"

. scripts/lean.sh

host=$(go env GOHOSTARCH)
os=$(go env GOHOSTOS)
left_out=()

# run PACKAGE RUN FOLDER RUNNER runs a binary of a folder where go test does. Its output is kept in a file beside it.
run() {
  cd "$1"
  local log="$3/${1##*/}.log"
  $4 "$3/${1##*/}.test" -test.run "$2" >"$log" 2>&1 && ! grep -q 'no tests to run' "$log" || { cat "$log"; return 1; }
}
export -f run

# check NAME RUNNER [ARGUMENT...] builds the tests with arguments of go test and runs two packages at once. RUNNER is a program
# that starts a binary, or empty. The arguments `--built NAME` take the binaries of another check. A compiler that collects less
# garbage takes a sixth less time.
check() {
  local name=$1 runner=$2 start=$SECONDS bin
  shift 2
  # Debian has the programs in qemu-user, and the same with -static behind their names in qemu-user-static.
  if [[ $runner == qemu-* ]] && ! command -v "$runner" >/dev/null && command -v "$runner-static" >/dev/null; then
    runner+=-static
  fi
  if [ -n "$runner" ] && ! command -v "${runner%% *}" >/dev/null; then
    left_out+=("$name (no ${runner%% *})")
    return
  fi
  if [ "${1:-}" = --built ]; then
    bin="$PWD/out/arch/$2"
  else
    bin="$PWD/out/arch/$name"
    mkdir -p "$bin"
    GOGC=400 go test -c "$LEAN" -vet=off -ldflags=-w -overlay out/arch/overlay.json -o "$bin/" "$@" "${PACKAGES[@]}" >"$bin/build.log" 2>&1 ||
      { cat "$bin/build.log"; return 1; }
  fi
  if ! printf '%s\0' "${PACKAGES[@]}" | xargs -0 -P 2 -I {} bash -c 'run "$@"' run {} "$RUN" "$bin" "$runner"; then
    echo "  $name: FAILED"
    return 1
  fi
  echo "  $name: the same bits, $((SECONDS - start)) s"
}

# Some virtual machines cannot run programs for 386, though their processors could.
runs_386() {
  GOARCH=386 go build -o out/arch/quickstart ./examples/quickstart && out/arch/quickstart >/dev/null 2>&1
}

# A processor runs programs for itself, and amd64 mostly those for 386 too; on Linux the others run under qemu-user.
runner() {
  case "$os/$host/$1" in
    */"$1"/"$1") ;;
    linux/amd64/386) runs_386 || echo qemu-i386 ;;
    */amd64) echo qemu-x86_64 ;;
    */386) echo qemu-i386 ;;
    */arm64) echo qemu-aarch64 ;;
  esac
}

# Whether this processor has the instructions of GOAMD64=v3.
has_v3() {
  [ "$host" = amd64 ] && [ "$os" = linux ] && grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo
}

if [ "$os" = linux ]; then
  GOARCH=amd64 check amd64 "$(runner amd64)" -trimpath # as the suite has compiled it
  HITSCAN_PORTABLE=1 check 'amd64, portable path' "$(runner amd64)" --built amd64
  GOARCH=amd64 check 'amd64, no assembly' "$(runner amd64)" -trimpath -tags=noasm
  if has_v3; then
    GOARCH=amd64 GOAMD64=v3 check 'amd64, GOAMD64=v3' ''
  else
    left_out+=('amd64, GOAMD64=v3 (not on this processor)')
  fi
  # Signals for preemption end programs for 386 under QEMU 7.
  GODEBUG=asyncpreemptoff=1 GOARCH=386 check 386 "$(runner 386)"
  # The flag is that of TestNothingIsFused, which has built the same. Where tests fuse does no harm.
  GOARCH=arm64 check arm64 "$(runner arm64)" -gcflags=github.com/hitscan-go/hitscan/...=-d=fmahash=vy
else
  check "$host" ''
  left_out+=('other processors (qemu-user is for Linux)')
fi
# go_js_wasm_exec, of the Go distribution, starts Node.
if command -v node >/dev/null; then
  node_exec=$(go env GOROOT)/lib/wasm/go_js_wasm_exec
  GOOS=js GOARCH=wasm check wasm "$node_exec"
  # The kernels beside their portable twins. The first builds no trees, and its hashes have been compared.
  GOOS=js GOARCH=wasm go test "$LEAN" -short -vet=off -skip 'Build|Assembly|Quali|Cut|SameBits' -exec "$node_exec" ./physics/internal/wide
  GOOS=js GOARCH=wasm go test "$LEAN" -short -vet=off -run Kernel -exec "$node_exec" ./physics/rigid
else
  left_out+=('wasm (no node)')
fi

if [ "${#left_out[@]}" != 0 ]; then
  printf '  left out: %s\n' "${left_out[@]}"
  if [ "${CI:-}" = true ]; then exit 1; fi
fi

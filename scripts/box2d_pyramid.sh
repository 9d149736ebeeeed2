#!/usr/bin/env bash
# Measures BenchmarkFlatPyramid and Box2D's own benchmark program in turns, on one core: 200 steps of its pyramid of 5,050
# boxes. Prints a table of milliseconds a step: the mean of all steps but the first, least and median of the rounds.
#   BOX2D=FOLDER scripts/box2d_pyramid.sh
# The environment says what runs, and how often:
#   BOX2D    a checkout of erincatto/box2d (version 3); its program is built once, with -O2 and AVX2
#   ROUNDS   how often each runs (3)
#   QUIET    a command that runs another one undisturbed, such as taskset -c 1
# A round takes some five seconds.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$PWD/out/box2d_pyramid
mkdir -p "$out"
if [ ! -x "$out/benchmark" ]; then
  b=${BOX2D:?the folder of a checkout of erincatto/box2d}
  # Its program makes 500 steps of this scene.
  sed 's/\("large_pyramid", CreateLargePyramid, NULL,\) 500/\1 200/' "$b/benchmark/main.c" >"$out/main.c"
  for f in "$b"/src/*.c "$b"/shared/{benchmarks,human,utils}.c "$out/main.c"; do
    gcc -std=gnu17 -O2 -mavx2 -mfma -DBOX2D_AVX2 -DNDEBUG -ffp-contract=off -I"$b/include" -I"$b/src" -I"$b/shared" -c "$f" -o "$out/$(basename "$f" .c).o"
  done
  gcc "$out"/*.o -lm -lpthread -o "$out/benchmark"
fi
CGO_ENABLED=0 go test -C internal/systemtest -c -o "$out/hitscan" .

cd "$out"
: >times
export GOMAXPROCS=1 GOGC=off # the scene is made again in each run: nothing is collected meanwhile
for ((round = 1; round <= ${ROUNDS:-3}; round++)); do
  echo "round $round" >&2
  # shellcheck disable=SC2086
  ${QUIET:-} ./hitscan -test.run '^$' -test.bench FlatPyramid/hitscan -test.benchtime 1x | awk '/ms\/step/ {print "hitscan", $5}' >>times
  # shellcheck disable=SC2086
  ${QUIET:-} ./benchmark -t=1 -w=1 -r=1 -b=large_pyramid | awk '/^run 0/ {print "Box2D", $4 / 199}' >>times
done
sort -k1,1 -k2,2g times | awk '
  {v[$1, ++n[$1]] = $2}
  function median(k) {return (v[k, int((n[k] + 1) / 2)] + v[k, int(n[k] / 2) + 1]) / 2}
  END {
    printf "| ms a step | hitscan | Box2D | beside Box2D |\n|---|---:|---:|---:|\n"
    printf "| least | %.2f | %.2f | %.2f |\n", v["hitscan", 1], v["Box2D", 1], v["hitscan", 1] / v["Box2D", 1]
    printf "| median | %.2f | %.2f | %.2f |\n", median("hitscan"), median("Box2D"), median("hitscan") / median("Box2D")
  }'

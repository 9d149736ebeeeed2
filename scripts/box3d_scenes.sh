#!/usr/bin/env bash
# Measures rigidbench and Box3D's own benchmark program on the scenes of that program in turns, one core each, and prints a
# table of milliseconds a step: the mean of all steps but the first, least of the rounds, as Box3D's program measures.
#   BOX3D=FOLDER scripts/box3d_scenes.sh [SCENE...]   of joint_grid large_pyramid large_world rain convex_pile junkyard trees100
#            trees50 trees25 washer (all of them)
# The environment says what runs, and how often:
#   BOX3D    a checkout of erincatto/box3d; its program is built once, as Box3D's own Release build with SSE2
#   ROUNDS   how often each runs each scene (3)
#   QUIET    a command that runs another one undisturbed, such as taskset -c 1
# A round of all scenes takes four to five minutes, of which washer, junkyard and convex_pile take four.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$PWD/out/box3d_scenes
mkdir -p "$out"
if [ ! -x "$out/benchmark" ]; then
  b=${BOX3D:?the folder of a checkout of erincatto/box3d}
  # The clock of its main program, which looks before and after all steps, is made that of the CPU time, as rigidbench has
  # it. The library keeps its own: it looks at it dozens of times a step, and each look at the other is a system call, which
  # took a fifth of the time of rain.
  echo '#include <stdint.h>
    #include <time.h>
    uint64_t cpu_ticks(void) {
      struct timespec t;
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
      return t.tv_sec * 1000000000ull + t.tv_nsec;
    }
    float cpu_milliseconds(uint64_t since) { return (cpu_ticks() - since) / 1e6f; }' >"$out/cpu.c"
  gcc -std=gnu2x -O3 -c "$out/cpu.c" -o "$out/cpu.o"
  for f in "$b"/src/*.c "$b"/shared/{benchmarks,human,utils}.c "$b"/benchmark/main.c; do
    clock=
    [ "$(basename "$f")" != main.c ] || clock='-Db3GetTicks=cpu_ticks -Db3GetMilliseconds=cpu_milliseconds'
    # shellcheck disable=SC2086
    gcc -std=gnu17 -O3 -DNDEBUG -ffp-contract=off $clock -I"$b/include" -I"$b/src" -I"$b/shared" -c "$f" -o "$out/$(basename "$(dirname "$f")")_$(basename "$f" .c).o"
  done
  gcc "$out"/*.o -lm -lpthread -o "$out/benchmark"
fi
CGO_ENABLED=0 go build -C examples/rigidbench -o "$out/rigidbench" .

scenes=("$@")
[ $# -gt 0 ] || scenes=(joint_grid large_pyramid large_world rain convex_pile junkyard trees100 trees50 trees25 washer)
cd "$out"
: >times
for ((round = 1; round <= ${ROUNDS:-3}; round++)); do
  for s in "${scenes[@]}"; do
    echo "round $round: $s" >&2
    ours=$s
    [ "$s" != large_pyramid ] || ours=pyramid
    # shellcheck disable=SC2086
    ${QUIET:-} ./rigidbench -scene "$ours" >"$s.lines"
    awk -v s="$s" '$1 == "step_ms_mean_after_first" {print s, "hitscan", $2}' "$s.lines" >>times
    # shellcheck disable=SC2086
    ${QUIET:-} ./benchmark -t=1 -w=1 -r=1 -b="$s" >"$s.box3d"
    awk -v s="$s" '/steps = / {n = $NF} /^run 0/ {print s, "box3d", $4 / (n - 1)}' "$s.box3d" >>times
  done
done

printf '| scene | hitscan, ms a step | Box3D | beside Box3D | spread of each |\n|---|---:|---:|---:|---|\n'
awk '{
  k = $1 " " $2
  if (!(k in low) || $3 < low[k]) low[k] = $3
  if ($3 > high[k]) high[k] = $3
  if (!($1 in seen)) {seen[$1] = 1; order[++n] = $1}
} END {
  for (i = 1; i <= n; i++) {
    h = order[i] " hitscan"; b = order[i] " box3d"
    printf "| %s | %.3g | %.3g | %.2f | %.0f, %.0f %% |\n", order[i], low[h], low[b], low[h] / low[b], 100 * (high[h] / low[h] - 1), 100 * (high[b] / low[b] - 1)
  }
}' times

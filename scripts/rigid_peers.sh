#!/usr/bin/env bash
# Measures rigidbench and other engines on the same scenes in turns, and prints a table of CPU times a step, the ratios to
# Box3D without vector instructions, and the lines of judge, which measures from the poses alone how well the bodies lie.
#   scripts/rigid_peers.sh [SCENE...]     of pyramid, crates, ragdolls, tumbler (all of them); ragdolls are in RAGDOLLS
#            (../shared/rigid/ragdolls.json.gz)
# The environment says what runs, and how often:
#   PEERS    the folder of judge and bench_* (out/rigid), built by ../shared/peers/rigid/build; what is missing there is built
#   BOX3D    a folder with the sources of erincatto/box3d, and JOLT of jrouwe/JoltPhysics; without them these are left out
#   ENGINES  some of "hitscan box3d_scalar box3d jolt bullet" (all that are built)
#   ROUNDS   how often each engine runs each scene (3); the least median counts
#   STEPS    how many steps (the scene's)
#   SLEEP    1: bodies may sleep (0)
set -euo pipefail
cd "$(dirname "$0")/.."

peers=${PEERS:-out/rigid}
sleep=${SLEEP:-0}
out=out/rigid_peers
mkdir -p "$out"
if [ ! -x "$peers/judge" ]; then
  source=../shared/peers/rigid/build
  [ -x "$source" ] || { echo 'rigid_peers.sh: no judge, and no sources of the peers beside this checkout' >&2; exit 1; }
  "$source" "$peers" "${BOX3D:-}" "${JOLT:-}" >"$out/log" 2>&1 || { cat "$out/log" >&2; exit 1; }
fi
CGO_ENABLED=0 go build -C examples/rigidbench -o ../../out/rigidbench .

declare -A letter=([pyramid]=a [crates]=b [ragdolls]=c [tumbler]=d)
scenes=("$@")
[ $# -gt 0 ] || scenes=(pyramid crates ragdolls tumbler)
engines=()
for e in ${ENGINES:-hitscan box3d_scalar box3d jolt bullet}; do
  if [ "$e" = hitscan ] || [ -x "$peers/bench_$e" ]; then engines+=("$e"); else echo "Left out: $e, which is not built." >&2; fi
done

# run ENGINE SCENE prints the line of judge.
run() {
  if [ "$1" != hitscan ]; then
    "$peers/bench_$1" "${letter[$2]}" "$sleep" "${STEPS:-0}"
    return
  fi
  local scene=$2
  [ "$2" != ragdolls ] || scene=${RAGDOLLS:-../shared/rigid/ragdolls.json.gz}
  local flags=(-scene "$scene" -steps "${STEPS:-0}" -poses "$out/poses" -times "$out/times")
  [ "$sleep" = 0 ] || flags+=(-sleep)
  out/rigidbench "${flags[@]}" >"$out/lines"
  "$peers/judge" "${letter[$2]}" hitscan "$sleep" "$out/poses" "$out/times" "$(awk '$1 == "awake" {print $2}' "$out/lines")" \
    "$(grep -E '^(pairs|contacts|allocations|phase_)' "$out/lines" | tr '\n' ' ')"
}

# field NAME FILE prints the least number after a word in the lines of a file.
field() { grep -oE "\| $1 [0-9.]+" "$2" | awk '{print $NF}' | sort -g | head -1; }

for ((round = 1; round <= ${ROUNDS:-3}; round++)); do
  for s in "${scenes[@]}"; do
    for e in "${engines[@]}"; do
      echo "round $round: $s, $e" >&2
      run "$e" "$s" >"$out/line"
      [ "$round" = 1 ] && : >"$out/$s.$e"
      cat "$out/line" >>"$out/$s.$e"
    done
  done
done

printf '| scene | engine | median ms | p99 ms | of the last 100 | beside Box3D scalar |\n|---|---|---|---|---|---|\n'
for s in "${scenes[@]}"; do
  for e in "${engines[@]}"; do
    f=$out/$s.$e
    base=
    [ -e "$out/$s.box3d_scalar" ] && base=$(field median "$out/$s.box3d_scalar")
    printf '| %s | %s | %s | %s | %s | %s |\n' "$s" "$e" "$(field median "$f")" "$(field p99 "$f")" "$(field 'median of last 100' "$f")" \
      "$(awk -v a="$(field median "$f")" -v b="$base" 'BEGIN {if (b > 0) printf "%.2f", a / b}')"
  done
done
for s in "${scenes[@]}"; do
  for e in "${engines[@]}"; do echo "$e: $(tail -1 "$out/$s.$e")"; done
done

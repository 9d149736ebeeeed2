#!/usr/bin/env bash
# Lets the scripts of the games play them by a real pointer, on a virtual display. Pictures go to out/games.
set -euo pipefail
cd "$(dirname "$0")/.."
for game in rts fps editor bank; do
  go build -C examples/games -o ../../out/games/ "./$game"
  echo "$game"
  scripts/xvfb.sh --virtual "out/games/$game" -play out/games
done

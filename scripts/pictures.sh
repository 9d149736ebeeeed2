#!/usr/bin/env bash
# Makes the pictures of the README and the docs: in a virtual display, the sandbox plays pointer scripts and the
# lesson on rays shows its pages. The film needs ffmpeg.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v ffmpeg >/dev/null || { echo "pictures.sh: install ffmpeg first" >&2; exit 1; }

mkdir -p docs out
go build -o out/sandbox ./examples/sandbox
go build -C examples/slabs -o ../../out/slabs .

scripts/xvfb.sh --virtual out/sandbox -play examples/sandbox/stills.txt
scripts/xvfb.sh --virtual out/sandbox -size 1280x720 -play examples/sandbox/gizmo.txt
scripts/xvfb.sh --virtual out/sandbox -scene swarm -play examples/sandbox/swarm.txt
scripts/xvfb.sh --virtual out/sandbox -scene corners -size 1280x720 -play examples/sandbox/corners.txt
scripts/xvfb.sh --virtual out/sandbox -scene arena -size 1280x720 -play examples/sandbox/arena.txt
scripts/xvfb.sh --virtual out/sandbox -scene stack -size 1280x720 -play examples/sandbox/stack.txt
scripts/xvfb.sh --virtual out/sandbox -scene pile -size 1280x720 -play examples/sandbox/pile.txt
scripts/xvfb.sh --virtual out/sandbox -scene bridge -size 1280x720 -play examples/sandbox/bridge.txt
scripts/xvfb.sh --virtual out/sandbox -scene ragdolls -size 1280x720 -play examples/sandbox/ragdolls.txt
scripts/xvfb.sh --virtual out/slabs -stills docs
go build -C examples/flat -o ../../out/flat .
scripts/xvfb.sh --virtual out/flat -still docs/flat.png
scripts/gallery.sh
cp out/gallery-seen/rays.png docs/

# The film: picking with 15 frames a second; bodies with 60, of which every fourth stays.
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
scripts/xvfb.sh --virtual out/sandbox -size 960x600 -play examples/sandbox/film.txt -frames "$frames"
for scene in ragdolls car; do
  mkdir "$frames/part"
  scripts/xvfb.sh --virtual out/sandbox -scene $scene -size 960x600 -play examples/sandbox/film_$scene.txt -frames "$frames/part"
  n=0
  for f in "$frames"/part/*.png; do
    if [ $((n++ % 4)) = 0 ]; then mv "$f" "$frames/$scene-${f##*/}"; fi
  done
  rm -r "$frames/part"
done
# One palette for all frames and no dithering, so that what stands still is not drawn twice; the last frame stays.
ffmpeg -loglevel error -y -framerate 15 -pattern_type glob -i "$frames/*.png" -loop 0 -vf "
  scale=720:-1:flags=area, tpad=stop_mode=clone:stop_duration=1.2, split[a][b];
  [a]palettegen=max_colors=160[p]; [b][p]paletteuse=dither=none:diff_mode=rectangle" docs/sandbox.gif

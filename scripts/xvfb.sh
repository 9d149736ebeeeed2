#!/usr/bin/env bash
# Runs a command with a display: the one there is, or else a virtual one. The virtual one is a plain Xvfb and not
# xvfb-run, whose default screen has 8 bits a pixel on some systems.
#   scripts/xvfb.sh [--virtual] command...     --virtual: a virtual display even where there is a real one
set -euo pipefail

virtual=no
if [ "${1:-}" = --virtual ]; then virtual=yes; shift; fi

if [ "$(uname -s)" != Linux ]; then exec "$@"; fi
if [ "$virtual" = no ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then exec "$@"; fi

# Xvfb picks a free display number itself and writes it to the descriptor once it accepts connections. Without -noreset it
# restarts whenever its last client disconnects, as between two tests, and refuses connections meanwhile.
exec 3< <(exec Xvfb -displayfd 1 -screen 0 1600x1000x24 -nolisten tcp -noreset +extension GLX 2>/dev/null & echo "pid $!"; wait)
server=
number=
while read -r line <&3; do
  case "$line" in
    pid*) server=${line#pid } ;;
    *) number=$line; break ;;
  esac
done
if [ -z "$number" ]; then echo 'xvfb.sh: Xvfb did not start; is it installed? (scripts/deps.sh)' >&2; exit 1; fi
trap 'kill "$server" 2>/dev/null || true' EXIT
unset WAYLAND_DISPLAY
DISPLAY=":$number" LIBGL_ALWAYS_SOFTWARE=1 "$@"

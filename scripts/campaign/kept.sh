#!/usr/bin/env bash
# Runs what a campaign has kept, for scripts/test.sh, with the events of go test -json. The commands of kept.txt would link a
# package for each case, which takes longer than the case: here each package is linked once.
set -euo pipefail
cd "$(dirname "$0")/../.."
list=scripts/campaign/kept.txt
bin=$PWD/out/kept
packages=$(sed -n 's/^HITSCAN.* go test -count=1 \([^ ]*\) .*/\1/p' "$list" | sort -u)
[ -z "$packages" ] || go test "$LEAN" -c -o "$bin/" $packages
test2json=$(go tool -n test2json)
unset GOGC

# go runs a command of the list: go test -count=1 PACKAGE -run REGEXP, or, with -C, one of another module.
go() {
  [ "$2" != -C ] || { command go "$@" -json; return; }
  (cd "$3" && "$test2json" -t -p "github.com/hitscan-go/hitscan/${3#./}" "$bin/${3##*/}.test" -test.v=test2json -test.timeout=10m \
    -test.run="$5" </dev/null)
}

failed=0
while read -r command; do eval "$command" || failed=1; done < <(grep '^HITSCAN' "$list")
exit $failed

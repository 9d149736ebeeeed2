# shellcheck shell=bash
# To source where tests of the main module are built: without testify's assertions about HTTP, which none of them uses, and for
# which net/http is a third of what is compiled and linked. Sets LEAN, a flag for the go command.
lean=$PWD/out/lean
if [ ! -f "$lean/go.mod" ] || [ go.mod -nt "$lean/go.mod" ]; then
  rm -rf "$lean"
  mkdir -p "$lean"
  go mod download github.com/stretchr/testify # go list knows no folder of what is not there yet
  cp -r "$(go list -m -f '{{.Dir}}' github.com/stretchr/testify)" "$lean/testify"
  chmod -R u+w "$lean/testify"
  rm "$lean"/testify/assert/http_assertions.go
  for file in "$lean"/testify/{assert,require}/*.go; do
    awk '/^func .*HTTP[A-Za-z]*\(/ {drop = 1} !drop && !/^\t(http|url)? ?"net\/(http|url)"/; /^}/ {drop = 0}' "$file" >"$lean/cut.go"
    mv "$lean/cut.go" "$file"
  done
  cp go.sum "$lean/go.sum"
  go mod edit -print -replace "github.com/stretchr/testify=./out/lean/testify" go.mod >"$lean/go.mod"
fi
LEAN=-modfile=$lean/go.mod

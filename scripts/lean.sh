# shellcheck shell=bash
# To source where tests of the main module are built: without testify's assertions about HTTP and YAML, which none of them uses,
# and for which net/http is a third of what is compiled and linked; and without its calls of Helper, which walk the stack also in
# assertions that hold, a tenth of the time of tests with many: what fails has its line in testify's trace. Sets LEAN, a flag for
# the go command, LEAN_WORK, a workspace for tools that run it in other ways, and LEAN_RAYBENCH, the flag for that module.
lean=$PWD/out/lean
LEAN_WORK=$lean/go.work
if [ -n "$(find go.mod examples/raybench/go.mod scripts/lean.sh -newer "$LEAN_WORK" 2>&1)" ]; then # also where there is none
  rm -rf "$lean"
  mkdir -p "$lean"
  go mod download github.com/stretchr/testify # go list knows no folder of what is not there yet
  cp -r "$(go list -m -f '{{.Dir}}' github.com/stretchr/testify)" "$lean/testify"
  chmod -R u+w "$lean/testify"
  rm "$lean"/testify/assert/http_assertions.go "$lean"/testify/assert/yaml/yaml_{custom,default}.go
  sed -i.bak '/build/d' "$lean"/testify/assert/yaml/yaml_fail.go # which has a build tag
  for file in "$lean"/testify/{assert,require}/*.go; do
    awk '/^func .*HTTP[A-Za-z]*\(/ {drop = 1} !drop && !/^\t(http|url)? ?"net\/(http|url)"/; /^}/ {drop = 0}' "$file" |
      sed '/^\tif h, ok := .*t\.(tHelper); ok {$/,/^\t}$/d' >"$lean/cut.go"
    mv "$lean/cut.go" "$file"
  done
  for module in . examples/raybench; do
    up=./
    [ $module = . ] || up=../../ # not $PWD, so that the checkout may be moved
    mkdir -p "$lean/$module"
    cp "$module/go.sum" "$lean/$module/go.sum"
    go mod edit -print -replace "github.com/stretchr/testify=${up}out/lean/testify" "$module/go.mod" >"$lean/$module/go.mod"
  done
  printf '%s\n' "$(grep '^go ' go.mod)" 'use ../..' 'replace github.com/stretchr/testify => ./testify' >"$LEAN_WORK"
fi
LEAN=-modfile=$lean/go.mod
LEAN_RAYBENCH=-modfile=$lean/examples/raybench/go.mod

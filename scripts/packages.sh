# shellcheck shell=bash
# The packages by what their tests need, for the other scripts to source.

# What must build without cgo, for every platform.
CORE=(. ./internal/par ./internal/cputime ./physics/... ./picking/... ./ecs/... ./examples/quickstart ./examples/falling)
# Modules of their own of which the same holds.
HEADLESS=(examples/server examples/rollback)
# Tools of the tests and the scripts, for this platform.
TOOLS=($(go list ./internal/... | grep -v "/internal/xpointer\$"))
# What opens windows, besides the tests of the whole, a module of their own in internal/systemtest.
WINDOWED=(./internal/xpointer ./render/... ./examples/sandbox)

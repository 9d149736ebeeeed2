# shellcheck shell=bash
# The packages by what their tests need, for the other scripts to source.

# What must build without cgo, for every platform.
CORE=(. ./internal/par ./internal/cputime ./physics/... ./picking/... ./ecs/... ./examples/quickstart ./examples/falling)
# Those of them that start no goroutines.
SINGLE=(./physics/geom ./physics/hull ./physics/internal/narrow ./physics/lines ./physics/meshio ./physics/skin ./picking)
# Modules of their own of which the same holds.
HEADLESS=(examples/server examples/rollback)
# Tools of the tests and the scripts, for this platform.
TOOLS=($(go list ./internal/... | grep -v "/internal/xpointer\$"))
# What opens windows, besides the tests of the whole, a module of their own in internal/systemtest.
WINDOWED=(./internal/xpointer ./render/... ./examples/sandbox)

# With trimmed paths a package is compiled once for all folders that its module is in, if its version is the same: also for the
# game of TestReadmeGame and the module cache of internal/release, which has OpenGL's package. Compilers take an eighth less time
# without information for debuggers, and C without optimization a fifth of the time. For each of OpenGL's 2,000 names cgo lets
# GCC fail at __cgo_undefined__2 to see that it is no type, and GCC compares that with all names it knows, to propose one: 35 s.
# It does not where that is another name for a function that cgo always declares.
export GOFLAGS="$(go env GOFLAGS) -trimpath -gcflags=all=-dwarf=false" CGO_CFLAGS="-O0 -D__cgo_undefined__2=_GoStringLen"

# To export where tests are built, for `make check` vets them. Compilers that collect less garbage take a sixth less time; the
# tests themselves run with the default.
TESTING=(GOGC=400 "GOFLAGS=$(go env GOFLAGS) -vet=off '-exec=env -u GOGC'")

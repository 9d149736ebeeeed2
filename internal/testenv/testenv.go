// Package testenv holds what the project's tests need from outside: files of the project, the
// measuring data beside a checkout, a display, time, processor features, and random numbers. A test
// that lacks what it needs is skipped here and nowhere else, so that the reasons are alike and
// `make test` can list them.
//
// A test draws no new random numbers by default: importing this package sets the seed of every
// rapid property test to 1, and [Rand] returns fixed sequences. `make campaign` draws others.
package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Patience is how long a test waits for an event of the window system before it fails. The event
// comes within milliseconds, except on a machine that is busy with much else.
const Patience = 2 * time.Minute

// Root returns the directory of the project: the nearest one above the test whose go.mod has the
// module's path.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(data), "module github.com/hitscan-go/hitscan\n") {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("testenv: no go.mod of the project above the test")
		}
		dir = parent
	}
}

// Path returns the path of a file of the project, given by its slash-separated path from the root.
func Path(t testing.TB, name string) string {
	t.Helper()
	return filepath.Join(Root(t), filepath.FromSlash(name))
}

// Data returns the path of a file or folder of the measuring data: meshes, rays, worlds and
// vectors in the folder shared beside the project, too large for the project itself. It skips the
// test where the file is absent.
func Data(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(Root(t), "..", "shared", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("needs the measuring data beside the project: shared/%s", name)
	}
	return path
}

// Long skips the test under -short. It marks tests that take seconds, and minutes under the race
// detector or an emulator, and use one goroutine only.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs time: left out by -short")
	}
}

// Minutes reports whether HITSCAN_LONG is set: then tests of crowds and of kerbs run all of their
// cases, which takes minutes, and not a share of them.
func Minutes() bool { return os.Getenv("HITSCAN_LONG") != "" }

// Count returns the number in an environment variable, or n if it is not set: how many cases a test
// draws that shows how seldom something fails.
func Count(t testing.TB, variable string, n int) int {
	t.Helper()
	s := os.Getenv(variable)
	if s == "" {
		return n
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// AllocatesNothing fails the test if f allocates. The runtime counts the allocations of the whole
// process, those of its own goroutines and of tests that have just ended among them, so one try of
// three without any is enough: what f itself allocates is in all three. A try is a number of runs.
// Under the race detector, where sync.Pool drops items at random, f runs and nothing is counted.
func AllocatesNothing(t testing.TB, runs int, f func(), what ...any) {
	t.Helper()
	if Race {
		f()
		return
	}
	var allocations float64
	for range 3 {
		if allocations = testing.AllocsPerRun(runs, f); allocations == 0 {
			return
		}
	}
	t.Errorf("%v allocations a run %s", allocations, fmt.Sprint(what...))
}

// NoRace skips the test under the race detector, for one of two reasons: it is about allocations,
// which are not counted there; or it is large and uses one goroutine only, except in loops that
// other tests run there.
func NoRace(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("needs a build without the race detector")
	}
}

// Fewer returns all, or, under the race detector, few: it takes ten times as long, and shows in few
// cases what it would in all.
func Fewer[T any](all, few T) T {
	if Race {
		return few
	}
	return all
}

// Display skips the test where a window cannot be opened: without a display, or on macOS, where
// windows belong to the main thread, which go test keeps.
func Display(t testing.TB) {
	t.Helper()
	switch {
	case runtime.GOOS == "darwin":
		t.Skip("needs the main thread for a window, which go test keeps")
	case runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		t.Skip("needs a display: scripts/xvfb.sh --virtual COMMAND runs a command in a virtual one")
	}
}

// Pointer skips the test where there is no X11 display, whose pointer a test can move.
func Pointer(t testing.TB) {
	t.Helper()
	if runtime.GOOS != "linux" || os.Getenv("DISPLAY") == "" {
		t.Skip("needs the pointer of an X11 display: scripts/xvfb.sh --virtual COMMAND runs a command in a virtual one")
	}
}

// Drawn fails the test unless it met more than a number of cases of the kind that it is about. How
// many cases random numbers make is a property of their sequence and not of the code, so with the
// seeds of a campaign any number will do.
func Drawn(t testing.TB, cases, least int, what ...any) {
	t.Helper()
	if seed == 0 && cases <= least {
		t.Errorf("%d cases, where the fixed seeds make more than %d %s", cases, least, fmt.Sprint(what...))
	}
}

// Program skips the test where a program cannot be run, as in a browser.
func Program(t testing.TB, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "js" {
		t.Skipf("needs to run %s", filepath.Base(name))
	}
}

// SIMD skips the test if the assembly is not in use: on another processor, in a build without it,
// or where HITSCAN_PORTABLE is set.
func SIMD(t testing.TB, used bool) {
	t.Helper()
	Needs(t, used, "assembly for this processor")
}

// Needs skips the test unless a condition holds.
func Needs(t testing.TB, holds bool, what string) {
	t.Helper()
	if !holds {
		t.Skip("needs " + what)
	}
}

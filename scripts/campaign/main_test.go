package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestScan(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a_test.go"), []byte(`package a
func TestProperty(t *testing.T) { rapid.Check(t, func(t *rapid.T) {}) }
func TestSeeded(t *testing.T) { for range rays() {} }
func rays() []int { return deeper() }
func deeper() []int { testenv.Rand(1, 2); return nil }
func TestFixed(t *testing.T) { rand.New(rand.NewPCG(1, 2)); testenv.Long(t) }
func TestLeftOut(t *testing.T) { rays() }
func FuzzIt(f *testing.F) {}
func TestMain(m *testing.M) { rays() }
`), 0o644))
	p := pkg{Dir: dir, TestGoFiles: []string{"a_test.go"}}
	require.NoError(t, p.scan(regexp.MustCompile("Property|Seeded|Fixed|It|Main")))
	assert.Equal(t, []randomTest{{"TestProperty", true}, {"TestSeeded", false}}, p.tests)
	assert.Equal(t, []string{"FuzzIt"}, p.targets)
}

func TestMessage(t *testing.T) {
	assert.Equal(t, "a_test.go:5: [rapid] failed after 3 tests: too large",
		message([]byte("=== RUN TestA\n    a_test.go:5: [rapid] failed after 3 tests: too large\n--- FAIL: TestA\n")))
	assert.Equal(t, `Error: Not equal: expected: 1 actual : 2`, message([]byte("\tError: Not equal:\n\t  expected: 1\n\t  actual : 2\n\n--- FAIL: TestA\n")))
	assert.Equal(t, "no output", message(nil))
}

// An input that fails again is a failure and stays; one that passes is removed.
func TestPassesAgain(t *testing.T) {
	for _, passes := range []bool{true, false} {
		dir := t.TempDir()
		program, status := filepath.Join(dir, "fuzz"), 1
		if passes {
			status = 0
		}
		require.NoError(t, os.WriteFile(program, fmt.Appendf(nil, "#!/bin/sh\n[ \"$1\" = '-test.run=^FuzzIt$/^12ab$' ] || exit 2\nexit %d\n", status), 0o755))
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "testdata/fuzz/FuzzIt"), 0o755))
		input := filepath.Join(dir, "testdata/fuzz/FuzzIt/12ab")
		require.NoError(t, os.WriteFile(input, nil, 0o644))
		j := job{name: "FuzzIt", pkg: &pkg{Dir: dir, fuzz: program}}
		assert.False(t, j.passesAgain(t.Context(), []byte("FAIL")))
		out := []byte("--- FAIL: FuzzIt (14.37s)\n    Failing input written to testdata/fuzz/FuzzIt/12ab\n")
		assert.Equal(t, passes, j.passesAgain(t.Context(), out))
		_, err := os.Stat(input)
		assert.Equal(t, passes, os.IsNotExist(err))
	}
}

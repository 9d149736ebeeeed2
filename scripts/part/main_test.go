package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of two files one has a test that is kept with all that it needs: a helper of the other file by
// way of a method, a constant of a block, and what runs in any case.
func TestPart(t *testing.T) {
	dir := t.TempDir()
	write := func(name, src string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(src), 0o644))
	}
	write("a_test.go", `package a

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

const (
	one = 1
	two = 2
)

func TestKept(t *testing.T) { thing{}.print(one) }

// TestGone and its comment go.
func TestGone(t *testing.T) { other := rand.Int(); fmt.Println(other) }

func other() {}
`)
	write("b_test.go", `package a_test

import "fmt"

type thing struct{}

func (thing) print(n int) { fmt.Println(n, helper()) }

func helper() int { return 0 }

func unused() {}

func init() { early() }

func early() {}
`)
	write("c_test.go", "package a\n\nfunc nothing() {}\n")
	copies, err := part(dir, regexp.MustCompile("^TestKept$"))
	require.NoError(t, err)
	assert.Nil(t, copies["c_test.go"])
	a, b := string(copies["a_test.go"]), string(copies["b_test.go"])
	for _, gone := range []string{"TestGone", "comment", "func other", "rand", "fmt"} {
		assert.NotContains(t, a, gone)
	}
	for _, kept := range []string{"TestKept", "one = 1", `"testing"`} {
		assert.Contains(t, a, kept)
	}
	assert.NotContains(t, b, "unused")
	for _, kept := range []string{"type thing", "print", "func helper", "func init", "func early", `"fmt"`} {
		assert.Contains(t, b, kept)
	}
	assert.Equal(t, 19, strings.Count(a, "\n"), "lines keep their numbers")
}

//go:build crossbuild

// It compiles for another architecture, which takes long: `make check` runs it.

package systemtest

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// Answers have the same bits on every architecture, so no product may be fused with a sum. The
// compiler for arm64 fuses wherever the language allows it, also across an inlined call: a fused
// instruction in its assembly is a forgotten conversion, float32(a*b), in the line that it names.
func TestNothingIsFused(t *testing.T) {
	testenv.Program(t, "go")
	packages := []string{"./physics", "./physics/geom", "./physics/hull", "./physics/mesh", "./physics/internal/...", "./physics/rigid", "./physics/skin", "./picking", "./ecs"}
	asm := arm64(t, "", packages...)
	require.Contains(t, string(asm), "\tFMULS\t", "this is arm64's assembly")
	asm = append(asm, arm64(t, "examples/server", ".")...)
	asm = append(asm, arm64(t, "examples/rollback", ".")...)
	fused := regexp.MustCompile(`\tFN?M(ADD|SUB)[SD]\t`)
	for line := range bytes.Lines(asm) {
		// The output has 80 MB, of which few lines are worth a regular expression.
		if bytes.Contains(line, []byte("\tFM")) || bytes.Contains(line, []byte("\tFN")) {
			assert.NotRegexp(t, fused, string(line))
		}
	}
}

// arm64 returns the assembly of packages of the module in a folder of the project.
func arm64(t *testing.T, dir string, packages ...string) []byte {
	cmd := exec.Command("go", append([]string{"build", "-gcflags=-S", "-o", os.DevNull}, packages...)...)
	cmd.Dir = testenv.Path(t, dir)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	asm, err := cmd.CombinedOutput()
	require.NoError(t, err, "%.1000s", asm)
	return asm
}

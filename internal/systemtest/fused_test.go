//go:build crossbuild

// It compiles for another architecture, which takes long: `make check` runs it.

package systemtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// Answers have the same bits on every architecture, so no product may be fused with a sum. The
// compiler for arm64 fuses wherever the language allows it, also across an inlined call, and this
// flag makes it say where: there a conversion is forgotten, float32(a*b). scripts/arch.sh builds
// with the same flags, so that nothing is compiled twice.
func TestNothingIsFused(t *testing.T) {
	testenv.Program(t, "go")
	const flag = "-d=fmahash=vy"
	dir := t.TempDir()
	source := "package fused\n\nfunc F(a, b, c float32) float32 { return a*b + c }\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "fused.go"), []byte(source), 0o644))
	require.Contains(t, arm64(t, dir, "-gcflags="+flag, "fused.go"), "fmahash triggered ./fused.go:3")

	const ours = "-gcflags=github.com/hitscan-go/hitscan/...=" + flag
	assert.NotContains(t, arm64(t, testenv.Root(t), ours, ".", "./internal/par", "./internal/cputime",
		"./physics/...", "./picking/...", "./ecs/..."), "fmahash")
	for _, example := range []string{"server", "rollback"} {
		assert.NotContains(t, arm64(t, testenv.Path(t, "examples/"+example), ours, "."), "fmahash")
	}
}

// arm64 returns what the compiler says of a build in a folder.
func arm64(t *testing.T, dir string, arguments ...string) string {
	cmd := exec.Command("go", append([]string{"build", "-trimpath=false", "-o", os.DevNull}, arguments...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

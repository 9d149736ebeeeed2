package systemtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// block returns the code that follows a marker in the README.
func block(t *testing.T, marker string) string {
	t.Helper()
	readme, err := os.ReadFile(testenv.Path(t, "README.md"))
	require.NoError(t, err)
	pattern := regexp.MustCompile("(?s)<!-- " + regexp.QuoteMeta(marker) + " -->\n```\\w+\n(.*?)```\n")
	match := pattern.FindSubmatch(readme)
	require.NotNil(t, match, "README.md has no block marked %q", marker)
	return string(match[1])
}

// The quickstart in the README is the example that CI runs.
func TestReadmeQuickstart(t *testing.T) {
	source, err := os.ReadFile(testenv.Path(t, "examples/quickstart/main.go"))
	require.NoError(t, err)
	require.Equal(t, string(source), block(t, "examples/quickstart/main.go"))

	out, err := exec.Command("go", "run", testenv.Path(t, "examples/quickstart")).Output()
	require.NoError(t, err)
	require.Equal(t, block(t, "quickstart prints"), string(out))
}

// The README's game is built and run as its reader would: in a module of its own, by the commands
// shown, without cgo.
func TestReadmeGame(t *testing.T) {
	root := testenv.Root(t)
	dir := filepath.Join(t.TempDir(), "mygame")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(block(t, "game")), 0o644))

	install := strings.ReplaceAll(block(t, "install"), "../hitscan", root)
	_, install, found := strings.Cut(install, "cd mygame\n")
	require.True(t, found)
	lines := append([]string{"go mod init mygame"}, strings.Split(strings.TrimSpace(install), "\n")...)
	for _, line := range append(lines, "go run .") {
		words := strings.Fields(line)
		require.Equal(t, "go", words[0], line)
		cmd := exec.Command("go", words[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", line, out)
		if line == "go run ." {
			require.Equal(t, block(t, "game prints"), string(out))
		}
	}

	deps := exec.Command("go", "list", "-deps", ".")
	deps.Dir = dir
	out, err := deps.Output()
	require.NoError(t, err)
	require.NotContains(t, string(out), "go-gl")
	sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	require.NoError(t, err)
	require.Less(t, strings.Count(string(sum), "\n"), 60, "a game's go.sum stays short")
}

// Every file that the README links to is there.
func TestReadmeLinks(t *testing.T) {
	for _, name := range []string{"README.md", "ARCHITECTURE.md"} {
		text, err := os.ReadFile(testenv.Path(t, name))
		require.NoError(t, err)
		text = regexp.MustCompile("(?s)\n```.*?\n```\n").ReplaceAll(text, nil) // code is no link
		for _, link := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllSubmatch(text, -1) {
			target, _, _ := strings.Cut(string(link[1]), "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			_, err := os.Stat(testenv.Path(t, target))
			require.NoError(t, err, "%s links to %s", name, target)
		}
	}
}

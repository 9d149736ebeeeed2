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

// What the README says of bodies: an example at most twelve lines longer than the quickstart, whose
// crates all come to rest, and one without Arche in fifteen lines.
func TestReadmeFalling(t *testing.T) {
	lines := func(path string) int {
		source, err := os.ReadFile(testenv.Path(t, path))
		require.NoError(t, err)
		return strings.Count(string(source), "\n")
	}
	require.LessOrEqual(t, lines("examples/falling/main.go"), lines("examples/quickstart/main.go")+12)
	out, err := exec.Command("go", "run", testenv.Path(t, "examples/falling")).Output()
	require.NoError(t, err)
	require.Equal(t, 5, strings.Count(string(out), "awake: false"), "%s", out)

	source, err := os.ReadFile(testenv.Path(t, "physics/rigid/dynamics_test.go"))
	require.NoError(t, err)
	_, body, _ := strings.Cut(string(source), "func Example() {\n")
	body, _, found := strings.Cut(body, "\t// Output:")
	require.True(t, found)
	require.LessOrEqual(t, strings.Count(body, "\n"), 15)
}

// The README's commands work as written in an empty folder, without cgo, and so does its game in
// the module that they make. The clone is a link to this checkout.
func TestReadmeGame(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Symlink(testenv.Root(t), filepath.Join(dir, "hitscan")))
	_, install, found := strings.Cut(block(t, "install"), "git clone <this repository> hitscan\n")
	require.True(t, found)
	run := func(dir, script string) string {
		cmd := exec.Command("bash", "-euc", script)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-trimpath "+os.Getenv("GOFLAGS"))
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		require.NoError(t, err, "%s\n%s%s", script, out, &stderr)
		return string(out)
	}
	require.Equal(t, block(t, "quickstart prints"), run(dir, install))

	game := filepath.Join(dir, "mygame")
	require.NoError(t, os.WriteFile(filepath.Join(game, "main.go"), []byte(block(t, "game")), 0o644))
	require.Equal(t, block(t, "game prints"), run(game, "go mod tidy && go run ."))

	require.NotContains(t, run(game, "go list -deps ."), "go-gl")
	sum, err := os.ReadFile(filepath.Join(game, "go.sum"))
	require.NoError(t, err)
	require.Less(t, strings.Count(string(sum), "\n"), 60, "a game's go.sum stays short")
}

// Every file that a page links to is there.
func TestReadmeLinks(t *testing.T) {
	pages, err := filepath.Glob(testenv.Path(t, "docs/*.md"))
	require.NoError(t, err)
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "examples/sandbox/README.md"} {
		pages = append(pages, testenv.Path(t, name))
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		text = regexp.MustCompile("(?s)\n```.*?\n```\n").ReplaceAll(text, nil) // code is no link
		for _, link := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllSubmatch(text, -1) {
			target, _, _ := strings.Cut(string(link[1]), "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			_, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(target)))
			require.NoError(t, err, "%s links to %s", page, target)
		}
	}
}

package systemtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// An example whose world has a space calls physecs.Check: in its test, or where a test or a script
// sees what it prints. Raybench measures, and plays no game.
func TestExamplesAreChecked(t *testing.T) {
	root := testenv.Path(t, "examples")
	sources := map[string]string{} // by example
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		source, err := os.ReadFile(path)
		name, _, _ := strings.Cut(strings.TrimPrefix(path, root+string(filepath.Separator)), string(filepath.Separator))
		sources[name] += string(source)
		return err
	}))
	delete(sources, "raybench")
	uses := regexp.MustCompile(`physecs\.(Sync\(|Simulation\b|\w+System\b)`)
	checked := 0
	for name, source := range sources {
		if uses.MatchString(source) {
			checked++
			assert.Contains(t, source, "physecs.Check(", name)
		}
	}
	testenv.Drawn(t, checked, 10)
}

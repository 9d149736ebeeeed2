package systemtest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
	"github.com/hitscan-go/hitscan/picking"
)

// TestHostileFiles reads files that once took hundreds of megabytes or gave wrong answers: each
// takes at most 64 times its bytes and 16 MB. With -v it prints what each takes and says.
func TestHostileFiles(t *testing.T) {
	testenv.NoRace(t)
	dir := testenv.Data(t, "hostile")
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range list {
		name := filepath.Join(dir, f.Name())
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		switch filepath.Ext(name) {
		case ".md":
			continue
		case ".txt":
			_, err = picking.ReadFrames(f.Name(), strings.NewReader(string(data)))
		case ".mesh":
			var m *mesh.Mesh
			if m, err = mesh.ReadFile(name); err == nil {
				err = m.Validate()
			}
		default:
			_, err = meshio.ReadFile(name)
		}
		runtime.ReadMemStats(&after)
		took := after.TotalAlloc - before.TotalAlloc
		require.LessOrEqual(t, took, uint64(64*len(data)+16<<20), f.Name())
		t.Logf("%-20s %7d bytes take %.1f MB: %.160s", f.Name(), len(data), float64(took)/1e6, strings.ReplaceAll(fmt.Sprint(err), dir+"/", ""))
	}
}

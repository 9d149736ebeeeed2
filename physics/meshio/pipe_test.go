//go:build unix

package meshio_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/meshio"
)

// A named pipe as a buffer is an error, and is not waited for.
func TestPipeAsABuffer(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "b"), 0o600))
	_, text, _ := primitivesTimesNodes(1, 1, 4)
	path := filepath.Join(dir, "a.gltf")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	_, err := meshio.ReadFile(path)
	require.ErrorContains(t, err, "is not a file")
}

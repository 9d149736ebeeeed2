package xpointer

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A display is one process's until that ends; within the process any number of pointers are opened.
func TestAlone(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	const display = "nowhere/else:7.0"
	for range 3 {
		require.NoError(t, alone(display))
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	f, err := os.Open(files[0]) // a lock is of the open file: this is another, as of another process
	require.NoError(t, err)
	defer f.Close()
	assert.ErrorIs(t, syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)

	require.NoError(t, alone("another:0"))
	t.Setenv("TMPDIR", filepath.Join(dir, "missing"))
	assert.ErrorIs(t, alone("third:0"), os.ErrNotExist)
}

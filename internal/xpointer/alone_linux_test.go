package xpointer

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// A process has a display to itself until it ends, and can open any number of pointers.
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
	// The lock belongs to an open file: this one stands for another process.
	f, err := os.Open(files[0])
	require.NoError(t, err)
	defer f.Close()
	assert.ErrorIs(t, syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)

	require.NoError(t, alone("another:0"))
	t.Setenv("TMPDIR", filepath.Join(dir, "missing"))
	assert.ErrorIs(t, alone("third:0"), os.ErrNotExist)
}

// Close releases what is down, so that the next pointer does not find it down.
func TestCloseReleases(t *testing.T) {
	testenv.Pointer(t)
	p, err := Open()
	require.NoError(t, err)
	other, err := Open()
	require.NoError(t, err)
	defer other.Close()
	down := func() bool {
		reply, err := xproto.QueryKeymap(other.conn).Reply()
		require.NoError(t, err)
		for _, b := range reply.Keys {
			if b != 0 {
				return true
			}
		}
		return false
	}
	require.False(t, down())
	require.NoError(t, p.KeyDown(Shift))
	require.True(t, down())
	p.Close()
	require.False(t, down())
}

package xpointer

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

func TestOpenWithoutDisplay(t *testing.T) {
	t.Setenv("DISPLAY", "")
	p, err := Open()
	require.ErrorIs(t, err, ErrUnavailable)
	assert.Nil(t, p)
	if runtime.GOOS == "linux" {
		t.Setenv("DISPLAY", ":98765") // no such server
		_, err = Open()
		require.ErrorIs(t, err, ErrUnavailable)
	}
}

func TestPointer(t *testing.T) {
	testenv.Pointer(t)
	p, err := Open()
	require.NoError(t, err)
	defer p.Close()
	home, homeY, err := p.Position()
	require.NoError(t, err)
	for _, to := range [][2]int{{120, 80}, {3, 5}, {home, homeY}} {
		require.NoError(t, p.Move(to[0], to[1]))
		x, y, err := p.Position()
		require.NoError(t, err)
		assert.Equal(t, to, [2]int{x, y})
	}
	require.ErrorContains(t, p.KeyDown(0x1234567), "0x1234567", "no keyboard has this one")
	require.NoError(t, p.KeyDown(Shift))
	require.NoError(t, p.KeyUp(Shift))
}

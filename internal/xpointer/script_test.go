package xpointer

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A step is done once, and the next is not done before the first has come to its end, in a later
// tick.
func TestScript(t *testing.T) {
	var did []string
	do := func(name string) func(*Pointer) error {
		return func(*Pointer) error { did = append(did, name); return nil }
	}
	arrived := false
	s := Script{Steps: []Step{
		{Name: "first", Do: do("first"), Until: func() bool { return arrived }}, {Name: "second", Do: do("second")}, {Name: "third"},
	}}
	tick := func() bool {
		done, err := s.Tick(nil)
		require.NoError(t, err)
		return done
	}
	for range 3 {
		require.False(t, tick())
		require.Equal(t, []string{"first"}, did)
	}
	arrived = true
	require.False(t, tick())
	require.False(t, tick())
	require.Equal(t, []string{"first", "second"}, did)
	require.False(t, tick())
	require.False(t, tick())
	require.True(t, tick())
	require.True(t, tick(), "and from then on")
}

func TestScriptThatFails(t *testing.T) {
	broken := errors.New("no display")
	s := Script{Steps: []Step{{Name: "move", Do: func(*Pointer) error { return broken }}}}
	_, err := s.Tick(nil)
	assert.ErrorIs(t, err, broken)
	s = Script{Steps: []Step{{Name: "wait", Until: func() bool { return false }}}}
	for range patience {
		_, err = s.Tick(nil)
		require.NoError(t, err)
	}
	_, err = s.Tick(nil)
	assert.EqualError(t, err, "xpointer: wait: it has not come about after 600 ticks")
}

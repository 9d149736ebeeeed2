package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestArkIsUpToDate(t *testing.T) {
	files, err := generate("../../ecs")
	require.NoError(t, err)
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil || string(got) != string(want) {
			t.Errorf("ark/%s is not what ark/gen makes of ecs/%s: run go generate in ark", name, name)
		}
	}
	assert.Empty(t, stale("..", files), "run go generate in ark")
}

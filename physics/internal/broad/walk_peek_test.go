package broad

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// TestWalkPeek holds what Peek foretells to what Next returns while the range stays as it is.
func TestWalkPeek(t *testing.T) {
	walkWithSIMD(t, func(t *testing.T) {
		scene := walkScenes()[0]
		p := walkPhase(scene.boxes, 3)
		var w Walk
		foretold := 0
		for _, r := range walkRays(testenv.Rand(3, 4), &scene, 500) {
			if !w.Start(p, r) {
				continue
			}
			for _, ok := w.Next(); ok; _, ok = w.Next() {
				first, one := w.Peek(0)
				second, two := w.Peek(1)
				for _, next := range []struct {
					number uint32
					ok     bool
				}{{first, one}, {second, one && two}} {
					if !next.ok {
						break
					}
					number, ok := w.Next()
					require.True(t, ok)
					require.Equal(t, next.number, number)
					foretold++
				}
			}
			_, ok := w.Peek(0)
			assert.False(t, ok, "nothing follows the last")
		}
		assert.Greater(t, foretold, 100)
	})
}

//go:build !race

package mesh_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Not under the race detector, which makes every sync.Pool forget at random.

// A NaN anywhere, however many triangles there are, is rejected before anything is built.
func TestNaNCostsNothing(t *testing.T) {
	vertices, indices := mesh.Icosphere(1, 6)
	vertices[len(vertices)-1].Y = float32(math.NaN())
	allocations := testing.AllocsPerRun(3, func() {
		_, err := mesh.New(vertices, indices)
		if err == nil || !strings.HasSuffix(err.Error(), "is not finite") {
			panic(fmt.Sprintf("a NaN was taken, or refused for another reason: %v", err))
		}
	})
	assert.Less(t, allocations, 20.0)
}

package mesh

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Many rays give what each gives alone, in order, on any number of processors and for any number of rays.
func TestCastRaysGivesWhatEachRayGives(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	s := soup(rand.New(rand.NewPCG(1, 2)), "", 3000, 3, 0.5)
	m := mustNew(t, s.vertices, s.indices)
	list := rays(rand.New(rand.NewPCG(3, 4)), m, 5000)
	list[77].Dir = geom.Vec3{}
	for _, procs := range []int{1, 3, 8} {
		runtime.GOMAXPROCS(procs)
		for _, n := range []int{0, 1, batchSize - 1, batchSize, batchSize + 1, len(list)} {
			before := geom.Hit{T: 42}
			got := m.CastRays([]geom.Hit{before}, list[:n], geom.CullBack)
			require.Len(t, got, n+1)
			require.Equal(t, before, got[0])
			hits := 0
			for i, r := range list[:n] {
				want, ok := m.CastRay(r, geom.CullBack)
				if !ok {
					want = geom.Hit{T: inf32, Triangle: -1}
				} else {
					hits++
				}
				require.Truef(t, same(want, got[i+1]), "ray %d: %v\nwant %v\ngot  %v", i, r, want, got[i+1])
			}
			assert.True(t, n < len(list) || hits > 1000 && hits < n)
		}
	}
}

func TestCastRaysOfAFewAllocatesNothing(t *testing.T) {
	m := mustNew(t, first(Icosphere(1, 3)), second(Icosphere(1, 3)))
	list := rays(rand.New(rand.NewPCG(5, 6)), m, batchSize)
	buffer := make([]geom.Hit, 0, batchSize)
	assert.Zero(t, testing.AllocsPerRun(10, func() { m.CastRays(buffer, list, geom.CullNone) }))
}

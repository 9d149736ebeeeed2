package broad

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The two halves of what a box touches are what stands still and what does not.
func TestVisitHalf(t *testing.T) {
	r := testenv.Rand(7, 8)
	v := func(size float32) geom.Vec3 {
		return geom.V(r.Float32()*size, r.Float32()*size, r.Float32()*size)
	}
	var p Phase
	standing := map[uint32]bool{}
	boxes := map[uint32]geom.AABB{}
	for i := range uint32(3000) {
		at := v(50)
		boxes[i], standing[i] = geom.AABB{Min: at, Max: at.Add(v(2))}, r.IntN(2) == 0
		p.Set(i, boxes[i], standing[i])
	}
	p.Settle(2)
	for range 50 {
		at := v(50)
		probe := geom.AABB{Min: at, Max: at.Add(v(9))}
		for _, half := range []bool{false, true} {
			var want, found []uint32
			for i, b := range boxes {
				if standing[i] == half && b.OverlapsAABB(probe) {
					want = append(want, i)
				}
			}
			p.VisitHalf(probe, half, func(i uint32) bool {
				found = append(found, i)
				return true
			})
			require.ElementsMatch(t, want, found)
		}
	}
	n := 0
	p.VisitHalf(geom.AABB{Max: geom.V(50, 50, 50)}, true, func(uint32) bool {
		n++
		return n < 3
	})
	assert.Equal(t, 3, n, "stops when told to")
	p.VisitHalf(geom.EmptyAABB(), true, func(uint32) bool {
		assert.Fail(t, "an empty box touches nothing")
		return false
	})
}

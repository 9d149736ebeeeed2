package golden_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestNumbers(t *testing.T) {
	n := golden.Numbers(1)
	assert.Equal(t, []int{42, 50}, []int{n.Int(100), n.Int(100)})
	assert.Equal(t, geom.V(0, 0, 0), geom.V(n.Float(0), n.Float(0), 0))
	low, high := float32(0), float32(0)
	for range 10_000 {
		x := n.Float(3)
		low, high = min(low, x), max(high, x)
	}
	assert.InDelta(t, -3, low, 0.01)
	assert.InDelta(t, 3, high, 0.01)
}

// Every field of a hit, and whether there is a hit, changes the hash.
func TestHashSeesAll(t *testing.T) {
	base := geom.Hit{T: 1, Point: geom.V(1, 2, 3), Normal: geom.V(0, 1, 0), U: 0.25, V: 0.5, Triangle: 7}
	seen := map[uint64]string{}
	for name, change := range map[string]func(h *geom.Hit){
		"nothing":   func(*geom.Hit) {},
		"T":         func(h *geom.Hit) { h.T = 1.0000001 },
		"point":     func(h *geom.Hit) { h.Point.Z = 4 },
		"normal":    func(h *geom.Hit) { h.Normal.X = 1e-30 },
		"minus 0":   func(h *geom.Hit) { h.Normal.X = -h.Normal.X },
		"U":         func(h *geom.Hit) { h.U = 0 },
		"V":         func(h *geom.Hit) { h.V = 0 },
		"triangle":  func(h *geom.Hit) { h.Triangle = -1 },
		"back face": func(h *geom.Hit) { h.BackFace = true },
		"inside":    func(h *geom.Hit) { h.Inside = true },
	} {
		hit, hash := base, golden.New()
		change(&hit)
		hash.Hit(hit, true)
		assert.Equal(t, 1, hash.Found)
		assert.Empty(t, seen[hash.Sum()], "the hash does not change with the %s", name)
		seen[hash.Sum()] = name
	}
	miss := golden.New()
	miss.Hit(base, false)
	assert.Zero(t, miss.Found)
	assert.NotContains(t, seen, miss.Sum())
	assert.PanicsWithValue(t, "golden: Hash.Float: NaN", func() {
		zero := float32(0)
		miss.Float(zero / zero)
	})
}

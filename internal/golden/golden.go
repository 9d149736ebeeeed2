// Package golden compares the bits of many results with a hash stored in a test, on every
// architecture.
//
// The inputs of such a test must be the same to the bit on every architecture too. Take them from
// [Numbers], round a product before adding it (float32(a*b) + c), and use only functions that IEEE
// 754 rounds correctly: of package math, Sqrt, Abs, Floor and the like. The last bit of the others
// depends on the architecture.
package golden

import (
	"hash"
	"hash/fnv"
	"math"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Numbers is a sequence of random numbers that does not depend on any library: Knuth's MMIX
// generator, of which the upper half is used. Its value is the seed.
type Numbers uint64

func (n *Numbers) next() uint32 {
	*n = *n*6364136223846793005 + 1442695040888963407
	return uint32(*n >> 32)
}

// Int returns a number from 0 to below limit. limit must be far below 2³².
func (n *Numbers) Int(limit int) int { return int(uint64(n.next()) * uint64(limit) >> 32) }

// Float returns a number from −reach to reach, with 24 bits.
func (n *Numbers) Float(reach float32) float32 {
	return float32(float32(int32(n.next())>>8) / (1 << 23) * reach)
}

// Vec returns a point of the cube from −reach to reach.
func (n *Numbers) Vec(reach float32) geom.Vec3 {
	x, y, z := n.Float(reach), n.Float(reach), n.Float(reach)
	return geom.V(x, y, z)
}

// Quat returns a rotation, not normalised.
func (n *Numbers) Quat() geom.Quat {
	x, y, z, w := n.Float(1), n.Float(1), n.Float(1), n.Float(1)
	return geom.Quat{X: x, Y: y, Z: z, W: w}
}

// Hash collects results. Make one with [New].
type Hash struct {
	sum hash.Hash64
	// Found is the number of results other than misses. A hash of misses alone tests little.
	Found int
}

// New returns the hash of no results.
func New() *Hash { return &Hash{sum: fnv.New64a()} }

// Sum returns the hash of all results so far (FNV-1a).
func (h *Hash) Sum() uint64 { return h.sum.Sum64() }

// Uint adds an integer.
func (h *Hash) Uint(x uint64) {
	var b [8]byte
	for i := range b {
		b[i] = byte(x >> (8 * i))
	}
	h.sum.Write(b[:])
}

// Float adds the bits of numbers. Panics if one is NaN: no result may be NaN, and its bits depend
// on the architecture.
func (h *Hash) Float(numbers ...float32) {
	for _, x := range numbers {
		if x != x {
			panic("golden: Hash.Float: NaN")
		}
		h.Uint(uint64(math.Float32bits(x)))
	}
}

// Double is Float for double precision.
func (h *Hash) Double(numbers ...float64) {
	for _, x := range numbers {
		if x != x {
			panic("golden: Hash.Double: NaN")
		}
		h.Uint(math.Float64bits(x))
	}
}

// Vec adds points.
func (h *Hash) Vec(points ...geom.Vec3) {
	for _, p := range points {
		h.Float(p.X, p.Y, p.Z)
	}
}

// Bool adds a bool; true counts as found.
func (h *Hash) Bool(ok bool) {
	if ok {
		h.Found++
		h.Uint(1)
	} else {
		h.Uint(0)
	}
}

// Hit adds all fields of a hit, or only false if ok is false.
func (h *Hash) Hit(hit geom.Hit, ok bool) {
	h.Bool(ok)
	if !ok {
		return
	}
	h.Float(hit.T, hit.U, hit.V)
	h.Vec(hit.Point, hit.Normal)
	sides := uint64(0)
	if hit.BackFace {
		sides |= 1
	}
	if hit.Inside {
		sides |= 2
	}
	h.Uint(uint64(uint32(hit.Triangle))<<2 | sides)
}

// Check fails the test unless the hash is the stored one. The message contains the new hash, for an
// intended change of the results.
func (h *Hash) Check(t *testing.T, what string, want uint64) {
	t.Helper()
	if got := h.Sum(); got != want {
		t.Errorf("%s: the hash of the results (%d found) is %#x, not %#x. If this build computes other bits than the others, that "+
			"is an error. If the results were changed on purpose, write the new hash into the test: the one that "+
			"scripts/arch.sh prints in every run.", what, h.Found, got, want)
	}
}

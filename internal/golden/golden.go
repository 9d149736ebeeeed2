// Package golden serves tests that compare all bits of many answers with a hash that is written
// down, on every architecture.
//
// What such a test asks must be the same everywhere to the bit, too. So it takes its inputs from
// [Numbers], adds no product to anything unless it is rounded first (float32(a*b) + c), and keeps
// to functions that IEEE 754 rounds correctly: those of package math, but for Sqrt, Abs, Floor and
// their like, may differ in the last bit from one architecture to the next.
package golden

import (
	"hash"
	"hash/fnv"
	"math"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Numbers is a sequence of numbers that no change to a library can change: Knuth's MMIX generator,
// whose upper half is used. Its value is the seed.
type Numbers uint64

func (n *Numbers) next() uint32 {
	*n = *n*6364136223846793005 + 1442695040888963407
	return uint32(*n >> 32)
}

// Int returns a number from 0 to below limit, which is small.
func (n *Numbers) Int(limit int) int { return int(uint64(n.next()) * uint64(limit) >> 32) }

// Float returns a number from −reach to reach, with 24 bits.
func (n *Numbers) Float(reach float32) float32 {
	return float32(float32(int32(n.next())>>8) / (1 << 23) * reach)
}

// Vec returns a point in the cube that reaches so far to all sides.
func (n *Numbers) Vec(reach float32) geom.Vec3 {
	x, y, z := n.Float(reach), n.Float(reach), n.Float(reach)
	return geom.V(x, y, z)
}

// Quat returns a rotation, not normalised.
func (n *Numbers) Quat() geom.Quat {
	x, y, z, w := n.Float(1), n.Float(1), n.Float(1), n.Float(1)
	return geom.Quat{X: x, Y: y, Z: z, W: w}
}

// Hash gathers answers. Make one with [New].
type Hash struct {
	sum hash.Hash64
	// Found is how many answers were no misses. A hash of nothing but misses says little.
	Found int
}

// New returns the hash of no answers.
func New() *Hash { return &Hash{sum: fnv.New64a()} }

// Sum returns the hash of all answers so far (FNV-1a).
func (h *Hash) Sum() uint64 { return h.sum.Sum64() }

// Uint adds an integer.
func (h *Hash) Uint(x uint64) {
	var b [8]byte
	for i := range b {
		b[i] = byte(x >> (8 * i))
	}
	h.sum.Write(b[:])
}

// Float adds the bits of numbers. Panics if one is NaN: no answer is, and its bits would not be the
// same everywhere.
func (h *Hash) Float(numbers ...float32) {
	for _, x := range numbers {
		if x != x {
			panic("golden: Hash.Float: NaN")
		}
		h.Uint(uint64(math.Float32bits(x)))
	}
}

// Double is Float in double precision.
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

// Bool adds a yes or no; a yes counts as found.
func (h *Hash) Bool(ok bool) {
	if ok {
		h.Found++
		h.Uint(1)
	} else {
		h.Uint(0)
	}
}

// Hit adds all of a hit, or that there was none.
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

// Check fails the test unless the hash is the one written down, and says what to write instead
// where the answers were changed on purpose.
func (h *Hash) Check(t *testing.T, what string, want uint64) {
	t.Helper()
	if got := h.Sum(); got != want {
		t.Errorf("%s: the hash of the answers (%d found) is %#x, not %#x. Either this build computes other bits than the "+
			"rest, which is an error, or the answers were changed on purpose: then write the new number into the test, the "+
			"one that scripts/arch.sh gives in every run.", what, h.Found, got, want)
	}
}

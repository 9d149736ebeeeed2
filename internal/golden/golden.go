// Package golden is for tests that compare all bits of many answers with a constant hash, on every
// architecture.
//
// The inputs of such a test must have the same bits everywhere too. So it takes them from
// [Numbers], rounds each product before a sum (float32(a*b) + c), and uses only functions that IEEE
// 754 rounds correctly. Of package math these are Sqrt, Abs, Floor and their like; the others may
// differ in the last bit from one architecture to the next.
package golden

import (
	"hash"
	"hash/fnv"
	"math"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Numbers is a sequence of random numbers that does not depend on any library: the upper halves of
// Knuth's MMIX generator (The Art of Computer Programming, volume 2, 3.3.4). Its value is the seed.
type Numbers uint64

func (n *Numbers) next() uint32 {
	*n = *n*6364136223846793005 + 1442695040888963407
	return uint32(*n >> 32)
}

// Int returns a number in [0, limit). The limit is less than 2³².
func (n *Numbers) Int(limit int) int { return int(uint64(n.next()) * uint64(limit) >> 32) }

// Float returns a number from −reach to reach, with 24 bits.
func (n *Numbers) Float(reach float32) float32 {
	return float32(float32(int32(n.next())>>8) / (1 << 23) * reach)
}

// Vec returns a point whose coordinates are each within −reach and reach.
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
	// Found is the number of answers that were no misses. A test asserts that it is not small,
	// since a hash of misses proves little.
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

// Float adds the bits of numbers. Panics if one is NaN, which no answer may be, and whose bits
// differ between architectures.
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

// Bool adds a truth value; true counts as found.
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

// Check fails the test unless the hash is the expected one. The failure prints the new hash, for
// answers that were changed on purpose.
func (h *Hash) Check(t *testing.T, what string, want uint64) {
	t.Helper()
	if got := h.Sum(); got != want {
		t.Errorf("%s: the hash of the answers (%d found) is %#x, not %#x. Either this build computes other bits than the "+
			"rest, which is an error, or the answers were changed on purpose: then write the new number into the test, the "+
			"one that scripts/arch.sh gives in every run.", what, h.Found, got, want)
	}
}

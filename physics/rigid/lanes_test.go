package rigid

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// Octets of random numbers, by which routines for eight lanes are compared with the methods for
// one.

// lanesCase is octets of one color with their bodies.
type lanesCase struct {
	octets   []octet
	motions  []motion
	inertias []inertia
}

// floats returns the numbers that values consist of.
func floats[T any](x []T) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(&x[0])), uintptr(len(x))*unsafe.Sizeof(x[0])/4)
}

// number returns a number of a moderate size or, if it is to be wild, often one at the limits.
func number(r *rand.Rand, wild bool) float32 {
	if wild {
		switch r.IntN(40) {
		case 0:
			return float32(math.NaN())
		case 1:
			return float32(math.Inf(1 - 2*r.IntN(2)))
		case 2:
			return math.MaxFloat32 * float32(1-2*r.IntN(2))
		case 3:
			return math.SmallestNonzeroFloat32
		case 4:
			return float32(math.Copysign(0, -1))
		case 5, 6:
			return 0
		case 7:
			return math.Float32frombits(r.Uint32())
		}
	}
	return float32(r.NormFloat64())
}

// newLanesCase makes octets as the solver has them: no dynamic body occurs twice, some are static
// or kinematic, which may, and lanes may be empty.
func newLanesCase(r *rand.Rand, wild bool) *lanesCase {
	const n, fixed = 3, 5
	bodies := 2*lanes*n + fixed
	c := &lanesCase{make([]octet, n), make([]motion, bodies), make([]inertia, bodies)}
	for _, numbers := range [][]float32{floats(c.motions[1:]), floats(c.inertias[fixed:]), floats(c.octets)} {
		for i := range numbers {
			numbers[i] = number(r, wild)
		}
	}
	order := r.Perm(bodies - fixed)
	body := func() int32 {
		if r.IntN(4) == 0 {
			return int32(r.IntN(fixed)) // static or kinematic
		}
		i := order[0] + fixed
		order = order[1:]
		return int32(i)
	}
	for k := range c.octets {
		o := &c.octets[k]
		o.n, o.used, o.hits, o.vast = int32(r.IntN(5)), lanes, 0, uint32(r.IntN(2))
		if r.IntN(2) == 0 {
			o.used = int32(1 + r.IntN(lanes))
		}
		o.brakes, o.rolls = r.IntN(8) > 0, r.IntN(2) == 0
		for l := range lanes {
			if l >= int(o.used) {
				o.clear(l)
				continue
			}
			o.a[l], o.b[l] = body(), body()
			o.invMassA[l], o.invMassB[l] = c.inertias[o.a[l]].mass, c.inertias[o.b[l]].mass
			empty := r.IntN(5)
			o.count[l] = float32(max(empty, 1))
			for p := range o.points {
				q := &o.points[p]
				if p >= empty {
					q.mass[l], q.impulse[l] = 0, 0
				}
				if !wild {
					q.impulse[l] = max(q.impulse[l], 0)
				}
			}
		}
	}
	return c
}

// clear makes a lane zero.
func (o *octet) clear(l int) {
	rows := unsafe.Slice((*row)(unsafe.Pointer(o)), unsafe.Sizeof(*o)/unsafe.Sizeof(row{}))
	for i := range rows {
		if i != 2 { // of the counts and flags
			rows[i][l] = 0
		}
	}
}

func (c *lanesCase) clone() *lanesCase {
	return &lanesCase{append([]octet(nil), c.octets...), append([]motion(nil), c.motions...), append([]inertia(nil), c.inertias...)}
}

// words returns the bits of all numbers; all NaNs are equal, since which one results is not
// specified.
func words[T any](x []T) []uint32 {
	var w []uint32
	for _, f := range floats(x) {
		if f != f {
			w = append(w, math.Float32bits(float32(math.NaN())))
		} else {
			w = append(w, math.Float32bits(f))
		}
	}
	return w
}

// laneMethod is a method for a lane, and the bodies of that.
type laneMethod func(o *octet, l int, a, b *motion, ia, ib *inertia)

// twin does with each lane what a routine does with all.
func (c *lanesCase) twin(method laneMethod) {
	for i := range c.octets {
		o := &c.octets[i]
		for l := range int(o.used) {
			a, b := o.a[l], o.b[l]
			method(o, l, &c.motions[a], &c.motions[b], &c.inertias[a], &c.inertias[b])
		}
	}
}

// sameLanes checks that a routine computes the bits of a method.
func sameLanes(t *testing.T, wild, flat bool, routine func(c *lanesCase), method laneMethod) {
	r := testenv.Rand(15, 1)
	changed := 0
	for range testenv.Count(t, "HITSCAN_LANES", 300) {
		c := newLanesCase(r, wild)
		for i := range c.octets {
			c.octets[i].flat = flat
		}
		before := append(words(c.motions), words(c.octets)...)
		twin := c.clone()
		routine(c)
		twin.twin(method)
		require.Equal(t, words(twin.motions), words(c.motions))
		for i := range c.octets {
			// What is left in an empty lane is of no use.
			for l := int(c.octets[i].used); l < lanes; l++ {
				c.octets[i].clear(l)
			}
		}
		require.Equal(t, words(twin.octets), words(c.octets))
		if !assert.ObjectsAreEqual(before, append(words(c.motions), words(c.octets)...)) {
			changed++
		}
	}
	require.Positive(t, changed)
}

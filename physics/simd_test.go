//go:build (amd64 || arm64) && !noasm

package physics

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The generator has these offsets as numbers.
func TestLayoutIsTheAssemblys(t *testing.T) {
	var (
		n Manifold
		c ContactPoint
		m relativeMotion
	)
	for name, c := range map[string][2]uintptr{
		"manifoldPoints": {12, unsafe.Offsetof(n.Points)},
		"manifoldN":      {188, unsafe.Offsetof(n.N)},
		"spotSize":       {44, unsafe.Sizeof(c)},
		"PointB":         {12, unsafe.Offsetof(c.PointB)},
		"Depth":          {24, unsafe.Offsetof(c.Depth)},
		"spotFeatures":   {28, unsafe.Offsetof(c.FeatureA)},
		"FeatureB":       {32, unsafe.Offsetof(c.FeatureB)},
		"motionMoves":    {0, unsafe.Offsetof(m.a.moves)},
		"motionTurns":    {1, unsafe.Offsetof(m.a.turns)},
		"motionShift":    {8, unsafe.Offsetof(m.a.shift)},
		"motionRows":     {32, unsafe.Offsetof(m.a.x)},
		"motionRow":      {24, unsafe.Offsetof(m.a.y) - unsafe.Offsetof(m.a.x)},
		"motionB":        {104, unsafe.Offsetof(m.b)},
		"turnedNormal":   {24, unsafe.Sizeof(geom.DVec3{})},
	} {
		assert.Equal(t, c[0], c[1], name)
	}
	assert.True(t, Feature(2<<30).IsFace())
	assert.False(t, Feature(3<<30).IsFace())
}

// The assembly is compared with the Go code that it stands for, bit by bit, for any features and
// motions, and numbers of all sizes.
func TestFollowIsTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := testenv.Rand(13, 31)
	dropped := 0
	for range 20_000 {
		wild := r.IntN(4) == 0
		number := func() float32 {
			if wild && r.IntN(8) == 0 {
				return [...]float32{0, float32(math.Copysign(0, -1)), math.MaxFloat32, math.SmallestNonzeroFloat32, float32(math.Inf(1)), float32(math.NaN())}[r.IntN(6)]
			}
			return float32(r.NormFloat64())
		}
		vec := func() geom.Vec3 { return geom.V(number(), number(), number()) }
		quat := func() geom.Quat { return geom.Quat{X: number(), Y: number(), Z: number(), W: number()} }
		var f Manifold
		f.N = 1 + r.Int32N(MaxContactPoints)
		f.Normal, f.ChildA, f.ChildB = vec(), r.Int32N(3), -1
		for i := range f.ContactPoints() {
			f.Points[i] = ContactPoint{vec(), vec(), number(), Feature(r.Uint32()), Feature(r.Uint32()), r.Int32(), r.Int32()}
		}
		var m relativeMotion
		for _, x := range []*motion{&m.a, &m.b} {
			from := pose{vec(), quat()}
			to := from
			if r.IntN(3) > 0 {
				to.position = vec()
			}
			if r.IntN(3) > 0 {
				to.rotation = quat()
			}
			x.set(&from, &to)
		}
		normals := [2]geom.DVec3{vec().Wide(), vec().Wide()}
		least := number()
		var got, want Manifold
		stay := want.followPoints(&f, &m, &normals, least)
		all := uint32(1)<<f.N - 1
		require.Equal(t, stay, followSIMD(&got, &f, &m, &normals, least)&all)
		for i := range f.ContactPoints() {
			require.Equal(t, bitsOf(&want.Points[i]), bitsOf(&got.Points[i]))
		}
		if stay != all {
			dropped++
		}
	}
	assert.Greater(t, dropped, 1000)
}

// bitsOf returns a point as words, all NaNs as the same.
func bitsOf(c *ContactPoint) (words [11]uint32) {
	words = *(*[11]uint32)(unsafe.Pointer(c))
	for i := range words[:7] {
		if f := math.Float32frombits(words[i]); f != f {
			words[i] = 0x7fc00000
		}
	}
	return words
}

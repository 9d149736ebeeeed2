//go:build (amd64 || arm64) && !noasm

package narrow

import (
	"math"
	"math/bits"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The generator has these offsets and tolerances as numbers.
func TestLayoutIsTheAssemblys(t *testing.T) {
	var (
		s Shape
		x boxAxes
		c boxClip
	)
	for name, c := range map[string][2]uintptr{
		"shapeP":     {8, unsafe.Offsetof(s.p)},
		"shapeX":     {112, unsafe.Offsetof(s.x)},
		"shapeHalf":  {256, unsafe.Offsetof(s.half)},
		"axesR":      {0, unsafe.Offsetof(x.r)},
		"axesT":      {72, unsafe.Offsetof(x.t)},
		"axesD":      {96, unsafe.Offsetof(x.d)},
		"axesGaps":   {120, unsafe.Offsetof(x.gaps)},
		"axesMiddle": {200, unsafe.Offsetof(x.middles)},
		"axesMost":   {280, unsafe.Offsetof(x.axes) + unsafe.Offsetof(x.axes.most)},
		"clipMid":    {0, unsafe.Offsetof(c.mid)},
		"clipE":      {24, unsafe.Offsetof(c.e)},
		"clipG":      {48, unsafe.Offsetof(c.g)},
		"clipX":      {72, unsafe.Offsetof(c.x)},
		"clipY":      {80, unsafe.Offsetof(c.y)},
		"clipMargin": {88, unsafe.Offsetof(c.margin)},
		"clipAt":     {96, unsafe.Offsetof(c.at)},
		"clipRow":    {96, unsafe.Sizeof(c.at[0])},
		"clipRims":   {384, unsafe.Offsetof(c.rims)},
	} {
		assert.Equal(t, c[0], c[1], name)
	}
	assert.Equal(t, 4, noRim)
	assert.Equal(t, 1e-9, rootSlack)
	assert.Equal(t, 1e-6, cancelling)
}

// The assembly is compared with the Go code that it stands for, bit by bit, on boxes at all angles,
// almost parallel ones and flat ones.
func TestMeasureIsTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := testenv.Rand(15, 9)
	edges, far := 0, 0
	for range 20_000 {
		var a, b Shape
		turn := geom.QuatAxisAngle(randomVec(r), r.Float64()*6)
		other := turn
		switch r.IntN(4) {
		case 0:
			other = geom.QuatAxisAngle(randomVec(r), r.Float64()*6)
		case 1:
			other = geom.QuatAxisAngle(randomVec(r), math.Exp2(-20*r.Float64())).Mul(turn)
		case 2:
			turn, other = geom.Quat{}, geom.QuatAxisAngle(geom.V(0, 1, 0), r.Float64()*6)
		}
		half := func() geom.Vec3 {
			h := [3]float32{r.Float32(), r.Float32(), r.Float32()}
			if r.IntN(8) == 0 {
				h[r.IntN(3)] = 0
			}
			return geom.V(h[0], h[1], h[2])
		}
		at := randomVec(r).Mul(1000)
		a.SetBox(geom.Box{Center: at, HalfExtents: half(), Rotation: turn})
		b.SetBox(geom.Box{Center: at.Add(randomVec(r).Mul(r.Float32() * 2)), HalfExtents: half(), Rotation: other})
		limit := r.Float64() * 0.1
		var x, y boxAxes
		want := x.measure(&a, &b, limit)
		got := measureSIMD(&y, &a, &b, limit)
		require.Equal(t, want, got)
		if want < 0 {
			far++
			continue
		}
		require.Equal(t, x.r, y.r)
		require.Equal(t, x.t, y.t)
		require.Equal(t, x.d, y.d)
		require.Equal(t, x.gaps, y.gaps)
		require.Equal(t, x.middles, y.middles)
		require.Equal(t, x.most, y.most)
		if want&(1<<axisBits-1) != 0 {
			edges++
		}
	}
	testenv.Drawn(t, edges, 1000)
	testenv.Drawn(t, far, 1000)
}

func TestClipIsTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := testenv.Rand(15, 10)
	sizes := map[int]int{}
	for range 20_000 {
		// Half of the numbers are on a grid, so that sides and corners lie over each other.
		grid := r.IntN(2) == 0
		number := func() float64 {
			if grid {
				return float64(r.IntN(9)-4) / 4
			}
			return r.Float64()*2 - 1
		}
		vec := func() geom.DVec3 { return geom.DVec3{X: number(), Y: number(), Z: number()} }
		c := boxClip{mid: vec(), e: vec(), g: vec(), x: math.Abs(number()), y: math.Abs(number()), margin: r.Float64()}
		d := c
		left := c.clip()
		require.Equal(t, left, clipSIMD(&d))
		sizes[bits.OnesCount32(left)]++
		for ; left != 0; left &= left - 1 {
			q := bits.TrailingZeros32(left)
			require.Equal(t, c.rims[q], d.rims[q])
			for i := range c.at {
				require.Equal(t, c.at[i][q], d.at[i][q])
			}
		}
	}
	for n := range 8 {
		assert.Greater(t, sizes[n], 20, "corners: %d", n)
	}
}
